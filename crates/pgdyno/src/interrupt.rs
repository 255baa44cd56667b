//! Ctrl-C: the first one asks for an orderly end, the second one exits.
//!
//! SIGTERM counts as a first Ctrl-C. Servers need nothing from here: their supervisors see this process end.

use load::Stop;
use tokio::signal::unix::{SignalKind, signal};

/// Exit status of a process that a signal ended, as shells report SIGINT.
const EXIT_INTERRUPTED: i32 = 130;

/// Installs the handlers and returns the flag that the first signal sets.
///
/// # Errors
/// The system's, when a handler cannot be installed.
pub fn install() -> std::io::Result<Stop> {
    let stop = Stop::new();
    let mut interrupts = signal(SignalKind::interrupt())?;
    let mut terminations = signal(SignalKind::terminate())?;
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
            eprintln!("\ninterrupted: finishing this second, then stopping (again to exit at once)");
            flag.request();
        }
    });
    Ok(stop)
}
