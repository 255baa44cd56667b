//! One self-contained HTML file: the viewer with the data of a report or of a history inside; or the viewer that asks
//! the server that it came from for the data.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

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
pub fn report_html(data: &ReportData) -> String {
    with_data(data)
}

/// The whole file of a history.
pub fn history_html(data: &HistoryData) -> String {
    with_data(data)
}

fn with_data(data: &impl Serialize) -> String {
    fill_viewer(VIEWER, &short_json(data))
}

/// The data with numbers as short as they can be.
fn short_json(data: &impl Serialize) -> String {
    let mut json = Vec::new();
    data.serialize(&mut Serializer::with_formatter(&mut json, ShortNumbers)).expect("plain data always serialises");
    String::from_utf8(json).expect("JSON is text")
}

/// Whole numbers without `.0`, which says nothing to the viewer and is a sixth of a file with long series.
struct ShortNumbers;

/// Below it every whole number is written digit by digit.
const DIGIT_BY_DIGIT: f64 = 1e15;

impl Formatter for ShortNumbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        if value.fract() == 0.0 && value.abs() < DIGIT_BY_DIGIT {
            write!(writer, "{}", value as i64)
        } else {
            CompactFormatter.write_f64(writer, value)
        }
    }
}

/// A page without data, for a server that has them.
pub fn served_page(what: Served) -> String {
    let what = match what {
        Served::Run => "run",
        Served::Comparison => "comparison",
    };
    fill_viewer(&VIEWER.replacen(FETCH_NOTHING, FETCH_FROM_SERVER, 1), &format!("{{\"served\":\"{what}\"}}"))
}

fn fill_viewer(viewer: &str, json: &str) -> String {
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
    fn numbers_in_a_page_are_as_short_as_they_can_be_and_the_same() {
        assert_eq!(short_json(&[0.0, 12_345.0, -7.0, 0.1, 80.25]), "[0,12345,-7,0.1,80.25]");
        let far = [1.5e-9, 1e14, 1e15, 3e300, f64::MAX];
        assert_eq!(serde_json::from_str::<Vec<f64>>(&short_json(&far)).unwrap(), far);
    }

    #[test]
    fn only_the_page_of_a_server_may_fetch_and_from_that_server_alone() {
        assert!(VIEWER.contains(FETCH_NOTHING) && !VIEWER.contains("connect-src"));
        let page = served_page(Served::Run);
        assert!(page.contains(FETCH_FROM_SERVER) && page.contains("{\"served\":\"run\"}"));
    }
}
