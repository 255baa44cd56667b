//! What each command does: parse, validate, do, judge, report.

mod agent;
mod audit;
mod bench;
mod compare;
mod conclude;
mod diagnose;
mod disk;
mod documents;
mod history;
mod import;
mod kubernetes;
mod page;
mod pilot;
mod plan;
mod question;
mod report;
mod restore;
mod resume;
mod rule;
mod run;
mod serve;
mod tune;

use std::process::ExitCode;

use crate::cli::{self, Cli, Command, ReportExtent};
use measure::progress::say;
use problem::{Problem, Status};

/// How a person wants to be spoken to.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// JSON instead of tables.
    pub json: bool,
    /// No progress.
    pub quiet: bool,
    /// The whole report in place of its first screen.
    pub details: bool,
}

impl Manner {
    fn to_extent(self, extent: ReportExtent) -> Self {
        Self { details: extent.details, ..self }
    }
}

/// Carries out the command line and returns the exit status.
pub fn execute(cli: Cli) -> ExitCode {
    let manner = Manner { json: cli.json, quiet: cli.quiet, details: false };
    let outcome = match cli.command {
        Command::Run(arguments) => in_runtime(run::run(&arguments, manner.to_extent(arguments.extent))),
        Command::Resume(arguments) => in_runtime(resume::resume(&arguments, manner.to_extent(arguments.extent))),
        Command::Tune(arguments) => in_runtime(tune::tune(&arguments, manner.to_extent(arguments.extent))),
        Command::Bench(arguments) => in_runtime(bench::bench(&arguments, manner)),
        Command::Kubernetes(command) => in_runtime(kubernetes::kubernetes(&command)),
        Command::Disk(arguments) => in_runtime(disk::disk(&arguments, manner.to_extent(arguments.extent))),
        Command::Plan(command) => plan::plan(&command, manner),
        Command::Compare(arguments) => compare::compare(&arguments, manner.to_extent(arguments.extent)),
        Command::Diagnose(arguments) => diagnose::diagnose(&arguments, manner),
        Command::Rule { code } => rule::print_rule(code.as_deref(), manner),
        Command::History(command) => in_runtime(history::history(&command, manner)),
        Command::Import(arguments) => import::import(&arguments, manner),
        Command::Audit(arguments) => audit::audit(&arguments, manner),
        Command::Report(arguments) => report::report(&arguments, manner.to_extent(arguments.extent)),
        Command::Serve(arguments) => in_runtime(serve::serve(&arguments)),
        Command::Restore(arguments) => restore::restore(&arguments, manner),
        Command::Agent { stdio: _, load: true } => agent::load(),
        Command::Agent { stdio: _, load: false } => in_runtime(agent::agent()),
        Command::Schema { of } => documents::schema(of),
        Command::Completions { shell } => documents::completions(shell),
        Command::Man { output: None } => documents::man(),
        Command::Man { output: Some(directory) } => documents::man_pages(&directory),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(problem) => {
            say(&problem.to_string().replace("`pgdyno ", &format!("`{} ", cli::called_as())));
            problem.status().into()
        }
    }
}

/// Runs what needs timers, signals and connections. Two workers: the control plane is idle while a trial is measured,
/// but for one reading of the probes a second.
fn in_runtime(work: impl Future<Output = Result<Status, Problem>>) -> Result<Status, Problem> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Problem::could_not_measure("could not start the runtime").detail(error.to_string()))?
        .block_on(work)
}
