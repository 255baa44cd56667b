//! The formats of other programs' outputs that are read as a whole, each in a file of its own.
//!
//! To add one, write its file, and enter it here and in `docs/import.md`.

mod benchbase;
mod hammerdb;
mod kbench;
mod postgresbench;

use crate::output_format::{OutputFormat, UnreadableLine};

/// Every format, in the order in which a file is compared with them.
pub const OUTPUT_FORMATS: [&dyn OutputFormat; 4] = [
    &kbench::KbenchSummary,
    &hammerdb::HammerdbOutput,
    &benchbase::BenchbaseSummary,
    &postgresbench::PostgresBenchResults,
];

/// Every format of which a text, on which other text may stand, has an output.
pub fn formats_in_text(text: &str) -> impl Iterator<Item = &'static dyn OutputFormat> {
    OUTPUT_FORMATS.into_iter().filter(move |format| format.is_format_of(text))
}

/// The format of a file that begins like this.
pub fn recognised_format(head: &str) -> Option<&'static dyn OutputFormat> {
    OUTPUT_FORMATS.into_iter().find(|format| format.is_format_of(head))
}

/// Where and why a text is no JSON of a format. The end of a text counts as its last line.
fn unreadable_line(text: &str, error: &serde_json::Error) -> UnreadableLine {
    let message = error.to_string();
    let problem = message.split(" at line ").next().unwrap_or(&message).to_owned();
    UnreadableLine { line: error.line().min(text.lines().count()).max(1), problem }
}
