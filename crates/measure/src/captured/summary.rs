//! `replay.json`: which scripts a capture has become, and what of it is not in them.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use jiff::Timestamp;
use results::workload::{CapturedAmount, CapturedCalls, CapturedLoad, StatementKind, WorkloadStatements};
use serde::{Deserialize, Serialize};

/// The file beside the scripts.
pub const REPLAY_FILE: &str = "replay.json";

/// The file with the order of the transactions.
pub(super) const ORDER_FILE: &str = "order.txt";

/// What `format` says in it.
const FORMAT: &str = "pgdyno replay";

/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// What a capture has become.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplaySummary {
    /// What this file is.
    format: String,
    /// The version of its format.
    version: u32,
    /// The first instant of the capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin: Option<Timestamp>,
    /// The last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
    /// The version of the server that was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_version: Option<String>,
    /// The database whose transactions are replayed, where the source says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Whether the capture was not written to its end, because it was killed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Whether values of the capture are substitutes.
    pub masked: bool,
    /// What the capture has.
    pub captured: ReplayedAmount,
    /// What of it is in the scripts.
    pub replayed: ReplayedAmount,
    /// Whether a transaction in the scripts writes, as far as its text shows it.
    pub writes: bool,
    /// The scripts, the most frequent one first.
    pub scripts: Vec<ReplayedScript>,
    /// The file with their order: of each transaction the place of its script among these, and in a timed replay its
    /// connection, when it is due and, if it is the first one of a session, when that connects.
    pub order: String,
    /// What there is of sessions, in a timed replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed: Option<TimedReplay>,
    /// What is not in them, by reason.
    pub not_replayed: Vec<NotReplayed>,
    /// Statements that failed when they were captured, by SQLSTATE.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<String, u64>,
    /// Where the capture breaks off, if it was not written to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torn: Option<String>,
}

/// The sessions of a timed replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedReplay {
    /// How much faster than the capture: times and pauses are divided by it.
    pub speed: f64,
    /// Sessions with transactions that are replayed.
    pub sessions: u64,
    /// Connections that they need at the same time.
    pub connections: u32,
    /// Where sides that take turns change, in microseconds since the begin.
    pub window_ends_us: Vec<u64>,
}

/// How much of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReplayedAmount {
    /// Transactions.
    pub transactions: u64,
    /// Statements that were executed.
    pub calls: u64,
    /// The time that the server took for them, in microseconds, as far as the source says it.
    pub busy_us: u64,
}

/// One script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayedScript {
    /// Its file.
    pub file: String,
    /// The file of its values; absent where its statements have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
    /// Transactions of the capture.
    pub weight: NonZeroU32,
    /// The time of these, in microseconds.
    pub busy_us: u64,
    /// Its statements, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<ReplayedStatement>,
}

/// A statement of a script, as the capture has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayedStatement {
    /// Its fingerprint.
    pub fingerprint: String,
    /// The time of its executions in the transactions of the script, in microseconds.
    pub busy_us: u64,
}

/// Transactions that are not in the scripts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotReplayed {
    /// Why, as a code.
    pub reason: String,
    /// How many.
    pub transactions: u64,
    /// The statement of the first one that is the reason, without its values.
    pub example: String,
}

impl ReplaySummary {
    /// A summary of this format without scripts.
    pub(super) fn new_empty() -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            begin: None,
            end: None,
            server_version: None,
            database: None,
            is_cut: false,
            masked: false,
            captured: ReplayedAmount::default(),
            replayed: ReplayedAmount::default(),
            writes: false,
            scripts: Vec::new(),
            order: ORDER_FILE.to_owned(),
            timed: None,
            not_replayed: Vec::new(),
            failures: BTreeMap::new(),
            torn: None,
        }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let read: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if read.format != FORMAT {
            return Err(format!("its format is {:?}, not {FORMAT:?}", read.format));
        }
        if read.version != VERSION {
            return Err(format!("it has version {} of its format; this pgdyno reads {VERSION}", read.version));
        }
        Ok(read)
    }

    /// The text of the file.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a summary is plain data") + "\n"
    }

    /// Notes at the statements of a workload, which has these scripts, how often the capture has each. `writes`: a
    /// trial executes each transaction once.
    pub(crate) fn note_captured_calls(&self, sent: &mut WorkloadStatements, writes: bool) {
        let mut last_place: BTreeMap<String, usize> = BTreeMap::new();
        for statement in sent.statements.iter_mut().filter(|statement| statement.kind == StatementKind::Sql) {
            let Some(script) = self.scripts.iter().find(|script| script.file == statement.script) else { continue };
            let place = last_place.entry(statement.script.clone()).or_default();
            if let Some(replayed) = script.statements.get(*place) {
                statement.captured = Some(CapturedCalls {
                    fingerprint: replayed.fingerprint.clone(),
                    calls: u64::from(script.weight.get()),
                    busy_us: replayed.busy_us,
                });
            }
            *place += 1;
        }
        let duration = self.begin.zip(self.end).map(|(begin, end)| begin.duration_until(end).as_micros());
        sent.captured = Some(CapturedLoad {
            duration_us: duration.and_then(|us| u64::try_from(us).ok()),
            captured: self.captured.into(),
            replayed: self.replayed.into(),
            failures: self.failures.clone(),
            writes,
        });
    }

    /// How much of the capture is in the scripts, and what is not.
    #[must_use]
    pub fn in_words(&self) -> String {
        let (whole, part) = (self.captured, self.replayed);
        let mut text = format!("{} of {} captured transactions are replayed", part.transactions, whole.transactions);
        if whole.busy_us > 0 {
            let share = 100.0 * part.busy_us as f64 / whole.busy_us as f64;
            text.push_str(&format!(", {share:.1} % of their time"));
        }
        if let Some(timed) = &self.timed {
            let length_s = timed.window_ends_us.last().map_or(0.0, |end_us| *end_us as f64 / 1e6);
            text.push_str(&format!(
                "; {} sessions on {} connections, {length_s:.1} s at speed {}, in {} windows",
                timed.sessions,
                timed.connections,
                timed.speed,
                timed.window_ends_us.len()
            ));
        }
        for not in &self.not_replayed {
            text.push_str(&format!("; not: {}", not.in_words()));
        }
        if self.masked {
            text.push_str(
                "; its values are masked: they find rows only in data that are masked alike (`capture mask-sql`)",
            );
        }
        match &self.torn {
            Some(torn) => text.push_str(&format!("; the capture breaks off ({torn})")),
            None if self.is_cut => {
                text.push_str("; the capture was not written to its end: `pgdyno capture` was killed");
            }
            None => {}
        }
        text
    }
}

impl From<ReplayedAmount> for CapturedAmount {
    fn from(ReplayedAmount { transactions, calls, busy_us }: ReplayedAmount) -> Self {
        Self { transactions, calls, busy_us }
    }
}

impl NotReplayed {
    /// Reason and number.
    #[must_use]
    pub fn in_words(&self) -> String {
        format!("{} {}, such as {}", self.transactions, reason_in_words(&self.reason), self.example)
    }
}

/// What the code of a reason means, behind a number of transactions.
fn reason_in_words(reason: &str) -> &str {
    match reason {
        "failed" => "transactions that failed when they were captured",
        "unfinished" => "transactions that had begun before or ended after the capture",
        "beyond" => "transactions with a statement that reaches beyond the database",
        "session-state" => "transactions that only change the state of their session",
        "copied-data" => "transactions with data of COPY, which the source does not have",
        "values-missing" => "transactions with statements whose values are not those of their text",
        "not-a-script" => "transactions with a text that a script cannot have",
        "other-database" => "transactions of other databases than the one with the most statements",
        "rare" => "transactions of classes beyond the most frequent ones",
        other => other,
    }
}
