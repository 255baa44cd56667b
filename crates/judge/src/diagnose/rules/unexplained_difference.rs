//! `unexplained-difference`: most of what one side takes longer is in a place that no rule accounts for. It is named,
//! with everything else that differs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use catalog::wait_event_meaning;
use results::activity::WaitEvent;
use stats::centre::arithmetic_mean;
use stats::estimate::mean_estimate;
use stats::positive::mean_of_part;

use crate::account::PairAccount;
use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::explained::{Left, LeftOver};
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, SpentOn, SpentTime, figure,
};
use crate::diagnose::pieces::LatencyPiece;
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::unexplained::figures_of_multiples;

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "unexplained-difference",
        group: CodeGroup::Method,
        detects: "Much of the change between the sides is time that no other rule accounts for. The finding names where it is spent.",
        reported_if: "The latency of the sides surely differs, and the findings of the other rules leave a large share of the \
                change in one part of the time budget. It is not reported for a single side.",
        thresholds: &[RuleThreshold::at_least(
            "time of this part that no finding accounts for, as a share of the change",
            LEFT,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "A cause that no rule knows still shows where it acts: in a wait event, on the CPU, or on the route.",
        evidence: "The time budgets of both sides, less what the other findings account for; where sessions sleep in the kernel; the \
                quantities that one side has a multiple of; the settings that differ.",
        fix: "Start with the first difference that the finding lists, and remove one after the other.",
        confirm: "Run the plan again without one of the differences that the finding lists.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_unexplained_difference,
};

/// From this share of the change on, a place is named.
const LEFT: f64 = 0.25;

/// What is left is known after all other rules have looked at all cells.
fn look_for_unexplained_difference(_: &DiagnosisCase<'_>) -> Looked {
    Ok(None)
}

/// A place of a transaction's time, of which a change may be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PlaceOfTime {
    /// On a CPU, and what waiting for one goes with that.
    Cpu,
    /// Waiting longer for a CPU.
    WaitingForCpu,
    /// A part of the budget.
    Part(BudgetPart),
}

impl PlaceOfTime {
    fn of_piece(piece: &LatencyPiece) -> Self {
        match piece {
            LatencyPiece::Part(BudgetPart::Running | BudgetPart::OnCpu) | LatencyPiece::WaitingWithCpuTime => Self::Cpu,
            LatencyPiece::WaitingLonger => Self::WaitingForCpu,
            LatencyPiece::Part(part) => Self::Part(part.clone()),
        }
    }

    fn parts_of_budget(&self) -> BTreeSet<BudgetPart> {
        match self {
            Self::Cpu => BTreeSet::from([BudgetPart::Running, BudgetPart::OnCpu, BudgetPart::WaitingForCpu]),
            Self::WaitingForCpu => BTreeSet::from([BudgetPart::WaitingForCpu]),
            Self::Part(part) => BTreeSet::from([part.clone()]),
        }
    }
}

/// Groups of settings that may decide how long a transaction is in a place, as they begin in the manual.
fn groups_of_settings(place: &PlaceOfTime) -> &'static [&'static str] {
    match place {
        PlaceOfTime::Cpu => {
            &["Query Tuning", "Resource Usage / Memory", "Client Connection Defaults / Statement Behavior"]
        }
        PlaceOfTime::WaitingForCpu => &["Resource Usage"],
        PlaceOfTime::Part(BudgetPart::Connecting(_)) => {
            &["Connections and Authentication", "Client Connection Defaults"]
        }
        PlaceOfTime::Part(BudgetPart::Waiting(wait)) => match wait.class.as_str() {
            "Lock" => &["Lock Management", "Client Connection Defaults / Statement Behavior"],
            "IO" => &["Resource Usage", "Write-Ahead Log", "Vacuuming"],
            "IPC" => &["Replication", "Resource Usage / Worker Processes", "Query Tuning"],
            _ => &["Write-Ahead Log", "Resource Usage"],
        },
        PlaceOfTime::Part(_) => &["Connections and Authentication"],
    }
}

/// What a side does there longer than the other.
impl fmt::Display for PlaceOfTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("a transaction takes more CPU time"),
            Self::WaitingForCpu => f.write_str("sessions wait longer for a CPU for each millisecond on one"),
            Self::Part(BudgetPart::Waiting(wait)) => write!(f, "sessions wait for {}", wait_in_words(wait)),
            Self::Part(BudgetPart::Connecting(_)) => {
                let Self::Part(part) = self else { return Ok(()) };
                write!(f, "connections take longer to be made ({part})")
            }
            Self::Part(BudgetPart::Unexplained) => {
                f.write_str("sessions are neither on a CPU nor in a wait that the server names")
            }
            Self::Part(part) => write!(f, "a transaction takes longer {part}"),
        }
    }
}

fn wait_in_words(wait: &WaitEvent) -> String {
    let meaning = wait_event_meaning(&wait.class, &wait.event).map_or(String::new(), |text| format!(" ({text})"));
    format!("{}: {}{meaning}", wait.class, wait.event)
}

/// Where the largest shares of what is left lie, the largest first.
fn large_places(left: &[Left]) -> Vec<(PlaceOfTime, f64)> {
    let mut shares: BTreeMap<PlaceOfTime, f64> = BTreeMap::new();
    for left in left {
        *shares.entry(PlaceOfTime::of_piece(&left.part)).or_default() += left.share;
    }
    let mut places: Vec<(PlaceOfTime, f64)> = shares.into_iter().filter(|(_, share)| *share >= LEFT).collect();
    places.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    places
}

/// What is left of a change in places that are large, and surely longer on the slower side. `account` is of both sides,
/// `which` says which of them the slower one is; `beside` tells what else is known to differ, settings of these groups
/// first. With the share of the change that it is about.
pub(in crate::diagnose) fn finding_of_left_over(
    slower: &DiagnosisCase<'_>,
    (left, left_over): (&[Left], &LeftOver),
    (account, which): (&PairAccount, usize),
    beside: impl FnOnce(&[&str]) -> Vec<EvidenceFigure>,
) -> Option<(CaseFinding, f64)> {
    let places = large_places(left);
    let (largest, _) = places.first()?;
    let mut ms_by_trial: BTreeMap<u32, f64> = BTreeMap::new();
    let mut logs = Vec::new();
    for trial in &left_over.trials {
        let named =
            trial.ms.iter().filter(|(piece, _)| places.iter().any(|(place, _)| PlaceOfTime::of_piece(piece) == *place));
        let ms: f64 = named.map(|(_, ms)| ms).sum();
        logs.push(ms / trial.mean_ms);
        ms_by_trial.insert(trial.number, ms);
    }
    // On the logarithm, as the change is: a slow block weighs no more than a fast one.
    mean_estimate(&logs).filter(|more| more.interval.low > 0.0)?;
    let each_ms: Vec<f64> = ms_by_trial.values().copied().collect();
    let (ms, change_ms) = (mean_of_part(&each_ms)?, mean_of_part(&each_ms));
    let mut figures: Vec<EvidenceFigure> = places
        .iter()
        .map(|(place, share)| figure(format!("share of the change in which {place}"), FigureAmount::Share(*share)))
        .collect();
    let faster = slower.other_sides().into_iter().find(|other| *other.cell() == left_over.faster);
    figures.extend(slower.figures_of_sleeps(faster.as_ref(), |_| true));
    figures.extend(figures_of_multiples(account, which, &left_over.faster.target));
    let beside = beside(groups_of_settings(largest));
    let hang = faster.as_ref().map_or(String::new(), |faster| place_in_words(slower, faster, left_over, largest));
    let title = format!("no rule explains that {largest}{hang}{}", named_difference(account, which, &beside));
    figures.extend(beside);
    let windows = slower.all_the_time();
    let parts = places.iter().flat_map(|(place, _)| place.parts_of_budget()).collect();
    // The faster side has none of what it does not take longer.
    for trial in faster.iter().flat_map(|other| other.trials().iter().map(|measured| measured.trial.number)) {
        ms_by_trial.insert(trial, 0.0);
    }
    let share = ms.point / slower.latency_ms().ok()?;
    let share_of_change = places.iter().map(|(_, share)| share).sum();
    let found = CaseFinding {
        title,
        kind: FindingKind::Problem,
        confidence: Confidence::Low,
        cost: FindingCost::Latency(SpentTime { ms, share, change_ms, of: SpentOn::Within { parts, ms: ms_by_trial } }),
        figures,
        chart: slower.chart_of_windows(&windows, &[]),
        windows,
        would_disprove: "a run without the differences that are listed, in which this time remains".to_owned(),
        confirm: Confirm::repeat_unchanged(
            slower,
            "without one of the differences that are listed the time is the other side's",
        ),
        mend: None,
    };
    Some((found, share_of_change))
}

/// Where in the kernel the sessions hang for most of the time that has no name, for the title; empty where that is not
/// known, or where the time is of another kind.
fn place_in_words(
    slower: &DiagnosisCase<'_>,
    faster: &DiagnosisCase<'_>,
    left_over: &LeftOver,
    largest: &PlaceOfTime,
) -> String {
    let unexplained = LatencyPiece::Part(BudgetPart::Unexplained);
    if *largest != PlaceOfTime::of_piece(&unexplained) {
        return String::new();
    }
    let mut each_ms = Vec::new();
    for trial in &left_over.trials {
        each_ms.extend(trial.ms.get(&unexplained));
    }
    match arithmetic_mean(&each_ms).and_then(|ms| slower.place_of_unexplained(faster, ms)) {
        Some(place) => format!(": they hang in {place}"),
        None => String::new(),
    }
}

/// What else is known to differ, for the end of the title: what was counted before what may be the reason for it.
fn named_difference(account: &PairAccount, which: usize, beside: &[EvidenceFigure]) -> String {
    let mut named = String::new();
    if let Some(one) = account.multiples_of_side(which).first() {
        let [here, there] = [one.sides[which], one.sides[1 - which]].map(|figure| one.quantity.in_words(figure));
        let what = one.quantity.full_name();
        named.push_str(&format!("; what differs most is {what}: {here} per transaction against {there}"));
    }
    named.push_str(&difference_in_words(beside));
    named
}

/// The first of the differences that are known, as a clause; empty where none is.
pub(super) fn difference_in_words(beside: &[EvidenceFigure]) -> String {
    match beside.first() {
        Some(EvidenceFigure { name, amount: FigureAmount::Text(text) }) => {
            format!("; the sides differ in {name}: {text}")
        }
        Some(_) | None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};
    use crate::diagnose::ranked_finding::{Bearing, RankedFinding};

    fn finding_in(built: &Built) -> Option<RankedFinding> {
        built.diagnosis().findings.into_iter().find(|one| one.rule.code.name == RULE.code.name)
    }

    /// Most of its time is a wait for this event.
    fn mostly_waits(cell: Measurement, event: &str) -> Measurement {
        cell.throughput(1000.0).sees_nothing().sees("active", Some(event), 30).sees("active", None, 10)
    }

    #[test]
    fn wait_event_that_no_rule_knows_is_named_with_what_it_means() {
        let finding = finding_in(&Built::pair().with(|cell| mostly_waits(cell, "Extension:Extension")))
            .expect("it is 75 % of the change");
        let title = &finding.found.title;
        assert!(title.contains("sessions wait for Extension: Extension (in an extension)"), "{title}");
        assert_eq!(finding.bearing, Bearing::Difference { target: "new".to_owned() });
        assert!(finding.found.cost.attributed_share().unwrap() > 0.5, "{finding:?}");
    }

    /// Sessions that are mostly seen executing without a CPU.
    fn hangs(cell: Measurement) -> Measurement {
        let of_sessions = [("backends_cpu_us", 0.5e6), ("backends_run_delay_us", 0.0)];
        cell.throughput(1000.0).sees_nothing().sees("active", None, 400).probe("host.server", &of_sessions)
    }

    #[test]
    fn place_in_the_kernel_that_makes_most_of_unnamed_time_is_in_the_title() {
        let place = |function: &str, call: &str, looks: u64| json!({ "state": "uninterruptible", "function": function, "call": call, "looks": looks });
        let unlinks = json!([place("do_unlinkat", "unlink", 380), place("ep_poll", "epoll_wait", 5)]);
        let finding = finding_in(
            &Built::pair()
                .with(|cell| hangs(cell).sleeps(&unlinks))
                .with_first(|cell| cell.sleeps(&json!([place("do_unlinkat", "unlink", 1)]))),
        )
        .expect("it is most of the change");
        let title = &finding.found.title;
        assert!(title.contains("in a wait that the server names: they hang in do_unlinkat (unlink)"), "{title}");
        let names: Vec<&str> = finding.found.figures.iter().map(|figure| figure.name.as_str()).collect();
        assert!(names.contains(&"sessions sleep in the kernel in do_unlinkat (unlink)"), "{names:?}");
        let short = json!([place("do_unlinkat", "unlink", 40)]);
        let finding = finding_in(
            &Built::pair().with(|cell| hangs(cell).sleeps(&short)).with_first(|cell| cell.sleeps(&json!([]))),
        )
        .unwrap();
        assert!(!finding.found.title.contains("they hang"), "a tenth of it: {}", finding.found.title);
    }

    #[test]
    fn unnamed_time_without_looks_at_the_kernel_is_told_all_the_same() {
        let finding = finding_in(&Built::pair().with(hangs)).expect("it is most of the change");
        assert!(finding.found.title.contains("nor in a wait that the server names"), "{}", finding.found.title);
        assert!(!finding.found.title.contains("they hang"), "{}", finding.found.title);
    }

    #[test]
    fn sides_that_take_as_long_have_nothing_to_explain() {
        let alike = Built::pair()
            .with(|cell| mostly_waits(cell, "Extension:Extension"))
            .with_first(|cell| mostly_waits(cell, "Extension:Extension"));
        assert!(finding_in(&alike).is_none());
        let alone = Built::healthy().with(|cell| mostly_waits(cell, "Extension:Extension"));
        assert!(finding_in(&alone).is_none(), "nothing to compare with");
    }

    #[test]
    fn what_a_rule_accounts_for_is_not_told_again() {
        assert!(finding_in(&Built::pair().with(|cell| mostly_waits(cell, "LWLock:ProcArray"))).is_none());
    }

    #[test]
    fn without_samples_of_the_sessions_there_is_no_account() {
        assert!(finding_in(&Built::pair().with(|cell| cell.throughput(1000.0).sees_nothing())).is_none());
    }
}
