//! `host.foreign`: CPU time of the machine that neither the server nor pgdyno used: a noisy neighbour's, if there is one.
//!
//! What is left of the whole machine's time (`/proc/stat`) when the postmaster's children and pgdyno with its own children are
//! taken off. Time in interrupts is nobody's. Promises nothing below some 2 % of a CPU: the kernel counts the whole in ticks and a
//! process that ended within the interval is not taken off.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Source;
use super::proc_file::{self, Malformed, Unreadable};
use crate::counter::{Backwards, Values, increase};

/// From this share of a CPU on the processes are read one by one, so that the busiest can be named.
const WORTH_A_NAME: f64 = 0.1;

/// Reads the machine's time and that of the processes to be taken off.
pub(crate) struct Foreign {
    root: PathBuf,
    postmaster: u32,
    ticks_per_s: u64,
    /// What was foreign at the last reading, so that it can be seen whether names are wanted.
    before: Mutex<Option<Seen>>,
}

/// Times in ticks.
#[derive(Debug, Clone, Copy)]
struct Seen {
    whole: u64,
    own: u64,
    at: std::time::Instant,
}

/// The machine at an instant.
pub(crate) struct Snapshot {
    /// User, nice and system time of the whole machine, in microseconds.
    whole_us: u64,
    /// By process: the server's and pgdyno's, in microseconds.
    own_us: BTreeMap<u32, u64>,
    /// By process: name and time of all others, where they are worth a name.
    others: Option<BTreeMap<u32, (String, u64)>>,
}

impl Foreign {
    pub(crate) fn new(root: &Path, postmaster: u32) -> Self {
        let ticks_per_s = rustix::param::clock_ticks_per_second();
        Self { root: root.to_owned(), postmaster, ticks_per_s, before: Mutex::new(None) }
    }

    /// Name and time of a process; none when it has ended.
    fn process(&self, pid: u32) -> Option<(String, u64)> {
        let stat = proc_file::read(&self.root, &format!("proc/{pid}/stat"), process).ok()?;
        Some((stat.0, stat.1))
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        let tasks = self.root.join(format!("proc/{pid}/task"));
        let threads = std::fs::read_dir(tasks).into_iter().flatten().flatten();
        let of_thread = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).ok();
        let lists: Vec<String> = threads.filter_map(of_thread).collect();
        lists.iter().flat_map(|list| list.split_whitespace()).filter_map(|pid| pid.parse().ok()).collect()
    }

    /// The server's processes and pgdyno's; not the servers that pgdyno keeps besides, below their supervisors.
    fn own(&self) -> Vec<u32> {
        let this = std::process::id();
        let server = self.children(self.postmaster);
        [self.postmaster, this].into_iter().chain(server).chain(self.children(this)).collect()
    }

    fn others(&self, own: &BTreeMap<u32, u64>) -> BTreeMap<u32, (String, u64)> {
        let entries = std::fs::read_dir(self.root.join("proc")).into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| !own.contains_key(pid)).filter_map(|pid| Some((pid, self.process(pid)?))).collect()
    }

    /// Whether so much was foreign since the last reading that its processes are worth a name.
    fn is_worth_a_name(&self, whole: u64, own: u64) -> bool {
        let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Seen { whole, own, at: std::time::Instant::now() };
        let Some(seen) = before.replace(now) else { return false };
        let foreign = (whole.saturating_sub(seen.whole)).saturating_sub(own.saturating_sub(seen.own));
        let ticks = now.at.duration_since(seen.at).as_secs_f64() * self.ticks_per_s as f64;
        foreign as f64 > WORTH_A_NAME * ticks
    }
}

impl Source for Foreign {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "host.foreign"
    }

    fn read(&self) -> Result<Snapshot, Unreadable> {
        let whole = proc_file::read(&self.root, "proc/stat", whole)?;
        let pids = self.own();
        let own: BTreeMap<u32, u64> = pids.into_iter().filter_map(|pid| Some((pid, self.process(pid)?.1))).collect();
        let wanted = self.is_worth_a_name(whole, own.values().sum());
        let others = wanted.then(|| self.others(&own));
        let us = |ticks: u64| ticks * 1_000_000 / self.ticks_per_s;
        Ok(Snapshot {
            whole_us: us(whole),
            own_us: own.into_iter().map(|(pid, ticks)| (pid, us(ticks))).collect(),
            others: others.map(|all| all.into_iter().map(|(pid, (name, ticks))| (pid, (name, us(ticks)))).collect()),
        })
    }

    /// `cpu_us`, and `cpu_us_of_NAME` of what is worth a name: processes of one name together.
    fn difference(before: &Snapshot, after: &Snapshot) -> Result<Values, Backwards> {
        let whole = increase("user and system time", before.whole_us, after.whole_us)?;
        let increases =
            after.own_us.iter().map(|(pid, us)| us.saturating_sub(before.own_us.get(pid).copied().unwrap_or(0)));
        let own = increases.sum::<u64>() as f64;
        // Two accounts of the same time, of which one is in ticks: a little less than nothing is nothing.
        let mut values = Values::from([("cpu_us".to_owned(), (whole - own).max(0.0))]);
        if let (Some(before), Some(after)) = (&before.others, &after.others) {
            for (pid, (name, us)) in after {
                let used = us.saturating_sub(before.get(pid).map_or(0, |(_, us)| *us));
                if used > 0 {
                    *values.entry(format!("cpu_us_of_{name}")).or_insert(0.0) += used as f64;
                }
            }
        }
        Ok(values)
    }
}

/// User, nice and system time of all CPUs, in ticks: the first, second and third number of the first line.
fn whole(text: &str) -> Result<u64, Malformed> {
    let line = text.lines().next().and_then(|line| line.strip_prefix("cpu "));
    let numbers: Option<Vec<u64>> =
        line.map(|line| line.split_whitespace().take(3).filter_map(|number| number.parse().ok()).collect());
    match numbers.as_deref() {
        Some([user, nice, system]) => Ok(user + nice + system),
        Some(_) | None => Err(Malformed("it does not begin with the times of all CPUs".to_owned())),
    }
}

/// Name, and user and system time in ticks: fields 2, 14 and 15 of proc_pid_stat(5). The name may contain anything.
fn process(text: &str) -> Result<(String, u64), Malformed> {
    let malformed = || Malformed("it is no line of a process".to_owned());
    let (begin, rest) = text.rsplit_once(") ").ok_or_else(malformed)?;
    let (_, name) = begin.split_once('(').ok_or_else(malformed)?;
    let mut times = rest.split_whitespace().skip(11).map(str::parse::<u64>);
    match (times.next(), times.next()) {
        (Some(Ok(user)), Some(Ok(system))) => Ok((name.to_owned(), user + system)),
        _ => Err(malformed()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_behind_a_hostile_name() {
        let line = "7 (a) b ( c) S 1 7 7 0 -1 4194304 90 0 0 0 31 69 0 0 20 0 1 0 5 0 0 184\n";
        assert_eq!(process(line), Ok(("a) b ( c".to_owned(), 100)));
        assert!(process("7 (x) S 1").is_err());
        assert_eq!(whole("cpu  10 1 20 300 4 5 6 7 0 0\ncpu0 1\n"), Ok(31));
        assert!(whole("intr 5\n").is_err());
    }

    fn at(whole_us: u64, own: &[(u32, u64)], others: Option<&[(u32, &str, u64)]>) -> Snapshot {
        let others = others.map(|all| all.iter().map(|(pid, name, us)| (*pid, ((*name).to_owned(), *us))).collect());
        Snapshot { whole_us, own_us: own.iter().copied().collect(), others }
    }

    #[test]
    fn foreign_time_is_what_the_server_and_pgdyno_leave_and_its_processes_are_named() {
        let before = at(1_000, &[(1, 100), (2, 50)], Some(&[(8, "stress", 10), (9, "stress", 10)]));
        let after = at(2_000, &[(1, 200), (3, 40)], Some(&[(8, "stress", 400), (9, "stress", 200), (10, "idle", 0)]));
        let values = Foreign::difference(&before, &after).unwrap();
        assert_eq!(values, Values::from([("cpu_us".to_owned(), 860.0), ("cpu_us_of_stress".to_owned(), 580.0)]));
        let unnamed = Foreign::difference(&at(0, &[], None), &at(10, &[(1, 20)], None)).unwrap();
        assert_eq!(unnamed, Values::from([("cpu_us".to_owned(), 0.0)]));
    }
}
