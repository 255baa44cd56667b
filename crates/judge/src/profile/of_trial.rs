//! The time on a CPU of one trial's mean transaction, divided by its samples.

use std::collections::BTreeMap;

use results::profile::{ProcessKind, Profile};
use results::trial::Trial;

use super::function::FunctionOnCpu;
use crate::budget::{Budget, BudgetPart, ConnectingStep};

/// What stands for time on a CPU that no sample is of.
pub const NOT_SAMPLED: &str = "not sampled";
/// Samples cover less than the time on a CPU where they do by more than so many of their own standard errors, as in the
/// time budget, and by more than [`ALLOWANCE`].
const NOISE: f64 = 3.0;
/// What the clocks of samples and of the kernel's account may differ by, as a share: the tick at which a timer fires is
/// not counted by either alike.
const ALLOWANCE: f64 = 0.03;

/// The samples of a trial by what they were executing.
#[derive(Debug, Clone, Default)]
pub struct CpuProfile {
    /// As it was written.
    pub observed: Profile,
    /// How often each function was seen, by kind of process.
    functions: BTreeMap<ProcessKind, BTreeMap<FunctionOnCpu, u64>>,
}

impl CpuProfile {
    /// Finds out what each sample was executing.
    #[must_use]
    pub fn of_samples(observed: Profile) -> Self {
        let mut functions: BTreeMap<ProcessKind, BTreeMap<FunctionOnCpu, u64>> = BTreeMap::new();
        for processes in &observed.processes {
            let of_kind = functions.entry(processes.kind.clone()).or_default();
            for stack in &processes.stacks {
                if let Some(function) = FunctionOnCpu::of_stack(&observed, stack) {
                    *of_kind.entry(function).or_default() += stack.samples;
                }
            }
        }
        Self { observed, functions }
    }

    /// The kinds of processes that serve the load.
    pub(super) fn kinds_of_load(&self, trial: &Trial) -> &'static [ProcessKind] {
        kinds_of_load(trial, self.functions.contains_key(&ProcessKind::Load))
    }

    /// Milliseconds of CPU time of the load's sessions by the samples alone, for each transaction.
    pub(super) fn sampled_ms(&self, trial: &Trial) -> Option<f64> {
        let samples: u64 = self.functions_of_load(trial).values().sum();
        let load = trial.load.as_ref()?;
        let transactions = (load.transactions + load.failed) as f64;
        let hz = f64::from(self.observed.frequency_hz);
        if samples > 0 && transactions > 0.0 && hz > 0.0 {
            Some(samples as f64 / hz * 1e3 / transactions)
        } else {
            None
        }
    }

    /// How often each function was seen in the sessions of the load.
    fn functions_of_load(&self, trial: &Trial) -> BTreeMap<&FunctionOnCpu, u64> {
        let mut all = BTreeMap::new();
        for kind in self.kinds_of_load(trial) {
            for (function, samples) in self.functions.get(kind).into_iter().flatten() {
                *all.entry(function).or_default() += samples;
            }
        }
        all
    }
}

/// The time on a CPU of a trial's mean transaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TrialOnCpu {
    /// Milliseconds by function.
    pub(crate) functions: BTreeMap<FunctionOnCpu, f64>,
    /// Milliseconds that no sample is of.
    pub(crate) not_sampled_ms: f64,
    /// Samples that it rests on.
    pub(crate) samples: u64,
}

impl TrialOnCpu {
    /// Milliseconds by subsystem.
    pub(crate) fn by_subsystem(&self) -> BTreeMap<&str, f64> {
        let mut all = BTreeMap::new();
        for (function, ms) in &self.functions {
            *all.entry(function.subsystem.as_str()).or_default() += ms;
        }
        all
    }
}

/// The kinds of processes that serve the load; `is_any_known`: some are known to. A session that ends with its
/// transaction is seldom known to be the load's; and where none is known to be, all may be.
pub(crate) fn kinds_of_load(trial: &Trial, is_any_known: bool) -> &'static [ProcessKind] {
    match (has_own_connections(trial), is_any_known) {
        (true, _) => &[ProcessKind::Load, ProcessKind::Backend],
        (false, true) => &[ProcessKind::Load],
        (false, false) => &[ProcessKind::Backend],
    }
}

/// Whether each transaction has a connection of its own. What its session takes before it is let in is CPU time of the
/// session and no part of the budget's time on a CPU, so that only the samples tell how much there is.
pub(crate) fn has_own_connections(trial: &Trial) -> bool {
    let connecting = trial.load.as_ref().and_then(|load| load.connecting);
    connecting.is_some_and(|made| made.part_of_latency == Some(true))
}

/// The CPU time of a trial's mean transaction that its samples divide, in milliseconds: the budget's time on a CPU,
/// which without the kernel's account is that with waiting for one.
pub(crate) fn cpu_time_ms(profile: Option<&CpuProfile>, trial: &Trial, budget: &Budget) -> Option<f64> {
    if has_own_connections(trial) {
        return profile?.sampled_ms(trial);
    }
    [BudgetPart::Running, BudgetPart::OnCpu].iter().find_map(|part| budget.get(part)).copied()
}

/// The parts of a budget that hold the CPU time of a trial.
pub(crate) fn is_cpu_time(part: &BudgetPart, reconnects: bool) -> bool {
    match part {
        BudgetPart::Running | BudgetPart::OnCpu => true,
        BudgetPart::Connecting(ConnectingStep::FirstAnswer | ConnectingStep::Tls | ConnectingStep::Login) => reconnects,
        _ => false,
    }
}

impl TrialOnCpu {
    /// Divides a budget's time on a CPU. None: there is none, or no sample.
    pub(crate) fn divided_time(profile: &CpuProfile, trial: &Trial, on_cpu_ms: f64) -> Option<Self> {
        let functions = profile.functions_of_load(trial);
        let samples: u64 = functions.values().sum();
        let sampled_ms = profile.sampled_ms(trial)?;
        if on_cpu_ms <= 0.0 {
            return None;
        }
        let uncertain = NOISE / (samples as f64).sqrt() + ALLOWANCE;
        let not_sampled_ms = if sampled_ms < on_cpu_ms * (1.0 - uncertain) { on_cpu_ms - sampled_ms } else { 0.0 };
        let sample_ms = (on_cpu_ms - not_sampled_ms) / samples as f64;
        let mut functions_ms = BTreeMap::new();
        for (function, seen) in functions {
            functions_ms.insert(function.clone(), seen as f64 * sample_ms);
        }
        Some(Self { functions: functions_ms, not_sampled_ms, samples })
    }
}

/// 10 s with 8 clients and so many transactions.
#[cfg(test)]
pub(crate) fn trial_of_ten_seconds(transactions: u64) -> Trial {
    let load = serde_json::json!({ "measure_us": 10_000_000, "transactions": transactions, "failed": 0, "unknown": 0,
                       "latency": null, "scripts": {},
                       "engine": { "backend": "epoll", "threads": 1, "cpu_us": 1, "cpu_system_us": null,
                                   "busiest_thread": 0.5, "loop_lag_ns_max": 0 } });
    let cell = serde_json::json!({ "target": "a", "workload": "w", "clients": 8 });
    let trial = serde_json::json!({ "format": 3, "number": 1, "block": 1, "role": "main", "cell": cell, "load": load,
                        "outcome": { "state": "completed" }, "phases": [], "preparation": [], "finishing": [],
                        "settings": {}, "incidents": [] });
    serde_json::from_value(trial).unwrap()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Samples of the load's sessions by function of `postgres`.
    fn profile(functions: &[(&str, u64)]) -> Value {
        let symbols: Vec<Value> =
            functions.iter().map(|(name, _)| json!({ "name": name, "library": "postgres" })).collect();
        let stacks: Vec<Value> = functions
            .iter()
            .enumerate()
            .map(|(place, (_, samples))| json!({ "frames": [place], "samples": samples }))
            .collect();
        let samples: u64 = functions.iter().map(|(_, samples)| samples).sum();
        let load = json!({ "kind": "load", "processes": 4, "samples": samples, "stacks": stacks });
        json!({ "format": 1, "frequency_hz": 100, "took_us": 0, "symbols": symbols, "processes": [load] })
    }

    fn cpu_profile(functions: &[(&str, u64)]) -> CpuProfile {
        CpuProfile::of_samples(serde_json::from_value(profile(functions)).unwrap())
    }

    #[test]
    fn shares_of_samples_are_shares_of_the_time() {
        let profile = cpu_profile(&[("_bt_compare", 600), ("XLogInsertRecord", 400)]);
        // 1000 samples at 100 Hz are 10 s of 5000 transactions: 2 ms.
        let divided = TrialOnCpu::divided_time(&profile, &trial_of_ten_seconds(5_000), 2.0).unwrap();
        assert_eq!(divided.not_sampled_ms, 0.0);
        let by_subsystem = divided.by_subsystem();
        assert!((by_subsystem["index: B-tree"] - 1.2).abs() < 1e-9, "{by_subsystem:?}");
        assert!((by_subsystem["WAL"] - 0.8).abs() < 1e-9);
    }

    #[test]
    fn time_beyond_the_samples_is_not_theirs() {
        let profile = cpu_profile(&[("_bt_compare", 1_000)]);
        let divided = TrialOnCpu::divided_time(&profile, &trial_of_ten_seconds(5_000), 4.0).unwrap();
        assert!((divided.not_sampled_ms - 2.0).abs() < 1e-9, "{divided:?}");
        assert!((divided.functions.values().sum::<f64>() + divided.not_sampled_ms - 4.0).abs() < 1e-9);
        let within_noise = TrialOnCpu::divided_time(&profile, &trial_of_ten_seconds(5_000), 2.1).unwrap();
        assert_eq!(within_noise.not_sampled_ms, 0.0);
    }

    #[test]
    fn without_samples_or_transactions_there_is_nothing() {
        assert_eq!(TrialOnCpu::divided_time(&cpu_profile(&[]), &trial_of_ten_seconds(5_000), 2.0), None);
        assert_eq!(TrialOnCpu::divided_time(&cpu_profile(&[("_bt_compare", 5)]), &trial_of_ten_seconds(0), 2.0), None);
    }
}
