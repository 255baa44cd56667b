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

use crate::cli::{self, Cli, CliCommand, ReportExtent};
use measure::progress::say;
use problem::{CommandStatus, Problem};

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
        CliCommand::Run(arguments) => in_runtime(run::run(&arguments, manner.to_extent(arguments.extent))),
        CliCommand::Resume(arguments) => in_runtime(resume::resume(&arguments, manner.to_extent(arguments.extent))),
        CliCommand::Tune(arguments) => in_runtime(tune::tune(&arguments, manner.to_extent(arguments.extent))),
        CliCommand::Bench(arguments) => in_runtime(bench::bench(&arguments, manner)),
        CliCommand::Kubernetes(command) => in_runtime(kubernetes::kubernetes(&command)),
        CliCommand::Disk(arguments) => in_runtime(disk::disk(&arguments, manner.to_extent(arguments.extent))),
        CliCommand::Plan(command) => plan::plan(&command, manner),
        CliCommand::Compare(arguments) => compare::compare(&arguments, manner.to_extent(arguments.extent)),
        CliCommand::Diagnose(arguments) => diagnose::diagnose(&arguments, manner),
        CliCommand::Rule { code } => rule::print_rule(code.as_deref(), manner),
        CliCommand::History(command) => in_runtime(history::history(&command, manner)),
        CliCommand::Import(arguments) => import::import(&arguments, manner),
        CliCommand::Audit(arguments) => audit::audit(&arguments, manner),
        CliCommand::Report(arguments) => report::report(&arguments, manner.to_extent(arguments.extent)),
        CliCommand::Serve(arguments) => in_runtime(serve::serve(&arguments)),
        CliCommand::Restore(arguments) => restore::restore(&arguments, manner),
        CliCommand::Agent { stdio: _, load: true } => agent::load(),
        CliCommand::Agent { stdio: _, load: false } => in_runtime(agent::agent()),
        CliCommand::Schema { of } => documents::schema(of),
        CliCommand::Completions { shell } => documents::completions(shell),
        CliCommand::Man { output: None } => documents::man(),
        CliCommand::Man { output: Some(directory) } => documents::man_pages(&directory),
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
fn in_runtime(work: impl Future<Output = Result<CommandStatus, Problem>>) -> Result<CommandStatus, Problem> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Problem::could_not_measure("could not start the runtime").detail(error.to_string()))?
        .block_on(work)
}
