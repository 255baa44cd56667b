//! The figures of one run that a history keeps: of each cell the metric that decides, over the trials that count.

use results::history::{BrokenCell, FORMAT, MetricDirection, Point};
use results::run::Run;
use results::trial::{Cell, Trial, TrialOutcome};
use stats::verdict;

use super::broken::broken_in_run;
use super::{contract, doubts};
use crate::compare::stopping::remaining_trials;
use crate::compare::{ComparedSide, ComparisonPlace, Metric, Observations, RunQuestion};
use crate::judgement::{Judgement, judge_run};
use crate::observed::Observed;

/// Why a run has no place in a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Another tool measured: nothing was read back, so nobody knows whether the next run is like it.
    Imported,
    /// No plan asked for it.
    Unplanned,
    /// It was stopped, or is being measured.
    Interrupted,
    /// So many trials are still to be executed.
    Unfinished(usize),
}

/// What a run gives.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRun {
    /// A point for each cell.
    pub points: Vec<Point>,
    /// Cells of which practically all transactions failed.
    pub broken: Vec<BrokenCell>,
    /// Other cells without a figure.
    pub left_out: Vec<UnmeasuredCell>,
}

/// A cell without a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmeasuredCell {
    /// Which.
    pub cell: Cell,
    /// Why the last of its trials does not count.
    pub why: String,
}

/// The points of a run.
///
/// # Errors
/// [`Unfit`] where the run has none that can be compared with those of others.
pub fn points_of_run(observed: &Observed) -> Result<MeasuredRun, Unfit> {
    if observed.run.imported.is_some() {
        return Err(Unfit::Imported);
    }
    if observed.plan.is_none() {
        return Err(Unfit::Unplanned);
    }
    let question = RunQuestion::of_run(observed);
    if observed.trials.last().is_some_and(|trial| trial.outcome == TrialOutcome::Interrupted) {
        return Err(Unfit::Interrupted);
    }
    let missing = remaining_trials(&observed.run, &question, &observed.trials).len();
    if missing > 0 {
        return Err(Unfit::Unfinished(missing));
    }
    let observations = Observations::of_run(observed, &question);
    let judgement = judge_run(observed);
    let targets: Vec<&String> = question.all_targets().collect();
    let mut found =
        MeasuredRun { points: Vec::new(), broken: broken_in_run(observed, &judgement), left_out: Vec::new() };
    for place in observations.places_in_order() {
        for target in &targets {
            let side = ComparedSide::main(target);
            if !observations.is_measured(&place, &side) {
                continue;
            }
            let cell = cell_of_side(&place, &side);
            if found.broken.iter().any(|broken| broken.cell == cell) {
                continue;
            }
            match point_of_side(observed, &judgement, &observations, &place, &side) {
                Some(point) => found.points.push(point),
                None => found.left_out.push(left_out(&observations, &place, &side)),
            }
        }
    }
    Ok(found)
}

fn cell_of_side(place: &ComparisonPlace, side: &ComparedSide) -> Cell {
    Cell { target: side.target.clone(), workload: place.workload.clone(), clients: place.clients }
}

fn left_out(observations: &Observations<'_>, place: &ComparisonPlace, side: &ComparedSide) -> UnmeasuredCell {
    let why = observations
        .excluded_trials(place, side)
        .pop()
        .map_or("it has no figure".to_owned(), |excluded| excluded.reason);
    UnmeasuredCell { cell: cell_of_side(place, side), why }
}

fn point_of_side(
    observed: &Observed,
    judgement: &Judgement,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
) -> Option<Point> {
    let question = &judgement.comparison.question;
    let metric = observations.deciding_metric(question, place);
    let trials: Vec<&Trial> = observations.usable_trials(place, side).into_values().collect();
    let figures: Vec<f64> = trials.iter().filter_map(|trial| observations.figure_of_trial(metric, trial)).collect();
    let estimate = observations.estimate_at_place(place, side, metric);
    let mean = figures.iter().sum::<f64>() / figures.len() as f64;
    let point = estimate.map_or(mean, |estimate| estimate.point);
    // Nor where there are none: levels are compared by their ratio.
    if point.is_nan() || point <= 0.0 {
        return None;
    }
    let [contract, server] = contract::of_cell(observed, &trials);
    let left_out: Vec<String> =
        observations.excluded_trials(place, side).into_iter().map(|excluded| excluded.reason).collect();
    let doubts = doubts::of_cell(judgement.audit.as_ref(), &judgement.caveats, &trials, &left_out);
    let Run { id, started_at, pgdyno_version, .. } = &observed.run;
    Some(Point {
        format: FORMAT,
        run: id.clone(),
        at: *started_at,
        pgdyno_version: pgdyno_version.clone(),
        cell: cell_of_side(place, side),
        metric: metric.name().to_owned(),
        unit: metric.unit().to_owned(),
        better: better_direction(metric),
        point,
        interval: estimate.map(|estimate| [estimate.interval.low, estimate.interval.high]),
        trials: u32::try_from(figures.len()).unwrap_or(u32::MAX),
        threshold: question.threshold.as_share(),
        contract,
        server,
        doubts: Some(doubts),
    })
}

fn better_direction(metric: Metric) -> MetricDirection {
    match metric.better_direction() {
        verdict::BetterDirection::Higher => MetricDirection::Higher,
        verdict::BetterDirection::Lower => MetricDirection::Lower,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use results::store::RunDir;

    use super::*;

    fn observed(fixture: &str) -> Observed {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/tests/fixtures").join(fixture);
        Observed::read(&RunDir::open(&path).unwrap()).unwrap()
    }

    #[test]
    fn every_cell_of_a_run_has_a_point_with_its_conditions() {
        let observed = observed("run-format-3");
        let found = points_of_run(&observed).unwrap();
        assert_eq!(found.left_out, []);
        let cells: std::collections::BTreeSet<Cell> = observed.trials.iter().map(|trial| trial.cell.clone()).collect();
        assert_eq!(
            found.points.iter().map(|point| point.cell.clone()).collect::<std::collections::BTreeSet<_>>(),
            cells
        );
        let first = &found.points[0];
        assert!(first.point > 0.0 && first.contract.contains_key("kernel"), "{first:?}");
        assert!(first.contract.keys().any(|name| name.starts_with("plan: workload.")), "{first:?}");
        assert!(first.server.contains_key("version") && !first.contract.contains_key("version"), "{first:?}");
    }

    #[test]
    fn a_run_that_ended_early_has_none() {
        let mut observed = observed("run-format-3");
        observed.trials.pop();
        assert!(matches!(points_of_run(&observed), Err(Unfit::Unfinished(_))), "{:?}", points_of_run(&observed));
        observed.plan = None;
        assert_eq!(points_of_run(&observed), Err(Unfit::Unplanned));
    }
}
