//! `heap-fetches`: what another side finds in an index alone is looked up in the table here, as the table's pages are
//! not marked as visible to all transactions.

use results::plans::{Plan, PlanNode};

use super::slower_node::may_take_longer;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::differing_tables::differing_settings;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::plans::{UnlikePlan, beside_at, nodes_of_plan, plans_side_by_side};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::slower_nodes::SlowerNode;
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "heap-fetches",
        group: CodeGroup::Plans,
        detects: "Rows that the other side finds in an index alone are fetched from the table, because its pages are not marked as all-visible.",
        reported_if: "Either an index-only scan fetches far more rows from the table than on another side and takes longer on \
                its own. Or the other side uses an index-only scan, and this side reads the table by the same index, with the \
                same planner settings and about as many expected rows. Execution takes longer beyond chance.",
        thresholds: &[
            RuleThreshold::at_least("heap fetches, relative to the other side", TIMES, ThresholdUnit::Times),
            RuleThreshold::at_most("ratio of the expected rows between the sides", ALIKE, ThresholdUnit::Times),
            EXECUTES_LONGER,
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "An index does not record whether a row is visible to a transaction. The visibility map does, page by page, and VACUUM sets it. Where it is \
              not set, an index-only scan visits the table for each row, and the planner may give it up for a scan of the table.",
        evidence: "Heap fetches of the index-only scan, or rows that are read from the table, and the query plans of both sides.",
        fix: "VACUUM the table, and let autovacuum visit it: also after a load (autovacuum_vacuum_insert_scale_factor), and not with autovacuum_enabled = off.",
        confirm: "VACUUM the table on this side and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_heap_fetches,
};

/// So many times as many heap fetches as on the other side: rows that were changed just now have some on every side.
const TIMES: f64 = 5.0;

/// With fewer heap fetches than this an index-only scan is one.
const FEW: u64 = 4;

/// Expected rows within this ratio are of the same statistics.
const ALIKE: f64 = 2.0;

fn look_for_heap_fetches(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        let mut slower = case.slower_nodes(other).unwrap_or_default();
        slower.retain(|node| is_of_heap_fetches(node) && may_take_longer(case, other, node));
        if let Some(first) = slower.first() {
            return Ok(case.executes_longer_than(other)?.then(|| found_in_node(case, other, first)));
        }
        let given_up = given_up(case, other)?;
        match given_up {
            Some(given_up) => Ok(case.executes_longer_than(other)?.then(|| found_given_up(case, other, &given_up))),
            None => Ok(None),
        }
    })
}

/// Whether a node takes longer as it looks at rows in the table that the other side does not look at.
pub(super) fn is_of_heap_fetches(node: &SlowerNode<'_>) -> bool {
    let [here, there] = node.executions.map(|execution| execution.heap_fetches);
    match (here, there) {
        (Some(here), Some(there)) => here >= FEW && here as f64 >= TIMES * there as f64,
        _ => false,
    }
}

/// A scan of an index alone that this side does not make.
struct GivenUp<'a> {
    unlike: UnlikePlan<'a>,
    /// What reads the table in its place, here.
    reads: &'a PlanNode,
    /// The scan of the index alone, there.
    alone: &'a PlanNode,
}

/// A statement that another side answers from an index alone and this one with the same index and its table, where
/// neither the settings nor what the planner expects of the index tell why.
fn given_up<'a>(
    case: &DiagnosisCase<'a>,
    other: &DiagnosisCase<'a>,
) -> Result<Option<GivenUp<'a>>, MissingObservation> {
    for unlike in case.unlike_plans(other)? {
        if !differing_settings(unlike.here, unlike.there).is_empty() {
            continue;
        }
        let alone = nodes_of_plan(unlike.there).into_iter().filter(|node| is_index_only(node));
        for alone in alone.filter(|alone| alone.execution.as_ref().is_none_or(|of| is_hardly_in_table(of.heap_fetches)))
        {
            if let Some(reads) = reads_by_same_index(unlike.here, alone)
                && !is_defined_otherwise(case, other, alone)
            {
                return Ok(Some(GivenUp { unlike, reads, alone }));
            }
        }
    }
    Ok(None)
}

fn is_index_only(node: &PlanNode) -> bool {
    node.node.starts_with("Index Only Scan")
}

fn is_hardly_in_table(heap_fetches: Option<u64>) -> bool {
    heap_fetches.is_none_or(|fetches| fetches < FEW)
}

/// What reads the table of a scan of an index alone by the same index.
fn reads_by_same_index<'a>(plan: &'a Plan, alone: &PlanNode) -> Option<&'a PlanNode> {
    let all = nodes_of_plan(plan);
    let by_index = all
        .iter()
        .find(|node| node.index == alone.index && !is_index_only(node) && are_alike(node.rows, alone.rows))?;
    if by_index.relation.is_some() {
        return Some(by_index);
    }
    // The index of a bitmap stands below the node that reads the table.
    all.iter().find(|node| node.relation == alone.relation && node.node.starts_with("Bitmap Heap Scan")).copied()
}

/// Whether the index of a scan is known to be another one on the other side, whatever it is called.
fn is_defined_otherwise(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, alone: &PlanNode) -> bool {
    let [here, there] = [case, other].map(|side| {
        let tables = side.table_uses().ok()?;
        let mut indexes = tables.iter().flat_map(|table| &table.sums.indexes);
        let index = indexes.find(|index| Some(&index.name) == alone.index.as_ref())?;
        Some(index.definition.clone())
    });
    matches!((here, there), (Some(here), Some(there)) if here != there)
}

fn are_alike(one: f64, other: f64) -> bool {
    one.max(1.0) <= ALIKE * other.max(1.0) && other.max(1.0) <= ALIKE * one.max(1.0)
}

fn found_in_node(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, node: &SlowerNode<'_>) -> CaseFinding {
    let [here, there] = node.executions.map(|execution| execution.heap_fetches.unwrap_or(0) as f64);
    let table = node.nodes[0].relation.clone().unwrap_or_default();
    let index = node.nodes[0].index.clone().unwrap_or_default();
    let mut figures = vec![
        figure("heap fetches per execution", FigureAmount::Count(here)),
        figure(format!("heap fetches per execution on {}", other.cell().target), FigureAmount::Count(there)),
    ];
    let [ours, theirs] = node.plans;
    let plans = beside_at((&case.cell().target, ours), (&other.cell().target, theirs), node.nodes[0]);
    figures.push(figure(format!("plans of {}", case.name_of(node.statement)), FigureAmount::Plans(plans)));
    let title = format!(
        "the index-only scan of {index} looks up {} rows in {table} (other side: {})",
        units::format_count(here),
        units::format_count(there)
    );
    let cost = case.cost_counted(|measured| case.own_ms_of_node(measured, node.statement, node.place), is_executing);
    found_fetches(case, title, &table, Confidence::High, cost, figures)
}

fn found_given_up(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, given_up: &GivenUp<'_>) -> CaseFinding {
    let GivenUp { unlike, reads, alone } = given_up;
    let (table, index) = (alone.relation.clone().unwrap_or_default(), alone.index.clone().unwrap_or_default());
    let mut figures = Vec::new();
    if let (Some(rows), Some(execution)) = (reads.actual_rows, &reads.execution) {
        figures.push(figure("rows read from the table per execution", FigureAmount::Count(rows * execution.loops)));
        figures.push(figure("pages of the table looked at", FigureAmount::Count(execution.blocks.looked_at() as f64)));
    }
    let fetches = alone.execution.as_ref().and_then(|execution| execution.heap_fetches);
    let name = format!("heap fetches per execution on {}", other.cell().target);
    figures.extend(fetches.map(|fetches| figure(name, FigureAmount::Count(fetches as f64))));
    figures.extend(
        case.share_of_change(other, is_executing).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    let plans = plans_side_by_side((&case.cell().target, unlike.here), (&other.cell().target, unlike.there));
    figures.push(figure(format!("plans of {}", case.name_of(unlike.statement)), FigureAmount::Plans(plans)));
    let title = format!(
        "{table} is read where the other side needs index {index} alone: its pages are not marked as all-visible"
    );
    // That they are not marked is concluded from the planner's choice.
    found_fetches(case, title, &table, Confidence::Medium, case.cost_in(is_executing), figures)
}

fn found_fetches(
    case: &DiagnosisCase<'_>,
    title: String,
    table: &str,
    confidence: Confidence,
    cost: FindingCost,
    figures: Vec<EvidenceFigure>,
) -> CaseFinding {
    CaseFinding {
        title,
        kind: FindingKind::Problem,
        confidence,
        cost,
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: format!("the same difference in latency after VACUUM {table}"),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!(
                "VACUUM {table}, run this plan, and compare: the statement is answered from the index alone, and latency falls. To \
                 keep it so, let autovacuum visit the table, also after a load"
            ),
        ),
        mend: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn alone(own_us: f64, heap_fetches: u64) -> Value {
        json!({ "node": "Index Only Scan", "relation": "sale", "index": "sale_shop", "rows": 1000, "actual_rows": 1000,
                "cost": 24, "planning": { "us": 50.0, "asked": 20 }, "prepared": true,
                "execution": { "own_us": own_us, "loops": 1.0, "heap_fetches": heap_fetches } })
    }

    fn by_bitmap(rows: u64) -> Value {
        let index = json!({ "node": "Bitmap Index Scan", "index": "sale_shop", "rows": rows, "cost": 12 });
        json!({ "node": "Bitmap Heap Scan", "relation": "sale", "rows": rows, "actual_rows": 1000, "cost": 2097,
                "execution": { "own_us": 3000.0, "loops": 1.0, "blocks": { "hit": 1000 } }, "children": [index] })
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    fn pair(here: Value, there: Value) -> Built {
        Built::pair().with_first(|cell| cell.plans(vec![there])).with(|cell| slow(cell).plans(vec![here]))
    }

    #[test]
    fn an_index_only_scan_that_visits_the_table_is_found_and_vacuum_is_the_remedy() {
        let found = pair(alone(4000.0, 1000), alone(300.0, 0)).finds(&RULE);
        let title = "the index-only scan of sale_shop looks up 1000 rows in sale (other side: 0)";
        assert_eq!(found.title, title);
        assert!(found.confirm.expect.starts_with("VACUUM sale,"), "{found:?}");
        assert!(!format!("{found:?}").contains("ANALYZE"), "{found:?}");
    }

    #[test]
    fn an_index_only_scan_that_the_planner_gave_up_is_found() {
        let found = pair(by_bitmap(996), alone(300.0, 0)).finds(&RULE);
        assert!(found.title.starts_with("sale is read where the other side needs index sale_shop alone"), "{found:?}");
        assert!(
            found.figures.contains(&figure("pages of the table looked at", FigureAmount::Count(1000.0))),
            "{found:?}"
        );
    }

    #[test]
    fn scans_that_visit_the_table_on_both_sides_and_plans_that_differ_for_another_reason_are_fine() {
        pair(alone(4000.0, 1000), alone(800.0, 900)).is_fine_for(&RULE);
        pair(alone(310.0, 1000), alone(300.0, 0)).is_fine_for(&RULE);
        // What the planner expects of the index tells why.
        pair(by_bitmap(50_000), alone(300.0, 0)).is_fine_for(&RULE);
        let mut forbidden = by_bitmap(996);
        forbidden["settings"] = json!({ "enable_indexonlyscan": "off" });
        pair(forbidden, alone(300.0, 0)).is_fine_for(&RULE);
        Built::healthy().with(|cell| slow(cell).plans(vec![alone(4000.0, 1000)])).is_fine_for(&RULE);
    }

    #[test]
    fn without_plans_it_stays_open() {
        let built = Built::pair().with(Measurement::no_plans);
        assert_eq!(built.lacks(&RULE), "the plans of the statements: permission denied");
    }
}
