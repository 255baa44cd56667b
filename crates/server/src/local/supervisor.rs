//! The process between pgdyno and a server that it started: the same program, executed again with one argument.
//!
//! It promises that no server, socket or temporary data directory outlives pgdyno. It alone makes them and it alone
//! removes them, when its standard input ends: pgdyno closed it, or was killed in whatever way. It is a session of its
//! own and deaf to the signals of the terminal, so that Ctrl-C reaches pgdyno only. If the supervisor itself is
//! killed, the kernel ends the server; the directories are then removed by pgdyno, if that still lives.

use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

use super::cluster::{Interrupted, LocalCluster};
use super::failure::Failure;
use super::lifeline::Lifeline;
use super::protocol::{SupervisorOrder, SupervisorReport, SupervisorStart};
use super::scratch_runner::run_commands_until_cut;

/// The first command-line argument by which a program becomes a supervisor.
pub const SUPERVISE_ARGUMENT: &str = "__supervise";

/// Runs this process as a supervisor, to its end. Call it first thing in `main`, before any async runtime exists, when
/// the first argument is [`SUPERVISE_ARGUMENT`].
#[must_use]
pub fn run_as_supervisor() -> ExitCode {
    // A session leader already, or /proc without this feature: both only make the supervisor easier to kill.
    let _ = rustix::process::setsid();
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let _ = std::env::set_current_dir("/");
    // One thread: the kernel ends the server when the thread that started it ends.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime.and_then(|runtime| runtime.block_on(run_supervisor())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the supervisor of a server failed\ndetail: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run_supervisor() -> std::io::Result<()> {
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        // The handler stays when the stream is dropped: the signal is received and nothing happens.
        drop(signal(kind)?);
    }
    let mut lifeline = Lifeline::take_standard_input()?;
    match lifeline.next().await {
        Some(SupervisorOrder::Start(start)) => {
            if let Err(failure) = serve_until_cut(*start, &mut lifeline).await {
                lifeline.send_report(&SupervisorReport::Failed(failure));
            }
            Ok(())
        }
        Some(SupervisorOrder::StartCommands(start)) => {
            run_commands_until_cut(start, &mut lifeline).await.map_err(std::io::Error::other)
        }
        Some(SupervisorOrder::Restart { .. } | SupervisorOrder::Disturb(_) | SupervisorOrder::Run(_)) | None => Ok(()),
    }
}

/// Creates, starts and restarts until the life line is cut, then takes everything down.
async fn serve_until_cut(start: SupervisorStart, lifeline: &mut Lifeline) -> Result<(), Failure> {
    let mut cluster = LocalCluster::claim_directories(start)?;
    let started = match cluster.create_unless_kept(lifeline).await {
        Ok(()) => bring_up(&mut cluster, lifeline).await,
        Err(interrupted) => Err(interrupted),
    };
    let failed = match started {
        Ok(()) => {
            obey_orders(&mut cluster, lifeline).await;
            Ok(())
        }
        Err(Interrupted::Cut) => Ok(()),
        Err(Interrupted::Failed(failure)) => Err(failure),
    };
    let taken_down = cluster.take_down().await;
    failed.and(taken_down)
}

/// Restarts and disturbs the server as ordered and reports its end, until the life line is cut.
async fn obey_orders(cluster: &mut LocalCluster, lifeline: &mut Lifeline) {
    loop {
        let order = tokio::select! {
            order = lifeline.next() => order,
            ended = cluster.wait_for_end() => {
                lifeline.send_report(&SupervisorReport::Ended(ended));
                continue;
            }
        };
        let brought_up = match order {
            Some(SupervisorOrder::Restart { settings }) => {
                cluster.stop_in_order().await;
                cluster.replace_settings(settings);
                bring_up(cluster, lifeline).await
            }
            Some(SupervisorOrder::Disturb(how)) => {
                cluster.disturb_server(how).await;
                bring_back(cluster, lifeline).await
            }
            Some(SupervisorOrder::Start(_) | SupervisorOrder::StartCommands(_) | SupervisorOrder::Run(_)) | None => {
                return;
            }
        };
        match brought_up {
            Ok(()) => {}
            Err(Interrupted::Cut) => return,
            // Another configuration may do better: it stays ready for the next order.
            Err(Interrupted::Failed(failure)) => lifeline.send_report(&SupervisorReport::Failed(failure)),
        }
    }
}

async fn bring_back(cluster: &mut LocalCluster, lifeline: &mut Lifeline) -> Result<(), Interrupted> {
    let ready = cluster.bring_back(lifeline).await?;
    lifeline.send_report(&SupervisorReport::Ready(ready));
    Ok(())
}

async fn bring_up(cluster: &mut LocalCluster, lifeline: &mut Lifeline) -> Result<(), Interrupted> {
    let ready = cluster.bring_up(lifeline).await?;
    lifeline.send_report(&SupervisorReport::Ready(ready));
    Ok(())
}
