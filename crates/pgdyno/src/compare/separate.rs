//! Two runs made separately: the same judgement without pairing, and what that costs.

use std::collections::BTreeMap;

use results::facts::TargetFacts;
use stats::Estimate;
use stats::pairing::paired_width;
use stats::unpaired::{Figure, unpaired_change};
use stats::verdict::{PracticalThreshold, Verdict, judge};

use super::doubts::{self, Doubt};
use super::metric::Metric;
use super::observations::{Observations, Place, Side};
use super::pair::{MetricJudgement, PairJudgement};
use super::question::Question;
use super::{Judgement, Observed, State, finished_blocks, headline, ladders, measured_s, sides};
use crate::problem::Problem;
use crate::report::units;

/// Judges the baseline target of `candidate` against the baseline target of `baseline`, at every place that both runs
/// measured. `question` is the baseline's, but for its candidates.
///
/// # Errors
/// When the runs have no workload and clients in common.
pub fn judge_separate(baseline: &Observed, candidate: &Observed, mut question: Question) -> Result<Judgement, Problem> {
    let candidate_target = candidate.plan.baseline.clone();
    let name = if candidate_target == question.baseline {
        format!("{candidate_target} of {}", candidate.run.id)
    } else {
        candidate_target.clone()
    };
    question.candidates = vec![name.clone()];
    let observations = [baseline, candidate].map(|run| Observations::new(&run.trials).with_seconds(&run.series));
    let in_both: Vec<Place> =
        observations[0].places().into_iter().filter(|place| observations[1].places().contains(place)).collect();
    if in_both.is_empty() {
        return Err(Problem::usage(format!(
            "runs {} and {} have no workload with the same number of clients in common",
            baseline.run.id, candidate.run.id
        ))
        .hint("compare two runs of the same plan"));
    }
    let sides = [Side::main(&question.baseline), Side::main(&candidate_target)];
    let pairs: Vec<PairJudgement> =
        in_both.iter().map(|place| judge_place(&question, &observations, &sides, place, &name)).collect();
    let facts = facts(baseline, candidate, &question.baseline, &candidate_target, &name);
    let in_order: Vec<&TargetFacts> = facts.iter().collect();
    let rows = sides::rows(&in_order, &question.may_differ);
    let mut doubts = vec![what_it_costs(&observations[0], &question.baseline)];
    for run in [baseline, candidate] {
        doubts.extend(doubts::of_run(run, &doubts::unsteady(&run.trials, &run.series), &[]));
    }
    Ok(Judgement {
        state: State::Complete,
        blocks: finished_blocks(baseline).min(finished_blocks(candidate)),
        measured_s: measured_s(&baseline.trials) + measured_s(&candidate.trials),
        paired: false,
        headline: headline::headline(&question.baseline, &pairs, question.threshold.share()),
        ladders: ladders::ladders(&Question { candidates: vec![], ..question.clone() }, &observations[0]),
        peaks: Vec::new(),
        targets: in_order.iter().map(|facts| facts.name.clone()).collect(),
        confounders: sides::confounders(&in_order, &rows),
        facts: rows,
        doubts,
        unsteady: BTreeMap::new(),
        pairs,
        noise_floor: Vec::new(),
        question,
    })
}

fn facts(
    baseline: &Observed,
    candidate: &Observed,
    baseline_target: &str,
    candidate_target: &str,
    name: &str,
) -> Vec<TargetFacts> {
    let of_candidate =
        candidate.facts.get(candidate_target).map(|facts| TargetFacts { name: name.to_owned(), ..facts.clone() });
    baseline.facts.get(baseline_target).cloned().into_iter().chain(of_candidate).collect()
}

fn judge_place(
    question: &Question,
    observations: &[Observations<'_>; 2],
    sides: &[Side; 2],
    place: &Place,
    name: &str,
) -> PairJudgement {
    let figures = |metric: Metric| {
        [0, 1].map(|side| {
            let trials = observations[side].usable(place, &sides[side]);
            let figure = |(block, trial): (&u32, &&results::trial::Trial)| {
                Some(Figure { block: *block, value: metric.of(trial)? })
            };
            trials.iter().filter_map(figure).collect::<Vec<Figure>>()
        })
    };
    let judge_metric = |metric: Metric| {
        let means = [0, 1].map(|side| observations[side].estimate(place, &sides[side], metric));
        judge_metric(metric, means, &figures(metric), question.threshold)
    };
    let metrics = Metric::ALL.into_iter().map(judge_metric).collect();
    let [baseline, candidate] = figures(Metric::Throughput);
    let p_value = unpaired_change(&baseline, &candidate).ok().map(|change| change.p_value());
    let excluded = [0, 1].map(|side| observations[side].excluded(place, &sides[side])).concat();
    PairJudgement { candidate: name.to_owned(), place: place.clone(), metrics, blocks: Vec::new(), excluded, p_value }
}

fn judge_metric(
    metric: Metric,
    means: [Option<Estimate>; 2],
    [baseline, candidate]: &[Vec<Figure>; 2],
    threshold: PracticalThreshold,
) -> MetricJudgement {
    let change = unpaired_change(baseline, candidate).ok();
    MetricJudgement {
        metric,
        baseline: means[0],
        candidate: means[1],
        verdict: change.as_ref().map_or(Verdict::without_interval(baseline.len().min(candidate.len())), |change| {
            judge(&change.change, &change.spread, threshold, metric.better())
        }),
        change: change.map(|change| change.change),
    }
}

/// What measuring the sides in the same blocks would have bought, from the drift that the baseline's cells share.
fn what_it_costs(observations: &Observations<'_>, baseline: &str) -> Doubt {
    let side = Side::main(baseline);
    let figures = |place: &Place| -> Vec<f64> {
        observations.usable(place, &side).values().filter_map(|trial| Metric::Throughput.of(trial)).collect()
    };
    let cells: Vec<Vec<f64>> = observations.places().iter().map(figures).collect();
    let bought = paired_width(&cells).map_or(String::new(), |width| {
        format!(
            "; judging from the baseline's own drift, paired blocks would have had intervals {} as wide [{} … {}]",
            units::percent(width.point),
            units::percent(width.interval.low),
            units::percent(width.interval.high)
        )
    });
    Doubt {
        text: format!(
            "the sides were measured in two runs: whatever changed on the machines between them is part of the change{bought}"
        ),
        hint: "measure both targets in one plan: its blocks interleave them".to_owned(),
        trials: Vec::new(),
    }
}
