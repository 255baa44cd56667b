//! A trial is of one state from its begin to its end: its throughput does not rise or fall as a whole, nor at once and
//! for good, nor stand still.

use std::collections::BTreeMap;

use stats::centre::range_of_figures;
use stats::centre::{arithmetic_mean, median_of_figures};
use stats::fall::find_fall;
use stats::trend::find_trend;

use super::repetition_trend::at_least_by_chance;
use super::{Check, RuleSubject};
use crate::audit::material::{Material, StatedTrialEnd, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes;
use crate::thresholds::{MOVES, STALL_NEEDS_PER_S, STALLED_BELOW, STALLED_FOR, TREND_BY_CHANCE};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::UNSTEADY_THROUGHPUT,
    about: RuleSubject::Transactions,
    rule: "the throughput of a closed loop has no trend of 10 % or more over a trial beyond chance (Mann-Kendall \
           test), and no stall of 5 % of the trial",
    judge: check_unsteady_throughput,
};

/// So many intervals are compared in pairs; of a longer trial, as many at equal distances.
const MOST_POINTS: usize = 1000;

/// A trial is looked at by its tenths.
const TENTHS: usize = 10;

/// Of so many of all pairs of intervals the later goes the way of the whole: Kendall's τ of 0.7.
const AGREEING: f64 = 0.85;

/// A trial whose intervals are known.
struct SteadinessTrial<'a> {
    trial: &'a TrialAccount,
    /// By how much its throughput moves, as a share of its mean.
    change: f64,
    /// By how much its last tenth is beside its first one, as a share.
    between_tenths: f64,
    /// How likely it does that without a trend.
    p_value: f64,
    /// How many intervals in a row next to nothing was done, at most.
    still: usize,
    /// In how many intervals next to nothing was done, single ones left out.
    still_in_all: usize,
    /// By how much its end is beside its start, as a share, where nearly all of its intervals go this way.
    slide: Option<f64>,
    /// By how much it fell at once and for good, as a share; absent where it did not.
    fall: Option<f64>,
}

impl SteadinessTrial<'_> {
    fn stands_still(&self) -> bool {
        self.still > 1 && self.still_in_all as f64 >= STALLED_FOR * self.trial.each_per_s.len() as f64
    }
}

fn check_unsteady_throughput(material: &Material) -> CheckResult {
    let told: Vec<SteadinessTrial<'_>> = material.trials.iter().filter_map(trend_of_trial).collect();
    if told.is_empty() {
        let needs = "throughput of ten or more intervals of a trial of a closed loop, as printed by pgbench -P and in \
                     sysbench's intermediate reports";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let ways = [f64::is_sign_negative, f64::is_sign_positive].map(|is_way: fn(f64) -> bool| is_common(&told, is_way));
    let drifts = |one: &SteadinessTrial<'_>| {
        let is_common = ways[usize::from(one.change > 0.0)];
        let is_one_way = one.change * one.between_tenths > 0.0;
        one.change.abs() >= MOVES && is_one_way && (is_common || one.p_value * told.len() as f64 <= TREND_BY_CHANCE)
    };
    let mut cells: BTreeMap<(&str, &str), Vec<&SteadinessTrial<'_>>> = BTreeMap::new();
    for one in &told {
        cells.entry((&one.trial.side, &one.trial.workload)).or_default().push(one);
    }
    let mut broken: Vec<VerdictFigure> = Vec::new();
    for cell in &cells {
        let ((side, workload), here) = cell;
        let slides = do_all_slide(here);
        let moved: Vec<f64> = here.iter().filter(|one| slides || drifts(one)).map(|one| one.between_tenths).collect();
        broken.extend(match range_of_figures(&moved) {
            Some(range) => Some(moved_figure(side, workload, range, [moved.len(), here.len()])),
            None => fall_of_side(side, workload, here),
        });
    }
    broken.extend(cells.iter().filter_map(stall_figure));
    if broken.is_empty() {
        let text = "no throughput has a trend beyond chance, or stalls";
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(format!("{} trials", told.len()), text)]);
    }
    let consequence = "the mean of such a trial is not of a steady state: a cache became warm, credits or a write \
                       cache ran out, tables grew, or a server, a disk or a generator stopped. A longer or a shorter \
                       trial would have another mean. Warm up, measure until throughput is level, and find the cause \
                       of a stall";
    CheckResult::rule_broken(Weight::Figures, broken, consequence)
}

/// How far these of all trials moved.
fn moved_figure(side: &str, workload: &str, range: [f64; 2], [moved, trials]: [usize; 2]) -> VerdictFigure {
    let [least, most] = range.map(units::format_change);
    let range = if least == most { least } else { format!("{least} to {most}") };
    let text = format!("{range} from the first tenth to the last, in {moved} of {trials} trials");
    VerdictFigure::against_rule(format!("{side}, {workload}"), text)
}

fn stall_figure(((side, workload), here): (&(&str, &str), &Vec<&SteadinessTrial<'_>>)) -> Option<VerdictFigure> {
    let still: Vec<&&SteadinessTrial<'_>> = here.iter().filter(|one| one.stands_still()).collect();
    let longest = still.iter().max_by_key(|one| one.still)?;
    let (count, of) = (longest.still, longest.trial.each_per_s.len());
    let text = format!(
        "throughput was close to 0 in {count} consecutive intervals of {of}, in {} of {} trials",
        still.len(),
        here.len()
    );
    Some(VerdictFigure::against_rule(format!("{side}, {workload}"), text))
}

fn trend_of_trial(trial: &TrialAccount) -> Option<SteadinessTrial<'_>> {
    if !trial.closed || matches!(trial.end, StatedTrialEnd::Cut { .. }) {
        return None;
    }
    let mean = trial.each_per_s.iter().sum::<f64>() / trial.each_per_s.len() as f64;
    let found = find_trend(&trial.each_per_s).filter(|_| mean > 0.0)?;
    let stalls = stalls_in_intervals(&trial.each_per_s);
    let longest = stalls.iter().copied().max().unwrap_or(0);
    let still_in_all = stalls.iter().filter(|length| **length > 1).sum();
    let between_tenths = change_between_tenths(&trial.each_per_s)?;
    Some(SteadinessTrial {
        trial,
        change: found.change.point / mean,
        between_tenths,
        p_value: found.p_value,
        still: longest,
        still_in_all,
        slide: slide_of_trial(&trial.each_per_s, between_tenths),
        fall: find_fall(&trial.each_per_s, FELL_TO).map(|fall| fall.after / fall.before - 1.0),
    })
}

/// A throughput that falls at once to this share of itself, and stays there, is of another regime: a credit or a cache
/// came to its end. A trend does not see it where most of the trial lies on one side of the fall.
const FELL_TO: f64 = 0.7;

/// What one line says of the trials of a side that fell, where several did and each of them fell.
fn fall_of_side(side: &str, workload: &str, here: &[&SteadinessTrial<'_>]) -> Option<VerdictFigure> {
    let falls: Vec<f64> = here.iter().filter_map(|one| one.fall).collect();
    let [least, most] = [f64::max, f64::min].map(|extreme| falls.iter().copied().reduce(extreme));
    let (least, most) = (units::format_change(least?), units::format_change(most?));
    let range = if least == most { least } else { format!("{least} to {most}") };
    let text = format!("{range} at once and for good, in each of {} trials", here.len());
    (here.len() > 1 && falls.len() == here.len())
        .then(|| VerdictFigure::against_rule(format!("{side}, {workload}"), text))
}

/// The lengths of its stalls, in intervals.
fn stalls_in_intervals(each_per_s: &[f64]) -> Vec<usize> {
    let Some(median) = median_of_figures(each_per_s).filter(|median| *median >= STALL_NEEDS_PER_S) else {
        return Vec::new();
    };
    each_per_s.split(|rate| *rate >= STALLED_BELOW * median).map(<[f64]>::len).filter(|length| *length > 0).collect()
}

/// By how much the mean of the last tenth of ten or more intervals is beside that of the first one, as a share.
fn change_between_tenths(each_per_s: &[f64]) -> Option<f64> {
    let n = each_per_s.len();
    let tenth = n / TENTHS;
    if tenth == 0 {
        return None;
    }
    let [first, last] = [&each_per_s[..tenth], &each_per_s[n - tenth..]].map(arithmetic_mean);
    Some(last? / first? - 1.0)
}

/// The change between the first and the last tenth, where that is much and where nearly all pairs of intervals go this
/// way. A memory of the noise does so in a trial now and then, but not in all trials of a side.
fn slide_of_trial(each_per_s: &[f64], change: f64) -> Option<f64> {
    let points: Vec<f64> = each_per_s.iter().copied().step_by(each_per_s.len().div_ceil(MOST_POINTS)).collect();
    let (mut agreeing, mut pairs) = (0_usize, 0_usize);
    for (index, later) in points.iter().enumerate() {
        for earlier in &points[..index] {
            agreeing += usize::from((later - earlier) * change > 0.0);
            pairs += 1;
        }
    }
    let is_one_way = agreeing as f64 >= AGREEING * pairs as f64;
    (change.is_finite() && change.abs() >= MOVES && is_one_way).then_some(change)
}

/// Whether each of several trials of a side in a workload slides the same way.
fn do_all_slide(here: &[&SteadinessTrial<'_>]) -> bool {
    let falling = here.iter().filter(|one| one.slide.is_some_and(|change| change < 0.0)).count();
    let rising = here.iter().filter(|one| one.slide.is_some_and(|change| change > 0.0)).count();
    here.len() > 1 && (falling == here.len() || rising == here.len())
}

/// Whether more trials move this way than chance has it, which has as many move the other way.
fn is_common(told: &[SteadinessTrial<'_>], is_way: fn(f64) -> bool) -> bool {
    let moving = told.iter().filter(|one| one.change.abs() >= MOVES && is_way(one.change)).count();
    2.0 * at_least_by_chance(moving, told.len(), 0.5) <= TREND_BY_CHANCE
}
