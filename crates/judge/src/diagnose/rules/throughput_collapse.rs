//! `throughput-collapse`: for some seconds next to nothing was completed. Says when, for how long,
//! and together with what.

use std::collections::BTreeMap;

use results::probe_fields::{ProbeField, host_cgroup, host_pressure, host_vm, pg_checkpointer, pg_tables, pg_wal};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, TrialWindow, figure,
};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::{ChartedSeries, Moment, mean_rate_of_seconds};
use crate::diagnose::still::{MISSED, SHORTEST_S, TIMES_THE_MEDIAN, find_standstills, what_stood_still};
use crate::thresholds::{STALL_NEEDS_PER_S, STALLED_BELOW};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "throughput-collapse",
        group: CodeGroup::Load,
        detects: "Throughput drops to (near) zero for at least a tenth of a second. The finding reports when, for how long, the stalled \
                component, and coinciding events.",
        reported_if: "No transaction ends for a while, or a second has next to none. The longest of these stalls must reach \
                its bound, or all of them together theirs. Planned pauses of the clients do not count.",
        thresholds: &[
            RuleThreshold::at_least("longest stall", LONG_S, ThresholdUnit::Seconds),
            RuleThreshold::at_least(
                "all stalls as a share of the measured time, alternatively",
                SHARE_AT_LEAST,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("length of a stall", SHORTEST_S, ThresholdUnit::Seconds),
            RuleThreshold::at_least("the same, relative to the median latency", TIMES_THE_MEDIAN, ThresholdUnit::Times),
            RuleThreshold::at_least("transactions that usually end in that time", MISSED, ThresholdUnit::Count),
            RuleThreshold::less_than(
                "throughput of a stalled second as a share of the median",
                STALLED_BELOW,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("median throughput of the trial", STALL_NEEDS_PER_S, ThresholdUnit::PerSecond),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A mean hides a stall, but users notice it. Coinciding events indicate its cause.",
        evidence: "Stalls as the load engine records them, or seconds without a completed transaction, and coinciding events.",
        fix: "Remove the cause that coincides with the stalls.",
        confirm: "Run the plan again with the suspected cause removed; no stall remains.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "time without a completed transaction",
        unit: QuantityUnit::Share,
        of: stalled_share_of_time,
    },
    look: look_for_throughput_collapse,
};

/// Share of the time in which the load could have worked and nothing was completed.
fn stalled_share_of_time(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    Ok(stood_s(case, &find_standstills(case)?) / case.measured_s())
}

/// Standstills of less than a second are worth a word from this share of the measured time on: what costs less is below
/// the practical threshold, and a shared machine has it now and then.
const SHARE_AT_LEAST: f64 = 0.03;

/// A single standstill that lasts so many seconds is felt by everybody, however long the measurement is.
const LONG_S: f64 = 1.0;

fn look_for_throughput_collapse(case: &DiagnosisCase<'_>) -> Looked {
    let windows = find_standstills(case)?;
    let longest_s = windows.iter().map(TrialWindow::span_s).fold(0.0, f64::max);
    let all_s: f64 = windows.iter().map(TrialWindow::span_s).sum();
    let share = stood_s(case, &windows) / case.measured_s();
    if longest_s < LONG_S && share < SHARE_AT_LEAST {
        return Ok(None);
    }
    let mut figures = vec![
        figure("total time of stalls", FigureAmount::S(all_s)),
        figure("longest stall", FigureAmount::S(longest_s)),
        figure("number of stalls", FigureAmount::Count(windows.len() as f64)),
        figure("stalled component", FigureAmount::Text(what_stood_still(case, &windows))),
    ];
    figures.extend(together_with(case, &|second| windows.iter().any(|window| second.overlaps_window(window))));
    figures.extend(case.figures_of_sleeps_beside_least(|_| true));
    let trials_hit = windows.iter().map(|window| window.trial).collect::<std::collections::BTreeSet<_>>().len();
    figures.push(figure("trials with a stall", FigureAmount::Text(format!("{trials_hit} of {}", case.trials().len()))));
    Ok(Some(CaseFinding {
        title: format!("throughput drops to near zero for up to {longest_s:.1} s"),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: FindingCost::Throughput { share },
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::with_unit(host_pressure::IO_SOME_US, "time in which a task waited for I/O", "%", 1e-4),
                ChartedSeries::series_of_field(pg_checkpointer::BUFFERS_WRITTEN, "buffers written by checkpoints"),
            ],
        ),
        windows,
        would_disprove:
            "a script that takes as long on all clients at once, or a load engine whose loop lag is as long as the stalls"
                .to_owned(),
        confirm: Confirm::repeat_unchanged(case, "a stall of the server recurs under the same conditions"),
        mend: None,
    }))
}

/// How much of the time in which the load could have worked was at a standstill, in seconds: of a second that a side
/// had for a part only as much of it.
fn stood_s(case: &DiagnosisCase<'_>, windows: &[TrialWindow]) -> f64 {
    let mut stood_s = 0.0;
    for second in case.all_seconds() {
        let of_trial = windows.iter().filter(|window| window.trial == second.trial_number());
        let within_s =
            of_trial.map(|window| (window.to_s.min(second.end_s()) - window.from_s.max(second.start_s())).max(0.0));
        stood_s += within_s.sum::<f64>().min(second.worked_s());
    }
    stood_s
}

/// What else was so in the standstills and not otherwise.
fn together_with(case: &DiagnosisCase<'_>, stands_still: &dyn Fn(&Moment<'_>) -> bool) -> Vec<EvidenceFigure> {
    let (still, usual): (Vec<Moment<'_>>, Vec<Moment<'_>>) =
        case.all_seconds().partition(|second| stands_still(second));
    let mut figures = Vec::new();
    if let Some((wait, share)) = most_seen_wait(&still) {
        figures.push(figure(format!("during stalls: sessions waiting for {wait}"), FigureAmount::Share(share)));
    }
    let clients_out = still.iter().map(Moment::clients_out).max().unwrap_or(0);
    if clients_out > 0 {
        figures
            .push(figure("during stalls: clients without a connection", FigureAmount::Count(f64::from(clients_out))));
    }
    let lag_s = still.iter().filter_map(Moment::engine_lag_s).fold(0.0, f64::max);
    figures.push(figure("during stalls: longest lag of the load engine", FigureAmount::S(lag_s)));
    for (field, name) in COINCIDING {
        // At least twice the usual: what is always so explains no moment.
        if let (Some(then), Some(else_)) = (mean_rate_of_seconds(&still, field), mean_rate_of_seconds(&usual, field))
            && then > 0.0
            && then >= 2.0 * else_
        {
            figures.push(figure(format!("during stalls: {name}"), FigureAmount::PerS(then)));
            figures.push(figure(format!("otherwise: {name}"), FigureAmount::PerS(else_)));
        }
    }
    figures
}

/// Counters whose rise in a standstill tells something.
const COINCIDING: [(ProbeField, &str); 8] = [
    (pg_checkpointer::REQUESTED, "requested checkpoints"),
    (pg_checkpointer::TIMED, "timed checkpoints"),
    (pg_checkpointer::BUFFERS_WRITTEN, "buffers written by checkpoints"),
    (pg_wal::FULL_PAGE_IMAGES, "full-page images"),
    (pg_tables::AUTOVACUUMS, "autovacuums"),
    (host_pressure::IO_FULL_US, "microseconds in which all tasks waited for I/O"),
    (host_vm::ALLOCATION_STALLS, "memory allocation stalls"),
    (host_cgroup::CPU_THROTTLED_PERIODS, "periods throttled by a CPU limit"),
];

/// The wait, other than for a client, that most sessions were in, and their share.
fn most_seen_wait(moments: &[Moment<'_>]) -> Option<(String, f64)> {
    let (mut waits, mut all): (BTreeMap<String, u64>, u64) = (BTreeMap::new(), 0);
    for seen in moments.iter().flat_map(Moment::seen_sessions) {
        all += seen.sessions;
        if let Some(wait) = seen.wait.as_ref().filter(|wait| wait.class != "Client") {
            *waits.entry(format!("{}: {}", wait.class, wait.event)).or_default() += seen.sessions;
        }
    }
    let (wait, sessions) = waits.into_iter().max_by_key(|(_, sessions)| *sessions)?;
    Some((wait, sessions as f64 / all as f64))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn stalled(cell: Measurement) -> Measurement {
        let wait = json!([{ "state": "active", "wait": { "class": "IO", "event": "WALSync" }, "sessions": 40 }]);
        let checkpoint = json!({ "took_us": 9, "over_us": 1_000_000, "values": { "requested": 1.0, "timed": 0.0 } });
        let second = json!({ "transactions": 0, "seen": wait, "probes": { "pg.checkpointer": checkpoint } });
        cell.second(5, second.clone()).second(6, second)
    }

    #[test]
    fn a_standstill_is_found_with_when_how_long_and_what_coincides() {
        let found = Built::healthy().with(stalled).finds(&RULE);
        assert_eq!(found.title, "throughput drops to near zero for up to 2.0 s");
        assert_eq!((found.windows.len(), found.windows[0].from_s, found.windows[0].to_s), (3, 5.0, 7.0));
        let has = |name: &str| found.figures.iter().any(|figure| figure.name == name);
        assert!(has("during stalls: sessions waiting for IO: WALSync"), "{:?}", found.figures);
        assert!(has("during stalls: requested checkpoints"), "{:?}", found.figures);
    }

    #[test]
    fn a_steady_load_and_one_of_few_transactions_are_fine() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.throughput(2.0).second(5, json!({ "transactions": 0 }))).is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.second(5, json!({ "transactions": 1000 }))).is_fine_for(&RULE);
    }

    /// Nothing is completed from one instant to another, in milliseconds, in every trial.
    fn stands_still(standstills: &[[u64; 2]]) -> impl Fn(Measurement) -> Measurement {
        let noted = |[start, end]: &[u64; 2]| json!({ "start_us": start * 1000, "end_us": end * 1000 });
        let noted: Value = standstills.iter().map(noted).collect();
        move |cell| cell.load("stalls", noted.clone())
    }

    #[test]
    fn a_standstill_is_as_long_as_it_was_and_costs_as_much() {
        let found = Built::healthy().with(stands_still(&[[3_200, 4_400], [7_000, 7_050]])).finds(&RULE);
        assert_eq!(found.title, "throughput drops to near zero for up to 1.2 s");
        let [window, ..] = found.windows[..] else { panic!("{found:?}") };
        assert_eq!((found.windows.len(), window.from_s, window.to_s), (3, 3.2, 4.4), "what is shorter is by chance");
        let FindingCost::Throughput { share } = found.cost else { panic!("{found:?}") };
        assert!((share - 0.1).abs() < 1e-9, "{share}");
        let short = Built::healthy().with(stands_still(&[[1_000, 1_150], [2_000, 2_150], [3_000, 3_150]])).finds(&RULE);
        assert_eq!(short.title, "throughput drops to near zero for up to 0.1 s");
    }

    #[test]
    fn a_standstill_and_the_seconds_that_it_fills_count_once() {
        let whole = |cell: Measurement| stands_still(&[[4_600, 6_300]])(stalled(cell));
        let found = Built::healthy().with(whole).finds(&RULE);
        assert_eq!((found.windows[0].from_s, found.windows[0].to_s), (4.6, 7.0));
        let FindingCost::Throughput { share } = found.cost else { panic!("{found:?}") };
        assert!((share - 0.2).abs() < 1e-9, "{share}");
    }

    #[test]
    fn what_is_by_chance_or_as_long_as_transactions_or_hardly_costs_anything_is_fine() {
        Built::healthy().with(stands_still(&[[3_000, 3_300]])).is_fine_for(&RULE);
        let rare = |cell: Measurement| stands_still(&[[3_000, 3_300], [5_000, 5_300]])(cell.throughput(50.0));
        Built::healthy().with(rare).is_fine_for(&RULE);
        let long = |cell: Measurement| stands_still(&[[3_000, 3_300], [5_000, 5_300]])(cell.throughput(100.0));
        Built::healthy().with(long).is_fine_for(&RULE);
    }

    #[test]
    fn clients_that_think_together_stand_still_only_when_they_have_thought() {
        let thinking = || Built::healthy().workload("{ builtin: select-only, scale: 100, think: 250ms }");
        let twice = stands_still(&[[3_000, 3_300], [5_000, 5_300]]);
        Built::healthy().with(&twice).finds(&RULE);
        thinking().with(&twice).is_fine_for(&RULE);
        let found = thinking().with(stands_still(&[[3_000, 4_450]])).finds(&RULE);
        assert_eq!((found.windows[0].from_s, found.windows[0].to_s), (3.25, 4.45));
    }

    #[test]
    fn a_side_stands_still_in_its_turns_alone() {
        let odd = json!({ "transactions": 0 });
        let between = |cell: Measurement| stands_still(&[])(cell.takes_turns(0.5).second(5, odd.clone()));
        Built::healthy().with(between).is_fine_for(&RULE);
        let within = |cell: Measurement| stands_still(&[[5_000, 5_300]])(cell.takes_turns(0.5));
        let found = Built::healthy().with(within).finds(&RULE);
        let FindingCost::Throughput { share } = found.cost else { panic!("{found:?}") };
        assert!((share - 0.05).abs() < 1e-9, "0.3 s of 6 s: {share}");
    }

    #[test]
    fn what_stood_still_is_told_by_what_was_seen() {
        let told = |fields: Value| {
            let cell = |cell: Measurement| stands_still(&[[5_000, 5_600]])(cell).second(5, fields);
            let found = Built::healthy().with(cell).finds(&RULE);
            let figure = found.figures.iter().find(|figure| figure.name == "stalled component").expect("it is told");
            let FigureAmount::Text(text) = &figure.amount else { panic!("{figure:?}") };
            text.clone()
        };
        let probe = |values: Value| json!({ "took_us": 9, "over_us": 1_000_000, "values": values });
        let lag = json!({ "cpu_us": 200_000, "busiest_thread": 0.2, "loop_lag_ns_max": 500_000_000 });
        assert_eq!(told(json!({ "engine": lag })), "the load engine: its event loop was blocked");
        let stolen = probe(json!({ "user_us": 1.6e6, "idle_us": 0.3e6, "iowait_us": 0.1e6, "steal_us": 2e6 }));
        let of_host = json!({ "probes": { "host.cpu": stolen } });
        assert_eq!(told(of_host), "this machine: its hypervisor withheld CPU time");
        let wait = json!({ "class": "Lock", "event": "relation" });
        let seen = json!([{ "state": "active", "sessions": 16 }, { "state": "active", "wait": wait, "sessions": 24 }]);
        assert_eq!(told(json!({ "seen": seen })), "the sessions: they waited for Lock: relation");
        let silent = "the whole server: it did not answer the samples of its sessions either";
        assert_eq!(told(json!({ "samples": 4 })), silent);
        let idle = json!({ "probes": { "host.server": probe(json!({ "backends_cpu_us": 0.7e6 })) } });
        let nothing_known = "the sessions: they had no wait event and used hardly any CPU time";
        assert_eq!(told(idle), nothing_known);
        assert_eq!(told(json!({})), "unknown: no observation identifies it");
    }

    #[test]
    fn a_trial_of_a_few_seconds_leaves_it_open() {
        let short = Built::healthy().seconds(3);
        assert_eq!(short.lacks(&RULE), "seconds of the measurement phase: there are fewer than 5 in a trial");
    }
}
