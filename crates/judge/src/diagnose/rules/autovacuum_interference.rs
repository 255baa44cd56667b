//! `autovacuum-interference`: throughput is lower while vacuum runs than otherwise.

use results::log::{AutovacuumRun, LogEvent};
use results::probe_fields::{pg_horizon, pg_tables};

use crate::codes::{Code, CodeGroup, IssueEffect};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::dip::{Dip, find_throughput_dip, lies_in};
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::{ChartedSeries, Moment};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "autovacuum-interference",
        group: CodeGroup::Schema,
        detects: "Throughput drops while autovacuum (or a VACUUM) runs.",
        reported_if: "Throughput is lower in the seconds in which a vacuum or an automatic ANALYZE runs than in the other \
                seconds of the same trials. All bounds must hold.",
        thresholds: Dip::THRESHOLDS,
        effects: IssueEffect::OF_FINDINGS,
        why: "Vacuum reads and writes at the same time as the transactions. A vacuum that runs more often has less work each time, and \
              its cost limit bounds its speed.",
        evidence: "Seconds in which vacuums run (`pg_stat_progress_vacuum`), and throughput in these seconds and outside them.",
        fix: "Let autovacuum run more often with less work each time, or lower its cost limit.",
        confirm: "Run the plan again with autovacuum disabled for the tables of the workload.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "vacuums running",
        unit: QuantityUnit::Count,
        of: |case| case.mean_gauge_level(pg_horizon::VACUUMS_RUNNING),
    },
    look: look_for_autovacuum_interference,
};

/// What goes on: of which table, if the log says so. It may be one of another database.
fn describe_running_vacuum(longest: Option<&AutovacuumRun>) -> String {
    longest.map_or("vacuum runs".to_owned(), |vacuum| format!("vacuum of {} runs", vacuum.table))
}

fn look_for_autovacuum_interference(case: &DiagnosisCase<'_>) -> Looked {
    let logged = case.logged_periods(|event| match event {
        LogEvent::Vacuum(vacuum) => vacuum.duration_us,
        LogEvent::Analyze { duration_us, .. } => *duration_us,
        _ => None,
    });
    if logged.is_err() {
        case.mean_gauge_level(pg_horizon::VACUUMS_RUNNING)?;
    }
    let logged = logged.unwrap_or_default();
    let dip = find_throughput_dip(case, Dip::DEEP, |second| {
        if lies_in(second, &logged) {
            return Some(true);
        }
        // Who looks at the end of each second does not know when in it a vacuum began or ended.
        let before = second.previous_second().is_some_and(|before| runs_at_the_end(&before));
        let now = runs_at_the_end(second);
        (now == before).then_some(now)
    });
    let Some(dip) = dip else { return Ok(None) };
    let longest = longest_logged_vacuum(case);
    let meanwhile = describe_running_vacuum(longest.as_ref().map(|(_, vacuum)| *vacuum));
    let mut figures = dip.throughput_figures(&meanwhile);
    if let Some((us, _)) = longest {
        figures.push(figure("duration of the longest vacuum", FigureAmount::S(us as f64 / 1e6)));
    }
    let windows = case.windows_where(|second| lies_in(second, &logged) || runs_at_the_end(second));
    Ok(Some(CaseFinding {
        title: dip.title_of_dip(&meanwhile),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: dip.throughput_cost(),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pg_horizon::VACUUMS_RUNNING, "vacuums running"),
                ChartedSeries::series_of_field(pg_tables::DEAD_TUPLES, "dead rows"),
            ],
        ),
        windows,
        would_disprove: "dips of the same depth in a run without vacuum".to_owned(),
        confirm: Confirm::with_settings_and_all_workloads(
            case,
            &[("autovacuum", "off")],
            "the dips disappear without autovacuum (disable it for this run only: tables bloat without it)",
        ),
        mend: None,
    }))
}

/// One that nobody logged: by hand, or still under way.
fn runs_at_the_end(second: &Moment<'_>) -> bool {
    second.level_of_second(pg_horizon::VACUUMS_RUNNING).is_some_and(|running| running > 0.0)
}

/// The vacuum that took longest, of those that were logged, with its microseconds.
fn longest_logged_vacuum<'a>(case: &DiagnosisCase<'a>) -> Option<(u64, &'a AutovacuumRun)> {
    let logged = case.logged_messages().ok()?;
    let vacuums = logged.iter().filter_map(|logged| match logged.event {
        LogEvent::Vacuum(vacuum) => Some((vacuum.duration_us?, vacuum)),
        _ => None,
    });
    vacuums.max_by_key(|(us, _)| *us)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// A vacuum from second 2 to 6, in which throughput is what it is.
    fn vacuum(cell: Measurement, transactions: u64) -> Measurement {
        let slow = |cell: Measurement, second: u32| {
            cell.second(second, json!({ "transactions": transactions + u64::from(second) }))
        };
        let done = json!({ "kind": "vacuum", "table": "db.public.t", "against_wraparound": false,
            "duration_us": 4_000_000, "rows_removed": 9, "rows_not_removable": 0, "buffers_read": 1,
            "buffers_dirtied": 1, "wal_bytes": 9 });
        (2..6).fold(cell, slow).logs(6.0, done)
    }

    #[test]
    fn a_dip_that_coincides_with_vacuum_is_found_with_its_table() {
        let found = Built::healthy().with(|cell| vacuum(cell, 2500)).finds(&RULE);
        assert!(found.title.ends_with("while vacuum of db.public.t runs"), "{found:?}");
        assert_eq!((found.windows[0].from_s, found.windows[0].to_s), (2.0, 6.0));
    }

    #[test]
    fn of_a_vacuum_by_hand_the_seconds_in_which_it_began_and_ended_do_not_count() {
        // Seen at the ends of the seconds 2 to 5: it began late in the second 2,
        // and what it wrote is flushed in the second 6.
        let running = json!({ "took_us": 9, "over_us": 1_000_000, "values": { "vacuums_running": 1.0 } });
        let by_hand = |cell: Measurement| {
            let cell = cell.second(2, json!({ "probes": { "pg.horizon": running } }));
            let slow = |cell: Measurement, second: u32| {
                cell.second(second, json!({ "transactions": 500 + second, "probes": { "pg.horizon": running } }))
            };
            (3..6).fold(cell, slow).second(6, json!({ "transactions": 500 }))
        };
        let found = Built::healthy().with(by_hand).finds(&RULE);
        assert_eq!(found.title, "throughput is 88 % lower while vacuum runs");
        assert_eq!((found.windows[0].from_s, found.windows[0].to_s), (2.0, 6.0));
    }

    #[test]
    fn a_vacuum_that_nobody_feels_is_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| vacuum(cell, 4000)).is_fine_for(&RULE);
    }

    #[test]
    fn with_neither_log_nor_progress_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.no_log("x").gap("pg.horizon", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.horizon vacuums_running: timed out");
    }
}
