//! Budgets over blocks: each side's mean, and the change of each part from baseline to candidate with its interval.

use std::collections::{BTreeMap, BTreeSet};

use stats::estimate::{mean_estimate, mean_estimate_at};
use stats::stopping::StoppingRule;
use stats::{Estimate, Level};

use super::of_trial::{Budget, in_part};
use super::part::Part;

/// Parts below this share of the larger latency, and whose change is below it, are shown together.
const SMALL: f64 = 0.005;

/// The budgets of two sides at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Waterfall {
    /// Part by part, in the order of a transaction's way.
    pub steps: Vec<Step>,
    /// The whole: the mean latency.
    pub total: Row,
    /// Blocks in which both sides have a budget.
    pub blocks: usize,
}

/// One part's row.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Which; several small ones are one.
    pub part: String,
    /// Its figures.
    pub row: Row,
}

/// Milliseconds per transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Of the baseline.
    pub baseline_ms: Estimate,
    /// Of the candidate.
    pub candidate_ms: Estimate,
    /// Candidate less baseline, block by block, at the level of the rule that ended the blocks. The parts' changes sum
    /// to the whole's.
    pub change_ms: Estimate,
}

/// Compares the budgets of two sides, by block; `rule` says when there were blocks enough. None:
/// fewer than two blocks have both.
pub(super) fn waterfall(
    baseline: &BTreeMap<u32, Budget>,
    candidate: &BTreeMap<u32, Budget>,
    rule: &StoppingRule,
) -> Option<Waterfall> {
    let pairs: Vec<[&Budget; 2]> =
        baseline.iter().filter_map(|(block, budget)| Some([budget, candidate.get(block)?])).collect();
    let level = rule.level_at(pairs.len());
    let total = row(&pairs, level, |budget| budget.values().sum())?;
    let parts: BTreeSet<&Part> = pairs.iter().flatten().flat_map(|budget| budget.keys()).collect();
    let small_ms = SMALL * total.baseline_ms.point.max(total.candidate_ms.point);
    let (mut steps, mut small) = (Vec::new(), Vec::new());
    for part in parts {
        let row = row(&pairs, level, |budget| in_part(budget, part))?;
        let sides = [&row.baseline_ms, &row.candidate_ms, &row.change_ms];
        if matches!(part, Part::Waiting(_)) && sides.iter().all(|figure| figure.point.abs() < small_ms) {
            small.push(part);
        } else {
            steps.push(Step { part: part.to_string(), row });
        }
    }
    if !small.is_empty() {
        let row = row(&pairs, level, |budget| small.iter().map(|part| in_part(budget, part)).sum())?;
        // Before what is unexplained, which stays last.
        let end = steps.iter().position(|step| step.part == Part::Unexplained.to_string()).unwrap_or(steps.len());
        steps.insert(end, Step { part: format!("{} smaller waits", small.len()), row });
    }
    Some(Waterfall { steps, total, blocks: pairs.len() })
}

fn row(pairs: &[[&Budget; 2]], level: Level, ms: impl Fn(&Budget) -> f64) -> Option<Row> {
    let side = |which: usize| mean_estimate(&pairs.iter().map(|pair| ms(pair[which])).collect::<Vec<_>>());
    let changes: Vec<f64> = pairs.iter().map(|[baseline, candidate]| ms(candidate) - ms(baseline)).collect();
    Some(Row { baseline_ms: side(0)?, candidate_ms: side(1)?, change_ms: mean_estimate_at(&changes, level)? })
}

#[cfg(test)]
mod tests {
    use results::activity::Wait;
    use stats::stopping::Until;

    use super::*;

    fn rule() -> StoppingRule {
        StoppingRule::new(3, 10, Until::Precision(0.02)).unwrap()
    }

    fn wait(event: &str) -> Part {
        Part::Waiting(Wait { class: "LWLock".to_owned(), event: event.to_owned() })
    }

    fn blocks(parts: &[(Part, [f64; 3])]) -> BTreeMap<u32, Budget> {
        let budget = |block: usize| parts.iter().map(|(part, ms)| (part.clone(), ms[block])).collect();
        (0..3).map(|block| (block as u32 + 1, budget(block))).collect()
    }

    #[test]
    fn the_parts_changes_sum_to_the_whole_and_each_has_its_interval() {
        let baseline = blocks(&[(Part::OutsideServer, [1.0, 1.1, 0.9]), (Part::Running, [2.0, 2.0, 2.0])]);
        let candidate = blocks(&[(Part::OutsideServer, [1.5, 1.6, 1.4]), (Part::Running, [2.1, 1.9, 2.0])]);
        let found = waterfall(&baseline, &candidate, &rule()).unwrap();
        assert_eq!(found.blocks, 3);
        let change = |part: &str| &found.steps.iter().find(|step| step.part == part).unwrap().row.change_ms;
        assert!((change("outside the server").point - 0.5).abs() < 1e-9);
        assert!(change("outside the server").interval.low > 0.49, "it is the same in every block");
        assert!(change("on CPU").interval.low < 0.0 && change("on CPU").interval.high > 0.0);
        let sum: f64 = found.steps.iter().map(|step| step.row.change_ms.point).sum();
        assert!((sum - found.total.change_ms.point).abs() < 1e-9);
    }

    #[test]
    fn the_intervals_of_the_changes_are_at_the_level_of_the_rule() {
        let baseline = blocks(&[(Part::Running, [2.0, 2.0, 2.0])]);
        let candidate = blocks(&[(Part::Running, [2.1, 1.9, 2.3])]);
        let change = |rule: &StoppingRule| waterfall(&baseline, &candidate, rule).unwrap().total.change_ms;
        let expected = |rule: &StoppingRule| mean_estimate_at(&[0.1, -0.1, 0.3], rule.level_at(3)).unwrap();
        let fixed = StoppingRule::new(3, 3, Until::Precision(0.02)).unwrap();
        for rule in [rule(), fixed] {
            let widths = change(&rule).interval.half_width() / expected(&rule).interval.half_width();
            assert!((widths - 1.0).abs() < 1e-9, "{widths}");
        }
    }

    #[test]
    fn small_waits_are_one_row_and_what_is_unexplained_stays_last() {
        let sides = blocks(&[
            (Part::Running, [10.0; 3]),
            (wait("WALInsert"), [0.01; 3]),
            (wait("BufferMapping"), [0.02; 3]),
            (Part::Unexplained, [0.001; 3]),
        ]);
        let found = waterfall(&sides, &sides, &rule()).unwrap();
        let parts: Vec<&str> = found.steps.iter().map(|step| step.part.as_str()).collect();
        assert_eq!(parts, ["on CPU", "2 smaller waits", "unexplained"]);
    }

    #[test]
    fn without_a_block_in_common_there_is_nothing_to_compare() {
        let one = BTreeMap::from([(1, Budget::from([(Part::Running, 1.0)]))]);
        let other = BTreeMap::from([(2, Budget::from([(Part::Running, 1.0)]))]);
        assert_eq!(waterfall(&one, &other, &rule()), None);
    }
}
