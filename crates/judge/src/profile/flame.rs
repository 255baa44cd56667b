//! The stacks of two sides in one tree, for a differential flame graph: below the subsystem the functions of the server
//! from the outermost that is known to the innermost, and below these the functions of the kernel.

use std::collections::BTreeMap;

use results::profile::SampledStack;
use results::trial::Trial;
use stats::ConfidenceLevel;
use stats::estimate::mean_estimate_at;

use super::function::{FunctionOnCpu, in_words};
use super::of_trial::{CpuProfile, NOT_SAMPLED, TrialOnCpu};

/// What takes less than this share of the longer side's time is not drawn by itself.
const DRAWN: f64 = 0.002;

/// A function with those that it called, in milliseconds per transaction of either side.
#[derive(Debug, Clone, PartialEq)]
pub struct FlameNode {
    /// The function, or the subsystem.
    pub name: String,
    /// Milliseconds of baseline and candidate, what it called included.
    pub ms: [f64; 2],
    /// Whether the interval of their difference over the blocks excludes 0. A node of few samples has none.
    pub is_certain: bool,
    /// What it called, the longest first.
    pub children: Vec<FlameNode>,
    /// Its milliseconds block by block, as they add up to `ms`; a block without any is absent.
    by_block: BTreeMap<u32, [f64; 2]>,
}

/// One trial in the tree: of which side and block, and of how many blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlameTrial<'a> {
    pub(super) trial: &'a Trial,
    pub(super) side: usize,
    pub(super) blocks: usize,
}

impl FlameNode {
    pub(super) fn empty_root() -> Self {
        Self::without_time("on CPU")
    }

    fn without_time(name: &str) -> Self {
        Self { name: name.to_owned(), ms: [0.0; 2], is_certain: false, children: Vec::new(), by_block: BTreeMap::new() }
    }

    fn child_named(&mut self, name: &str) -> &mut Self {
        let place = self.children.iter().position(|child| child.name == name).unwrap_or_else(|| {
            self.children.push(Self::without_time(name));
            self.children.len() - 1
        });
        &mut self.children[place]
    }

    fn add_path(&mut self, path: &[String], (block, side): (u32, usize), ms: f64) {
        let mut node = self;
        node.add_ms((block, side), ms);
        for name in path {
            node = node.child_named(name);
            node.add_ms((block, side), ms);
        }
    }

    fn add_ms(&mut self, (block, side): (u32, usize), ms: f64) {
        self.ms[side] += ms;
        self.by_block.entry(block).or_default()[side] += ms;
    }

    /// Says of every node whether its difference is certain, over all blocks of the tree.
    pub(super) fn with_certainty(mut self, level: ConfidenceLevel) -> Self {
        let blocks: Vec<u32> = self.by_block.keys().copied().collect();
        self.judge_certainty(&blocks, level);
        self
    }

    fn judge_certainty(&mut self, blocks: &[u32], level: ConfidenceLevel) {
        let mut changes = Vec::with_capacity(blocks.len());
        for block in blocks {
            let [baseline_ms, candidate_ms] = self.by_block.get(block).copied().unwrap_or_default();
            changes.push(candidate_ms - baseline_ms);
        }
        self.is_certain = mean_estimate_at(&changes, level).is_some_and(|change| !change.interval.contains(0.0));
        self.children.iter_mut().for_each(|child| child.judge_certainty(blocks, level));
    }

    fn longest_ms(&self) -> f64 {
        self.ms[0].max(self.ms[1])
    }

    /// Without what is too short to be drawn.
    pub(super) fn without_short(mut self) -> Self {
        let least_ms = DRAWN * self.longest_ms();
        self.leave_out_short(least_ms);
        self
    }

    fn leave_out_short(&mut self, least_ms: f64) {
        self.children.retain(|child| child.longest_ms() >= least_ms);
        self.children.sort_by(|one, other| other.longest_ms().total_cmp(&one.longest_ms()));
        self.children.iter_mut().for_each(|child| child.leave_out_short(least_ms));
    }
}

/// Adds the samples of one trial.
pub(super) fn add_trial_to_flame(
    root: &mut FlameNode,
    profile: &CpuProfile,
    FlameTrial { trial, side, blocks }: FlameTrial<'_>,
    divided: &TrialOnCpu,
) {
    let place = (trial.block, side);
    let kinds = profile.kinds_of_load(trial);
    let all_ms: f64 = divided.functions.values().sum();
    let sample_ms = all_ms / divided.samples as f64 / blocks as f64;
    for processes in &profile.observed.processes {
        if !kinds.contains(&processes.kind) {
            continue;
        }
        for stack in &processes.stacks {
            if let Some(path) = path_of_stack(profile, stack) {
                root.add_path(&path, place, stack.samples as f64 * sample_ms);
            }
        }
    }
    if divided.not_sampled_ms > 0.0 {
        root.add_path(&[NOT_SAMPLED.to_owned()], place, divided.not_sampled_ms / blocks as f64);
    }
}

/// The subsystem, and the functions from the outermost.
fn path_of_stack(profile: &CpuProfile, stack: &SampledStack) -> Option<Vec<String>> {
    let mut path = vec![FunctionOnCpu::of_stack(&profile.observed, stack)?.subsystem];
    for place in stack.frames.iter().rev() {
        path.push(in_words(profile.observed.symbols.get(usize::try_from(*place).ok()?)?));
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_with_the_same_beginning_share_it_and_short_ones_are_left_out() {
        let mut root = FlameNode::empty_root();
        let path = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        root.add_path(&path(&["a", "b"]), (1, 0), 1.0);
        root.add_path(&path(&["a", "c"]), (1, 1), 3.0);
        root.add_path(&path(&["d"]), (1, 1), 0.001);
        let root = root.without_short();
        assert_eq!((root.ms, root.children.len()), ([1.0, 3.001], 1));
        let a = &root.children[0];
        assert_eq!((a.ms, a.children[0].name.as_str(), a.children[1].name.as_str()), ([1.0, 3.0], "c", "b"));
    }

    #[test]
    fn a_difference_is_certain_if_the_blocks_agree_on_it() {
        let mut root = FlameNode::empty_root();
        for (block, [steady, wild]) in [(1, [2.0, 9.0]), (2, [2.1, -1.0]), (3, [1.9, 0.5])] {
            root.add_path(&["steady".to_owned()], (block, 1), steady);
            root.add_path(&["wild".to_owned()], (block, 0), 2.0);
            root.add_path(&["wild".to_owned()], (block, 1), 2.0 + wild);
        }
        root.add_path(&["once".to_owned()], (3, 1), 5.0);
        let root = root.with_certainty(ConfidenceLevel::NINETY_FIVE);
        let certain: Vec<(&str, bool)> =
            root.children.iter().map(|child| (child.name.as_str(), child.is_certain)).collect();
        assert_eq!(certain, [("steady", true), ("wild", false), ("once", false)]);
    }
}
