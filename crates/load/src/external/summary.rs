//! What an external generator told as the summary of a run; what no external generator tells is empty.

use super::program::Tool;
use crate::latency::TransactionLatency;
use crate::report::{OpenLoop, ScriptTotal, Summary};
use crate::silence::Silences;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::SystemTime;
use wire::SqlState;

/// What both tools tell, in one way or another.
#[derive(Debug)]
pub(super) struct ToolSummary {
    pub(super) tool: Tool,
    pub(super) clients: u32,
    pub(super) threads: u32,
    pub(super) started_at: SystemTime,
    /// When the tool was started, in nanoseconds since then.
    pub(super) start_ns: u64,
    /// How long it took to connect.
    pub(super) connection_ns: u64,
    /// How long the transactions that were counted took, by the tool's own clock.
    pub(super) measure_ns: u64,
    pub(super) scripts: Vec<ScriptTotal>,
    pub(super) errors: BTreeMap<SqlState, u64>,
    pub(super) open: Option<OpenLoop>,
}

impl ToolSummary {
    pub(super) fn into_summary(self) -> Summary {
        let mut latency = TransactionLatency::new();
        self.scripts.iter().for_each(|script| latency.merge(&script.latency));
        Summary {
            started_at: self.started_at,
            backend: Cow::Borrowed(self.tool.program_name()),
            clients: self.clients,
            threads: self.threads,
            connection_ns: self.connection_ns,
            first_connections: None,
            connections: None,
            measure_start_ns: self.start_ns + self.connection_ns,
            measure_ns: self.measure_ns,
            interrupted: false,
            latency,
            failed: self.scripts.iter().map(|script| script.failed).sum(),
            unknown: 0,
            unfinished: 0,
            cancelled: 0,
            late: self.scripts.iter().map(|script| script.late).sum(),
            retried: self.scripts.iter().map(|script| script.retried).sum(),
            retries: self.scripts.iter().map(|script| script.retries).sum(),
            open: self.open,
            scripts: self.scripts,
            statements: None,
            errors: self.errors,
            first_errors: Vec::new(),
            outages: Vec::new(),
            silences: Silences::default(),
            engine: Vec::new(),
            ledger: None,
        }
    }
}
