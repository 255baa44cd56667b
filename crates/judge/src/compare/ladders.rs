//! Figures against clients: each target's ladder, whether its peak was reached, and peaks compared.

use std::collections::{BTreeMap, BTreeSet};

use stats::Estimate;
use stats::ladder::{CompleteLadder as Throughputs, LadderBlock};
use stats::paired;
use stats::peak::{NotReached, PeakComparison, compare_peaks};
use stats::usl;

use super::metric::Metric;
use super::observations::{ComparedSide, ComparisonPlace, Observations};
use super::question::{LoadLoop, RunQuestion};
use crate::units;

/// One target's figures in one workload, by clients.
#[derive(Debug, Clone)]
pub struct ClientLadder {
    /// The target.
    pub target: String,
    /// The workload.
    pub workload: String,
    /// By clients, ascending.
    pub rungs: Vec<ClientRung>,
    /// The Universal Scalability Law's description, where it can be fitted.
    pub note: Option<String>,
}

/// One number of clients.
#[derive(Debug, Clone, Copy)]
pub struct ClientRung {
    /// Clients.
    pub clients: u32,
    /// Throughput over the blocks.
    pub throughput_per_s: Option<Estimate>,
    /// Mean latency over the blocks.
    pub latency_mean_ms: Option<Estimate>,
    /// 99th percentile of latency over the blocks.
    pub latency_p99_ms: Option<Estimate>,
    /// The figures of the only trial, where there is one alone: without an interval.
    pub of_only_trial: OnlyTrialFigures,
}

/// Figures of the one trial of a cell; each absent where there are several, or where it does not tell it.
#[derive(Debug, Clone, Copy, Default)]
pub struct OnlyTrialFigures {
    /// Throughput.
    pub throughput_per_s: Option<f64>,
    /// Mean latency.
    pub latency_mean_ms: Option<f64>,
    /// 99th percentile of latency.
    pub latency_p99_ms: Option<f64>,
}

impl ClientLadder {
    /// The number of clients with the highest throughput.
    fn highest_throughput(&self) -> Option<(u32, Estimate)> {
        let rungs = self.rungs.iter().filter_map(|rung| Some((rung.clients, rung.throughput_per_s?)));
        rungs.max_by(|(_, one), (_, other)| one.point.total_cmp(&other.point))
    }
}

/// The highest throughput of one target in one workload, over two numbers of clients or more.
#[derive(Debug, Clone)]
pub struct Maximum {
    /// The workload.
    pub workload: String,
    /// The target.
    pub target: String,
    /// With how many clients.
    pub clients: u32,
    /// How high.
    pub throughput_per_s: Estimate,
    /// Against the baseline's; absent for the baseline, and where a peak was not reached.
    pub change: Option<Estimate>,
    /// The sides, of this target and the baseline, whose peak was not reached; empty for the baseline.
    pub not_reached: Vec<StillGaining>,
    /// What can be said of the two peaks; absent for the baseline, and without two blocks in common.
    pub text: Option<String>,
}

/// A target whose throughput still rose with the most clients.
#[derive(Debug, Clone, PartialEq)]
pub struct StillGaining {
    /// The target.
    pub target: String,
    /// By how much, from the second highest rung to the highest, as a share.
    pub gain: f64,
}

/// The ladders of all targets.
pub(super) fn ladders_of_targets(question: &RunQuestion, observations: &Observations<'_>) -> Vec<ClientLadder> {
    let workloads = clients_by_workload(question, observations);
    let mut ladders = Vec::new();
    for target in question.all_targets() {
        let side = ComparedSide::main(target);
        for (workload, clients) in &workloads {
            ladders.push(ClientLadder {
                target: target.clone(),
                workload: workload.clone(),
                rungs: clients.iter().map(|clients| rung_at_clients(observations, &side, workload, *clients)).collect(),
                note: scalability_law_in_words(question, observations, &side, workload, clients),
            });
        }
    }
    ladders
}

/// The maxima of every target, workload by workload, the baseline first.
pub(super) fn maxima_of_targets(
    question: &RunQuestion,
    observations: &Observations<'_>,
    ladders: &[ClientLadder],
) -> Vec<Maximum> {
    let mut maxima = Vec::new();
    for (workload, clients) in clients_by_workload(question, observations) {
        let own = ladders.iter().filter(|ladder| ladder.workload == workload && clients.len() > 1);
        maxima.extend(own.filter_map(|ladder| maximum_of_ladder(ladder, &clients, question, observations)));
    }
    maxima
}

fn maximum_of_ladder(
    ladder: &ClientLadder,
    clients: &[u32],
    question: &RunQuestion,
    observations: &Observations<'_>,
) -> Option<Maximum> {
    let (at, throughput_per_s) = ladder.highest_throughput()?;
    let ClientLadder { target, workload, .. } = ladder;
    let compared =
        (*target != question.baseline).then(|| peaks_of_candidate(question, observations, target, workload, clients));
    let compared = compared.flatten();
    let (change, not_reached) = match &compared {
        Some(PeakComparison::Compared(peaks)) => (Some(peaks.change), Vec::new()),
        Some(PeakComparison::PeakNotReached(sides)) => (None, still_gaining(&question.baseline, target, sides)),
        None => (None, Vec::new()),
    };
    let text = compared.map(|compared| in_words(&question.baseline, target, &compared));
    Some(Maximum {
        workload: workload.clone(),
        target: target.clone(),
        clients: at,
        throughput_per_s,
        change,
        not_reached,
        text,
    })
}

/// The peaks of a candidate and the baseline, over the blocks in which both have all rungs.
fn peaks_of_candidate(
    question: &RunQuestion,
    observations: &Observations<'_>,
    candidate: &str,
    workload: &str,
    clients: &[u32],
) -> Option<PeakComparison> {
    let sides = [ComparedSide::main(&question.baseline), ComparedSide::main(candidate)];
    let blocks = common_blocks(observations, &sides, workload, clients);
    let [baseline, of_candidate] =
        sides.each_ref().map(|side| throughputs_by_block(observations, side, workload, clients, &blocks));
    let level = question.blocks.stopping_rule().level_at(blocks.len());
    compare_peaks(&baseline?, &of_candidate?, level, question.seed).ok()
}

fn in_words(baseline: &str, candidate: &str, comparison: &PeakComparison) -> String {
    match comparison {
        PeakComparison::Compared(peak) => format!(
            "peak throughput changes by {} {}; the peak is at {} for {baseline} and {} for {candidate}",
            units::format_change(peak.change.point),
            units::change_interval(peak.change.interval.low, peak.change.interval.high),
            units::format_clients(peak.baseline.clients),
            units::format_clients(peak.candidate.clients),
        ),
        PeakComparison::PeakNotReached(sides) => {
            let mut still: Vec<String> = Vec::new();
            for StillGaining { target, gain } in still_gaining(baseline, candidate, sides) {
                still.push(format!("{target} still gains {}", units::format_percent(gain)));
            }
            format!(
                "peaks were not reached ({} on the highest rung): add more clients to compare them",
                still.join(", ")
            )
        }
    }
}

fn still_gaining(baseline: &str, candidate: &str, sides: &[NotReached]) -> Vec<StillGaining> {
    let mut gaining = Vec::new();
    for not_reached in sides {
        let target = match not_reached.side {
            paired::PairSide::Baseline => baseline,
            paired::PairSide::Candidate => candidate,
        };
        gaining.push(StillGaining { target: target.to_owned(), gain: not_reached.gain.point });
    }
    gaining
}

/// Every workload of a closed loop with its numbers of clients, ascending. In an open loop the rate decides what is
/// done; clients are only as many as are needed.
fn clients_by_workload(question: &RunQuestion, observations: &Observations<'_>) -> BTreeMap<String, Vec<u32>> {
    let mut workloads: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let places = observations.places_in_order().into_iter();
    for ComparisonPlace { workload, clients } in
        places.filter(|place| *question.load_loop(&place.workload) == LoadLoop::Closed)
    {
        if let Some(clients) = clients.known_count() {
            workloads.entry(workload).or_default().push(clients);
        }
    }
    workloads
}

fn rung_at_clients(observations: &Observations<'_>, side: &ComparedSide, workload: &str, clients: u32) -> ClientRung {
    let place = ComparisonPlace { workload: workload.to_owned(), clients: clients.into() };
    let estimate = |metric: Metric| observations.estimate_at_place(&place, side, metric);
    let only = |metric: Metric| observations.figure_of_only_trial(&place, side, metric);
    ClientRung {
        clients,
        throughput_per_s: estimate(Metric::Throughput),
        latency_mean_ms: estimate(Metric::LatencyMean),
        latency_p99_ms: estimate(Metric::LatencyP99),
        of_only_trial: OnlyTrialFigures {
            throughput_per_s: only(Metric::Throughput),
            latency_mean_ms: only(Metric::LatencyMean),
            latency_p99_ms: only(Metric::LatencyP99),
        },
    }
}

/// The blocks in which every rung of all `sides` was measured. The stopping rule may have ended some rungs before
/// others.
fn common_blocks(observations: &Observations<'_>, sides: &[ComparedSide], workload: &str, clients: &[u32]) -> Vec<u32> {
    let rungs =
        clients.iter().map(|clients| ComparisonPlace { workload: workload.to_owned(), clients: (*clients).into() });
    let of_each = rungs.flat_map(|place| {
        sides.iter().map(move |side| observations.usable_trials(&place, side).into_keys().collect::<BTreeSet<u32>>())
    });
    of_each.reduce(|all, one| &all & &one).into_iter().flatten().collect()
}

fn throughputs_by_block(
    observations: &Observations<'_>,
    side: &ComparedSide,
    workload: &str,
    clients: &[u32],
    blocks: &[u32],
) -> Option<Throughputs> {
    let mut rungs = Vec::with_capacity(clients.len());
    for clients in clients {
        let place = ComparisonPlace { workload: workload.to_owned(), clients: (*clients).into() };
        rungs.push(observations.usable_trials(&place, side));
    }
    let mut ladder_blocks = Vec::with_capacity(blocks.len());
    for block in blocks {
        let figures = rungs.iter().map(|trials| Metric::Throughput.figure_of_trial(trials.get(block)?));
        ladder_blocks.push(LadderBlock { block: *block, throughput: figures.collect::<Option<Vec<f64>>>()? });
    }
    Throughputs::new(clients.to_vec(), &ladder_blocks).ok()
}

fn scalability_law_in_words(
    question: &RunQuestion,
    observations: &Observations<'_>,
    side: &ComparedSide,
    workload: &str,
    clients: &[u32],
) -> Option<String> {
    let blocks = common_blocks(observations, std::slice::from_ref(side), workload, clients);
    let ladder = throughputs_by_block(observations, side, workload, clients, &blocks)?;
    let fit = usl::fit_scalability_law(&ladder, question.seed).ok()?;
    let peak = fit.peak_clients().map(|clients| format!(", its curve peaks at {clients:.0} clients"));
    Some(format!(
        "Universal Scalability Law: {}, {}{}",
        coefficient_in_words("contention σ", &fit.sigma),
        coefficient_in_words("coherency κ", &fit.kappa),
        peak.unwrap_or_default()
    ))
}

fn coefficient_in_words(name: &str, e: &Estimate) -> String {
    format!("{name} {:.4} [{:.4}, {:.4}]", e.point, e.interval.low, e.interval.high)
}
