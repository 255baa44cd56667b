//! What a comparison asks, as far as judging needs it from the plan.

use std::collections::BTreeSet;

use crate::plan::{Difference, Plan};
use stats::stopping::{FEWEST_BLOCKS, StoppingRule};
use stats::verdict::PracticalThreshold;

/// The question that a run is to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The target that the others are compared with.
    pub baseline: String,
    /// The targets that are compared with it, in the plan's order.
    pub candidates: Vec<String>,
    /// Words and settings that may differ between the sides.
    pub may_differ: BTreeSet<Difference>,
    /// The smallest change worth acting on.
    pub threshold: PracticalThreshold,
    /// When there are blocks enough.
    pub blocks: Blocks,
    /// Seed of the bootstrap, so that a report made again says the same.
    pub seed: u64,
}

impl Question {
    /// The question of a plan; `seed` is the run's.
    pub fn of(plan: &Plan, seed: u64) -> Self {
        Self {
            baseline: plan.baseline.clone(),
            candidates: plan.candidates().map(|target| target.name.clone()).collect(),
            may_differ: plan.allowed_differences(),
            threshold: PracticalThreshold::new(plan.practical_threshold.fraction())
                .expect("a plan's threshold is checked when it is read"),
            blocks: Blocks {
                at_least: plan.blocks.at_least,
                at_most: plan.blocks.at_most,
                until: plan.blocks.until.fraction(),
            },
            seed,
        }
    }
}

/// The limits of the stopping rule as the plan gives them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blocks {
    /// Blocks before the rule is asked.
    pub at_least: u32,
    /// Blocks after which nothing is asked.
    pub at_most: u32,
    /// Half-width of the interval that is narrow enough, as a share.
    pub until: f64,
}

impl Blocks {
    /// The stopping rule. A plan may ask for fewer blocks than a verdict needs (to try things out); the rule then has
    /// nothing to decide before the fewest that it knows, and the verdict says that there is not enough data.
    pub fn rule(self) -> StoppingRule {
        let at_least = (self.at_least as usize).max(FEWEST_BLOCKS);
        let at_most = (self.at_most as usize).max(at_least);
        StoppingRule::new(at_least, at_most, self.until).expect("a plan's limits are checked when it is read")
    }
}
