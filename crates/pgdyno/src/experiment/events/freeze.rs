//! A server on this machine that stands still: all of its processes are stopped (SIGSTOP) for a while and go on
//! (SIGCONT).
//!
//! Promises: what was stopped goes on, also when this is given up. It leaves out a standby, which is a server of its
//! own.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{Asked, Done};
use crate::experiment::fleet::Member;

/// Stops the processes of the server for so long. It is done when they go on.
pub(super) async fn freeze(member: &Member, length: Duration) -> Done {
    let asked = Asked::now();
    let postmaster =
        member.target.local().and_then(|server| Pid::from_raw(i32::try_from(server.postmaster_pid()).ok()?));
    let Some(postmaster) = postmaster else {
        return asked.with(Err("pgdyno did not start this server on this machine".to_owned()));
    };
    let frozen = Frozen::stop(postmaster);
    let stopped = match &frozen {
        Ok(_) => {
            tokio::time::sleep_until((asked.at + length).into()).await;
            Ok(())
        }
        Err(error) => Err(format!("could not stop process {}: {error}", raw(postmaster))),
    };
    drop(frozen);
    asked.with(stopped)
}

/// Processes that are stopped; dropped, they go on.
struct Frozen(Vec<Pid>);

impl Frozen {
    /// Stops a process, which then starts no others, and all that it has started.
    fn stop(postmaster: Pid) -> rustix::io::Result<Self> {
        kill_process(postmaster, Signal::STOP)?;
        let mut frozen = Self(vec![postmaster]);
        // One may have been started while the others were looked for.
        loop {
            let known: BTreeSet<i32> = frozen.0.iter().map(|pid| raw(*pid)).collect();
            let new: Vec<Pid> = children(postmaster).into_iter().filter(|pid| !known.contains(&raw(*pid))).collect();
            if new.is_empty() {
                return Ok(frozen);
            }
            for pid in new {
                // One that has ended meanwhile needs no stopping.
                let _ = kill_process(pid, Signal::STOP);
                frozen.0.push(pid);
            }
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        // The first process last: it finds the others as they were.
        for pid in self.0.iter().rev() {
            let _ = kill_process(*pid, Signal::CONT);
        }
    }
}

fn raw(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

/// The processes that a process has started, as `/proc` tells.
fn children(of: Pid) -> Vec<Pid> {
    let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok();
        stat.and_then(|stat| parent(&stat)) == Some(raw(of))
    };
    pids.filter(is_child).filter_map(Pid::from_raw).collect()
}

/// The parent in a line of `/proc/PID/stat`: the second field after the name, which may hold anything but ends at the
/// last parenthesis.
fn parent(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_a_process_is_found_behind_whatever_its_name_is() {
        assert_eq!(parent("17 (postgres: a b) c) S 5 17 17 0 -1"), Some(5));
        assert_eq!(parent("17 (postgres"), None);
    }
}
