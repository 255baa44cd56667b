//! `slower-node`: a statement is executed by the same plan as on another side, and one node of it takes longer.

use results::plans::Plan;

use super::heap_fetches::is_of_heap_fetches;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::differing_tables::{
    differing_definitions, differing_indexes, differing_settings, figure_of_settings, moved_columns, settings_in_words,
    tables_of_plans,
};
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::plans::{beside_at, name_of_node};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::slower_nodes::{DifferingCount, LOSSY_PAGES, SHARE, SlowerConversion, SlowerNode, TIMES};
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};
use crate::units;

/// Counts that are named in a title.
const NAMED: usize = 2;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "slower-node",
        group: CodeGroup::Plans,
        detects: "A statement has the same query plan as on the other side, but one node of it takes longer.",
        reported_if: "The query plan of a statement has the same shape on both sides. By EXPLAIN ANALYZE, one node takes longer \
                on its own, without the nodes below it, beyond chance. From PostgreSQL 17 on, the conversion of its rows to messages counts as a node. The ratio exceeds that \
                of planning, so a slower CPU is not the reason. Execution takes longer beyond chance.",
        thresholds: &[
            RuleThreshold::at_least("time of the node, relative to the other side", TIMES, ThresholdUnit::Times),
            RuleThreshold::at_least(
                "additional time of the node per transaction, relative to the other side's latency",
                SHARE,
                ThresholdUnit::Share,
            ),
            EXECUTES_LONGER,
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The node shows where the time is, and its counts show the kind of work: pages, rows that a filter removes, temporary files, workers. \
              If all counts are the same, the server does more work for each row: a collation, a type, a function, \
              a column behind many others, a setting.",
        evidence: "The time and the counts of the node on both sides, the query plans, and what differs of the table's columns, its indexes and the planner's settings.",
        fix: "Remove the difference that makes the node slower.",
        confirm: "Remove it on this side and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_slower_node,
};

fn look_for_slower_node(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        let mut slower = case.slower_nodes(other)?;
        slower.retain(|node| !is_of_heap_fetches(node) && may_take_longer(case, other, node));
        let mut conversion = case.slower_conversion(other)?;
        if let (Some(node), Some(converted)) = (slower.first(), &conversion)
            && node.more_ms >= converted.more_ms
        {
            conversion = None;
        }
        if slower.is_empty() && conversion.is_none() || !case.executes_longer_than(other)? {
            return Ok(None);
        }
        Ok(match (&conversion, slower.first()) {
            (Some(conversion), _) => Some(found_conversion(case, other, conversion)),
            (None, Some(node)) => Some(found_node(case, other, node)),
            (None, None) => None,
        })
    })
}

/// Whether its statement takes longer by its clients' clocks, or was not timed.
pub(super) fn may_take_longer(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, node: &SlowerNode<'_>) -> bool {
    !matches!(case.statements_take_longer_than(other, &[node.statement.statement]), Ok(None))
}

fn found_node(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, node: &SlowerNode<'_>) -> CaseFinding {
    let counts = node.differing_counts();
    let text = case.text_of(node.statement).unwrap_or_default();
    let moved = moved_columns(case, other, node.plans, text);
    CaseFinding {
        title: title_of_node(case, node, &counts, &moved),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_counted(|measured| case.own_ms_of_node(measured, node.statement, node.place), is_executing),
        figures: figures_of_node(case, other, node, (&counts, moved)),
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same time of the node on both sides (EXPLAIN ANALYZE)".to_owned(),
        confirm: Confirm::repeat_unchanged(case, &remedy_of_counts(&counts)),
        mend: None,
    }
}

fn found_conversion(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, slower: &SlowerConversion<'_>) -> CaseFinding {
    let there = &other.cell().target;
    let [ours, theirs] = slower.converted;
    let mut figures = vec![
        figure("time of converting the rows per execution", FigureAmount::Ms(ours.us / 1e3)),
        figure(format!("time of converting the rows on {there}"), FigureAmount::Ms(theirs.us / 1e3)),
    ];
    figures.extend(share_of_difference(case, other, slower.more_ms));
    if let (Some(bytes), Some(bytes_there)) = (ours.bytes, theirs.bytes) {
        figures.push(figure("bytes of the rows", FigureAmount::Bytes(bytes as f64)));
        figures.push(figure(format!("bytes of the rows on {there}"), FigureAmount::Bytes(bytes_there as f64)));
    }
    CaseFinding {
        title: format!(
            "converting the rows of {} to messages takes {:.1} times as long",
            case.name_of(slower.statement),
            ours.us / theirs.us
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_counted(|measured| case.conversion_ms(measured, slower.statement), is_executing),
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same time of serialization on both sides (EXPLAIN (ANALYZE, SERIALIZE))".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "compare what conversion depends on: client_encoding (of the role, the database and the connection), the types of the \
             columns, values that are compressed or stored apart (TOAST). Make them alike, run this plan, and compare: \
             converting takes as long as on the other side",
        ),
        mend: None,
    }
}

/// How much of the additional latency so many milliseconds are; none where the other side is no faster.
fn share_of_difference(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, more_ms: f64) -> Option<EvidenceFigure> {
    let longer_ms = case.latency_ms().ok()? - other.latency_ms().ok()?;
    (longer_ms > 0.0).then(|| figure(SHARE_OF_CHANGE, FigureAmount::Share((more_ms / longer_ms).clamp(0.0, 1.0))))
}

fn title_of_node(
    case: &DiagnosisCase<'_>,
    node: &SlowerNode<'_>,
    counts: &[DifferingCount],
    moved: &[EvidenceFigure],
) -> String {
    let what = format!("{} ({})", name_of_node(node.nodes[0]), case.name_of(node.statement));
    let times = node.times_as_long();
    if counts.is_empty() {
        let because = match moved.first() {
            Some(EvidenceFigure { name, amount: FigureAmount::Text(here) }) => format!("; {name}: {here}"),
            Some(_) | None => settings_of_plans(node.plans),
        };
        return format!("{what} takes {times:.1} times as long for the same rows and pages{because}");
    }
    let mut named = Vec::new();
    for count in counts.iter().take(NAMED) {
        named.push(format!(
            "{} {} (other side: {})",
            units::format_count(count.here),
            count.what,
            units::format_count(count.there)
        ));
    }
    format!("{what} takes {times:.1} times as long: {}", named.join(", "))
}

/// The settings that EXPLAIN says differently, as a clause: functions that the node calls go by them, too.
fn settings_of_plans([here, there]: [&Plan; 2]) -> String {
    let differing = differing_settings(here, there);
    if differing.is_empty() { String::new() } else { format!("; differs: {}", settings_in_words(&differing)) }
}

fn remedy_of_counts(counts: &[DifferingCount]) -> String {
    let what = match counts.first().map(|count| count.what) {
        None => {
            "the server does more work for each row: compare the columns that the node reads (type, collation, order, storage), the \
             functions and casts that it calls, and the settings of both sides; make them alike"
        }
        Some("pages of temporary files" | "batches of the hash table") => {
            "give the node more memory (work_mem, hash_mem_multiplier)"
        }
        Some(LOSSY_PAGES) => {
            "give the bitmap more memory (work_mem); of a BRIN index all pages are lossy: lower its pages_per_range, or \
             create a btree index"
        }
        Some("workers launched") => {
            "let the node have its parallel workers (max_parallel_workers, max_worker_processes)"
        }
        Some("pages read into shared_buffers") => {
            "keep the pages of its table in memory (shared_buffers), or make the table smaller"
        }
        Some("pages looked at" | "rows removed by the recheck" | "index searches") => {
            "compare the sizes of the table and its indexes (VACUUM, REINDEX), and the order of its rows"
        }
        Some(_) => "compare the rows of the table on both sides",
    };
    format!("{what}. Run this plan, and compare: the node takes as long as on the other side")
}

fn figures_of_node(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    node: &SlowerNode<'_>,
    (counts, moved): (&[DifferingCount], Vec<EvidenceFigure>),
) -> Vec<EvidenceFigure> {
    let (here, there) = (&case.cell().target, &other.cell().target);
    let [ours, theirs] = node.executions.map(|execution| execution.own_us / 1e3);
    let mut figures = vec![
        figure("time of the node itself per execution", FigureAmount::Ms(ours)),
        figure(format!("time of the node itself on {there}"), FigureAmount::Ms(theirs)),
    ];
    figures.extend(share_of_difference(case, other, node.more_ms));
    for count in counts {
        figures.push(figure(count.what, FigureAmount::Count(count.here)));
        figures.push(figure(format!("{} on {there}", count.what), FigureAmount::Count(count.there)));
    }
    let plans = node.plans;
    let shown = beside_at((here, plans[0]), (there, plans[1]), node.nodes[0]);
    figures.push(figure(format!("plans of {}", case.name_of(node.statement)), FigureAmount::Plans(shown)));
    figures.extend(figure_of_settings(plans[0], plans[1]));
    figures.extend(differing_definitions(case, other, plans));
    figures.extend(moved);
    let indexes = differing_indexes(case, other, plans);
    if !indexes.is_empty() {
        figures.push(figure("indexes of the tables", FigureAmount::Text(indexes.join(", "))));
    }
    for [table, same] in tables_of_plans(case, other, plans) {
        if let (Some(bytes), Some(bytes_there)) = (table.bytes, same.bytes)
            && (bytes as f64 / bytes_there.max(1) as f64).ln().abs() > TIMES.ln()
        {
            figures.push(figure(format!("size of {}", table.name), FigureAmount::Bytes(bytes as f64)));
            figures.push(figure(format!("size of {} on {there}", table.name), FigureAmount::Bytes(bytes_there as f64)));
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// A scan that takes so many microseconds by itself, with other fields of its execution.
    fn scan(own_us: f64, fields: Value) -> Value {
        let mut execution = json!({ "own_us": own_us, "loops": 1.0, "blocks": { "hit": 900 } });
        let Value::Object(fields) = fields else { panic!("{fields} has no fields") };
        execution.as_object_mut().unwrap().extend(fields);
        json!({ "node": "Seq Scan", "relation": "t", "rows": 20_000, "actual_rows": 20_000, "cost": 1790,
                "planning": { "us": 50.0, "asked": 20 }, "execution": execution })
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    fn pair(here: Value, there: Value) -> Built {
        Built::pair().with_first(|cell| cell.plans(vec![there])).with(|cell| slow(cell).plans(vec![here]))
    }

    #[test]
    fn a_node_that_takes_longer_for_the_same_rows_and_pages_is_found_with_both_plans() {
        let found = pair(scan(4000.0, json!({})), scan(800.0, json!({}))).finds(&RULE);
        assert_eq!(found.title, "Seq Scan on t (t.sql line 2) takes 5.0 times as long for the same rows and pages");
        assert!(found.confirm.expect.starts_with("the server does more work for each row"), "{found:?}");
        let Some(FigureAmount::Plans(plans)) =
            found.figures.iter().map(|one| &one.amount).find(|amount| matches!(amount, FigureAmount::Plans(_)))
        else {
            panic!("{found:?}")
        };
        assert!(plans.here.lines[0].contains("own time 4.00 ms"), "{plans:?}");
        assert_eq!(plans.differs_at, 0, "the node that takes longer");
    }

    #[test]
    fn what_is_counted_of_the_node_and_differs_is_named() {
        let spilled = scan(4000.0, json!({ "blocks": { "hit": 900, "temp_read": 500, "temp_written": 500 } }));
        let found = pair(spilled, scan(800.0, json!({}))).finds(&RULE);
        assert!(
            found.title.ends_with("takes 5.0 times as long: 1000 pages of temporary files (other side: 0)"),
            "{found:?}"
        );
        assert!(found.confirm.expect.contains("work_mem"), "{found:?}");
    }

    #[test]
    fn nodes_that_take_as_long_or_a_cpu_that_is_slower_in_all_it_does_are_fine() {
        pair(scan(900.0, json!({})), scan(800.0, json!({}))).is_fine_for(&RULE);
        pair(scan(800.0, json!({})), scan(4000.0, json!({}))).is_fine_for(&RULE);
        let mut slower_cpu = scan(4000.0, json!({}));
        slower_cpu["planning"]["us"] = json!(250.0);
        pair(slower_cpu, scan(800.0, json!({}))).is_fine_for(&RULE);
        let mut other_plan = scan(4000.0, json!({}));
        other_plan["index"] = json!("t_pkey");
        pair(other_plan, scan(800.0, json!({}))).is_fine_for(&RULE);
        Built::healthy().with(|cell| slow(cell).plans(vec![scan(4000.0, json!({}))])).is_fine_for(&RULE);
    }

    /// A scan whose rows take so many microseconds to be converted.
    fn scan_with_conversion(us: f64) -> Value {
        let mut scan = scan(800.0, json!({}));
        scan["execution_of_plan"] =
            json!({ "us": 900.0, "executed": 3, "serialization_us": us, "serialized_bytes": 4096 });
        scan
    }

    #[test]
    fn rows_that_take_longer_to_be_converted_are_found() {
        let found = pair(scan_with_conversion(3500.0), scan_with_conversion(500.0)).finds(&RULE);
        assert_eq!(found.title, "converting the rows of t.sql line 2 to messages takes 7.0 times as long");
        assert!(found.confirm.expect.contains("client_encoding"), "{found:?}");
        pair(scan_with_conversion(550.0), scan_with_conversion(500.0)).is_fine_for(&RULE);
    }

    #[test]
    fn plans_whose_nodes_were_not_timed_leave_it_open() {
        let old = json!({ "node": "Seq Scan", "relation": "t", "rows": 1, "cost": 1, "prepared": null });
        let lacks = pair(old.clone(), old).lacks(&RULE);
        assert!(lacks.starts_with("the time of the nodes of the plans: the files of the run"), "{lacks}");
    }
}
