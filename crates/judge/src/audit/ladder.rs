//! The trials of one side in one workload by clients: what several checks look along.

use stats::centre::{median_of_figures, range_of_figures};

use super::groups::in_groups;
use super::material::{Material, Residency, TrialAccount};
use super::outcome::VerdictFigure;
use crate::units;

/// Rungs of one side in one workload, by rising clients.
#[derive(Debug)]
pub(super) struct SideLadder<'a> {
    /// A trial of the ladder: what all have in common is read from it.
    pub any: &'a TrialAccount,
    /// By rising clients.
    pub rungs: Vec<MedianRung>,
}

/// The median over the trials of one number of clients, which a first one on cold caches does not move.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MedianRung {
    /// Clients.
    pub clients: u32,
    /// Transactions per second.
    pub throughput_per_s: f64,
    /// Mean latency; where nobody tells it, what it is by Little's law: clients / throughput, less the time between
    /// transactions.
    pub latency_ms: f64,
    /// Share of it that was spent outside the server; absent where nobody looked.
    pub outside_server: Option<f64>,
    /// Transactions per second of each trial, in the order in which they were made.
    pub each_per_s: Vec<f64>,
    /// The place of each of these trials among those of the ladder, in the order of the account.
    pub places: Vec<usize>,
}

impl SideLadder<'_> {
    /// Its place in words.
    pub(super) fn place_in_words(&self) -> String {
        format!("{}, {}", self.any.side, self.any.workload)
    }

    /// Whether another side has it at the same workload, scale and place of the data.
    pub(super) fn is_of_same_work(&self, other: &SideLadder<'_>) -> bool {
        let (_, workload, residency, scale) = ladder_key(self.any);
        let (_, other_workload, other_residency, other_scale) = ladder_key(other.any);
        (workload, residency, scale) == (other_workload, other_residency, other_scale)
    }

    /// The lowest and the highest rung.
    pub(super) fn lowest_and_highest_rung(&self) -> Option<[&MedianRung; 2]> {
        Some([self.rungs.first()?, self.rungs.last()?])
    }

    /// The exponent a of throughput ∝ clients^a between the ends: 1 is proportional, 0 flat.
    pub(super) fn scaling_exponent(&self) -> Option<f64> {
        let [low, high] = self.lowest_and_highest_rung().filter(|[low, high]| low.clients < high.clients)?;
        let ratio = Some(high.throughput_per_s / low.throughput_per_s).filter(|ratio| *ratio > 0.0)?;
        Some(ratio.ln() / (f64::from(high.clients) / f64::from(low.clients)).ln())
    }

    /// How much the highest rung gains over the one before it, as a share.
    pub(super) fn last_gain(&self) -> Option<f64> {
        let [.., before, last] = self.rungs.as_slice() else { return None };
        Some(last.throughput_per_s / before.throughput_per_s - 1.0)
    }
}

/// Every ladder of the closed loops, in the order in which they first appear; trials without figures are left out.
pub(super) fn ladders_of_closed_loops(material: &Material) -> Vec<SideLadder<'_>> {
    let closed = material.trials.iter().filter(|trial| trial.closed && has_figures(trial));
    let ladders = in_groups(closed, |trial| ladder_key(trial));
    ladders.into_iter().map(|trials| SideLadder { any: trials[0], rungs: rungs_of_trials(&trials) }).collect()
}

fn ladder_key(trial: &TrialAccount) -> (&str, &str, Option<Residency>, Option<u32>) {
    (&trial.side, &trial.workload, trial.residency, trial.scale)
}

fn has_figures(trial: &TrialAccount) -> bool {
    trial.throughput_per_s.is_some_and(|tps| tps > 0.0) && trial.latency_ms_mean.is_none_or(|ms| ms > 0.0)
}

fn rungs_of_trials(trials: &[&TrialAccount]) -> Vec<MedianRung> {
    let mut clients: Vec<u32> = trials.iter().filter_map(|trial| trial.clients.known_count()).collect();
    clients.sort_unstable();
    clients.dedup();
    clients.into_iter().filter_map(|clients| rung_at_clients(clients, trials)).collect()
}

/// The rung at a number of clients, where its throughput and its latency are known.
fn rung_at_clients(clients: u32, trials: &[&TrialAccount]) -> Option<MedianRung> {
    let told = |figure: fn(&TrialAccount) -> Option<f64>| -> Vec<f64> {
        trials.iter().filter(|trial| trial.clients == clients).filter_map(|trial| figure(trial)).collect()
    };
    let each_per_s = told(|trial| trial.throughput_per_s);
    let places = (0..trials.len())
        .filter(|place| trials[*place].clients == clients && trials[*place].throughput_per_s.is_some())
        .collect();
    let throughput_per_s = median_of_figures(&each_per_s)?;
    let between_ms = median_of_figures(&told(|trial| trial.between_ms)).unwrap_or_default();
    let by_the_law_ms = Some(f64::from(clients) / throughput_per_s * 1e3 - between_ms).filter(|ms| *ms > 0.0);
    Some(MedianRung {
        clients,
        throughput_per_s,
        latency_ms: median_of_figures(&told(|trial| trial.latency_ms_mean)).or(by_the_law_ms)?,
        outside_server: median_of_figures(&told(|trial| trial.outside_server)),
        each_per_s,
        places,
    })
}

/// The first trial of a rung differs by so much from the median of the others before anybody says so.
pub(super) const FIRST_DIFFERS: f64 = 0.1;

impl MedianRung {
    /// By how much the first trial is off the median of the others, as a share, where it lies beyond all of them.
    pub(super) fn first_off(&self) -> Option<f64> {
        let [first, others @ ..] = self.each_per_s.as_slice() else { return None };
        let off = first / median_of_figures(others)? - 1.0;
        let is_beyond = others.iter().all(|other| first < other) || others.iter().all(|other| first > other);
        (is_beyond && off.abs() > FIRST_DIFFERS).then_some(off)
    }
}

/// One figure that says at how many places the first trial differs; none where it does nowhere.
pub(super) fn first_differs(ladders: &[SideLadder<'_>]) -> Option<VerdictFigure> {
    let offs: Vec<f64> = ladders.iter().flat_map(|ladder| &ladder.rungs).filter_map(MedianRung::first_off).collect();
    let [least, most] = range_of_figures(&offs)?.map(units::format_change);
    let of = format!("first trials of {} cells", offs.len());
    Some(VerdictFigure::within_rule(of, format!("{least} to {most} from the median of the others, which is used here")))
}
