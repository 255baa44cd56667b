//! What a command line of `bench` asks for: the options together, checked as pgbench checks them, before a server is
//! asked anything. Reads script files, and nothing else.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::time::Duration;

use load::{
    Arrivals, Connections, JobExtent, OfferedRate, ParsedScript, QueryMode, ShellCommands, StatementTimes,
    TransactionPace, Tries, Weighted,
};
use work::WordChoice as _;

use crate::cli::{BenchArgs, GeneratorName, IoBackendArg, ScriptChoice};
use problem::Problem;

use super::refusals;

/// What is to be done.
#[derive(Debug)]
pub(super) enum BenchRequest {
    /// Print a text: a built-in script, or their list.
    Show(String),
    /// Make the data.
    Initialize {
        /// How many units of it.
        scale: NonZeroU32,
        /// How full a page is made, in percent.
        fillfactor: Option<u8>,
    },
    Run(Box<Workload>),
}

/// A workload, as far as it is known without a server.
#[derive(Debug)]
pub(super) struct Workload {
    /// The scripts in the order in which they were asked for, those with weight 0 left out.
    pub(super) scripts: Vec<Weighted>,
    /// At least one of them is built in, and so needs the tables of pgbench.
    pub(super) built_in: bool,
    /// How statements are sent.
    pub(super) mode: QueryMode,
    /// Connections.
    pub(super) clients: NonZeroU32,
    pub(super) threads: NonZeroU32,
    /// When transactions begin.
    pub(super) pace: TransactionPace,
    /// How long a transaction may take.
    pub(super) latency_limit: Option<Duration>,
    /// How often one is tried.
    pub(super) tries: Tries,
    /// How long a connection is kept.
    pub(super) connections: Connections,
    /// How long it runs before it is measured.
    pub(super) warm_up: Duration,
    /// How the engine talks to the kernel.
    pub(super) backend: load::IoBackend,
    /// How long it is measured.
    pub(super) measure: JobExtent,
    /// The seed; none means a random one.
    pub(super) seed: Option<u64>,
    /// The scale that was given.
    pub(super) scale: Option<NonZeroU32>,
    /// Variables.
    pub(super) definitions: Vec<(String, String)>,
    /// What is done to the tables before.
    pub(super) vacuum: PreRunVacuum,
    /// Progress every so many seconds, with Unix timestamps or without.
    pub(super) progress: Option<(NonZeroU32, ProgressClock)>,
    /// Failures by kind are reported.
    pub(super) failures_detailed: bool,
    /// Whether each command is reported.
    pub(super) statements: StatementTimes,
    /// A log, if one is kept.
    pub(super) log: Option<TransactionLogRequest>,
    /// The first lost connection ends the run.
    pub(super) exit_on_abort: bool,
    /// Whether scripts may run shell commands.
    pub(super) shell: ShellCommands,
    /// What runs it.
    pub(super) generator: GeneratorName,
}

/// What is done to pgbench's tables before a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PreRunVacuum {
    /// Nothing.
    No,
    /// Tellers and branches vacuumed, history emptied.
    Small,
    /// That, and accounts vacuumed and analyzed.
    All,
}

/// How the time of a progress line is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgressClock {
    /// From the begin of the run.
    Elapsed,
    /// From 1970 on.
    Unix,
}

/// A log.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TransactionLogRequest {
    /// The beginning of its name.
    pub(super) prefix: String,
    /// What has a line.
    pub(super) lines: LoggedLines,
}

/// What has a line in a log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LoggedLines {
    /// Every so many seconds.
    Interval(NonZeroU32),
    /// Each transaction, or this share of them.
    Transactions(f64),
}

/// Of each client, when nothing is said.
const TRANSACTIONS: NonZeroU64 = NonZeroU64::new(10).expect("ten");

/// As in pgbench.
const SCRIPTS_AT_MOST: usize = 128;

/// Understands a command line. `default_seed` is what the environment says.
pub(super) fn parse_bench_arguments(
    arguments: &BenchArgs,
    default_seed: Option<&str>,
) -> Result<BenchRequest, Problem> {
    if let Some(name) = &arguments.show_script {
        let script = find_builtin_script(name)?;
        return Ok(BenchRequest::Show(format!(
            "-- {}: {}\n{}\n",
            script.name(),
            script_description(&script),
            script.text()
        )));
    }
    if arguments.scripts.0.iter().any(|choice| *choice == ScriptChoice::Builtin("list".to_owned())) {
        return Ok(BenchRequest::Show(builtin_script_list()));
    }
    refusals::check_options(arguments)?;
    if arguments.initialize {
        let scale = arguments.scale.unwrap_or(NonZeroU32::MIN);
        return Ok(BenchRequest::Initialize { scale, fillfactor: arguments.fillfactor });
    }
    Ok(BenchRequest::Run(Box::new(parse_workload(arguments, default_seed)?)))
}

fn parse_workload(arguments: &BenchArgs, default_seed: Option<&str>) -> Result<Workload, Problem> {
    let scripts = load_weighted_scripts(&arguments.scripts.0)?;
    let built_in = scripts.iter().any(|weighted| is_built_in(&weighted.script));
    let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
    let clock = if arguments.progress_timestamp { ProgressClock::Unix } else { ProgressClock::Elapsed };
    let rate = |rate| TransactionPace::Open { arrivals: Arrivals::Poisson, rate: OfferedRate::Constant(rate) };
    Ok(Workload {
        scripts,
        built_in,
        mode: parse_query_mode(&arguments.protocol)?,
        clients: arguments.client,
        threads: arguments.jobs.min(arguments.client),
        pace: arguments.rate.map_or(TransactionPace::Closed { think: None }, rate),
        latency_limit: arguments.latency_limit.map(|ms| Duration::from_micros((ms * 1e3) as u64)),
        tries: NonZeroU32::new(arguments.max_tries).map_or(Tries::Unlimited, Tries::AtMost),
        connections: if arguments.connect { Connections::PerTransaction } else { Connections::Kept },
        warm_up: seconds(arguments.warm_up),
        backend: match arguments.backend {
            IoBackendArg::Auto => load::IoBackend::Auto,
            IoBackendArg::Epoll => load::IoBackend::Epoll,
            IoBackendArg::IoUring => load::IoBackend::IoUring,
        },
        measure: run_extent(arguments),
        seed: parse_random_seed(arguments.random_seed.as_deref().or(default_seed))?,
        scale: arguments.scale,
        definitions: arguments.define.iter().map(|text| parse_variable_definition(text)).collect::<Result<_, _>>()?,
        vacuum: match (arguments.no_vacuum, arguments.vacuum_all) {
            (true, _) => PreRunVacuum::No,
            (false, false) => PreRunVacuum::Small,
            (false, true) => PreRunVacuum::All,
        },
        progress: arguments.progress.map(|seconds| (seconds, clock)),
        failures_detailed: arguments.failures_detailed,
        // Without it as much is done for a transaction as pgbench does.
        statements: if arguments.report_per_command { StatementTimes::Taken } else { StatementTimes::NotTaken },
        log: transaction_log(arguments),
        exit_on_abort: arguments.exit_on_abort,
        shell: if arguments.allow_shell { ShellCommands::Permitted } else { ShellCommands::Refused },
        generator: arguments.generator,
    })
}

/// As pgbench: without a word about it, ten transactions of each client.
fn run_extent(arguments: &BenchArgs) -> JobExtent {
    match (arguments.time, arguments.transactions) {
        (Some(seconds), _) => JobExtent::Time(Duration::from_secs(u64::from(seconds.get()))),
        (None, Some(each)) => JobExtent::Transactions(each.into()),
        (None, None) => JobExtent::Transactions(TRANSACTIONS),
    }
}

fn transaction_log(arguments: &BenchArgs) -> Option<TransactionLogRequest> {
    let lines = match arguments.aggregate_interval {
        Some(interval_s) => LoggedLines::Interval(interval_s),
        None => LoggedLines::Transactions(arguments.sampling_rate.unwrap_or(1.0)),
    };
    let prefix = arguments.log_prefix.clone().unwrap_or_else(|| "pgbench_log".to_owned());
    arguments.log.then_some(TransactionLogRequest { prefix, lines })
}

fn parse_query_mode(name: &str) -> Result<QueryMode, Problem> {
    QueryMode::from_word(name).ok_or_else(|| {
        Problem::usage_error(format!("unknown query mode {name:?}"))
            .hint("query modes are simple, extended and prepared")
    })
}

fn parse_random_seed(text: Option<&str>) -> Result<Option<u64>, Problem> {
    match text {
        None | Some("time" | "rand") => Ok(None),
        Some(number) => number.parse().map(Some).map_err(|_| {
            Problem::usage_error(format!("{number:?} is not a random seed"))
                .hint("use an unsigned integer, \"time\" or \"rand\"")
        }),
    }
}

fn parse_variable_definition(text: &str) -> Result<(String, String), Problem> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Problem::usage_error(format!("{text:?} is not a definition of a variable"))
            .hint("write it as -D name=value")),
    }
}

fn load_weighted_scripts(choices: &[ScriptChoice]) -> Result<Vec<Weighted>, Problem> {
    let default = [ScriptChoice::Builtin("tpcb-like".to_owned())];
    let choices = if choices.is_empty() { &default[..] } else { choices };
    if choices.len() > SCRIPTS_AT_MOST {
        return Err(Problem::usage_error(format!("{} scripts are too many", choices.len()))
            .hint(format!("at most {SCRIPTS_AT_MOST} are allowed")));
    }
    let mut weighted = Vec::new();
    for choice in choices {
        let (ScriptChoice::Builtin(text) | ScriptChoice::File(text)) = choice;
        let (name, weight) = split_script_weight(text)?;
        let script = match choice {
            ScriptChoice::Builtin(_) => find_builtin_script(name)?,
            ScriptChoice::File(_) => read_script_file(name)?,
        };
        // A script with weight 0 is never run.
        weighted.extend(NonZeroU32::new(weight).map(|weight| Weighted { script, weight }));
    }
    if weighted.is_empty() {
        return Err(Problem::usage_error("no script would run: the weights add up to zero"));
    }
    Ok(weighted)
}

/// A name and its weight, which stands after the last `@`.
fn split_script_weight(text: &str) -> Result<(&str, u32), Problem> {
    let Some((name, weight)) = text.rsplit_once('@') else { return Ok((text, 1)) };
    match weight.parse::<u32>() {
        Ok(weight) if weight <= i32::MAX.unsigned_abs() => Ok((name, weight)),
        _ => Err(Problem::usage_error(format!("{weight:?} in {text:?} is not a weight"))
            .hint(format!("a weight is a whole number from 0 to {}", i32::MAX))),
    }
}

/// pgbench takes any unambiguous beginning of a name.
fn find_builtin_script(beginning: &str) -> Result<ParsedScript, Problem> {
    let names: Vec<&str> = ParsedScript::builtin_names().filter(|name| name.starts_with(beginning)).collect();
    match names.as_slice() {
        [name] => Ok(ParsedScript::builtin(name).expect("one of the built-in scripts")),
        [] => Err(Problem::usage_error(format!("unknown built-in script {beginning:?}"))
            .hint("built-in scripts are tpcb-like, simple-update and select-only")),
        several => {
            Err(Problem::usage_error(format!("{beginning:?} is ambiguous: it could be {}", several.join(" or "))))
        }
    }
}

fn read_script_file(path: &str) -> Result<ParsedScript, Problem> {
    let read =
        if path == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(Path::new(path)) };
    let text = read.map_err(|error| {
        Problem::usage_error(format!("could not read script file {path:?}")).detail(error.to_string())
    })?;
    ParsedScript::parse(path, &text).map_err(|error| {
        let hint = error.hint.clone().unwrap_or_default();
        Problem::usage_error(error.to_string()).detail(error.source_excerpt()).hint(hint)
    })
}

/// Whether it is one of pgbench's own scripts, which work on pgbench's tables.
pub(super) fn is_built_in(script: &ParsedScript) -> bool {
    ParsedScript::builtin(script.name()).is_some_and(|builtin| builtin.text() == script.text())
}

/// What pgbench calls a script in its report.
pub(super) fn script_description(script: &ParsedScript) -> String {
    let known = match script.name() {
        "tpcb-like" => "<builtin: TPC-B (sort of)>",
        "simple-update" => "<builtin: simple update>",
        "select-only" => "<builtin: select only>",
        other => other,
    };
    if is_built_in(script) { known.to_owned() } else { script.name().to_owned() }
}

fn builtin_script_list() -> String {
    let scripts = ParsedScript::builtin_names().filter_map(ParsedScript::builtin);
    let lines: String =
        scripts.map(|script| format!("  {:>13}: {}\n", script.name(), script_description(&script))).collect();
    format!("Available builtin scripts:\n{lines}\n")
}
