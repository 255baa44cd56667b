//! The real sysbench 1.0 as a driver: one of its scripts with its options, its output turned into figures.

mod command;
mod progress;
mod summary;

use super::child::{self, OutputStream};
use super::error::ExternalError;
use super::measured::{ExternalRun, ToolEvent};
use super::phases_with_lengths;
use super::program::{InstalledTool, Tool};
use crate::report::LoadPhase;
use conninfo::ConnInfo;
use outputs::sysbench::{IntervalLine, SysbenchReport};
use std::num::NonZeroU32;
use std::time::{Duration, Instant, SystemTime};
use work::StopRequest;

/// One run of a script of sysbench on tables that are there already.
#[derive(Debug, Clone)]
pub struct SysbenchJob {
    /// Where to.
    pub server: ConnInfo,
    /// The script's name, such as `oltp_read_write`, or the path of its file.
    pub script: String,
    /// The script's options and others of sysbench by name without the dashes, such as `tables` and `10`. They must not
    /// hold a password.
    pub options: Vec<(String, String)>,
    /// Connections, each with a thread of its own.
    pub threads: NonZeroU32,
    /// Events per second that are offered; none for a closed loop.
    pub rate: Option<NonZeroU32>,
    /// How long it runs before it is measured: whole seconds.
    pub warm_up: Duration,
    /// How long it is measured: whole seconds.
    pub measure: Duration,
    /// Of its random numbers; 0 is the time.
    pub seed: u64,
}

/// Runs a script with sysbench; see [`super::run_external_job`].
///
/// # Errors
/// Those of [`super::run_external_job`].
pub fn run_sysbench(
    program: &InstalledTool,
    job: &SysbenchJob,
    stop: &StopRequest,
    on_event: &mut dyn FnMut(&ToolEvent),
) -> Result<ExternalRun, ExternalError> {
    let started_at = SystemTime::now();
    let begun = Instant::now();
    let mut measured = None;
    for (phase, length) in phases_with_lengths(job.warm_up, job.measure.into()) {
        let arguments = command::sysbench_arguments(job, length)?;
        let command = command::sysbench_command(program, job, &arguments);
        let start_ns = begun.elapsed().as_nanos() as u64;
        on_event(&ToolEvent::Began { phase, start_ns });
        let mut index = 0;
        let printed = child::run_tool(Tool::Sysbench, command, length, stop, &mut |stream, line| {
            if let (OutputStream::Output, Some(line)) = (stream, IntervalLine::parse(line)) {
                on_event(&ToolEvent::Second(progress::progress_of_interval(&line, phase, index)));
                index += 1;
            }
        })?;
        let report = SysbenchReport::parse(&printed.output)
            .map_err(|source| ExternalError::Unreadable { tool: Tool::Sysbench, source })?;
        if phase == LoadPhase::Measure {
            let summary = summary::sysbench_summary(job, &report, started_at, start_ns);
            let missing = summary::MISSING.to_vec();
            measured =
                Some(ExternalRun { program: program.clone(), arguments, summary, missing, printed: printed.output });
        }
    }
    measured.ok_or(ExternalError::Unsupported { tool: Tool::Sysbench, what: "measure for zero seconds".to_owned() })
}
