//! `generic-plan`: a prepared statement is executed by its plan for any values where the other side makes one for the
//! values that there are, and executing takes more time here.

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::mend::Mend;
use crate::diagnose::plans::{TwoPlans, plans_side_by_side};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "generic-plan",
        group: CodeGroup::Plans,
        detects: "A prepared statement uses its generic query plan where the other side uses a custom one, and execution takes longer.",
        reported_if: "A prepared statement has the same generic and the same custom query plan on both sides, and the two \
                differ. Scans show that this side uses the generic one and the other side the custom one. Execution \
                takes longer beyond chance.",
        thresholds: &[
            RuleThreshold::at_least(
                "scans that only the generic query plan makes as a share of those that only one of the two makes",
                MOSTLY,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_most("the same on the other side", 1.0 - MOSTLY, ThresholdUnit::Share),
            EXECUTES_LONGER,
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A generic query plan is made once and assumes values of average frequency. If a few values are frequent and the others rare, it \
              fits none of them. plan_cache_mode = force_custom_plan plans each execution for its own values.",
        evidence: "Generic and custom query plans of the statement on both sides, and the execution time.",
        fix: "Set plan_cache_mode = force_custom_plan for these statements.",
        confirm: "Run the plan again with plan_cache_mode = force_custom_plan.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_generic_plan,
};

/// The setting that says which of its plans a prepared statement is executed by.
const MODE: &str = "plan_cache_mode";

/// From this share of the scans that tell the two plans apart, the one that makes them is the one that is executed.
/// Under `auto` the first five executions of a session are by custom plans, whatever is used later.
const MOSTLY: f64 = 0.8;

fn look_for_generic_plan(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        Ok(find_plan_difference(case, other)?.map(|of| finding_of_generic_plan(case, other, &of)))
    })
}

/// A statement that one side executes by its generic plan and the other by its custom one.
struct PlanModeDifference<'a> {
    two: TwoPlans<'a>,
    /// Scans that only the generic plan makes, per transaction.
    scans: f64,
    /// Scans that only the custom plan makes, per transaction of the other side.
    scans_there: f64,
}

fn find_plan_difference<'a>(
    case: &DiagnosisCase<'a>,
    other: &DiagnosisCase<'a>,
) -> Result<Option<PlanModeDifference<'a>>, MissingObservation> {
    let (here, there) = (case.two_plans()?, other.two_plans()?);
    let mut pairs: Vec<(TwoPlans<'a>, TwoPlans<'a>)> = Vec::new();
    for two in here {
        let same = there.iter().find(|of| {
            of.statement.statement == two.statement.statement
                && of.custom.shape == two.custom.shape
                && of.generic.shape == two.generic.shape
        });
        pairs.extend(same.map(|of| (two, *of)));
    }
    if pairs.is_empty() || !case.executes_longer_than(other)? {
        return Ok(None);
    }
    let (tables, tables_there) = (case.table_uses()?, other.table_uses()?);
    let mut untold = None;
    for (two, of) in pairs {
        match (case.scans_by(&two, &tables)?, other.scans_by(&of, &tables_there)?) {
            (Some([custom, generic]), Some([custom_there, generic_there])) => {
                // Neither was scanned where nothing is a number: not executed.
                let share = generic / (custom + generic);
                let share_there = generic_there / (custom_there + generic_there);
                if share >= MOSTLY && share_there <= 1.0 - MOSTLY {
                    return Ok(Some(PlanModeDifference { two, scans: generic, scans_there: custom_there }));
                }
            }
            _ => untold = Some(case.name_of(two.statement)),
        }
    }
    match untold {
        Some(name) => Err(MissingObservation::new(
            format!("the plan of {name} that is executed, generic or custom"),
            "the server counts no scan that only one of them makes",
        )),
        None => Ok(None),
    }
}

fn finding_of_generic_plan(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    of: &PlanModeDifference<'_>,
) -> CaseFinding {
    let name = case.name_of(of.two.statement);
    let custom = [(MODE, "force_custom_plan")];
    CaseFinding {
        title: format!(
            "{name} uses its generic plan, which fits the values worse than the custom plan of the other side"
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_in(is_executing),
        figures: figures_of_generic_plan(case, other, of),
        windows: case.all_the_time(),
        chart: case.chart_of_windows(&case.all_the_time(), &[ChartedSeries::Latency]),
        would_disprove: format!("the same latency with {MODE} = force_custom_plan"),
        confirm: Confirm::with_settings(
            case,
            &custom,
            "when each execution is planned for its own values, execution takes as long as on the other side",
        ),
        mend: Mend::with_new_settings(case, &custom),
    }
}

fn figures_of_generic_plan(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    of: &PlanModeDifference<'_>,
) -> Vec<EvidenceFigure> {
    let (here, there) = (&case.cell().target, &other.cell().target);
    let mut figures = vec![
        figure("scans per transaction that only the generic plan makes", FigureAmount::Count(of.scans)),
        figure(
            format!("scans per transaction of {there} that only the custom plan makes"),
            FigureAmount::Count(of.scans_there),
        ),
    ];
    for (side, target) in [(case, here), (other, there)] {
        if let Some(share) = share_of_generic_plans(side) {
            figures.push(figure(format!("executions by a generic plan on {target}"), FigureAmount::Share(share)));
        }
    }
    figures.extend(
        case.share_of_change(other, is_executing).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    let [mode, mode_there] = [case, other].map(|case| case.setting_value_or(MODE, "auto"));
    figures.push(figure(MODE, FigureAmount::Text(format!("{mode}; {mode_there} on {there}"))));
    let plans = plans_side_by_side((here, of.two.generic), (there, of.two.custom));
    figures.push(figure(
        format!("generic and custom plan of {}", case.name_of(of.two.statement)),
        FigureAmount::Plans(plans),
    ));
    figures
}

/// The share of the executions that were by a generic plan, of all that were by a plan of either kind, as
/// pg_stat_statements of PostgreSQL 19 counts them; none where it does not.
fn share_of_generic_plans(case: &DiagnosisCase<'_>) -> Option<f64> {
    let (mut generic, mut all) = (0, 0);
    for measured in case.trials() {
        for statement in &measured.watched.statements.as_ref()?.statements {
            let of_statement = statement.generic_plan_calls?;
            generic += of_statement;
            all += of_statement + statement.custom_plan_calls?;
        }
    }
    if all == 0 { None } else { Some(generic as f64 / all as f64) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Transactions of a trial of a healthy cell, about.
    const TRANSACTIONS: u64 = 48_000;

    fn scan() -> Value {
        json!({ "node": "Seq Scan", "relation": "t", "filter": "(a = $1)", "rows": 33_000, "cost": 2890 })
    }

    fn by_index() -> Value {
        json!({ "node": "Index Scan", "relation": "t", "index": "t_a", "condition": "(a = 1)", "rows": 50, "cost": 190 })
    }

    fn counted(cell: Measurement, sequential_scans: u64, index_scans: u64) -> Measurement {
        let index = json!({ "name": "t_a", "definition": "", "valid": true, "scans": index_scans, "entries": 0 });
        let table = json!({ "name": "public.t", "live_rows": 9, "sequential_scans": sequential_scans,
                            "sequential_rows": 0, "index_rows": 0, "rows_changed": 0, "indexes": [index] });
        cell.tables(vec![table]).plans(vec![json!({ "custom": by_index(), "generic": scan() })])
    }

    fn custom(cell: Measurement) -> Measurement {
        counted(cell, 0, TRANSACTIONS)
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    fn generic(cell: Measurement) -> Measurement {
        counted(slow(cell), TRANSACTIONS / 5, 50)
    }

    #[test]
    fn a_generic_plan_that_is_executed_on_the_slower_side_is_found_with_both_plans() {
        let built = Built::pair().with_first(custom).with(generic).setting(MODE, "force_generic_plan");
        let found = built.finds(&RULE);
        assert!(found.title.starts_with("t.sql line 2 uses its generic plan"), "{found:?}");
        assert!(
            matches!(&found.figures[4].amount, FigureAmount::Plans(plans) if plans.here.lines[0].starts_with("Seq Scan"))
        );
        assert_eq!(found.mend.expect("a setting").change.in_words(), "plan_cache_mode = force_custom_plan");
    }

    #[test]
    fn generic_plans_that_nobody_executes_or_everybody_does_or_that_cost_nothing_are_fine() {
        // Forced, and not what makes the difference: the setting is no evidence.
        let forced = |built: Built| built.setting(MODE, "force_generic_plan");
        forced(Built::pair().with_first(custom).with(|cell| custom(slow(cell)))).is_fine_for(&RULE);
        Built::pair().with_first(generic).with(generic).is_fine_for(&RULE);
        let as_fast = |cell| counted(cell, TRANSACTIONS, 0);
        forced(Built::pair().with_first(custom).with(as_fast)).is_fine_for(&RULE);
        let same = |cell: Measurement| cell.plans(vec![json!({ "custom": scan(), "generic": scan() })]);
        Built::pair().with_first(same).with(|cell| same(slow(cell))).is_fine_for(&RULE);
        Built::healthy().with(generic).is_fine_for(&RULE);
    }

    #[test]
    fn two_plans_that_scan_alike_and_scans_that_are_not_counted_leave_it_open() {
        let joined = |node: &str| json!({ "node": node, "rows": 1, "cost": 9, "children": [scan(), by_index()] });
        let alike = |cell: Measurement| {
            cell.plans(vec![json!({ "custom": joined("Nested Loop"), "generic": joined("Hash Join") })])
        };
        let built = Built::pair().with_first(|cell| alike(custom(cell))).with(|cell| alike(generic(cell)));
        assert!(built.lacks(&RULE).starts_with("the plan of t.sql line 2 that is executed"));
        let built = Built::pair().with_first(custom).with(|cell| generic(cell).no_tables());
        assert_eq!(built.lacks(&RULE), "the statistics of each table: timed out");
    }
}
