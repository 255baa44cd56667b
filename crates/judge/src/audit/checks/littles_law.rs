//! Little's law for the database: in a closed loop, throughput × the time of a client's round is the number of clients.

use std::collections::{BTreeMap, BTreeSet};

use stats::centre::range_of_figures;

use super::{Check, RuleSubject};
use crate::audit::material::{Material, StatedTrialEnd, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::FAILED_AT_MOST;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "littles-law",
        group: CodeGroup::Method,
        detects: "Throughput × (mean latency + time between transactions) is not the number of clients.",
        reported_if: "In a closed loop, throughput × (mean latency + think time) differs from the number of clients. \
                The bound is widened by the transactions in progress at the ends of the trial, by rounding, by random \
                pauses, and by the time that the generator itself needs between two transactions. A think time that is declared for a script of the author's may be within its latency. If one constant \
                undeclared pause would explain all points of a ladder, the check is undecided.",
        thresholds: &[
            RuleThreshold::more_than("difference from the number of clients", TOLERANCE, ThresholdUnit::Share),
            RuleThreshold::more_than("further difference, for means of several trials", OF_MEANS, ThresholdUnit::Share),
            RuleThreshold::at_most(
                "time of the generator between two transactions",
                GENERATOR_MS,
                ThresholdUnit::Milliseconds,
            ),
            RuleThreshold::at_most(
                "failed transactions of a trial that is judged",
                FAILED_AT_MOST,
                ThresholdUnit::Share,
            ),
        ],
        effects: &[IssueEffect::Weakens],
        why: "Throughput and latency of such a trial cannot both be right.",
        evidence: "Throughput, mean latency, think time and clients of each trial.",
        fix: "Report throughput and latency of one trial, as measured.",
        confirm: "Repeat the trial; the law holds.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "throughput × (mean latency + time between two transactions) is the number of clients within 3 %, plus \
           transactions in progress at both ends (at most one of each client) and rounding",
    judge: check_littles_law,
};

const TOLERANCE: f64 = 0.03;

/// The mean of random pauses is off by more than so many of its standard errors hardly ever.
const DEVIATIONS: f64 = 3.0;

/// At so many unlike loads one pause explains what chance or an error would not.
const LOADS: usize = 3;

/// A generator needs a time between the answer to a transaction and the begin of the next: it takes account of the one
/// and draws the numbers of the other, for each of the clients of its thread in turn. It is some microseconds, which no
/// latency includes, and which are felt where transactions take tenths of a millisecond.
const GENERATOR_MS: f64 = 0.02;

/// The product of the means of several trials exceeds the mean of their products, by the square of their spread: by so
/// much where they spread by a fifth.
const OF_MEANS: f64 = 0.05;

fn check_littles_law(material: &Material) -> CheckResult {
    let told: Vec<LittlesLawTrial> = material
        .trials
        .iter()
        .filter(|trial| trial.closed && counts_all(trial))
        .filter_map(|trial| {
            let clients = f64::from(trial.clients.known_count()?);
            let of_means = if material.design.averaged { OF_MEANS } else { 0.0 };
            Some(LittlesLawTrial { trial, clients, in_flight: trial.in_flight()?, of_means })
        })
        .collect();
    if told.is_empty() {
        return CheckResult::cannot_tell("throughput and mean latency of closed loops", vec![]);
    }
    let pauses = pauses_by_ladder_s(&told);
    let broken: Vec<VerdictFigure> = told
        .iter()
        .filter(|one| !one.is_law_kept() && !pauses.contains_key(&one.ladder_key()))
        .map(LittlesLawTrial::littles_law_figure)
        .collect();
    let fine = told.iter().filter(|one| one.is_law_kept());
    let largest = fine.clone().map(|one| one.excess_share().abs()).fold(0.0, f64::max);
    let held = VerdictFigure::within_rule(
        format!("{} of {} trials", fine.count(), told.len()),
        format!("the law holds; the largest deviation is {}", units::format_percent(largest)),
    );
    if broken.is_empty() && !pauses.is_empty() {
        let mut figures = Vec::new();
        for ((side, workload), s) in &pauses {
            let text = format!("consistent with an undeclared pause of {s:.2} s of each client");
            figures.push(VerdictFigure::within_rule(format!("{side}, {workload}"), text));
        }
        figures.push(held);
        return CheckResult::cannot_tell("the pause of a client between two transactions", figures);
    }
    if broken.is_empty() {
        return CheckResult::rule_holds(vec![held]);
    }
    let few = broken.len() * 10 <= told.len();
    CheckResult::rule_broken(
        if few { Weight::Figures } else { Weight::Comparison },
        broken.into_iter().chain([held]).collect(),
        "throughput and latency of these trials contradict each other: they are of different trials or mistyped, or \
         the clients spent time that neither figure includes",
    )
}

/// Pauses of each client, in seconds, that would have the law hold on all of a ladder of which nobody says what sent
/// the load: the same at three unlike loads or more, within a few percent, and not next to nothing.
fn pauses_by_ladder_s<'a>(told: &[LittlesLawTrial<'a>]) -> BTreeMap<(&'a str, &'a str), f64> {
    let mut ladders: BTreeMap<(&str, &str), Vec<&LittlesLawTrial<'_>>> = BTreeMap::new();
    for one in told.iter().filter(|one| one.trial.tool.is_none()) {
        ladders.entry(one.ladder_key()).or_default().push(one);
    }
    ladders.into_iter().filter_map(|(ladder, rungs)| Some((ladder, common_pause_s(&rungs)?))).collect()
}

/// The pause that the clients of a ladder may have made, where all of its rungs tell one.
fn common_pause_s(rungs: &[&LittlesLawTrial<'_>]) -> Option<f64> {
    let clients: BTreeSet<u64> = rungs.iter().map(|one| one.clients as u64).collect();
    let each: Option<Vec<f64>> = rungs.iter().map(|one| one.pause_s()).collect();
    let each = each.filter(|_| clients.len() >= LOADS)?;
    let [least, most] = range_of_figures(&each)?;
    (least > 0.0 && most <= (1.0 + 2.0 * TOLERANCE) * least).then(|| f64::midpoint(least, most))
}

/// Whether every transaction's time is in the mean latency.
fn counts_all(trial: &TrialAccount) -> bool {
    match &trial.end {
        StatedTrialEnd::Unknown => true,
        StatedTrialEnd::Whole { failed } => {
            trial.transactions.is_none_or(|done| *failed as f64 <= FAILED_AT_MOST * (done + failed) as f64)
        }
        StatedTrialEnd::Cut { .. } => false,
    }
}

/// A trial of which everything is known that the law speaks of.
struct LittlesLawTrial<'a> {
    trial: &'a TrialAccount,
    clients: f64,
    in_flight: f64,
    /// What means of several trials may be beyond.
    of_means: f64,
}

impl<'a> LittlesLawTrial<'a> {
    /// The side and the workload.
    fn ladder_key(&self) -> (&'a str, &'a str) {
        (&self.trial.side, &self.trial.workload)
    }

    /// What a client would have waited between two transactions, in seconds.
    fn pause_s(&self) -> Option<f64> {
        Some(self.clients / self.trial.throughput_per_s? - self.trial.latency_ms_mean? / 1e3)
    }

    /// By how much what was under way exceeds the clients, as a share.
    fn excess_share(&self) -> f64 {
        self.in_flight / self.clients - 1.0
    }

    /// By how much transactions × latency may fall short of clients × time, or exceed it, both as shares.
    ///
    /// What was under way at the start belongs to the account in part only, what was at the end is in no latency: per
    /// client at most the longest transaction and the pause before it in each case. A standstill at the end is longer
    /// than any transaction that was completed. At the end of a turn clients that are done wait for the others, all of
    /// that time at most; and where a number of transactions was asked for, for as long as the last one takes.
    fn allowed_deviation_shares(&self) -> [f64; 2] {
        let trial = self.trial;
        let whole_s = trial.lasted_s().filter(|s| *s > 0.0);
        let share = |of: Option<f64>| of.zip(whole_s).map_or(0.0, |(part_s, whole_s)| part_s / whole_s);
        let pause_s = trial.between_ms.unwrap_or_default() / 1e3;
        let longest = share(trial.latency_ms_max.or(trial.latency_ms_mean).map(|ms| ms / 1e3 + pause_s));
        let unfinished = share(trial.unfinished_s.map(|s| s / self.clients));
        let waited = trial.turns.map_or(0.0, |turns| turns.ending);
        let either = TOLERANCE + longest + trial.rounding_error_share() + self.pause_deviation_share();
        let waited = if trial.transactions_stated.is_some() { f64::INFINITY } else { waited };
        let generator = GENERATOR_MS / 1e3 * trial.throughput_per_s.unwrap_or_default() / self.clients;
        [either + unfinished + waited + generator, either + self.of_means]
    }

    /// By how much random pauses may be longer or shorter in this trial than they are on average, as a share of a
    /// round. The deviation of an exponential pause is its mean.
    fn pause_deviation_share(&self) -> f64 {
        let trial = self.trial;
        let pauses = trial.transactions.filter(|count| trial.between_is_random && *count > 0);
        match (pauses, trial.between_ms, trial.latency_ms_mean) {
            (Some(count), Some(pause_ms), Some(latency_ms)) => {
                DEVIATIONS / (count as f64).sqrt() * pause_ms / (pause_ms + latency_ms)
            }
            _ => 0.0,
        }
    }

    fn is_law_kept(&self) -> bool {
        let [short, beyond] = self.allowed_deviation_shares();
        let within = -short..=beyond;
        within.contains(&self.excess_share())
            || self.excess_with_pause_in_latency().is_some_and(|share| within.contains(&share))
    }

    /// By how much what was under way exceeds the clients, as a share, if the declared pause is in the latency already,
    /// as that of `\sleep` in a script is: absent where no script of the author's may pause.
    fn excess_with_pause_in_latency(&self) -> Option<f64> {
        let trial = self.trial;
        let pauses = trial.between_ms.is_some_and(|ms| ms > 0.0) && trial.script.is_none();
        let latency_ms = trial.latency_ms_mean.filter(|ms| pauses && Some(*ms) >= trial.between_ms)?;
        Some(trial.throughput_per_s? * latency_ms / 1e3 / self.clients - 1.0)
    }

    fn littles_law_figure(&self) -> VerdictFigure {
        let trial = self.trial;
        let figures = trial.throughput_per_s.zip(trial.latency_ms_mean).map_or(String::new(), |(tps, ms)| {
            let should = self.clients / tps * 1e3 - trial.between_ms.into_iter().sum::<f64>();
            let round = match trial.between_ms.filter(|ms| *ms > 0.0) {
                Some(pause) => {
                    format!(
                        "({} + {} between transactions)",
                        units::format_milliseconds(ms),
                        units::format_milliseconds(pause)
                    )
                }
                None => units::format_milliseconds(ms),
            };
            format!(
                "{} × {round} = {:.2} clients; with {} the mean latency would be {}",
                units::format_tps(tps),
                self.in_flight,
                units::format_clients(trial.clients),
                units::format_milliseconds(should.max(0.0)),
            )
        });
        VerdictFigure::against_rule(trial.place_in_words(), figures)
    }
}
