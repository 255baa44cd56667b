//! What a command line of `bench` asks for: the options together, checked as pgbench checks them, before a server is
//! asked anything. Reads script files, and nothing else.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::time::Duration;

use load::{
    Arrivals, Connections, Extent, Pace, QueryMode, Rate, Script, ShellCommands, StatementTimes, Tries, Weighted,
};
use work::Word as _;

use crate::cli::{Backend, BenchArgs, GeneratorName, ScriptChoice};
use problem::Problem;

use super::refusals;

/// What is to be done.
#[derive(Debug)]
pub(super) enum Request {
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
    pub(super) pace: Pace,
    /// How long a transaction may take.
    pub(super) latency_limit: Option<Duration>,
    /// How often one is tried.
    pub(super) tries: Tries,
    /// How long a connection is kept.
    pub(super) connections: Connections,
    /// How long it runs before it is measured.
    pub(super) warm_up: Duration,
    /// How the engine talks to the kernel.
    pub(super) backend: load::Backend,
    /// How long it is measured.
    pub(super) measure: Extent,
    /// The seed; none means a random one.
    pub(super) seed: Option<u64>,
    /// The scale that was given.
    pub(super) scale: Option<NonZeroU32>,
    /// Variables.
    pub(super) definitions: Vec<(String, String)>,
    /// What is done to the tables before.
    pub(super) vacuum: Vacuum,
    /// Progress every so many seconds, with Unix timestamps or without.
    pub(super) progress: Option<(NonZeroU32, Clock)>,
    /// Failures by kind are reported.
    pub(super) failures_detailed: bool,
    /// Whether each command is reported.
    pub(super) statements: StatementTimes,
    /// A log, if one is kept.
    pub(super) log: Option<Log>,
    /// The first lost connection ends the run.
    pub(super) exit_on_abort: bool,
    /// Whether scripts may run shell commands.
    pub(super) shell: ShellCommands,
    /// What runs it.
    pub(super) generator: GeneratorName,
}

/// What is done to pgbench's tables before a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vacuum {
    /// Nothing.
    No,
    /// Tellers and branches vacuumed, history emptied.
    Small,
    /// That, and accounts vacuumed and analyzed.
    All,
}

/// How the time of a progress line is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    /// From the begin of the run.
    Elapsed,
    /// From 1970 on.
    Unix,
}

/// A log.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Log {
    /// The beginning of its name.
    pub(super) prefix: String,
    /// What has a line.
    pub(super) lines: Lines,
}

/// What has a line in a log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Lines {
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
pub(super) fn understand(arguments: &BenchArgs, default_seed: Option<&str>) -> Result<Request, Problem> {
    if let Some(name) = &arguments.show_script {
        let script = builtin(name)?;
        return Ok(Request::Show(format!("-- {}: {}\n{}\n", script.name(), description(&script), script.text())));
    }
    if arguments.scripts.0.iter().any(|choice| *choice == ScriptChoice::Builtin("list".to_owned())) {
        return Ok(Request::Show(list()));
    }
    refusals::check(arguments)?;
    if arguments.initialize {
        let scale = arguments.scale.unwrap_or(NonZeroU32::MIN);
        return Ok(Request::Initialize { scale, fillfactor: arguments.fillfactor });
    }
    Ok(Request::Run(Box::new(workload(arguments, default_seed)?)))
}

fn workload(arguments: &BenchArgs, default_seed: Option<&str>) -> Result<Workload, Problem> {
    let scripts = scripts(&arguments.scripts.0)?;
    let built_in = scripts.iter().any(|weighted| is_built_in(&weighted.script));
    let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
    let clock = if arguments.progress_timestamp { Clock::Unix } else { Clock::Elapsed };
    let rate = |rate| Pace::Open { arrivals: Arrivals::Poisson, rate: Rate::Constant(rate) };
    Ok(Workload {
        scripts,
        built_in,
        mode: mode(&arguments.protocol)?,
        clients: arguments.client,
        threads: arguments.jobs.min(arguments.client),
        pace: arguments.rate.map_or(Pace::Closed { think: None }, rate),
        latency_limit: arguments.latency_limit.map(|ms| Duration::from_micros((ms * 1e3) as u64)),
        tries: NonZeroU32::new(arguments.max_tries).map_or(Tries::Unlimited, Tries::AtMost),
        connections: if arguments.connect { Connections::PerTransaction } else { Connections::Kept },
        warm_up: seconds(arguments.warm_up),
        backend: match arguments.backend {
            Backend::Auto => load::Backend::Auto,
            Backend::Epoll => load::Backend::Epoll,
            Backend::IoUring => load::Backend::IoUring,
        },
        measure: extent(arguments),
        seed: seed(arguments.random_seed.as_deref().or(default_seed))?,
        scale: arguments.scale,
        definitions: arguments.define.iter().map(|text| definition(text)).collect::<Result<_, _>>()?,
        vacuum: match (arguments.no_vacuum, arguments.vacuum_all) {
            (true, _) => Vacuum::No,
            (false, false) => Vacuum::Small,
            (false, true) => Vacuum::All,
        },
        progress: arguments.progress.map(|seconds| (seconds, clock)),
        failures_detailed: arguments.failures_detailed,
        // Without it as much is done for a transaction as pgbench does.
        statements: if arguments.report_per_command { StatementTimes::Taken } else { StatementTimes::NotTaken },
        log: log(arguments),
        exit_on_abort: arguments.exit_on_abort,
        shell: if arguments.allow_shell { ShellCommands::Permitted } else { ShellCommands::Refused },
        generator: arguments.generator,
    })
}

/// As pgbench: without a word about it, ten transactions of each client.
fn extent(arguments: &BenchArgs) -> Extent {
    match (arguments.time, arguments.transactions) {
        (Some(seconds), _) => Extent::Time(Duration::from_secs(u64::from(seconds.get()))),
        (None, Some(each)) => Extent::Transactions(each.into()),
        (None, None) => Extent::Transactions(TRANSACTIONS),
    }
}

fn log(arguments: &BenchArgs) -> Option<Log> {
    let lines = match arguments.aggregate_interval {
        Some(interval_s) => Lines::Interval(interval_s),
        None => Lines::Transactions(arguments.sampling_rate.unwrap_or(1.0)),
    };
    let prefix = arguments.log_prefix.clone().unwrap_or_else(|| "pgbench_log".to_owned());
    arguments.log.then_some(Log { prefix, lines })
}

fn mode(name: &str) -> Result<QueryMode, Problem> {
    QueryMode::named(name).ok_or_else(|| {
        Problem::usage(format!("unknown query mode {name:?}")).hint("query modes are simple, extended and prepared")
    })
}

fn seed(text: Option<&str>) -> Result<Option<u64>, Problem> {
    match text {
        None | Some("time" | "rand") => Ok(None),
        Some(number) => number.parse().map(Some).map_err(|_| {
            Problem::usage(format!("{number:?} is not a random seed"))
                .hint("use an unsigned integer, \"time\" or \"rand\"")
        }),
    }
}

fn definition(text: &str) -> Result<(String, String), Problem> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => {
            Err(Problem::usage(format!("{text:?} is not a definition of a variable")).hint("write it as -D name=value"))
        }
    }
}

fn scripts(choices: &[ScriptChoice]) -> Result<Vec<Weighted>, Problem> {
    let default = [ScriptChoice::Builtin("tpcb-like".to_owned())];
    let choices = if choices.is_empty() { &default[..] } else { choices };
    if choices.len() > SCRIPTS_AT_MOST {
        return Err(Problem::usage(format!("{} scripts are too many", choices.len()))
            .hint(format!("at most {SCRIPTS_AT_MOST} are allowed")));
    }
    let mut weighted = Vec::new();
    for choice in choices {
        let (ScriptChoice::Builtin(text) | ScriptChoice::File(text)) = choice;
        let (name, weight) = weight(text)?;
        let script = match choice {
            ScriptChoice::Builtin(_) => builtin(name)?,
            ScriptChoice::File(_) => file(name)?,
        };
        // A script with weight 0 is never run.
        weighted.extend(NonZeroU32::new(weight).map(|weight| Weighted { script, weight }));
    }
    if weighted.is_empty() {
        return Err(Problem::usage("no script would run: the weights add up to zero"));
    }
    Ok(weighted)
}

/// A name and its weight, which stands after the last `@`.
fn weight(text: &str) -> Result<(&str, u32), Problem> {
    let Some((name, weight)) = text.rsplit_once('@') else { return Ok((text, 1)) };
    match weight.parse::<u32>() {
        Ok(weight) if weight <= i32::MAX.unsigned_abs() => Ok((name, weight)),
        _ => Err(Problem::usage(format!("{weight:?} in {text:?} is not a weight"))
            .hint(format!("a weight is a whole number from 0 to {}", i32::MAX))),
    }
}

/// pgbench takes any unambiguous beginning of a name.
fn builtin(beginning: &str) -> Result<Script, Problem> {
    let names: Vec<&str> = Script::builtin_names().filter(|name| name.starts_with(beginning)).collect();
    match names.as_slice() {
        [name] => Ok(Script::builtin(name).expect("one of the built-in scripts")),
        [] => Err(Problem::usage(format!("unknown built-in script {beginning:?}"))
            .hint("built-in scripts are tpcb-like, simple-update and select-only")),
        several => Err(Problem::usage(format!("{beginning:?} is ambiguous: it could be {}", several.join(" or ")))),
    }
}

fn file(path: &str) -> Result<Script, Problem> {
    let read =
        if path == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(Path::new(path)) };
    let text =
        read.map_err(|error| Problem::usage(format!("could not read script file {path:?}")).detail(error.to_string()))?;
    Script::parse(path, &text).map_err(|error| {
        let hint = error.hint.clone().unwrap_or_default();
        Problem::usage(error.to_string()).detail(error.excerpt()).hint(hint)
    })
}

/// Whether it is one of pgbench's own scripts, which work on pgbench's tables.
pub(super) fn is_built_in(script: &Script) -> bool {
    Script::builtin(script.name()).is_some_and(|builtin| builtin.text() == script.text())
}

/// What pgbench calls a script in its report.
pub(super) fn description(script: &Script) -> String {
    let known = match script.name() {
        "tpcb-like" => "<builtin: TPC-B (sort of)>",
        "simple-update" => "<builtin: simple update>",
        "select-only" => "<builtin: select only>",
        other => other,
    };
    if is_built_in(script) { known.to_owned() } else { script.name().to_owned() }
}

fn list() -> String {
    let scripts = Script::builtin_names().filter_map(Script::builtin);
    let lines: String = scripts.map(|script| format!("  {:>13}: {}\n", script.name(), description(&script))).collect();
    format!("Available builtin scripts:\n{lines}\n")
}
