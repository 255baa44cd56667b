//! From the observations of a run to a judgement on it. Reads files only; draws every conclusion with `stats`.

mod doubts;
mod headline;
mod ladders;
mod metric;
mod observations;
mod pair;
mod question;
mod separate;
mod series;
mod sides;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use results::facts::TargetFacts;
use results::run::Run;
use results::store::RunDir;
use results::trial::{Outcome, Role, Trial};
use stats::verdict::Verdict;

pub use doubts::Doubt;
pub use ladders::{Ladder, Peak, Rung};
pub use metric::Metric;
pub use pair::{BlockPoint, MetricJudgement, PairJudgement};
pub use question::{Blocks, Question};
pub use separate::judge_separate;
pub use series::{Second, SecondLatency};
pub use sides::{Confounder, FactRow, is_identity_setting, short_version};

use crate::plan::Plan;
use crate::problem::{Problem, Status};
use observations::{Observations, Side};
use pair::decide;

/// Everything that is read from a run directory before judging.
#[derive(Debug)]
pub struct Observed {
    /// Identity and schedule.
    pub run: Run,
    /// The resolved plan.
    pub plan: Plan,
    /// The resolved plan's text.
    pub plan_yaml: String,
    /// Facts of the targets, by name.
    pub facts: BTreeMap<String, TargetFacts>,
    /// Finished trials, by number.
    pub trials: Vec<Trial>,
    /// Their seconds, by trial number.
    pub series: BTreeMap<u32, Vec<Second>>,
}

impl Observed {
    /// Reads what there is to judge.
    ///
    /// # Errors
    /// When a file of the run cannot be read or understood.
    pub fn read(dir: &RunDir) -> Result<Self, Problem> {
        let plan_yaml = dir.plan_yaml()?;
        let name = dir.path().join("plan.yaml");
        let plan = crate::plan::parse(&name.display().to_string(), plan_yaml.as_bytes())
            .map_err(|errors| Problem::plan(&errors))?;
        let trials = dir.trials()?;
        let series = series::read(dir, &trials)?;
        Ok(Self { run: dir.run()?, plan, plan_yaml, facts: dir.facts()?, trials, series })
    }

    /// The question that the run's plan asks.
    pub fn question(&self) -> Question {
        Question::of(&self.plan, self.run.schedule.seed)
    }

    /// Facts with the baseline first, then the candidates in the plan's order; targets without facts are left out.
    fn facts_in_order(&self, question: &Question) -> Vec<&TargetFacts> {
        let names = std::iter::once(&question.baseline).chain(&question.candidates);
        names.filter_map(|name| self.facts.get(name)).collect()
    }
}

/// How far a run came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Every comparison has the precision that was asked for, or all its blocks.
    Complete,
    /// Its last trial was interrupted.
    Interrupted,
    /// Trials are missing: it is running, was killed, or could not go on.
    Unfinished,
}

/// What is concluded from a run.
#[derive(Debug)]
pub struct Judgement {
    /// How far the run came.
    pub state: State,
    /// Finished blocks.
    pub blocks: u32,
    /// Seconds of all measurement phases.
    pub measured_s: f64,
    /// Whether the sides were measured in the same blocks.
    pub paired: bool,
    /// What was asked.
    pub question: Question,
    /// Every candidate at every place.
    pub pairs: Vec<PairJudgement>,
    /// The baseline against itself.
    pub noise_floor: Vec<PairJudgement>,
    /// Figures against clients.
    pub ladders: Vec<Ladder>,
    /// What can be said of peaks.
    pub peaks: Vec<Peak>,
    /// Facts of all targets, differences first.
    pub facts: Vec<FactRow>,
    /// Names of the targets with facts, the baseline first: the order of [`FactRow::values`].
    pub targets: Vec<String>,
    /// Differences that were not allowed.
    pub confounders: Vec<Confounder>,
    /// Trials that were not steady while measuring, with what was found.
    pub unsteady: BTreeMap<u32, String>,
    /// Reasons to doubt.
    pub doubts: Vec<Doubt>,
    /// The sentence at the top.
    pub headline: String,
}

impl Judgement {
    /// The exit status that this judgement asks for.
    pub fn status(&self) -> Status {
        let family: Vec<(Verdict, f64)> =
            self.pairs.iter().map(|pair| (pair.verdict(), pair.p_value.unwrap_or(1.0))).collect();
        if !stats::holm::regressions(&family).is_empty() {
            Status::Regression
        } else if self.pairs.iter().any(|pair| matches!(pair.verdict(), Verdict::NotEnoughData { .. })) {
            Status::NotEnoughData
        } else {
            Status::Done
        }
    }
}

/// Judges one run by its plan's own question.
pub fn judge(observed: &Observed) -> Judgement {
    judge_question(observed, observed.question())
}

/// Judges one run by another question, such as one with another threshold.
pub fn judge_question(observed: &Observed, question: Question) -> Judgement {
    let rule = question.blocks.rule();
    let observations = Observations::new(&observed.trials).with_seconds(&observed.series);
    let baseline = Side::main(&question.baseline);
    let again = Side { target: question.baseline.clone(), role: Role::NoiseFloor };
    let mut pairs = Vec::new();
    let mut noise_floor = Vec::new();
    for candidate in &question.candidates {
        let candidate = Side::main(candidate);
        for place in observations.places() {
            pairs.push(pair::judge_pair(&question, &rule, &observations, &place, [&baseline, &candidate]));
        }
    }
    if observed.plan.noise_floor {
        for place in observations.places() {
            noise_floor.push(pair::judge_pair(&question, &rule, &observations, &place, [&baseline, &again]));
        }
    }
    let facts_in_order = observed.facts_in_order(&question);
    let facts = sides::rows(&facts_in_order, &question.may_differ);
    let confounders = sides::confounders(&facts_in_order, &facts);
    let unsteady = doubts::unsteady(&observed.trials, &observed.series);
    let doubts = doubts::of_run(observed, &unsteady, &noise_floor);
    Judgement {
        state: state(observed, &question),
        blocks: finished_blocks(observed),
        measured_s: measured_s(&observed.trials),
        paired: true,
        headline: headline::headline(&question.baseline, &pairs, question.threshold.share()),
        ladders: ladders::ladders(&question, &observations),
        peaks: ladders::peaks(&question, &observations),
        targets: facts_in_order.iter().map(|facts| facts.name.clone()).collect(),
        facts,
        confounders,
        doubts,
        unsteady,
        pairs,
        noise_floor,
        question,
    }
}

/// Blocks of which every trial that was to be executed is there: a block counts once the next one has begun or it is
/// whole itself.
fn finished_blocks(observed: &Observed) -> u32 {
    let last = observed.trials.iter().map(|trial| trial.block).max().unwrap_or(0);
    let whole = |block: u32| {
        let scheduled = observed.run.schedule.trials.iter().filter(|trial| trial.block == block).count();
        let done = observed.trials.iter().filter(|t| t.block == block && t.outcome == Outcome::Completed).count();
        scheduled == done
    };
    if last == 0 || whole(last) || remaining(observed, &observed.question()).is_empty() { last } else { last - 1 }
}

fn measured_s(trials: &[Trial]) -> f64 {
    trials.iter().filter_map(|trial| trial.load.as_ref()).map(|load| load.measure_us as f64 / 1e6).sum()
}

fn state(observed: &Observed, question: &Question) -> State {
    match observed.trials.last().map(|trial| &trial.outcome) {
        Some(Outcome::Interrupted) => State::Interrupted,
        _ if remaining(observed, question).is_empty() => State::Complete,
        _ => State::Unfinished,
    }
}

/// Numbers of the scheduled trials that are still to be executed: those not completed, of comparisons that the stopping
/// rule has not ended before their block.
pub fn remaining(observed: &Observed, question: &Question) -> Vec<u32> {
    remaining_of(&observed.run, question, &observed.trials)
}

/// [`remaining`] while a run is being made.
pub fn remaining_of(run: &Run, question: &Question, trials: &[Trial]) -> Vec<u32> {
    let completed: Vec<u32> =
        trials.iter().filter(|trial| trial.outcome == Outcome::Completed).map(|trial| trial.number).collect();
    let stops = stopped_after(question, trials);
    let wanted = run.schedule.trials.iter().filter(|scheduled| {
        let place = observations::Place::of(&scheduled.cell);
        !completed.contains(&scheduled.number) && stops.get(&place).is_none_or(|last| scheduled.block <= *last)
    });
    wanted.map(|scheduled| scheduled.number).collect()
}

/// The block after which the stopping rule ended each place: when all candidates of the place are precise enough.
fn stopped_after(question: &Question, trials: &[Trial]) -> BTreeMap<observations::Place, u32> {
    let rule = question.blocks.rule();
    let observations = Observations::new(trials);
    let baseline = Side::main(&question.baseline);
    let mut stops = BTreeMap::new();
    for place in observations.places() {
        let last = observations.usable(&place, &baseline).keys().max().copied().unwrap_or(0);
        let precise = |until: u32| {
            let earlier = observations.up_to(&place, until);
            question.candidates.iter().all(|candidate| {
                decide(&rule, &earlier, &place, [&baseline, &Side::main(candidate)])
                    == stats::stopping::Decision::Precise
            })
        };
        if !question.candidates.is_empty()
            && let Some(stop) = (question.blocks.at_least..=last).find(|block| precise(*block))
        {
            stops.insert(place, stop);
        }
    }
    stops
}
