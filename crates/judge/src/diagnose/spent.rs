//! What something costs: time of the mean transaction in some parts of the time budget, with its interval.

use std::collections::BTreeSet;

use catalog::{WaitResource, wait_resource};
use results::activity::{SampledSessions, WaitEvent};
use results::probe_fields::host_server;
use results::workload::StatementNumber;
use stats::Estimate;
use stats::batch_means::within_trial;
use stats::centre::arithmetic_mean;
use stats::divisia::{WholesWithPart, share_of_change};
use stats::estimate::{mean_estimate, share_estimate};
use stats::positive::{mean_of_part, mean_to_level, scale_estimate};

use super::case::{DiagnosisCase, MeasuredTrial};
use super::finding::{FindingCost, SpentOn, SpentTime};
use super::missing::MissingObservation;
use super::quantity::wait_per_cpu_ms;
use crate::account::log_ratio;
use crate::budget::{Budget, BudgetPart, in_part, is_by_kernel};
use crate::codes::{RuleThreshold, ThresholdUnit};
use crate::commits::{Commit, commits_of_scripts};
use crate::compare::Metric;

/// From this share of the other side's latency on, executing that takes so much longer asks for a reason: sides of
/// equal worth have none.
const LONGER: f64 = 0.1;

/// From this share of the longer latency on that is of some statements, they are where to look.
const MOST: f64 = 0.5;

/// What [`DiagnosisCase::executes_longer_than`] asks for, for the codes of the rules that ask it.
pub(super) const EXECUTES_LONGER: RuleThreshold = RuleThreshold::at_least(
    "additional execution time, relative to the other side's latency",
    LONGER,
    ThresholdUnit::Share,
);

/// What [`DiagnosisCase::statements_take_longer_than`] asks for.
pub(super) const STATEMENTS_TAKE_LONGER: RuleThreshold = RuleThreshold::at_least(
    "additional time of these statements, relative to the other side's latency",
    LONGER,
    ThresholdUnit::Share,
);

/// What [`DiagnosisCase::statements_make_the_difference`] asks for beside it.
pub(super) const STATEMENTS_EXPLAIN: RuleThreshold =
    RuleThreshold::at_least("this time as a share of the additional latency", MOST, ThresholdUnit::Share);

impl DiagnosisCase<'_> {
    /// The time of the mean transaction in the parts for which `is` holds.
    ///
    /// Over trials the interval is Student's. Of a single trial it is that of the sessions seen in those parts, second
    /// by second where the trial is long enough, else of the samples themselves: within this trial only, and n is 1.
    pub fn time_in(&self, is: impl Fn(&BudgetPart) -> bool) -> Result<SpentTime, MissingObservation> {
        let budgets: Vec<(&MeasuredTrial<'_>, &Budget)> =
            self.trials().iter().filter_map(|measured| Some((measured, measured.budget.as_ref()?))).collect();
        // What only the kernel tells apart is not no time where it did not.
        if is(&BudgetPart::WaitingForCpu)
            && !is(&BudgetPart::OnCpu)
            && !budgets.iter().all(|(_, budget)| is_by_kernel(budget))
        {
            return Err(self.missing_field(host_server::BACKENDS_RUN_DELAY_US));
        }
        let figures: Vec<f64> = budgets.iter().map(|(_, budget)| time_in_parts_ms(budget, &is)).collect();
        let latencies: Vec<f64> = budgets.iter().map(|(_, budget)| budget.values().sum()).collect();
        let latency: f64 = latencies.iter().sum();
        let ms = match budgets.as_slice() {
            [] => return Err(self.missing_session_samples()),
            [(measured, _)] => of_one(measured, figures[0], &is),
            _ => mean_of_part(&figures),
        };
        // As the parts of the pair's budget, so that they are the same figures.
        let ms = scale_estimate(&ms.ok_or_else(|| self.missing_session_samples())?, mean_to_level(&latencies));
        let change_ms = self.more_than_the_least(|measured| Some(time_in_parts_ms(measured.budget.as_ref()?, &is)));
        let of = SpentOn::Parts(self.parts_everywhere(&is));
        Ok(SpentTime { ms, share: figures.iter().sum::<f64>() / latency, change_ms, of })
    }

    /// Milliseconds of the mean transaction in the parts for which `is` holds; none without a budget.
    pub(super) fn mean_ms_in(&self, is: impl Fn(&BudgetPart) -> bool) -> Option<f64> {
        let budgets = self.trials().iter().filter_map(|measured| measured.budget.as_ref());
        arithmetic_mean(budgets.map(|budget| time_in_parts_ms(budget, &is)))
    }

    /// The parts for which `is` holds in the budgets of any side here.
    fn parts_everywhere(&self, is: impl Fn(&BudgetPart) -> bool) -> BTreeSet<BudgetPart> {
        let budgets = self.trials_of_all_sides().filter_map(|measured| measured.budget.as_ref());
        budgets.flat_map(|budget| budget.keys()).filter(|part| is(part)).cloned().collect()
    }

    /// Its trials and those of the other sides.
    fn trials_of_all_sides(&self) -> impl Iterator<Item = &MeasuredTrial<'_>> {
        self.trials().iter().chain(self.other_sides().into_iter().flat_map(|other| other.trials()))
    }

    /// [`DiagnosisCase::time_in`] as a cost; what is not known of the time cannot be attributed.
    pub fn cost_in(&self, is: impl Fn(&BudgetPart) -> bool) -> FindingCost {
        self.time_in(is).map_or(FindingCost::NotAttributable, FindingCost::Latency)
    }

    /// Time of the mean transaction that was counted otherwise than by its budget, in milliseconds of each trial; in
    /// the budget it is in the parts for which `is` holds.
    pub fn cost_counted(
        &self,
        ms: impl Fn(&MeasuredTrial<'_>) -> Option<f64>,
        is: impl Fn(&BudgetPart) -> bool,
    ) -> FindingCost {
        // Counted in this trial, of which it is the whole.
        self.cost_within(
            ms,
            |_: &MeasuredTrial<'_>, ms| {
                Some(Estimate { point: ms, interval: stats::ClosedInterval { low: ms, high: ms }, n: 1 })
            },
            is,
        )
    }

    /// A share of the time that the mean transaction spends in each part, 0 to 1, which is another one in each trial.
    pub fn cost_of_shares(&self, share: impl Fn(&MeasuredTrial<'_>, &BudgetPart) -> f64) -> FindingCost {
        let is = |part: &BudgetPart| self.trials().iter().any(|measured| share(measured, part) > 0.0);
        let ms = |measured: &MeasuredTrial<'_>| {
            Some(measured.budget.as_ref()?.iter().map(|(part, ms)| share(measured, part) * ms).sum())
        };
        self.cost_within(ms, |measured, ms| of_one(measured, ms, is), is)
    }

    /// Time of the mean transaction within the parts for which `is` holds, and what is known of it by a single trial.
    fn cost_within(
        &self,
        ms: impl Fn(&MeasuredTrial<'_>) -> Option<f64>,
        of_one: impl Fn(&MeasuredTrial<'_>, f64) -> Option<Estimate>,
        is: impl Fn(&BudgetPart) -> bool,
    ) -> FindingCost {
        let figures: Vec<(&MeasuredTrial<'_>, f64)> =
            self.trials().iter().filter_map(|measured| Some((measured, ms(measured)?))).collect();
        let ms_of_all = match figures.as_slice() {
            [(measured, one)] => of_one(measured, *one),
            all => {
                let each_ms: Vec<f64> = all.iter().map(|(_, ms)| *ms).collect();
                mean_of_part(&each_ms).or_else(|| mean_estimate(&each_ms))
            }
        };
        let change_ms = self.more_than_the_least(&ms);
        let counted =
            self.trials_of_all_sides().filter_map(|measured| Some((measured.trial.number, ms(measured)?))).collect();
        let of = SpentOn::Within { parts: self.parts_everywhere(is), ms: counted };
        match (ms_of_all, self.latency_ms()) {
            (Some(ms), Ok(latency_ms)) => {
                let share = (ms.point / latency_ms).min(1.0);
                let latencies: Vec<f64> = self
                    .trials()
                    .iter()
                    .filter_map(|measured| Metric::LatencyMean.figure_of_trial(measured.trial))
                    .collect();
                FindingCost::Latency(SpentTime {
                    ms: scale_estimate(&ms, mean_to_level(&latencies)),
                    share,
                    change_ms,
                    of,
                })
            }
            _ => FindingCost::NotAttributable,
        }
    }

    /// Whether a mean transaction surely spends more than another side's in the parts for which `is` holds, and how
    /// much more in milliseconds; absent where fewer than two blocks have both.
    pub fn time_more_than(&self, other: &Self, is: impl Fn(&BudgetPart) -> bool) -> Option<(bool, f64)> {
        let more = self.more_and_surely(other, |measured| Some(time_in_parts_ms(measured.budget.as_ref()?, &is)));
        more.map(|(more, is_sure)| (is_sure, more.point))
    }

    /// Milliseconds more than another side, by block, and whether it is surely more.
    fn more_and_surely(
        &self,
        other: &Self,
        ms: impl Fn(&MeasuredTrial<'_>) -> Option<f64>,
    ) -> Option<(Estimate, bool)> {
        self.more_than(other, &ms).zip(self.is_surely_more_than(other, &ms))
    }

    /// Milliseconds more than the other side that has the least of them, by block; none where there is no other.
    fn more_than_the_least(&self, ms: impl Fn(&MeasuredTrial<'_>) -> Option<f64>) -> Option<Estimate> {
        let others = self.other_sides().into_iter().filter_map(|other| Some((other.mean_over_trials(&ms)?, other)));
        let (_, least) = others.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        self.more_than(&least, ms)
    }

    /// Milliseconds more than another side, by block.
    pub fn more_than(&self, other: &Self, ms: impl Fn(&MeasuredTrial<'_>) -> Option<f64>) -> Option<Estimate> {
        let more = self.trials().iter().filter_map(|measured| {
            let other = other.trials().iter().find(|other| other.trial.block == measured.trial.block)?;
            Some(ms(measured)? - ms(other)?)
        });
        mean_estimate(&more.collect::<Vec<f64>>())
    }

    /// Whether a figure of this side is surely more than another side's, by the logarithm of their ratio over the
    /// blocks; none with fewer than two blocks.
    pub fn is_surely_more_than(&self, other: &Self, ms: impl Fn(&MeasuredTrial<'_>) -> Option<f64>) -> Option<bool> {
        let mut logs = Vec::new();
        for here in self.trials() {
            let there = other.trials().iter().find(|there| there.trial.block == here.trial.block);
            if let Some([here_ms, there_ms]) = there.and_then(|there| Some([ms(here)?, ms(there)?])) {
                logs.push(log_ratio(here_ms.max(0.0), there_ms.max(0.0)));
            }
        }
        Some(mean_estimate(&logs)?.interval.low > 0.0)
    }

    /// The time that a trial's mean transaction executes its statements, in milliseconds, to be compared with that of
    /// another side: waiting for a CPU counts as far as it goes with the time on one, by the mean stretch of both
    /// sides. A neighbour of one of them makes no statement longer.
    fn executing_beside(&self, other: &Self) -> impl Fn(&MeasuredTrial<'_>) -> Option<f64> + use<> {
        let stretches: Option<Vec<f64>> = self
            .trials()
            .iter()
            .chain(other.trials())
            .map(|measured| wait_per_cpu_ms(measured.budget.as_ref()?))
            .collect();
        let stretch = stretches.and_then(|stretches| arithmetic_mean(&stretches));
        move |measured: &MeasuredTrial<'_>| {
            let budget = measured.budget.as_ref()?;
            let Some(stretch) = stretch else { return Some(time_in_parts_ms(budget, &is_executing)) };
            let work_ms =
                time_in_parts_ms(budget, &|part: &BudgetPart| is_executing(part) && *part != BudgetPart::WaitingForCpu);
            Some(work_ms + stretch * in_part(budget, &BudgetPart::Running))
        }
    }

    /// Whether a mean transaction executes its statements so much longer than on another side, block by block, that it
    /// is no chance and asks for a reason.
    pub fn executes_longer_than(&self, other: &Self) -> Result<bool, MissingObservation> {
        let executing = self.executing_beside(other);
        let longer = self.more_than(other, &executing).zip(self.is_surely_more_than(other, &executing));
        let (longer, is_sure) = longer.ok_or_else(|| {
            MissingObservation::new(
                "the additional time of the statements compared with the other side",
                "it requires time budgets of two blocks",
            )
        })?;
        Ok(is_sure && longer.point >= LONGER * other.latency_ms()?)
    }

    /// The same by the means alone, for what was counted and needs no other proof; `false` where they are not known.
    pub fn seems_to_execute_longer_than(&self, other: &Self) -> bool {
        let executing = self.executing_beside(other);
        let [here, there] = [self, other].map(|case| case.mean_over_trials(&executing));
        match (here, there, other.latency_ms()) {
            (Some(here), Some(there), Ok(latency_ms)) => here - there >= LONGER * latency_ms,
            _ => false,
        }
    }

    /// Milliseconds that these statements take of a mean transaction of a trial, as its clients timed them, with the
    /// share of those of them that wrote in the COMMIT of their transaction; none where they were not timed.
    pub fn time_of_statements(&self, measured: &MeasuredTrial<'_>, statements: &[StatementNumber]) -> Option<f64> {
        let timed = &measured.watched.statement_latency.as_ref()?.statements;
        let all_of = |number: &StatementNumber| Some(timed.get(usize::try_from(number.0).ok()?)?.all_ns());
        let mut all_ns = statements.iter().map(all_of).sum::<Option<f64>>()?;
        for commit in self.commit_statements() {
            if !statements.contains(&commit.number) {
                all_ns += commit.share_of(statements) * all_of(&commit.number)?;
            }
        }
        (measured.load.transactions > 0).then(|| all_ns / measured.load.transactions as f64 / 1e6)
    }

    /// Milliseconds that a statement takes of a mean transaction, over the trials in which it was timed.
    pub fn mean_time_of_statement(&self, statement: StatementNumber) -> Option<f64> {
        self.mean_over_trials(|measured| self.time_of_statements(measured, &[statement]))
    }

    /// The COMMITs of the workload's scripts, and whose they are.
    fn commit_statements(&self) -> Vec<Commit> {
        let Some(sent) = self.workload_statements() else { return Vec::new() };
        let known = self.known_writes();
        commits_of_scripts(&sent.statements, |number| known.statement_writes(&sent.statements, number))
    }

    /// How much longer these statements take of a mean transaction than on another side, block by block; none where
    /// it is chance, or asks for no reason.
    pub fn statements_take_longer_than(
        &self,
        other: &Self,
        statements: &[StatementNumber],
    ) -> Result<Option<Estimate>, MissingObservation> {
        let longer = self.more_and_surely(other, |measured| self.time_of_statements(measured, statements));
        let missing = "the additional time of the statements compared with the other side";
        let (longer, is_sure) = longer
            .ok_or_else(|| MissingObservation::new(missing, "it requires two blocks in which they were timed"))?;
        let is_told = is_sure && longer.point >= LONGER * other.latency_ms()?;
        Ok(is_told.then_some(longer))
    }

    /// The same where they are most of what a mean transaction takes longer than on the other side, with their share of
    /// that.
    pub fn statements_make_the_difference(
        &self,
        other: &Self,
        statements: &[StatementNumber],
    ) -> Result<Option<(Estimate, f64)>, MissingObservation> {
        let Some(longer) = self.statements_take_longer_than(other, statements)? else { return Ok(None) };
        let share = longer.point / (self.latency_ms()? - other.latency_ms()?);
        Ok((share >= MOST).then_some((longer, share.min(1.0))))
    }

    /// The wait on the server that makes half of what a transaction takes longer than on another side, or more, with
    /// its share; none where no single wait does.
    pub fn wait_of_change(&self, other: &Self) -> Option<(BudgetPart, f64)> {
        let budgets = self.trials().iter().filter_map(|measured| measured.budget.as_ref());
        let parts: BTreeSet<&BudgetPart> = budgets.flat_map(Budget::keys).collect();
        let mut largest: Option<(BudgetPart, f64)> = None;
        for part in parts {
            if !matches!(part, BudgetPart::Waiting(_)) {
                continue;
            }
            let Some(share) = self.share_of_change(other, |one| one == part) else { continue };
            if share >= MOST && largest.as_ref().is_none_or(|(_, most)| share > *most) {
                largest = Some((part.clone(), share));
            }
        }
        largest
    }

    /// How much of the latency that another side does not have is time in the parts for which `is` holds, 0 to 1; none
    /// where the other side is no faster.
    pub fn share_of_change(&self, other: &Self, is: impl Fn(&BudgetPart) -> bool) -> Option<f64> {
        let (mut blocks, mut log_ratio) = (Vec::new(), 0.0);
        for here in self.trials() {
            let there = other.trials().iter().find(|there| there.trial.block == here.trial.block);
            if let (Some(here), Some(there)) = (&here.budget, there.and_then(|there| there.budget.as_ref())) {
                let whole = [there, here].map(|budget| budget.values().sum::<f64>());
                log_ratio += (whole[1] / whole[0]).ln();
                blocks.push(WholesWithPart { whole, part: [there, here].map(|budget| time_in_parts_ms(budget, &is)) });
            }
        }
        let share = share_of_change(&blocks).filter(|_| log_ratio > 0.0)?;
        Some(share.clamp(0.0, 1.0))
    }
}

/// Milliseconds in the parts for which `is` holds.
fn time_in_parts_ms(budget: &Budget, is: &impl Fn(&BudgetPart) -> bool) -> f64 {
    budget.iter().filter(|(part, _)| is(part)).map(|(_, ms)| ms).sum()
}

/// `ms` with the relative uncertainty of how many sessions were seen in those parts.
fn of_one(measured: &MeasuredTrial<'_>, ms: f64, is: impl Fn(&BudgetPart) -> bool) -> Option<Estimate> {
    let (mut those, mut all) = (0, 0);
    let mut shares = Vec::new();
    for window in measured.watched.activity.iter().flatten() {
        let of_window: u64 = window.seen.iter().map(|seen| seen.sessions).sum();
        let there = window.seen.iter().filter(|seen| may_be_in(seen, &is));
        let those_of_window: u64 = there.map(|seen| seen.sessions).sum();
        if of_window > 0 {
            shares.push(those_of_window as f64 / of_window as f64);
        }
        those += those_of_window;
        all += of_window;
    }
    let share = match within_trial(&shares) {
        Some(within) => within.mean,
        None => share_estimate(usize::try_from(those).ok()?, usize::try_from(all).ok()?)?,
    };
    let relative = if share.point > 0.0 { (share.interval.high - share.interval.low) / 2.0 / share.point } else { 0.0 };
    // Sessions cannot be seen in a part for less than no time.
    let interval = stats::ClosedInterval { low: ms * (1.0 - relative.min(1.0)), high: ms * (1.0 + relative) };
    Some(Estimate { point: ms, interval, n: 1 })
}

/// Whether a part is time outside the server, the load engine's own included.
pub(super) fn is_outside(part: &BudgetPart) -> bool {
    BudgetPart::OUTSIDE_SERVER.contains(part)
}

/// Whether a part is time in which a transaction's own connection was being made.
pub(super) fn is_connecting(part: &BudgetPart) -> bool {
    matches!(part, BudgetPart::Connecting(_))
}

/// Whether a part is time on the way between the load engine and the server; with that of the engine where the two
/// cannot be told apart.
pub(super) fn is_path(part: &BudgetPart) -> bool {
    is_outside(part) && *part != BudgetPart::Engine
}

/// Whether executing a plan may take the time of a part: on a CPU or ready for one, fetching blocks, waiting for
/// parallel workers.
pub(super) fn is_executing(part: &BudgetPart) -> bool {
    match part {
        BudgetPart::Running | BudgetPart::WaitingForCpu | BudgetPart::OnCpu => true,
        BudgetPart::Waiting(wait) => match resource_of_wait(wait) {
            Some(
                WaitResource::DataFile
                | WaitResource::TemporaryFile
                | WaitResource::ParallelWorkers
                | WaitResource::PageContent
                | WaitResource::PageMapping,
            ) => true,
            Some(
                WaitResource::PagePin
                | WaitResource::PageIo
                | WaitResource::WalLock
                | WaitResource::LightweightLock
                | WaitResource::WalFill
                | WaitResource::WalFlush
                | WaitResource::WalFile
                | WaitResource::Standby
                | WaitResource::HeavyweightLock
                | WaitResource::Client,
            )
            | None => false,
        },
        BudgetPart::ScheduleLag
        | BudgetPart::Connecting(_)
        | BudgetPart::Script
        | BudgetPart::OutsideServer
        | BudgetPart::Engine
        | BudgetPart::Network
        | BudgetPart::PathUnexplained
        | BudgetPart::Unexplained => false,
    }
}

/// Whether a part is time in which the server has a statement.
pub(super) fn is_in_server(part: &BudgetPart) -> bool {
    match part {
        BudgetPart::Running | BudgetPart::WaitingForCpu | BudgetPart::OnCpu | BudgetPart::Waiting(_) => true,
        BudgetPart::ScheduleLag
        | BudgetPart::Connecting(_)
        | BudgetPart::Script
        | BudgetPart::OutsideServer
        | BudgetPart::Engine
        | BudgetPart::Network
        | BudgetPart::PathUnexplained
        | BudgetPart::Unexplained => false,
    }
}

/// What a session waits for, whatever its version calls the wait event; none of what no rule asks for.
pub(super) fn resource_of_wait(wait: &WaitEvent) -> Option<WaitResource> {
    wait_resource(&wait.class, &wait.event)
}

/// Whether a part is a wait for one of the server's lightweight locks, whatever its version calls it.
pub(super) fn is_lightweight_lock_wait(part: &BudgetPart) -> bool {
    matches!(part, BudgetPart::Waiting(wait)
        if resource_of_wait(wait).is_some_and(WaitResource::is_lightweight_lock))
}

/// Whether a part is a wait on the server for events of a class.
pub(super) fn is_wait(part: &BudgetPart, class: &str) -> bool {
    matches!(part, BudgetPart::Waiting(wait) if wait.class == class)
}

/// Whether a session was seen waiting for events of a class.
pub(super) fn waits_for_class(seen: &SampledSessions, class: &str) -> bool {
    seen.wait.as_ref().is_some_and(|wait| wait.class == class)
}

/// Whether a session that was seen so may have been in the parts for which `is` holds.
pub(super) fn may_be_in(seen: &SampledSessions, is: impl Fn(&BudgetPart) -> bool) -> bool {
    match &seen.wait {
        Some(wait) if wait.class != "Client" => is(&BudgetPart::Waiting(wait.clone())),
        None if !seen.state.starts_with("idle") => {
            [BudgetPart::Running, BudgetPart::WaitingForCpu, BudgetPart::OnCpu].iter().any(is)
        }
        Some(_) | None => BudgetPart::OUTSIDE_SERVER.iter().any(is),
    }
}
