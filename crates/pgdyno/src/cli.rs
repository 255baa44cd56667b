//! The command line, declared once: help, completions and the man page come from here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A dynamometer for PostgreSQL: what a candidate gains or loses against a baseline, with an interval, from
/// interleaved blocks of trials.
///
/// Exit status: 0 done and no regression beyond the practical threshold, 1 regression, 2 usage or plan error, 3 could
/// not measure, 4 not enough data.
#[derive(Debug, Parser)]
#[command(name = "pgdyno", version, propagate_version = true, disable_help_subcommand = true)]
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
    /// Make the report of a run again.
    Report(ReportArgs),
    /// Check, start or explain a plan.
    #[command(subcommand)]
    Plan(PlanCommand),
    /// One ad-hoc workload on one server, with pgbench's options; prints what pgbench prints, plus percentiles.
    Bench(BenchArgs),
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
    /// Print the man page (roff).
    Man,
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SchemaOf {
    /// The plan file.
    Plan,
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
}

/// Options of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run directory.
    pub run: PathBuf,
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
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    pub format: Format,
    /// Exit with status 1 on a regression beyond this change, in percent, instead of the plan's practical threshold.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub threshold: Option<f64>,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The run directory.
    pub run: PathBuf,
    /// Form of the output; `html` writes a file, the others print.
    #[arg(long, value_enum, default_value_t = Format::Html)]
    pub format: Format,
    /// File to write instead of `<RUN>/report.html` or standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
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

/// What to do with a plan.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Check a plan without touching anything; prints every error with its line and column.
    Check {
        /// The plan.
        plan: PathBuf,
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
    },
}

/// Options of `bench`, spelled as pgbench spells them.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct BenchArgs {
    /// Print help.
    #[arg(long, action = clap::ArgAction::HelpLong)]
    pub help: Option<bool>,
    /// Create the data first (as `pgbench -i` does), then stop.
    #[arg(short = 'i', long)]
    pub initialize: bool,
    /// Scale factor of the data to create.
    #[arg(short = 's', long, value_name = "NUM", default_value_t = std::num::NonZeroU32::MIN)]
    pub scale: std::num::NonZeroU32,
    /// Number of clients.
    #[arg(short = 'c', long = "client", value_name = "NUM", default_value_t = std::num::NonZeroU32::MIN)]
    pub clients: std::num::NonZeroU32,
    /// Number of load threads.
    #[arg(short = 'j', long = "jobs", value_name = "NUM", default_value_t = std::num::NonZeroU32::MIN)]
    pub threads: std::num::NonZeroU32,
    /// Duration of the measurement in seconds.
    #[arg(short = 'T', long = "time", value_name = "SECONDS", default_value_t = std::num::NonZeroU32::new(10).expect("ten"))]
    pub seconds: std::num::NonZeroU32,
    /// Seconds of load before the measurement; pgbench has none.
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub warm_up: u32,
    /// Built-in script.
    #[arg(short = 'b', long = "builtin", value_name = "NAME", default_value = "tpcb-like")]
    pub builtin: String,
    /// The same as `-b select-only`.
    #[arg(short = 'S', long, conflicts_with = "skip_some_updates")]
    pub select_only: bool,
    /// The same as `-b simple-update`.
    #[arg(short = 'N', long)]
    pub skip_some_updates: bool,
    /// Query mode: simple, extended or prepared.
    #[arg(short = 'M', long = "protocol", value_name = "MODE", default_value = "simple")]
    pub mode: String,
    /// Do not vacuum and truncate before the measurement.
    #[arg(short = 'n', long)]
    pub no_vacuum: bool,
    /// Print progress every so many seconds.
    #[arg(short = 'P', long, value_name = "SECONDS")]
    pub progress: Option<std::num::NonZeroU32>,
    /// Server host or socket directory.
    #[arg(short = 'h', long, value_name = "HOST")]
    pub host: Option<String>,
    /// Server port.
    #[arg(short = 'p', long)]
    pub port: Option<u16>,
    /// User name.
    #[arg(short = 'U', long = "username", value_name = "NAME")]
    pub user: Option<String>,
    /// Seed of the workload's random numbers.
    #[arg(long, value_name = "NUM")]
    pub random_seed: Option<u64>,
    /// Database name or connection string.
    pub database: Option<String>,
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
    use clap::CommandFactory;

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
