//! What two generators say of one cell: whether the figures depend on the program that measured them.

use plan::{Generator, Plan};
use stats::stopping::StoppingRule;

use super::observations::{ComparedSide, ComparisonPlace, Observations};
use super::pair::{MetricJudgement, judge_metric};
use super::question::RunQuestion;

/// One cell by two generators, over the blocks in which both measured it.
#[derive(Debug, Clone)]
pub struct CrossCheck {
    /// The target.
    pub target: String,
    /// The workload that asks for it, and the clients.
    pub place: ComparisonPlace,
    /// The workload by the other generator.
    pub other: ComparisonPlace,
    /// The workload's generator, and the other one.
    pub generators: [Generator; 2],
    /// Every metric that either tells, the one that decides first, the workload's own generator as the baseline: a
    /// verdict but "equivalent" says that the figures depend on who measures.
    pub metrics: Vec<MetricJudgement>,
}

/// Every cell that the plan has cross-checked, workload by workload.
pub(super) fn cross_checks(
    plan: Option<&Plan>,
    question: &RunQuestion,
    rule: &StoppingRule,
    observations: &Observations<'_>,
) -> Vec<CrossCheck> {
    let mut checks = Vec::new();
    for workload in plan.map_or(&[][..], |plan| &plan.workloads) {
        let (Some(generator), Some(name)) = (workload.cross_check, workload.cross_check_name()) else { continue };
        for place in observations.places_in_order().into_iter().filter(|place| place.workload == workload.name) {
            let other = ComparisonPlace { workload: name.clone(), clients: place.clients };
            checks.extend(question.all_targets().map(|target| CrossCheck {
                target: target.clone(),
                place: place.clone(),
                other: other.clone(),
                generators: [workload.generator, generator],
                metrics: metric_judgements(question, rule, observations, &ComparedSide::main(target), [&place, &other]),
            }));
        }
    }
    checks
}

fn metric_judgements(
    question: &RunQuestion,
    rule: &StoppingRule,
    observations: &Observations<'_>,
    side: &ComparedSide,
    places: [&ComparisonPlace; 2],
) -> Vec<MetricJudgement> {
    let trials = places.map(|place| observations.usable_trials(place, side));
    let all = observations.metrics_at_place(question, places[0]).iter().copied().map(|metric| {
        let estimates = places.map(|place| observations.estimate_at_place(place, side, metric));
        judge_metric(question, rule, observations, metric, estimates, trials.each_ref())
    });
    all.filter(|one| one.baseline.is_some() || one.candidate.is_some()).collect()
}
