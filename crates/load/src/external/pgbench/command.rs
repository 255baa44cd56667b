//! A job of the engine as a command line of pgbench. What pgbench cannot do is refused, never left out.

use super::{Tool, log};
use crate::extent::JobExtent;
use crate::external::error::ExternalError;
use crate::external::login;
use crate::external::program::InstalledTool;
use crate::job::{EngineJob, Weighted};
use crate::pace::{OfferedRate, TransactionPace};
use crate::script::ParsedScript;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use work::{Arrivals, Connections, Tries, WordChoice as _};

/// The command that runs `job` for `length`, with its log and its script files in `directory`.
pub(super) fn pgbench_command(
    program: &InstalledTool,
    job: &EngineJob,
    length: JobExtent,
    directory: &Path,
) -> Result<Command, ExternalError> {
    let mut command = Command::new(&program.path);
    command.args(pgbench_arguments(job, length)?);
    // Older ones fail no transaction but abort.
    if program.major_version().is_none_or(|major| major >= 15) {
        command.arg("--failures-detailed");
    }
    for (index, weighted) in job.scripts.iter().enumerate() {
        add_script(&mut command, index, weighted, directory)?;
    }
    command.arg(&job.server.dbname).current_dir(directory);
    login::set_libpq_environment(&mut command, &job.server);
    Ok(command)
}

/// The arguments of a command, for the record.
pub(super) fn shown_arguments(command: &Command) -> Vec<String> {
    command.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Everything but the scripts and the database.
fn pgbench_arguments(job: &EngineJob, length: JobExtent) -> Result<Vec<String>, ExternalError> {
    let (host, port) = job.server.host_and_port();
    let mut arguments: Vec<String> = vec!["--no-vacuum".to_owned(), "--log".to_owned()];
    let mut add = |name: &str, value: String| arguments.push(format!("--{name}={value}"));
    add("host", host);
    add("port", port);
    add("username", job.server.user.clone());
    add("client", job.clients.to_string());
    add("jobs", job.threads.to_string());
    add("protocol", job.mode.as_word().to_owned());
    match length {
        JobExtent::Time(length) => add("time", whole_seconds(length)?.to_string()),
        JobExtent::Transactions(each) => add("transactions", each.to_string()),
    }
    add("random-seed", job.seed.to_string());
    add("log-prefix", log::PREFIX.to_owned());
    add("progress", "1".to_owned());
    if !job.definitions.iter().any(|(name, _)| name == "scale") {
        add("define", format!("scale={}", job.scale));
    }
    for (name, value) in &job.definitions {
        add("define", format!("{name}={value}"));
    }
    if let Some(rate) = offered_rate(&job.pace)? {
        add("rate", rate.to_string());
    }
    if let Some(limit) = job.latency_limit {
        add("latency-limit", (limit.as_secs_f64() * 1e3).to_string());
    }
    match job.tries {
        // 1 is the default; pgbench 14 does not know the option.
        Tries::AtMost(tries) if tries.get() == 1 => {}
        Tries::AtMost(tries) => add("max-tries", tries.to_string()),
        Tries::Unlimited => add("max-tries", "0".to_owned()),
    }
    arguments.push("--progress-timestamp".to_owned());
    if job.connections == Connections::PerTransaction {
        arguments.push("--connect".to_owned());
    }
    Ok(arguments)
}

fn unsupported_error(what: &str) -> ExternalError {
    ExternalError::Unsupported { tool: Tool::Pgbench, what: what.to_owned() }
}

fn whole_seconds(length: Duration) -> Result<u64, ExternalError> {
    match (length.as_secs(), length.subsec_nanos()) {
        (seconds, 0) if seconds > 0 => Ok(seconds),
        _ => Err(unsupported_error("run for a fraction of a second")),
    }
}

/// The rate to be offered; none in a closed loop.
fn offered_rate(pace: &TransactionPace) -> Result<Option<f64>, ExternalError> {
    match pace {
        TransactionPace::Closed { think: None } => Ok(None),
        TransactionPace::Closed { think: Some(_) } => Err(unsupported_error("think")),
        TransactionPace::Timed(_) => Err(unsupported_error("replay: timed")),
        TransactionPace::Open { arrivals: Arrivals::Even, .. } => {
            Err(unsupported_error("send transactions at equal distances"))
        }
        TransactionPace::Open { arrivals: Arrivals::Poisson, rate: OfferedRate::Constant(rate) } => Ok(Some(*rate)),
        TransactionPace::Open {
            arrivals: Arrivals::Poisson,
            rate: OfferedRate::Ramp { .. } | OfferedRate::Steps(_),
        } => Err(unsupported_error("change its rate")),
    }
}

/// A built-in script goes by its name; any other is written to a file.
fn add_script(command: &mut Command, index: usize, weighted: &Weighted, directory: &Path) -> Result<(), ExternalError> {
    let Weighted { script, weight } = weighted;
    if ParsedScript::builtin(script.name()).is_some_and(|builtin| builtin.text() == script.text()) {
        command.arg(format!("--builtin={}@{weight}", script.name()));
        return Ok(());
    }
    let name = format!("script{}.sql", index + 1);
    std::fs::write(directory.join(&name), script.text())
        .map_err(ExternalError::system_error("write a script for pgbench"))?;
    // The directory is where it will run.
    command.arg(format!("--file={name}@{weight}"));
    Ok(())
}
