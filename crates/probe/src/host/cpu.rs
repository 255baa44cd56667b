//! `host.cpu`: where the CPU time of the whole machine went, from `/proc/stat`.

use std::path::{Path, PathBuf};

use procfs_core::{ExplicitSystemInfo, FromBufReadSI, KernelStats};
use results::probe_fields::{ProbeField, ProbeName, host_cpu};

use super::HostSource;
use super::proc_file::{self, Malformed, UnreadableFile};
use crate::counter::{Backwards, ReadingValues, counter_increase};

/// Reads `/proc/stat`. Times are summed over all CPUs; `user_us` contains the guests' time, as the kernel counts it.
pub(crate) struct Cpu {
    root: PathBuf,
    ticks_per_s: u64,
}

/// The CPU counters at an instant, times in microseconds.
#[derive(Debug, PartialEq)]
pub(crate) struct CpuSnapshot {
    pub(super) times_us: [(ProbeField, Option<u64>); 8],
    context_switches: u64,
    processes_started: u64,
    processes_runnable: Option<u32>,
    processes_blocked: Option<u32>,
    cpus: usize,
}

impl Cpu {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), ticks_per_s: rustix::param::clock_ticks_per_second() }
    }
}

impl HostSource for Cpu {
    type Snapshot = CpuSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_cpu::PROBE
    }

    fn read_snapshot(&self) -> Result<CpuSnapshot, UnreadableFile> {
        proc_file::read_proc_file(&self.root, "proc/stat", |text| parse_proc_stat(text, self.ticks_per_s))
    }

    /// Subtle: the kernel's `idle` and `iowait` may step back by a little (proc(5)).
    /// Such a second lacks that one figure.
    fn snapshot_difference(before: &CpuSnapshot, after: &CpuSnapshot) -> Result<ReadingValues, Backwards> {
        let mut values = ReadingValues::new();
        for ((field, before), (_, after)) in before.times_us.iter().zip(&after.times_us) {
            let (Some(before), Some(after)) = (before, after) else { continue };
            match counter_increase(field.name, *before, *after) {
                Ok(us) => values.insert(field.name.to_owned(), us),
                Err(_) if matches!(*field, host_cpu::IDLE_US | host_cpu::IOWAIT_US) => continue,
                Err(backwards) => return Err(backwards),
            };
        }
        for (field, before, after) in [
            (host_cpu::CONTEXT_SWITCHES, before.context_switches, after.context_switches),
            (host_cpu::PROCESSES_STARTED, before.processes_started, after.processes_started),
        ] {
            values.insert(field.name.to_owned(), counter_increase(field.name, before, after)?);
        }
        let gauges = [
            (host_cpu::PROCESSES_RUNNABLE, after.processes_runnable),
            (host_cpu::PROCESSES_BLOCKED, after.processes_blocked),
        ];
        for (field, processes) in gauges {
            values.extend(processes.map(|processes| (field.name.to_owned(), f64::from(processes))));
        }
        values.insert(host_cpu::CPUS.name.to_owned(), after.cpus as f64);
        Ok(values)
    }
}

fn parse_proc_stat(text: &str, ticks_per_s: u64) -> Result<CpuSnapshot, Malformed> {
    // Of these only the ticks matter to what is parsed here.
    let system = ExplicitSystemInfo {
        boot_time_secs: 0,
        ticks_per_second: ticks_per_s,
        page_size: 4096,
        is_little_endian: true,
    };
    let stat = KernelStats::from_buf_read(text.as_bytes(), &system)?;
    let us = |ticks: u64| ticks * 1_000_000 / ticks_per_s;
    let total = &stat.total;
    Ok(CpuSnapshot {
        times_us: [
            (host_cpu::USER_US, Some(us(total.user))),
            (host_cpu::NICE_US, Some(us(total.nice))),
            (host_cpu::SYSTEM_US, Some(us(total.system))),
            (host_cpu::IDLE_US, Some(us(total.idle))),
            (host_cpu::IOWAIT_US, total.iowait.map(us)),
            (host_cpu::IRQ_US, total.irq.map(us)),
            (host_cpu::SOFTIRQ_US, total.softirq.map(us)),
            (host_cpu::STEAL_US, total.steal.map(us)),
        ],
        context_switches: stat.ctxt,
        processes_started: stat.processes,
        processes_runnable: stat.procs_running,
        processes_blocked: stat.procs_blocked,
        cpus: stat.cpu_time.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    /// A `/proc/stat` with these CPU ticks and context switches.
    fn stat(cpu: &str, ctxt: u64) -> String {
        format!(
            "cpu  {cpu}\ncpu0 {cpu}\nintr 281256 0 1\nctxt {ctxt}\nbtime 1795171157\nprocesses 100\nprocs_running 2\nprocs_blocked 1\n"
        )
    }

    fn check(before: &str, after: &str) -> Result<ReadingValues, String> {
        let [before, after] =
            [before, after].map(|text| parse_proc_stat(text, 100).map_err(|malformed| malformed.to_string()));
        Cpu::snapshot_difference(&before?, &after?).map_err(|backwards| backwards.to_string())
    }

    #[test]
    fn ticks_become_microseconds_and_gauges_are_those_of_the_end() {
        let values = check(&stat("10 1 20 300 4 5 6 7 0 0", 1000), &stat("110 3 23 304 9 11 13 15 0 0", 1500)).unwrap();
        let expected = [
            ("user_us", 1_000_000.0),
            ("nice_us", 20_000.0),
            ("system_us", 30_000.0),
            ("idle_us", 40_000.0),
            ("iowait_us", 50_000.0),
            ("irq_us", 60_000.0),
            ("softirq_us", 70_000.0),
            ("steal_us", 80_000.0),
            ("context_switches", 500.0),
            ("processes_started", 0.0),
            ("processes_runnable", 2.0),
            ("processes_blocked", 1.0),
            ("cpus", 1.0),
        ];
        assert_every_field(host_cpu::PROBE, &values);
        assert_eq!(values, ReadingValues::from(expected.map(|(name, value)| (name.to_owned(), value))));
    }

    #[test]
    fn an_iowait_that_stepped_back_is_left_out_and_the_rest_stays() {
        let values = check(&stat("10 0 20 300 40 0 0 0 0 0", 1), &stat("20 0 20 300 39 0 0 0 0 0", 1)).unwrap();
        assert!(!values.contains_key("iowait_us"));
        assert_eq!(values["user_us"], 100_000.0);
    }

    #[test]
    fn user_time_that_went_backwards_is_a_gap() {
        let error = check(&stat("10 0 20 300 40 0 0 0 0 0", 1), &stat("9 0 20 300 40 0 0 0 0 0", 1)).unwrap_err();
        assert_eq!(error, "the counter user_us decreased from 100000 to 90000");
    }

    #[test]
    fn a_column_that_an_old_kernel_lacks_is_absent_not_zero() {
        let values = check(&stat("10 0 20 300", 1), &stat("11 0 20 300", 1)).unwrap();
        assert!(!values.contains_key("steal_us"));
    }

    #[test]
    fn a_malformed_line_is_an_error_that_shows_what_was_found() {
        let error = check(&stat("10 0 x20 300", 1), &stat("11 0 20 300", 1)).unwrap_err();
        assert!(error.contains("\"x20\""), "{error}");
        let error = check("cpu  1 2 3 4\n", "").unwrap_err();
        assert_eq!(error, "a line or a column is missing");
    }
}
