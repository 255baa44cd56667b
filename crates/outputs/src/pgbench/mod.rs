//! What pgbench prints and logs: its report, its progress lines, and its log of intervals.

mod aggregate;
mod output;
mod progress;
#[cfg(test)]
mod tests;

pub use aggregate::{Aggregate, Moments, Troubles};
pub use output::{
    CommandStatistics, Connecting, CountWithPercent, LateTransactions, PgbenchExtent, PgbenchReport, Retries,
    ScheduleLag, ScriptReport, StatementReport,
};
pub use progress::{Instant, ProgressLine};
