//! The account of a pair: each counted quantity of one side beside that of the other, with the ratio over the blocks
//! and whether it stands in the family of all of them.

use std::collections::{BTreeMap, BTreeSet};

use stats::beside::{InFamily, SingleComparison, judge_family};
use stats::centre::arithmetic_mean;
use stats::positive::geometric_mean;
use stats::stopping::StoppingRule;
use stats::verdict::{BetterDirection, Verdict};
use stats::{Estimate, false_discovery};

use super::counted::{CountedQuantity, CountedUnit, CountsOfTrial};
use super::ratio::{have_ratio, log_ratios};

/// The account of two sides at one place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairAccount {
    /// What surely differs, the largest ratio first.
    pub differences: Vec<CountedDifference>,
    /// How many quantities were counted on both sides.
    pub counted: usize,
}

/// A quantity of which one side surely has more.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedDifference {
    /// What.
    pub quantity: CountedQuantity,
    /// Per transaction: baseline, candidate. Geometric means over the blocks, whose ratio is [`Self::ratio`];
    /// arithmetic ones where there is none.
    pub sides: [f64; 2],
    /// Candidate over baseline with its interval; none where one side has as good as none.
    pub ratio: Option<Estimate>,
    /// The logarithm of that, whichever side has how little.
    pub log_ratio: f64,
    /// Whether one side surely has a multiple of the other's.
    pub is_multiple: bool,
}

/// From this ratio on a difference matters, less one: as between quantities of findings.
const MATTERS: f64 = 0.1;

/// One side has a multiple of the other's from this ratio on, less one.
const MULTIPLE: f64 = 1.0;

/// Of things of which a transaction has fewer than this, one in ten, a multiple is nothing that is felt.
const LEAST_COUNT: f64 = 0.1;

/// The same of bytes: a tenth of a block.
const LEAST_BYTES: f64 = 819.2;

/// The same of time, as a share of the latency.
const LEAST_OF_LATENCY: f64 = 0.01;

impl PairAccount {
    /// Of both sides' trials by block: baseline, candidate. `latency_ms` is that of each side.
    pub fn of_sides(sides: &[BTreeMap<u32, CountsOfTrial>; 2], latency_ms: f64, rule: &StoppingRule) -> Self {
        let quantities: BTreeSet<&CountedQuantity> =
            sides.iter().flat_map(BTreeMap::values).flat_map(|counts| counts.figures.keys()).collect();
        let (mut compared, mut more, mut multiples) = (Vec::new(), Vec::new(), Vec::new());
        for quantity in quantities {
            let blocks = figures_of_both(sides, quantity);
            let logs = log_ratios(&candidate_over_baseline(&blocks));
            let level = rule.level_at(logs.len());
            let [any, multiple] = [MATTERS, MULTIPLE]
                .map(|least| SingleComparison::from_log_ratios(&logs, level, least, BetterDirection::Lower));
            let (Some(any), Some(multiple)) = (any, multiple) else { continue };
            compared.push((quantity, blocks));
            more.push(any);
            multiples.push(multiple);
        }
        let mut account = Self { differences: Vec::new(), counted: compared.len() };
        let judged = judge_family(&more, false_discovery::adjust_benjamini_hochberg);
        let as_multiple = judge_family(&multiples, false_discovery::adjust_benjamini_hochberg);
        for (at, (quantity, blocks)) in compared.into_iter().enumerate() {
            let means = [0, 1].map(|side: usize| level_of_side(&blocks, side));
            if is_sure(&judged[at]) && is_felt(quantity.unit, means, latency_ms) {
                account.differences.push(CountedDifference {
                    quantity: quantity.clone(),
                    sides: means,
                    ratio: have_ratio(&blocks).then(|| more[at].change.map(|change| 1.0 + change)),
                    log_ratio: arithmetic_mean(log_ratios(&candidate_over_baseline(&blocks))).unwrap_or_default(),
                    is_multiple: as_multiple[at].is_beyond,
                });
            }
        }
        account.differences.sort_by(|one, other| {
            let by_size = other.log_ratio.abs().total_cmp(&one.log_ratio.abs());
            by_size.then_with(|| one.quantity.cmp(&other.quantity))
        });
        account
    }

    /// The side that has the largest multiple of the other's, 0 the baseline and 1 the candidate; none where neither
    /// has a multiple of anything.
    pub fn side_with_largest_multiple(&self) -> Option<usize> {
        let mut counted = self.counted_costs();
        counted.find(|one| one.is_multiple).map(|one| usize::from(one.log_ratio > 0.0))
    }

    /// What a transaction needs more of on one side, that is no time of the budget.
    fn counted_costs(&self) -> impl Iterator<Item = &CountedDifference> {
        self.differences.iter().filter(|one| !one.quantity.by.is_of_host_or_time() && !one.quantity.is_saving())
    }

    /// What the side `more` (0 the baseline, 1 the candidate) has a multiple of, that is no time of the budget: work
    /// before time, which follows from it; then what is told by object, then the largest ratio.
    pub fn multiples_of_side(&self, more: usize) -> Vec<&CountedDifference> {
        let mut multiples: Vec<_> = self
            .counted_costs()
            .filter(|one| one.is_multiple)
            .filter(|one| (one.log_ratio > 0.0) == (more == 1))
            .collect();
        multiples.sort_by_key(|one| (one.quantity.unit == CountedUnit::Ms, one.quantity.of.is_none()));
        multiples
    }
}

/// The figures of the blocks that both sides have counted.
fn figures_of_both(sides: &[BTreeMap<u32, CountsOfTrial>; 2], quantity: &CountedQuantity) -> Vec<[f64; 2]> {
    let [baseline, candidate] = sides;
    let mut blocks = Vec::new();
    for (block, counts) in baseline {
        let there = candidate.get(block).and_then(|counts| counts.figure_of(quantity));
        if let (Some(here), Some(there)) = (counts.figure_of(quantity), there) {
            blocks.push([here, there]);
        }
    }
    blocks
}

fn candidate_over_baseline(blocks: &[[f64; 2]]) -> Vec<[f64; 2]> {
    blocks.iter().map(|[baseline, candidate]| [*candidate, *baseline]).collect()
}

/// The geometric mean where there is a ratio, so that the ratio of the two is the mean of the blocks' ratios.
fn level_of_side(blocks: &[[f64; 2]], side: usize) -> f64 {
    let figures: Vec<f64> = blocks.iter().map(|block| block[side]).collect();
    let level = if have_ratio(blocks) { geometric_mean(&figures) } else { None };
    level.unwrap_or_else(|| figures.iter().sum::<f64>() / figures.len() as f64)
}

fn is_sure(judged: &InFamily) -> bool {
    matches!(judged.verdict, Verdict::Improved | Verdict::Regressed)
}

/// Whether a transaction has enough of it on either side for a difference to be felt.
fn is_felt(unit: CountedUnit, sides: [f64; 2], latency_ms: f64) -> bool {
    let least = match unit {
        CountedUnit::Count => LEAST_COUNT,
        CountedUnit::Bytes => LEAST_BYTES,
        CountedUnit::Ms => LEAST_OF_LATENCY * latency_ms,
    };
    sides[0].max(sides[1]) >= least
}

#[cfg(test)]
mod tests {
    use stats::stopping::StoppingGoal;

    use super::super::counted::CountedBy;
    use super::*;

    fn stopping_rule() -> StoppingRule {
        StoppingRule::new(3, 10, StoppingGoal::Precision(0.02)).unwrap()
    }

    fn quantity_named(name: &str, unit: CountedUnit) -> CountedQuantity {
        CountedQuantity { by: CountedBy::LoadEngine, of: None, name: name.to_owned(), unit }
    }

    /// A side of which every block counted these.
    fn side_with(figures: &[(&str, f64)]) -> BTreeMap<u32, CountsOfTrial> {
        let figures: BTreeMap<_, _> =
            figures.iter().map(|(name, figure)| (quantity_named(name, CountedUnit::Count), *figure)).collect();
        let counts = CountsOfTrial { figures, counted_by: BTreeSet::from([CountedBy::LoadEngine]) };
        (1..=3).map(|block| (block, counts.clone())).collect()
    }

    fn names_in(account: &PairAccount) -> Vec<&str> {
        account.differences.iter().map(|one| one.quantity.name.as_str()).collect()
    }

    #[test]
    fn what_only_one_side_has_is_a_difference_as_large_as_any() {
        let account = PairAccount::of_sides(
            &[side_with(&[("rows", 2.0)]), side_with(&[("rows", 2.0), ("tries", 3.0)])],
            1.0,
            &stopping_rule(),
        );
        assert_eq!((names_in(&account), account.counted), (vec!["tries"], 2));
        assert!(account.differences[0].is_multiple && account.differences[0].ratio.is_none());
        assert_eq!(account.multiples_of_side(1).len(), 1);
        assert!(account.multiples_of_side(0).is_empty());
    }

    /// A side of which every block counted commits, and the time of a statement.
    fn side_of_work(time_ms: f64, commits: f64) -> BTreeMap<u32, CountsOfTrial> {
        let mut time = quantity_named("time", CountedUnit::Ms);
        time.of = Some("load.sql line 7".to_owned());
        let figures = BTreeMap::from([(time, time_ms), (quantity_named("commits", CountedUnit::Count), commits)]);
        let counts = CountsOfTrial { figures, counted_by: BTreeSet::from([CountedBy::LoadEngine]) };
        (1..=3).map(|block| (block, counts.clone())).collect()
    }

    #[test]
    fn of_multiples_work_is_named_before_the_time_that_it_takes() {
        let account = PairAccount::of_sides(&[side_of_work(0.1, 1.0), side_of_work(5.0, 30.0)], 1.0, &stopping_rule());
        let named: Vec<&str> = account.multiples_of_side(1).iter().map(|one| one.quantity.name.as_str()).collect();
        assert_eq!(named, ["commits", "time"]);
    }

    #[test]
    fn what_a_transaction_hardly_has_is_none() {
        let account = PairAccount::of_sides(
            &[side_with(&[("tries", 0.001)]), side_with(&[("tries", 0.05)])],
            1.0,
            &stopping_rule(),
        );
        assert!(account.differences.is_empty(), "{account:?}");
    }

    #[test]
    fn swapping_the_sides_inverts_the_account() {
        let (one, other) = (side_with(&[("rows", 2.0), ("tries", 9.0)]), side_with(&[("rows", 30.0), ("tries", 1.0)]));
        let account = PairAccount::of_sides(&[one.clone(), other.clone()], 1.0, &stopping_rule());
        let swapped = PairAccount::of_sides(&[other, one], 1.0, &stopping_rule());
        assert_eq!(names_in(&account), ["rows", "tries"]);
        assert_eq!(names_in(&account), names_in(&swapped));
        for (here, there) in account.differences.iter().zip(&swapped.differences) {
            assert!((here.log_ratio + there.log_ratio).abs() < 1e-9);
            assert_eq!([here.sides[1], here.sides[0]], there.sides);
        }
    }

    /// A side of which a probe read one field in every block.
    fn side_of_probe(by: CountedBy, name: &str) -> BTreeMap<u32, CountsOfTrial> {
        let quantity = CountedQuantity { by, of: None, name: name.to_owned(), unit: CountedUnit::Count };
        let counts = CountsOfTrial { figures: BTreeMap::from([(quantity, 5.0)]), counted_by: BTreeSet::from([by]) };
        (1..=3).map(|block| (block, counts.clone())).collect()
    }

    #[test]
    fn a_view_that_only_one_version_has_tells_no_difference() {
        let by = CountedBy::Probe(results::probe_fields::pg_wal::PROBE);
        let account = PairAccount::of_sides(
            &[side_of_probe(by, "syncs"), side_of_probe(by, "init writes")],
            1.0,
            &stopping_rule(),
        );
        assert_eq!(account, PairAccount::default());
    }
}
