//! `stale-statistics`: a statement has another plan than on the other side, because the server expects of a table what
//! was so before most of it was changed.

use results::plans::PlanNode;
use results::tables::TableUsage;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::missing::NOT_IN_FILES;
use crate::diagnose::plans::{UnlikePlan, is_called, plans_side_by_side, same_rows};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};
use crate::diagnose::tables::ALIKE;
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "stale-statistics",
        group: CodeGroup::Plans,
        detects: "A statement has a different query plan than on the other side because a table's statistics are outdated: the planner \
                expects far more or far fewer rows.",
        reported_if: "The query plan of a statement has another shape than on the other side, and the planner expects far more \
                or far fewer rows of a table. The rows that came, if they were counted, are not those that it expects. The table \
                has as many rows on both sides, and its statistics are outdated on this side only. Execution takes longer beyond chance.",
        thresholds: &[
            RuleThreshold::at_least(
                "expected rows, relative to the other side, or the reverse",
                OFF,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least("rows changed since the last ANALYZE", CHANGED, ThresholdUnit::Count),
            RuleThreshold::at_least(
                "rows changed beyond these as a share of the rows in the table",
                CHANGED_SHARE,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_most("ratio of the rows in the table between the sides", ALIKE, ThresholdUnit::Times),
            EXECUTES_LONGER,
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The planner estimates from a sample of the table. Rows that were loaded or changed since then are not in the sample until \
              ANALYZE or autovacuum takes a new one.",
        evidence: "Rows that the planner expects on both sides, and rows changed since the last ANALYZE.",
        fix: "Run ANALYZE, and let autovacuum analyze the table earlier.",
        confirm: "ANALYZE the table on this side and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_stale_statistics,
};

/// So many times as many rows as the other side, or as few. Samples of the same rows differ by less, and a parallel
/// scan is told for one of its processes.
const OFF: f64 = 10.0;

/// Statistics are old from so many changed rows on: when autovacuum takes new ones, unless it was told otherwise.
const CHANGED: f64 = 50.0;
/// The same, as a share of the table's rows.
const CHANGED_SHARE: f64 = 0.1;

fn look_for_stale_statistics(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        Ok(find_stale_statistics(case, other)?.map(|stale| finding_of_statistics(case, other, &stale)))
    })
}

/// What the sides expect of a table whose statistics are old here.
struct Stale<'a> {
    unlike: UnlikePlan<'a>,
    /// What reads the rows, here and there.
    nodes: [&'a PlanNode; 2],
    table: TableUsage,
    there: TableUsage,
}

fn find_stale_statistics<'a>(
    case: &DiagnosisCase<'a>,
    other: &DiagnosisCase<'a>,
) -> Result<Option<Stale<'a>>, MissingObservation> {
    let unlike = case.unlike_plans(other)?;
    let off: Vec<(UnlikePlan<'a>, [&'a PlanNode; 2])> = unlike
        .iter()
        .flat_map(|one| {
            let (one, nodes) = (*one, same_rows(one.here, one.there));
            nodes.into_iter().filter(|nodes| is_far_off(nodes.map(|node| node.rows))).map(move |nodes| (one, nodes))
        })
        .collect();
    if off.is_empty() || !case.executes_longer_than(other)? {
        return Ok(None);
    }
    let (tables, tables_there) = (case.table_uses()?, other.table_uses()?);
    for (unlike, nodes) in off {
        let Some(relation) = nodes[0].relation.as_deref() else { continue };
        let [Some(table), Some(there)] = [&tables, &tables_there]
            .map(|tables| tables.iter().find(|table| is_called(&table.sums.name, relation)).cloned())
        else {
            continue;
        };
        if is_as_expected(nodes[0]) {
            continue;
        }
        if table.holds_as_many_rows_as(&there) && is_old(&table.sums)? && !is_old(&there.sums)? {
            return Ok(Some(Stale { unlike, nodes, table: table.sums, there: there.sums }));
        }
    }
    Ok(None)
}

fn is_far_off([here, there]: [f64; 2]) -> bool {
    here.max(1.0) >= OFF * there.max(1.0) || there.max(1.0) >= OFF * here.max(1.0)
}

/// Whether the rows that the server expects of a node came, and so its statistics are right whatever was changed.
fn is_as_expected(node: &PlanNode) -> bool {
    node.actual_rows.is_some_and(|actual| !is_far_off([node.rows, actual]))
}

/// Whether enough rows of a table changed since its statistics were taken for new ones to differ.
pub(super) fn is_old(table: &TableUsage) -> Result<bool, MissingObservation> {
    let changed = table.changed_since_analyze.ok_or_else(|| {
        MissingObservation::new(format!("the rows of {} changed since the last ANALYZE", table.name), NOT_IN_FILES)
    })?;
    Ok(changed as f64 >= CHANGED + CHANGED_SHARE * table.live_rows as f64)
}

fn finding_of_statistics(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, stale: &Stale<'_>) -> CaseFinding {
    let name = &stale.table.name;
    let changed = units::format_count(stale.table.changed_since_analyze.unwrap_or(0) as f64);
    CaseFinding {
        title: format!("the statistics of {name} are outdated: {changed} rows changed since the last ANALYZE"),
        kind: FindingKind::Problem,
        // The rows that a node had were not counted: the other side's fresh statistics tell how many there are.
        confidence: Confidence::Medium,
        cost: case.cost_in(is_executing),
        figures: figures_of_statistics(case, other, stale),
        windows: case.all_the_time(),
        chart: None,
        would_disprove: format!("the same plan after ANALYZE {name}"),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!(
                "ANALYZE {name}, run this plan, and compare: the plan is that of the other side, and latency falls"
            ),
        ),
        mend: None,
    }
}

fn figures_of_statistics(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    stale: &Stale<'_>,
) -> Vec<EvidenceFigure> {
    let Stale { unlike, nodes, table, there } = stale;
    let names = (&case.cell().target, &other.cell().target);
    let mut figures = vec![
        figure(format!("rows of {} that the planner expects", table.name), FigureAmount::Count(nodes[0].rows)),
        figure(format!("rows that the planner expects on {}", names.1), FigureAmount::Count(nodes[1].rows)),
    ];
    figures.extend(
        nodes[0]
            .filter
            .iter()
            .chain(&nodes[0].condition)
            .map(|test| figure("condition of the scan", FigureAmount::Text(test.clone()))),
    );
    let [changed, changed_there] =
        [table, there].map(|table| FigureAmount::Count(table.changed_since_analyze.unwrap_or(0) as f64));
    figures.push(figure("rows changed since the last ANALYZE", changed));
    figures.push(figure(format!("rows changed since the last ANALYZE on {}", names.1), changed_there));
    figures.push(figure("rows in the table", FigureAmount::Count(table.live_rows as f64)));
    let taken =
        table.analyzed_at.map_or_else(|| "never, as far as the server records".to_owned(), |at| format!("{at:.0}"));
    figures.push(figure("last ANALYZE", FigureAmount::Text(taken)));
    figures.extend(
        case.share_of_change(other, is_executing).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    let plans = plans_side_by_side((names.0, unlike.here), (names.1, unlike.there));
    figures.push(figure(format!("plans of {}", case.name_of(unlike.statement)), FigureAmount::Plans(plans)));
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// A join whose first table is read by a test that the statistics tell of.
    fn join(how: &str, rows: u64) -> Value {
        let tested = json!({ "node": "Seq Scan", "relation": "t", "filter": "(a > 0)", "rows": rows, "cost": 1790 });
        let other = json!({ "node": "Seq Scan", "relation": "u", "rows": 10, "cost": 1 });
        json!({ "node": how, "rows": rows, "cost": 2000, "children": [tested, other] })
    }

    fn cell(cell: Measurement, how: &str, expected: u64, changed: Option<u32>) -> Measurement {
        let table = json!({ "name": "public.t", "live_rows": 100_000, "sequential_scans": 9, "sequential_rows": 900_000,
                            "index_rows": 0, "rows_changed": 0, "changed_since_analyze": changed,
                            "analyzed_at": "2026-11-20T08:00:00Z" });
        cell.plans(vec![join(how, expected)]).tables(vec![table])
    }

    fn fresh(of: Measurement) -> Measurement {
        cell(of, "Hash Join", 100_000, Some(0))
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    fn old(of: Measurement) -> Measurement {
        cell(slow(of), "Nested Loop", 1, Some(100_000))
    }

    #[test]
    fn statistics_of_before_the_rows_were_changed_are_found_with_what_both_sides_expect() {
        let found = Built::pair().with_first(fresh).with(old).finds(&RULE);
        assert!(found.title.starts_with("the statistics of public.t are outdated"), "{found:?}");
        let is = |name: &str, amount: FigureAmount| assert!(found.figures.contains(&figure(name, amount)), "{found:?}");
        is("rows of public.t that the planner expects", FigureAmount::Count(1.0));
        is("rows that the planner expects on db", FigureAmount::Count(100_000.0));
        is("last ANALYZE", FigureAmount::Text("2026-11-20T08:00:00Z".to_owned()));
        assert!(found.confirm.expect.starts_with("ANALYZE public.t"), "{found:?}");
    }

    #[test]
    fn changed_tables_whose_plans_serve_and_other_plans_of_fresh_statistics_are_fine() {
        let check = |here: &dyn Fn(Measurement) -> Measurement| {
            Built::pair().with_first(fresh).with(here).is_fine_for(&RULE);
        };
        // Loaded and never analyzed, as many data sets are: the same plan.
        check(&|of| cell(slow(of), "Hash Join", 100_000, Some(100_000)));
        // Another plan for another reason: what it expects is right.
        check(&|of| cell(slow(of), "Nested Loop", 90_000, Some(100_000)));
        // Autovacuum would not have taken new ones either.
        check(&|of| cell(slow(of), "Nested Loop", 1, Some(9_000)));
        // The other plan is no slower.
        check(&|of| cell(of, "Nested Loop", 1, Some(100_000)));
        // Neither side's are fresh: which of them is right is not known.
        let both = |of| cell(of, "Hash Join", 100_000, Some(100_000));
        Built::pair().with_first(both).with(old).is_fine_for(&RULE);
        Built::healthy().with(old).is_fine_for(&RULE);
    }

    #[test]
    fn rows_that_came_as_expected_refute_that_the_statistics_are_outdated() {
        let came = |actual: u64| {
            move |of: Measurement| {
                let mut plan = join("Nested Loop", 1);
                plan["children"][0]["actual_rows"] = json!(actual);
                old(of).plans(vec![plan])
            }
        };
        Built::pair().with_first(fresh).with(came(2)).is_fine_for(&RULE);
        Built::pair().with_first(fresh).with(came(90_000)).finds(&RULE);
    }

    #[test]
    fn a_run_that_does_not_tell_how_much_was_changed_leaves_it_open() {
        let built = Built::pair().with_first(fresh).with(|of| cell(slow(of), "Nested Loop", 1, None));
        let lacks = "the rows of public.t changed since the last ANALYZE: the files of the run do not contain it";
        assert_eq!(built.lacks(&RULE), lacks);
    }
}
