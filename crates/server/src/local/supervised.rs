//! pgdyno's end of a local server: has a supervisor start it, gives it orders, follows its reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::ChildStdout;
use tokio::sync::watch;

use super::failure::Failure;
use super::layers::{self, Built};
use super::protocol::{ReadyServer, ServerShutdown, SupervisorOrder, SupervisorReport, SupervisorStart};
use super::supervision::Supervisor;
use crate::host_access::{HostAccess, Whereabouts};

/// What the supervisor has told of the server.
#[derive(Debug, Clone)]
struct KnownServerState {
    /// How often it has begun to start.
    starts: u32,
    state: SupervisedState,
}

#[derive(Debug, Clone)]
enum SupervisedState {
    CreatingCluster,
    Starting,
    Ready(ReadyServer),
    Failed(Failure),
    Ended(Failure),
    /// The supervisor's reports have ended.
    Gone,
}

/// A stage of the start of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartStage {
    CreatingCluster,
    Starting,
}

/// A running server on this machine. Dropping it stops the server; [`crate::Target::release_target`] also says how that went.
#[derive(Debug)]
pub(crate) struct Supervised {
    supervisor: Supervisor,
    view: ServerView,
}

/// What is known of a server on this machine, also by those who cannot stop it.
#[derive(Debug, Clone)]
pub struct ServerView {
    known: watch::Receiver<KnownServerState>,
    ready: ReadyServer,
}

impl Supervised {
    /// Starts a supervisor and, through it, a server; returns when that accepts connections.
    pub(super) async fn start_server(
        executable: &Path,
        start: SupervisorStart,
        on_stage: &mut (dyn FnMut(StartStage) + Send),
    ) -> Result<Self, Failure> {
        let (mut supervisor, reports) = Supervisor::start_process(executable, start.journal.clone())?;
        let (sender, mut known) = watch::channel(KnownServerState { starts: 0, state: SupervisedState::Starting });
        known.mark_unchanged();
        tokio::spawn(follow_reports(reports, sender));
        supervisor.send_order(&SupervisorOrder::Start(Box::new(start))).await?;
        match wait_for_start(&mut known, 0, on_stage).await {
            Ok(ready) => Ok(Self { supervisor, view: ServerView { known, ready } }),
            Err(failure) => {
                // The failure is the news; the supervisor has cleaned up when it ends.
                let _ = supervisor.end_process().await;
                Err(failure)
            }
        }
    }

    /// Stops the server and starts it with these settings, all of them. The port changes.
    pub(crate) async fn restart_with_settings(&mut self, settings: BTreeMap<String, String>) -> Result<(), Failure> {
        let starts = self.view.known.borrow_and_update().starts;
        self.supervisor.send_order(&SupervisorOrder::Restart { settings }).await?;
        self.view.ready = wait_for_start(&mut self.view.known, starts, &mut |_| ()).await?;
        Ok(())
    }

    /// Ends the server in this way and starts it again at the same port; returns when it accepts connections.
    pub(crate) async fn disturb_server(&mut self, how: ServerShutdown) -> Result<(), Failure> {
        let starts = self.view.known.borrow_and_update().starts;
        self.supervisor.send_order(&SupervisorOrder::Disturb(how)).await?;
        self.view.ready = wait_for_start(&mut self.view.known, starts, &mut |_| ()).await?;
        Ok(())
    }

    /// What is known of it.
    pub(crate) fn server_view(&self) -> &ServerView {
        &self.view
    }

    /// Stops the server and waits until nothing of it is left but a kept data directory.
    pub(crate) async fn stop_and_clean_up(mut self) -> Result<(), Failure> {
        // A failure reported before this was somebody else's answer.
        self.view.known.mark_unchanged();
        let status = self
            .supervisor
            .end_process()
            .await
            .map_err(Failure::system_call_failed("wait for the supervisor of the server"))?;
        if status.success() {
            let mut outcome = Ok(());
            while self.view.known.changed().await.is_ok() {
                if let SupervisedState::Failed(failure) = &self.view.known.borrow_and_update().state {
                    outcome = Err(failure.clone());
                }
            }
            return outcome;
        }
        // Killed: its journal has been followed, if it could write one.
        let ReadyServer { remains, built, .. } = self.view.ready;
        if let Some(group) = &built.cpu_group {
            // One that is not empty yet goes with the next server that has one.
            let _ = std::fs::remove_dir(group);
        }
        let what = format!("clean up after the server in {}", remains.data_directory.display());
        let cleared = tokio::task::spawn_blocking(move || remains.clear_remains()).await;
        match cleared.map_err(std::io::Error::other).and_then(|cleared| cleared) {
            Ok(_) => Ok(()),
            Err(error) => Err(Failure::system_call_failed(what)(error)),
        }
    }
}

impl ServerView {
    /// The reason if the server does not run any more.
    ///
    /// # Errors
    /// The end of the server or of its supervisor.
    pub fn check_running(&self) -> Result<(), Failure> {
        failure_at_end(&self.known.borrow().state).map_or(Ok(()), Err)
    }

    /// Returns when the server is not running any more, with the reason. Safe to cancel.
    pub async fn wait_for_end(&self) -> Failure {
        let mut known = self.known.clone();
        let ended = known.wait_for(|known| failure_at_end(&known.state).is_some()).await;
        ended.ok().and_then(|known| failure_at_end(&known.state)).unwrap_or(Failure::SupervisorLost)
    }

    /// Where its data lies.
    #[must_use]
    pub fn data_directory(&self) -> &Path {
        &self.ready.remains.data_directory
    }

    /// The directory of its unix socket.
    #[must_use]
    pub fn socket_directory(&self) -> &Path {
        &self.ready.remains.run_directory
    }

    /// Its port on 127.0.0.1 and in the name of its socket.
    #[must_use]
    pub fn tcp_port(&self) -> u16 {
        self.ready.port
    }

    /// Process id of the postmaster.
    #[must_use]
    pub fn postmaster_pid(&self) -> u32 {
        self.ready.pid
    }

    /// Its log, which goes when the server is released.
    #[must_use]
    pub fn log_path(&self) -> PathBuf {
        self.ready.log.clone()
    }

    /// What stands beside it.
    pub(crate) fn built_layers(&self) -> &Built {
        &self.ready.built
    }

    /// How its host is read, which is this machine.
    pub(crate) fn host_access(&self) -> HostAccess {
        let data_directory = Some(self.data_directory().to_owned());
        HostAccess::Here(Whereabouts { postmaster_pid: self.postmaster_pid(), data_directory })
    }

    /// Limits its CPUs, if it was started with a control group for that.
    pub(crate) fn limit_cpus(&self, cpus: Option<f64>) -> Result<(), Failure> {
        let Some(group) = &self.built_layers().cpu_group else { return Ok(()) };
        layers::limit_cpus(group, cpus)
            .map_err(Failure::system_call_failed(format!("limit the CPUs of {}", group.display())))
    }
}

fn failure_at_end(state: &SupervisedState) -> Option<Failure> {
    match state {
        SupervisedState::Failed(failure) | SupervisedState::Ended(failure) => Some(failure.clone()),
        SupervisedState::Gone => Some(Failure::SupervisorLost),
        SupervisedState::CreatingCluster | SupervisedState::Starting | SupervisedState::Ready(_) => None,
    }
}

/// Turns the supervisor's reports into states.
async fn follow_reports(reports: ChildStdout, known: watch::Sender<KnownServerState>) {
    let mut lines = BufReader::new(reports).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(report) = serde_json::from_str(&line) else { break };
        let state = match report {
            SupervisorReport::CreatingCluster => SupervisedState::CreatingCluster,
            SupervisorReport::Starting => SupervisedState::Starting,
            SupervisorReport::Ready(ready) => SupervisedState::Ready(ready),
            SupervisorReport::Failed(failure) => SupervisedState::Failed(failure),
            SupervisorReport::Ended(failure) => SupervisedState::Ended(failure),
        };
        known.send_modify(|known| {
            known.starts += u32::from(matches!(state, SupervisedState::Starting));
            known.state = state;
        });
    }
    // A failure is the last word: that the supervisor ended after it is no news.
    known.send_if_modified(|known| {
        let news = !matches!(known.state, SupervisedState::Failed(_));
        if news {
            known.state = SupervisedState::Gone;
        }
        news
    });
}

/// Waits for the outcome of a start, the one after so many. Of reports that come in one go only the last is seen.
async fn wait_for_start(
    known: &mut watch::Receiver<KnownServerState>,
    starts_before: u32,
    on_stage: &mut (dyn FnMut(StartStage) + Send),
) -> Result<ReadyServer, Failure> {
    loop {
        known.changed().await.map_err(|_| Failure::SupervisorLost)?;
        let KnownServerState { starts, state } = known.borrow_and_update().clone();
        match state {
            SupervisedState::CreatingCluster => on_stage(StartStage::CreatingCluster),
            SupervisedState::Starting => on_stage(StartStage::Starting),
            SupervisedState::Ready(ready) => return Ok(ready),
            SupervisedState::Failed(failure) => return Err(failure),
            SupervisedState::Gone => return Err(Failure::SupervisorLost),
            SupervisedState::Ended(failure) if starts > starts_before => return Err(failure),
            // The end that the restart is about.
            SupervisedState::Ended(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn an_end_right_after_the_start_is_the_outcome_and_the_one_before_it_is_not() {
        let ended = || SupervisedState::Ended(Failure::SupervisorLost);
        let (sender, mut known) = watch::channel(KnownServerState { starts: 1, state: ended() });
        known.mark_changed();
        let mut unheard = |_| ();
        let mut settled = Box::pin(wait_for_start(&mut known, 1, &mut unheard));
        let soon = Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, &mut settled).await.is_err(), "the end that the restart is about");
        // Starting and ready were told between two looks.
        sender.send_replace(KnownServerState { starts: 2, state: ended() });
        assert!(settled.await.is_err());
    }
}
