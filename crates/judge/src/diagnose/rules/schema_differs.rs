//! `schema-differs`: the statements on a table, or those that define objects, take longer than on a side whose catalogs
//! say something else of what they use, and no other rule names the cause.

use std::collections::BTreeSet;

use results::catalog::CatalogPart;
use results::workload::StatementNumber;
use stats::Estimate;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::catalog::{advice_of_facts, figures_of_facts};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::plans::touches_table;
use crate::diagnose::quantity::{Measure, wait_per_cpu_ms};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::spent::{STATEMENTS_EXPLAIN, STATEMENTS_TAKE_LONGER, is_in_server};
use crate::unlike_tables::{ALL_VISIBLE_APART, BearsOn, FIGURE_TIMES, UnlikeTableFact, lines_of};

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "schema-differs",
        group: CodeGroup::Schema,
        detects: "Statements on a table take longer than on the other side, and the system catalogs differ in what can change their \
                cost: indexes, statistics, options, policies, foreign servers, settings of the role or the database. Of \
                statements that define objects these are the event triggers.",
        reported_if: "Statements on a table, or statements that define objects, take longer beyond chance and account for most of \
                the additional latency. The catalogs of the sides differ in a fact that can change what planning, reading or \
                writing this table costs, or in an event trigger. No other rule about plans and schema reports the cell. The issue has a cost only if no other known difference may \
                be the cause and processes wait about as long for a CPU on both sides.",
        thresholds: &[
            STATEMENTS_TAKE_LONGER,
            STATEMENTS_EXPLAIN,
            RuleThreshold::at_least(
                "ratio of a figure of the statistics between the sides",
                FIGURE_TIMES,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least(
                "difference of the share of all-visible pages",
                ALL_VISIBLE_APART,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_most(
                "ratio of the CPU wait per ms of CPU time between the sides, for a cost",
                WAITS_ALIKE,
                ThresholdUnit::Times,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The planner locks and considers every index and every partition of a table, and reads its statistics. A policy, an \
              option or a setting acts on each row, also where the query plans are the same.",
        evidence: "What `pg_class`, `pg_attribute`, `pg_index`, `pg_statistic_ext`, `pg_policy`, `pg_foreign_server`, \
                   `pg_event_trigger` and `pg_db_role_setting` say differently of both sides, and the time of the statements.",
        fix: "Make the definition the same on both sides, or keep the one that is faster.",
        confirm: "Change the first difference on this side and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: find_schema_difference,
};

/// Where processes of one side wait so many times as long for each millisecond on a CPU, that is a cause as well.
const WAITS_ALIKE: f64 = 1.5;

/// Facts of a higher rank are consequences, and never the first.
const LAST_RANK: u8 = 1;

fn find_schema_difference(case: &DiagnosisCase<'_>) -> Looked {
    case.catalog_contents()?;
    case.statement_plans()?;
    case.beside_others(|other| {
        other.catalog_contents()?;
        let slower = match slower_table(case, other)? {
            Some(slower) => Some(slower),
            None => slower_definitions(case, other)?,
        };
        Ok(slower.map(|slower| finding_of_statements(case, other, &slower)))
    })
}

/// Statements that take longer where the catalogs differ.
struct SlowerStatements {
    /// Which: `statements on public.t`.
    which: String,
    statements: Vec<StatementNumber>,
    facts: Vec<UnlikeTableFact>,
    /// Milliseconds by which they take longer, and their share of how much longer a transaction takes.
    longer: Estimate,
    share: f64,
}

/// Those on a table for which the most decisive fact differs.
fn slower_table(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
) -> Result<Option<SlowerStatements>, MissingObservation> {
    let mut slower: Option<SlowerStatements> = None;
    let mut tables = BTreeSet::new();
    for table in case.catalog_contents()?.objects_of(CatalogPart::Tables).unwrap_or_default() {
        tables.insert(&table.name);
    }
    for table in tables {
        let statements = statements_on(case, table)?;
        if statements.is_empty() {
            continue;
        }
        let mut bears_on = vec![BearsOn::Plans, BearsOn::Planning, BearsOn::Reads];
        if !case.writers_of(table)?.is_empty() {
            bears_on.extend([BearsOn::Writes, BearsOn::Wal]);
        }
        let facts = case.unlike_facts_of_table(other, table, &bears_on);
        let Some(first) = facts.first().filter(|first| first.rank <= LAST_RANK) else { continue };
        let is_more_decisive = slower.as_ref().is_none_or(|known| first.rank < known.facts[0].rank);
        if !is_more_decisive || rows_account_for_it(case, other, table) {
            continue;
        }
        if let Some((longer, share)) = case.statements_make_the_difference(other, &statements)? {
            let which = format!("statements on {table}");
            slower = Some(SlowerStatements { which, statements, facts, longer, share });
        }
    }
    Ok(slower)
}

/// Whether the statements on a table have the same plans on both sides, and take longer for the multiple of rows that
/// they read or write.
fn rows_account_for_it(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, table: &str) -> bool {
    let (Ok(here), Ok(there)) = (case.table_uses(), other.table_uses()) else { return false };
    let [here, there] = [&here, &there].map(|tables| tables.iter().find(|one| one.sums.name == table));
    let (Some(here), Some(there)) = (here, there) else { return false };
    let are_alike = case.statements_alike_on(other, table).is_ok_and(|alike| !alike.is_empty());
    are_alike && case.rows_account_for_time(other, (here, there)) == Ok(true)
}

/// Those that define objects, where an event trigger differs that is executed for them.
fn slower_definitions(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
) -> Result<Option<SlowerStatements>, MissingObservation> {
    let statements = case.defining_statements();
    let facts = case.unlike_facts_bearing_on(other, &[BearsOn::Definitions]);
    if facts.is_empty() {
        return Ok(None);
    }
    let made = case.statements_make_the_difference(other, &statements)?;
    let which = "statements that create, alter or drop objects".to_owned();
    Ok(made.map(|(longer, share)| SlowerStatements { which, statements, facts, longer, share }))
}

/// The statements by whose plans a table is read or written.
fn statements_on(case: &DiagnosisCase<'_>, table: &str) -> Result<Vec<StatementNumber>, MissingObservation> {
    let touching = case.statement_plans()?.statements.iter().filter(|statement| touches_table(statement, table));
    Ok(touching.map(|statement| statement.statement).collect())
}

fn finding_of_statements(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    slower: &SlowerStatements,
) -> CaseFinding {
    let SlowerStatements { which, facts, statements, longer, share } = slower;
    let lines = lines_of(facts);
    let first = lines.first().map_or_else(String::new, |line| format!("{}: {}", line.what, line.values));
    let mut figures = vec![
        figure("additional time of these statements", FigureAmount::Ms(longer.point)),
        figure(SHARE_OF_CHANGE, FigureAmount::Share(*share)),
    ];
    figures.extend(figures_of_facts(facts));
    let waits_alike = wait_alike_for_a_cpu(case, other);
    let expect = match advice_of_facts(facts) {
        Some(advice) => format!("make this side as the other one is ({advice}), run this plan, and compare: the statements take as long as there"),
        None => "make the first difference the same on both sides on a copy, run this plan, and compare: the statements take as long as there".to_owned(),
    };
    CaseFinding {
        title: format!("{which} take longer, and the catalogs differ: {first}"),
        kind: FindingKind::Problem,
        // How long a statement takes was counted, and not what of it goes where.
        confidence: if waits_alike { Confidence::Medium } else { Confidence::Low },
        cost: if waits_alike {
            case.cost_counted(|measured| case.time_of_statements(measured, statements), is_in_server)
        } else {
            FindingCost::NotAttributable
        },
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same difference in latency with the same definitions on both sides".to_owned(),
        confirm: Confirm::repeat_unchanged(case, &expect),
        mend: None,
    }
}

/// Whether processes of both sides wait about as long for each millisecond on a CPU, as far as the kernel tells.
fn wait_alike_for_a_cpu(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> bool {
    let [here, there] = [case, other].map(mean_wait_per_cpu_ms);
    match (here, there) {
        // Waits that are short beside the work itself make nothing longer.
        (Some(here), Some(there)) => 1.0 + here.max(there) <= WAITS_ALIKE * (1.0 + here.min(there)),
        _ => true,
    }
}

fn mean_wait_per_cpu_ms(case: &DiagnosisCase<'_>) -> Option<f64> {
    case.mean_over_trials(|measured| wait_per_cpu_ms(measured.budget.as_ref()?))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::Bearing;
    use crate::diagnose::built::{Built, Measurement};

    /// The catalog of a side whose table `far` has this foreign option, or none.
    fn catalog_with_option(fetch_size: Option<&str>) -> Value {
        let server = match fetch_size {
            Some(size) => json!({ "wrapper": "postgres_fdw", "option fetch_size": size }),
            None => json!({ "wrapper": "postgres_fdw" }),
        };
        json!({ "parts": {
            "tables": [{ "name": "public.far", "facts": { "kind": "foreign table", "foreign server": "r" } }],
            "foreign-servers": [{ "name": "r", "facts": server }],
        } })
    }

    fn reads_in(cell: Measurement, ms: f64, catalog: &Value) -> Measurement {
        let read = json!({ "node": "Foreign Scan", "relation": "far", "rows": 1, "cost": 1 });
        let other = json!({ "node": "Result", "rows": 1, "cost": 1 });
        cell.throughput(4.0 / (ms + 0.2) * 1e3).catalog(catalog).plans(vec![other, read]).times(&[0.1, ms])
    }

    fn pair_with(here: &Value, there: &Value, ms: f64) -> Built {
        Built::pair().with_first(|cell| reads_in(cell, 0.8, there)).with(|cell| reads_in(cell, ms, here))
    }

    #[test]
    fn option_of_a_foreign_server_is_named_where_its_statements_take_longer() {
        let built = pair_with(&catalog_with_option(Some("1")), &catalog_with_option(None), 3.8);
        let found = built.finds(&RULE);
        let end = "option fetch_size of foreign server r: 1 (other side: default)";
        assert!(found.title.ends_with(end), "{}", found.title);
        assert!(found.confirm.expect.contains("ALTER SERVER r OPTIONS (DROP fetch_size)"), "{found:?}");
        let finding = &built.diagnosis().findings[0];
        assert_eq!(finding.bearing, Bearing::Difference { target: "new".to_owned() });
    }

    fn pair_that_defines(event: &str, text: &'static str) -> Built {
        let with = json!({ "parts": { "event-triggers": [{ "name": "watch", "definition": event }] } });
        let without = json!({ "parts": { "event-triggers": [] } });
        pair_with(&with, &without, 3.8).sends(&["SELECT 1", text])
    }

    #[test]
    fn event_trigger_is_named_where_statements_that_define_objects_take_longer() {
        let found = pair_that_defines("ddl_command_end", "\n create TEMPORARY TABLE t (a int)").finds(&RULE);
        let whole = "statements that create, alter or drop objects take longer, and the catalogs differ: event trigger watch: \
                     ddl_command_end (other side: missing)";
        assert_eq!(found.title, whole);
        assert!(found.confirm.expect.contains("ALTER EVENT TRIGGER watch DISABLE on a copy"), "{found:?}");
        pair_that_defines("ddl_command_end", "SELECT created FROM t").is_fine_for(&RULE);
        pair_that_defines("login", "DROP TABLE t").is_fine_for(&RULE);
    }

    #[test]
    fn definitions_that_are_alike_and_statements_that_are_no_slower_are_fine() {
        let [one, none] = [catalog_with_option(Some("1")), catalog_with_option(None)];
        pair_with(&one, &one, 3.8).is_fine_for(&RULE);
        pair_with(&one, &none, 0.8).is_fine_for(&RULE);
    }

    #[test]
    fn pages_that_autovacuum_marked_matter_only_where_an_index_is_read_alone() {
        let catalog = |visible: u32| {
            let facts = json!({ "rows": 10_000, "pages": 100, "all-visible pages": visible });
            json!({ "parts": { "tables": [{ "name": "public.t", "facts": facts }] } })
        };
        let reads_by = |node: &'static str| {
            let reads = move |cell: Measurement, ms: f64, visible: u32| {
                let read = json!({ "node": node, "relation": "t", "rows": 1, "cost": 1 });
                cell.throughput(4.0 / (ms + 0.2) * 1e3).catalog(&catalog(visible)).plans(vec![read]).times(&[ms])
            };
            Built::pair().with_first(move |cell| reads(cell, 0.8, 100)).with(move |cell| reads(cell, 3.8, 0))
        };
        reads_by("Seq Scan").is_fine_for(&RULE);
        assert!(reads_by("Index Only Scan").finds(&RULE).title.contains("all-visible pages"));
    }

    #[test]
    fn without_catalogs_it_stays_open() {
        let built = pair_with(&Value::Null, &Value::Null, 3.8);
        let lacks = "the system catalogs: the files of the run do not contain it";
        assert_eq!(built.lacks(&RULE), lacks);
    }
}
