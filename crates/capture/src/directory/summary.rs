//! `capture.json`: where a capture comes from, its period, its counts, and what of the source it does not have.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What `format` says in `capture.json`.
pub const CAPTURE_FORMAT: &str = "pgdyno capture";
/// The version of the format that this pgdyno writes and reads.
pub const CAPTURE_VERSION: u32 = 1;

/// The content of `capture.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaptureSummary {
    /// [`CAPTURE_FORMAT`].
    pub format: String,
    /// [`CAPTURE_VERSION`].
    pub version: u32,
    /// What was read.
    pub sources: Vec<CaptureSource>,
    /// The instant that the times of events count from; absent while no line has been read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin: Option<Timestamp>,
    /// The instant of the last line; absent until the capture is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
    /// The server's version where the source says it, such as `18.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_version: Option<String>,
    /// Statements executed by database.
    pub databases: BTreeMap<String, u64>,
    /// Statements executed by user.
    pub users: BTreeMap<String, u64>,
    /// Which values were substituted.
    pub masked: CaptureMask,
    /// Sessions with at least one event.
    pub sessions: u64,
    /// Transactions, of which a statement outside BEGIN and COMMIT is one.
    pub transactions: u64,
    /// Lines in the files of events.
    pub events: u64,
    /// Lines in `statements.jsonl`.
    pub statements: u64,
    /// What the source had and the capture does not have.
    pub losses: Vec<CaptureLoss>,
    /// Whether the capture was written to its end. If not, the counts are those of no event.
    pub complete: bool,
}

impl CaptureSummary {
    /// The summary of a capture that begins: nothing counted yet.
    #[must_use]
    pub fn new_incomplete(sources: Vec<CaptureSource>, masked: CaptureMask) -> Self {
        Self {
            format: CAPTURE_FORMAT.to_owned(),
            version: CAPTURE_VERSION,
            sources,
            begin: None,
            end: None,
            server_version: None,
            databases: BTreeMap::new(),
            users: BTreeMap::new(),
            masked,
            sessions: 0,
            transactions: 0,
            events: 0,
            statements: 0,
            losses: Vec::new(),
            complete: false,
        }
    }
}

/// One source of a capture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureSource {
    /// Its kind: `csvlog`, `jsonlog`, `stderr`, `syslog`, ...
    pub kind: String,
    /// Its files in the order in which they were read.
    pub files: Vec<CaptureSourceFile>,
}

/// One file of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureSourceFile {
    /// Its name, without directories.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// Which values of a capture were substituted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaptureMask {
    /// None.
    None,
    /// Texts and binary values; numbers, times and UUIDs are as they were.
    Text,
    /// All values.
    All,
}

/// What the source had and the capture does not have, by reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureLoss {
    /// A code, such as `parameters-cut`.
    pub reason: String,
    /// How often.
    pub count: u64,
    /// Where it happened first, as `file:line`.
    pub first: String,
}
