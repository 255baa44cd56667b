//! The options of `bench`: pgbench's, as version 18 spells and reads them, and a few of our own.
//!
//! Only their form is checked here; what they mean together is checked in `command/bench/request.rs`.

use std::num::NonZeroU32;

use clap::builder::ValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

/// How the engine talks to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IoBackendArg {
    /// io_uring from 8 clients per thread on, if the kernel supports it; otherwise epoll.
    Auto,
    /// One system call per transfer.
    Epoll,
    /// One system call per iteration of the event loop.
    #[value(name = "io_uring")]
    IoUring,
}

/// What runs the workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GeneratorName {
    /// The load engine of pgdyno.
    Pgdyno,
    /// pgbench, as found on PATH.
    Pgbench,
}

/// Options of `bench`, spelled as pgbench spells them.
#[derive(Debug, Args)]
#[command(disable_help_flag = true, infer_long_args = true, args_override_self = true)]
pub struct BenchArgs {
    /// Print help.
    #[arg(short = '?', long, action = ArgAction::HelpLong)]
    pub help: Option<bool>,

    /// Create the data as `pgbench -i` does, then exit.
    #[arg(short = 'i', long, help_heading = "Initialization")]
    pub initialize: bool,
    /// Initialization steps; only dtgvp (the default of pgbench) and dtGvp are supported.
    #[arg(short = 'I', long, value_name = "STEPS", help_heading = "Initialization")]
    pub init_steps: Option<String>,
    /// Fill factor of the tables in percent.
    #[arg(short = 'F', long, value_name = "NUM", help_heading = "Initialization")]
    pub fillfactor: Option<u8>,
    /// Not supported; the error message names the alternative.
    #[arg(long, hide = true)]
    pub foreign_keys: bool,
    /// Not supported; the error message names the alternative.
    #[arg(long, value_name = "TABLESPACE", hide = true)]
    pub index_tablespace: Option<String>,
    /// Not supported; the error message names the alternative.
    #[arg(long, value_name = "METHOD", hide = true)]
    pub partition_method: Option<String>,
    /// Not supported; the error message names the alternative.
    #[arg(long, value_name = "NUM", hide = true)]
    pub partitions: Option<u32>,
    /// Not supported; the error message names the alternative.
    #[arg(long, value_name = "TABLESPACE", hide = true)]
    pub tablespace: Option<String>,
    /// Not supported; the error message names the alternative.
    #[arg(long, hide = true)]
    pub unlogged_tables: bool,
    /// Scale factor of the data; without --initialize, the value of :scale for scripts from files [default: 1].
    #[arg(short = 's', long, value_name = "NUM")]
    pub scale: Option<NonZeroU32>,

    /// What is run.
    #[command(flatten)]
    pub scripts: ScriptChoices,

    /// Number of clients.
    #[arg(short = 'c', long, value_name = "NUM", default_value_t = NonZeroU32::MIN)]
    pub client: NonZeroU32,
    /// Establish a new connection for each transaction.
    #[arg(short = 'C', long)]
    pub connect: bool,
    /// Define a variable for use by scripts.
    #[arg(short = 'D', long, value_name = "VARNAME=VALUE")]
    pub define: Vec<String>,
    /// Number of threads.
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = NonZeroU32::MIN)]
    pub jobs: NonZeroU32,
    /// Write a log with one line per transaction; see also --sampling-rate and --aggregate-interval.
    #[arg(short = 'l', long)]
    pub log: bool,
    /// Count transactions that last more than MS milliseconds as late; with --rate, skip transactions that are already
    /// late.
    #[arg(short = 'L', long, value_name = "MS", value_parser = positive_number(), allow_negative_numbers = true)]
    pub latency_limit: Option<f64>,
    /// Query mode: simple, extended or prepared.
    #[arg(short = 'M', long, value_name = "MODE", default_value = "simple")]
    pub protocol: String,
    /// Do not run VACUUM and TRUNCATE before the measurement.
    #[arg(short = 'n', long)]
    pub no_vacuum: bool,
    /// Print progress every SECONDS seconds.
    #[arg(short = 'P', long, value_name = "SECONDS")]
    pub progress: Option<NonZeroU32>,
    /// Report mean latency, failures and retries of each command.
    #[arg(short = 'r', long)]
    pub report_per_command: bool,
    /// Start NUM transactions per second at random times (open loop), instead of as fast as possible.
    #[arg(short = 'R', long, value_name = "NUM", value_parser = offered_rate(), allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Number of transactions per client [default: 10, without --time].
    #[arg(short = 't', long, value_name = "NUM")]
    pub transactions: Option<NonZeroU32>,
    /// Duration of the measurement in seconds.
    #[arg(short = 'T', long, value_name = "SECONDS")]
    pub time: Option<NonZeroU32>,
    /// Vacuum all four tables before the measurement.
    #[arg(short = 'v', long)]
    pub vacuum_all: bool,
    /// With --log: write one line per SECONDS seconds instead of one per transaction.
    #[arg(long, value_name = "SECONDS")]
    pub aggregate_interval: Option<NonZeroU32>,
    /// Exit at the first lost connection, instead of reconnecting and reporting the outage.
    #[arg(long)]
    pub exit_on_abort: bool,
    /// Report failures by type.
    #[arg(long)]
    pub failures_detailed: bool,
    /// Prefix of log file names [default: pgbench_log].
    #[arg(long, value_name = "PREFIX")]
    pub log_prefix: Option<String>,
    /// Maximum number of tries of a transaction that fails with a serialization failure or deadlock; 0 means no limit.
    #[arg(long, value_name = "NUM", default_value_t = 1)]
    pub max_tries: u32,
    /// Print progress with Unix timestamps.
    #[arg(long)]
    pub progress_timestamp: bool,
    /// Random seed: an unsigned integer, "time" or "rand" [default: PGBENCH_RANDOM_SEED, else rand].
    #[arg(long, value_name = "SEED")]
    pub random_seed: Option<String>,
    /// With --log: the fraction of transactions to log, above 0 and at most 1.
    #[arg(long, value_name = "NUM", value_parser = sampling_rate(), allow_negative_numbers = true)]
    pub sampling_rate: Option<f64>,
    /// Print the built-in script NAME, then exit.
    #[arg(long, value_name = "NAME")]
    pub show_script: Option<String>,
    /// Accepted for compatibility; errors are always reported by SQLSTATE, with an example.
    #[arg(long)]
    pub verbose_errors: bool,
    /// Not supported; the error message names the alternative.
    #[arg(long, hide = true)]
    pub debug: bool,

    /// Send load for SECONDS seconds before the measurement.
    #[arg(long, value_name = "SECONDS", default_value_t = 0, help_heading = "Not in pgbench")]
    pub warm_up: u32,
    /// Kernel interface of the load engine.
    #[arg(long, value_name = "HOW", default_value = "auto", help_heading = "Not in pgbench")]
    pub backend: IoBackendArg,
    /// Allow scripts to run commands on this machine (`\shell`, `\setshell`).
    #[arg(long, help_heading = "Not in pgbench")]
    pub allow_shell: bool,
    /// Program that sends the load.
    #[arg(long, value_enum, default_value_t = GeneratorName::Pgdyno, help_heading = "Not in pgbench")]
    pub generator: GeneratorName,

    /// Database name or connection string.
    #[arg(short = 'd', long = "dbname", value_name = "DBNAME", help_heading = "Connection")]
    pub dbname: Option<String>,
    /// Database server host or socket directory.
    #[arg(short = 'h', long, value_name = "HOST", help_heading = "Connection")]
    pub host: Option<String>,
    /// Database server port.
    #[arg(short = 'p', long, help_heading = "Connection")]
    pub port: Option<u16>,
    /// Database user name.
    #[arg(short = 'U', long, value_name = "NAME", help_heading = "Connection")]
    pub username: Option<String>,
    /// Same as --dbname.
    #[arg(value_name = "DATABASE")]
    pub database: Option<String>,
}

/// A script that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptChoice {
    /// A built-in one by a beginning of its name, maybe with `@` and a weight.
    Builtin(String),
    /// A file, maybe with `@` and a weight.
    File(String),
}

/// The scripts in the order in which they were asked for, which is that of the report; several options name them.
#[derive(Debug, Clone, Default)]
pub struct ScriptChoices(pub Vec<ScriptChoice>);

const BUILTIN: &str = "builtin";
const FILE: &str = "file";
const SELECT_ONLY: &str = "select_only";
const SIMPLE_UPDATE: &str = "skip_some_updates";

/// An option that names a built-in script by itself.
fn script_flag(id: &'static str, short: char, long: &'static str, help: &'static str) -> Arg {
    Arg::new(id).short(short).long(long).action(ArgAction::SetTrue).help(help)
}

impl Args for ScriptChoices {
    fn augment_args(command: Command) -> Command {
        let named = |id: &'static str, short, name, help| {
            Arg::new(id).short(short).long(id).value_name(name).action(ArgAction::Append).help(help)
        };
        command
            .arg(named(
                BUILTIN,
                'b',
                "NAME[@W]",
                "Add built-in script NAME with weight W; \"list\" prints all names [default: tpcb-like]",
            ))
            .arg(named(FILE, 'f', "FILENAME[@W]", "Add script FILENAME with weight W"))
            .arg(script_flag(SELECT_ONLY, 'S', "select-only", "Same as -b select-only"))
            .arg(script_flag(SIMPLE_UPDATE, 'N', "skip-some-updates", "Same as -b simple-update"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ScriptChoices {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, ScriptChoice)> = Vec::new();
        let values = |id: &str| {
            let texts = matches.get_many::<String>(id).unwrap_or_default().cloned();
            matches.indices_of(id).unwrap_or_default().zip(texts).collect::<Vec<_>>()
        };
        found.extend(values(BUILTIN).into_iter().map(|(index, text)| (index, ScriptChoice::Builtin(text))));
        found.extend(values(FILE).into_iter().map(|(index, text)| (index, ScriptChoice::File(text))));
        for (id, name) in [(SELECT_ONLY, "select-only"), (SIMPLE_UPDATE, "simple-update")] {
            if matches.value_source(id) == Some(ValueSource::CommandLine)
                && let Some(index) = matches.index_of(id)
            {
                found.push((index, ScriptChoice::Builtin(name.to_owned())));
            }
        }
        found.sort_by_key(|(index, _)| *index);
        Ok(Self(found.into_iter().map(|(_, choice)| choice).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn positive_number() -> ValueParser {
    ValueParser::new(read_positive)
}

fn offered_rate() -> ValueParser {
    ValueParser::new(|text: &str| match read_positive(text)? {
        rate if rate > load::HIGHEST_RATE_PER_S => {
            Err(format!("the rate must be at most {} per second", load::HIGHEST_RATE_PER_S))
        }
        rate => Ok(rate),
    })
}

fn sampling_rate() -> ValueParser {
    ValueParser::new(|text: &str| match read_positive(text)? {
        share if share > 1.0 => Err("the fraction must be at most 1, which logs every transaction".to_owned()),
        share => Ok(share),
    })
}

fn read_positive(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("the number must be greater than 0".to_owned()),
    }
}
