//! The supervisor as a child of pgdyno: started, given orders, and always waited for.
//!
//! Whoever gives up on a server must not go on before its supervisor has ended: it may be about to make a directory on a
//! file system that is going to be unmounted.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::runtime::{Handle, RuntimeFlavor};

use super::failure::Failure;
use super::protocol::Order;
use super::supervisor::SUPERVISE_ARGUMENT;

/// How often an end is looked for where nothing can be awaited.
const LOOK: Duration = Duration::from_millis(10);

/// A supervisor. Dropping it ends it and waits until it has cleaned up.
#[derive(Debug)]
pub(super) struct Supervisor {
    child: Child,
    /// Their end is the order to end.
    orders: Option<ChildStdin>,
}

impl Supervisor {
    /// Starts one; also returns where its reports come from.
    pub(super) fn begin(executable: &Path) -> Result<(Self, ChildStdout), Failure> {
        let mut child = Command::new(executable)
            .arg0("pgdyno")
            .arg(SUPERVISE_ARGUMENT)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(Failure::system(format!("run the supervisor {}", executable.display())))?;
        let reports = child.stdout.take().ok_or(Failure::SupervisorLost)?;
        let orders = child.stdin.take();
        Ok((Self { child, orders }, reports))
    }

    /// Gives it an order.
    pub(super) async fn order(&mut self, order: &Order) -> Result<(), Failure> {
        let what = "give the supervisor of the server an order";
        let mut line = serde_json::to_vec(order).map_err(Failure::system(what))?;
        line.push(b'\n');
        match self.orders.as_mut().ok_or(Failure::SupervisorLost)?.write_all(&line).await {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::SupervisorLost),
            Err(error) => Err(Failure::system(what)(error)),
        }
    }

    /// Has it end the server and clean up, and waits until it has ended itself.
    pub(super) async fn end(&mut self) -> std::io::Result<ExitStatus> {
        self.orders = None;
        self.child.wait().await
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.orders = None;
        let child = &mut self.child;
        let mut wait = || {
            while matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(LOOK);
            }
        };
        let has_other_threads = |handle: Handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread;
        if Handle::try_current().is_ok_and(has_other_threads) {
            // A second Ctrl-C is still heard.
            tokio::task::block_in_place(wait);
        } else {
            wait();
        }
    }
}
