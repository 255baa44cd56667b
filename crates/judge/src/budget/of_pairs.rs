//! Where the time went, pair by pair: the budgets of the trials that count, baseline beside candidate.

use std::collections::BTreeMap;

use results::path::{NetworkPath, PathFigures};
use results::probe_fields::{host_cgroup, host_server};
use results::trial::{LoadTotals, Trial};
use stats::stopping::StoppingRule;

use super::of_trial::{BackendTime, Budget, MeasuredPhase, PathTime, is_by_kernel, of_trial};
use super::part::ConnectingStep;
use super::per_transaction::{Taken, TransactionResource, compare_resource_use};
use super::waterfall::{OnCpuByBlock, Waterfall, compare_budgets, on_cpu_by_block};
use crate::compare::{ComparedSide, Comparison, ComparisonPlace, Metric, MetricJudgement, Observations};
use crate::observed::{Observed, WatchedPhase};

/// What a connection took beyond its steps is attempts in vain from this share of the steps on; less is the precision
/// of the means.
const EARLIER_FROM: f64 = 0.005;

/// The time budgets of a pair.
#[derive(Debug, Clone)]
pub struct PairBudget {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Baseline beside candidate.
    pub waterfall: Waterfall,
    /// Blocks of the comparison whose trials have no budget, and why.
    pub without: Vec<TrialWithout>,
    /// Share of the periods of its CPU limit in which each side's server was held back; none without a limit.
    pub throttled: [Option<f64>; 2],
    /// The time on a CPU of both sides, block by block; none where no block has it.
    pub on_cpu: Option<OnCpuByBlock>,
    /// What a transaction takes of the server besides time; only what was read on both sides.
    pub taken: Vec<Taken>,
}

/// A trial that counts in the comparison and has no budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialWithout {
    /// Its block.
    pub block: u32,
    /// Its target.
    pub target: String,
    /// Why.
    pub reason: String,
}

/// The budgets of every pair of a comparison; those with fewer than two blocks, and searches, have none.
pub fn of_pairs(observed: &Observed, comparison: &Comparison, observations: &Observations<'_>) -> Vec<PairBudget> {
    let question = &comparison.question;
    let baseline = ComparedSide::main(&question.baseline);
    let rule = question.blocks.stopping_rule();
    let mut all = Vec::new();
    for (candidate, place) in observations.pairs_of_given_load(question) {
        let sides = [&baseline, &ComparedSide::main(&candidate)];
        let mut both = sides.map(|side| budgets_by_block(observed, observations, &place, side, budget_of_trial));
        // What one side's account tells apart, and the other's does not, would look like a difference between them.
        if !both.iter().flat_map(BTreeMap::values).all(is_by_kernel) {
            both = sides.map(|side| budgets_by_block(observed, observations, &place, side, by_samples));
        }
        let [one, other] = both;
        let Some(latency) = latency_judgement(comparison, &candidate, &place) else { continue };
        if let Some(waterfall) = compare_budgets(&one, &other, latency, &rule) {
            let throttled = sides.map(|side| cpu_throttled_share(observed, observations, &place, side));
            let taken = taken_of(observed, observations, &place, sides, &rule);
            let on_cpu = on_cpu_by_block(&one, &other, latency, &rule);
            let without = trials_without_budget(observed, observations, &place, sides, [&one, &other]);
            all.push(PairBudget { candidate, place, waterfall, without, throttled, on_cpu, taken });
        }
    }
    all
}

/// The judgement on the mean latency of a pair.
fn latency_judgement<'a>(
    comparison: &'a Comparison,
    candidate: &str,
    place: &ComparisonPlace,
) -> Option<&'a MetricJudgement> {
    let pair = comparison.pairs.iter().find(|pair| pair.candidate == candidate && pair.place == *place)?;
    pair.metrics.iter().find(|judged| judged.metric == Metric::LatencyMean)
}

/// The trials without a budget in blocks in which both sides count, in the order of the blocks.
fn trials_without_budget(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    sides: [&ComparedSide; 2],
    budgets: [&BTreeMap<u32, Budget>; 2],
) -> Vec<TrialWithout> {
    let usable = sides.map(|side| observations.usable_trials(place, side));
    let mut all = Vec::new();
    for block in usable[0].keys().filter(|block| usable[1].contains_key(block)) {
        for (which, side) in sides.into_iter().enumerate() {
            if budgets[which].contains_key(block) {
                continue;
            }
            let watched = observed.watched.get(&usable[which][block].number);
            let gap =
                watched.and_then(|watched| watched.activity.iter().flatten().find_map(|window| window.gap.clone()));
            let reason = gap.unwrap_or_else(|| "its sessions were not sampled".to_owned());
            all.push(TrialWithout { block: *block, target: side.target.clone(), reason });
        }
    }
    all
}

fn taken_of(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    sides: [&ComparedSide; 2],
    rule: &StoppingRule,
) -> Vec<Taken> {
    let mut taken = Vec::new();
    for resource in TransactionResource::ALL {
        let [baseline, candidate] = sides.map(|side| {
            let usable = observations.usable_trials(place, side).into_iter();
            let amounts = usable.filter_map(|(block, trial)| {
                Some((block, resource.amount_per_transaction(observed.watched.get(&trial.number)?)?))
            });
            amounts.collect::<BTreeMap<u32, f64>>()
        });
        taken.extend(compare_resource_use(resource, &baseline, &candidate, rule));
    }
    taken
}

/// The budget of one trial by some account.
type Budgeting = fn(&Observed, &Trial) -> Option<Budget>;

/// By block.
fn budgets_by_block(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
    budget: Budgeting,
) -> BTreeMap<u32, Budget> {
    let usable = observations.usable_trials(place, side).into_iter();
    usable.filter_map(|(block, trial)| Some((block, budget(observed, trial)?))).collect()
}

/// Where the time of one trial's mean transaction went. None: the sessions were not sampled, or nothing was completed.
pub fn budget_of_trial(observed: &Observed, trial: &Trial) -> Option<Budget> {
    let connects_for_each = trial.load.as_ref().is_some_and(|load| connecting_ms_by_step(load).is_some());
    // The kernel's account of sessions that end with their transaction has what they used before they were let in.
    let backends = if connects_for_each { None } else { observed.watched.get(&trial.number).and_then(backend_time) };
    by_accounts(observed, trial, backends)
}

/// The same without the kernel's account of the backends.
fn by_samples(observed: &Observed, trial: &Trial) -> Option<Budget> {
    by_accounts(observed, trial, None)
}

fn by_accounts(observed: &Observed, trial: &Trial, backends: Option<BackendTime>) -> Option<Budget> {
    if !trial.events.is_empty() {
        // Its mean transaction would be one of two different times.
        return None;
    }
    let load = trial.load.as_ref()?;
    let latency_ms = Metric::LatencyMean.figure_of_trial(trial)?;
    let service_ms = load.service_time()?.mean_ns / 1e6;
    of_trial(&MeasuredPhase {
        throughput_per_s: Metric::Throughput.figure_of_trial(trial)?,
        clients: trial.cell.clients.known_count()?,
        latency_ms,
        service_ms,
        seen: observed.seen.get(&trial.number).map_or(&[][..], Vec::as_slice),
        backends,
        path: load.path.as_ref().and_then(|figures| path_time(figures, load)),
        connecting: connecting_ms_by_step(load),
        script_ms: load.path.as_ref().and_then(|figures| per_ended_ms(figures.script_us? as f64, load)),
    })
}

/// By transaction, also by those that failed, in milliseconds; none where none has ended.
fn per_ended_ms(us: f64, load: &LoadTotals) -> Option<f64> {
    let ended = (load.transactions + load.failed) as f64;
    if ended > 0.0 { Some(us / 1e3 / ended) } else { None }
}

/// How long its own connection takes a transaction, by step, where connecting is part of the latency and was taken
/// apart.
fn connecting_ms_by_step(load: &LoadTotals) -> Option<Vec<(ConnectingStep, f64)>> {
    let made = load.connecting.filter(|made| made.part_of_latency == Some(true))?;
    let ms = |mean_ns: f64, count: u64| per_ended_ms(mean_ns / 1e3 * count as f64, load);
    let (tcp, first_answer, login) = (made.tcp?, made.first_answer?, made.login?);
    let mut steps = vec![
        (ConnectingStep::Tcp, ms(tcp.mean_ns, made.count)?),
        (ConnectingStep::FirstAnswer, ms(first_answer.mean_ns, made.count)?),
        (ConnectingStep::Login, ms(login.mean_ns, made.count)?),
    ];
    let known_ms: f64 = steps.iter().map(|(_, ms)| ms).sum();
    let mut earlier_ms = (ms(made.total.mean_ns, made.count)? - known_ms).max(0.0);
    if let Some(tls) = made.tls {
        // At most what is left: where only some connections were encrypted, their number is not known.
        let tls_ms = ms(tls.mean_ns, made.count)?.min(earlier_ms);
        earlier_ms -= tls_ms;
        steps.push((ConnectingStep::Tls, tls_ms));
    }
    if earlier_ms > EARLIER_FROM * known_ms {
        steps.push((ConnectingStep::EarlierAttempts, earlier_ms));
    }
    Some(steps)
}

/// What the load engine and the kernel say of the path, by transaction: those that failed had their round trips too.
fn path_time(figures: &PathFigures, load: &LoadTotals) -> Option<PathTime> {
    let network_ms = match &figures.network {
        NetworkPath::Tcp(tcp) => per_ended_ms(tcp.rtt_us_min * figures.round_trips as f64, load),
        NetworkPath::Unix | NetworkPath::Unknown { .. } => None,
    };
    Some(PathTime { engine_ms: per_ended_ms(figures.engine_us as f64, load)?, network_ms })
}

/// The mean share of the periods of its CPU limit in which the server was held back, over the blocks of one side; none
/// where it has no limit or the kernel does not tell.
fn cpu_throttled_share(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
) -> Option<f64> {
    let trials = observations.usable_trials(place, side).into_values();
    let (mut periods, mut throttled) = (0.0, 0.0);
    for watched in trials.filter_map(|trial| observed.watched.get(&trial.number)) {
        if let Some((in_all, _)) = watched.rise_of_counter(host_cgroup::CPU_PERIODS) {
            periods += in_all;
            throttled += watched.rise_of_counter(host_cgroup::CPU_THROTTLED_PERIODS)?.0;
        }
    }
    (periods > 0.0).then(|| throttled / periods)
}

/// What the kernel counted while measuring for the backends of the load, or, where it is not known which these are, for
/// all of them; by transaction.
fn backend_time(watched: &WatchedPhase) -> Option<BackendTime> {
    let of_load = (host_server::LOAD_CPU_US, host_server::LOAD_RUN_DELAY_US);
    let of_all = (host_server::BACKENDS_CPU_US, host_server::BACKENDS_RUN_DELAY_US);
    [of_load, of_all].into_iter().find_map(|(cpu_us, run_delay_us)| {
        let running_ms = watched.per_transaction(cpu_us)? / 1e3;
        Some(BackendTime { running_ms, waiting_ms: watched.per_transaction(run_delay_us)? / 1e3 })
    })
}
