//! `server-process-differs`: processes of one kind that the server runs beside the load's sessions take surely more CPU
//! time on one side than on another: walsenders, workers of extensions, sessions of others.
//!
//! Where the load waits for the CPUs that they take, that is their cost; of anything else that they may cost nothing is
//! counted. What another rule finds of a kind is left to it.

use std::collections::BTreeSet;

use results::probe_fields::{host_cpu, host_processes, host_server};
use results::process_figures::{OTHER_SESSIONS, PARALLEL_WORKER_OF_LOAD, ProcessFigure};

use super::server_process_advice::{advice_for_kind, evidence_of_kind};
use super::{
    archiver_lag, autovacuum_interference, checkpoint_stalls, checkpoints_forced, concurrent_workload, logging,
    noisy_neighbour,
};
use crate::budget::{BudgetPart, in_part};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::observed::{ProcessKinds, kind_in_words};
use crate::thresholds::{CPU_WAIT_FELT, CPUS_CONTENDED};
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "server-process-differs",
        group: CodeGroup::Cpu,
        detects: "Server processes of one kind beyond the load (walsenders, logical decoding, workers of extensions, sessions of \
                  others) use much more CPU time on one side than on another. The finding names the kind.",
        reported_if: "Processes of one kind use a multiple of the CPU time that they use on another side, per second and per \
                transaction, beyond chance. Parallel workers of the load and I/O workers do work of the load and do not \
                count. The kind with the largest difference is reported, unless a finding of its own exists. Its cost is \
                the load's additional wait for a CPU; without contention for the CPUs it has none.",
        thresholds: &[
            RuleThreshold::at_least("CPUs that processes of this kind use", LEAST_CPUS, ThresholdUnit::Count),
            RuleThreshold::at_least("CPU time relative to the other side", MULTIPLE, ThresholdUnit::Times),
            RuleThreshold::at_least("CPU utilization of the host, for a cost", CPUS_CONTENDED, ThresholdUnit::Share),
            RuleThreshold::at_least(
                "additional waits for a CPU as a share of the latency, for a cost",
                CPU_WAIT_FELT,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The servers do not do the same work beside the load. The difference in performance may be that of the \
              additional work.",
        evidence: "CPU time of the server's processes by kind (`/proc/PID/schedstat`), and what they were seen doing \
                   (`pg_stat_activity`, `pg_replication_slots`).",
        fix: "Stop the additional processes for the measurement, or have them on every side.",
        confirm: "Run the plan again without these processes.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "CPU time of the server processes of this kind, as a share of all CPUs",
        unit: QuantityUnit::Share,
        of: share_of_chief_kind,
    },
    look: look_for_server_process_differs,
};

/// From so many CPUs on what a kind takes may be felt: a tenth of one.
const LEAST_CPUS: f64 = 0.1;

/// From this ratio on the one side has a multiple of the other's.
const MULTIPLE: f64 = 2.0;

/// Kinds that do work of the load in its place: version 18 reads in I/O workers what sessions read before.
const AT_WORK_FOR_LOAD: [&str; 2] = [PARALLEL_WORKER_OF_LOAD, "io worker"];

/// Rules that tell more of a kind than that it takes CPU time.
const TOLD_BY: [(&str, &Rule); 6] = [
    (OTHER_SESSIONS, &concurrent_workload::RULE),
    ("autovacuum worker", &autovacuum_interference::RULE),
    ("checkpointer", &checkpoint_stalls::RULE),
    ("checkpointer", &checkpoints_forced::RULE),
    ("archiver", &archiver_lag::RULE),
    ("logger", &logging::RULE),
];

fn look_for_server_process_differs(case: &DiagnosisCase<'_>) -> Looked {
    if case.other_sides().is_empty() {
        return Ok(None);
    }
    let Some(kind) = chief_kind(case)? else { return Ok(None) };
    let here = mean_cpus(case, &kind)?;
    let mut least_there: Option<f64> = None;
    for other in &case.other_sides() {
        let there = mean_cpus(other, &kind)?;
        if has_multiple(here, there) && is_surely_more(case, other, &kind) {
            least_there = Some(least_there.map_or(there, |least| least.min(there)));
        }
    }
    match least_there {
        Some(there) => Ok(Some(finding_of_kind(case, &kind, [here, there])?)),
        None => Ok(None),
    }
}

fn finding_of_kind(
    case: &DiagnosisCase<'_>,
    kind: &str,
    [here, there]: [f64; 2],
) -> Result<CaseFinding, MissingObservation> {
    let cpus = case.usable_cpus()?;
    let name = kind_in_words(kind);
    let windows = case.all_the_time();
    let mut figures = vec![
        figure(format!("CPU time of {name}, as a share of all CPUs"), FigureAmount::Share(here / cpus)),
        figure("the same on the other side", FigureAmount::Share(there / cpus)),
    ];
    figures.extend(case.cpu_busy().ok().map(|busy| figure("CPU utilization", FigureAmount::Share(busy))));
    let waiting = case.time_in(|part| *part == BudgetPart::WaitingForCpu);
    figures.extend(
        waiting
            .ok()
            .map(|waiting| figure("share of the latency spent waiting for a CPU", FigureAmount::Share(waiting.share))),
    );
    figures.extend(evidence_of_kind(case, kind));
    Ok(CaseFinding {
        title: format!(
            "{name} use {} of the CPU time of the server's host, and {} on the other side",
            units::format_percent(here / cpus),
            units::format_percent(there / cpus)
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: cost_of_kind(case, kind),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::with_unit(
                    host_server::OTHERS_CPU_US,
                    "the server's own processes on a CPU",
                    "processes",
                    1e-6,
                ),
                ChartedSeries::SESSIONS_WAITING_FOR_CPU,
            ],
        ),
        windows,
        would_disprove: "the same difference in performance while these processes are stopped".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!("{}, run this plan, and compare: the load waits less for the CPUs", advice_for_kind(kind)),
        ),
        mend: None,
    })
}

/// The kind that differs most between the sides of a place, in CPUs, by a multiple: the same whichever side is asked.
fn chief_kind(case: &DiagnosisCase<'_>) -> Result<Option<String>, MissingObservation> {
    let sides = case.sides_of_place();
    let mut by_side: Vec<Vec<ProcessKinds>> = Vec::with_capacity(sides.len());
    for side in &sides {
        by_side.push(kinds_by_trial(side)?);
    }
    let kinds: BTreeSet<&String> = by_side.iter().flatten().flat_map(|of_trial| of_trial.keys()).collect();
    let mut chief: Option<(f64, &String)> = None;
    for kind in kinds.into_iter().filter(|kind| !AT_WORK_FOR_LOAD.contains(&kind.as_str())) {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for side in &by_side {
            let cpus = mean_cpus_of(side, kind);
            least = least.min(cpus);
            most = most.max(cpus);
        }
        let is_larger = chief.is_none_or(|(difference, _)| most - least > difference);
        if has_multiple(most, least) && is_larger && !is_told(&sides, kind) {
            chief = Some((most - least, kind));
        }
    }
    Ok(chief.map(|(_, kind)| kind.clone()))
}

/// Whether another rule finds something of this kind on any side.
fn is_told(sides: &[DiagnosisCase<'_>], kind: &str) -> bool {
    let mut rules = TOLD_BY.iter().filter(|(of, _)| *of == kind);
    rules.any(|(_, rule)| sides.iter().any(|side| matches!((rule.look)(side), Ok(Some(_)))))
}

fn has_multiple(more: f64, less: f64) -> bool {
    more >= LEAST_CPUS && more >= MULTIPLE * less
}

/// Whether a side takes surely more than another, in the same time and for the same work: a side that is only faster
/// has more of all in the same time, and one that is only slower more for the same work.
fn is_surely_more(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, kind: &str) -> bool {
    let in_same_time = case.is_surely_more_than(other, |measured| cpus_in_trial(measured, kind));
    let for_same_work = case.is_surely_more_than(other, |measured| cpu_s_per_transaction(measured, kind));
    in_same_time == Some(true) && for_same_work == Some(true)
}

fn cpu_s_per_transaction(measured: &MeasuredTrial<'_>, kind: &str) -> Option<f64> {
    let transactions = measured.load.transactions as f64;
    let cpu_s = cpus_in_trial(measured, kind)? * measured.watched.whole_length_s();
    (transactions > 0.0).then(|| cpu_s / transactions)
}

/// CPUs that a kind used in a trial; none where its processes were not read.
fn cpus_in_trial(measured: &MeasuredTrial<'_>, kind: &str) -> Option<f64> {
    Some(cpus_of(&measured.watched.process_kinds()?, kind))
}

fn cpus_of(kinds: &ProcessKinds, kind: &str) -> f64 {
    let used_us = kinds.get(kind).and_then(|figures| figures.get(&ProcessFigure::CpuUs));
    used_us.copied().unwrap_or_default() / 1e6
}

/// The mean over the trials of a side.
fn mean_cpus(case: &DiagnosisCase<'_>, kind: &str) -> Result<f64, MissingObservation> {
    Ok(mean_cpus_of(&kinds_by_trial(case)?, kind))
}

fn mean_cpus_of(by_trial: &[ProcessKinds], kind: &str) -> f64 {
    by_trial.iter().map(|kinds| cpus_of(kinds, kind)).sum::<f64>() / by_trial.len() as f64
}

fn kinds_by_trial(case: &DiagnosisCase<'_>) -> Result<Vec<ProcessKinds>, MissingObservation> {
    let mut by_trial = Vec::with_capacity(case.trials().len());
    for measured in case.trials() {
        by_trial.push(measured.watched.process_kinds().ok_or_else(|| not_read(case))?);
    }
    Ok(by_trial)
}

fn not_read(case: &DiagnosisCase<'_>) -> MissingObservation {
    let why = case.trials().iter().find(|measured| measured.watched.process_kinds().is_none());
    let why = why.map_or_else(String::new, |measured| measured.watched.why_missing(host_processes::PROBE));
    MissingObservation::new(format!("{} by kind", host_processes::PROBE), why)
}

/// What the kind that differs most at this place takes of all CPUs here.
fn share_of_chief_kind(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let Some(kind) = chief_kind(case)? else {
        return Err(MissingObservation::new("a kind of server process that differs", "there is none"));
    };
    Ok(mean_cpus(case, &kind)? / case.usable_cpus()?)
}

/// The load's waits for the CPUs that a kind takes; nothing that could be attributed where they are hardly felt.
fn cost_of_kind(case: &DiagnosisCase<'_>, kind: &str) -> FindingCost {
    let (Ok(busy), Ok(cpus)) = (case.cpu_busy(), case.usable_cpus()) else { return FindingCost::NotAttributable };
    if busy < CPUS_CONTENDED {
        return FindingCost::NotAttributable;
    }
    let cost = case.cost_of_shares(|measured, part| match part {
        BudgetPart::WaitingForCpu => {
            noisy_neighbour::share_for_others(measured, cpus) * share_among_others(case, measured, kind)
        }
        _ => 0.0,
    });
    if cost.attributed_share().is_some_and(|share| share >= CPU_WAIT_FELT) {
        cost
    } else {
        FindingCost::NotAttributable
    }
}

/// The share of a kind in the CPU time that is not the load's sessions', 0 to 1: what the load waits for others is
/// theirs by what they take.
fn share_among_others(case: &DiagnosisCase<'_>, measured: &MeasuredTrial<'_>, kind: &str) -> f64 {
    let [idle_us, all_us] = measured.watched.cpu_us(&[host_cpu::IDLE_US, host_cpu::IOWAIT_US]);
    let (Some(of_kind), Ok(host), Some(budget)) = (cpus_in_trial(measured, kind), case.server_host(), &measured.budget)
    else {
        return 0.0;
    };
    let busy = (1.0 - idle_us / all_us.max(1.0)) * f64::from(host.cpus);
    let transactions_per_ms = measured.load.transactions as f64 / (measured.load.measure_us.max(1) as f64 / 1e3);
    let of_load = transactions_per_ms * in_part(budget, &BudgetPart::Running);
    let of_others = (busy - of_load).max(of_kind);
    if of_others > 0.0 { of_kind / of_others } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};
    use crate::diagnose::ranked_finding::Bearing;

    /// A walsender that takes one of four CPUs for which the load waits.
    fn sends_wal(cell: Measurement) -> Measurement {
        cell.probe("host.cpu", &[("user_us", 3.8e6), ("idle_us", 0.1e6)])
            .probe(
                "host.server",
                &[("backends_cpu_us", 1.5e6), ("backends_run_delay_us", 1.0e6), ("others_cpu_us", 1e6)],
            )
            .probe("host.processes", &[("walsender.processes", 1.0), ("walsender.cpu_us", 1e6)])
            .sees_processes(json!([{ "kind": "walsender", "slot": "reports", "database": "shop", "processes": 1 }]))
    }

    #[test]
    fn a_walsender_of_one_side_is_named_with_its_slot_and_its_cost() {
        let found = Built::pair().with(sends_wal).finds(&RULE);
        assert_eq!(
            found.title,
            "walsender processes use 25 % of the CPU time of the server's host, and 0 % on the other side"
        );
        assert!(
            found.figures.contains(&figure("replication slots", FigureAmount::Text("reports".to_owned()))),
            "{found:?}"
        );
        assert!(found.cost.attributed_share().is_some_and(|share| share >= CPU_WAIT_FELT), "{found:?}");
    }

    fn sends_slowly(cell: Measurement) -> Measurement {
        sends_wal(cell).throughput(2000.0)
    }

    #[test]
    fn it_is_a_difference_of_the_side_that_has_it_whichever_is_the_baseline() {
        for (built, with) in [(Built::pair().with(sends_slowly), "new"), (Built::pair().with_first(sends_slowly), "db")]
        {
            let diagnosis = built.diagnosis();
            let told = diagnosis.findings.iter().find(|finding| finding.rule.code.name == RULE.code.name).unwrap();
            assert_eq!(told.bearing, Bearing::Difference { target: with.to_owned() }, "{told:?}");
        }
    }

    /// One process of a kind that uses so many microseconds a second.
    fn with_kind(cell: Measurement, kind: &str, cpu_us: f64) -> Measurement {
        let names = [ProcessFigure::Processes, ProcessFigure::CpuUs].map(|figure| figure.name_of_kind(kind));
        cell.probe("host.processes", &[(names[0].as_str(), 1.0), (names[1].as_str(), cpu_us)])
    }

    #[test]
    fn without_contention_it_is_told_and_has_no_cost() {
        let found = Built::pair().with(|cell| with_kind(cell, "pg_cron launcher", 0.5e6)).finds(&RULE);
        assert_eq!(found.cost, FindingCost::NotAttributable);
        assert!(found.title.starts_with("pg_cron launcher processes use "), "{found:?}");
    }

    #[test]
    fn equal_sides_little_time_and_work_of_the_load_are_fine() {
        Built::healthy().with(sends_wal).is_fine_for(&RULE);
        Built::pair().with(sends_wal).with_first(sends_wal).is_fine_for(&RULE);
        Built::pair().with(|cell| with_kind(cell, "walsender", 0.05e6)).is_fine_for(&RULE);
        Built::pair().with(|cell| with_kind(cell, "io worker", 0.8e6)).is_fine_for(&RULE);
    }

    #[test]
    fn a_side_that_is_faster_does_not_have_more_of_what_it_does_for_each_transaction() {
        Built::pair()
            .with_first(|cell| with_kind(cell.throughput(4_000.0), "walwriter", 0.2e6))
            .with(|cell| with_kind(cell.throughput(12_000.0), "walwriter", 0.6e6))
            .is_fine_for(&RULE);
    }

    /// Two sessions of others, which the rule about them names.
    fn with_report(cell: Measurement) -> Measurement {
        let cell = cell.others(json!([{ "application": "report", "sessions": 2, "running": 2, "waiting_for_io": 0,
                                        "statement": "SELECT count(*) FROM t" }]));
        let server = [("backends_cpu_us", 3.7e6), ("load_cpu_us", 1.8e6), ("backends_run_delay_us", 1.0e6)];
        let cell = cell.probe("host.cpu", &[("user_us", 3.8e6), ("idle_us", 0.1e6)]).probe("host.server", &server);
        with_kind(cell, OTHER_SESSIONS, 1.9e6)
    }

    #[test]
    fn sessions_that_another_rule_names_are_left_to_it() {
        Built::pair().with(with_report).is_fine_for(&RULE);
        assert!(matches!(Built::pair().with(with_report).look(&concurrent_workload::RULE), Ok(Some(_))));
    }

    #[test]
    fn without_the_processes_it_stays_open() {
        let built = Built::pair().with(|cell| cell.gap("host.processes", "no such process"));
        assert_eq!(built.lacks(&RULE), "host.processes by kind: no such process");
    }
}
