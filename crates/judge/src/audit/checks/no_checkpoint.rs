//! Trials that write are long enough to contain what checkpoints cost.

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure};
use crate::codes::{Code, CodeGroup};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "no-checkpoint",
        group: CodeGroup::Wal,
        detects: "Trials that write are shorter than checkpoint_timeout.",
        reported_if: "Not an issue of a run. The audit lists the check as undecided if the longest trial that writes is not \
                longer than checkpoint_timeout.",
        thresholds: &[],
        effects: &[],
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

fn check_no_checkpoint(material: &Material) -> CheckResult {
    let lasted = |trial: &TrialAccount| Some((trial.side.clone(), trial.lasted_s()?));
    let writing: Vec<&TrialAccount> =
        material.trials.iter().filter(|trial| trial.writes_data() == Some(true)).collect();
    if writing.is_empty() {
        return without_known_writes(material);
    }
    let mut figures = Vec::new();
    let (mut short, mut untold) = (false, false);
    for side in &material.sides {
        let of_side = writing.iter().filter_map(|trial| lasted(trial)).filter(|(name, _)| *name == side.name);
        let Some(longest) = of_side.map(|(_, s)| s).reduce(f64::max) else { continue };
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
