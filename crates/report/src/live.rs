//! What a page shows of a run while it is measured: where it is, and each second as it is written.

use std::time::Duration;

use judge::observed::{SecondFigures, SeriesLine};
use judge::stopping::{RunQuestion, at_most_left, remaining_trials, time_taken};
use plan::Plan;
use results::activity::{ActivityWindow, SampledActivity};
use results::probe_fields::{ProbeField, host_disk};
use results::run::Run;
use results::trial::{Trial, TrialOutcome, TrialPhase};
use serde::Serialize;

use super::rounding::round_significant;

/// The progress of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NowData {
    /// An identifier of the current report. It changes if the report changes.
    pub report: String,
    /// Names of the targets, the baseline first.
    pub targets: Vec<String>,
    /// The largest number of blocks.
    pub blocks_at_most: Option<u32>,
    /// Finished trials.
    pub trials_done: usize,
    /// The largest number of trials that are still to be executed.
    pub trials_left: usize,
    /// The largest number of seconds until its end, estimated from the trials so far; absent before the first has
    /// ended.
    pub left_s: Option<f64>,
    /// The trials that are being measured: several if their sides alternate, none between two trials.
    pub under_way: Vec<UnderWayData>,
}

/// A trial under way.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnderWayData {
    /// Its number.
    pub trial: u32,
    /// Its block.
    pub block: u32,
    /// Target name.
    pub target: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: Option<u32>,
    /// Seconds that the plan gives its warm-up.
    pub warm_up_s: f64,
    /// Seconds that the plan gives its measurement.
    pub measure_s: f64,
}

/// A second of a trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveSecondData {
    /// The trial.
    pub trial: u32,
    /// Its target.
    pub target: String,
    /// Whether it is one of the warm-up, which does not count.
    pub warm_up: bool,
    /// Number of the second within its phase, from 0.
    pub index: u32,
    /// Its end, in seconds since 1970.
    pub at_s: f64,
    /// Throughput over the time in which the side could send.
    pub throughput_per_s: Option<f64>,
    /// Latency.
    pub p50_ms: Option<f64>,
    /// Latency.
    pub p95_ms: Option<f64>,
    /// Latency.
    pub p99_ms: Option<f64>,
    /// Failed transactions.
    pub failed: u64,
    /// Share of all CPUs of the server's host that was not idle, in percent.
    pub cpu_percent: Option<f64>,
    /// Bytes per second that the server's disk read.
    pub disk_read_per_s: Option<f64>,
    /// Bytes per second that it wrote.
    pub disk_written_per_s: Option<f64>,
    /// The states of the load's sessions; absent if they were not sampled.
    pub sessions: Option<SessionsData>,
}

/// The mean number of the load's sessions in each state, over the samples of a second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionsData {
    /// On a CPU, or waiting for one.
    pub cpu: f64,
    /// Reading or writing.
    pub io: f64,
    /// Waiting for a heavyweight lock.
    pub lock: f64,
    /// Waiting for a lightweight lock.
    pub lwlock: f64,
    /// Waiting for anything else.
    pub other: f64,
    /// Waiting for the client.
    pub client: f64,
}

impl NowData {
    /// Where a run is of which these trials have ended and those are under way; `report` names the report of now.
    pub fn from_trials(report: String, run: &Run, plan: Option<&Plan>, trials: &[Trial], under_way: &[u32]) -> Self {
        let question = plan.map(|plan| RunQuestion::from_plan(plan, run.schedule.seed));
        let left = question.as_ref().map_or(0, |question| remaining_trials(run, question, trials).len());
        let taken: Duration = trials.iter().map(time_taken).sum();
        let limit = plan.and_then(|plan| plan.blocks.at_most_time);
        let done = trials.iter().filter(|trial| trial.outcome == TrialOutcome::Completed).count();
        let executed = u32::try_from(done).unwrap_or(u32::MAX);
        Self {
            report,
            targets: question.iter().flat_map(|q| [&q.baseline].into_iter().chain(&q.candidates)).cloned().collect(),
            blocks_at_most: plan.map(|plan| plan.blocks.at_most),
            trials_done: done,
            trials_left: left,
            left_s: at_most_left(executed, taken, taken, limit, left).map(|left| round_significant(left.as_secs_f64())),
            under_way: under_way.iter().filter_map(|number| UnderWayData::from_schedule(run, plan?, *number)).collect(),
        }
    }
}

impl UnderWayData {
    fn from_schedule(run: &Run, plan: &Plan, number: u32) -> Option<Self> {
        let scheduled = run.schedule.trials.iter().find(|scheduled| scheduled.number == number)?;
        let phases = plan.workload_by_name(&scheduled.cell.workload).map(|workload| plan.phases_of_workload(workload));
        let phases = phases.unwrap_or(plan.trial);
        Some(Self {
            trial: number,
            block: scheduled.block,
            target: scheduled.cell.target.clone(),
            workload: scheduled.cell.workload.clone(),
            clients: scheduled.cell.clients.known_count(),
            warm_up_s: phases.warm_up.as_secs_f64(),
            measure_s: phases.measure.as_secs_f64(),
        })
    }
}

impl LiveSecondData {
    /// A second of a trial whose load began at `load_start_s`; none of one that is empty, as an interruption leaves it.
    pub fn from_interval_line(
        trial: u32,
        target: &str,
        load_start_s: f64,
        line: &SeriesLine<'_>,
        activity: Option<&SampledActivity>,
    ) -> Option<Self> {
        let second = Some(SecondFigures::from(line)).filter(|second| second.duration_us > 0)?;
        let disk = |field: ProbeField| {
            let reading = line.probes.get(field.probe.as_str())?;
            let over_us = reading.over_us.filter(|us| *us > 0)?;
            Some(round_significant(reading.values.as_ref()?.get(field.name)? * 1e6 / over_us as f64))
        };
        Some(Self {
            trial,
            target: target.to_owned(),
            warm_up: second.phase == TrialPhase::WarmUp,
            index: line.index,
            at_s: load_start_s + second.end_s(),
            throughput_per_s: second.throughput_per_s().map(round_significant),
            p50_ms: second.latency.map(|latency| round_significant(latency.p50_ns as f64 / 1e6)),
            p95_ms: second.latency.map(|latency| round_significant(latency.p95_ns as f64 / 1e6)),
            p99_ms: second.latency.map(|latency| round_significant(latency.p99_ns as f64 / 1e6)),
            failed: second.failed,
            cpu_percent: second.cpu_percent.map(round_significant),
            disk_read_per_s: disk(host_disk::READ_BYTES),
            disk_written_per_s: disk(host_disk::WRITTEN_BYTES),
            sessions: activity.and_then(|activity| SessionsData::from_window(&activity.window)),
        })
    }
}

impl SessionsData {
    fn from_window(window: &ActivityWindow) -> Option<Self> {
        let mut all = Self::default();
        for seen in &window.seen {
            let place = match seen.wait.as_ref().map(|wait| wait.class.as_str()) {
                Some("Client") => &mut all.client,
                None if seen.state.starts_with("idle") => &mut all.client,
                Some("IO") => &mut all.io,
                Some("Lock") => &mut all.lock,
                // The locks of pages in shared buffers, which had the class LWLock before PostgreSQL 19.
                Some("LWLock" | "Buffer") => &mut all.lwlock,
                Some(_) => &mut all.other,
                None => &mut all.cpu,
            };
            *place += seen.sessions as f64 / f64::from(window.samples.max(1));
        }
        (window.samples > 0).then(|| all.with_rounded_figures())
    }

    fn with_rounded_figures(self) -> Self {
        let Self { cpu, io, lock, lwlock, other, client } = self;
        let [cpu, io, lock, lwlock, other, client] = [cpu, io, lock, lwlock, other, client].map(round_significant);
        Self { cpu, io, lock, lwlock, other, client }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_told_with_what_the_sessions_did_in_it() {
        let line = r#"{"phase":"measure","index":2,"start_us":2000000,"duration_us":1000000,"transactions":500,"failed":1,
            "latency":{"mean_ns":1e6,"p50_ns":900000,"p95_ns":2000000,"p99_ns":3000000,"max_ns":4000000},"engine":null,
            "probes":{"host.disk":{"took_us":1,"over_us":500000,"values":{"read_bytes":0.0,"written_bytes":1000.0}}}}"#;
        let activity = r#"{"phase":"measure","index":2,"samples":10,"took_us":1,"period_us":1,"seen":[
            {"state":"active","sessions":30},{"state":"active","wait":{"class":"IO","event":"WalSync"},"sessions":15},
            {"state":"idle","wait":{"class":"Client","event":"ClientRead"},"sessions":5},{"state":"idle","sessions":10}]}"#;
        let line: SeriesLine<'_> = serde_json::from_str(line).unwrap();
        let activity: SampledActivity = serde_json::from_str(activity).unwrap();
        let told = LiveSecondData::from_interval_line(7, "old", 100.0, &line, Some(&activity)).unwrap();
        assert_eq!((told.at_s, told.throughput_per_s, told.p99_ms), (103.0, Some(500.0), Some(3.0)));
        assert_eq!((told.disk_read_per_s, told.disk_written_per_s, told.cpu_percent), (Some(0.0), Some(2000.0), None));
        assert_eq!(told.sessions, Some(SessionsData { cpu: 3.0, io: 1.5, client: 1.5, ..SessionsData::default() }));
        let empty = SeriesLine { duration_us: 0, ..line };
        assert_eq!(LiveSecondData::from_interval_line(7, "old", 100.0, &empty, None), None);
    }
}
