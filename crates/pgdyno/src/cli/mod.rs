//! The command line, declared once: help, completions and the man page come from here.

mod bench;
mod disk;
mod history;
mod kubernetes;

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use report::formats::{CsvTable, TABLES};

pub use bench::{Backend, BenchArgs, GeneratorName, ScriptChoice};
pub use disk::DiskArgs;
pub use history::{AcceptArgs, GuardArgs, HistoryCommand, HistoryFormat, PinArgs, ShowArgs};
pub use kubernetes::{InsideArgs, KubernetesCommand, NamedArgs, PlaceArgs};

/// Number, commit and day of this build (`build.rs`).
const VERSION: &str = env!("PGDYNO_VERSION");

/// A dynamometer for PostgreSQL: what a candidate gains or loses against a baseline, with an interval, from
/// interleaved blocks of trials.
///
/// Exit status: 0 done and no regression beyond the practical threshold, 1 regression or broken requirement, 2 usage or
/// plan error, 3 could not measure, 4 not enough data.
#[derive(Debug, Parser)]
#[command(name = "pgdyno", version = VERSION, propagate_version = true, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print JSON where a person would otherwise read a table.
    #[arg(long, global = true)]
    pub json: bool,
    /// Print no progress.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print the whole report in place of its first screen: findings with their figures, times, statements, caveats.
    #[arg(long, global = true)]
    pub details: bool,
}

/// How whoever reads our words calls this program: kubectl finds plugins by such a name.
pub fn called_as() -> &'static str {
    let called = std::env::args_os().next().map(PathBuf::from);
    let is_plugin = called.is_some_and(|path| path.file_name().is_some_and(|name| name == "kubectl-pgdyno"));
    if is_plugin { "kubectl pgdyno" } else { "pgdyno" }
}

/// The command line of this process; ends it where that is wrong, or asks for help.
pub fn parse() -> Cli {
    let matches = Cli::command().bin_name(called_as()).get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Execute a plan: measure all cells in interleaved blocks, then judge and report.
    Run(RunArgs),
    /// Go on with a run that was interrupted or killed; finished trials are kept.
    Resume(ResumeArgs),
    /// Judge one run, or a baseline run against a candidate run made separately.
    Compare(CompareArgs),
    /// Make a run directory of what other tools measured: pgbench, sysbench, fio, tables of published figures.
    Import(ImportArgs),
    /// Check what must hold, or a comparison is not one; for any benchmark, whoever made it.
    Audit(AuditArgs),
    /// Make the report of a run again.
    Report(ReportArgs),
    /// Show a run in the browser, while it is measured and afterwards; prints the address to open.
    Serve(ServeArgs),
    /// Say why: what takes time or throughput in a run, with the evidence and the experiment that would confirm it.
    Diagnose(DiagnoseArgs),
    /// Keep what runs measure over months, and tell where it changed.
    #[command(subcommand)]
    History(HistoryCommand),
    /// Check, start or explain a plan.
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Mend a server of a plan round by round: try what would mend its first finding, keep what is an improvement.
    Tune(TuneArgs),
    /// One ad-hoc workload on one server, with pgbench's options; prints what pgbench prints, plus percentiles.
    Bench(Box<BenchArgs>),
    /// Undo what runs that were killed have left changed on this machine: kernel values, mounts, images.
    Restore(RestoreArgs),
    /// What a plan takes of a Kubernetes cluster, and runs inside one.
    #[command(subcommand)]
    Kubernetes(KubernetesCommand),
    /// Measure disks with fio: what they can do, and whether they are capped, bursting or cached.
    Disk(Box<DiskArgs>),
    /// Read this host, or send load from it, for a pgdyno elsewhere, which starts this by itself; see the plan's keys
    /// `agent` and `generators`.
    Agent {
        /// Take orders on standard input and answer on standard output.
        #[arg(long, required = true)]
        stdio: bool,
        /// Send load, in place of reading the host; see the plan's key `generators`.
        #[arg(long)]
        load: bool,
    },
    /// Print a JSON Schema, for editors and validators.
    Schema {
        /// Of what.
        #[arg(value_enum)]
        of: SchemaOf,
    },
    /// Print shell completions.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the man page (roff), or write those of all commands into a directory.
    Man {
        /// Where to write them, one file a command, as packages install them.
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
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The plan; without one, the quick start: PostgreSQL 17 against 18 on embedded servers.
    pub plan: Option<PathBuf>,
    /// Directory under which the run directory is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// Seed of the order and of the workloads' random numbers [default: the plan's, else from the system].
    #[arg(long)]
    pub seed: Option<u64>,
    /// Serve the page of the run beside it, by a process of its own; prints the address to open. A port only that one
    /// [default: any that is free].
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub serve: Option<u16>,
}

/// Options of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// The plan. Its workloads, clients, trials and blocks are those of every round, each of which ends with a verdict
    /// or after `blocks: { at_most }`.
    pub plan: PathBuf,
    /// The target that is tuned, a `local` one [default: the plan's baseline].
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// How long it may take in all, such as 90m.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = time)]
    pub time: Duration,
    /// Directory under which the run directories are made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
}

fn time(text: &str) -> Result<Duration, String> {
    plan::parse_duration(text).map_err(|error| error.to_string())
}

/// Options of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run directory.
    pub run: PathBuf,
    /// Serve the page of the run beside it, by a process of its own; prints the address to open. A port only that one
    /// [default: any that is free].
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub serve: Option<u16>,
}

/// Options of `restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// Only say what would be undone.
    #[arg(long)]
    pub dry_run: bool,
}

/// Options of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A run directory; with CANDIDATE, the one that holds the baseline.
    #[arg(value_name = "BASELINE")]
    pub baseline: PathBuf,
    /// A second run directory whose baseline target is the candidate.
    #[arg(value_name = "CANDIDATE")]
    pub candidate: Option<PathBuf>,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = ReportFormat::Terminal)]
    pub format: ReportFormat,
    /// Exit with status 1 on a regression beyond this change, in percent, instead of the plan's practical threshold.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub threshold: Option<f64>,
    /// Of one run: the target that the others are compared with, in place of the plan's baseline.
    #[arg(long = "baseline", value_name = "TARGET", conflicts_with = "candidate")]
    pub baseline_target: Option<String>,
}

/// Options of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Outputs, logs, tables, a study.yaml, packed with gzip or not; `TARGET=FILE` names the target of one file.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Name of the run [default: the study's, else the first file's].
    #[arg(long)]
    pub name: Option<String>,
    /// Target of files that name none.
    #[arg(long)]
    pub target: Option<String>,
    /// Workload of files, whatever they call it.
    #[arg(long)]
    pub workload: Option<String>,
    /// Clients of files that do not tell them.
    #[arg(long)]
    pub clients: Option<u32>,
    /// The target that the others are compared with [default: the study's, else the first].
    #[arg(long, value_name = "TARGET")]
    pub baseline: Option<String>,
    /// Directory under which the run directory is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub out: PathBuf,
}

/// Options of `audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Run directories, each audited by itself; or files as `import` reads them, audited as one study.
    #[arg(value_name = "RUN|FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    pub format: Format,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The run directory.
    pub run: PathBuf,
    /// Form of the output; `html` writes a file, the others print [default: html, or terminal with --details].
    #[arg(long, value_enum)]
    pub format: Option<ReportFormat>,
    /// The table that `--format csv` prints [default: comparisons].
    #[arg(long, value_parser = Tables::parser())]
    pub table: Option<Tables>,
    /// File to write instead of `<RUN>/report.html` or standard output; `-` is standard output. Of all tables as CSV
    /// the directory.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The target that the others are compared with, in place of the plan's baseline.
    #[arg(long, value_name = "TARGET")]
    pub baseline: Option<String>,
}

/// Options of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// A run directory, or the directory of several runs.
    #[arg(value_name = "RUN|DIR", default_value = "runs")]
    pub path: PathBuf,
    /// Address of this machine to listen on; what is sent is not encrypted.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: IpAddr,
    /// Port to listen on; 0 is any that is free.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// End once nobody has looked for so long and no run is being measured, such as 1h [default: stay until stopped].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub linger: Option<Duration>,
    /// Listen on the socket that is standard input: a run that starts this has taken the port.
    #[arg(long, hide = true, conflicts_with_all = ["listen", "port"])]
    pub on_standard_input: bool,
}

/// Options of `diagnose`.
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// The run directory.
    pub run: PathBuf,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = FindingsFormat::Terminal)]
    pub format: FindingsFormat,
    /// Print only the plan that would confirm this finding, by its number.
    #[arg(long, value_name = "N", conflicts_with = "format")]
    pub fragment: Option<usize>,
    /// The target that the others are compared with, in place of the plan's baseline.
    #[arg(long, value_name = "TARGET")]
    pub baseline: Option<String>,
}

/// The forms of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindingsFormat {
    /// Text for people.
    Terminal,
    /// Markdown, for a pull request.
    Markdown,
    /// Findings with their series, as JSON.
    Json,
}

/// The forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people.
    Terminal,
    /// Markdown, for a pull request.
    Markdown,
    /// The whole judgement as JSON.
    Json,
    /// One self-contained HTML file.
    Html,
}

/// The forms of the report of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A table for people.
    Terminal,
    /// Markdown, the whole report.
    Markdown,
    /// Markdown for the comment on a pull request, less than 60 lines.
    Summary,
    /// The whole judgement as JSON.
    Json,
    /// One self-contained HTML file.
    Html,
    /// A table as CSV (RFC 4180), units in the names of its columns.
    Csv,
    /// JUnit XML: each comparison is a test, which a regression fails and lacking data skip.
    Junit,
    /// Bencher Metric Format.
    Bencher,
    /// github-action-benchmark, `customBiggerIsBetter`: throughput and capacity.
    BenchmarkActionBigger,
    /// github-action-benchmark, `customSmallerIsBetter`: latency.
    BenchmarkActionSmaller,
    /// OpenMetrics text with the times of measurement, for Prometheus.
    Openmetrics,
}

/// Which tables of a report.
#[derive(Debug, Clone, Copy)]
pub enum Tables {
    /// Every table, each in a file of the directory that `--output` names.
    All,
    /// The one of this name.
    One(&'static CsvTable),
}

impl Tables {
    /// The tables' names with what they hold, as the report declares them.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let all = PossibleValue::new("all").help("Every table, each in a file of the directory that `--output` names");
        let one = TABLES.iter().map(|table| PossibleValue::new(table.name).help(table.about));
        let parser = PossibleValuesParser::new(std::iter::once(all).chain(one));
        parser.map(|name| CsvTable::named(&name).map_or(Self::All, Self::One))
    }
}

/// What to do with a plan.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Check a plan without touching anything; prints every error with its line and column.
    Check {
        /// The plan.
        plan: PathBuf,
        /// Connect to every server that is there: check its settings, rights and room, and prepare every statement of
        /// own scripts. Nothing is executed or changed. Servers that the plan makes need `run`.
        #[arg(long)]
        connect: bool,
    },
    /// Print a commented plan to start from.
    New,
    /// Print the schedule, the estimated duration, what will be touched, and (with --pilot) the precision it will buy.
    Explain {
        /// The plan; without one, the quick start.
        plan: Option<PathBuf>,
        /// Measure a few seconds on each target first and estimate the precision from them.
        #[arg(long)]
        pilot: bool,
        /// Print instead every object that would be made in Kubernetes, as `kubectl apply --dry-run=server -f -` takes
        /// them. What is drawn when they are made (passwords, keys) stands as `<…>`.
        #[arg(long, conflicts_with = "pilot")]
        manifests: bool,
    },
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
