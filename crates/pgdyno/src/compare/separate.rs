//! Two runs made separately: the same judgement without pairing, and what that costs. What is said of time and causes block by
//! block (budgets, findings) takes their blocks in order: of independent runs that is as true as it is unpaired, and as wide.

use stats::Estimate;
use stats::pairing::paired_width;
use stats::unpaired::{Figure, unpaired_change};
use stats::verdict::{PracticalThreshold, Verdict, judge};

use super::doubts::Doubt;
use super::metric::Metric;
use super::observations::{Observations, Place, Side};
use super::pair::{MetricJudgement, PairJudgement};
use super::question::Question;
use super::together::together;
use super::{Compared, Judgement, Observed, State, conclude, finished_blocks};
use crate::problem::Problem;
use crate::report::units;

/// Judges the baseline target of `candidate` against the baseline target of `baseline`, at every place that both runs
/// measured; `question` is the baseline's, but for its candidates. Both come back as one account, on which the judgement is.
///
/// # Errors
/// When the runs have no workload and clients in common.
pub fn judge_separate(
    baseline: Observed,
    candidate: Observed,
    mut question: Question,
) -> Result<(Observed, Judgement), Problem> {
    let ids = [baseline.run.id.clone(), candidate.run.id.clone()];
    let blocks = finished_blocks(&baseline).min(finished_blocks(&candidate));
    let is_alike = baseline.run.imported.is_some() == candidate.run.imported.is_some();
    let otherwise = asked_otherwise(&baseline, &candidate);
    let (both, name) = together(baseline, candidate);
    question.candidates = vec![name.clone()];
    question.ladder = Vec::new();
    let observations = Observations::new(&both.trials, &question).with_seconds(&both.series);
    let sides = [Side::main(&question.baseline), Side::main(&name)];
    let has = |place: &Place, side: &Side| observations.is_measured(place, side);
    let in_both: Vec<Place> =
        observations.places().into_iter().filter(|place| sides.iter().all(|side| has(place, side))).collect();
    if in_both.is_empty() {
        let [one, other] = ids;
        return Err(Problem::usage(format!(
            "runs {one} and {other} have no workload with the same number of clients in common"
        ))
        .hint("compare two runs of the same plan"));
    }
    let pairs: Vec<PairJudgement> =
        in_both.iter().map(|place| judge_place(&question, &observations, &sides, place)).collect();
    let mut doubts = vec![what_it_costs(&observations, &question.baseline)];
    doubts.extend(otherwise);
    let compared = Compared {
        state: State::Complete,
        blocks,
        paired: false,
        pairs,
        noise_floor: Vec::new(),
        // Both by pgdyno or both by other tools: an audit has one account of what is known.
        audited: is_alike,
        doubts,
    };
    let judgement = conclude(&both, question, &observations, compared);
    Ok((both, judgement))
}

/// What the plans of the two runs ask otherwise, of the workloads of one name and of the phases of a trial.
fn asked_otherwise(baseline: &Observed, candidate: &Observed) -> Option<Doubt> {
    let (one, other) = (baseline.plan.as_ref()?, candidate.plan.as_ref()?);
    let differs = |name: &str| other.workload(name).is_some_and(|theirs| Some(theirs) != one.workload(name));
    let mut what: Vec<String> = one
        .workloads
        .iter()
        .filter(|workload| differs(&workload.name))
        .map(|workload| format!("the workload {}", workload.name))
        .collect();
    if one.trial != other.trial {
        what.push("the phases of a trial".to_owned());
    }
    (!what.is_empty()).then(|| Doubt {
        text: format!("the plans of the two runs differ in {}: the change contains that difference", what.join(", ")),
        hint: "measure both with one plan".to_owned(),
        trials: Vec::new(),
    })
}

fn judge_place(
    question: &Question,
    observations: &Observations<'_>,
    sides: &[Side; 2],
    place: &Place,
) -> PairJudgement {
    let figures = |metric: Metric| {
        [0, 1].map(|side| {
            let trials = observations.usable(place, &sides[side]);
            let figure = |(block, trial): (&u32, &&results::trial::Trial)| {
                Some(Figure { block: *block, value: metric.of(trial)? })
            };
            trials.iter().filter_map(figure).collect::<Vec<Figure>>()
        })
    };
    let judge_metric = |metric: Metric| {
        let means = [0, 1].map(|side| observations.estimate(place, &sides[side], metric));
        judge_metric(metric, means, &figures(metric), question.threshold)
    };
    let all = question.metrics(&place.workload);
    let metrics = all.iter().copied().map(judge_metric).collect();
    let [baseline, candidate] = figures(all[0]);
    let p_value = unpaired_change(&baseline, &candidate).ok().map(|change| change.p_value());
    let excluded = [0, 1].map(|side| observations.excluded(place, &sides[side])).concat();
    PairJudgement {
        candidate: sides[1].target.clone(),
        place: place.clone(),
        metrics,
        blocks: Vec::new(),
        excluded,
        p_value,
    }
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
