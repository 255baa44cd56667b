//! `concurrent-workload`: sessions of the server that are none of the load's use its CPUs or read its disk, and the
//! load's wait for the same.

use std::collections::BTreeMap;

use results::activity::{OtherSessions, SampledSessions};
use results::probe_fields::host_server;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{is_wait, waits_for_class};
use crate::thresholds::{CPU_WAIT_FELT, CPUS_CONTENDED, OTHERS_AT_WORK};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "concurrent-workload",
        group: CodeGroup::Load,
        detects: "Other sessions (a report, a dump, a batch, a base backup) use the server's CPUs, or wait for its disk, while the \
                load's sessions wait for the same resource. The finding names them.",
        reported_if: "Sessions outside the load are active, and compete with the load for the CPUs or for the disk. For the \
                CPUs, the four bounds on CPU time must hold; for the disk, the two on I/O.",
        thresholds: &[
            RuleThreshold::at_least(
                "active sessions outside the load, on average",
                OTHERS_AT_WORK,
                ThresholdUnit::Count,
            ),
            RuleThreshold::at_least("of these on a CPU or runnable, on average", OTHERS_AT_WORK, ThresholdUnit::Count),
            RuleThreshold::at_least("CPU time of these sessions as a share of all CPUs", CPU, ThresholdUnit::Share),
            RuleThreshold::at_least("CPU utilization of the server's host", CPUS_CONTENDED, ThresholdUnit::Share),
            RuleThreshold::at_least(
                "waits of the load for a CPU as a share of the latency",
                CPU_WAIT_FELT,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least(
                "sessions outside the load that wait for I/O, on average",
                OTHERS_AT_WORK,
                ThresholdUnit::Count,
            ),
            RuleThreshold::at_least(
                "waits of the load for I/O as a share of the sessions' time",
                WAITING,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The figures include the effect of another workload. Stop it for the measurement, or make it part of the load on every side.",
        evidence: "Active sessions outside the load, their CPU time, and sessions of the load that wait for the same resource.",
        fix: "Stop the other sessions, or make them part of the load on every side.",
        confirm: "Run the plan again without the other sessions.",
        formerly: &["other-sessions"],
    },
    measure: Measure::Figure {
        name: "active other sessions",
        unit: QuantityUnit::Count,
        of: |case| Ok(Others::from_activity(case)?.at_work()),
    },
    look: look_for_concurrent_workload,
};

/// From this share of all CPU time on they are more than what a monitor asks for.
const CPU: f64 = 0.1;

/// From this share of the sessions' time on, waiting for I/O is felt.
const WAITING: f64 = 0.2;

/// What they take that the load's sessions wait for.
struct Takes {
    cpu: bool,
    disk: bool,
}

fn look_for_concurrent_workload(case: &DiagnosisCase<'_>) -> Looked {
    let others = Others::from_activity(case)?;
    if others.at_work() < OTHERS_AT_WORK {
        return Ok(None);
    }
    let takes = Takes { cpu: take_cpus(case, &others)?, disk: read_disk(case, &others)? };
    if !takes.cpu && !takes.disk {
        return Ok(None);
    }
    let (name, chief) = others.most_seen_application();
    let what = match (takes.cpu, takes.disk) {
        (true, true) => "CPUs and disk",
        (true, false) => "CPUs",
        (false, _) => "disk",
    };
    let windows = case.all_the_time();
    Ok(Some(CaseFinding {
        title: format!("other sessions ({name}) use the server's {what}"),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_in(|part| takes.cpu && *part == BudgetPart::WaitingForCpu || takes.disk && is_wait(part, "IO")),
        figures: figures_of_other_sessions(case, &others, chief),
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::SESSIONS_ON_CPU,
                ChartedSeries::with_unit(host_server::LOAD_CPU_US, "sessions of the load on a CPU", "sessions", 1e-6),
            ],
        ),
        windows,
        would_disprove: "the same throughput while these sessions are idle".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "stop these sessions, run this plan, and compare: the load's sessions wait less, and throughput is higher",
        ),
        mend: None,
    }))
}

/// Whether they use CPUs for which the load's sessions wait. Of a host that is not read this is not known; then they
/// may still read the disk.
fn take_cpus(case: &DiagnosisCase<'_>, others: &Others<'_>) -> Result<bool, MissingObservation> {
    let Ok(busy) = case.cpu_busy() else { return Ok(false) };
    if others.running_sessions() < OTHERS_AT_WORK {
        return Ok(false);
    }
    let is_much = share_of_cpus(case)? >= CPU;
    let waiting = case.time_in(|part| *part == BudgetPart::WaitingForCpu)?;
    Ok(is_much && busy >= CPUS_CONTENDED && waiting.share >= CPU_WAIT_FELT)
}

/// The share of all CPU time that went into sessions which are not the load's. Its parallel workers are none of its
/// sessions' processes, and among them: they take CPUs only where others were seen, too.
fn share_of_cpus(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let us =
        case.counter_rate_per_s(host_server::BACKENDS_CPU_US)? - case.counter_rate_per_s(host_server::LOAD_CPU_US)?;
    Ok(us / 1e6 / case.usable_cpus()?)
}

/// Whether they wait for the disk for which the load's sessions wait.
fn read_disk(case: &DiagnosisCase<'_>, others: &Others<'_>) -> Result<bool, MissingObservation> {
    let waiting = case.share_of_sessions(|seen: &SampledSessions| waits_for_class(seen, "IO"))?;
    Ok(others.waiting_for_io() >= OTHERS_AT_WORK && waiting >= WAITING)
}

/// Who else was at work, by name.
struct Others<'a> {
    samples: u32,
    by_name: BTreeMap<&'a str, Vec<&'a OtherSessions>>,
}

impl<'a> Others<'a> {
    fn from_activity(case: &DiagnosisCase<'a>) -> Result<Self, MissingObservation> {
        let samples = case.activity_windows().map(|window| window.others_samples).sum();
        let mut by_name: BTreeMap<&str, Vec<&OtherSessions>> = BTreeMap::new();
        for one in case.activity_windows().flat_map(|window| &window.others) {
            by_name.entry(&one.application).or_default().push(one);
        }
        let gap = case.activity_windows().find_map(|window| window.others_gap.as_deref());
        match gap.filter(|_| by_name.is_empty()) {
            Some(gap) => Err(MissingObservation::new("other sessions of the server", gap)),
            None if samples == 0 => {
                Err(MissingObservation::new("other sessions of the server", "they were not sampled"))
            }
            None => Ok(Self { samples, by_name }),
        }
    }

    /// The mean number over the samples of what is counted.
    fn mean_per_sample(&self, count: fn(&OtherSessions) -> u64) -> f64 {
        self.by_name.values().flatten().map(|one| count(one)).sum::<u64>() as f64 / f64::from(self.samples)
    }

    fn at_work(&self) -> f64 {
        self.mean_per_sample(|one| one.sessions)
    }

    fn running_sessions(&self) -> f64 {
        self.mean_per_sample(|one| one.running)
    }

    fn waiting_for_io(&self) -> f64 {
        self.mean_per_sample(|one| one.waiting_for_io)
    }

    /// Those that were seen most, and what they are called.
    fn most_seen_application(&self) -> (&'a str, &'a OtherSessions) {
        let (name, all) = self
            .by_name
            .iter()
            .max_by_key(|(_, all)| all.iter().map(|one| one.sessions).sum::<u64>())
            .expect("some were at work");
        (if name.is_empty() { "without an application_name" } else { *name }, all[0])
    }
}

fn figures_of_other_sessions(
    case: &DiagnosisCase<'_>,
    others: &Others<'_>,
    chief: &OtherSessions,
) -> Vec<EvidenceFigure> {
    let cpus = share_of_cpus(case);
    let figures = [
        Some(figure("active other sessions", FigureAmount::Count(others.at_work()))),
        Some(figure("other sessions waiting for I/O", FigureAmount::Count(others.waiting_for_io()))),
        cpus.ok().map(|share| figure("CPU time of other sessions", FigureAmount::Share(share))),
        Some(figure("statement of one of these sessions", FigureAmount::Text(chief.statement.clone()))),
    ];
    figures.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn others(running: u64, waiting_for_io: u64) -> Value {
        let sessions = running + waiting_for_io;
        json!([{ "application": "report", "sessions": sessions, "running": running, "waiting_for_io": waiting_for_io,
                 "statement": "SELECT count(*) FROM t" }])
    }

    /// Two of them, that use half of four CPUs for which the load waits.
    fn reported(cell: Measurement) -> Measurement {
        cell.others(others(2, 0)).probe("host.cpu", &[("user_us", 3.8e6), ("idle_us", 0.1e6)]).probe(
            "host.server",
            &[("backends_cpu_us", 3.7e6), ("load_cpu_us", 1.8e6), ("backends_run_delay_us", 1.0e6)],
        )
    }

    #[test]
    fn a_report_that_takes_half_of_the_cpus_is_found_by_its_name() {
        let found = Built::healthy().with(reported).finds(&RULE);
        assert_eq!(found.title, "other sessions (report) use the server's CPUs");
        assert!(found.figures.contains(&figure(
            "statement of one of these sessions",
            FigureAmount::Text("SELECT count(*) FROM t".to_owned())
        )));
    }

    #[test]
    fn a_dump_that_waits_for_the_disk_beside_the_load_is_found() {
        let dumped = |cell: Measurement| cell.others(others(0, 1)).sees("active", Some("IO:DataFileRead"), 400);
        let found = Built::healthy().with(dumped).finds(&RULE);
        assert_eq!(found.title, "other sessions (report) use the server's disk");
    }

    #[test]
    fn a_monitor_and_a_report_that_leaves_the_load_its_cpus_are_none() {
        Built::healthy().is_fine_for(&RULE);
        let of_the_load = [("load_cpu_us", 1.5e6)];
        Built::healthy().with(|cell| cell.others(others(1, 0)).probe("host.server", &of_the_load)).is_fine_for(&RULE);
        // Parallel workers of the load are none of its sessions' processes, and nobody else.
        Built::healthy().with(|cell| reported(cell).others(json!([]))).is_fine_for(&RULE);
    }

    #[test]
    fn where_nobody_looked_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.others(Value::Null));
        assert_eq!(built.lacks(&RULE), "other sessions of the server: they were not sampled");
    }
}
