//! What a comparison asks, as far as judging needs it from the plan.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use plan::{
    AllowedDifference, Aspect, CapacitySearch, ComparedTargets, Decimal, Deed, Happening, Plan, PlannedRate, Think,
    Workload, WorkloadPace,
};
use results::imported::Imported;
use results::trial::Trial;
use stats::stopping::{FEWEST_BLOCKS, StoppingGoal, StoppingRule};
use stats::verdict::PracticalThreshold;

use super::metric::{Gapped, Metric};
use crate::observed::Observed;
use crate::stated_pace;

/// The smallest change worth acting on where no plan says otherwise, as a plan's default.
const DEFAULT_THRESHOLD: f64 = 0.03;
/// The smallest change worth acting on of what does not decide where no plan says otherwise, as a plan's default.
const DEFAULT_MARGIN: f64 = 0.2;
/// The half-width of an interval that is narrow enough where no plan says otherwise, as a plan's default.
const DEFAULT_UNTIL: f64 = 0.02;

/// The question that a run is to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RunQuestion {
    /// The target that the others are compared with.
    pub baseline: String,
    /// The targets that are compared with it, in the plan's order.
    pub candidates: Vec<String>,
    /// Pairs of targets that are compared besides, neither of them the baseline.
    pub further: Vec<ComparedTargets>,
    /// Ladders: targets in an order in which each adds a layer.
    pub ladders: Vec<Vec<String>>,
    /// Words and settings that may differ between the sides.
    pub may_differ: BTreeSet<AllowedDifference>,
    /// The smallest change worth acting on.
    pub threshold: PracticalThreshold,
    /// From which changes on what does not decide counts.
    pub margins: Margins,
    /// When there are blocks enough.
    pub blocks: BlockLimits,
    /// How the transactions of each workload begin.
    pub loops: BTreeMap<String, LoadLoop>,
    /// The mean pause of a client between two transactions, of the workloads that have one.
    pub think: BTreeMap<String, Duration>,
    /// The workloads whose trials are about what follows an event that ends sessions, and which gap that is.
    pub gaps: BTreeMap<String, Gapped>,
    /// By how much the statements of captured workloads may be slower, of those that have such a limit, as a share.
    pub statement_limits: BTreeMap<String, f64>,
    /// The workloads that are captured and whose database time decides.
    pub captured: BTreeSet<String>,
    /// Seed of the run, and of the bootstrap, so that a report made again says the same.
    pub seed: u64,
}

/// The smallest changes worth acting on of what does not decide, as shares; none of what is not judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margins {
    /// Of costs, and of the latencies that do not decide.
    pub costs: Option<f64>,
    /// Of statements.
    pub statements: Option<f64>,
}

/// When the transactions of a workload begin, as far as its figures depend on it.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadLoop {
    /// Each client waits for its answer.
    Closed,
    /// They arrive at a rate.
    Open {
        /// The rate, as the plan has it.
        rate: PlannedRate,
    },
    /// They arrive at rates of which the highest that keeps a limit is searched.
    Capacity(CapacitySearch),
    /// Those of a capture begin when they did.
    Timed {
        /// How much faster.
        speed: Decimal,
    },
}

impl LoadLoop {
    /// How the rate is searched; `None` where it is given.
    pub fn capacity_search(&self) -> Option<&CapacitySearch> {
        match self {
            LoadLoop::Capacity(search) => Some(search),
            LoadLoop::Closed | LoadLoop::Open { .. } | LoadLoop::Timed { .. } => None,
        }
    }
}

impl RunQuestion {
    /// The baseline, and the candidates in the plan's order.
    pub fn all_targets(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.baseline).chain(&self.candidates)
    }

    /// The question that a run's plan asks; of an imported run, all its targets against the baseline that it names.
    pub fn of_run(observed: &Observed) -> Self {
        match &observed.plan {
            Some(plan) => Self::from_plan(plan, observed.run.schedule.seed).within_time(&observed.trials),
            None => Self::of_imported(observed.run.imported.as_ref(), &observed.trials),
        }
    }

    /// The question of a plan; `seed` is the run's.
    pub fn from_plan(plan: &Plan, seed: u64) -> Self {
        let threshold = PracticalThreshold::new(plan.practical_threshold.as_fraction());
        let threshold = threshold.expect("a plan's threshold is checked when it is read");
        Self {
            baseline: plan.baseline.clone(),
            candidates: plan.candidate_targets().map(|target| target.name.clone()).collect(),
            further: plan.compare.clone(),
            ladders: plan.ladder.clone(),
            may_differ: plan.allowed_differences(),
            threshold,
            margins: Margins {
                costs: plan.costs.threshold.as_fraction(),
                statements: plan.statements.threshold.as_fraction(),
            },
            blocks: BlockLimits {
                at_least: plan.blocks.at_least,
                at_most: plan.blocks.at_most,
                until: match plan.blocks.until {
                    plan::ComparisonEnd::HalfWidth(half_width) => StoppingGoal::Precision(half_width.as_fraction()),
                    plan::ComparisonEnd::Verdict => StoppingGoal::Verdict(threshold),
                },
                at_most_time: plan.blocks.at_most_time,
            },
            loops: plan.workloads.iter().map(|workload| (workload.name.clone(), load_loop(&workload.pace))).collect(),
            think: plan.workloads.iter().filter_map(think_time_of_workload).collect(),
            gaps: gapped_workloads(plan),
            statement_limits: statement_limits(plan),
            captured: captured_workloads(plan),
            seed,
        }
    }

    /// The same with no more blocks than fitted into its time, as far as the trials tell.
    #[must_use]
    pub fn within_time(mut self, trials: &[Trial]) -> Self {
        self.blocks = self.blocks.within_time(trials);
        self
    }

    /// The question of figures that another tool measured: every target against the baseline that the sources name, and
    /// nothing may differ but what the author says.
    pub fn of_imported(imported: Option<&Imported>, trials: &[Trial]) -> Self {
        let mut targets: Vec<String> = Vec::new();
        let mut loops = BTreeMap::new();
        for trial in trials {
            if !targets.contains(&trial.cell.target) {
                targets.push(trial.cell.target.clone());
            }
            loops.insert(trial.cell.workload.clone(), told_loop(trial));
        }
        let baseline = imported.map(|imported| imported.baseline.clone()).or_else(|| targets.first().cloned());
        let baseline = baseline.unwrap_or_default();
        targets.retain(|target| *target != baseline);
        Self {
            baseline,
            candidates: targets,
            further: Vec::new(),
            ladders: Vec::new(),
            may_differ: imported.map(may_differ).unwrap_or_default(),
            threshold: PracticalThreshold::new(DEFAULT_THRESHOLD).expect("a constant between 0 and 1"),
            margins: Margins { costs: Some(DEFAULT_MARGIN), statements: Some(DEFAULT_MARGIN) },
            blocks: BlockLimits {
                at_least: FEWEST_BLOCKS as u32,
                at_most: FEWEST_BLOCKS as u32,
                until: StoppingGoal::Precision(DEFAULT_UNTIL),
                at_most_time: None,
            },
            think: imported.map(|imported| stated_think(imported, &loops)).unwrap_or_default(),
            loops,
            gaps: BTreeMap::new(),
            statement_limits: BTreeMap::new(),
            captured: BTreeSet::new(),
            seed: 0,
        }
    }

    /// The same question with another of its targets for the baseline; `None` where it has no such target. The pairs
    /// that the plan compares besides are left out where the new baseline is one of them: it is compared with all.
    pub fn with_baseline(&self, name: &str) -> Option<Self> {
        if name == self.baseline {
            return Some(self.clone());
        }
        let place = self.candidates.iter().position(|candidate| candidate == name)?;
        let mut question = self.clone();
        question.further.retain(|pair| pair.candidate != name && pair.baseline != name);
        // The one that was the baseline stands where the other did, so that two swaps are none.
        question.baseline = std::mem::replace(&mut question.candidates[place], question.baseline);
        Some(question)
    }

    /// How many pairs of targets are compared at each place.
    pub(super) fn pairs_per_place(&self) -> usize {
        self.candidates.len() + self.further.len()
    }

    /// How the transactions of a workload begin; a workload that the plan does not know is a
    /// closed loop, as all were once.
    pub fn load_loop(&self, workload: &str) -> &LoadLoop {
        self.loops.get(workload).unwrap_or(&LoadLoop::Closed)
    }

    /// Whether a workload searches the rate of its transactions, so that its trials are steps of searches.
    pub fn is_search(&self, workload: &str) -> bool {
        self.load_loop(workload).capacity_search().is_some()
    }

    /// From which change on a statement of a workload counts, as a share: what the plan requires of it, or what holds
    /// for all workloads; none where statements are not judged.
    pub fn statement_margin(&self, workload: &str) -> Option<f64> {
        self.statement_limits.get(workload).copied().or(self.margins.statements)
    }

    /// The metrics of a workload whose clients do not pause, the one that decides first;
    /// [`Observations::metrics_at_place`] has those of a place.
    pub(super) fn metrics_of_workload(&self, workload: &str) -> &'static [Metric] {
        match self.gaps.get(workload) {
            Some(gap) => Metric::with_gap(*gap),
            None => Metric::of_loop(self.load_loop(workload)),
        }
    }
}

/// The pause that a workload's clients have between two transactions.
fn think_time_of_workload(workload: &Workload) -> Option<(String, Duration)> {
    match workload.pace {
        WorkloadPace::Closed { think: Some(Think::Fixed(time) | Think::Exponential(time)) } => {
            Some((workload.name.clone(), time))
        }
        WorkloadPace::Closed { think: None }
        | WorkloadPace::Open { .. }
        | WorkloadPace::Capacity { .. }
        | WorkloadPace::Timed { .. } => None,
    }
}

/// The pause that the author of an import states of all its workloads.
fn stated_think(imported: &Imported, loops: &BTreeMap<String, LoadLoop>) -> BTreeMap<String, Duration> {
    match stated_pace::pace_of_import(imported) {
        stated_pace::StatedPace::Closed { thinking_ms } if thinking_ms > 0.0 => {
            let think = Duration::from_secs_f64(thinking_ms / 1e3);
            loops.keys().map(|workload| (workload.clone(), think)).collect()
        }
        stated_pace::StatedPace::Closed { .. } | stated_pace::StatedPace::Other => BTreeMap::new(),
    }
}

/// A checkpoint ends no session: there the throughput decides as ever.
fn gapped_workloads(plan: &Plan) -> BTreeMap<String, Gapped> {
    if !plan.events.iter().any(|event| event.what != Happening::Do(Deed::Checkpoint)) {
        return BTreeMap::new();
    }
    plan.workloads
        .iter()
        .map(|workload| (workload.name.clone(), if workload.can_write() { Gapped::Writes } else { Gapped::Reads }))
        .collect()
}

fn statement_limits(plan: &Plan) -> BTreeMap<String, f64> {
    let mut limits = BTreeMap::new();
    for workload in &plan.workloads {
        if let Some(limit) = workload.require.statements {
            limits.insert(workload.name.clone(), limit.as_fraction());
        }
    }
    limits
}

/// Those whose load is given; of a search the capacity decides, and of events the gap.
fn captured_workloads(plan: &Plan) -> BTreeSet<String> {
    let gapped = gapped_workloads(plan);
    let mut captured = BTreeSet::new();
    for workload in &plan.workloads {
        let is_captured = workload.own_scripts().is_some_and(|scripts| scripts.captured.is_some());
        if is_captured && workload.capacity_search().is_none() && !gapped.contains_key(&workload.name) {
            captured.insert(workload.name.clone());
        }
    }
    captured
}

/// What the author of an import says may differ: aspects by their words, and names of settings or conditions.
fn may_differ(imported: &Imported) -> BTreeSet<AllowedDifference> {
    let said = imported.may_differ.iter().flatten();
    said.map(|word| match Aspect::of_word(word) {
        Some(aspect) => AllowedDifference::Aspect(aspect),
        None => AllowedDifference::Setting(word.to_lowercase()),
    })
    .collect()
}

/// An open loop is one whose rate is told.
fn told_loop(trial: &Trial) -> LoadLoop {
    let rate = trial.told.as_ref().and_then(|told| told.offered_per_s).and_then(PlannedRate::constant_per_s);
    rate.map_or(LoadLoop::Closed, |rate| LoadLoop::Open { rate })
}

fn load_loop(pace: &WorkloadPace) -> LoadLoop {
    match pace {
        WorkloadPace::Closed { .. } => LoadLoop::Closed,
        WorkloadPace::Open { rate, .. } => LoadLoop::Open { rate: rate.clone() },
        WorkloadPace::Capacity { search, .. } => LoadLoop::Capacity(*search),
        WorkloadPace::Timed { speed } => LoadLoop::Timed { speed: *speed },
    }
}

/// The limits of the stopping rule as the plan gives them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockLimits {
    /// Blocks before the rule is asked.
    pub at_least: u32,
    /// Blocks after which nothing is asked.
    pub at_most: u32,
    /// What ends a comparison before that.
    pub until: StoppingGoal,
    /// The time of trials that no block is begun to go beyond, once there are `at_least`.
    pub at_most_time: Option<Duration>,
}

/// What a trial counts for in the time of trials: all of its phases, or its share of them where it was executed in the
/// same time as the others that its side took turns with.
pub fn time_taken(trial: &Trial) -> Duration {
    let phases = Duration::from_micros(trial.phases.iter().map(|phase| phase.duration_us).sum());
    let others = trial.turns.as_ref().map_or(0, |turns| turns.with.len());
    phases.div_f64((others + 1) as f64)
}

impl BlockLimits {
    /// The stopping rule. A plan may ask for fewer blocks than a verdict needs (to try things out); the rule then has
    /// nothing to decide before the fewest that it knows, and the verdict says that there is not enough data.
    pub fn stopping_rule(self) -> StoppingRule {
        let at_least = (self.at_least as usize).max(FEWEST_BLOCKS);
        let at_most = (self.at_most as usize).max(at_least);
        StoppingRule::new(at_least, at_most, self.until).expect("a plan's limits are checked when it is read")
    }

    /// With no more blocks than fit into the time: the last is the first after which another one as long would go
    /// beyond it.
    pub(super) fn within_time(self, trials: &[Trial]) -> Self {
        let Some(limit) = self.at_most_time else { return self };
        let mut took_s: BTreeMap<u32, f64> = BTreeMap::new();
        for trial in trials {
            *took_s.entry(trial.block).or_default() += time_taken(trial).as_secs_f64();
        }
        let mut elapsed_s = 0.0;
        let over = took_s.iter().find(|(block, took_s)| {
            elapsed_s += **took_s;
            **block >= self.at_least && elapsed_s + **took_s > limit.as_secs_f64()
        });
        Self { at_most: over.map_or(self.at_most, |(last, _)| self.at_most.min(*last)), ..self }
    }
}
