//! A child process that the kernel kills when the thread that started it ends, however that end comes about.
//!
//! The only unsafe code of the crate. `load` has the same for external generators: a crate for both would hold nothing else,
//! and neither needs the other.
#![allow(unsafe_code)]

use std::io;

use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
use tokio::process::Command;

/// Makes the child receive `signal` when the calling thread ends; call it on the thread that will spawn the child.
pub(crate) fn die_with_parent(command: &mut Command, signal: Signal) {
    let parent = getpid();
    // SAFETY: the closure runs between fork and exec, where only async-signal-safe functions may be called: it makes
    // two raw system calls, allocates nothing and takes no lock. It runs after the change of user, which would clear
    // the setting.
    unsafe {
        command.pre_exec(move || tie_to(parent, signal));
    }
}

/// Sets the death signal, then checks that the parent had not died before it was set.
fn tie_to(parent: Pid, signal: Signal) -> io::Result<()> {
    set_parent_process_death_signal(Some(signal))?;
    if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}
