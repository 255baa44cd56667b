//! The command line, declared once: help, completions and the man page come from here.

mod ab;
mod bench;
mod capture;
mod disk;
mod history;
mod kubernetes;
#[cfg(test)]
mod manual;
mod measuring;
mod rehearse;

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ContextKind;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use measure::progress::print_to_stderr;
use problem::{CommandStatus, ErrorEntry, FailureOutput};
use report::formats::{CsvTable, TABLES};

pub use ab::{AbArgs, ComparisonExtentArgs, RequestedDifference};
pub use bench::{BenchArgs, GeneratorName, IoBackendArg, ScriptChoice};
pub use capture::{CaptureArgs, CaptureCommand, MaskChoice};
pub use disk::DiskArgs;
pub use history::{AcceptArgs, GuardArgs, HistoryCommand, HistoryFormat, PinArgs, ShowArgs};
pub use kubernetes::{InsideArgs, KubernetesCommand, NamedArgs, PlaceArgs};
pub use measuring::{MeasuringArgs, ReportFile, ReportFileArgs};
pub use rehearse::RehearseArgs;

/// Number, commit and day of this build (`build.rs`).
const VERSION: &str = env!("PGDYNO_VERSION");

/// A dynamometer for PostgreSQL: compares the throughput and latency of two servers or settings, with confidence
/// intervals and causes.
///
/// First steps: `pgdyno ab` compares two settings, versions or servers without a plan. With one: `pgdyno plan new >
/// plan.yaml`, `pgdyno plan explain plan.yaml`, `pgdyno run plan.yaml`. Without a plan, `pgdyno run` compares
/// PostgreSQL 17 with 18 on temporary servers.
///
/// Exit status: 0 no regression, 1 regression or violated requirement, 2 usage or plan error, 3 measurement failed, 4
/// not enough data.
#[derive(Debug, Parser)]
#[command(name = "pgdyno", version = VERSION, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: CliCommand,
    /// Print JSON instead of tables.
    #[arg(long, global = true)]
    pub json: bool,
    /// Do not print progress.
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// How much of a report the terminal prints.
#[derive(Debug, Clone, Copy, Args)]
pub struct ReportExtent {
    /// Print the whole report instead of its first screen: figures of all findings, times, statements, caveats.
    #[arg(long)]
    pub details: bool,
}

/// How whoever reads our words calls this program: kubectl finds plugins by such a name.
pub fn called_as() -> &'static str {
    let called = std::env::args_os().next().map(PathBuf::from);
    let is_plugin = called.is_some_and(|path| path.file_name().is_some_and(|name| name == "kubectl-pgdyno"));
    if is_plugin { "kubectl pgdyno" } else { "pgdyno" }
}

/// The command line of this process; ends it where that is wrong, or asks for help.
pub fn parse_command_line() -> Cli {
    let parsed = Cli::command().bin_name(called_as()).try_get_matches();
    parsed.and_then(|matches| Cli::from_arg_matches(&matches)).unwrap_or_else(|error| exit_on_usage_error(&error))
}

/// Prints a help that was asked for, or what is wrong with the command line: with `--json` as JSON.
fn exit_on_usage_error(error: &clap::Error) -> ! {
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        print_to_stderr(&usage_failure(error).to_line());
        std::process::exit(CommandStatus::Usage as i32);
    }
    error.exit()
}

/// A part of what is wrong with a command line, where the error has it.
fn part_in_words(error: &clap::Error, kind: ContextKind) -> Option<String> {
    error.get(kind).map(ToString::to_string)
}

/// What is wrong with a command line, for programs.
fn usage_failure(error: &clap::Error) -> FailureOutput {
    let text = error.render().to_string();
    let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let entry = ErrorEntry {
        file: None,
        line: None,
        column: None,
        object: part_in_words(error, ContextKind::InvalidArg)
            .or_else(|| part_in_words(error, ContextKind::InvalidSubcommand)),
        value: part_in_words(error, ContextKind::InvalidValue),
        message,
        detail: None,
        hint: part_in_words(error, ContextKind::SuggestedArg)
            .or_else(|| part_in_words(error, ContextKind::SuggestedSubcommand))
            .or_else(|| part_in_words(error, ContextKind::SuggestedValue))
            .map(|name| format!("did you mean {name}?"))
            .or_else(|| part_in_words(error, ContextKind::Usage)),
    };
    FailureOutput::of_status(CommandStatus::Usage, vec![entry])
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Measure a plan, compare its targets, and write the report.
    Run(RunArgs),
    /// Compare two settings, versions or servers without a plan file: makes the plan, measures it until there is a
    /// verdict, and keeps it in the run directory.
    Ab(Box<AbArgs>),
    /// Rehearse an upgrade with a captured load and a dump: the query plans of all statements on both versions first,
    /// then their times, and a checklist.
    Rehearse(Box<RehearseArgs>),
    /// Resume an interrupted run; finished trials are kept.
    Resume(ResumeArgs),
    /// Compare the targets of one run, or two separate runs.
    Compare(CompareArgs),
    /// Create a run directory from the output of other tools: pgbench, sysbench, fio, tables of published figures.
    Import(ImportArgs),
    /// Capture an application's own load, from the log of its server or as a proxy in front of it.
    Capture(Box<CaptureArgs>),
    /// Check a benchmark for methodological errors, whichever tool produced it.
    Audit(AuditArgs),
    /// Write the report of a run.
    Report(ReportArgs),
    /// List the runs of a directory, newest first: complete, interrupted, running or failed, with result or reason.
    List {
        /// Directory of run directories.
        #[arg(default_value = "runs")]
        runs: PathBuf,
    },
    /// Show runs in the browser, during and after the measurement; prints the address to open.
    Serve(ServeArgs),
    /// Report what costs time or throughput in a run, with evidence and the experiment that would confirm it.
    Diagnose(DiagnoseArgs),
    /// Print which rights a role has on a server, what each adds to the report, and the GRANT for those that are
    /// missing. Only reads.
    Rights {
        /// Connection string of a server, or a plan file: then every server of it that exists is asked [default: the
        /// connection that the PG* environment variables describe].
        #[arg(value_name = "URL|PLAN")]
        of: Option<String>,
    },
    /// List the codes of issues by group, or explain one.
    Rule {
        /// The code, such as `cpu-stolen`, or a group, such as `cpu`.
        code: Option<String>,
    },
    /// Record runs over time and report where their level changed.
    #[command(subcommand)]
    History(HistoryCommand),
    /// Create, check or explain a plan.
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Tune a server iteratively: apply the fix for the top finding, keep it if performance improves.
    Tune(TuneArgs),
    /// Run one workload on one server with the options of pgbench; prints the output of pgbench and percentiles.
    Bench(Box<BenchArgs>),
    /// Serve plans, runs and reports to a program that speaks the Model Context Protocol, on standard input and output.
    Mcp(McpArgs),
    /// Undo changes that killed runs left on this machine: kernel parameters, mounts, images, servers.
    Restore(RestoreArgs),
    /// Print the rights that a plan needs in Kubernetes, and manage runs inside a cluster.
    #[command(subcommand)]
    Kubernetes(KubernetesCommand),
    /// Measure disks with fio: rates, latency, caps, bursts and caches.
    Disk(Box<DiskArgs>),
    /// Read this host, or send load from it, for pgdyno on another host. pgdyno starts this command itself (plan keys
    /// `agent` and `generators`).
    Agent {
        /// Read requests from standard input and write answers to standard output.
        #[arg(long, required = true)]
        stdio: bool,
        /// Send load instead of reading the host (plan key `generators`).
        #[arg(long)]
        load: bool,
    },
    /// Print a JSON Schema, for editors and validators.
    Schema {
        /// The document that the schema describes.
        #[arg(value_enum)]
        of: SchemaOf,
    },
    /// Print shell completions.
    Completions {
        /// Shell to complete for.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the man page, or write the man pages of all commands.
    Man {
        /// Write the man pages of all commands into DIR, one file per command.
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SchemaOf {
    /// The plan file.
    Plan,
    /// The JSON of a report.
    Report,
    /// The JSON that other commands print with `--json`: plan check, plan explain, list, rights, and errors.
    Outputs,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Plan file, or `-` for standard input [default: the quick start, PostgreSQL 17 against 18 on embedded servers].
    pub plan: Option<PathBuf>,
    /// Where the run goes and how it ends.
    #[command(flatten)]
    pub measuring: MeasuringArgs,
}

/// Options of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Plan file. Every round uses its workloads, clients, trials and blocks, and ends with a verdict or after
    /// `blocks: { at_most }`.
    pub plan: PathBuf,
    /// Target to tune; must be a `local` one [default: the baseline of the plan].
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Time limit for all rounds together, such as 90m.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_time)]
    pub time: Duration,
    /// Directory in which the run directories are created.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// First screen or whole report.
    #[command(flatten)]
    pub extent: ReportExtent,
}

fn parse_time(text: &str) -> Result<Duration, String> {
    plan::parse_duration(text).map_err(|error| error.to_string())
}

/// Options of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Run directory [default: the latest in `runs`].
    pub run: Option<PathBuf>,
    /// Show the run in the browser while it is measured; prints the address to open. With PORT, listen on that port
    /// [default: any free port].
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub serve: Option<u16>,
    /// Reports to write as files.
    #[command(flatten)]
    pub files: ReportFileArgs,
    /// First screen or whole report.
    #[command(flatten)]
    pub extent: ReportExtent,
}

/// Options of `mcp`.
#[derive(Debug, Args)]
pub struct McpArgs {
    /// Directory of the plans; a program can name no file outside of it.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub plans: PathBuf,
    /// Directory of the run directories.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
}

/// Options of `restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// Print what would be undone, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// Options of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Run directory; with CANDIDATE, the run of the baseline [default: the latest in `runs`].
    #[arg(value_name = "BASELINE")]
    pub baseline: Option<PathBuf>,
    /// Second run directory, whose baseline is compared with that of the first run. If the second run has a single
    /// target, and the first run has a target of that name, these two are compared.
    #[arg(value_name = "CANDIDATE")]
    pub candidate: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = ReportFormat::Terminal)]
    pub format: ReportFormat,
    /// Practical threshold in percent, instead of the plan's, for the verdicts and the exit status.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub threshold: Option<f64>,
    /// Target that the others are compared with, within one run [default: the baseline of the plan].
    #[arg(long = "baseline", value_name = "TARGET", conflicts_with = "candidate")]
    pub baseline_target: Option<String>,
    /// Do not print issues with this code (`pgdyno rule` lists them); verdicts and exit status remain. Repeatable.
    #[arg(long, value_name = "CODE")]
    pub ignore: Vec<String>,
    /// First screen or whole report.
    #[command(flatten)]
    pub extent: ReportExtent,
}

/// Options of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Outputs of pgbench, sysbench, fio or kbench, logs of PostgreSQL, CSV or Markdown tables, or a study.yaml that
    /// describes the conditions of other files (docs/import.md); also compressed with gzip. `TARGET=FILE` names the
    /// target of a file.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Name of the run [default: the name of the study, else of the first file].
    #[arg(long)]
    pub name: Option<String>,
    /// Target of files that do not name one.
    #[arg(long)]
    pub target: Option<String>,
    /// Name of the workload, in place of the one in the files.
    #[arg(long)]
    pub workload: Option<String>,
    /// Number of clients of files that do not state it.
    #[arg(long)]
    pub clients: Option<u32>,
    /// Target that the others are compared with [default: the baseline of the study, else the first target].
    #[arg(long, value_name = "TARGET")]
    pub baseline: Option<String>,
    /// Directory in which the run directory is created.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// Create no run. Print a study.yaml for the tables of the files instead: what their columns mean as far as it is
    /// known, and questions about the rest. With the answers, the study is imported like any other.
    #[arg(long)]
    pub propose: bool,
    /// With `--propose`, write the study into this new file.
    #[arg(long, value_name = "FILE", requires = "propose")]
    pub out: Option<PathBuf>,
}

/// Options of `audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Run directories, each audited separately; or files as `import` reads them, audited as one study.
    #[arg(value_name = "RUN|FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = ReportFormatChoice::Terminal)]
    pub format: ReportFormatChoice,
    /// Do not print issues with this code (`pgdyno rule` lists them); verdicts and exit status remain. Repeatable.
    #[arg(long, value_name = "CODE")]
    pub ignore: Vec<String>,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Run directory [default: the latest in `runs`].
    pub run: Option<PathBuf>,
    /// Output format; `html` writes a file, the other formats print to standard output [default: the file and the first
    /// screen].
    #[arg(long, value_enum)]
    pub format: Option<ReportFormat>,
    /// Table for `--format csv` [default: comparisons].
    #[arg(long, value_parser = TableChoice::table_name_parser())]
    pub table: Option<TableChoice>,
    /// Write to FILE instead of `<RUN>/report.html` or standard output; `-` is standard output. With `--table all`,
    /// FILE is a directory.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Target that the others are compared with [default: the baseline of the plan].
    #[arg(long, value_name = "TARGET")]
    pub baseline: Option<String>,
    /// Do not print issues with this code (`pgdyno rule` lists them); verdicts and exit status remain. Repeatable.
    #[arg(long, value_name = "CODE")]
    pub ignore: Vec<String>,
    /// Replace hosts, addresses, names of databases and roles, and constants of SQL by other words, the same everywhere
    /// [file: `<RUN>/report-redacted.html`].
    #[arg(long)]
    pub redact: bool,
    /// First screen or whole report.
    #[command(flatten)]
    pub extent: ReportExtent,
}

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Run directory, or a directory of run directories.
    #[arg(value_name = "RUN|DIR", default_value = "runs")]
    pub path: PathBuf,
    /// Address to listen on; the connection is not encrypted.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: IpAddr,
    /// Port to listen on; 0 means any free port.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Exit after this time without a request and without a run in progress, such as 1h [default: never].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub linger: Option<Duration>,
    /// Listen on the socket that is standard input: a run that starts this has taken the port.
    #[arg(long, hide = true, conflicts_with_all = ["listen", "port"])]
    pub on_standard_input: bool,
}

/// Options of `diagnose`.
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// Run directory [default: the latest in `runs`].
    pub run: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = FindingsFormat::Terminal)]
    pub format: FindingsFormat,
    /// Print only the plan that would confirm a finding, which is given by its code or its number.
    #[arg(long, value_name = "FINDING", conflicts_with = "format")]
    pub fragment: Option<String>,
    /// Target that the others are compared with [default: the baseline of the plan].
    #[arg(long, value_name = "TARGET")]
    pub baseline: Option<String>,
    /// Do not print issues with this code (`pgdyno rule` lists them); verdicts and exit status remain. Repeatable.
    #[arg(long, value_name = "CODE")]
    pub ignore: Vec<String>,
    /// First screen or all findings.
    #[command(flatten)]
    pub extent: ReportExtent,
}

/// The forms of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindingsFormat {
    /// Plain text.
    Terminal,
    /// Markdown, for a pull request.
    Markdown,
    /// The findings and their time series as JSON.
    Json,
}

/// The forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormatChoice {
    /// Plain text with tables.
    Terminal,
    /// Markdown, for a pull request.
    Markdown,
    /// The whole report as JSON.
    Json,
    /// One self-contained HTML file.
    Html,
}

/// The forms of the report of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Plain text with tables.
    Terminal,
    /// The whole report as Markdown.
    Markdown,
    /// Markdown of less than 60 lines, for a comment on a pull request.
    Summary,
    /// The whole report as JSON.
    Json,
    /// One self-contained HTML file.
    Html,
    /// One table as CSV (RFC 4180), with units in the column names.
    Csv,
    /// JUnit XML: each comparison is a test; a regression fails it, and too little data skips it.
    Junit,
    /// Bencher Metric Format.
    Bencher,
    /// github-action-benchmark, `customBiggerIsBetter`: throughput and capacity.
    BenchmarkActionBigger,
    /// github-action-benchmark, `customSmallerIsBetter`: latency.
    BenchmarkActionSmaller,
    /// OpenMetrics text with timestamps, for Prometheus.
    Openmetrics,
}

/// Which tables of a report.
#[derive(Debug, Clone, Copy)]
pub enum TableChoice {
    /// Every table, each in a file of the directory that `--output` names.
    All,
    /// The one of this name.
    One(&'static CsvTable),
}

impl TableChoice {
    /// The tables' names with what they hold, as the report declares them.
    fn table_name_parser() -> impl TypedValueParser<Value = Self> {
        let all = PossibleValue::new("all").help("Every table, one file each in the directory given by `--output`");
        let one = TABLES.iter().map(|table| PossibleValue::new(table.name).help(table.about));
        let parser = PossibleValuesParser::new(std::iter::once(all).chain(one));
        parser.map(|name| CsvTable::table_by_name(&name).map_or(Self::All, Self::One))
    }
}

/// What to do with a plan.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Check a plan; prints every error with its line and column; with --json as an object.
    Check {
        /// Plan file, or `-` for standard input.
        plan: PathBuf,
        /// Also connect to every existing server: check settings, privileges and free connections, and prepare every
        /// statement of your scripts. Nothing is executed or changed. Servers that the plan creates are not checked.
        #[arg(long)]
        connect: bool,
    },
    /// Print a plan to start from: with `--for` one of a few minutes for a question, else a commented example.
    New(NewPlanArgs),
    /// Print the schedule, the estimated duration, everything that the plan touches, and (with --pilot) the expected
    /// precision.
    Explain {
        /// Plan file, or `-` for standard input [default: the quick start].
        plan: Option<PathBuf>,
        /// Measure each target for a few seconds and estimate the precision from that.
        #[arg(long)]
        pilot: bool,
        /// Print instead the manifests of all objects that the plan creates in Kubernetes. Generated values (passwords,
        /// keys) are printed as `<…>`.
        #[arg(long, conflicts_with = "pilot")]
        manifests: bool,
    },
}

/// Options of `plan new`.
#[derive(Debug, Args)]
pub struct NewPlanArgs {
    /// Question that the plan answers; `plan explain` prints how long it takes.
    #[arg(long = "for", value_enum, value_name = "QUESTION")]
    pub shape: Option<PlanShape>,
    /// Connection string of an existing server to measure, instead of an example or of a server that the run creates. A
    /// password in it is not written.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Write the plan into this new file, and an example of the script that it names beside it, instead of standard
    /// output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The questions that `plan new` has a plan for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanShape {
    /// Two major versions, on servers that the run creates.
    Versions,
    /// Two values of a setting.
    Setting,
    /// A script of your own, with two values of a setting.
    OwnSql,
    /// A server before an upgrade and a copy of it after the upgrade.
    Upgrade,
    /// A base and a branch, in a CI job.
    Ci,
    /// A server outside Kubernetes and a cluster of CloudNativePG.
    Kubernetes,
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    match number.parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent < 100.0 => Ok(percent / 100.0),
        _ => Err(format!("{text:?} is not a percentage between 0 and 100")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_threshold_is_a_percentage_with_or_without_its_sign() {
        assert_eq!(parse_percent("3%"), Ok(0.03));
        assert_eq!(parse_percent("3"), Ok(0.03));
        assert!(parse_percent("0").is_err());
        assert!(parse_percent("three").is_err());
    }
}
