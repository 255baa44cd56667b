//! pgdyno's end of a local server: has a supervisor start it, gives it orders, follows its reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::ChildStdout;
use tokio::sync::watch;

use super::directories::{remove_data, remove_tree};
use super::failure::Failure;
use super::layers::Built;
use super::protocol::{Order, Ready, Report, Start};
use super::supervision::Supervisor;

/// What is known of the server.
#[derive(Debug, Clone)]
enum State {
    CreatingCluster,
    Starting,
    Ready(Ready),
    Failed(Failure),
    Ended(Failure),
    /// The supervisor's reports have ended.
    Gone,
}

/// A stage of the start of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    CreatingCluster,
    Starting,
}

/// A running server on this machine. Dropping it stops the server; [`crate::Target::release`] also says how that went.
#[derive(Debug)]
pub struct LocalServer {
    supervisor: Supervisor,
    view: ServerView,
    keep: bool,
}

/// What is known of a server on this machine, also by those who cannot stop it.
#[derive(Debug, Clone)]
pub struct ServerView {
    state: watch::Receiver<State>,
    ready: Ready,
}

impl LocalServer {
    /// Starts a supervisor and, through it, a server; returns when that accepts connections.
    pub(super) async fn start(
        executable: &Path,
        start: Start,
        on_stage: &mut (dyn FnMut(Stage) + Send),
    ) -> Result<Self, Failure> {
        let keep = start.keep;
        let (mut supervisor, reports) = Supervisor::begin(executable)?;
        let (sender, mut state) = watch::channel(State::Starting);
        state.mark_unchanged();
        tokio::spawn(follow(reports, sender));
        supervisor.order(&Order::Start(Box::new(start))).await?;
        match settle(&mut state, on_stage).await {
            Ok(ready) => Ok(Self { supervisor, view: ServerView { state, ready }, keep }),
            Err(failure) => {
                // The failure is the news; the supervisor has cleaned up when it ends.
                let _ = supervisor.end().await;
                Err(failure)
            }
        }
    }

    /// Stops the server and starts it with these settings, all of them. The port changes.
    pub(crate) async fn restart(&mut self, settings: BTreeMap<String, String>) -> Result<(), Failure> {
        self.view.state.mark_unchanged();
        self.supervisor.order(&Order::Restart { settings }).await?;
        self.view.ready = settle(&mut self.view.state, &mut |_| ()).await?;
        Ok(())
    }

    /// What is known of it.
    #[must_use]
    pub fn view(&self) -> &ServerView {
        &self.view
    }

    /// Stops the server and waits until nothing of it is left but a kept data directory.
    pub(crate) async fn stop(mut self) -> Result<(), Failure> {
        // A failure reported before this was somebody else's answer.
        self.view.state.mark_unchanged();
        let status = self.supervisor.end().await.map_err(Failure::system("wait for the supervisor of the server"))?;
        if status.success() {
            let mut outcome = Ok(());
            while self.view.state.changed().await.is_ok() {
                if let State::Failed(failure) = &*self.view.state.borrow_and_update() {
                    outcome = Err(failure.clone());
                }
            }
            return outcome;
        }
        // Killed: the kernel has told the server to end, but nobody has removed its directories.
        wait_for_end(self.view.ready.pid).await;
        let Ready { data_directory, data_directory_made, run_directory, built, .. } = &self.view.ready;
        if let Some(group) = &built.cpu_group {
            // One that is not empty yet goes with the next server that has one.
            let _ = std::fs::remove_dir(group);
        }
        let data_removed = if self.keep { Ok(()) } else { remove_data(data_directory, *data_directory_made) };
        remove_tree(run_directory)
            .map_err(Failure::system(format!("remove {}", run_directory.display())))
            .and(data_removed)
    }
}

impl ServerView {
    /// The reason if the server does not run any more.
    ///
    /// # Errors
    /// The end of the server or of its supervisor.
    pub fn check(&self) -> Result<(), Failure> {
        end(&self.state.borrow()).map_or(Ok(()), Err)
    }

    /// Returns when the server is not running any more, with the reason. Safe to cancel.
    pub async fn ended(&self) -> Failure {
        let mut state = self.state.clone();
        let ended = state.wait_for(|state| end(state).is_some()).await;
        ended.ok().and_then(|state| end(&state)).unwrap_or(Failure::SupervisorLost)
    }

    /// Where its data lies.
    #[must_use]
    pub fn data_directory(&self) -> &Path {
        &self.ready.data_directory
    }

    /// The directory of its unix socket.
    #[must_use]
    pub fn socket_directory(&self) -> &Path {
        &self.ready.run_directory
    }

    /// Its port on 127.0.0.1 and in the name of its socket.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.ready.port
    }

    /// Process id of the postmaster.
    #[must_use]
    pub fn postmaster_pid(&self) -> u32 {
        self.ready.pid
    }

    /// Its log, which goes when the server is released.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.ready.log.clone()
    }

    /// What stands beside it.
    pub(crate) fn built(&self) -> &Built {
        &self.ready.built
    }
}

fn end(state: &State) -> Option<Failure> {
    match state {
        State::Failed(failure) | State::Ended(failure) => Some(failure.clone()),
        State::Gone => Some(Failure::SupervisorLost),
        State::CreatingCluster | State::Starting | State::Ready(_) => None,
    }
}

/// Turns the supervisor's reports into states.
async fn follow(reports: ChildStdout, state: watch::Sender<State>) {
    let mut lines = BufReader::new(reports).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(report) = serde_json::from_str(&line) else { break };
        state.send_replace(match report {
            Report::CreatingCluster => State::CreatingCluster,
            Report::Starting => State::Starting,
            Report::Ready(ready) => State::Ready(ready),
            Report::Failed(failure) => State::Failed(failure),
            Report::Ended(failure) => State::Ended(failure),
        });
    }
    // A failure is the last word: that the supervisor ended after it is no news.
    state.send_if_modified(|state| {
        let news = !matches!(state, State::Failed(_));
        if news {
            *state = State::Gone;
        }
        news
    });
}

/// Waits for the outcome of a start.
async fn settle(
    state: &mut watch::Receiver<State>,
    on_stage: &mut (dyn FnMut(Stage) + Send),
) -> Result<Ready, Failure> {
    loop {
        state.changed().await.map_err(|_| Failure::SupervisorLost)?;
        let now = state.borrow_and_update().clone();
        match now {
            State::CreatingCluster => on_stage(Stage::CreatingCluster),
            State::Starting => on_stage(Stage::Starting),
            State::Ready(ready) => return Ok(ready),
            State::Failed(failure) => return Err(failure),
            State::Gone => return Err(Failure::SupervisorLost),
            // The end that the restart is about.
            State::Ended(_) => {}
        }
    }
}

/// Waits for the end of a process that is not a child, for as long as an immediate shutdown may take.
async fn wait_for_end(pid: u32) {
    let process = PathBuf::from(format!("/proc/{pid}"));
    for _ in 0..200 {
        if !process.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
