//! The load engine: event loop, workloads, recorder.
//!
//! [`run_job`] drives clients against a server, in a closed or an open loop, and reports once a second; it draws no
//! conclusions and writes no files. In steady state a transaction allocates nothing. Left out: Kubernetes.

mod engine;
mod error;
mod extent;
pub mod external;
mod first_errors;
mod job;
mod latency;
pub mod ledger;
mod listed;
mod listed_results;
mod lost_part;
mod merge;
mod pace;
mod part;
mod path;
mod prefetch;
mod random;
mod report;
mod script;
mod silence;
mod states;
mod tally;
mod timed;
mod transaction_log;
mod turns;
pub mod workload;

pub use engine::{check_job, check_turns, io_uring_refused, run_job, run_turns};
pub use error::LoadError;
pub use extent::JobExtent;
pub use first_errors::JobFirstError;
pub use job::{EngineJob, IoBackend, ShellCommands, StatementTimes, Weighted};
pub use latency::TransactionLatency;
pub use listed::{AtListEnd, TransactionOrder};
pub use listed_results::{ListedResult, ListedResults};
pub use lost_part::LostPart;
pub use merge::merge_summaries;
pub use pace::{HIGHEST_RATE_PER_S, OfferedRate, TransactionPace};
pub use part::{GeneratorPart, SharedInstants, clients_of_part};
pub use path::PathActivity;
pub use report::{
    ClientOutage, ConnectionLatency, EngineEvent, LoadPhase, OpenLoop, OutageChange, PhaseSecond, ScriptSecond,
    ScriptTotal, StatementCounts, StatementTotal, Summary, ThreadActivity,
};
pub use script::{
    CommandLine, DrawnStatement, EvaluationError, ParsedScript, Preparable, ScriptError, ScriptStatement,
    ScriptStatementKind, ValueRows, ValueRowsError, csv_line, escape_statement, fill_statement,
};
pub use silence::{SHORTEST as SHORTEST_SILENCE, Silences, SilentPeriod};
pub use tally::Tally;
pub use timed::{TimedSessions, TimedTransaction};
pub use transaction_log::{LogShape, TransactionLog};
pub use turns::{BetweenTurns, EndedTurn, TurnFirstQuarter, TurnTakingJobs, TurnsEvent, TurnsSummary};
pub use wire::SqlState;
pub use work::{Arrivals, Connections, QueryMode, StopRequest, Think, Tries};
