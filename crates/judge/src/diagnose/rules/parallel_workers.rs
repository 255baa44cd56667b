//! `parallel-workers`: statements are planned for parallel workers that they do not get, since all are taken.

use catalog::first_version_with_column;
use results::probe_fields::pg_database;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::mend::Mend;
use crate::diagnose::plans::{nodes_of_plan, plans_of};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};
use crate::thresholds::CPUS_CONTENDED;
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "parallel-workers",
        group: CodeGroup::Plans,
        detects: "Statements get fewer parallel workers than planned, although CPUs are idle, or the other side gets them.",
        reported_if: "The server is PostgreSQL 18 or later, and a large part of the planned workers is not launched. Either a \
                smaller part is lacking on another side and execution takes longer here beyond chance, or CPUs are idle.",
        thresholds: &[
            RuleThreshold::at_least("planned workers that are not launched", LACKING, ThresholdUnit::Share),
            RuleThreshold::at_least("workers planned per transaction", PER_TRANSACTION, ThresholdUnit::Count),
            RuleThreshold::less_than(
                "the share that is lacking on another side, relative to this side",
                LESS,
                ThresholdUnit::Share,
            ),
            EXECUTES_LONGER,
            RuleThreshold::at_most("CPU utilization, without such a side", CPUS_CONTENDED, ThresholdUnit::Share),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A query plan that counts on workers and gets none does all the work in one process, where a different one is often faster. \
              max_parallel_workers, and max_worker_processes above it, must cover the demand of all sessions.",
        evidence: "Parallel workers planned and launched, and CPU time that is not in use.",
        fix: "Raise max_parallel_workers and max_worker_processes.",
        confirm: "Run the plan again with more workers.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "planned workers not launched",
        unit: QuantityUnit::Share,
        of: |case| Ok(planned_and_lacking_workers(case)?.1),
    },
    look: look_for_parallel_workers,
};

/// From this share of the planned ones on that are lacking: now and then all are taken on a sound server, too.
const LACKING: f64 = 0.25;

/// From so many planned for a transaction on: a report beside the load is not the load.
const PER_TRANSACTION: f64 = 0.1;

/// Another side lacks fewer workers below this share of what this side lacks.
const LESS: f64 = 0.5;

/// What starts workers beside these.
const OTHERS: u32 = 8;

fn look_for_parallel_workers(case: &DiagnosisCase<'_>) -> Looked {
    if case.statement_plans().is_ok_and(|plans| plans.gap.is_none()) && workers_of_a_plan(case) == 0 {
        return Ok(None);
    }
    let (planned, lacking) = planned_and_lacking_workers(case)?;
    if lacking < LACKING || planned < PER_TRANSACTION {
        return Ok(None);
    }
    for other in &case.other_sides() {
        let there = self::planned_and_lacking_workers(other).map_or(lacking, |(_, there)| there);
        if there < LESS * lacking && case.executes_longer_than(other)? {
            return Ok(Some(finding_of_workers(case, [planned, lacking], Some(other))));
        }
    }
    case.has_its_host_to_itself("the host's CPUs")?;
    Ok((case.cpu_busy()? <= CPUS_CONTENDED).then(|| finding_of_workers(case, [planned, lacking], None)))
}

/// Workers that were planned for a transaction, and the share of them that were not had.
fn planned_and_lacking_workers(case: &DiagnosisCase<'_>) -> Result<(f64, f64), MissingObservation> {
    let version = case.target_facts()?.server.version_num / 10_000;
    let counted_from = first_version_with_column("pg_stat_database", "parallel_workers_launched");
    if let Some(first) = counted_from.filter(|first| version < *first) {
        let why = format!("PostgreSQL counts them from version {first} on; the server is {version}");
        return Err(MissingObservation::new("the parallel workers planned and launched", why));
    }
    let planned = case.per_transaction(pg_database::PARALLEL_WORKERS_TO_LAUNCH)?;
    let had = case.per_transaction(pg_database::PARALLEL_WORKERS_LAUNCHED)?;
    Ok((planned, if planned > 0.0 { 1.0 - had / planned } else { 0.0 }))
}

/// Workers that the plan of a statement starts at a time, of the one that starts the most.
fn workers_of_a_plan(case: &DiagnosisCase<'_>) -> u32 {
    let Ok(plans) = case.statement_plans() else { return 0 };
    let workers = plans.statements.iter().flat_map(plans_of).map(|plan| {
        let workers = nodes_of_plan(plan).into_iter().filter_map(|node| node.workers);
        workers.sum()
    });
    workers.max().unwrap_or(0)
}

fn finding_of_workers(
    case: &DiagnosisCase<'_>,
    [planned, lacking]: [f64; 2],
    other: Option<&DiagnosisCase<'_>>,
) -> CaseFinding {
    let mut figures = vec![
        figure("planned workers not launched", FigureAmount::Share(lacking)),
        figure("workers planned per transaction", FigureAmount::Count(planned)),
    ];
    figures.extend(
        other
            .and_then(|other| case.share_of_change(other, is_executing))
            .map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    figures.extend(case.cpu_busy().ok().map(|busy| figure("CPU utilization", FigureAmount::Share(busy))));
    figures.extend(["max_parallel_workers", "max_worker_processes"].map(|name| {
        let value = case.server_setting(name).map_or("default (8)".to_owned(), |setting| setting.value.clone());
        figure(name, FigureAmount::Text(value))
    }));
    let wanted = (case.client_count() * workers_of_a_plan(case)).max(1);
    let settings = [("max_parallel_workers", wanted), ("max_worker_processes", wanted + OTHERS)];
    let settings = settings.map(|(name, value)| (name, value.to_string()));
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    CaseFinding {
        title: format!("{} of the planned parallel workers are not launched", units::format_percent(lacking)),
        kind: FindingKind::Problem,
        confidence: if other.is_some() { Confidence::High } else { Confidence::Medium },
        // How much sooner a statement would end with them is not known of a side alone.
        cost: if other.is_some() { case.cost_in(is_executing) } else { FindingCost::NotAttributable },
        figures,
        windows: case.all_the_time(),
        chart: case.chart_of_windows(
            &case.all_the_time(),
            &[
                ChartedSeries::series_of_field(pg_database::PARALLEL_WORKERS_TO_LAUNCH, "workers planned"),
                ChartedSeries::series_of_field(pg_database::PARALLEL_WORKERS_LAUNCHED, "workers launched"),
            ],
        ),
        would_disprove: "the same latency with as many workers as are planned".to_owned(),
        confirm: Confirm::with_settings(case, &settings, "with all planned workers, execution takes less time"),
        mend: Mend::with_new_settings(case, &settings),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn plan(workers: Option<u32>) -> Value {
        json!({ "node": "Gather", "workers": workers, "rows": 1, "cost": 9000 })
    }

    /// Two workers planned for each transaction, of which these were had.
    fn gets(cell: Measurement, had: f64) -> Measurement {
        cell.plans(vec![plan(Some(2))]).probe(
            "pg.database",
            &[("parallel_workers_to_launch", 8000.0), ("parallel_workers_launched", 8000.0 * had)],
        )
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    /// The healthy target is of another version.
    fn alone() -> Built {
        Built::healthy().fact("/server/version_num", json!(180_001))
    }

    fn pair(there: impl FnOnce(Measurement) -> Measurement, here: impl FnOnce(Measurement) -> Measurement) -> Built {
        Built::pair().every_fact("/server/version_num", &json!(180_001)).with_first(there).with(here)
    }

    #[test]
    fn workers_that_are_not_had_are_found_where_there_are_cpus_for_them() {
        let found = alone().with(|cell| gets(cell, 0.1)).finds(&RULE);
        let FigureAmount::Share(lacking) = found.figures[0].amount else { panic!("{found:?}") };
        assert!((lacking - 0.9).abs() < 1e-9, "{found:?}");
        let mend = found.mend.expect("settings").change.in_words();
        assert_eq!(mend, "max_parallel_workers = 8, max_worker_processes = 16");
        assert_eq!(found.cost, FindingCost::NotAttributable);
        let found = pair(|cell| gets(cell, 1.0), |cell| gets(slow(cell), 0.0)).finds(&RULE);
        assert!(found.cost.attributed_share().is_some(), "{found:?}");
    }

    #[test]
    fn workers_that_are_had_or_that_no_cpu_waits_for_are_fine() {
        alone().with(|cell| gets(cell, 0.9)).is_fine_for(&RULE);
        let busy =
            |cell: Measurement| cell.probe("host.cpu", &[("user_us", 3.9e6), ("idle_us", 0.0), ("iowait_us", 0.0)]);
        alone().with(|cell| busy(gets(cell, 0.1))).is_fine_for(&RULE);
        pair(|cell| busy(gets(cell, 0.1)), |cell| busy(gets(slow(cell), 0.1))).is_fine_for(&RULE);
        // An older server that plans for none.
        Built::healthy().with(|cell| cell.plans(vec![plan(None)])).is_fine_for(&RULE);
    }

    #[test]
    fn a_server_that_does_not_count_them_leaves_it_open() {
        let built = Built::healthy().with(|cell| cell.plans(vec![plan(Some(2))]));
        let lacks =
            "the parallel workers planned and launched: PostgreSQL counts them from version 18 on; the server is 17";
        assert_eq!(built.lacks(&RULE), lacks);
    }
}
