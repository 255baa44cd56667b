//! The load engine: event loop, workloads, recorder.
//!
//! [`run`] drives clients against a server, in a closed or an open loop, and reports once a second; it draws no
//! conclusions and writes no files. In steady state a transaction allocates nothing. Left out: Kubernetes.

mod engine;
mod error;
mod extent;
pub mod external;
mod first_errors;
mod job;
mod latency;
pub mod ledger;
mod pace;
mod path;
mod prefetch;
mod random;
mod report;
mod script;
mod silence;
mod states;
mod tally;
mod transaction_log;
mod turns;
pub mod workload;

pub use engine::{check, check_turns, io_uring_refused, run, run_turns};
pub use error::LoadError;
pub use extent::Extent;
pub use first_errors::FirstError;
pub use job::{Backend, Job, ShellCommands, StatementTimes, Weighted};
pub use latency::Latency;
pub use pace::{HIGHEST_RATE_PER_S, Pace, Rate};
pub use path::PathActivity;
pub use report::{
    ConnectionLatency, Event, OpenLoop, Outage, OutageChange, Phase, ScriptSecond, ScriptTotal, Second, StatementTotal,
    Statements, Summary, ThreadActivity,
};
pub use script::{CommandLine, Drawn, EvaluationError, Preparable, Script, ScriptError, Statement, StatementKind};
pub use silence::{SHORTEST as SHORTEST_SILENCE, Silence, Silences};
pub use tally::Tally;
pub use transaction_log::{LogShape, TransactionLog};
pub use turns::{FirstQuarter, Turn, Turns, TurnsEvent, TurnsSummary};
pub use wire::SqlState;
pub use work::{Arrivals, Connections, QueryMode, Stop, Think, Tries};
