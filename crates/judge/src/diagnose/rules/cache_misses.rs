//! `cache-misses`: sessions wait for data that are not in memory, because the cache is still cold or because the
//! working set is larger than it.

use results::activity::{SampledSessions, WaitEvent};
use results::probe_fields::{host_disk, pg_database};
use stats::centre::arithmetic_mean;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, figure,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::{ChartedSeries, Moment, mean_rate_of_seconds};
use crate::thresholds::FROM_DISK;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "cache-misses",
        group: CodeGroup::Memory,
        detects: "Sessions wait for data to be read from the disk: the cache was cold, or the working set is larger than the memory.",
        reported_if: "Sessions wait for reads of tables and indexes, or a trial starts cold: it waits for reads at first, \
                reads less later, and is faster then. If the disk was observed, it must supply part of what the server reads.",
        thresholds: &[
            RuleThreshold::at_least("waits for reads as a share of the sessions' time", WAITING, ThresholdUnit::Share),
            RuleThreshold::at_least(
                "the same in the first quarter of a cold trial, alternatively",
                WAITING,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_most(
                "reads per transaction in the last quarter of a cold trial as a share of those in the first",
                FALLEN_TO,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("throughput that the cold start costs the trial", LOST, ThresholdUnit::Share),
            RuleThreshold::at_least(
                "bytes that the disk reads as a share of those that the server reads",
                FROM_DISK,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A read from a disk takes a hundred times as long as one from memory. Results with a cold cache do not apply to a warm \
              server, and a working set larger than the memory makes the disk part of the result.",
        evidence: "Sessions that wait for reads, and bytes that the disk reads.",
        fix: "Warm the cache before the measurement, add memory, or reduce the working set.",
        confirm: "Run the plan again with `cache: warm`, or with data that fit into memory.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_cache_misses,
};

/// From this share of the sessions' time on. Reads that the system's cache answers take
/// microseconds and stay far below it.
const WAITING: f64 = 0.1;

/// A block of PostgreSQL, unless it was built otherwise.
const BLOCK_BYTES: f64 = 8192.0;

/// Reads per transaction that have fallen below this share of what they were, within a trial,
/// are those of a cache that fills.
const FALLEN_TO: f64 = 0.5;

/// From this share of the throughput on that a cold start costs a whole trial, its figure is not that of a warm server.
const LOST: f64 = 0.05;

fn look_for_cache_misses(case: &DiagnosisCase<'_>) -> Looked {
    let waiting: f64 = case.waits_of("IO")?.iter().filter(|(event, _)| is_read(event)).map(|(_, share)| share).sum();
    let starts: Vec<TrialStart> =
        case.trials().iter().filter_map(|measured| TrialStart::from_trial(case, measured.trial.number)).collect();
    let is_cold = starts.iter().any(TrialStart::is_cold);
    if waiting < WAITING && !is_cold {
        return Ok(None);
    }
    let blocks_per_s = case.counter_rate_per_s(pg_database::BLOCKS_READ)?;
    // A server on another machine tells nothing of its disk; sessions that wait so long for it are enough. Where the
    // sides take turns the disk has read this for all of them: this side had no more from it.
    let read_for_all = case.counter_rate_per_s(host_disk::READ_BYTES).ok();
    if read_for_all.is_some_and(|bytes| bytes < FROM_DISK * blocks_per_s * BLOCK_BYTES) {
        return Ok(None);
    }
    let disk_bytes_per_s = read_for_all.filter(|_| !case.takes_turns());
    let windows =
        case.windows_where(|second| second.share_of_sessions(is_reading).is_some_and(|share| share >= WAITING));
    let lost = starts.iter().map(|start| start.lost.max(0.0)).sum::<f64>() / starts.len().max(1) as f64;
    Ok(Some(CaseFinding {
        title: if is_cold {
            "the cache was cold: data were read from the disk first".to_owned()
        } else {
            "the working set is larger than the cache: data are continuously read from the disk".to_owned()
        },
        kind: FindingKind::Problem,
        confidence: if disk_bytes_per_s.is_some() { Confidence::High } else { Confidence::Medium },
        cost: if is_cold && lost > 0.0 {
            FindingCost::Throughput { share: lost }
        } else {
            case.cost_in(waits_for_a_read)
        },
        figures: figures_of_misses(case, waiting, disk_bytes_per_s, &starts)?,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(host_disk::READ_BYTES, "read from the disk"),
                ChartedSeries::series_of_sessions("sessions waiting for a read", &is_reading),
            ],
        ),
        windows: if windows.is_empty() { case.all_the_time() } else { windows },
        would_disprove: "the same throughput when all data are in memory".to_owned(),
        confirm: if is_cold {
            Confirm::repeat_unchanged(
                case,
                "run this plan immediately, while the cache is warm: throughput is higher and reads are few",
            )
        } else {
            Confirm::repeat_unchanged(
                case,
                "give the server and its host more memory (or use less data), run this plan, and compare: throughput rises",
            )
        },
        mend: None,
    }))
}

fn is_read(event: &str) -> bool {
    // AioIoCompletion and AioIoUringExecution: the same wait from version 18 on.
    matches!(event, "DataFileRead" | "DataFilePrefetch" | "AioIoCompletion" | "AioIoUringExecution")
}

fn is_for_a_read(wait: &WaitEvent) -> bool {
    wait.class == "IO" && is_read(&wait.event)
}

/// Whether a part of the latency is waiting for data of a table or an index.
pub(super) fn waits_for_a_read(part: &BudgetPart) -> bool {
    matches!(part, BudgetPart::Waiting(wait) if is_for_a_read(wait))
}

/// Whether a session was seen so.
pub(super) fn is_reading(seen: &SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(is_for_a_read)
}

fn figures_of_misses(
    case: &DiagnosisCase<'_>,
    waiting: f64,
    disk_bytes_per_s: Option<f64>,
    starts: &[TrialStart],
) -> Result<Vec<EvidenceFigure>, MissingObservation> {
    let (read, hit) =
        (case.counter_rate_per_s(pg_database::BLOCKS_READ)?, case.counter_rate_per_s(pg_database::BLOCKS_HIT)?);
    let mut figures = vec![
        figure("sessions waiting for a read", FigureAmount::Share(waiting)),
        figure("blocks found in shared_buffers", FigureAmount::Share(hit / (read + hit))),
        figure("blocks read per transaction", FigureAmount::Count(case.per_transaction(pg_database::BLOCKS_READ)?)),
    ];
    figures.extend(case.figure_of_own_share("blocks read", |statement| statement.blocks_read));
    let coldest = starts.iter().max_by(|one, other| one.lost.total_cmp(&other.lost));
    if let Some(coldest) = coldest {
        let name = "reads per transaction in the last quarter of a trial, relative to the first";
        figures.push(figure(name, FigureAmount::Share(coldest.change)));
    }
    if let Some(bytes) = disk_bytes_per_s {
        figures.push(figure("read from the disk", FigureAmount::BytesPerS(bytes)));
    }
    for name in ["shared_buffers", "effective_cache_size"] {
        if let Ok(setting) = case.server_setting(name) {
            figures.push(figure(name, FigureAmount::Text(setting.value.clone())));
        }
    }
    Ok(figures)
}

/// How a trial began, beside how it ended: its first and its last quarter.
struct TrialStart {
    /// Share of their time that sessions waited for reads at the start.
    waiting: f64,
    /// Reads per transaction at the end over those at the start.
    change: f64,
    /// How much the trial's throughput is below that of its end.
    lost: f64,
}

impl TrialStart {
    /// Of one trial; none where it is too short or nothing was counted.
    fn from_trial(case: &DiagnosisCase<'_>, trial: u32) -> Option<Self> {
        // The disk knows the second in which it read; PostgreSQL's counts come up to a second late.
        let of_disk = case.counter_rate_per_s(host_disk::READS).is_ok();
        let field = if of_disk { host_disk::READS } else { pg_database::BLOCKS_READ };
        let seconds: Vec<Moment<'_>> = case.all_seconds().filter(|second| second.trial_number() == trial).collect();
        let quarter = seconds.len() / 4;
        let (first, last) = (seconds.get(..quarter)?, seconds.get(seconds.len() - quarter..)?);
        let [tps, first_tps, last_tps] = [&seconds[..], first, last]
            .map(|seconds| arithmetic_mean(seconds.iter().filter_map(Moment::throughput_per_s)));
        let (first_tps, last_tps) = (first_tps?, last_tps?);
        let start = mean_rate_of_seconds(first, field)? / first_tps;
        let end = mean_rate_of_seconds(last, field)? / last_tps;
        let waiting = arithmetic_mean(first.iter().filter_map(|second| second.share_of_sessions(is_reading)))?;
        let lost = 1.0 - tps? / last_tps;
        (start > 0.0 && end.is_finite()).then_some(Self { waiting, change: end / start, lost })
    }

    fn is_cold(&self) -> bool {
        self.waiting >= WAITING && self.change <= FALLEN_TO && self.lost >= LOST
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn reading(cell: Measurement) -> Measurement {
        cell.sees("active", Some("IO:DataFileRead"), 20)
            .probe("pg.database", &[("blocks_read", 4000.0), ("blocks_hit", 12_000.0)])
            .probe("host.disk", &[("reads", 4000.0), ("read_bytes", 4000.0 * 8192.0)])
    }

    #[test]
    fn reads_that_go_on_are_those_of_a_working_set_over_the_cache() {
        let found = Built::healthy().with(reading).finds(&RULE);
        assert!(found.title.starts_with("the working set is larger"), "{}", found.title);
        assert_eq!(found.figures[1].amount, FigureAmount::Share(0.75));
        assert!(found.cost.attributed_share().is_some_and(|share| share > 0.2), "{found:?}");
    }

    /// Twelve seconds, of which the first three read and are slow.
    fn filling(cell: Measurement) -> Measurement {
        (0..12u32).fold(cell, |cell, second| {
            let (reads, tps) = if second < 3 { (8000.0, 1000) } else { (10.0, 4000) };
            let disk = json!({ "took_us": 9, "over_us": 1_000_000,
                               "values": { "reads": reads, "read_bytes": reads * 8192.0 } });
            let seen = json!([{ "state": "active", "wait": { "class": "IO", "event": "DataFileRead" },
                                "sessions": if second < 3 { 30 } else { 0 } },
                              { "state": "active", "sessions": 10 }]);
            let fields = json!({ "probes": { "host.disk": disk }, "transactions": tps, "seen": seen });
            cell.second(second, fields)
        })
    }

    #[test]
    fn reads_that_fall_while_transactions_rise_are_those_of_a_cold_cache() {
        let found = Built::healthy().with(|cell| filling(reading(cell))).finds(&RULE);
        assert!(found.title.starts_with("the cache was cold"), "{}", found.title);
        let lost = found.cost.attributed_share().expect("throughput");
        assert!((0.15..0.25).contains(&lost), "a quarter of the time at a quarter of the throughput: {lost}");
        assert_eq!(found.windows[0].to_s, 3.0);
    }

    #[test]
    fn what_the_systems_cache_answers_is_no_miss() {
        let cached = |cell| reading(cell).probe("host.disk", &[("reads", 3.0), ("read_bytes", 24_576.0)]);
        Built::healthy().with(cached).is_fine_for(&RULE);
        // The disk has read that for both sides: neither had more from it.
        Built::healthy().with(|cell| cached(cell).takes_turns(0.5)).is_fine_for(&RULE);
        Built::healthy().is_fine_for(&RULE);
    }

    #[test]
    fn without_the_counts_of_blocks_it_stays_open() {
        let built = Built::healthy().with(|cell| reading(cell).gap("pg.database", "permission denied"));
        assert_eq!(built.lacks(&RULE), "pg.database blocks_read: permission denied");
    }
}
