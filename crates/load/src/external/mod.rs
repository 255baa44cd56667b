//! The generators that people know, as workload drivers: the real pgbench and the real sysbench, found on this machine,
//! so that any result can be cross-checked with them.
//!
//! [`run_external_job`] starts the tool as a child that does not outlive this process, tells its progress as it prints
//! it, and turns its final output and its log into a [`Summary`](crate::Summary). A run that the tool did not finish
//! is an error, never a figure. What the tool cannot tell is listed ([`UnavailableFigure`]), not guessed. Left out:
//! warm-ups inside the tool (a warm-up is a run of its own before), lost connections (the tools abort), the tool's own
//! CPU time.

mod child;
mod die_with_parent;
mod error;
mod lines;
mod login;
mod measured;
pub mod pgbench;
mod program;
mod summary;
pub mod sysbench;

pub use error::ExternalError;
pub use login::set_libpq_environment;
pub use measured::{ExternalRun, ToolEvent, ToolProgress, UnavailableFigure};
pub use program::{InstalledTool, Tool};
pub use sysbench::SysbenchJob;

use crate::extent::JobExtent;
use crate::job::EngineJob;
use crate::report::LoadPhase;
use std::time::Duration;
use work::StopRequest;

/// What an external generator is to run, which also says which generator.
#[derive(Debug, Clone)]
pub enum ExternalJob {
    /// A job of the engine, run by pgbench.
    Pgbench(Box<EngineJob>),
    /// One of sysbench's scripts.
    Sysbench(Box<SysbenchJob>),
}

impl ExternalJob {
    /// The tool that runs it.
    pub fn tool(&self) -> Tool {
        match self {
            ExternalJob::Pgbench(_) => Tool::Pgbench,
            ExternalJob::Sysbench(_) => Tool::Sysbench,
        }
    }
}

/// Runs the job with the tool that it names, as found by [`InstalledTool::find`]. Blocks until the tool has ended; the
/// child dies with the calling thread. `on_event` is called when a phase begins and then about once a second.
///
/// # Errors
/// [`ExternalError::NotFound`] without the tool; [`ExternalError::Unsupported`] when it cannot do what the job asks
/// for, before anything is started; [`ExternalError::Failed`] when it ended with anything but success, with what it
/// said; [`ExternalError::Unreadable`] and [`ExternalError::Disagrees`] when its output is not what is known of it;
/// [`ExternalError::Stopped`] when `stop` was requested: the tools keep no figures of a run that is cut short.
pub fn run_external_job(
    job: &ExternalJob,
    stop: &StopRequest,
    on_event: &mut dyn FnMut(&ToolEvent),
) -> Result<ExternalRun, ExternalError> {
    let program = InstalledTool::find(job.tool())?;
    match job {
        ExternalJob::Pgbench(job) => pgbench::run_pgbench(&program, job, stop, on_event),
        ExternalJob::Sysbench(job) => sysbench::run_sysbench(&program, job, stop, on_event),
    }
}

/// The phases of a run with their lengths, in order; a phase without a length is left out.
fn phases_with_lengths(warm_up: Duration, measure: JobExtent) -> impl Iterator<Item = (LoadPhase, JobExtent)> {
    let all = [(LoadPhase::WarmUp, JobExtent::Time(warm_up)), (LoadPhase::Measure, measure)];
    all.into_iter().filter(|(_, length)| *length != JobExtent::Time(Duration::ZERO))
}
