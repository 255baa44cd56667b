//! Servers on this machine of which one at a time goes on, while all processes of the others stand still (SIGSTOP).
//!
//! Promises: all of them go on when it is dropped. When this process is killed, the supervisor of a server has it go on
//! before it stops it. Left out are servers on other machines, standbys, and the freezer of control groups: a process
//! that its freezer holds cannot be killed by version 1 of them, so that a server could outlive everybody.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, test_kill_process};

use crate::processes::{continue_processes, stop_server_processes};

/// A server that can stand still.
#[derive(Debug, Clone)]
pub struct StoppableServer {
    postmaster: Pid,
    /// Processes of it that go on.
    exempt: Vec<Pid>,
}

impl StoppableServer {
    /// By the number of its first process, and those of the sessions that go on, which watch it. None where the first
    /// is no process.
    #[must_use]
    pub fn from_process_ids(postmaster: u32, exempt: impl IntoIterator<Item = i32>) -> Option<Self> {
        let postmaster = Pid::from_raw(i32::try_from(postmaster).ok()?)?;
        Some(Self { postmaster, exempt: exempt.into_iter().filter_map(Pid::from_raw).collect() })
    }
}

/// Servers of which one at a time goes on.
#[derive(Debug)]
pub struct AlternatingServers {
    servers: Vec<StoppableServer>,
    /// Of each, its processes that stand still; empty: it goes on.
    stopped: Mutex<Vec<Vec<Pid>>>,
}

impl AlternatingServers {
    /// All of them go on until [`give_turn`](Self::give_turn).
    ///
    /// # Errors
    /// This user may not stop one of them, or it has ended.
    pub fn from_servers(servers: Vec<StoppableServer>) -> io::Result<Self> {
        for server in &servers {
            test_kill_process(server.postmaster)?;
        }
        let stopped = Mutex::new(vec![Vec::new(); servers.len()]);
        Ok(Self { servers, stopped })
    }

    /// Has the others stand still, then this one go on. One that has ended is left to those who watch it.
    pub fn give_turn(&self, turn: usize) {
        let mut stopped = self.lock_stopped();
        for (place, server) in self.servers.iter().enumerate() {
            if place != turn && stopped[place].is_empty() {
                stopped[place] = stop_server_processes(server.postmaster, &server.exempt).unwrap_or_default();
            }
        }
        continue_processes(&std::mem::take(&mut stopped[turn]));
    }

    /// Has all of them go on.
    pub fn end_turns(&self) {
        for of_server in self.lock_stopped().iter_mut() {
            continue_processes(&std::mem::take(of_server));
        }
    }

    fn lock_stopped(&self) -> MutexGuard<'_, Vec<Vec<Pid>>> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for AlternatingServers {
    fn drop(&mut self) {
        self.end_turns();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::{Child, Command};
    use std::time::{Duration, Instant};

    use rustix::process::{Signal, kill_process};

    use super::*;
    use crate::processes::child_processes;

    /// A process with two that it has started.
    struct Family(Child);

    impl Family {
        fn start() -> Self {
            let family = Self(Command::new("sh").args(["-c", "sleep 60 & sleep 60 & wait"]).spawn().expect("a shell"));
            wait_until(|| child_processes(family.pid()).len() == 2);
            family
        }

        fn pid(&self) -> Pid {
            Pid::from_raw(i32::try_from(self.0.id()).expect("small")).expect("a process")
        }

        /// The states of the process and of those that it has started, as `/proc` has them.
        fn states(&self) -> String {
            let state = |pid: Pid| {
                let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
                stat.rsplit_once(") ").and_then(|(_, fields)| fields.chars().next()).unwrap_or('?')
            };
            [self.pid()].into_iter().chain(child_processes(self.pid())).map(state).collect()
        }
    }

    impl Drop for Family {
        fn drop(&mut self) {
            for pid in child_processes(self.pid()).into_iter().chain([self.pid()]) {
                let _ = kill_process(pid, Signal::KILL);
            }
            let _ = self.0.wait();
        }
    }

    #[track_caller]
    fn wait_until(is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it is not so");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn one_goes_on_the_others_stand_still_and_all_go_on_at_last() {
        let families = [Family::start(), Family::start()];
        let watching = child_processes(families[1].pid())[0];
        let servers = families
            .iter()
            .map(|family| StoppableServer { postmaster: family.pid(), exempt: vec![watching] })
            .collect();
        let alternating = AlternatingServers::from_servers(servers).expect("they are ours");
        for _ in 0..3 {
            alternating.give_turn(0);
            wait_until(|| families[0].states() == "SSS");
            wait_until(|| families[1].states().matches('T').count() == 2 && families[1].states().contains('S'));
            alternating.give_turn(1);
            wait_until(|| families[0].states() == "TTT" && families[1].states() == "SSS");
        }
        drop(alternating);
        wait_until(|| families.iter().all(|family| family.states() == "SSS"));
    }
}
