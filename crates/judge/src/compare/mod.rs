//! The sides of a run beside each other, at every place: what changed, by how much, and what else differs.

mod build;
mod confounders;
mod cross_check;
mod curves;
mod diluted;
mod fact_value;
mod ladders;
mod layers;
mod metric;
mod observations;
mod pair;
mod pauses;
mod question;
pub(crate) mod search;
mod service;
pub(crate) mod sides;
mod spread;
mod standing;
pub(crate) mod stopping;
mod unpaired;

use std::collections::BTreeSet;

use results::trial::{Role, TrialOutcome};
use stats::verdict::Verdict;

pub use confounders::{Confounder, DifferingFact, FactDifference};
pub use cross_check::CrossCheck;
pub use curves::{CapacityCurve, CurvePoint};
pub use diluted::Diluted;
pub use fact_value::{FactValue, Provenance};
pub use ladders::{ClientLadder, ClientRung, Maximum, OnlyTrialFigures, StillGaining};
pub use layers::{LayerLadder, LayerStep};
pub use metric::{Gapped, Metric};
pub use observations::{ComparedSide, ComparisonPlace, Excluded, Observations};
pub(crate) use observations::{is_usable, lost_by_itself, pod_lost};
pub use pair::{BlockPoint, Conclusion, MetricJudgement, PairJudgement};
pub use question::{BlockLimits, LoadLoop, Margins, RunQuestion, time_taken};
pub(crate) use sides::fact_rows;
pub use sides::{FactRow, KnownTarget};
pub use spread::{OverTrials, TargetSpread};
pub use standing::{PairStanding, standings_of_pairs};
pub use unpaired::{compare_unpaired, figures_by_cell};

use stopping::{further_sides, remaining_trials};

use crate::failures::FailureComparison;
use crate::observed::Observed;

/// How far a run came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// Every comparison has the precision that was asked for, or all its blocks.
    Complete,
    /// Its last trial was interrupted.
    Interrupted,
    /// It is being measured.
    Running,
    /// Trials are missing: it was killed, or could not go on.
    Unfinished,
}

/// What is concluded from the sides of a run beside each other.
#[derive(Debug)]
pub struct Comparison {
    /// What was asked.
    pub question: RunQuestion,
    /// How far the run came.
    pub state: RunState,
    /// Finished blocks.
    pub blocks: u32,
    /// Whether the sides were measured in the same blocks.
    pub paired: bool,
    /// Whether the figures are outputs of other tools, so that pairing is what their author states and nothing else.
    pub outputs: bool,
    /// Every candidate at every place.
    pub pairs: Vec<PairJudgement>,
    /// The pairs that the plan compares besides, at every place.
    pub further: Vec<PairJudgement>,
    /// The baseline against itself.
    pub noise_floor: Vec<PairJudgement>,
    /// Figures against clients.
    pub ladders: Vec<ClientLadder>,
    /// What each layer of the plan's ladder adds, at every place.
    pub layers: Vec<LayerLadder>,
    /// The highest throughput of each target in each workload that has several numbers of clients.
    pub maxima: Vec<Maximum>,
    /// The cells that the plan has measured by two generators.
    pub cross_checks: Vec<CrossCheck>,
    /// What the searches for a capacity saw.
    pub curves: Vec<CapacityCurve>,
    /// How far the latencies lie apart, and how long connecting took.
    pub spreads: Vec<TargetSpread>,
    /// What became of transactions besides being completed, one line for each cell that has any.
    pub service: Vec<String>,
    /// Facts of all targets, differences first.
    pub facts: Vec<FactRow>,
    /// Names of the targets with facts, the baseline first: the order of [`FactRow::values`].
    pub targets: Vec<String>,
    /// Differences that were not allowed.
    pub confounders: Vec<Confounder>,
}

/// Compares the sides of one run, block by block; figures of other tools so only where their author states the pairs.
pub fn compare_sides(observed: &Observed, question: RunQuestion) -> Comparison {
    if observed.run.imported.as_ref().is_some_and(|imported| !imported.paired) {
        return unpaired::compare_outputs(observed, question);
    }
    let rule = question.blocks.stopping_rule();
    let observations = Observations::of_run(observed, &question);
    let baseline = ComparedSide::main(&question.baseline);
    let again = ComparedSide { target: question.baseline.clone(), role: Role::NoiseFloor };
    let judged = |sides: [&ComparedSide; 2], place: &ComparisonPlace| {
        let diluted = diluted::dilution_of_pair(observed, place, sides);
        PairJudgement { diluted, ..pair::judge_pair(&question, &rule, &observations, place, sides) }
    };
    let places = observations.places_in_order();
    let candidates = question.candidates.iter().map(|candidate| ComparedSide::main(candidate));
    let pairs = candidates.flat_map(|side| places.iter().map(move |place| (side.clone(), place)));
    let mut pairs: Vec<PairJudgement> = pairs.map(|(side, place)| judged([&baseline, &side], place)).collect();
    pair::firm_failures(&mut pairs);
    let mut further: Vec<PairJudgement> = Vec::new();
    for [baseline, candidate] in &further_sides(&question) {
        further.extend(places.iter().map(|place| judged([baseline, candidate], place)));
    }
    pair::firm_failures(&mut further);
    let has_floor = observed.plan.as_ref().is_some_and(|plan| plan.noise_floor);
    let noise_floor = places.iter().filter(|_| has_floor).map(|place| judged([&baseline, &again], place)).collect();
    let (ladders, layers) = (
        ladders::ladders_of_targets(&question, &observations),
        layers::layers_of_places(&question, &rule, &observations),
    );
    let maxima = ladders::maxima_of_targets(&question, &observations, &ladders);
    let cross_checks = cross_check::cross_checks(observed.plan.as_ref(), &question, &rule, &observations);
    let curves = curves::curves_of_targets(&question, &observations, &observed.trials);
    let spreads = spread::spreads_of_targets(&question, &observations);
    let (state, blocks) = (state_of_run(observed, &question), finished_blocks(observed));
    Comparison {
        state,
        blocks,
        paired: true,
        pairs,
        further,
        noise_floor,
        ladders,
        layers,
        maxima,
        cross_checks,
        curves,
        spreads,
        ..Comparison::of_facts(observed, question)
    }
}

impl Comparison {
    /// What stands of every pair: of those with the baseline, then of those that the plan compares besides, which are a
    /// family of their own.
    pub fn all_standings(&self) -> Vec<PairStanding> {
        let mut standings = standings_of_pairs(&self.pairs);
        standings.extend(standings_of_pairs(&self.further));
        standings
    }

    /// The same of a run that is being measured: no verdict on a place of which trials are still to be executed, since
    /// the stopping rule has not ended it.
    pub(crate) fn so_far(mut self, observed: &Observed) -> Self {
        let remaining = remaining_trials(&observed.run, &self.question, &observed.trials);
        if remaining.is_empty() {
            return self;
        }
        let coming = observed.run.schedule.trials.iter().filter(|trial| remaining.contains(&trial.number));
        let open: BTreeSet<ComparisonPlace> = coming.map(|trial| ComparisonPlace::from_cell(&trial.cell)).collect();
        let compared = self.pairs.iter_mut().chain(&mut self.further).chain(&mut self.noise_floor);
        for pair in compared.filter(|pair| open.contains(&pair.place)) {
            pair.metrics.iter_mut().for_each(|metric| metric.verdict = Verdict::SoFar);
            pair.failures.iter_mut().for_each(FailureComparison::so_far);
        }
        for layers in self.layers.iter_mut().filter(|layers| open.contains(&layers.place)) {
            let steps = layers.steps.iter_mut().chain([&mut layers.total]);
            steps.flat_map(|step| &mut step.metrics).for_each(|metric| metric.verdict = Verdict::SoFar);
        }
        for check in
            self.cross_checks.iter_mut().filter(|check| open.contains(&check.place) || open.contains(&check.other))
        {
            check.metrics.iter_mut().for_each(|metric| metric.verdict = Verdict::SoFar);
        }
        self.maxima.retain(|maximum| open.iter().all(|place| place.workload != maximum.workload));
        self.state = RunState::Running;
        self
    }

    /// What needs no blocks: the facts beside each other, and what became of the transactions.
    pub(crate) fn of_facts(observed: &Observed, question: RunQuestion) -> Self {
        let known = sides::known_targets(observed, &question);
        let facts = sides::fact_rows(&known, &question.may_differ);
        Self {
            state: RunState::Complete,
            blocks: 0,
            paired: false,
            outputs: observed.run.imported.is_some(),
            pairs: Vec::new(),
            further: Vec::new(),
            noise_floor: Vec::new(),
            ladders: Vec::new(),
            layers: Vec::new(),
            maxima: Vec::new(),
            cross_checks: Vec::new(),
            curves: Vec::new(),
            spreads: Vec::new(),
            service: service::service_lines(&question, &observed.trials),
            targets: known.iter().map(|known| known.name().to_owned()).collect(),
            confounders: confounders::find_confounders(&known, &facts),
            facts,
            question,
        }
    }
}

/// Blocks of which every trial that was to be executed is there: a block counts once the next one has begun or nothing
/// of it is left to be executed.
pub(super) fn finished_blocks(observed: &Observed) -> u32 {
    let last = observed.trials.iter().map(|trial| trial.block).max().unwrap_or(0);
    let remaining = remaining_trials(&observed.run, &RunQuestion::of_run(observed), &observed.trials);
    let mut of_last = observed.run.schedule.trials.iter().filter(|scheduled| scheduled.block == last);
    if last > 0 && of_last.any(|scheduled| remaining.contains(&scheduled.number)) { last - 1 } else { last }
}

fn state_of_run(observed: &Observed, question: &RunQuestion) -> RunState {
    match observed.trials.last().map(|trial| &trial.outcome) {
        // Nothing can go on with what another tool measured.
        _ if observed.run.imported.is_some() => RunState::Complete,
        Some(TrialOutcome::Interrupted) => RunState::Interrupted,
        _ if remaining_trials(&observed.run, question, &observed.trials).is_empty() => RunState::Complete,
        _ => RunState::Unfinished,
    }
}
