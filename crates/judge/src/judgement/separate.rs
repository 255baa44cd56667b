//! Two runs made separately: the same judgement without pairing, and what that costs. What is said of time and causes
//! block by block (budgets, findings) takes their blocks in order: of independent runs that is as true
//! as it is unpaired, and as wide.

use stats::pairing::paired_width;

use super::together::{combine_baselines, target_of_baseline};
use super::{Judgement, conclude_judgement};
use crate::codes;
use crate::compare::{RunQuestion, compare_unpaired, figures_by_cell, finished_blocks};
use crate::issue::Issue;
use crate::observed::Observed;
use crate::units;

/// Two runs that have nothing in common that could be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("runs {baseline} and {candidate} have no workload with the same number of clients in common")]
pub struct Incomparable {
    /// One run.
    pub baseline: String,
    /// The other.
    pub candidate: String,
}

/// Judges the baseline target of `candidate` against the baseline target of `baseline`, at every place that both runs
/// measured; `question` is the baseline's, but for its candidates. Both come back as one account,
/// on which the judgement is.
///
/// # Errors
/// When the runs have no workload and clients in common.
pub fn judge_separate(
    baseline: Observed,
    candidate: Observed,
    mut question: RunQuestion,
) -> Result<(Observed, Judgement), Incomparable> {
    let incomparable = Incomparable { baseline: baseline.run.id.clone(), candidate: candidate.run.id.clone() };
    let blocks = finished_blocks(&baseline).min(finished_blocks(&candidate));
    // Both by pgdyno or both by other tools: an audit has one account of what is known.
    let is_alike = baseline.run.imported.is_some() == candidate.run.imported.is_some();
    let otherwise = asked_otherwise(&baseline, &candidate);
    question.baseline = target_of_baseline(&baseline, &candidate);
    let (both, caveats, name) = combine_baselines(baseline, candidate);
    question.candidates = vec![name];
    question.further = Vec::new();
    question.ladders = Vec::new();
    let comparison = compare_unpaired(&both, question, blocks).ok_or(incomparable)?;
    let cells = figures_by_cell(&both, &comparison.question, &comparison.question.baseline);
    let doubts = std::iter::once(what_it_costs(&cells)).chain(otherwise).collect();
    let judgement = conclude_judgement(&both, comparison, caveats, is_alike, doubts);
    Ok((both, judgement))
}

/// What the plans of the two runs ask otherwise, of the workloads of one name and of the phases of a trial.
fn asked_otherwise(baseline: &Observed, candidate: &Observed) -> Option<Issue> {
    let (one, other) = (baseline.plan.as_ref()?, candidate.plan.as_ref()?);
    let mut what: Vec<String> = one
        .workloads
        .iter()
        .filter(|workload| other.workload_by_name(&workload.name).is_some_and(|theirs| theirs != *workload))
        .map(|workload| format!("the workload {}", workload.name))
        .collect();
    if one.trial != other.trial {
        what.push("the phases of a trial".to_owned());
    }
    (!what.is_empty()).then(|| {
        let text =
            format!("the plans of the two runs differ in {}: the change includes that difference", what.join(", "));
        Issue::of_run(&codes::PLANS_DIFFER, text, "measure both with one plan".to_owned())
    })
}

/// What measuring the sides in the same blocks would have bought, from the drift that the baseline's cells share.
fn what_it_costs(cells: &[Vec<f64>]) -> Issue {
    let bought = paired_width(cells).map_or(String::new(), |width| {
        format!(
            "; by the baseline's own drift, the intervals of paired blocks would be {} as wide {}",
            units::format_percent(width.point),
            units::format_interval(
                &units::format_percent(width.interval.low),
                &units::format_percent(width.interval.high)
            )
        )
    });
    let text = format!(
        "the sides were measured in two runs: the change includes every change of the machines between them{bought}"
    );
    let fix = "measure both targets in one plan: its blocks interleave them";
    Issue::of_run(&codes::SEPARATE_RUNS, text, fix.to_owned())
}
