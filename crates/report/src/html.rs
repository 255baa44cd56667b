//! One self-contained HTML file: the viewer with the data of a report or of a history inside; or the viewer that asks
//! the server that it came from for the data.

use serde::Serialize;

use super::data::ReportData;
use super::history::HistoryData;

/// The viewer, built from `web/` into one file.
const VIEWER: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/report.html"));

/// Where the data goes.
const PLACE: &str = "__REPORT_DATA__";

/// What a report may fetch, and a page of a server.
const FETCH_NOTHING: &str = "default-src 'none'";
const FETCH_FROM_SERVER: &str = "default-src 'none'; connect-src 'self'";

/// What a page of a server shows; the viewer finds the data beside the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// A run, and what is being measured now.
    Run,
    /// Two runs that were made separately, beside each other.
    Comparison,
}

/// The whole file of a report.
pub fn html(data: &ReportData) -> String {
    with_data(data)
}

/// The whole file of a history.
pub fn history_html(data: &HistoryData) -> String {
    with_data(data)
}

fn with_data(data: &impl Serialize) -> String {
    filled(VIEWER, &serde_json::to_string(data).expect("plain data always serialises"))
}

/// A page without data, for a server that has them.
pub fn served(what: Served) -> String {
    let what = match what {
        Served::Run => "run",
        Served::Comparison => "comparison",
    };
    filled(&VIEWER.replacen(FETCH_NOTHING, FETCH_FROM_SERVER, 1), &format!("{{\"served\":\"{what}\"}}"))
}

fn filled(viewer: &str, json: &str) -> String {
    // Inside a script element only `</script` and `<!--` could end the data; without `<` neither can appear.
    let json = json.replace('<', "\\u003c");
    let (before, after) = viewer.split_once(PLACE).expect("the viewer has a place for the data");
    let mut html = String::with_capacity(before.len() + json.len() + after.len());
    html.push_str(before);
    html.push_str(&json);
    html.push_str(after);
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_of_a_server_may_fetch_and_from_that_server_alone() {
        assert!(VIEWER.contains(FETCH_NOTHING) && !VIEWER.contains("connect-src"));
        let page = served(Served::Run);
        assert!(page.contains(FETCH_FROM_SERVER) && page.contains("{\"served\":\"run\"}"));
    }
}
