//! Sessions that are stopped where they are and let go again: what a virtual machine that is paused, or a host that
//! hands out no CPU, does to a server.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::server::Server;

/// Stops all sessions of a server again and again, until it is dropped.
pub struct Freezer {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Freezer {
    /// Lets the sessions go on for `pause`, and stops them for `length`.
    pub fn start(server: Arc<Server>, pause: Duration, length: Duration) -> Self {
        let (end, ended) = channel();
        let thread = std::thread::spawn(move || {
            while sleeps(&ended, pause) {
                let stopped: Vec<Pid> = server.process_ids().into_iter().filter(is_session).collect();
                stopped.iter().for_each(|pid| send(*pid, Signal::STOP));
                sleeps(&ended, length);
                stopped.iter().for_each(|pid| send(*pid, Signal::CONT));
            }
        });
        Self { end: Some(end), thread: Some(thread) }
    }
}

/// Whether nobody asked for the end meanwhile.
fn sleeps(ended: &Receiver<()>, length: Duration) -> bool {
    matches!(ended.recv_timeout(length), Err(RecvTimeoutError::Timeout))
}

/// Whether it is a session of the superuser in its database: `postgres: postgres postgres [local] idle`.
fn is_session(pid: &Pid) -> bool {
    let title = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&title).starts_with("postgres: postgres postgres ")
}

fn send(pid: Pid, signal: Signal) {
    // One that has ended needs none.
    let _ended = kill_process(pid, signal);
}

impl Drop for Freezer {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}
