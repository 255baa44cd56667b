//! Trials that write are long enough to contain what checkpoints cost.

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "no-checkpoint",
        group: CodeGroup::Wal,
        detects: "Trials that write are shorter than checkpoint_timeout.",
        reported_if: "Not an issue of a run. The audit lists the check as undecided if the longest trial that writes is not \
                longer than checkpoint_timeout. It reports trials that are shorter than the least value that PostgreSQL \
                accepts for it, if they are too few to contain a checkpoint together. It also reports trials that cannot \
                have had one, by their length and by what they can have written, if the sides are named for a setting that \
                acts at checkpoints.",
        thresholds: &[RuleThreshold::less_than(
            "time of all trials of a side that write",
            SHORTEST_TIMEOUT_S,
            ThresholdUnit::Seconds,
        )],
        effects: &[IssueEffect::Weakens],
        why: "Checkpoints are not part of what was measured.",
        evidence: "Duration of the trials and checkpoint_timeout of each side.",
        fix: "Measure for longer than checkpoint_timeout, or lower it.",
        confirm: "Repeat with longer trials.",
        formerly: &["checkpoints"],
    },
    about: RuleSubject::Transactions,
    rule: "trials that write last longer than checkpoint_timeout, so that checkpoints are part of what is measured",
    judge: check_no_checkpoint,
};

/// The least value that PostgreSQL accepts for checkpoint_timeout. Trials that take less time together have at most one
/// checkpoint among them, whatever it is set to.
const SHORTEST_TIMEOUT_S: f64 = 30.0;

/// What follows where no workload is known to write: each is known to read only, or nobody knows.
pub(super) fn without_known_writes(material: &Material) -> CheckResult {
    let untold: Vec<&TrialAccount> = material.trials.iter().filter(|trial| trial.writes_data().is_none()).collect();
    if untold.is_empty() {
        return material.holds_for_all_trials("no workload writes");
    }
    let text = "whether the workload writes is not known";
    let figure = VerdictFigure::within_rule(Material::extent_of_trials(untold), text);
    CheckResult::cannot_tell("what the transactions do: whether they write", vec![figure])
}

/// Sides whose trials that write are too short to contain a checkpoint, all together. Of a trial that took no time that
/// is known nothing is said.
fn too_short_figures(material: &Material, writing: &[&TrialAccount]) -> Vec<VerdictFigure> {
    let mut figures = Vec::new();
    for side in &material.sides {
        let trials: Vec<&&TrialAccount> = writing.iter().filter(|trial| trial.side == side.name).collect();
        let lengths: Option<Vec<f64>> = trials.iter().map(|trial| trial.lasted_s()).collect();
        let Some(lengths) = lengths.filter(|lengths| !lengths.is_empty()) else { continue };
        let whole_s: f64 = lengths.iter().sum();
        if whole_s < SHORTEST_TIMEOUT_S {
            let longest = lengths.iter().copied().fold(0.0, f64::max);
            let text = format!("{} trials of at most {longest:.1} s, {whole_s:.1} s in all", lengths.len());
            figures.push(VerdictFigure::against_rule(side.name.clone(), text));
        }
    }
    figures
}

/// Settings that act at checkpoints, or on the full pages that are written after them.
const AT_CHECKPOINTS: [&str; 7] = [
    "wal_compression",
    "full_page_writes",
    "checkpoint_timeout",
    "checkpoint_completion_target",
    "checkpoint_flush_after",
    "max_wal_size",
    "wal_init_zero",
];

/// A transaction of a script of pgbench writes to four tables, to two pages of each at most, both of them whole.
const WAL_BYTES_OF_TRANSACTION: f64 = 4.0 * 2.0 * 8192.0;

/// A checkpoint begins before half of max_wal_size is written.
const SHARE_OF_WAL_SIZE: f64 = 0.5;

/// The sides, where they are named for a setting that acts at checkpoints and no trial of them can have had one: none
/// lasted for checkpoint_timeout, nor wrote as much as max_wal_size asks for.
fn effect_without_checkpoint(material: &Material, writing: &[&TrialAccount]) -> Option<Vec<VerdictFigure>> {
    let names = material.sides.iter().map(|side| side.name.as_str());
    let differing = material.differences.iter().map(|unlike| unlike.difference.what.as_str());
    let compared: Vec<String> = names.chain(differing).map(str::to_lowercase).collect();
    let setting = AT_CHECKPOINTS.iter().find(|setting| compared.iter().any(|name| name.contains(*setting)))?;
    let mut figures = Vec::new();
    for side in &material.sides {
        let timeout_s = side.checkpoint_timeout_s()?;
        let wal_bytes = SHARE_OF_WAL_SIZE * side.max_wal_size_bytes()? as f64;
        let mut longest: f64 = 0.0;
        for trial in writing.iter().filter(|trial| trial.side == side.name) {
            let is_of_pgbench = trial.script.is_some_and(|script| script.writes);
            let lasted_s = trial.lasted_s()?;
            let written = trial.transactions? as f64 * WAL_BYTES_OF_TRANSACTION;
            if !is_of_pgbench || lasted_s >= timeout_s || written >= wal_bytes {
                return None;
            }
            longest = longest.max(lasted_s);
        }
        let text = format!(
            "{} a trial, checkpoint_timeout {}; {setting} is compared",
            units::format_time_span(longest),
            units::format_time_span(timeout_s)
        );
        figures.push(VerdictFigure::against_rule(side.name.clone(), text));
    }
    Some(figures).filter(|figures| !figures.is_empty())
}

fn check_no_checkpoint(material: &Material) -> CheckResult {
    let writing: Vec<&TrialAccount> =
        material.trials.iter().filter(|trial| trial.writes_data() == Some(true)).collect();
    if writing.is_empty() {
        return without_known_writes(material);
    }
    let too_short = too_short_figures(material, &writing);
    if !too_short.is_empty() {
        let consequence = "neither a checkpoint nor the full-page writes after it, nor a vacuum are part of what was \
                           measured, on whatever settings: measure for minutes";
        return CheckResult::rule_broken(Weight::Conclusion, too_short, consequence);
    }
    if let Some(figures) = effect_without_checkpoint(material, &writing) {
        let consequence = "what is compared acts at checkpoints, or on the full pages that are written after them. A trial \
                           without a checkpoint has these pages all the time, and a server in production next to none \
                           of the time: measure over several checkpoints";
        return CheckResult::rule_broken(Weight::Conclusion, figures, consequence);
    }
    let mut figures = Vec::new();
    let (mut short, mut untold) = (false, false);
    for side in &material.sides {
        let of_side = writing.iter().filter(|trial| trial.side == side.name);
        let Some(longest) = of_side.filter_map(|trial| trial.lasted_s()).reduce(f64::max) else { continue };
        match side.checkpoint_timeout_s() {
            Some(timeout) => {
                short |= longest <= timeout;
                let text = format!(
                    "{} a trial, checkpoint_timeout {}",
                    units::format_time_span(longest),
                    units::format_time_span(timeout)
                );
                figures.push(VerdictFigure { of: side.name.clone(), text, breaks: longest <= timeout });
            }
            None => {
                untold = true;
                let text = format!("{} a trial, checkpoint_timeout unknown", units::format_time_span(longest));
                figures.push(VerdictFigure::within_rule(side.name.clone(), text));
            }
        }
    }
    if short {
        let needs = "trials longer than checkpoint_timeout: these may contain no checkpoint, so the cost of \
                     checkpoints is unknown";
        CheckResult::cannot_tell(needs, figures)
    } else if untold || figures.is_empty() {
        CheckResult::cannot_tell(
            "checkpoint_timeout and max_wal_size of each side, and how long its trials lasted",
            figures,
        )
    } else {
        CheckResult::rule_holds(figures)
    }
}
