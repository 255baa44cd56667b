//! Repetitions of a cell are of one state: the first is not apart from the others, and they do not move one way.

use stats::centre::range_of_figures;

use super::{Check, RuleSubject};
use crate::audit::ladder::{FIRST_DIFFERS, MedianRung, SideLadder, first_differs, ladders_of_closed_loops};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::{MOVES, TREND_BY_CHANCE};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "repetition-trend",
        group: CodeGroup::Method,
        detects: "Repetitions of a cell move in one direction, or the first one differs from all others.",
        reported_if: "Trials were not interleaved in a random order. In more cells than by chance, the first repetition lies \
                beyond all others, or all repetitions rise or fall, or many of them by Kendall's test. One cell suffices if its first \
                repetition differs from each other by more than a factor, or if its repetitions rise or fall by \
                Kendall's test. It is not reported if the sides differ by many times as much in every cell that is \
                compared.",
        thresholds: &[
            RuleThreshold::more_than(
                "difference of the first repetition from the median of the others",
                FIRST_DIFFERS,
                ThresholdUnit::Share,
            ),
            RuleThreshold::more_than(
                "change from the first to the last repetition, alternatively",
                MOVES,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least(
                "ratio of the first repetition of one cell to each other",
                COLD,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_most(
                "probability of the trend of one cell, over all cells; of each of several cells",
                TREND_BY_CHANCE,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("repetitions of a cell", AT_LEAST as f64, ThresholdUnit::Count),
            RuleThreshold::at_most("probability of that many cells by chance", CHANCE, ThresholdUnit::Share),
            RuleThreshold::at_most(
                "largest move of a cell, relative to the least difference of the sides (logarithms of ratios)",
                DECIDES_FROM,
                ThresholdUnit::Share,
            ),
        ],
        effects: &[IssueEffect::Weakens],
        why: "The machine changed while it was measured, and the change may differ between the sides.",
        evidence: "The repetitions of each cell, in order, and how far the sides differ.",
        fix: "Interleave the trials in a random order and warm up for longer.",
        confirm: "Repeat in a random order.",
        formerly: &["repetitions"],
    },
    about: RuleSubject::Transactions,
    rule: "where trials were not interleaved in a random order, the repetitions of a cell have no trend and no \
           outlying first one, by more than 10 % and more often than by chance",
    judge: check_repetition_trend,
};

/// Two trials have no first that is apart, nor a way.
const AT_LEAST: usize = 3;

/// What chance does in fewer studies than this share is not put down to it.
const CHANCE: f64 = 0.01;

/// A first trial that is so many times slower or faster than each other was not of their state, however few they are:
/// runs of one state vary by percents.
const COLD: f64 = 2.0;

/// One other trial is enough for that.
const COLD_OF_AT_LEAST: usize = 2;

/// Of more trials than this the number of orders is not counted.
const ORDERS_COUNTED_TO: usize = 60;

/// Something that repetitions do, and how likely a cell of n does it by chance.
struct Pattern {
    text: &'static str,
    is_in: fn(&MedianRung) -> bool,
    chance: fn(usize) -> f64,
}

/// The first is the lowest of n in one of n orders; one order of all is the rising one.
const PATTERNS: [Pattern; 6] = [
    Pattern {
        text: "the first is below all others",
        is_in: |rung| rung.first_off().is_some_and(|off| off < 0.0),
        chance: chance_of_extreme_first,
    },
    Pattern {
        text: "the first is above all others",
        is_in: |rung| rung.first_off().is_some_and(|off| off > 0.0),
        chance: chance_of_extreme_first,
    },
    Pattern {
        text: "each is above the one before",
        is_in: |rung| has_one_way_trend(rung, |[a, b]| a < b),
        chance: chance_of_sorted_order,
    },
    Pattern {
        text: "each is below the one before",
        is_in: |rung| has_one_way_trend(rung, |[a, b]| a > b),
        chance: chance_of_sorted_order,
    },
    // One that is significant in each of several cells need not be so for their number.
    Pattern {
        text: "the repetitions rise (Kendall's test)",
        is_in: |rung| has_likely_trend(rung, |[first, last]| first < last),
        chance: |_| TREND_BY_CHANCE / 2.0,
    },
    Pattern {
        text: "the repetitions fall (Kendall's test)",
        is_in: |rung| has_likely_trend(rung, |[first, last]| first > last),
        chance: |_| TREND_BY_CHANCE / 2.0,
    },
];

fn check_repetition_trend(material: &Material) -> CheckResult {
    if material.design.interleaved {
        let text = "trials were interleaved in a random order, so that drift affects all cells equally";
        return material.holds_for_all_trials(text);
    }
    let ladders = ladders_of_closed_loops(material);
    let fewest = ladders
        .iter()
        .flat_map(|ladder| ladder.rungs.iter().map(|rung| rung.each_per_s.len()))
        .filter(|n| *n >= AT_LEAST)
        .min();
    let fewest = fewest.unwrap_or(AT_LEAST);
    let cells: Vec<&MedianRung> =
        ladders.iter().flat_map(|ladder| &ladder.rungs).filter(|rung| rung.each_per_s.len() >= AT_LEAST).collect();
    let found = PATTERNS.iter().filter_map(|pattern| {
        let with = cells.iter().filter(|rung| (pattern.is_in)(rung)).count();
        let by_chance = at_least_by_chance(with, cells.len(), (pattern.chance)(fewest));
        (by_chance <= CHANCE)
            .then(|| VerdictFigure::against_rule(format!("{with} of {} cells", cells.len()), pattern.text))
    });
    let found: Vec<VerdictFigure> = found.chain(single_cell_figures(&ladders, cells.len())).collect();
    if found.is_empty() && cells.is_empty() {
        return CheckResult::cannot_tell("three or more trials of a cell, in their order", vec![]);
    }
    let first = first_differs(&ladders);
    let is_moved = !found.is_empty() || first.is_some();
    if let Some(relation) = move_beside_difference(material, &ladders).filter(|_| is_moved) {
        let said = found.into_iter().map(|figure| VerdictFigure { breaks: false, ..figure });
        return CheckResult::rule_holds(std::iter::once(relation).chain(said).chain(first).collect());
    }
    if !found.is_empty() {
        let consequence = "the trials of a cell were run in different states, such as cold and warm caches: their mean \
                           is of neither state, and their spread is not run-to-run variation. Warm up before each \
                           trial, or interleave the sides in a random order";
        return CheckResult::rule_broken(Weight::Figures, found.into_iter().chain(first).collect(), consequence);
    }
    if first.is_some() {
        let needs = "more cells or more repetitions: these first trials may differ by chance";
        return CheckResult::cannot_tell(needs, first.into_iter().chain([widest_spread_figure(&cells)]).collect());
    }
    CheckResult::rule_holds(vec![widest_spread_figure(&cells)])
}

/// A move of repetitions of less than this share of the difference of the sides decides nothing between them: it would
/// have to be ten times as large.
const DECIDES_FROM: f64 = 0.1;

/// How far the repetitions of the cell move that moves most, beside the least difference of a candidate from the
/// baseline at the same workload and clients; absent where the move may decide something, or nothing is compared.
fn move_beside_difference(material: &Material, ladders: &[SideLadder<'_>]) -> Option<VerdictFigure> {
    let cells =
        ladders.iter().flat_map(|ladder| &ladder.rungs).filter(|rung| rung.each_per_s.len() >= COLD_OF_AT_LEAST);
    let largest_move = cells.filter_map(logarithm_of_spread).reduce(f64::max)?;
    let baseline = material.sides.first()?;
    let mut least_difference: Option<f64> = None;
    for ladder in ladders.iter().filter(|ladder| ladder.any.side != baseline.name) {
        for rung in &ladder.rungs {
            let of_baseline = ladders
                .iter()
                .filter(|other| other.any.side == baseline.name && other.is_of_same_work(ladder))
                .flat_map(|other| &other.rungs)
                .find(|other| other.clients == rung.clients);
            let Some(of_baseline) = of_baseline else { continue };
            let difference = (rung.throughput_per_s / of_baseline.throughput_per_s).ln().abs();
            least_difference = Some(least_difference.map_or(difference, |least| least.min(difference)));
        }
    }
    let least_difference = least_difference?;
    (largest_move <= DECIDES_FROM * least_difference).then(|| {
        VerdictFigure::within_rule(
            format!("{} ladders", ladders.len()),
            format!(
                "repetitions of a cell differ by a factor of at most {:.2}, the sides by at least {:.2}: the trend \
                 decides nothing",
                largest_move.exp(),
                least_difference.exp()
            ),
        )
    })
}

/// The logarithm of the highest repetition over the lowest.
fn logarithm_of_spread(rung: &MedianRung) -> Option<f64> {
    let [least, most] = range_of_figures(&rung.each_per_s)?;
    (least > 0.0).then(|| (most / least).ln())
}

fn chance_of_extreme_first(n: usize) -> f64 {
    1.0 / n as f64
}

fn chance_of_sorted_order(n: usize) -> f64 {
    1.0 / (1..=n).map(|factor| factor as f64).product::<f64>()
}

fn has_one_way_trend(rung: &MedianRung, goes: fn([f64; 2]) -> bool) -> bool {
    let [first, .., last] = rung.each_per_s.as_slice() else { return false };
    (last / first - 1.0).abs() > MOVES && rung.each_per_s.windows(2).all(|pair| goes([pair[0], pair[1]]))
}

/// Whether the repetitions move by much, and by Kendall's test less likely by chance than one of all cells may.
fn has_likely_trend(rung: &MedianRung, goes: fn([f64; 2]) -> bool) -> bool {
    let [first, .., last] = rung.each_per_s.as_slice() else { return false };
    let moves = (last / first - 1.0).abs() > MOVES && goes([*first, *last]);
    moves && chance_of_trend(&rung.each_per_s) <= TREND_BY_CHANCE
}

/// The probability of k or more of n, each of probability p: the binomial distribution's upper tail.
pub(super) fn at_least_by_chance(k: usize, n: usize, p: f64) -> f64 {
    (k..=n).map(|j| binomial_probability(j, n, p)).sum()
}

fn binomial_probability(j: usize, n: usize, p: f64) -> f64 {
    let ways: f64 = (0..j).map(|i| (n - i) as f64 / (i + 1) as f64).product();
    ways * p.powi(j as i32) * (1.0 - p).powi((n - j) as i32)
}

/// The widest spread of a cell: the highest over the lowest.
fn widest_spread_figure(cells: &[&MedianRung]) -> VerdictFigure {
    let ranges = cells.iter().filter_map(|rung| range_of_figures(&rung.each_per_s));
    let widest = ranges.map(|[least, most]| most / least - 1.0).fold(0.0, f64::max);
    VerdictFigure::within_rule(
        format!("{} cells", cells.len()),
        format!("the best of a cell is up to {} above its worst", units::format_percent(widest)),
    )
}

/// Cells whose repetitions tell by themselves that they are of several states.
fn single_cell_figures(ladders: &[SideLadder<'_>], cells: usize) -> Vec<VerdictFigure> {
    let mut figures = Vec::new();
    for ladder in ladders {
        for rung in ladder.rungs.iter().filter(|rung| rung.each_per_s.len() >= COLD_OF_AT_LEAST) {
            let place = format!("{}, {}", ladder.place_in_words(), units::format_clients(rung.clients));
            if let Some(text) = cold_first_in_words(rung).or_else(|| cell_trend_in_words(rung, cells)) {
                figures.push(VerdictFigure::against_rule(place, text));
            }
        }
    }
    figures
}

fn cold_first_in_words(rung: &MedianRung) -> Option<String> {
    let [first, others @ ..] = rung.each_per_s.as_slice() else { return None };
    let [slowest, fastest] = range_of_figures(others)?;
    let first_in_words = units::format_tps(*first);
    if COLD * first <= slowest {
        return Some(format!("the first has {first_in_words}, each other at least {}", units::format_tps(slowest)));
    }
    (*first >= COLD * fastest)
        .then(|| format!("the first has {first_in_words}, each other at most {}", units::format_tps(fastest)))
}

fn cell_trend_in_words(rung: &MedianRung, cells: usize) -> Option<String> {
    let [first, .., last] = rung.each_per_s.as_slice() else { return None };
    let moves = rung.each_per_s.len() >= AT_LEAST && (last / first - 1.0).abs() > MOVES;
    let by_chance = chance_of_trend(&rung.each_per_s) * cells as f64;
    (moves && by_chance <= TREND_BY_CHANCE).then(|| {
        let [first_in_words, last_in_words] = [*first, *last].map(units::format_tps);
        let way = if last < first { "fall" } else { "rise" };
        format!("{} repetitions {way} from {first_in_words} to {last_in_words}", rung.each_per_s.len())
    })
}

/// How likely figures in an order by chance have as few pairs that rise, or as few that fall: Kendall's test,
/// two-sided, by the number of orders with as many. Pairs that are equal count for the way that the others go less.
fn chance_of_trend(each: &[f64]) -> f64 {
    let n = each.len();
    if n > ORDERS_COUNTED_TO {
        return 1.0;
    }
    let (mut rising, mut falling) = (0, 0);
    for later in 1..n {
        rising += each[..later].iter().filter(|earlier| **earlier <= each[later]).count();
        falling += each[..later].iter().filter(|earlier| **earlier >= each[later]).count();
    }
    // The share of the orders of so many figures in which this number of pairs rises.
    let mut shares = vec![1.0];
    for figures in 2..=n {
        let mut longer = vec![0.0; shares.len() + figures - 1];
        for (pairs, share) in shares.iter().enumerate() {
            for more in 0..figures {
                longer[pairs + more] += share / figures as f64;
            }
        }
        shares = longer;
    }
    let one_sided: f64 = shares.iter().take(rising.min(falling) + 1).sum();
    (2.0 * one_sided).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_the_binomial_distributions() {
        for (k, n, p, expected) in [
            (0, 5, 0.3, 1.0),
            (1, 1, 0.25, 0.25),
            (2, 2, 0.5, 0.25),
            (3, 4, 1.0 / 3.0, 9.0 / 81.0),
            (4, 4, 0.5, 0.0625),
        ] {
            assert!((at_least_by_chance(k, n, p) - expected).abs() < 1e-12, "{k} of {n} at {p}");
        }
    }

    #[test]
    fn the_chance_of_a_trend_is_kendalls() {
        for (each, expected) in [
            (&[3.0, 2.0, 1.0][..], 2.0 / 6.0),
            (&[1.0, 2.0, 3.0, 4.0, 5.0], 2.0 / 120.0),
            (&[5.0, 4.0, 3.0, 1.0, 2.0], 2.0 * 5.0 / 120.0),
            (&[1.0, 2.0], 1.0),
        ] {
            let found = chance_of_trend(each);
            assert!((found - expected).abs() < 1e-12, "{each:?}: {found}");
        }
    }
}
