//! An application's own load, taken from what its server wrote into its log, from what a proxy sees, or from what the
//! server counted.
//!
//! Promises: memory does not grow with the length of a log; what could not be read is counted by reason; no password
//! reaches the capture directory. Leaves out: any connection to a server, and the replay.

#![warn(missing_docs)]

mod assemble;
mod capture_log;
mod class_parts;
pub mod describe;
pub mod directory;
mod log;
mod losses;
pub mod mask;
mod source;
pub mod statement_view;
mod traffic;

pub use capture_log::{CaptureFailure, LogOptions, capture_logs};
pub use class_parts::{ClassPart, parts_in_words};
pub use traffic::{TrafficCapture, TrafficRecorder, TrafficSession};
