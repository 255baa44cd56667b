//! The processes of a server on this machine: stopped (SIGSTOP) for a while, or killed.
//!
//! Promises: what was stopped goes on (SIGCONT), also when whoever stopped it is killed. A standby is a server of its
//! own, and left out.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use server::processes::{child_processes, continue_processes, stop_server_processes};

use super::Keeper;

/// The shell finds the processes itself, and has the first one go on last: it finds the others as they were.
const GO_ON: &str = r#"
stop() { :; }
go_on() {
    cat /proc/[0-9]*/stat 2>/dev/null | while read -r line; do
        after_name=${line##*) }; parent=${after_name#* }
        [ "${parent%% *}" != "$1" ] || kill -CONT "${line%% *}"
    done
    kill -CONT "$1"
}
"#;

/// How long the others of a server may take to end when its first process is killed.
const ENDED_WITHIN: Duration = Duration::from_secs(60);

/// How often it is looked whether they have.
const LOOK: Duration = Duration::from_millis(20);

/// Processes that are stopped; dropped, they go on.
pub(crate) struct FrozenProcesses {
    stopped: Vec<Pid>,
    /// Has them go on when nobody drops this.
    _keeper: Keeper,
}

impl FrozenProcesses {
    /// Stops a server's first process, which then starts no others, and all that it has started, for so long at most.
    ///
    /// # Errors
    /// What the system said.
    pub(crate) fn stop_server_processes(postmaster: Pid, at_most: Duration) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("could not stop process {}: {error}", raw_pid(postmaster));
        let keeper = Keeper::start_shell(GO_ON, &OsString::from(raw_pid(postmaster).to_string()), at_most);
        let keeper = keeper.map_err(|error| failed(&format!("sh: {error}")))?;
        let stopped = stop_server_processes(postmaster, &[]).map_err(|error| failed(&error))?;
        Ok(Self { stopped, _keeper: keeper })
    }
}

impl Drop for FrozenProcesses {
    fn drop(&mut self) {
        // Without a shell's delay.
        continue_processes(&self.stopped);
    }
}

/// Kills a server's first process, and waits until those that it has started have ended, which they do by themselves.
///
/// # Errors
/// This user may not, or they do not end.
pub(crate) fn kill_server_processes(postmaster: Pid) -> Result<(), String> {
    let others = child_processes(postmaster);
    kill_process(postmaster, Signal::KILL)
        .map_err(|error| format!("could not kill process {}: {error}", raw_pid(postmaster)))?;
    let begun = Instant::now();
    let mut left: Vec<Pid> = others.into_iter().chain([postmaster]).collect();
    loop {
        // One that has ended and was not waited for by its parent counts: who starts a server takes it for alive.
        left.retain(|pid| test_kill_process(*pid).is_ok());
        let Some(first) = left.first() else { return Ok(()) };
        if begun.elapsed() > ENDED_WITHIN {
            let count = left.len();
            return Err(format!(
                "{count} processes of the server still run after the kill, such as {}",
                raw_pid(*first)
            ));
        }
        std::thread::sleep(LOOK);
    }
}

fn raw_pid(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::{Child, Command};

    use super::*;

    /// A process with one that it has started.
    struct Family(Child);

    impl Family {
        fn start() -> (Self, Pid) {
            let child = Command::new("sh").args(["-c", "sleep 60 & wait"]).spawn().expect("a shell");
            let pid = Pid::from_raw(i32::try_from(child.id()).expect("small")).expect("a process");
            let family = Self(child);
            until(|| !child_processes(pid).is_empty());
            (family, pid)
        }
    }

    impl Drop for Family {
        fn drop(&mut self) {
            let all = Pid::from_raw(i32::try_from(self.0.id()).expect("small")).into_iter();
            for pid in all.flat_map(|pid| child_processes(pid).into_iter().chain([pid])) {
                let _ = kill_process(pid, Signal::KILL);
            }
            let _ = self.0.wait();
        }
    }

    #[track_caller]
    fn until(is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it is not so");
            std::thread::sleep(LOOK);
        }
    }

    fn all_are(pid: Pid, wanted: &str) -> bool {
        let is = |pid: Pid| {
            let stat = fs::read_to_string(format!("/proc/{}/stat", raw_pid(pid))).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, fields)| fields.starts_with(wanted))
        };
        child_processes(pid).into_iter().chain([pid]).all(is)
    }

    #[test]
    fn what_was_stopped_goes_on_when_it_is_dropped_and_when_nobody_drops_it() {
        let (_family, pid) = Family::start();
        let frozen = FrozenProcesses::stop_server_processes(pid, Duration::from_secs(60)).expect("it is ours");
        until(|| all_are(pid, "T"));
        drop(frozen);
        until(|| all_are(pid, "S"));
        std::mem::forget(FrozenProcesses::stop_server_processes(pid, Duration::from_millis(300)).expect("it is ours"));
        until(|| all_are(pid, "S"));
    }

    #[test]
    fn a_killed_first_process_is_gone_and_the_others_are_waited_for() {
        let (mut family, pid) = Family::start();
        let other = child_processes(pid)[0];
        // It outlives its shell, as no session of a server does.
        let ending = std::thread::spawn(move || {
            let _ = family.0.wait();
            std::thread::sleep(Duration::from_millis(200));
            kill_process(other, Signal::KILL)
        });
        kill_server_processes(pid).expect("it is ours");
        assert!(test_kill_process(other).is_err());
        ending.join().expect("no panic").expect("it was there");
    }
}
