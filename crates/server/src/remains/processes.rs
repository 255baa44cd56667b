//! Processes that work in a data directory although the one that guarded them is gone.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal};

use crate::processes::continue_processes;

/// How long a server that the kernel has told to end may take for it, in looks of [`LOOK`]: it has 5 s to end its backends.
const LOOKS: u32 = 500;

const LOOK: Duration = Duration::from_millis(20);

/// Waits for the processes that work in this directory to end, kills those that do not, and says whether there were any.
///
/// # Errors
/// Some of them are still there.
pub(super) fn end_in(directory: &Path) -> io::Result<bool> {
    let mut there = false;
    // Who stands still for another server's slice ends when it goes on.
    continue_processes(&working_in(directory));
    // When its guard died the kernel sent the server the signal at which it cleans up.
    for _ in 0..LOOKS {
        let processes = working_in(directory);
        let Some(postmaster) = postmaster_in_lock_file(directory).filter(|pid| processes.contains(pid)) else { break };
        there = true;
        // To one that was started before it could be tied to its guard; a second one does no harm.
        let _ = rustix::process::kill_process(postmaster, Signal::QUIT);
        std::thread::sleep(LOOK);
    }
    for _ in 0..LOOKS {
        let processes = working_in(directory);
        if processes.is_empty() {
            return Ok(there);
        }
        there = true;
        for process in processes {
            // It may have ended by itself in between.
            let _ = rustix::process::kill_process(process, Signal::KILL);
        }
        std::thread::sleep(LOOK);
    }
    Err(io::Error::other(format!("processes are still running in {}", directory.display())))
}

/// The process that the directory's lock file names; negative for one that creates the cluster.
fn postmaster_in_lock_file(directory: &Path) -> Option<Pid> {
    let text = fs::read_to_string(directory.join("postmaster.pid")).ok()?;
    Pid::from_raw(text.lines().next()?.trim().parse::<i32>().ok()?.saturating_abs())
}

/// Processes whose working directory it is, which of a server all are; zombies have none.
fn working_in(directory: &Path) -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let Ok(directory) = directory.canonicalize() else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    ids.filter(|id| fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|cwd| cwd == directory))
        .filter(|id| fs::read_link(format!("/proc/{id}/exe")).is_ok_and(|program| is_postgres(&program)))
        .filter_map(Pid::from_raw)
        .collect()
}

/// Whether it is the server's program, also when that has been removed or replaced meanwhile; a shell in it is somebody's.
fn is_postgres(program: &Path) -> bool {
    program.file_name().is_some_and(|name| name.to_string_lossy().trim_end_matches(" (deleted)") == "postgres")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_servers_program_counts() {
        assert!(is_postgres(Path::new("/usr/lib/postgresql/17/bin/postgres")));
        assert!(is_postgres(Path::new("/cache/bin/postgres (deleted)")));
        assert!(!is_postgres(Path::new("/bin/bash")));
        assert!(!is_postgres(Path::new("/usr/bin/postgres-exporter")));
    }

    #[test]
    fn a_directory_that_nobody_works_in_has_no_processes() {
        let directory = tempfile::tempdir().expect("a directory");
        assert!(!end_in(directory.path()).expect("nothing to wait for"));
        // That one is alive, but works elsewhere.
        fs::write(directory.path().join("postmaster.pid"), format!("{}\n", std::process::id())).expect("written");
        assert!(!end_in(directory.path()).expect("nothing to wait for"));
    }
}
