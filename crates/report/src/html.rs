//! One self-contained HTML file: the viewer with the report's data inside.

use super::data::ReportData;

/// The viewer, built from `web/` into one file.
const VIEWER: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/report.html"));

/// Where the data goes.
const PLACE: &str = "__REPORT_DATA__";

/// The whole file.
pub fn html(data: &ReportData) -> String {
    let json = serde_json::to_string(data).expect("plain data always serialises");
    // Inside a script element only `</script` and `<!--` could end the data; without `<` neither can appear.
    let json = json.replace('<', "\\u003c");
    let (before, after) = VIEWER.split_once(PLACE).expect("the viewer has a place for the data");
    let mut html = String::with_capacity(before.len() + json.len() + after.len());
    html.push_str(before);
    html.push_str(&json);
    html.push_str(after);
    html
}
