//! Processes of this machine, as `/proc` tells of them.

use std::fs;
use std::io;

use rustix::process::{Pid, Signal, kill_process};

/// Stops (SIGSTOP) a server's first process, which then starts no others, and all that it has started but those that are
/// `exempt`. Returns those that were stopped, the first process first.
///
/// # Errors
/// This user may not, or the server has ended.
pub fn stop_server_processes(postmaster: Pid, exempt: &[Pid]) -> io::Result<Vec<Pid>> {
    kill_process(postmaster, Signal::STOP)?;
    let mut stopped = vec![postmaster];
    // One may have been started while the others were looked for.
    loop {
        let mut new = started_by(postmaster);
        new.retain(|pid| !stopped.contains(pid) && !exempt.contains(pid));
        if new.is_empty() {
            return Ok(stopped);
        }
        for pid in new {
            // One that has ended meanwhile needs no stopping.
            let _ = kill_process(pid, Signal::STOP);
            stopped.push(pid);
        }
    }
}

/// Has processes go on (SIGCONT) that [`stop_server_processes`] has stopped, the first process last.
pub fn continue_processes(stopped: &[Pid]) {
    for pid in stopped.iter().rev() {
        // One that was killed needs nothing more.
        let _ = kill_process(*pid, Signal::CONT);
    }
}

/// As [`child_processes`], from the kernel's own list where it keeps one: of a thread that starts all of them.
fn started_by(of: Pid) -> Vec<Pid> {
    let pid = of.as_raw_nonzero();
    let Ok(listed) = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")) else { return child_processes(of) };
    listed.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
}

/// The processes that a process has started, those among them that have ended and were not waited for.
#[must_use]
pub fn child_processes(of: Pid) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        parent_in_stat(&stat) == Some(of.as_raw_nonzero().get())
    };
    pids.filter(is_child).filter_map(Pid::from_raw).collect()
}

/// The fourth field of `/proc/<pid>/stat`; the second is a name in parentheses that may itself hold some.
fn parent_in_stat(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_found_behind_any_name() {
        assert_eq!(parent_in_stat("12 (postgres) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in_stat("12 (a) b (c) S 8 12"), Some(8));
        assert_eq!(parent_in_stat("17 (postgres: a b) c) S 5 17 17 0 -1"), Some(5));
        assert_eq!(parent_in_stat("17 (postgres"), None);
        assert_eq!(parent_in_stat(""), None);
    }
}
