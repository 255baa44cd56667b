//! `capture --listen`: clients and server with pgdyno between them, until it is stopped.

use std::path::{Path, PathBuf};
use std::time::Duration;

use capture::TrafficCapture;
use capture::directory::CaptureSummary;
use capture::mask::ValueMask;
use conninfo::ConnInfo;
use jiff::Timestamp;
use proxy::{DEFAULT_MEMORY_BYTES, ProxyError, ProxyIdentity, ProxyOptions, RunningProxy, start_proxy};
use server::Environment;

use crate::cli::CaptureArgs;
use crate::command::Manner;
use crate::command::run::own_executable;
use measure::interrupt::install_signal_handlers;
use measure::progress::print_to_stderr;
use problem::Problem;

/// How often it is looked whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);
/// Threads that pass bytes at most.
const THREADS_AT_MOST: usize = 4;

/// Passes sessions and records them until the time is over or a signal comes.
pub(super) async fn capture_sessions(
    arguments: &CaptureArgs,
    out: &Path,
    mask: ValueMask,
    manner: Manner,
) -> Result<CaptureSummary, Problem> {
    let options = proxy_options(arguments)?;
    let stop = install_signal_handlers()?;
    let running = start_proxy(&options, || {
        TrafficCapture::create_directory(out, mask, Timestamp::now()).map_err(|error| error.to_string())
    })
    .map_err(|error| start_problem(&error))?;
    if !manner.quiet {
        for address in running.listening_addresses() {
            print_to_stderr(&format!("listening on {address}, passing to {}", options.server.display_address()));
        }
    }
    let begun = std::time::Instant::now();
    while !stop.is_requested() && arguments.time.is_none_or(|time| begun.elapsed() < time) {
        report_failure(&running);
        tokio::time::sleep(LOOK).await;
    }
    let stopped = tokio::task::spawn_blocking(move || running.stop_proxy()).await;
    match stopped {
        Ok(Ok(summary)) => Ok(summary),
        Ok(Err(error)) => Err(Problem::could_not_measure(error.to_string())
            .hint(format!("`pgdyno capture describe {}` shows what was written", out.display()))),
        Err(error) => Err(Problem::could_not_measure("the proxy has failed").detail(error.to_string())),
    }
}

/// Says once that nothing is recorded any more.
fn report_failure(running: &RunningProxy) {
    if let Some(failure) = running.take_recording_failure() {
        print_to_stderr(&format!("error: nothing is captured any more; sessions are passed on\ndetail: {failure}"));
    }
}

fn proxy_options(arguments: &CaptureArgs) -> Result<ProxyOptions, Problem> {
    let Some(to) = &arguments.to else { return Err(Problem::usage_error("the option --to is missing")) };
    let identity = match (&arguments.tls_certificate, &arguments.tls_key) {
        (Some(certificate), Some(key)) => {
            Some(ProxyIdentity { certificates: read_pem(certificate)?, key: read_pem(key)? })
        }
        _ => None,
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(ProxyOptions {
        listen: arguments.listen.clone(),
        server: server_of_text(to, "--to", "leave user and password out: each client logs in itself")?,
        identity,
        database: arguments.database.clone(),
        user: arguments.user.clone(),
        memory_bytes: DEFAULT_MEMORY_BYTES,
        threads: threads.min(THREADS_AT_MOST),
    })
}

fn read_pem(path: &PathBuf) -> Result<Vec<u8>, Problem> {
    std::fs::read(path)
        .map_err(|error| Problem::usage_error(format!("could not read {}", path.display())).detail(error.to_string()))
}

/// The server of an option. A password on the command line is seen by everybody on this machine: `instead` says what to
/// do.
pub(super) fn server_of_text(text: &str, option: &str, instead: &str) -> Result<ConnInfo, Problem> {
    if conninfo::holds_password(text) {
        return Err(Problem::usage_error(format!("the connection string of {option} has a password")).hint(instead));
    }
    let environment = Environment::of_this_process(own_executable());
    let resolved =
        conninfo::resolve_connection_string(text, &environment.conninfo_surroundings()).map_err(|error| {
            Problem::usage_error(format!("the connection string of {option} cannot be used")).detail(error.to_string())
        })?;
    Ok(resolved.conninfo)
}

fn start_problem(error: &ProxyError) -> Problem {
    let problem = Problem::usage_error(error.to_string());
    match error {
        ProxyError::Listen { .. } => problem.hint("another program may listen there: ss -ltn lists them"),
        ProxyError::Identity(_) => problem.hint("both files are in PEM, and the key has no pass phrase"),
        ProxyError::Resolve { .. } | ProxyError::System(_) | ProxyError::Capture(_) => problem,
    }
}
