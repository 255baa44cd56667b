//! The supervisor as a child of pgdyno: started, given orders, and always waited for.
//!
//! Whoever gives up on a server must not go on before its supervisor has ended: it may be about to make a directory on a
//! file system that is going to be unmounted.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::runtime::{Handle, RuntimeFlavor};

use super::failure::Failure;
use super::protocol::SupervisorOrder;
use super::supervisor::SUPERVISE_ARGUMENT;
use crate::journal;

/// How often an end is looked for where nothing can be awaited.
const LOOK: Duration = Duration::from_millis(10);

/// A supervisor. Dropping it ends it and waits until it has cleaned up.
#[derive(Debug)]
pub(super) struct Supervisor {
    child: Child,
    /// Its process id, also when it has ended.
    pid: Option<u32>,
    /// Their end is the order to end.
    orders: Option<ChildStdin>,
    /// Where it writes down what it makes.
    journal: Option<PathBuf>,
}

impl Supervisor {
    /// Starts one; also returns where its reports come from.
    pub(super) fn start_process(executable: &Path, journal: Option<PathBuf>) -> Result<(Self, ChildStdout), Failure> {
        let mut child = Command::new(executable)
            .arg0("pgdyno")
            .arg(SUPERVISE_ARGUMENT)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(Failure::system_call_failed(format!("run the supervisor {}", executable.display())))?;
        let reports = child.stdout.take().ok_or(Failure::SupervisorLost)?;
        let orders = child.stdin.take();
        Ok((Self { pid: child.id(), child, orders, journal }, reports))
    }

    /// Gives it an order.
    pub(super) async fn send_order(&mut self, order: &SupervisorOrder) -> Result<(), Failure> {
        let what = "send a request to the supervisor of the server";
        let mut line = serde_json::to_vec(order).map_err(Failure::system_call_failed(what))?;
        line.push(b'\n');
        match self.orders.as_mut().ok_or(Failure::SupervisorLost)?.write_all(&line).await {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::SupervisorLost),
            Err(error) => Err(Failure::system_call_failed(what)(error)),
        }
    }

    /// Has it end the server and clean up, and waits until it has ended itself. If it was killed, does it for it.
    pub(super) async fn end_process(&mut self) -> std::io::Result<ExitStatus> {
        self.orders = None;
        let status = self.child.wait().await?;
        if let (false, Some(journal), Some(pid)) = (status.success(), self.journal.clone(), self.pid) {
            // What it could not undo it says at the end of the run, from the same directories.
            let _ = tokio::task::spawn_blocking(move || clear_after(pid, &journal)).await;
        }
        Ok(status)
    }
}

/// Clears away what a supervisor that is dead has left, as its journal tells.
fn clear_after(pid: u32, journal: &Path) {
    let found = journal::find_leftovers(journal).unwrap_or_default();
    for left in found.left.into_iter().filter(|left| left.pid == pid) {
        // What cannot be undone stays in the journal, for `restore`.
        let _ = left.undo_changes();
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.orders = None;
        let Self { child, pid, journal, .. } = self;
        let wait = || {
            let status = loop {
                match child.try_wait() {
                    Ok(None) => std::thread::sleep(LOOK),
                    Ok(Some(status)) => break Some(status),
                    Err(_) => break None,
                }
            };
            if let (Some(status), Some(journal), Some(pid)) = (status, journal, pid)
                && !status.success()
            {
                clear_after(*pid, journal);
            }
        };
        if Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread) {
            // A second Ctrl-C is still heard.
            tokio::task::block_in_place(wait);
        } else {
            wait();
        }
    }
}
