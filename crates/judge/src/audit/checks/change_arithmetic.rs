//! A change that is told in percent beside figures is that of some of them.

use results::imported::StatedChange;

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "change-arithmetic",
        group: CodeGroup::Method,
        detects: "A change in percent does not follow from the figures beside it.",
        reported_if: "A change in percent beside the figures of a trial is that of no throughput or latency of it against \
                a comparable trial. A comparable trial differs from it as the trials of the other changes differ: in the \
                side, in the number of clients or in the workload. Or two columns of a table explain three changes of a \
                third column or more, and twice as many as they do not, and not this one. The difference may be the sum \
                of both bounds and of rounding.",
        thresholds: &[
            RuleThreshold::more_than("difference in percentage points", POINTS, ThresholdUnit::Share),
            RuleThreshold::more_than(
                "difference beyond these as a share of the change",
                OF_ITSELF,
                ThresholdUnit::Share,
            ),
        ],
        effects: &[IssueEffect::Weakens],
        why: "A figure or a percentage is wrong.",
        evidence: "The change and the figures of the trials.",
        fix: "Compute the change from the figures.",
        confirm: "Compare the change with the trials' figures.",
        formerly: &["arithmetic-of-changes"],
    },
    about: RuleSubject::TransactionsAndTables,
    rule: "a change in percent beside the figures of a trial is that of its throughput or its latency, within one \
           percentage point plus 5 % of the change. It is against the trial of another side in the same cell or, where all \
           changes are, against another workload or number of clients. In a table, it is that of the two columns that \
           explain the other changes",
    judge: check_change_arithmetic,
};

/// Both are rounded, and the figures may be means of what the change was computed from.
const POINTS: f64 = 0.01;
const OF_ITSELF: f64 = 0.05;

fn check_change_arithmetic(material: &Material) -> CheckResult {
    let told = material.trials.iter().flat_map(|trial| trial.changes.iter().map(move |change| (trial, change)));
    // Of the row that the others are compared with there is no change.
    let told: Vec<(&TrialAccount, &(String, f64))> = told.filter(|(_, (_, percent))| *percent != 0.0).collect();
    let told: Vec<_> = told
        .into_iter()
        .filter(|(trial, _)| other_trials(material, trial).any(|other| figure_ratios(trial, other).next().is_some()))
        .collect();
    let in_tables = &material.computed.changes;
    if told.is_empty() && in_tables.is_empty() {
        return CheckResult::cannot_tell("changes in percent beside the figures of two trials", vec![]);
    }
    let against = coordinate_of_changes(material, &told);
    let mut figures: Vec<VerdictFigure> = Vec::new();
    for (trial, change) in &told {
        if !is_change_against(material, trial, change.1, against) {
            figures.push(claimed_change_figure(material, (trial, change)));
        }
    }
    figures.extend(in_tables.iter().filter_map(change_of_columns_figure));
    if figures.is_empty() {
        let text = "each is the change of a throughput or a latency against another trial, or of two columns";
        let count = usize::max(told.len(), in_tables.len());
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(format!("{count} changes"), text)]);
    }
    let consequence =
        "the change and the figures beside it contradict each other, and the change is the figure that is quoted";
    CheckResult::rule_broken(Weight::Figures, figures, consequence)
}

/// In what a trial differs from the one that its change is against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChangedCoordinate {
    /// In the side alone.
    Side,
    /// In the number of clients alone.
    Clients,
    /// In the workload alone.
    Workload,
    /// In any of them, where no single one explains a change at all.
    Any,
}

impl ChangedCoordinate {
    fn is_between(self, trial: &TrialAccount, other: &TrialAccount) -> bool {
        let same_side = trial.side == other.side;
        let same_clients = trial.clients == other.clients;
        let same_workload = trial.workload == other.workload;
        match self {
            Self::Side => !same_side && same_clients && same_workload,
            // Of repetitions nothing else differs.
            Self::Clients => same_side && same_workload,
            Self::Workload => same_side && same_clients,
            Self::Any => true,
        }
    }
}

/// What all changes of a publication are against: the coordinate that explains most of them, the side where several do.
/// One change that another pair of trials explains by chance is not of that pair.
fn coordinate_of_changes(material: &Material, told: &[(&TrialAccount, &(String, f64))]) -> ChangedCoordinate {
    let mut best = (0, ChangedCoordinate::Any);
    for coordinate in [ChangedCoordinate::Side, ChangedCoordinate::Clients, ChangedCoordinate::Workload] {
        let explained = told.iter().filter(|(trial, change)| is_change_against(material, trial, change.1, coordinate));
        let explained = explained.count();
        if explained > best.0 {
            best = (explained, coordinate);
        }
    }
    best.1
}

/// Whether a change is that of some figure of a trial against one that differs from it in this alone.
fn is_change_against(material: &Material, trial: &TrialAccount, percent: f64, coordinate: ChangedCoordinate) -> bool {
    let mut others = other_trials(material, trial).filter(|other| coordinate.is_between(trial, other));
    others.any(|other| figure_ratios(trial, other).any(|ratio| is_change(percent, ratio)))
}

/// What is said of a change of a row that is not that of its two columns.
fn change_of_columns_figure(change: &StatedChange) -> Option<VerdictFigure> {
    let ratio = change.to.figure / change.from.figure;
    let stated = change.percent.abs() / 100.0;
    let is_of_columns = (stated - (ratio - 1.0).abs()).abs() <= POINTS + OF_ITSELF * stated + change.rounding;
    let text = format!(
        "{}: {} % is claimed; from {} ({}) to {} ({}) it is {}",
        change.name,
        change.percent,
        change.from.figure,
        change.from.column,
        change.to.figure,
        change.to.column,
        units::format_change(ratio - 1.0)
    );
    (!is_of_columns).then(|| VerdictFigure::against_rule(change.source.clone(), text))
}

fn other_trials<'a>(material: &'a Material, trial: &'a TrialAccount) -> impl Iterator<Item = &'a TrialAccount> {
    material.trials.iter().filter(move |other| !std::ptr::eq(*other, trial))
}

/// What a trial has of another's throughput and latencies, and the other of its.
fn figure_ratios(trial: &TrialAccount, other: &TrialAccount) -> impl Iterator<Item = f64> {
    let both = |of: fn(&TrialAccount) -> Option<f64>| of(trial).zip(of(other));
    let mut pairs: Vec<(f64, f64)> =
        [both(|t| t.throughput_per_s), both(|t| t.latency_ms_mean)].into_iter().flatten().collect();
    for (percent, ms) in &trial.percentiles_ms {
        let there = other.percentiles_ms.iter().find(|(other, _)| other == percent);
        pairs.extend(there.map(|(_, there)| (*ms, *there)));
    }
    pairs.into_iter().filter(|(one, other)| *one > 0.0 && *other > 0.0).flat_map(|(a, b)| [a / b, b / a])
}

/// Whether a change in percent, of whatever sign, is that of a ratio.
fn is_change(percent: f64, ratio: f64) -> bool {
    let told = percent.abs() / 100.0;
    (told - (ratio - 1.0).abs()).abs() <= POINTS + OF_ITSELF * told
}

/// The change beside that of the throughput, or else the latency, against the first side's trial of the cell.
fn claimed_change_figure(
    material: &Material,
    (trial, (name, percent)): (&TrialAccount, &(String, f64)),
) -> VerdictFigure {
    let first = material.sides.first().map(|side| side.name.as_str());
    let is = other_trials(material, trial)
        .find(|other| {
            Some(other.side.as_str()) == first && other.workload == trial.workload && other.clients == trial.clients
        })
        .and_then(|other| figure_ratios(trial, other).next());
    let is = is.map_or(String::new(), |ratio| {
        format!("; the figures give {} against {}", units::format_change(ratio - 1.0), first.unwrap_or_default())
    });
    let text = format!("{name}: {percent} % is claimed, but no figure beside it changed by that much{is}");
    VerdictFigure::against_rule(trial.place_in_words(), text)
}
