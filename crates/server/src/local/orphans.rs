//! Ends what a dead server left running: as a child subreaper, the supervisor inherits every process whose parent died.

use rustix::process::{Signal, WaitOptions};

use crate::processes::child_processes;

/// Kills every remaining child of this process, and what these leave behind, until there is none.
pub(super) fn end_all() {
    // Each round reveals at most the next generation; a server has three.
    for _ in 0..10 {
        let children = child_processes(rustix::process::getpid());
        if children.is_empty() {
            return;
        }
        for &child in &children {
            // It may have ended by itself in between.
            let _ = rustix::process::kill_process(child, Signal::KILL);
            let _ = rustix::process::waitpid(Some(child), WaitOptions::empty());
        }
    }
}
