//! Ctrl-C: the first one asks for an orderly end, the second one exits.
//!
//! SIGTERM counts as a Ctrl-C. SIGHUP asks for the orderly end only: nobody is there to be impatient. Servers need
//! nothing from here: their supervisors see this process end.

use std::time::Duration;

use load::StopRequest;
use server::journal;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::progress::print_to_stderr;
use problem::Problem;

/// Exit status of a process that a signal ended, as shells report SIGINT.
const EXIT_INTERRUPTED: i32 = 130;

/// How often a wait looks whether it is to be given up.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// Installs the handlers and returns the flag that the first signal sets.
///
/// # Errors
/// The system's, when a handler cannot be installed.
pub fn install_signal_handlers() -> Result<StopRequest, Problem> {
    install_for_run(String::new())
}

/// The same, with what is said of the run when the second signal ends the process at once.
///
/// # Errors
/// As [`install_signal_handlers`].
pub fn install_for_run(go_on: String) -> Result<StopRequest, Problem> {
    let listen = |kind: SignalKind| {
        signal(kind)
            .map_err(|error| Problem::could_not_measure("could not install signal handlers").detail(error.to_string()))
    };
    let stop = StopRequest::new();
    let mut interrupts = listen(SignalKind::interrupt())?;
    let mut terminations = listen(SignalKind::terminate())?;
    let mut hangups = if ignores_hangup() { None } else { Some(listen(SignalKind::hangup())?) };
    let flag = stop.clone();
    tokio::spawn(async move {
        loop {
            let hung_up = tokio::select! {
                _ = interrupts.recv() => false,
                _ = terminations.recv() => false,
                () = receive_signal(&mut hangups) => true,
            };
            if !flag.is_requested() {
                print_to_stderr("\ninterrupted: finishing this second, then stopping (again to exit at once)");
                flag.request_stop();
            } else if !hung_up {
                tell_what_is_left(journal::open_here());
                if !go_on.is_empty() {
                    print_to_stderr(&format!("hint: {go_on}"));
                }
                std::process::exit(EXIT_INTERRUPTED);
            }
        }
    });
    Ok(stop)
}

/// Says what nobody undoes any more when this process ends at once.
fn tell_what_is_left(changes: usize) {
    if changes > 0 {
        let left = journal::in_words(changes);
        print_to_stderr(&format!(
            "exiting at once without undoing {left}\nhint: `pgdyno restore` undoes the changes of a run"
        ));
    }
}

/// Whether whoever started this process wants it to outlive the terminal, as `nohup` does.
fn ignores_hangup() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| is_signal_ignored(&status, SignalKind::hangup()))
}

/// Whether the status of a process in `/proc` says that it ignores a signal.
fn is_signal_ignored(status: &str, signal: SignalKind) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (signal.as_raw_value() - 1)) != 0)
}

/// Returns when a signal comes; never without one to wait for. Safe to cancel.
async fn receive_signal(signals: &mut Option<Signal>) {
    match signals {
        Some(signals) => {
            signals.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Returns when a stop is requested. Safe to cancel.
pub async fn wait_for_stop_request(stop: &StopRequest) {
    while !stop.is_requested() {
        tokio::time::sleep(STOP_CHECK).await;
    }
}

/// What `work` comes to, unless a stop is requested first; then it is dropped where it is.
///
/// # Errors
/// Those of `work`, or that it was interrupted.
pub async fn unless_stopped<T>(
    stop: &StopRequest,
    work: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    tokio::select! {
        biased;
        result = work => result,
        () = wait_for_stop_request(stop) => Err(Problem::interrupted_by_user()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_signal_is_told_from_the_status_in_proc() {
        let status = "Name:\tpgdyno\nSigBlk:\t0000000000000003\nSigIgn:\t0000000000001001\n";
        assert!(is_signal_ignored(status, SignalKind::hangup()) && is_signal_ignored(status, SignalKind::pipe()));
        assert!(!is_signal_ignored(status, SignalKind::interrupt()) && !is_signal_ignored("", SignalKind::hangup()));
    }
}
