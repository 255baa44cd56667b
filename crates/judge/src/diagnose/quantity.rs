//! How much of its cause each side has: one figure, by the same function of every trial of every side, whether or not
//! the other side passes the rule's threshold. "The sides differ" is said of this figure only, never of a threshold
//! that one of them misses by a hair, nor of the time in the parts of a budget that several causes share.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use results::probe_fields::host_server;
use stats::centre::arithmetic_mean;
use stats::estimate::mean_estimate_at;
use stats::stopping::StoppingRule;
use stats::{ClosedInterval, Estimate};

use super::case::DiagnosisCase;
use super::finding::{CaseFinding, FigureAmount, FindingCost, SpentOn};
use super::missing::MissingObservation;
use crate::account::{is_as_good_as_none, log_ratio, log_ratios};
use crate::budget::{Budget, BudgetPart, in_part, is_by_kernel};

/// What a rule measures its cause by.
#[derive(Debug, Clone, Copy)]
pub enum Measure {
    /// The time of the mean transaction that its cost is about, in milliseconds, less what of it is waiting for a CPU:
    /// that grows with the time on a CPU, and with who else wants one. A cost that is nothing but waiting for a CPU is
    /// measured by the [stretch factor](wait_per_cpu_ms).
    Time,
    /// A figure of its own, evaluated trial by trial.
    Figure {
        /// What it is, for a person.
        name: &'static str,
        /// Its unit.
        unit: QuantityUnit,
        /// Of a case of one trial.
        of: fn(&DiagnosisCase<'_>) -> Result<f64, MissingObservation>,
    },
    /// A side has it or has it not.
    Fact,
}

/// The unit of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantityUnit {
    /// A share, 0 to 1.
    Share,
    /// Milliseconds.
    Ms,
    /// A number of things.
    Count,
    /// Things per second.
    PerS,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerS,
}

impl QuantityUnit {
    /// A figure with this unit.
    pub fn amount_of_figure(self, figure: f64) -> FigureAmount {
        match self {
            Self::Share => FigureAmount::Share(figure),
            Self::Ms => FigureAmount::Ms(figure),
            Self::Count => FigureAmount::Count(figure),
            Self::PerS => FigureAmount::PerS(figure),
            Self::Bytes => FigureAmount::Bytes(figure),
            Self::BytesPerS => FigureAmount::BytesPerS(figure),
        }
    }
}

/// A quantity of all sides at one place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlaceQuantity {
    pub(super) name: &'static str,
    pub(super) unit: QuantityUnit,
    /// By the trial's number.
    by_trial: BTreeMap<u32, f64>,
}

/// A quantity of one side beside another.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantityComparison {
    /// What was measured.
    pub name: &'static str,
    /// Its unit.
    pub unit: QuantityUnit,
    /// Here, the mean over the trials.
    pub here: f64,
    /// The target that it is compared with.
    pub other: String,
    /// There.
    pub there: f64,
    /// Here over there, as the mean logarithm over the blocks; absent with fewer than two.
    pub log_ratio: Option<Estimate>,
    /// Here less there, as the mean over the blocks; absent with fewer than two.
    pub difference: Option<Estimate>,
}

/// How a quantity of one side is to that of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    /// Surely more, and by enough to matter.
    More,
    /// Surely less, and by enough to matter.
    Less,
    /// By too little to matter.
    Alike,
    /// What is between them may be chance.
    Unsure,
}

/// From this ratio of a quantity on a difference matters. What is 10 % more of all of a transaction is 10 % of its
/// latency, from which on rules ask for a reason; two equal servers beside each other come to less than that when one
/// of them has the better places on the CPUs.
const MATTERS: f64 = 1.1;

/// Up to this share of the other side's, a quantity is little beside it.
const LITTLE: f64 = 0.25;

impl PlaceQuantity {
    /// The quantity of what a rule found; none of a fact, and where nothing was read.
    pub(super) fn from_measure(measure: Measure, case: &DiagnosisCase<'_>, found: &CaseFinding) -> Option<Self> {
        match measure {
            Measure::Time => Self::of_finding_time(case, found),
            Measure::Figure { name, unit, of } => Self::evaluate_by_trial(name, unit, case, |one| of(one).ok()),
            Measure::Fact => None,
        }
    }

    /// [`wait_per_cpu_ms`] where the time of a finding is nothing but waiting for a CPU.
    pub(super) fn of_cpu_wait_stretch(case: &DiagnosisCase<'_>, found: &CaseFinding) -> Option<Self> {
        if !waits_only(found) {
            return None;
        }
        Self::evaluate_by_trial("CPU wait per ms of CPU time", QuantityUnit::Ms, case, |one| {
            wait_per_cpu_ms(one.trials()[0].budget.as_ref()?)
        })
    }

    /// The share that others take of the CPU time that the server and its load leave: an equal neighbour takes more
    /// beside a side that uses less.
    pub(super) fn of_neighbours_share_of_rest(case: &DiagnosisCase<'_>) -> Option<Self> {
        Self::evaluate_by_trial(
            "share of other processes in the CPU time left to them",
            QuantityUnit::Share,
            case,
            |one| {
                let foreign = one.foreign_cpu().ok()?;
                let left = foreign + 1.0 - one.cpu_busy().ok()?;
                (left > 0.0).then(|| foreign / left)
            },
        )
    }

    /// [`cpu_demand`] of all sides at the place of a case.
    pub(super) fn of_cpu_demand(case: &DiagnosisCase<'_>) -> Option<Self> {
        Self::evaluate_by_trial("CPU demand of a session", QuantityUnit::Count, case, cpu_demand)
    }

    /// [`cpu_per_timeslice_ms`] of all sides at the place of a case.
    pub(super) fn of_cpu_per_timeslice(case: &DiagnosisCase<'_>) -> Option<Self> {
        Self::evaluate_by_trial("CPU time per timeslice", QuantityUnit::Ms, case, cpu_per_timeslice_ms)
    }

    /// [`own_wakeups_per_s`] of all sides at the place of a case.
    pub(super) fn of_own_wakeups(case: &DiagnosisCase<'_>) -> Option<Self> {
        Self::evaluate_by_trial(
            "timeslices of the server's other processes",
            QuantityUnit::PerS,
            case,
            own_wakeups_per_s,
        )
    }

    /// [`wait_per_timeslice_ms`] of all sides at the place of a case.
    pub(super) fn of_wait_per_timeslice(case: &DiagnosisCase<'_>) -> Option<Self> {
        Self::evaluate_by_trial("CPU wait per timeslice", QuantityUnit::Ms, case, wait_per_timeslice_ms)
    }

    fn of_finding_time(case: &DiagnosisCase<'_>, found: &CaseFinding) -> Option<Self> {
        if waits_only(found) {
            return Self::of_cpu_wait_stretch(case, found);
        }
        let FindingCost::Latency(spent) = &found.cost else { return None };
        let by_kernel = case.each_trial().all(|one| one.trials()[0].budget.as_ref().is_none_or(is_by_kernel));
        let (SpentOn::Parts(parts) | SpentOn::Within { parts, .. }) = &spent.of;
        let name = match by_kernel && parts.contains(&BudgetPart::WaitingForCpu) {
            true => "time of this cause per transaction, without waiting for a CPU",
            false => "time of this cause per transaction",
        };
        Self::evaluate_by_trial(name, QuantityUnit::Ms, case, |one| {
            let measured = &one.trials()[0];
            let budget = measured.budget.as_ref()?;
            let of_work = parts.iter().filter(|part| !(by_kernel && **part == BudgetPart::WaitingForCpu));
            let work: f64 = of_work.map(|part| in_part(budget, part)).sum();
            match &spent.of {
                SpentOn::Parts(_) => Some(work),
                SpentOn::Within { ms, .. } => {
                    let all: f64 = parts.iter().map(|part| in_part(budget, part)).sum();
                    let ms = ms.get(&measured.trial.number)?;
                    Some(if all > 0.0 { ms * work / all } else { *ms })
                }
            }
        })
    }

    fn evaluate_by_trial(
        name: &'static str,
        unit: QuantityUnit,
        case: &DiagnosisCase<'_>,
        of: impl Fn(&DiagnosisCase<'_>) -> Option<f64>,
    ) -> Option<Self> {
        let figures = case.each_trial().filter_map(|one| Some((one.trials()[0].trial.number, of(&one)?)));
        let by_trial: BTreeMap<u32, f64> = figures.filter(|(_, figure)| figure.is_finite()).collect();
        (!by_trial.is_empty()).then_some(Self { name, unit, by_trial })
    }

    /// One side beside another; none where either was not read.
    pub(super) fn compare_sides(
        &self,
        here: &DiagnosisCase<'_>,
        there: &DiagnosisCase<'_>,
        rule: &StoppingRule,
    ) -> Option<QuantityComparison> {
        let sides = [here, there].map(|case| {
            let trials = case.trials().iter();
            let figures = trials.filter_map(|one| Some((one.trial.block, *self.by_trial.get(&one.trial.number)?)));
            figures.map(|(block, figure)| (block, figure.max(0.0))).collect::<BTreeMap<u32, f64>>()
        });
        let [of_here, of_there] = sides.each_ref().map(|side| arithmetic_mean(side.values()));
        let (of_here, of_there) = (of_here?, of_there?);
        let (mut both, mut differences) = (Vec::new(), Vec::new());
        for (block, one) in &sides[0] {
            if let Some(of_other) = sides[1].get(block) {
                both.push([*one, *of_other]);
                differences.push(one - of_other);
            }
        }
        let logs = log_ratios(&both);
        let other = there.cell().target.clone();
        Some(QuantityComparison {
            name: self.name,
            unit: self.unit,
            here: of_here,
            other,
            there: of_there,
            log_ratio: mean_estimate_at(&logs, rule.level_at(logs.len())),
            difference: mean_estimate_at(&differences, rule.level_at(differences.len())),
        })
    }
}

impl QuantityComparison {
    /// Here over there; none where one of them has as good as none of it.
    pub fn ratio_estimate(&self) -> Option<Estimate> {
        let Estimate { point, interval, n } = self.log_ratio?;
        if is_as_good_as_none(self.here, self.there) {
            return None;
        }
        let interval = ClosedInterval { low: interval.low.exp(), high: interval.high.exp() };
        Some(Estimate { point: point.exp(), interval, n })
    }

    /// Whether one of them surely has more of it, and by enough to matter.
    pub fn surely_differs(&self) -> bool {
        matches!(self.compare_to_other(), Compared::More | Compared::Less)
    }

    /// Whether both have as much of it, as far as it matters.
    pub fn is_alike(&self) -> bool {
        self.compare_to_other() == Compared::Alike
    }

    /// Whether one side has little of it beside the other, and that surely: how little varies by multiples from block
    /// to block, which decides a mean logarithm and says nothing.
    fn is_far_apart(&self) -> bool {
        let is_little = self.here.min(self.there) <= LITTLE * self.here.max(self.there);
        is_little && self.difference.is_some_and(|difference| !difference.interval.contains(0.0))
    }

    pub(super) fn compare_to_other(&self) -> Compared {
        let (point, is_sure) = match &self.log_ratio {
            Some(ratio) => (ratio.point, !ratio.interval.contains(0.0) || self.is_far_apart()),
            None => (log_ratio(self.here, self.there), false),
        };
        if point.abs() < MATTERS.ln() {
            return Compared::Alike;
        }
        match (is_sure, point.total_cmp(&0.0)) {
            (false, _) => Compared::Unsure,
            (true, Ordering::Greater) => Compared::More,
            (true, Ordering::Less | Ordering::Equal) => Compared::Less,
        }
    }
}

/// Whether the time of a finding is waiting for a CPU, and nothing else.
pub(super) fn waits_only(found: &CaseFinding) -> bool {
    let Some(parts) = found.cost.parts_of_budget() else { return false };
    !parts.is_empty() && parts.iter().all(|part| *part == BudgetPart::WaitingForCpu)
}

/// The stretch factor of a trial: milliseconds of waiting for a CPU for each millisecond on one. Who needs twice the
/// CPU time waits twice as long for it beside the same neighbours; what the neighbours change is this. None where the
/// kernel does not tell them apart, or nothing was executed.
pub(super) fn wait_per_cpu_ms(budget: &Budget) -> Option<f64> {
    let running_ms = in_part(budget, &BudgetPart::Running);
    (is_by_kernel(budget) && running_ms > 0.0).then(|| in_part(budget, &BudgetPart::WaitingForCpu) / running_ms)
}

/// The CPUs that a session and its parallel workers would use if no process waited for one. Where a side demands more,
/// its sessions wait longer for each millisecond on a CPU beside the same neighbours, and without any. None where the
/// kernel does not tell waiting from running, or nothing but waiting was seen.
fn cpu_demand(case: &DiagnosisCase<'_>) -> Option<f64> {
    let budget = case.trials()[0].budget.as_ref()?;
    let all_ms: f64 = budget.values().sum();
    let (running_ms, waiting_ms) = (in_part(budget, &BudgetPart::Running), in_part(budget, &BudgetPart::WaitingForCpu));
    if !is_by_kernel(budget) || waiting_ms >= all_ms {
        return None;
    }
    // Of a server that sides share only the load's processes are known: then they are all that is counted.
    let processes = server_cpu_of_load(case).unwrap_or(1.0);
    Some(processes * running_ms / (all_ms - waiting_ms))
}

/// How long a session of the load waits each time until it is given a CPU. Where sessions block more often, as for
/// reads from a disk, they queue more often, and wait longer for each millisecond on a CPU beside the same neighbours.
/// None where the kernel's account is not known, as of runs before it was read.
fn wait_per_timeslice_ms(case: &DiagnosisCase<'_>) -> Option<f64> {
    for (delay_us, timeslices) in [
        (host_server::LOAD_RUN_DELAY_US, host_server::LOAD_TIMESLICES),
        (host_server::BACKENDS_RUN_DELAY_US, host_server::BACKENDS_TIMESLICES),
    ] {
        if let (Ok(delay_us), Ok(timeslices)) = (case.counter_rate_per_s(delay_us), case.counter_rate_per_s(timeslices))
            && timeslices > 0.0
        {
            return Some(delay_us / 1e3 / timeslices);
        }
    }
    None
}

/// How long a session of the load runs each time that it is given a CPU. Who runs until the slice ends waits for its
/// turn beside a neighbour; who sleeps in between is let in before it. None as above.
fn cpu_per_timeslice_ms(case: &DiagnosisCase<'_>) -> Option<f64> {
    let cpu_us = case.counter_rate_per_s(host_server::LOAD_CPU_US).ok()?;
    let timeslices = case.counter_rate_per_s(host_server::LOAD_TIMESLICES).ok()?;
    (timeslices > 0.0).then(|| cpu_us / 1e3 / timeslices)
}

/// How often processes of the server that are not the load's sessions are given a CPU, per second: those that the load
/// wakes stand in its way. None as above.
fn own_wakeups_per_s(case: &DiagnosisCase<'_>) -> Option<f64> {
    let [backends, others, load] =
        [host_server::BACKENDS_TIMESLICES, host_server::OTHERS_TIMESLICES, host_server::LOAD_TIMESLICES]
            .map(|field| case.counter_rate_per_s(field).ok());
    Some((backends? + others? - load?).max(0.0))
}

/// The CPU time of the whole server over that of the load's sessions.
fn server_cpu_of_load(case: &DiagnosisCase<'_>) -> Option<f64> {
    let [backends, others, ended, load] =
        [host_server::BACKENDS_CPU_US, host_server::OTHERS_CPU_US, host_server::ENDED_CPU_US, host_server::LOAD_CPU_US]
            .map(|field| case.counter_rate_per_s(field).ok());
    let load = load.filter(|us| *us > 0.0)?;
    Some(((backends? + others? + ended.unwrap_or_default()) / load).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(here: f64, there: f64, log: Option<[f64; 3]>) -> QuantityComparison {
        let log_ratio = log.map(|[low, point, high]| Estimate { point, interval: ClosedInterval { low, high }, n: 3 });
        QuantityComparison {
            name: "rows",
            unit: QuantityUnit::Count,
            here,
            other: "db".to_owned(),
            there,
            log_ratio,
            difference: None,
        }
    }

    #[test]
    fn what_one_side_has_little_of_differs_by_the_difference() {
        let interval =
            |low: f64, high: f64| Some(Estimate { point: 0.9, interval: ClosedInterval { low, high }, n: 3 });
        let of = |there: f64, difference: Option<Estimate>| QuantityComparison {
            difference,
            ..beside(1.0, there, Some([-0.1, 2.0, 4.1]))
        };
        assert_eq!(of(0.1, interval(0.8, 1.0)).compare_to_other(), Compared::More);
        assert_eq!(of(0.1, interval(-0.1, 1.9)).compare_to_other(), Compared::Unsure);
        assert_eq!(of(0.5, interval(0.4, 0.6)).compare_to_other(), Compared::Unsure, "not little: the ratios decide");
    }

    #[test]
    fn a_quantity_differs_only_where_the_interval_excludes_one_and_the_ratio_matters() {
        for (log, expected) in [
            ([0.4, 0.5, 0.6], Compared::More),
            ([-0.6, -0.5, -0.4], Compared::Less),
            ([-0.1, 0.5, 1.1], Compared::Unsure),
            ([0.03, 0.05, 0.07], Compared::Alike),
        ] {
            assert_eq!(beside(2.0, 1.0, Some(log)).compare_to_other(), expected, "{log:?}");
        }
        assert_eq!(beside(2.0, 1.0, None).compare_to_other(), Compared::Unsure, "of one block nothing is sure");
        assert_eq!(beside(0.0, 0.0, None).compare_to_other(), Compared::Alike);
    }

    #[test]
    fn the_stretch_factor_needs_the_kernel_s_account() {
        let told = Budget::from([(BudgetPart::Running, 2.0), (BudgetPart::WaitingForCpu, 3.0)]);
        assert_eq!(wait_per_cpu_ms(&told), Some(1.5));
        assert_eq!(wait_per_cpu_ms(&Budget::from([(BudgetPart::OnCpu, 5.0)])), None);
    }
}
