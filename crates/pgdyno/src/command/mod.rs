//! What each command does: parse, validate, do, judge, report.

mod ab;
mod agent;
mod audit;
mod bench;
mod capture;
mod compare;
mod conclude;
mod diagnose;
mod disk;
mod documents;
mod history;
mod import;
mod json_outputs;
mod kubernetes;
mod latest;
mod list;
mod mcp;
mod new_plan;
mod page;
mod pilot;
mod plan;
mod question;
mod redact;
mod report;
mod restore;
mod resume;
mod rights;
mod rule;
mod run;
mod serve;
mod tune;

use std::process::ExitCode;

use crate::cli::{self, Cli, CliCommand, ReportExtent};
use measure::progress::print_to_stderr;
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
pub fn execute_command_line(cli: Cli) -> ExitCode {
    let manner = Manner { json: cli.json, quiet: cli.quiet, details: false };
    let outcome = match cli.command {
        CliCommand::Run(arguments) => {
            in_runtime(run::run_measurement_command(&arguments, manner.to_extent(arguments.measuring.extent)))
        }
        CliCommand::Ab(arguments) => {
            in_runtime(ab::run_ab_command(&arguments, manner.to_extent(arguments.measuring.extent)))
        }
        CliCommand::Rehearse(arguments) => {
            in_runtime(ab::run_rehearse_command(&arguments, manner.to_extent(arguments.measuring.extent)))
        }
        CliCommand::Resume(arguments) => {
            in_runtime(resume::run_resume_command(&arguments, manner.to_extent(arguments.extent)))
        }
        CliCommand::Tune(arguments) => {
            in_runtime(tune::run_tune_command(&arguments, manner.to_extent(arguments.extent)))
        }
        CliCommand::Bench(arguments) => in_runtime(bench::run_bench_command(&arguments, manner)),
        CliCommand::Kubernetes(command) => in_runtime(kubernetes::run_kubernetes_command(&command)),
        CliCommand::Disk(arguments) => {
            in_runtime(disk::run_disk_command(&arguments, manner.to_extent(arguments.extent)))
        }
        CliCommand::Plan(command) => plan::run_plan_command(&command, manner),
        CliCommand::Compare(arguments) => compare::run_compare_command(&arguments, manner.to_extent(arguments.extent)),
        CliCommand::Diagnose(arguments) => {
            diagnose::run_diagnose_command(&arguments, manner.to_extent(arguments.extent))
        }
        CliCommand::Rights { of } => in_runtime(rights::run_rights_command(of.as_deref(), manner)),
        CliCommand::Rule { code } => rule::print_rule(code.as_deref(), manner),
        CliCommand::History(command) => in_runtime(history::run_history_command(&command, manner)),
        CliCommand::Import(arguments) => import::run_import_command(&arguments, manner),
        CliCommand::Capture(arguments) => in_runtime(capture::run_capture_command(&arguments, manner)),
        CliCommand::Audit(arguments) => audit::run_audit_command(&arguments, manner),
        CliCommand::Report(arguments) => report::run_report_command(&arguments, manner.to_extent(arguments.extent)),
        CliCommand::List { runs } => list::list_runs_of_directory(&runs, manner),
        CliCommand::Serve(arguments) => in_runtime(serve::run_serve_command(&arguments)),
        CliCommand::Mcp(arguments) => mcp::run_mcp_command(&arguments),
        CliCommand::Restore(arguments) => restore::run_restore_command(&arguments, manner),
        CliCommand::Agent { stdio: _, load: true } => agent::run_load_agent(),
        CliCommand::Agent { stdio: _, load: false } => in_runtime(agent::run_agent_command()),
        CliCommand::Schema { of } => documents::print_json_schema(of),
        CliCommand::Completions { shell } => documents::print_shell_completions(shell),
        CliCommand::Man { output: None } => documents::print_man_page(),
        CliCommand::Man { output: Some(directory) } => documents::man_pages(&directory),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(problem) if manner.json => {
            print_to_stderr(&problem.failure_output().to_line());
            problem.exit_status().into()
        }
        Err(problem) => {
            print_to_stderr(&problem.to_string().replace("`pgdyno ", &format!("`{} ", cli::called_as())));
            problem.exit_status().into()
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
