//! The capture directory: versioned plain data, written once and read often.
//!
//! - `capture.json`: sources, period, counts, losses. First written with `complete` false, at the end replaced by a
//!   rename: a capture that was killed is readable.
//! - `statements.jsonl`: one line per statement. Its place in the file is its id.
//! - `events/000000.jsonl.zst`, ...: what the sessions did, one line per event, in the order of the log. Each file is a
//!   zstd stream of its own.
//!
//! Leaves out: where events come from, and any judgement.

mod error;
mod event;
mod events;
mod reader;
mod statement;
mod summary;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{CaptureError, CaptureResult};
pub use event::{CapturedEvent, EventAction, Execution, ValueOrigin};
pub use events::{EventStream, TornEnd};
pub use reader::CaptureReader;
pub use statement::{CapturedStatement, StatementProtocol};
pub use summary::{
    CAPTURE_FORMAT, CAPTURE_VERSION, CaptureLoss, CaptureMask, CaptureSource, CaptureSourceFile, CaptureSummary,
};
pub use writer::CaptureWriter;

/// The file with sources, period and counts.
pub const SUMMARY_FILE: &str = "capture.json";
/// The file with the statements.
pub const STATEMENTS_FILE: &str = "statements.jsonl";
/// The directory with the events.
pub const EVENTS_DIRECTORY: &str = "events";

/// The name of the nth file of events, from 0.
#[must_use]
pub fn event_file_name(number: u64) -> String {
    format!("{number:06}.jsonl.zst")
}
