//! The real pgbench as a driver: a job of the engine becomes its command line, its output and its log become figures.

mod command;
mod log;
mod progress;
mod summary;
#[cfg(test)]
mod tests;
mod transaction_log;

pub use log::{Columns, LoggedTransaction, TransactionOutcome};
pub use transaction_log::{LogSecond, PgbenchTransactionLog};

use super::child::{self, OutputStream, complaint_lines};
use super::error::ExternalError;
use super::measured::{ExternalRun, ToolEvent};
use super::phases_with_lengths;
use super::program::{InstalledTool, Tool};
use crate::job::EngineJob;
use crate::report::LoadPhase;
use outputs::pgbench::{PgbenchReport, ProgressLine};
use std::time::{Instant as Clock, SystemTime};
use work::StopRequest;

/// What pgbench says on standard error when clients were lost, whatever else it printed.
const ABORTED: &str = "Run was aborted; the above results are incomplete.";

/// Runs a job with pgbench; see [`super::run_external_job`].
///
/// # Errors
/// Those of [`super::run_external_job`].
pub fn run_pgbench(
    program: &InstalledTool,
    job: &EngineJob,
    stop: &StopRequest,
    on_event: &mut dyn FnMut(&ToolEvent),
) -> Result<ExternalRun, ExternalError> {
    let started_at = SystemTime::now();
    let begun = Clock::now();
    let directory = tempfile::Builder::new()
        .prefix("pgdyno-pgbench-")
        .tempdir()
        .map_err(ExternalError::system_error("create a directory for the log of pgbench"))?;
    let mut measured = None;
    for (phase, length) in phases_with_lengths(job.warm_up, job.measure) {
        let command = command::pgbench_command(program, job, length, directory.path())?;
        let arguments = command::shown_arguments(&command);
        let start_ns = begun.elapsed().as_nanos() as u64;
        on_event(&ToolEvent::Began { phase, start_ns });
        let mut index = 0;
        let printed = child::run_tool(Tool::Pgbench, command, length, stop, &mut |stream, line| {
            if let (OutputStream::Errors, Ok(line)) = (stream, ProgressLine::parse(line)) {
                on_event(&ToolEvent::Second(progress::progress_of_line(&line, phase, index)));
                index += 1;
            }
        })?;
        // Older versions end with success all the same.
        if printed.errors.contains(ABORTED) {
            let (ended, said) = ("aborted its run".to_owned(), complaint_lines(&printed));
            return Err(ExternalError::Failed { tool: Tool::Pgbench, ended, said });
        }
        let report = PgbenchReport::parse(&printed.output)
            .map_err(|source| ExternalError::Unreadable { tool: Tool::Pgbench, source })?;
        let log = log::read_and_remove(directory.path(), job)?;
        if phase == LoadPhase::Measure {
            let summary = summary::pgbench_summary(&report, log, started_at, start_ns)?;
            let missing = summary::missing_from_pgbench(job);
            measured =
                Some(ExternalRun { program: program.clone(), arguments, summary, missing, printed: printed.output });
        }
    }
    measured.ok_or(ExternalError::Unsupported { tool: Tool::Pgbench, what: "measure for zero seconds".to_owned() })
}
