//! What the machine itself suffers while the lab runs: CPU time that its hypervisor gives to others, which nobody
//! injected. Read by the lab itself, so that a finding of it can be told from a false one.

use std::fs;

/// From this share of the CPU time that was wanted on, a finding of stolen time is right. Below what the rule asks for,
/// since the lab reads the whole case, set-up included, and the rule the seconds that were measured.
const REAL: f64 = 0.02;

/// The rule that finds it.
pub const RULE: &str = "cpu-stolen";

/// Counters of `/proc/stat` (proc_stat(5)), in ticks.
pub struct Stolen {
    busy: u64,
    stolen: u64,
}

impl Stolen {
    /// As they are now.
    pub fn now() -> Self {
        let text = fs::read_to_string("/proc/stat").expect("/proc/stat");
        let line = text.lines().next().expect("the line of all CPUs");
        let ticks: Vec<u64> = line.split_whitespace().skip(1).map(|ticks| ticks.parse().expect("a number")).collect();
        // user, nice, system, idle, iowait, irq, softirq, steal
        Self { busy: ticks[..3].iter().chain(&ticks[5..7]).sum(), stolen: ticks[7] }
    }

    /// The share of the CPU time wanted since then that was stolen, if that is enough to be found.
    pub fn since(&self) -> Option<f64> {
        let now = Self::now();
        let stolen = now.stolen.saturating_sub(self.stolen) as f64;
        let wanted = stolen + now.busy.saturating_sub(self.busy) as f64;
        Some(stolen / wanted).filter(|share| *share >= REAL)
    }
}
