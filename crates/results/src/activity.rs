//! `activity.jsonl`: one line a second with what the load's sessions were doing on the server,
//! sampled several times in it.
//!
//! Each sample asks for all sessions at once, so the counts over `samples × sessions` are the shares of their time that
//! the sessions spent in each state.

use serde::{Deserialize, Serialize};

use crate::trial::TrialPhase;

/// What was sampled in one second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledActivity {
    /// The phase that the second belongs to.
    pub phase: TrialPhase,
    /// Number of the second within its phase, from 0.
    pub index: u32,
    /// What was seen.
    #[serde(flatten)]
    pub window: ActivityWindow,
}

/// What the samples of some time saw.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ActivityWindow {
    /// Samples taken.
    pub samples: u32,
    /// Time that they took the server together, in microseconds.
    pub took_us: u64,
    /// The time between two samples at the end, in microseconds: longer than planned where a sample takes so long that
    /// more of them would be felt.
    pub period_us: u64,
    /// How many sessions were seen in each state and wait, over all samples.
    pub seen: Vec<SampledSessions>,
    /// How many active sessions were seen executing each query, over all samples; empty where the server computes no
    /// identifiers of queries (`compute_query_id`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<SeenQuery>,
    /// For what and behind whom sessions were seen waiting for heavyweight locks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<SeenLock>,
    /// Samples of the sessions that are not the load's: one of several looks at them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub others_samples: u32,
    /// Who else was at work on the server, neither the load nor pgdyno.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherSessions>,
    /// Sessions that are connected and wait for their clients, neither the load's nor pgdyno's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle: Vec<IdleSessions>,
    /// Why some of them are not known, if it is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_gap: Option<String>,
    /// Samples of the server's processes: one of several looks at them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub processes_samples: u32,
    /// What processes of the server were seen doing that are neither the load's nor pgdyno's. Those that wait in their
    /// main loop are left out, but for walsenders, and so are idle sessions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<SeenProcesses>,
    /// Why some of them are not known, if it is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes_gap: Option<String>,
    /// Why it is not known behind whom they waited, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks_gap: Option<String>,
    /// Why samples are missing, if any are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
}

/// Sessions in one state and wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledSessions {
    /// `pg_stat_activity.state`; `hidden` where the role may not see it.
    pub state: String,
    /// The wait event's type and name; absent when the session was not waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<WaitEvent>,
    /// How many, over all samples.
    pub sessions: u64,
}

/// Active sessions executing one query, in one wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenQuery {
    /// The server's identifier of the query's normalised form.
    pub query_id: i64,
    /// The wait event's type and name; absent when the session was not waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<WaitEvent>,
    /// How many, over all samples.
    pub sessions: u64,
}

/// Sessions of one name that are not the load's and were at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherSessions {
    /// What they call themselves; empty where they do not.
    pub application: String,
    /// How many, over all samples.
    pub sessions: u64,
    /// How many of them waited for I/O.
    pub waiting_for_io: u64,
    /// How many waited for nothing.
    pub running: u64,
    /// A statement of theirs, shortened, without what stands in quotes.
    pub statement: String,
}

/// Idle sessions of one name whose last statement was of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdleSessions {
    /// What they call themselves; empty where they do not.
    pub application: String,
    /// How many, over all samples.
    pub sessions: u64,
    /// The last statement of one of them, shortened, without what stands in quotes.
    pub statement: String,
}

/// Processes of one kind in one wait that are neither the load's nor pgdyno's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenProcesses {
    /// `pg_stat_activity.backend_type`.
    pub kind: String,
    /// The database that they work in; absent where they work in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The replication slot that they send from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// The wait event's type and name; absent when the process was not waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<WaitEvent>,
    /// How many, over all samples.
    pub processes: u64,
}

/// Sessions waiting for one lock behind one other session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenLock {
    /// What is locked: `relation`, `transactionid`, `tuple`, `extend`, `advisory`, ...
    pub kind: String,
    /// The mode that is wanted, such as `AccessShareLock`.
    pub mode: String,
    /// The table or index, with its schema; absent for what is none, and of another database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
    /// Who has it, or waits for it before them.
    pub holder: Holder,
    /// How many, over all samples.
    pub sessions: u64,
    /// For how long one of them had been executing its statement at most, in microseconds.
    pub longest_us: u64,
}

/// A session that another waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process on the server; 0 for a prepared transaction, which has none.
    pub pid: i32,
    /// What it calls itself; absent where the role may not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// `pg_stat_activity.state`, when it was seen first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The mode in which it holds the relation; absent where it waits for it, too, or where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Its statement when it was seen first, shortened, without what stands in quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// How long its transaction had lasted at most, in microseconds.
    pub transaction_us: u64,
}

/// A wait, as PostgreSQL names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WaitEvent {
    /// Its type, such as `IO` or `LWLock`.
    pub class: String,
    /// Its name, such as `WALSync`.
    pub event: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_as_it_was_written() {
        let wait = WaitEvent { class: "IO".to_owned(), event: "WALSync".to_owned() };
        let seen = vec![
            SampledSessions { state: "active".to_owned(), wait: Some(wait), sessions: 5 },
            SampledSessions { state: "idle in transaction".to_owned(), wait: None, sessions: 1 },
        ];
        let holder = Holder {
            pid: 42,
            application: Some("report".to_owned()),
            state: Some("active".to_owned()),
            mode: None,
            statement: None,
            transaction_us: 7,
        };
        let (kind, mode) = ("relation".to_owned(), "AccessShareLock".to_owned());
        let lock = SeenLock { kind, mode, relation: None, holder, sessions: 3, longest_us: 9 };
        let figures = ActivityWindow { samples: 2, took_us: 900, period_us: 100_000, ..ActivityWindow::default() };
        let window = ActivityWindow { seen, locks: vec![lock], ..figures };
        let activity = SampledActivity { phase: TrialPhase::Measure, index: 4, window };
        let line = serde_json::to_string(&activity).unwrap();
        assert_eq!(serde_json::from_str::<SampledActivity>(&line).unwrap(), activity);
        assert!(line.starts_with(r#"{"phase":"measure","index":4,"samples":2,"took_us":900,"#), "{line}");
    }
}
