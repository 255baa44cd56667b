//! Ctrl-C: the first one asks for an orderly end, the second one exits.
//!
//! SIGTERM counts as a first Ctrl-C. Servers need nothing from here: their supervisors see this process end.

use std::time::Duration;

use load::Stop;
use tokio::signal::unix::{SignalKind, signal};

use crate::problem::Problem;
use crate::progress::say;

/// Exit status of a process that a signal ended, as shells report SIGINT.
const EXIT_INTERRUPTED: i32 = 130;

/// How often a wait looks whether it is to be given up.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// Installs the handlers and returns the flag that the first signal sets.
///
/// # Errors
/// The system's, when a handler cannot be installed.
pub fn install() -> Result<Stop, Problem> {
    let listen = |kind: SignalKind| {
        signal(kind)
            .map_err(|error| Problem::could_not_measure("could not install signal handlers").detail(error.to_string()))
    };
    let stop = Stop::new();
    let mut interrupts = listen(SignalKind::interrupt())?;
    let mut terminations = listen(SignalKind::terminate())?;
    let flag = stop.clone();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupts.recv() => {}
                _ = terminations.recv() => {}
            }
            if flag.is_requested() {
                std::process::exit(EXIT_INTERRUPTED);
            }
            say("\ninterrupted: finishing this second, then stopping (again to exit at once)");
            flag.request();
        }
    });
    Ok(stop)
}

/// Returns when a stop is requested. Safe to cancel.
pub async fn requested(stop: &Stop) {
    while !stop.is_requested() {
        tokio::time::sleep(STOP_CHECK).await;
    }
}

/// What `work` comes to, unless a stop is requested first; then it is dropped where it is.
///
/// # Errors
/// Those of `work`, or that it was interrupted.
pub async fn unless_stopped<T>(stop: &Stop, work: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    tokio::select! {
        biased;
        result = work => result,
        () = requested(stop) => Err(Problem::could_not_measure("interrupted")),
    }
}
