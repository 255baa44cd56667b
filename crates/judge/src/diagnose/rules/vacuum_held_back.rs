//! `vacuum-held-back`: an old transaction, slot or prepared transaction keeps dead rows from
//! being removed, and they add up.

use results::log::LogEvent;
use results::probe_fields::{ProbeField, pg_horizon, pg_tables};
use stats::centre::arithmetic_mean;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "vacuum-held-back",
        group: CodeGroup::Schema,
        detects: "An old transaction, a replication slot or a prepared transaction prevents vacuum from removing dead rows.",
        reported_if: "A transaction, a replication slot or a prepared transaction holds back the vacuum horizon for long on \
                average, and dead rows remain.",
        thresholds: &[
            RuleThreshold::at_least("age of the horizon in transactions", HELD, ThresholdUnit::Count),
            RuleThreshold::at_least("the same per client", HELD_PER_CLIENT, ThresholdUnit::Count),
            RuleThreshold::at_least("highest number of dead rows", DEAD, ThresholdUnit::Count),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Row versions that a transaction might still see cannot be removed, so tables grow and scans read dead rows. End the \
              transaction, or drop the unused slot.",
        evidence: "The oldest transaction horizon, its holder, and dead rows that remain.",
        fix: "End the old transaction, or drop the unused replication slot.",
        confirm: "End the holder and run the plan again; dead rows are removed.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "age of the vacuum horizon in transactions",
        unit: QuantityUnit::Count,
        of: held_back_transactions,
    },
    look: look_for_vacuum_held_back,
};

/// For how many transactions whoever holds vacuum back the most has done so, on average.
fn held_back_transactions(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.mean_gauge_level(pg_horizon::VACUUMS_RUNNING)?;
    Ok(HOLDERS.iter().filter_map(|(field, _)| case.mean_gauge_level(*field).ok()).fold(0.0, f64::max))
}

/// From so many transactions that were begun since on. Those of the load itself are as old as its longest transaction:
/// a few times its clients, and never this many.
const HELD: f64 = 1000.0;

/// And from so many for each client on, which the load's own transactions begin in a few of its rounds.
pub(super) const HELD_PER_CLIENT: f64 = 20.0;

/// From so many dead rows on.
const DEAD: f64 = 1000.0;

/// Who can hold vacuum back: the figure of `pg.horizon`, and what to call it.
pub(super) const HOLDERS: &[(ProbeField, &str)] = &[
    (pg_horizon::HELD_BY_SESSIONS, "an open transaction"),
    (pg_horizon::HELD_BY_SLOTS, "a replication slot"),
    (pg_horizon::HELD_BY_PREPARED, "a prepared transaction"),
];

fn look_for_vacuum_held_back(case: &DiagnosisCase<'_>) -> Looked {
    // Vacuums that run are always counted; what nobody holds is absent.
    case.mean_gauge_level(pg_horizon::VACUUMS_RUNNING)?;
    let dead = case.highest_reading(pg_tables::DEAD_TUPLES)?;
    // What lasts a moment is no holder, hence not the highest of all.
    let held = HOLDERS.iter().filter_map(|(field, who)| Some((case.mean_gauge_level(*field).ok()?, field, who)));
    let enough = HELD.max(HELD_PER_CLIENT * case.clients_as_float());
    let longest = held.filter(|(held, ..)| *held >= enough).max_by(|(one, ..), (other, ..)| one.total_cmp(other));
    let Some((_, field, who)) = longest else { return Ok(None) };
    if dead < DEAD {
        return Ok(None);
    }
    let highest = case.highest_reading(*field)?;
    let mut figures = vec![
        figure(format!("age of {who} in transactions"), FigureAmount::Count(highest)),
        figure("dead rows", FigureAmount::Count(dead)),
    ];
    if *field == pg_horizon::HELD_BY_SESSIONS
        && let Ok(us) = case.highest_reading(pg_horizon::OLDEST_TRANSACTION_US)
    {
        figures.push(figure("oldest open transaction of another session", FigureAmount::S(us / 1e6)));
    }
    let kept =
        case.logged_messages().map_or(0, |logged| logged.iter().filter_map(|logged| not_removable(logged.event)).sum());
    if kept > 0 {
        figures.push(figure("dead rows that autovacuum could not remove", FigureAmount::Count(kept as f64)));
    }
    let windows = case.windows_where(|second| second.level_of_second(*field).is_some_and(|age| age >= HELD));
    Ok(Some(CaseFinding {
        title: format!("{who} prevents vacuum from removing dead rows"),
        kind: FindingKind::Problem,
        confidence: if kept > 0 { Confidence::High } else { Confidence::Medium },
        cost: throughput_decline_share(case)
            .map_or(FindingCost::NotAttributable, |share| FindingCost::Throughput { share }),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(*field, "age in transactions"),
                ChartedSeries::series_of_field(pg_tables::DEAD_TUPLES, "dead rows"),
            ],
        ),
        windows,
        would_disprove: "dead rows that are removed while the holder still exists".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "end the transaction or drop the slot, run this plan, and compare: dead rows are removed and throughput no longer declines",
        ),
        mend: None,
    }))
}

fn not_removable(event: &LogEvent) -> Option<u64> {
    match event {
        LogEvent::Vacuum(vacuum) => vacuum.rows_not_removable,
        _ => None,
    }
}

/// The least decline that is one.
const DECLINE: f64 = 0.05;

/// By how much the throughput of the last quarter of the trials is below that of the first; none when it hardly is.
fn throughput_decline_share(case: &DiagnosisCase<'_>) -> Option<f64> {
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for second in case.all_seconds() {
        let trial = case.trials().iter().find(|measured| measured.trial.number == second.trial_number());
        if let (Some(measured), Some(throughput)) = (trial, second.throughput_per_s()) {
            let of = measured.watched.seconds.len();
            if second.index() < of / 4 {
                first.push(throughput);
            }
            if second.index() >= of - of / 4 {
                last.push(throughput);
            }
        }
    }
    let (first, last) = (arithmetic_mean(&first)?, arithmetic_mean(&last)?);
    (last <= (1.0 - DECLINE) * first).then(|| 1.0 - last / first)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn held(cell: Measurement, by: &str) -> Measurement {
        cell.probe("pg.horizon", &[(by, 60_000.0), ("oldest_transaction_us", 3e7)])
            .probe("pg.tables", &[("dead_tuples", 40_000.0)])
    }

    #[test]
    fn whoever_holds_vacuum_back_is_named() {
        for (by, who) in HOLDERS {
            let found = Built::healthy().with(|cell| held(cell, by.name)).finds(&RULE);
            assert_eq!(
                (found.title, found.cost),
                (format!("{who} prevents vacuum from removing dead rows"), FindingCost::NotAttributable)
            );
        }
        let slower = Built::healthy().with(|cell| {
            (9..12).fold(held(cell, "held_by_sessions"), |cell, second| {
                cell.second(second, json!({ "transactions": 2000 }))
            })
        });
        assert!(slower.finds(&RULE).cost.attributed_share().is_some_and(|share| share > 0.4));
    }

    #[test]
    fn the_loads_own_transactions_and_an_idle_table_are_healthy() {
        Built::healthy().is_fine_for(&RULE);
        let few_dead = |cell: Measurement| held(cell, "held_by_sessions").probe("pg.tables", &[("dead_tuples", 9.0)]);
        Built::healthy().with(few_dead).is_fine_for(&RULE);
        let young =
            |cell: Measurement| held(cell, "held_by_sessions").probe("pg.horizon", &[("held_by_sessions", 40.0)]);
        Built::healthy().with(young).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_horizon_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("pg.horizon", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.horizon vacuums_running: timed out");
    }
}
