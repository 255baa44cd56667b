//! Verdicts and caveats in words that a person can act on.

use std::collections::BTreeSet;

use stats::positive::is_known;
use stats::stopping::FEWEST_BLOCKS;
use stats::verdict::{BetterDirection, Verdict};

use stats::{ClosedInterval, Estimate};

use judge::compare::{Conclusion, Diluted, Excluded, LoadLoop, PairJudgement};
use judge::failures;
use judge::units;
use plan::{CapacitySearch, PlannedRate};
use results::load_place::{GeneratorPlace, LoadPlaceFacts};

/// Where the load was sent from, as the end of a sentence.
pub fn of_load_place(place: &LoadPlaceFacts) -> String {
    let at: Vec<String> = place.all_generators().map(|member| place_in_words(&member.place)).collect();
    let at = match at.as_slice() {
        [only] => only.clone(),
        several => format!("by {} generators as one: {}", several.len(), several.join(", ")),
    };
    let is_refused = place.all_generators().any(|member| member.io_uring_refused.is_some());
    let epoll = if is_refused { " (epoll, because io_uring is not permitted there)" } else { "" };
    format!("{at}{epoll}")
}

fn place_in_words(place: &GeneratorPlace) -> String {
    match place {
        GeneratorPlace::Pod { pod, node, .. } => {
            let on = node.as_ref().map_or_else(String::new, |node| format!(" of node {node}"));
            format!("in pod {pod}{on}")
        }
        GeneratorPlace::Ssh { destination } => format!("on {destination}"),
    }
}

/// What is said of a figure or a change whose interval does not tell its order of magnitude.
pub const NOT_KNOWN: &str = "not known";

/// The interval of a positive figure; `write` puts its ends into words.
pub fn figure_interval(figure: &Estimate, write: impl Fn(&ClosedInterval) -> String) -> String {
    if is_known(figure) { write(&figure.interval) } else { NOT_KNOWN.to_owned() }
}

/// Which trials of a pair are excluded, and why, target by target; none where all count.
pub fn left_out_in_words(pair: &PairJudgement) -> Option<String> {
    let of_targets: Vec<String> =
        excluded_by_target(pair).iter().map(|excluded| excluded.in_words(&excluded.first.reason)).collect();
    if of_targets.is_empty() {
        return None;
    }
    Some(of_targets.join("; "))
}

/// The excluded trials of one target.
pub(crate) struct ExcludedTrials<'a> {
    count: usize,
    /// The first of them.
    pub(crate) first: &'a Excluded,
}

impl ExcludedTrials<'_> {
    /// How many they are, with the first one's reason in the words of `reason`.
    pub(crate) fn in_words(&self, reason: &str) -> String {
        let (trials, are) = if self.count == 1 { ("trial", "is") } else { ("trials", "are") };
        let Excluded { target, trial, .. } = self.first;
        format!("{} {trials} of {target} {are} excluded (trial {trial}: {reason})", self.count)
    }
}

/// The excluded trials of a pair, target by target.
pub(crate) fn excluded_by_target(pair: &PairJudgement) -> Vec<ExcludedTrials<'_>> {
    let mut of_targets: Vec<ExcludedTrials<'_>> = Vec::new();
    for excluded in &pair.excluded {
        match of_targets.iter_mut().find(|other| other.first.target == excluded.target) {
            Some(other) => other.count += 1,
            None => of_targets.push(ExcludedTrials { count: 1, first: excluded }),
        }
    }
    of_targets
}

/// Blocks of which a trial does not count, beside those that are compared.
fn left_out(pair: &PairJudgement) -> usize {
    let compared: BTreeSet<u32> = pair.blocks.iter().map(|point| point.block).collect();
    let excluded: BTreeSet<u32> = pair.excluded.iter().map(|excluded| excluded.block).collect();
    if pair.blocks.is_empty() { 0 } else { excluded.difference(&compared).count() }
}

/// What is concluded of a pair, in a word.
pub fn conclusion_word(conclusion: &Conclusion) -> &'static str {
    match conclusion {
        Conclusion::Broken => "broken",
        Conclusion::DoesNotWork => "does not work",
        Conclusion::Verdict(of_figures) => of_figures.name_in_reports(),
    }
}

/// Which way a figure went that became better or worse.
pub fn direction_word(better: BetterDirection, improved: bool) -> &'static str {
    match (better, improved) {
        (BetterDirection::Higher, true) | (BetterDirection::Lower, false) => "rose",
        (BetterDirection::Higher, false) | (BetterDirection::Lower, true) => "fell",
    }
}

/// What a change rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ComparedTrials {
    /// Blocks, or trials of the side that has fewer.
    pub count: usize,
    /// Whether the sides were measured in the same blocks.
    pub are_blocks: bool,
}

impl ComparedTrials {
    /// Those of a pair. Two runs made separately, and outputs of other tools, have no blocks in common.
    pub(crate) fn of_pair(pair: &PairJudgement) -> Self {
        if !pair.blocks.is_empty() {
            return Self { count: pair.blocks.len(), are_blocks: true };
        }
        match pair.deciding_change() {
            Some(change) => Self { count: change.n, are_blocks: false },
            None => Self { count: 0, are_blocks: true },
        }
    }

    fn in_words(self) -> String {
        match (self.count, self.are_blocks) {
            (1, true) => "1 block".to_owned(),
            (count, true) => format!("{count} blocks"),
            (1, false) => "1 trial per side".to_owned(),
            (count, false) => format!("{count} trials per side"),
        }
    }

    /// What so many more would do. Fewer than give a verdict tell nothing of how many it will take.
    pub(crate) fn lacking_in_words(self, more: usize) -> String {
        if self.count < FEWEST_BLOCKS {
            return format!("a verdict needs {} or more", Self { count: FEWEST_BLOCKS, ..self }.in_words());
        }
        match (more, self.are_blocks) {
            (1, true) => "1 more block would probably settle it".to_owned(),
            (more, true) => format!("about {more} more blocks would probably settle it"),
            (1, false) => "1 more trial of each side would probably settle it".to_owned(),
            (more, false) => format!("about {more} more trials of each side would probably settle it"),
        }
    }
}

/// The verdict with what it rests on or what it lacks; `threshold` is the practical threshold as a share.
pub fn verdict_in_words(pair: &PairJudgement, threshold: f64) -> String {
    let band = units::format_percent(threshold);
    let metric = pair.deciding_metric();
    let compared = ComparedTrials::of_pair(pair);
    let blocks = compared.count;
    let rests_on = match blocks + left_out(pair) {
        all if all == blocks && compared.are_blocks => format!("{blocks} blocks"),
        all if all == blocks => compared.in_words(),
        all => format!("{blocks} of {all} blocks"),
    };
    let moved = |improved| {
        let direction = direction_word(metric.better_direction(), improved);
        format!("{} {direction}; the interval excludes 0 ({rests_on})", metric.name())
    };
    let text = match pair.verdict() {
        Verdict::Improved => moved(true),
        Verdict::Regressed => moved(false),
        Verdict::NotEnoughData { .. } if pair.change_alone().is_some() => {
            format!("a side has one trial; at least {FEWEST_BLOCKS} per side are needed")
        }
        Verdict::SoFar => format!("{rests_on} so far; no verdict before the stopping rule ends the comparison"),
        Verdict::Equivalent => format!("any difference is smaller than {band} ({rests_on})"),
        Verdict::NotWorse | Verdict::NotBetter => {
            let [excluded, left] = match pair.verdict() {
                Verdict::NotWorse => ["loss", "gain"],
                _ => ["gain", "loss"],
            };
            let open = pair.left_open().map(|[loss, gain]| metric.open_changes_in_words(loss, gain, threshold));
            let excludes = format!("a {excluded} of more than {band} is excluded, a {left} is not ({rests_on})");
            open.into_iter().chain([excludes]).collect::<Vec<_>>().join("; ")
        }
        Verdict::NotEnoughData { more_blocks, .. } => {
            let settle = more_blocks.map(|more| compared.lacking_in_words(more));
            let open = pair.left_open().map(|[loss, gain]| metric.open_changes_in_words(loss, gain, threshold));
            let unknown = pair.is_change_unknown().then(|| format!("the change is {NOT_KNOWN}"));
            let mut parts: Vec<String> = open.into_iter().chain(unknown).collect();
            parts.push(rests_on);
            parts.extend(settle.or_else(|| {
                (blocks >= FEWEST_BLOCKS).then(|| "longer trials or a quieter machine are needed".to_owned())
            }));
            parts.join("; ")
        }
    };
    let failures = pair.failures.as_ref().and_then(failures::in_words);
    if !pair.works_on_both_sides() {
        return failures.unwrap_or_default();
    }
    let excluded = left_out_in_words(pair);
    [failures, Some(text), excluded, pair.diluted.map(describe_dilution)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("; ")
}

/// What a reader of a change must know of sides that wrote and took turns.
fn describe_dilution(diluted: Diluted) -> String {
    let (left_behind, shows) = match diluted {
        Diluted::OnTheDiskAlone => (
            "each server is stopped in the other's slices, but what the kernel still writes for it falls into them"
                .to_owned(),
            "a difference in disk work may be underestimated",
        ),
        Diluted::OnOneServer => (
            "one server does the deferred work of both (WAL, dirty pages, checkpoints, autovacuum)".to_owned(),
            "a difference in that work is not measured",
        ),
        Diluted::OnServersOfTheirOwn { checkpoints, autovacuums } => {
            let counted = |count: Option<f64>, what: &str| count.map(|count| format!("{count:.0} {what}"));
            let counts = [counted(checkpoints, "checkpoints"), counted(autovacuums, "autovacuums")];
            let counts: String = counts.into_iter().flatten().map(|count| format!(", {count}")).collect();
            let left =
                format!("the deferred work of one side (WAL, dirty pages{counts}) continues in the other's slices");
            (left, "the difference is underestimated")
        }
    };
    format!("its sides write in alternate slices: {left_behind}, so {shows} (`interleave: trials` measures it in full)")
}

/// What the figures of a workload are figures of, for the place beside its name.
pub fn load_loop(load_loop: &LoadLoop) -> String {
    match load_loop {
        LoadLoop::Closed => "closed loop".to_owned(),
        LoadLoop::Open { rate } => format!("open loop, offered {}", describe_offered_rate(rate)),
        LoadLoop::Timed { speed } => format!("open loop, sessions as captured, speed {speed}"),
        LoadLoop::Capacity(search) => format!("open loop, capacity at p99 ≤ {}", latency_limit(search)),
    }
}

fn describe_offered_rate(rate: &PlannedRate) -> String {
    match rate {
        PlannedRate::Constant(rate) => rate.to_string(),
        PlannedRate::Ramp { from, to } => format!("{from} to {to}"),
        PlannedRate::Steps(steps) => steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn latency_limit(search: &CapacitySearch) -> String {
    units::format_milliseconds(search.p99.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::VerdictData;

    #[test]
    fn a_verdict_is_called_the_same_in_a_table_and_in_json() {
        let undecided = Verdict::NotEnoughData { more_blocks: None, detectable_change: None };
        let of_one_end = [Verdict::NotWorse, Verdict::NotBetter];
        let others = [Verdict::Improved, Verdict::Regressed, Verdict::Equivalent, Verdict::SoFar, undecided];
        for given in others.into_iter().chain(of_one_end) {
            assert_eq!(serde_json::to_value(VerdictData::from(&given)).unwrap(), given.name_in_reports());
        }
    }
}
