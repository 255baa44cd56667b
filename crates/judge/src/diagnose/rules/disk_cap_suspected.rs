//! `disk-cap-suspected`: of a disk that nobody can read, what the server tells of its reads looks like a cap on them.

use results::probe_fields::{host_disk, pg_database};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::rules::cache_misses::{is_reading, waits_for_a_read};
use crate::diagnose::rules::disk_limit::{AWAIT_MS, FLAT, QUEUED, WAITING, is_flat};
use crate::diagnose::seconds::ChartedSeries;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "disk-cap-suspected",
        group: CodeGroup::Disk,
        detects: "Disk statistics are not available, but sessions wait for reads and the server's read rate is constant.",
        reported_if: "The disk was not observed, sessions wait for reads, and several reads are in flight that take long. The \
                reads per second of the server are nearly constant, apart from the first second of each trial.",
        thresholds: &[
            RuleThreshold::at_least("waits for reads as a share of the sessions' time", WAITING, ThresholdUnit::Share),
            RuleThreshold::at_least("reads in flight", QUEUED, ThresholdUnit::Count),
            RuleThreshold::at_least("mean time of a read", AWAIT_MS, ThresholdUnit::Milliseconds),
            RuleThreshold::less_than(
                "standard deviation of the reads per second as a share of their mean",
                FLAT,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The limit of a cloud disk class or of a control group keeps the read rate within a few percent, whereas an unlimited rate \
              varies. The server's own count of reads therefore shows the cap.",
        evidence: "Reads per second that the server counts, their variation, and sessions that wait for reads.",
        fix: "Use a disk or instance class with a higher limit, or read less per transaction.",
        confirm: "Run the plan again on a larger disk class: reads per second rise.",
        formerly: &["disk-looks-capped"],
    },
    measure: Measure::Time,
    look: look_for_disk_cap_suspected,
};

fn look_for_disk_cap_suspected(case: &DiagnosisCase<'_>) -> Looked {
    // Who can read the disk knows more.
    if case.counter_rate_per_s(host_disk::READS).is_ok() {
        return Ok(None);
    }
    let waiting = case.share_of_sessions(is_reading)?;
    let reads = case.counter_rate_per_s(pg_database::BLOCKS_READ)?;
    let under_way = waiting * case.clients_as_float();
    // As many are under way as come in the time of one.
    let read_ms = under_way / reads.max(1.0) * 1e3;
    if waiting < WAITING || under_way < QUEUED || read_ms < AWAIT_MS {
        return Ok(None);
    }
    if !is_flat(case, |second| second.rate_of_second(pg_database::BLOCKS_READ)) {
        return Ok(None);
    }
    let windows =
        case.windows_where(|second| second.share_of_sessions(is_reading).is_some_and(|share| share >= WAITING));
    let per_transaction = case.per_transaction(pg_database::BLOCKS_READ)?;
    let own_share = case.figure_of_own_share("blocks read", |statement| statement.blocks_read);
    Ok(Some(CaseFinding {
        title: format!(
            "the data directory's disk appears capped at about {reads:.0} reads per second (disk statistics are not available)"
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_in(waits_for_a_read),
        figures: vec![
            figure("blocks read per second", FigureAmount::PerS(reads)),
            figure("blocks read per transaction", FigureAmount::Count(per_transaction)),
            figure("mean time of a read", FigureAmount::Ms(read_ms)),
            figure("sessions waiting for a read", FigureAmount::Share(waiting)),
        ]
        .into_iter()
        .chain(own_share)
        .collect(),
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pg_database::BLOCKS_READ, "blocks read"),
                ChartedSeries::series_of_sessions("sessions waiting for a read", &is_reading),
            ],
        ),
        windows: if windows.is_empty() { case.all_the_time() } else { windows },
        would_disprove: "more reads per second with twice as many clients".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "compare the rate with the limit that the provider declares for the disk; with twice the clients it does not change",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Four clients that mostly wait for 500 reads a second.
    fn waiting(cell: Measurement) -> Measurement {
        cell.sees("active", Some("IO:DataFileRead"), 400)
            .probe("pg.database", &[("blocks_read", 500.0), ("blocks_hit", 9000.0)])
    }

    /// The same of a disk on another machine.
    fn far(cell: Measurement) -> Measurement {
        waiting(cell).gap("host.disk", "the server is on another host")
    }

    #[test]
    fn as_many_reads_in_every_second_while_sessions_queue_for_them_are_a_cap() {
        let found = Built::healthy().with(far).finds(&RULE);
        let title = "the data directory's disk appears capped at about 500 reads per second";
        assert!(found.title.starts_with(title), "{}", found.title);
        assert_eq!(found.confidence, Confidence::Medium);
    }

    #[test]
    fn reads_that_vary_or_are_answered_at_once_are_none() {
        let uneven = |cell: Measurement| {
            let more = far(cell.clone()).probe("pg.database", &[("blocks_read", 900.0)]);
            let line = serde_json::json!({ "probes": { "pg.database": more.reading("pg.database") } });
            (0..6).fold(far(cell), |cell, second| cell.second(second * 2, line.clone()))
        };
        Built::healthy().with(uneven).is_fine_for(&RULE);
        Built::healthy().with(|cell| far(cell).probe("pg.database", &[("blocks_read", 5000.0)])).is_fine_for(&RULE);
    }

    #[test]
    fn of_a_disk_that_is_read_another_rule_tells() {
        Built::healthy().with(|cell| waiting(cell).probe("host.disk", &[("reads", 500.0)])).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_server_s_count_it_stays_open() {
        let built = Built::healthy().with(|cell| far(cell).gap("pg.database", "the role may not"));
        assert_eq!(built.lacks(&RULE), "pg.database blocks_read: the role may not");
    }
}
