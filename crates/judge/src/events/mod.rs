//! What followed the events of a run: for how long nothing was acknowledged and why, what failed, what was lost, and
//! when all was as before. Of each event in each trial, and over the trials of a cell with an interval.

mod around;
mod gap;
mod held_up;
mod of_trial;
mod recovery;
mod required;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use plan::Plan;
use results::trial::{Cell, FailoverStep, Role, Trial, TrialOutcome};
use stats::Estimate;
use stats::estimate::mean_estimate;
use stats::positive::{non_negative_mean, non_negative_mean_estimate};

pub use around::{EventCurve, STEP_S};
pub use gap::{GapPartEnd, GapParts, PartOver};
pub use held_up::HeldUp;
pub use of_trial::{EventFigureValue, EventSeen};
pub use required::{Limit, Required};

use crate::observed::Observed;

/// A figure of an event. Times are in seconds since the event was asked for, but for gaps, which are as long as they
/// are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventFigure {
    /// For how long no transaction of a script that writes was acknowledged to any client.
    WriteGap,
    /// The same of all other transactions.
    ReadGap,
    /// From the first connection that was lost to the last one that was made again.
    ErrorWindow,
    /// Transactions that failed with an error of the server.
    Failed,
    /// Transactions whose outcome the client did not learn.
    Unknown,
    /// Until the throughput of a whole second was 95 % of that of before.
    ThroughputBack,
    /// Until the p99 of a second was no higher than any second's of before.
    P99Back,
    /// Transactions that were not done until the throughput was back, against that of before.
    NotDone,
}

impl EventFigure {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 8] = [
        Self::WriteGap,
        Self::ReadGap,
        Self::ErrorWindow,
        Self::Failed,
        Self::Unknown,
        Self::ThroughputBack,
        Self::P99Back,
        Self::NotDone,
    ];

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::WriteGap => "write gap",
            Self::ReadGap => "read gap",
            Self::ErrorWindow => "error window",
            Self::Failed => "failed",
            Self::Unknown => "of unknown outcome",
            Self::ThroughputBack => "throughput back",
            Self::P99Back => "p99 back",
            Self::NotDone => "not done",
        }
    }

    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::WriteGap | Self::ReadGap | Self::ErrorWindow | Self::ThroughputBack | Self::P99Back => "s",
            Self::Failed | Self::Unknown | Self::NotDone => "transactions",
        }
    }
}

/// A figure over the trials of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureOver {
    /// Which.
    pub figure: EventFigure,
    /// Its level over the trials: the geometric mean, or the arithmetic one where it is zero in a trial; absent where
    /// it had not ended in some trial, or was too short to be told in all.
    pub mean: Option<f64>,
    /// The same with its interval over the trials, one of each block; absent for a single one.
    pub estimate: Option<Estimate>,
    /// Trials in which it was too short to be told, and counts as nothing in the mean.
    pub short: usize,
    /// Trials in which it had not ended.
    pub open: usize,
    /// Trials that tell it.
    pub of: usize,
}

/// When the cluster told of a step of an event, over the trials of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepOver {
    /// Which.
    pub step: FailoverStep,
    /// Its level in seconds since the event was asked for.
    pub mean_s: f64,
    /// The same with its interval; absent for a single trial.
    pub estimate: Option<Estimate>,
}

/// One event in the trials of one cell.
#[derive(Debug, Clone)]
pub struct EventOver {
    /// Where.
    pub cell: Cell,
    /// Its name in the plan.
    pub event: String,
    /// What was done.
    pub what: String,
    /// When it was to be, in seconds of the measurement.
    pub planned_s: f64,
    /// Trial by trial.
    pub seen: Vec<EventSeen>,
    /// What is told of it; only figures that some trial has.
    pub figures: Vec<FigureOver>,
    /// The parts of the write gap, or of the read gap where nothing writes; none where none was told.
    pub parts: Vec<PartOver>,
    /// What its cluster told of it, in the order of time.
    pub steps: Vec<StepOver>,
    /// Acknowledged commits of its trials, and those that were not there any more; absent without a ledger. Of all
    /// events of a trial together.
    pub commits: Option<Commits>,
    /// What the plan requires of it.
    pub required: Vec<Required>,
}

/// What the ledgers of trials say together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Commits {
    /// Acknowledged.
    pub acknowledged: u64,
    /// Acknowledged, and not there.
    pub lost: u64,
    /// There, although the server had refused them, or more than once.
    pub unexpected: u64,
}

impl EventOver {
    /// One of its figures.
    pub fn figure_over_trials(&self, wanted: EventFigure) -> Option<&FigureOver> {
        self.figures.iter().find(|over| over.figure == wanted)
    }
}

/// An event in the trials of a cell.
type InTrials<'a> = Vec<(&'a Trial, EventSeen)>;

/// Every event of a run, cell by cell.
pub fn of_run(observed: &Observed) -> Vec<EventOver> {
    let mut seen: BTreeMap<(&Cell, u64, &str), InTrials<'_>> = BTreeMap::new();
    let completed = observed.trials.iter().filter(|trial| trial.outcome == TrialOutcome::Completed);
    for trial in completed.filter(|trial| trial.role == Role::Main) {
        let seconds = observed.series.get(&trial.number).map_or(&[][..], Vec::as_slice);
        let tally = observed.tallies.get(&trial.number).map_or(&[][..], Vec::as_slice);
        for (place, event) in trial.events.iter().enumerate() {
            let key = (&trial.cell, event.planned_us, event.name.as_str());
            let told = of_trial::of_event(trial, place, seconds, tally);
            seen.entry(key).or_default().push((trial, told));
        }
    }
    let all =
        seen.into_iter().map(|((cell, planned_us, event), seen)| event_over_trials(cell, planned_us, event, &seen));
    all.map(|over| with_requirements(observed.plan.as_ref(), over)).collect()
}

fn with_requirements(plan: Option<&Plan>, over: EventOver) -> EventOver {
    let planned = plan.and_then(|plan| plan.events.iter().find(|event| event.name == over.event));
    EventOver {
        required: planned.map_or_else(Vec::new, |event| required::judge_event_limits(&event.require, &over)),
        ..over
    }
}

fn event_over_trials(cell: &Cell, planned_us: u64, event: &str, seen: &[(&Trial, EventSeen)]) -> EventOver {
    let figures = EventFigure::ALL.into_iter().filter_map(|figure| figure_over(figure, seen));
    let what = seen.iter().find_map(|(trial, _)| trial.events.iter().find(|record| record.name == event));
    EventOver {
        cell: cell.clone(),
        event: event.to_owned(),
        what: what.map_or_else(String::new, |record| record.what.clone()),
        planned_s: planned_us as f64 / 1e6,
        figures: figures.collect(),
        parts: gap::mean_parts(&seen.iter().filter_map(|(_, seen)| seen.parts).collect::<Vec<_>>()),
        steps: steps_over(seen),
        commits: sum_of_commits(seen.iter().map(|(trial, _)| *trial)),
        seen: seen.iter().map(|(_, seen)| seen.clone()).collect(),
        required: Vec::new(),
    }
}

/// Every step that some trial has, by its mean.
fn steps_over(seen: &[(&Trial, EventSeen)]) -> Vec<StepOver> {
    let mut at_s: BTreeMap<FailoverStep, Vec<f64>> = BTreeMap::new();
    for (step, s) in seen.iter().flat_map(|(_, seen)| &seen.steps) {
        at_s.entry(*step).or_default().push(*s);
    }
    let mut steps = Vec::new();
    for (step, at_s) in at_s {
        let (mean_s, estimate) = level_with_interval(&at_s);
        steps.push(StepOver { step, mean_s, estimate });
    }
    steps.sort_by(|one, other| one.mean_s.total_cmp(&other.mean_s));
    steps
}

/// The level of a figure over trials, with its interval from two on; the arithmetic mean of what may be negative.
fn level_with_interval(values: &[f64]) -> (f64, Option<Estimate>) {
    match non_negative_mean(values) {
        Some(mean) => (mean, non_negative_mean_estimate(values)),
        None => (values.iter().sum::<f64>() / values.len() as f64, mean_estimate(values)),
    }
}

fn figure_over(figure: EventFigure, seen: &[(&Trial, EventSeen)]) -> Option<FigureOver> {
    let told: Vec<EventFigureValue> = seen.iter().filter_map(|(_, seen)| seen.told_figure(figure)).collect();
    let short = told.iter().filter(|told| matches!(told, EventFigureValue::Short(_))).count();
    let open = told.iter().filter(|told| matches!(told, EventFigureValue::NotEnded)).count();
    let values: Vec<f64> = told.iter().filter_map(|told| told.value_over_trials()).collect();
    let tells = open == 0 && short < told.len();
    let (mean, estimate) = level_with_interval(&values);
    (!told.is_empty()).then(|| FigureOver {
        figure,
        mean: tells.then_some(mean),
        estimate: estimate.filter(|_| tells),
        short,
        open,
        of: told.len(),
    })
}

fn sum_of_commits<'a>(trials: impl Iterator<Item = &'a Trial>) -> Option<Commits> {
    let ledgers = trials.filter_map(|trial| trial.load.as_ref()?.ledger.as_ref());
    ledgers.map(|ledger| (ledger.acknowledged, ledger.lost, ledger.unexpected)).fold(None, |sum, found| {
        let Commits { acknowledged, lost, unexpected } = sum.unwrap_or_default();
        Some(Commits { acknowledged: acknowledged + found.0, lost: lost + found.1, unexpected: unexpected + found.2 })
    })
}
