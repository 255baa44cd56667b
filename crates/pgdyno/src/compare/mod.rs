//! From the observations of a run to a judgement on it. Reads files only; draws every conclusion with `stats`.

mod budgets;
mod curves;
mod disks;
mod doubts;
mod headline;
mod ladders;
mod layers;
mod metric;
mod named;
mod observations;
mod pair;
mod question;
mod search;
mod separate;
mod series;
mod service;
mod sides;
mod standing;
#[cfg(test)]
mod tests;
mod together;

use std::collections::BTreeMap;

use results::activity::Seen;
use results::facts::TargetFacts;
use results::run::Run;
use results::store::RunDir;
use results::trial::{Outcome, Role, Trial};
use stats::paired::change_of_log_ratios;
use stats::{Estimate, Level};

pub use budgets::PairBudget;
pub(crate) use budgets::of_trial as budget_of_trial;
#[cfg(test)]
pub(crate) use budgets::seen as seen_while_measuring;
pub use curves::{Curve, CurvePoint};
pub use doubts::Doubt;
pub use ladders::{Ladder, Peak, Rung};
pub use layers::{LayerStep, Layers};
pub use metric::Metric;
pub use named::Named;
pub use pair::{BlockPoint, MetricJudgement, PairJudgement};
pub use question::{Blocks, LoadLoop, Question};
pub use search::Searches;
pub use separate::judge_separate;
pub use series::{Line, Second, SecondLatency};
pub use sides::{Confounder, FactRow, Known, is_identity_setting, short_version};

use crate::audit::{self, Audit};
use crate::diagnose::{Diagnosis, Watched, diagnose};
use crate::disk::judge::{DisksJudged, ObservedStage};
use crate::problem::{Problem, Status};
use observations::{Observations, Side};
use pair::decide;
use plan::Plan;
use standing::{Standing, standings};

/// Everything that is read from a run directory before judging.
#[derive(Debug)]
pub struct Observed {
    /// Identity and schedule.
    pub run: Run,
    /// The resolved plan; an imported run has none.
    pub plan: Option<Plan>,
    /// The resolved plan's text; of an imported run the study's, which may be empty.
    pub plan_yaml: String,
    /// Facts of the targets, by name; of an imported run none was read, and [`Imported`](results::imported::Imported) has what
    /// is stated of them.
    pub facts: BTreeMap<String, TargetFacts>,
    /// Finished trials, by number.
    pub trials: Vec<Trial>,
    /// Their seconds, by trial number.
    pub series: BTreeMap<u32, Vec<Second>>,
    /// What the sessions were seen doing while measuring, by trial number.
    pub seen: BTreeMap<u32, Vec<Seen>>,
    /// Everything that was watched while measuring, second by second, by trial number.
    pub watched: BTreeMap<u32, Watched>,
    /// What fio saw of the targets' disks.
    pub disks: Vec<ObservedStage>,
}

impl Observed {
    /// Reads what there is to judge.
    ///
    /// # Errors
    /// When a file of the run cannot be read or understood.
    pub fn read(dir: &RunDir) -> Result<Self, Problem> {
        let run = dir.run()?;
        let (plan, plan_yaml) = match &run.imported {
            Some(_) => (None, dir.study_yaml()?.unwrap_or_default()),
            // Disks were measured, and nothing else.
            None if !dir.has_plan() => (None, String::new()),
            None => {
                let (plan, text) = plan_of(dir)?;
                (Some(plan), text)
            }
        };
        let trials = dir.trials()?;
        let (mut series, mut seen, mut watched) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let of_trials = series::read(&trials, |number| {
            let text = dir.interval_lines(number)?;
            let (lines, activity) = (text.read::<Line<'_>>()?, dir.activity(number)?);
            let (seconds, sessions) = (series::seconds(&lines), budgets::seen(&activity));
            Ok((seconds, sessions, Watched::read(dir, number, lines, activity)?))
        })?;
        for (number, (seconds, sessions, watching)) in of_trials {
            series.insert(number, seconds);
            seen.insert(number, sessions);
            watched.insert(number, watching);
        }
        let disks = crate::disk::judge::read(dir)?;
        Ok(Self { run, plan, plan_yaml, facts: dir.facts()?, trials, series, seen, watched, disks })
    }

    /// The question that the run's plan asks; of an imported run, all its targets against the baseline that it names.
    pub fn question(&self) -> Question {
        match &self.plan {
            Some(plan) => Question::of(plan, self.run.schedule.seed),
            None => Question::of_imported(self.run.imported.as_ref(), &self.trials),
        }
    }

    /// What is known with the baseline first, then the candidates in the plan's order; targets of which nothing is known are
    /// left out.
    fn known_in_order(&self, question: &Question) -> Vec<Known<'_>> {
        let names = std::iter::once(&question.baseline).chain(&question.candidates);
        names.filter_map(|name| self.known(name)).collect()
    }

    /// What is known of a target.
    fn known(&self, name: &str) -> Option<Known<'_>> {
        let stated = || self.run.imported.as_ref()?.target(name).map(Known::stated);
        self.facts.get(name).map(Known::read_back).or_else(stated)
    }
}

fn plan_of(dir: &RunDir) -> Result<(Plan, String), Problem> {
    let text = dir.plan_yaml()?;
    let name = dir.path().join("plan.yaml");
    let plan = plan::parse(&name.display().to_string(), text.as_bytes()).map_err(|errors| Problem::plan(&errors))?;
    Ok((plan, text))
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
    /// What it cost at most to observe host and server, as a share of the time of one CPU; absent where nobody did.
    pub observer: Option<f64>,
    /// By what share the throughput differs in fifths of a second with the probes from their neighbours without; absent where the
    /// probes did not pause.
    pub observing: Option<Estimate>,
    /// Pairs of them that are left out of it, because CPU time was stolen meanwhile.
    pub robbed: u64,
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
    /// What each layer of the plan's ladder adds, at every place.
    pub layers: Vec<Layers>,
    /// What can be said of peaks.
    pub peaks: Vec<Peak>,
    /// What became of transactions besides being completed, one line for each cell that has any.
    pub service: Vec<String>,
    /// Why it is so.
    pub diagnosis: Diagnosis,
    /// Where the time went, for each pair that tells.
    pub budgets: Vec<PairBudget>,
    /// What the disks can do, and what that means for the workloads.
    pub disks: DisksJudged,
    /// What the searches for a capacity saw.
    pub curves: Vec<Curve>,
    /// Facts of all targets, differences first.
    pub facts: Vec<FactRow>,
    /// Names of the targets with facts, the baseline first: the order of [`FactRow::values`].
    pub targets: Vec<String>,
    /// Differences that were not allowed.
    pub confounders: Vec<Confounder>,
    /// Trials that were not steady while measuring, with what was found.
    pub unsteady: BTreeMap<u32, String>,
    /// What must hold, or the comparison is not one; absent where one side was measured by pgdyno and the other by another tool.
    pub audit: Option<Audit>,
    /// Reasons to doubt.
    pub doubts: Vec<Doubt>,
    /// The sentence at the top.
    pub headline: String,
}

impl Judgement {
    /// The exit status that this judgement asks for.
    pub fn status(&self) -> Status {
        let standings = standings(&self.pairs);
        if standings.contains(&Standing::Loss) {
            Status::Regression
        } else if standings.contains(&Standing::Undecided) {
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
    let observations = Observations::new(&observed.trials, &question).with_seconds(&observed.series);
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
    if observed.plan.as_ref().is_some_and(|plan| plan.noise_floor) {
        for place in observations.places() {
            noise_floor.push(pair::judge_pair(&question, &rule, &observations, &place, [&baseline, &again]));
        }
    }
    let (state, blocks) = (state(observed, &question), finished_blocks(observed));
    let compared = Compared { state, blocks, paired: true, pairs, noise_floor, audited: true, doubts: Vec::new() };
    conclude(observed, question, &observations, compared)
}

/// How the sides were compared, which is another matter in one run that measured both than in two.
struct Compared {
    state: State,
    blocks: u32,
    paired: bool,
    pairs: Vec<PairJudgement>,
    noise_floor: Vec<PairJudgement>,
    /// Whether an audit has an account of both sides.
    audited: bool,
    /// What comes before the doubts that every run may have.
    doubts: Vec<Doubt>,
}

/// Everything else that is concluded from the same observations.
fn conclude(observed: &Observed, question: Question, observations: &Observations<'_>, compared: Compared) -> Judgement {
    let Compared { state, blocks, paired, pairs, noise_floor, audited, mut doubts } = compared;
    let known = observed.known_in_order(&question);
    let facts = sides::rows(&known, &question.may_differ);
    let disks = disks::of_run(observed, &question, observations);
    let unsteady = doubts::unsteady(&observed.trials, &observed.series);
    let doubts_of = if audited { doubts::beside_audit } else { doubts::of_run };
    doubts.extend(doubts_of(observed, &unsteady, &noise_floor));
    let mut judgement = Judgement {
        state,
        blocks,
        measured_s: measured_s(&observed.trials),
        observer: observer(&observed.trials),
        observing: observing(&observed.trials),
        robbed: observed.trials.iter().filter_map(|trial| trial.observer.as_ref()).map(|cost| cost.robbed).sum(),
        paired,
        headline: headline(observed, &question, &pairs, &disks),
        ladders: ladders::ladders(&question, observations),
        layers: layers::layers(&question, &question.blocks.rule(), observations),
        // Both are of blocks that hold every rung and step on both sides.
        peaks: if paired { ladders::peaks(&question, observations) } else { Vec::new() },
        curves: if paired { curves::curves(&question, observations, &observed.trials) } else { Vec::new() },
        service: service::lines(&question, &observed.trials),
        diagnosis: diagnose(observed, &question),
        budgets: budgets::of_pairs(observed, &question, observations),
        disks,
        targets: known.iter().map(|known| known.name().to_owned()).collect(),
        confounders: sides::confounders(&known, &facts),
        facts,
        audit: None,
        doubts,
        unsteady,
        pairs,
        noise_floor,
        question,
    };
    judgement.audit = audited.then(|| audit::audit(&audit::of_run(observed, &judgement)));
    judgement
}

/// The sentence at the top: of the comparison, or of the disks where nothing else was measured.
fn headline(observed: &Observed, question: &Question, pairs: &[PairJudgement], disks: &DisksJudged) -> String {
    if observed.plan.is_none() && observed.trials.is_empty() && !disks.disks.is_empty() {
        return disks::headline(disks);
    }
    headline::headline(&question.baseline, pairs, question.threshold.share())
}

/// Blocks of which every trial that was to be executed is there: a block counts once the next one has begun or nothing of
/// it is left to be executed.
fn finished_blocks(observed: &Observed) -> u32 {
    let last = observed.trials.iter().map(|trial| trial.block).max().unwrap_or(0);
    let remaining = remaining(observed, &observed.question());
    let is_left =
        |scheduled: &results::run::ScheduledTrial| scheduled.block == last && remaining.contains(&scheduled.number);
    if last > 0 && observed.run.schedule.trials.iter().any(is_left) { last - 1 } else { last }
}

/// The cost of observing over all trials that tell it.
fn observer(trials: &[Trial]) -> Option<f64> {
    let costs = trials.iter().filter_map(|trial| trial.observer.as_ref());
    let (spent_us, over_us) = costs.fold((0, 0), |(spent_us, over_us), cost| {
        (spent_us + cost.probes_us + cost.samples_us, over_us + cost.over_us)
    });
    (over_us > 0).then(|| spent_us as f64 / over_us as f64)
}

/// The change of the throughput by observing, over all pairs of all trials.
fn observing(trials: &[Trial]) -> Option<Estimate> {
    let ratios = trials.iter().filter_map(|trial| trial.observer.as_ref()).flat_map(|cost| &cost.ratios);
    let logarithms: Vec<f64> = ratios.map(|ratio| ratio.ln()).collect();
    change_of_log_ratios(&logarithms, Level::NINETY_FIVE)
}

fn measured_s(trials: &[Trial]) -> f64 {
    let measured = |trial: &Trial| match (&trial.load, &trial.told) {
        (Some(load), _) => Some(load.measure_us as f64 / 1e6),
        (None, told) => told.as_ref().and_then(|told| told.duration_s.or(told.duration_s_stated)),
    };
    trials.iter().filter_map(measured).sum()
}

fn state(observed: &Observed, question: &Question) -> State {
    match observed.trials.last().map(|trial| &trial.outcome) {
        // Nothing can go on with what another tool measured.
        _ if observed.run.imported.is_some() => State::Complete,
        Some(Outcome::Interrupted) => State::Interrupted,
        _ if remaining(observed, question).is_empty() => State::Complete,
        _ => State::Unfinished,
    }
}

/// Numbers of the scheduled trials that are still to be executed: those not completed, of comparisons that the stopping
/// rule has not ended before their block, and of searches that have not ended.
pub fn remaining(observed: &Observed, question: &Question) -> Vec<u32> {
    remaining_of(&observed.run, question, &observed.trials)
}

/// [`remaining`] while a run is being made.
pub fn remaining_of(run: &Run, question: &Question, trials: &[Trial]) -> Vec<u32> {
    let completed: Vec<u32> =
        trials.iter().filter(|trial| trial.outcome == Outcome::Completed).map(|trial| trial.number).collect();
    let stops = stopped_after(question, trials);
    let searches = Searches::of(trials);
    let wanted = run.schedule.trials.iter().filter(|scheduled| {
        let place = observations::Place::of(&scheduled.cell);
        !completed.contains(&scheduled.number)
            && stops.get(&place).is_none_or(|last| scheduled.block <= *last)
            && searches.want(question, scheduled)
    });
    wanted.map(|scheduled| scheduled.number).collect()
}

/// The block after which the stopping rule ended each place: when all candidates of the place are precise enough.
fn stopped_after(question: &Question, trials: &[Trial]) -> BTreeMap<observations::Place, u32> {
    let rule = question.blocks.rule();
    let observations = Observations::new(trials, question);
    let baseline = Side::main(&question.baseline);
    let mut stops = BTreeMap::new();
    for place in observations.places() {
        let last = observations.usable(&place, &baseline).keys().max().copied().unwrap_or(0);
        let precise = |until: u32| {
            let earlier = observations.up_to(&place, until);
            question.candidates.iter().all(|candidate| {
                decide(question.deciding(&place.workload), &rule, &earlier, &place, [&baseline, &Side::main(candidate)])
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
