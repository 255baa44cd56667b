//! What a finding says of the comparison, for every pair of sides alike: which of them has more of its cause. Which
//! side is the baseline is not asked here, so it cannot matter.

use std::collections::BTreeSet;

use results::trial::Cell;
use stats::Estimate;
use stats::estimate::mean_estimate_at;
use stats::stopping::StoppingRule;

use super::case::{Cells, DiagnosisCase};
use super::finding::CaseFinding;
use super::quantity::{Compared, PlaceQuantity, QuantityComparison, waits_only};
use super::rank::{Clean, InCell};
use super::ranked_finding::Bearing;
use super::rule::Rule;
use super::rules::is_by_elimination;
use super::spent::is_wait;
use crate::budget::{BudgetPart, in_part};
use crate::codes;
use crate::compare::{Metric, RunQuestion};

/// How much of a finding's cause one side has beside another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CauseRelation {
    /// This side has it and the other has not, or has more of it.
    More,
    /// The other side has more of it.
    Less,
    /// Both have as much, as far as it matters.
    Alike,
    /// It is not known.
    Unknown,
}

/// All sides with what was found of them.
pub(super) struct BearingSides<'a> {
    cells: &'a Cells<'a>,
    found: &'a [InCell],
    clean: &'a Clean,
    targets: BTreeSet<&'a str>,
    rule: StoppingRule,
}

impl<'a> BearingSides<'a> {
    pub(super) fn from_findings(
        cells: &'a Cells<'a>,
        question: &'a RunQuestion,
        found: &'a [InCell],
        clean: &'a Clean,
    ) -> Self {
        let targets = question.all_targets().map(String::as_str).collect();
        Self { cells, found, clean, targets, rule: question.blocks.stopping_rule() }
    }

    /// The rule that ended the blocks, at whose level intervals are.
    pub(super) fn stopping_rule(&self) -> &StoppingRule {
        &self.rule
    }

    /// What a finding says of the comparison, and the other side that it says it of.
    pub(super) fn bearing_of_finding(&self, one: &InCell) -> (Bearing, Option<QuantityComparison>) {
        if self.targets.len() < 2 {
            return (Bearing::NoComparison, None);
        }
        let here = &one.cell;
        let (mut more, mut less, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = None;
        for target in self.targets.iter().filter(|target| **target != here.target) {
            let other = in_place_of(one, target);
            match self.relation_to_other(one, &other) {
                CauseRelation::More => more.push(other.clone()),
                CauseRelation::Less if self.is_found(one, &other) => less.push(other.clone()),
                CauseRelation::Unknown => unknown.push(other.target.clone()),
                CauseRelation::Less | CauseRelation::Alike => {}
            }
            first.get_or_insert(other);
        }
        if let Some(other) = more.iter().find(|other| !self.is_surely_faster(here, other)) {
            return (Bearing::Difference { target: here.target.clone() }, self.compare_quantities(one, other));
        }
        if let Some(other) = less.iter().find(|other| !self.is_surely_faster(other, here)) {
            return (Bearing::Difference { target: other.target.clone() }, self.compare_quantities(one, other));
        }
        if let Some(other) = more.first() {
            return (Bearing::MoreOnFaster { target: here.target.clone() }, self.compare_quantities(one, other));
        }
        if let Some(other) = less.first() {
            return (Bearing::MoreOnFaster { target: other.target.clone() }, self.compare_quantities(one, other));
        }
        let beside = first.and_then(|other| self.compare_quantities(one, &other));
        match unknown.is_empty() {
            true => (Bearing::EverySide, beside),
            false => (Bearing::OtherSideUnknown { of: unknown }, beside),
        }
    }

    fn is_found(&self, one: &InCell, cell: &Cell) -> bool {
        self.found.iter().any(|other| other.rule.code.name == one.rule.code.name && other.cell == *cell)
    }

    /// How much of a finding's cause its side has beside another.
    pub(super) fn relation_to_other(&self, one: &InCell, other: &Cell) -> CauseRelation {
        let is_clean = self.clean.contains(&(one.rule.code.name, other.clone()));
        let is_found = self.is_found(one, other);
        let cause = self.compare_cause(one, &one.cell, other);
        if cause.is_none() && !is_clean && !is_found {
            return CauseRelation::Unknown;
        }
        if waits_only(&one.found)
            && let Some(stretch) = self.compare_cpu_wait_stretch(one, other)
        {
            return self.relation_of_waits(one, other, stretch, cause, is_clean);
        }
        match cause {
            Some(Compared::More) => CauseRelation::More,
            Some(Compared::Less) => CauseRelation::Less,
            Some(Compared::Alike) => CauseRelation::Alike,
            Some(Compared::Unsure) | None if is_found => CauseRelation::Alike,
            // It was found by what differs: a definition that the other side lacks, with statements that surely take
            // longer.
            Some(Compared::Unsure) if is_clean && is_by_elimination(one.rule) => CauseRelation::More,
            Some(Compared::Unsure) => CauseRelation::Unknown,
            // A fact, or a figure that was not read on both sides.
            None => CauseRelation::More,
        }
    }

    /// Of waiting for a CPU the stretch factor decides. Who is to blame for it is the cause that differs with it; where
    /// none does, it may be any of those that were found: equal neighbours can weigh unequally. Others that take CPU
    /// time are not to blame on the side that [makes itself wait](Self::makes_itself_wait), unless they surely take
    /// more there, and more than what that side leaves to them.
    fn relation_of_waits(
        &self,
        one: &InCell,
        other: &Cell,
        stretch: Compared,
        cause: Option<Compared>,
        is_clean: bool,
    ) -> CauseRelation {
        match stretch {
            Compared::More if self.is_to_blame(one, other, cause, stretch) => CauseRelation::More,
            Compared::Less if self.is_to_blame(one, other, cause, stretch) => CauseRelation::Less,
            Compared::More | Compared::Less => CauseRelation::Alike,
            // It is there and not felt: a difference that explains nothing.
            Compared::Alike | Compared::Unsure if is_clean && cause == Some(Compared::More) => CauseRelation::More,
            Compared::Unsure if is_clean && cause != Some(Compared::Alike) => CauseRelation::Unknown,
            Compared::Alike | Compared::Unsure => CauseRelation::Alike,
        }
    }

    /// Whether a cause is to blame for a stretch factor that differs in this direction, or no other is.
    fn is_to_blame(&self, one: &InCell, other: &Cell, cause: Option<Compared>, direction: Compared) -> bool {
        let is_own = is_taken_by_others(one.rule) && self.makes_itself_wait(&one.cell, other, direction);
        let is_more = cause == Some(direction) && !(is_own && self.takes_what_is_left(one, other, direction));
        is_more || !(is_own || self.another_is_to_blame(one, other, direction))
    }

    /// Whether other processes take more CPU time on a side only as its server and load leave more of it.
    fn takes_what_is_left(&self, one: &InCell, other: &Cell, more: Compared) -> bool {
        if one.rule.code.name != codes::NOISY_NEIGHBOUR.name {
            return false;
        }
        let rest =
            self.cells.case_of_cell(&one.cell).and_then(|case| PlaceQuantity::of_neighbours_share_of_rest(&case));
        rest.and_then(|rest| self.compared_cells(&rest, &one.cell, other)).is_some_and(|rest| rest != more)
    }

    /// Whether another rule about waiting for a CPU found a cause of which one of the two sides has more, in this
    /// direction.
    fn another_is_to_blame(&self, one: &InCell, other: &Cell, direction: Compared) -> bool {
        let of_both = self.found.iter().filter(|it| it.cell == one.cell || it.cell == *other);
        let mut rivals = of_both.filter(|it| it.rule.code.name != one.rule.code.name && waits_only(&it.found));
        rivals.any(|rival| self.compare_cause(rival, &one.cell, other) == Some(direction))
    }

    fn compare_cause(&self, one: &InCell, here: &Cell, there: &Cell) -> Option<Compared> {
        self.compared_cells(one.quantity.as_ref()?, here, there)
    }

    /// A quantity of one side beside that of another; none where either was not read.
    fn compared_cells(&self, quantity: &PlaceQuantity, here: &Cell, there: &Cell) -> Option<Compared> {
        let [here, there] = [here, there].map(|cell| self.cells.case_of_cell(cell));
        Some(quantity.compare_sides(&here?, &there?, &self.rule)?.compare_to_other())
    }

    /// How long a side waits for a CPU for each millisecond on one, beside another.
    pub(super) fn compare_cpu_wait_stretch(&self, one: &InCell, other: &Cell) -> Option<Compared> {
        self.compared_cells(one.stretch.as_ref()?, &one.cell, other)
    }

    /// Whether the one of two sides that waits longer for each millisecond on a CPU does so by itself beside the same
    /// neighbours: it demands more CPU at once, or more each time that it is given one, which a scheduler gives to who
    /// sleeps more, or wakes more processes of its own; or it does not surely wait longer each time, and so queues more
    /// often; or I/O takes even more of the difference, as a session that a disk wakes waits longer for a CPU.
    fn makes_itself_wait(&self, here: &Cell, there: &Cell, longer: Compared) -> bool {
        let demands_more = self.demands_more_cpu(here, there, longer);
        let queues_more_often = self.wait_per_timeslice(here, there).is_some_and(|each_time| each_time != longer);
        demands_more || queues_more_often || self.waits_rather_for_io(here, there, longer)
    }

    /// Whether the mean transaction of one side waits longer for I/O than that of another by more than it waits longer
    /// for a CPU.
    fn waits_rather_for_io(&self, here: &Cell, there: &Cell, longer: Compared) -> bool {
        let (Some(here), Some(there)) = (self.cells.case_of_cell(here), self.cells.case_of_cell(there)) else {
            return false;
        };
        let (more, less) = if longer == Compared::More { (here, there) } else { (there, here) };
        let [io_of_more, io_of_less] = [more, less].map(|case| case.mean_ms_in(|part| is_wait(part, "IO")));
        let [cpu_of_more, cpu_of_less] =
            [more, less].map(|case| case.mean_ms_in(|part| *part == BudgetPart::WaitingForCpu));
        match (io_of_more, io_of_less, cpu_of_more, cpu_of_less) {
            (Some(io_of_more), Some(io_of_less), Some(cpu_of_more), Some(cpu_of_less)) => {
                io_of_more - io_of_less > cpu_of_more - cpu_of_less
            }
            _ => false,
        }
    }

    /// How long a session of one side waits each time for a CPU, beside one of another.
    fn wait_per_timeslice(&self, here: &Cell, there: &Cell) -> Option<Compared> {
        self.compared_cells(&PlaceQuantity::of_wait_per_timeslice(&self.cells.case_of_cell(here)?)?, here, there)
    }

    /// Whether one of two sides surely wants more of the CPUs by itself: more at once, more each time that it is given
    /// one, or for more processes of its own. `longer` says which.
    pub(super) fn demands_more_cpu(&self, here: &Cell, there: &Cell, longer: Compared) -> bool {
        let Some(case) = self.cells.case_of_cell(here) else { return false };
        let quantities =
            [PlaceQuantity::of_cpu_demand, PlaceQuantity::of_cpu_per_timeslice, PlaceQuantity::of_own_wakeups];
        let mut known = quantities.iter().filter_map(|quantity| quantity(&case));
        known.any(|quantity| self.compared_cells(&quantity, here, there) == Some(longer))
    }

    /// The figures of both: of the cause, or of the stretch where only that differs.
    fn compare_quantities(&self, one: &InCell, other: &Cell) -> Option<QuantityComparison> {
        let [here, there] = [&one.cell, other].map(|cell| self.cells.case_of_cell(cell));
        let (here, there) = (here?, there?);
        let [cause, stretch] = [&one.quantity, &one.stretch]
            .map(|quantity| quantity.as_ref().and_then(|quantity| quantity.compare_sides(&here, &there, &self.rule)));
        match (cause, stretch) {
            (Some(cause), Some(stretch)) if !cause.surely_differs() && stretch.surely_differs() => Some(stretch),
            (Some(cause), _) => Some(cause),
            (None, stretch) => stretch,
        }
    }

    /// The share of the time of one finding that lies in parts of the budget which another is about, too; none where
    /// either is not about time of the budget.
    pub(super) fn share_of_time_in_common(&self, cell: &Cell, one: &CaseFinding, other: &CaseFinding) -> Option<f64> {
        let (of_one, of_other) = (one.cost.parts_of_budget()?, other.cost.parts_of_budget()?);
        let (mut common_ms, mut all_ms) = (0.0, 0.0);
        for budget in self.cells.case_of_cell(cell)?.trials().iter().filter_map(|measured| measured.budget.as_ref()) {
            for part in of_one {
                let ms = in_part(budget, part);
                all_ms += ms;
                common_ms += if of_other.contains(part) { ms } else { 0.0 };
            }
        }
        (all_ms > 0.0).then(|| common_ms / all_ms)
    }

    /// Whether the mean transaction of one side surely takes less time than that of another.
    fn is_surely_faster(&self, fast: &Cell, slow: &Cell) -> bool {
        let (Some(fast), Some(slow)) = (self.cells.case_of_cell(fast), self.cells.case_of_cell(slow)) else {
            return false;
        };
        latency_log_ratio(&slow, &fast, &self.rule).is_some_and(|ratio| ratio.interval.low > 0.0)
    }
}

/// Whether a rule is about others than the server that take the CPU time of its host.
fn is_taken_by_others(rule: &Rule) -> bool {
    [codes::NOISY_NEIGHBOUR.name, codes::CPU_STOLEN.name].contains(&rule.code.name)
}

/// The cell of another target in the same place.
fn in_place_of(one: &InCell, target: &str) -> Cell {
    Cell { target: target.to_owned(), ..one.cell.clone() }
}

/// The mean logarithm, over the blocks, of one side's mean latency over another's; none with fewer than two.
fn latency_log_ratio(one: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, rule: &StoppingRule) -> Option<Estimate> {
    let mut logs = Vec::new();
    for here in one.trials() {
        let there = other.trials().iter().find(|there| there.trial.block == here.trial.block);
        let latencies = there.and_then(|there| {
            Some([Metric::LatencyMean.figure_of_trial(here.trial)?, Metric::LatencyMean.figure_of_trial(there.trial)?])
        });
        if let Some([here_ms, there_ms]) = latencies {
            logs.push((here_ms / there_ms).ln());
        }
    }
    mean_estimate_at(&logs, rule.level_at(logs.len()))
}
