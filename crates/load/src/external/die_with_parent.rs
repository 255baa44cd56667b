//! A child process that the kernel kills when the thread that started it ends, however that end comes about.
//!
//! `server` has the same for its servers: a crate for both would hold nothing else, and neither needs the other.

// The setting has to be made between fork and exec.
#![allow(unsafe_code)]

use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Makes the child receive SIGKILL when the calling thread ends; call it on the thread that will spawn the child.
pub(super) fn die_with_parent(command: &mut Command) {
    let parent = getpid();
    // SAFETY: the closure runs between fork and exec, where only async-signal-safe functions may be called: it makes
    // two raw system calls, allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(move || tie_to(parent));
    }
}

/// Sets the death signal, then checks that the parent had not died before it was set.
fn tie_to(parent: Pid) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}
