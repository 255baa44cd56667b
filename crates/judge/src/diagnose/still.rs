//! Standstills: when next to nothing was completed, to the tenth of a second where the generator tells, and what stood
//! still then.

use std::collections::BTreeMap;

use plan::{Think, WorkloadPace};
use results::probe_fields::{host_cpu, host_server};

use super::case::{DiagnosisCase, MeasuredTrial};
use super::finding::TrialWindow;
use super::missing::MissingObservation;
use super::seconds::Moment;
use crate::compare::Metric;
use crate::observed::WatchedSecond;
use crate::thresholds::{STALL_NEEDS_PER_S, STALLED_BELOW};

/// Fewer seconds have no median worth the name.
const SECONDS_AT_LEAST: usize = 5;

/// The shortest standstill, in seconds.
pub(super) const SHORTEST_S: f64 = 0.1;

/// So many transactions are completed otherwise in the time of a standstill: that none is by chance happens once in
/// e^20 times.
pub(super) const MISSED: f64 = 20.0;

/// So many times as long as the median transaction is a standstill.
pub(super) const TIMES_THE_MEDIAN: f64 = 20.0;

/// From this share of what a standstill would show, if it were the cause, a figure explains it.
const EXPLAINS: f64 = 0.5;

/// The standstills of a cell, in order; none that lies in another.
///
/// # Errors
/// When no trial has enough seconds to tell what is usual.
pub(super) fn find_standstills(case: &DiagnosisCase<'_>) -> Result<Vec<TrialWindow>, MissingObservation> {
    let mut medians: BTreeMap<u32, f64> = case
        .trials()
        .iter()
        .filter_map(|measured| Some((measured.trial.number, median_throughput_per_s(measured)?)))
        .collect();
    if medians.is_empty() {
        return Err(MissingObservation::new(
            "seconds of the measurement phase",
            format!("there are fewer than {SECONDS_AT_LEAST} in a trial"),
        ));
    }
    medians.retain(|_, median| *median >= STALL_NEEDS_PER_S);
    let thinks_s = thinks_s(case);
    let mut windows = Vec::new();
    for measured in case.trials().iter().filter(|measured| medians.contains_key(&measured.trial.number)) {
        windows.extend(standstills_of_generator(measured, thinks_s));
    }
    windows.extend(case.windows_where(|second| {
        // Seconds know nothing of the instants at which a side's turns began.
        let by_seconds = !(second.takes_turns() && second.knows_standstills());
        by_seconds
            && medians
                .get(&second.trial_number())
                .is_some_and(|median| second.throughput_per_s().is_some_and(|tps| tps < STALLED_BELOW * median))
    }));
    Ok(merge_overlapping_windows(windows))
}

/// For how long clients that were answered together pause together. Who pauses for a random time soon goes apart.
fn thinks_s(case: &DiagnosisCase<'_>) -> f64 {
    match case.planned_workload().map(|workload| &workload.pace) {
        Some(WorkloadPace::Closed { think: Some(Think::Fixed(pause)) }) => pause.as_secs_f64(),
        Some(_) | None => 0.0,
    }
}

/// Those that the generator noted, as far as they are neither by chance, nor a long transaction's, nor the time that
/// the clients take to think.
fn standstills_of_generator(measured: &MeasuredTrial<'_>, thinks_s: f64) -> Vec<TrialWindow> {
    let load = measured.load;
    let per_s = load.transactions as f64 * 1e6 / load.measure_us as f64;
    let Some(median_ms) = Metric::LatencyP50.figure_of_trial(measured.trial) else { return Vec::new() };
    let least_s = SHORTEST_S.max(MISSED / per_s).max(TIMES_THE_MEDIAN * median_ms / 1e3);
    let noted = load.standstills.iter().flatten().map(|standstill| TrialWindow {
        trial: measured.trial.number,
        from_s: standstill.start_us as f64 / 1e6 + thinks_s,
        to_s: standstill.end_us as f64 / 1e6,
    });
    noted.filter(|window| window.span_s() >= least_s).collect()
}

/// The same times, each once.
fn merge_overlapping_windows(mut windows: Vec<TrialWindow>) -> Vec<TrialWindow> {
    windows.sort_by(|one, other| (one.trial, one.from_s).partial_cmp(&(other.trial, other.from_s)).expect("no NaN"));
    let mut united: Vec<TrialWindow> = Vec::new();
    for window in windows {
        match united.last_mut() {
            Some(last) if last.trial == window.trial && window.from_s <= last.to_s => {
                last.to_s = last.to_s.max(window.to_s);
            }
            Some(_) | None => united.push(window),
        }
    }
    united
}

fn median_throughput_per_s(measured: &MeasuredTrial<'_>) -> Option<f64> {
    let mut throughput: Vec<f64> =
        measured.watched.seconds.iter().filter_map(WatchedSecond::throughput_per_s).collect();
    throughput.sort_by(f64::total_cmp);
    (throughput.len() >= SECONDS_AT_LEAST).then(|| throughput[throughput.len() / 2])
}

/// What stood still, by what was seen in the seconds that the standstills touch beside all others.
pub(super) fn what_stood_still(case: &DiagnosisCase<'_>, windows: &[TrialWindow]) -> String {
    let longest_s = windows.iter().map(TrialWindow::span_s).fold(0.0, f64::max);
    let (touched, others): (Vec<Moment<'_>>, Vec<Moment<'_>>) =
        case.all_seconds().partition(|second| windows.iter().any(|window| second.overlaps_window(window)));
    let worked_s: f64 = touched.iter().map(Moment::worked_s).sum();
    // What a cause would be the whole of in a standstill, it is so much of in these seconds.
    let share = EXPLAINS * (windows.iter().map(TrialWindow::span_s).sum::<f64>() / worked_s).min(1.0);
    let lag_s = touched.iter().filter_map(Moment::engine_lag_s).fold(0.0, f64::max);
    if lag_s >= EXPLAINS * longest_s {
        return "the load engine: its event loop was blocked".to_owned();
    }
    if let [Some(then), Some(otherwise)] = [&touched, &others].map(|of| stolen_cpu_share(of))
        && then - otherwise >= share
    {
        return "this machine: its hypervisor withheld CPU time".to_owned();
    }
    if let Some(wait) = waited_for(&touched, &others, share) {
        return format!("the sessions: they waited for {wait}");
    }
    let [then, otherwise] = [&touched, &others].map(|of| per_s(of, &|second| second.sample_count().map(f64::from)));
    if has_fallen(then, otherwise, share) {
        return "the whole server: it did not answer the samples of its sessions either".to_owned();
    }
    let [then, otherwise] = [&touched, &others]
        .map(|of| per_s(of, &|second| Some(second.rate_of_second(host_server::BACKENDS_CPU_US)? * second.worked_s())));
    if has_fallen(then, otherwise, share) {
        return "the sessions: they had no wait event and used hardly any CPU time".to_owned();
    }
    "unknown: no observation identifies it".to_owned()
}

/// Whether a figure is lower than otherwise by `share`; not where it was not read.
fn has_fallen(then: Option<f64>, otherwise: Option<f64>, share: f64) -> bool {
    match (then, otherwise) {
        (Some(then), Some(otherwise)) => otherwise > 0.0 && then <= (1.0 - share) * otherwise,
        (None, _) | (_, None) => false,
    }
}

/// How much of a figure there was for each second in which the load could work; absent where it never was read.
fn per_s(seconds: &[Moment<'_>], figure: &dyn Fn(&Moment<'_>) -> Option<f64>) -> Option<f64> {
    let known = seconds.iter().filter_map(|second| Some((figure(second)?, second.worked_s())));
    let (sum, worked_s) = known.fold((0.0, 0.0), |(sum, s), (figure, worked_s)| (sum + figure, s + worked_s));
    (worked_s > 0.0).then(|| sum / worked_s)
}

/// The share of the CPUs' time that their host kept.
fn stolen_cpu_share(seconds: &[Moment<'_>]) -> Option<f64> {
    let [stolen, busy, idle, system, io_wait] =
        [host_cpu::STEAL_US, host_cpu::USER_US, host_cpu::IDLE_US, host_cpu::SYSTEM_US, host_cpu::IOWAIT_US]
            .map(|field| seconds.iter().filter_map(|second| second.rate_of_second(field)).sum::<f64>());
    let all = stolen + busy + idle + system + io_wait;
    (all > 0.0).then(|| stolen / all)
}

/// The wait that was seen more often then, by as much as explains it.
fn waited_for(touched: &[Moment<'_>], others: &[Moment<'_>], share: f64) -> Option<String> {
    let usual = shares_by_wait(others);
    let (more, wait) = shares_by_wait(touched)
        .into_iter()
        .map(|(wait, then)| (usual.get(&wait).map_or(then, |usual| then - usual), wait))
        .max_by(|one, other| one.0.total_cmp(&other.0))?;
    (more >= share).then_some(wait)
}

/// The shares of the sessions that waited for something, by what it was.
fn shares_by_wait(seconds: &[Moment<'_>]) -> BTreeMap<String, f64> {
    let (mut waits, mut all): (BTreeMap<String, f64>, f64) = (BTreeMap::new(), 0.0);
    for seen in seconds.iter().flat_map(Moment::seen_sessions) {
        all += seen.sessions as f64;
        if let Some(wait) = seen.wait.as_ref().filter(|wait| wait.class != "Client") {
            *waits.entry(format!("{}: {}", wait.class, wait.event)).or_default() += seen.sessions as f64;
        }
    }
    waits.values_mut().for_each(|sessions| *sessions /= all);
    waits
}
