//! CPU time of the calling thread: the total to the nanosecond, the kernel's part as exactly as the kernel counts it,
//! and how long the thread had to wait for a CPU.

use crate::engine::clock::SECOND_NS;
use crate::engine::schedstat::Schedstat;
use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Reads what the calling thread has used since the last reading.
#[derive(Debug)]
pub(crate) struct ThreadCpu {
    /// `/proc/thread-self/stat`, or none where `/proc` is not mounted.
    stat: Option<File>,
    schedstat: Schedstat,
    total_ns: u64,
    system_ns: u64,
    run_delay_ns: u64,
}

/// CPU time used between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CpuUsed {
    pub(crate) total_ns: u64,
    /// Spent in the kernel, if that is known.
    pub(crate) system_ns: Option<u64>,
    /// Runnable, but on no CPU, if that is known.
    pub(crate) run_delay_ns: Option<u64>,
}

impl CpuUsed {
    /// None at all.
    pub(crate) const NOTHING: CpuUsed = CpuUsed { total_ns: 0, system_ns: Some(0), run_delay_ns: Some(0) };

    /// Together with that of a later time. What is not known of both is not known of their sum.
    pub(crate) fn plus_later(self, later: CpuUsed) -> CpuUsed {
        CpuUsed {
            total_ns: self.total_ns + later.total_ns,
            system_ns: self.system_ns.zip(later.system_ns).map(|(so_far, more)| so_far + more),
            run_delay_ns: self.run_delay_ns.zip(later.run_delay_ns).map(|(so_far, more)| so_far + more),
        }
    }
}

impl ThreadCpu {
    /// Begins now, for the calling thread.
    pub(crate) fn new() -> ThreadCpu {
        let (stat, schedstat) = (File::open("/proc/thread-self/stat").ok(), Schedstat::open());
        let mut cpu = ThreadCpu { stat, schedstat, total_ns: 0, system_ns: 0, run_delay_ns: 0 };
        cpu.take_cpu_used();
        cpu
    }

    /// What was used since the last call. Allocates nothing.
    pub(crate) fn take_cpu_used(&mut self) -> CpuUsed {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        let total_ns = time.tv_sec as u64 * SECOND_NS + time.tv_nsec as u64;
        // The ticks only say in which proportion to split the exact total. An estimate that falls back behind an
        // earlier one is held there, so that the parts of a run add up to its whole.
        let system_ns = self.read_ticks().map(|ticks| system_part(total_ns, ticks).max(self.system_ns));
        let run_delay_ns = self.schedstat.read_scheduled().map(|scheduled| scheduled.run_delay_ns);
        let used = CpuUsed {
            total_ns: total_ns - self.total_ns,
            system_ns: system_ns.map(|system_ns| (system_ns - self.system_ns).min(total_ns - self.total_ns)),
            run_delay_ns: run_delay_ns.map(|delay_ns| delay_ns.saturating_sub(self.run_delay_ns)),
        };
        self.run_delay_ns = run_delay_ns.unwrap_or(self.run_delay_ns);
        self.total_ns = total_ns;
        self.system_ns += used.system_ns.unwrap_or(0);
        used
    }

    fn read_ticks(&self) -> Option<Ticks> {
        let mut line = [0; 1024];
        let length = self.stat.as_ref()?.read_at(&mut line, 0).ok()?;
        parse_ticks(&line[..length])
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ticks {
    user: u64,
    system: u64,
}

/// Fields 14 and 15 of proc_pid_stat(5). The second field, a name in parentheses, may contain anything.
fn parse_ticks(line: &[u8]) -> Option<Ticks> {
    let after_name = line.iter().rposition(|&byte| byte == b')')? + 1;
    let mut fields = str::from_utf8(&line[after_name..]).ok()?.split_ascii_whitespace().skip(11);
    Some(Ticks { user: fields.next()?.parse().ok()?, system: fields.next()?.parse().ok()? })
}

fn system_part(total_ns: u64, ticks: Ticks) -> u64 {
    match ticks.user + ticks.system {
        0 => 0,
        all => (u128::from(total_ns) * u128::from(ticks.system) / u128::from(all)) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ticks_are_found_behind_a_hostile_thread_name() {
        let line = b"7 (a) b ( c) S 1 7 7 0 -1 4194304 90 0 0 0 31 69 0 0 20 0 1 0 5 0 0 184\n";
        assert_eq!(parse_ticks(line), Some(Ticks { user: 31, system: 69 }));
        assert_eq!(parse_ticks(b"7 (load) S 1"), None);
    }

    #[test]
    fn the_total_is_split_in_the_proportion_of_the_ticks() {
        assert_eq!(system_part(1_000, Ticks { user: 1, system: 3 }), 750);
        assert_eq!(system_part(1_000, Ticks { user: 0, system: 0 }), 0);
    }

    #[test]
    fn work_shows_as_cpu_time_and_the_system_part_never_exceeds_the_total() {
        let mut cpu = ThreadCpu::new();
        let mut used = CpuUsed::default();
        let mut random = work::Random::new(1);
        while used.total_ns < 20_000_000 {
            (0..100_000).for_each(|_| assert!(random.up_to(3) <= 3));
            let lap = cpu.take_cpu_used();
            assert!(lap.system_ns.is_none_or(|system| system <= lap.total_ns));
            used.total_ns += lap.total_ns;
        }
    }
}
