//! `plan-changed`: a statement is executed by another plan than on a side on which executing takes less time.

use std::collections::BTreeSet;

use results::plans::Plan;

use crate::codes::{Code, CodeGroup, IssueEffect};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::catalog::{advice_of_facts, deciding_fact_in_words, figures_of_facts};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::differing_tables::{
    differing_definitions, differing_settings, figure_of_settings, settings_in_words,
};
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure};
use crate::diagnose::plans::{
    UnlikePlan, estimates_are_right, is_called, nodes_of_plan, plans_side_by_side, relations_of_plans,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::spent::{EXECUTES_LONGER, STATEMENTS_TAKE_LONGER, is_executing};
use crate::unlike_tables::{BearsOn, UnlikeTableFact};

use super::stale_statistics::is_old;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "plan-changed",
        group: CodeGroup::Plans,
        detects: "A statement has a different query plan than on the other side, and execution takes longer.",
        reported_if: "The query plan of a statement has another shape than on the other side, and execution takes longer \
                beyond chance. If the clients timed the statement, it takes longer as well. The counters of its tables and \
                indexes do not refute the query plan.",
        thresholds: &[EXECUTES_LONGER, STATEMENTS_TAKE_LONGER],
        effects: IssueEffect::OF_FINDINGS,
        why: "The planner chooses a query plan by settings, statistics and the existing indexes. The first node that differs shows which of these differs.",
        evidence: "The query plans of the statement on both sides, the first node that differs, and the execution time on both sides.",
        fix: "Give both sides the same settings, statistics and indexes, or correct the one that makes the planner choose the slower query plan.",
        confirm: "Remove the difference at that node and run the plan again.",
        formerly: &["another-plan"],
    },
    measure: Measure::Time,
    look: look_for_plan_changed,
};

fn look_for_plan_changed(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        let mut unlike = case.unlike_plans(other)?;
        unlike.retain(|unlike| may_take_longer(case, other, unlike) && !is_refuted(case, other, unlike));
        let is_told = !unlike.is_empty() && case.executes_longer_than(other)?;
        Ok(is_told.then(|| finding_of_plans(case, other, &unlike)))
    })
}

/// Whether the statement takes longer by its clients' clocks, or was not timed: one that does not is executed by
/// another plan that is as good, whatever else takes longer.
fn may_take_longer(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, unlike: &UnlikePlan<'_>) -> bool {
    !matches!(case.statements_take_longer_than(other, &[unlike.statement.statement]), Ok(None))
}

/// Whether the counters of the tables show that it is executed by another plan than the one that was shown. Where they
/// were not read nothing refutes it.
fn is_refuted<'a>(case: &DiagnosisCase<'a>, other: &DiagnosisCase<'a>, unlike: &UnlikePlan<'a>) -> bool {
    case.is_plan_refuted(other, unlike).unwrap_or(false)
}

fn finding_of_plans(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, unlike: &[UnlikePlan<'_>]) -> CaseFinding {
    let first = &unlike[0];
    let (here, there) = (&case.cell().target, &other.cell().target);
    let plans = plans_side_by_side((here, first.here), (there, first.there));
    let whose = if first.generic { "generic plans" } else { "plans" };
    let mut figures = vec![figure("statements with different plans", FigureAmount::Count(unlike.len() as f64))];
    figures.extend(
        case.share_of_change(other, is_executing).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    figures.push(figure(format!("{whose} of {}", case.name_of(first.statement)), FigureAmount::Plans(plans)));
    figures.extend(figure_of_settings(first.here, first.there));
    let facts = case.unlike_facts_of_plans(other, [first.here, first.there], &[BearsOn::Plans]);
    if case.catalog_contents().is_ok() {
        figures.extend(figures_of_facts(&facts));
    } else {
        figures.extend(differing_definitions(case, other, [first.here, first.there]));
    }
    let (name, reads) = (case.name_of(first.statement), additional_relations_in_words(first));
    let differs = deciding_fact_in_words(&facts);
    CaseFinding {
        title: format!("{name} has a different query plan than on the other side{reads}{differs}"),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_in(is_executing),
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same difference in latency with the same plan on both sides".to_owned(),
        confirm: confirm_plan(case, other, first, &facts),
        mend: None,
    }
}

/// With the settings that EXPLAIN says differently, if there are any: a plan can do that.
fn confirm_plan(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    unlike: &UnlikePlan<'_>,
    facts: &[UnlikeTableFact],
) -> Confirm {
    let settings = differing_settings(unlike.here, unlike.there);
    let names: Vec<&str> = settings.iter().map(|one| one.name.as_str()).collect();
    if names.is_empty() {
        return Confirm::repeat_unchanged(case, &remedy_for_plan(case, other, unlike, facts));
    }
    Confirm::with_settings_of_other(case, other, &names, &remedy_for_plan(case, other, unlike, facts))
}

/// What to do about it. What the catalogs or EXPLAIN say differently is made alike. ANALYZE helps only where statistics
/// are old, and what the planner expected did not come about.
fn remedy_for_plan(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    unlike: &UnlikePlan<'_>,
    facts: &[UnlikeTableFact],
) -> String {
    let settings = differing_settings(unlike.here, unlike.there);
    if settings.is_empty()
        && let Some(advice) = advice_of_facts(facts)
    {
        return format!(
            "make this side as the other one is ({advice}), run this plan, and compare: the query plan is that of the other side"
        );
    }
    let mut same = match settings.as_slice() {
        [] => vec!["same planner settings".to_owned()],
        differing => vec![format!("same planner settings: {}", settings_in_words(differing))],
    };
    same.push("same indexes".to_owned());
    let [here, there] = [unlike.here, unlike.there].map(relations_of_plan);
    if here.symmetric_difference(&there).next().is_some() {
        let counts = format!("{} here, {} on the other side", here.len(), there.len());
        same.push(format!("same tables and partitions: {counts}"));
    }
    same.push(maintenance_of_tables(case, other, unlike));
    format!(
        "make the planner choose the same plan on both sides ({}), run this plan, and compare. If the difference remains, the \
         plan follows from it: rows in another order on disk, pages that are not all-visible, or other values",
        same.join("; ")
    )
}

/// The maintenance of the tables that may give the planner what it lacks.
fn maintenance_of_tables(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, unlike: &UnlikePlan<'_>) -> String {
    if [unlike.here, unlike.there].iter().all(|plan| estimates_are_right(plan) == Some(true)) {
        return "VACUUM; the planner expects the rows that come, so ANALYZE changes nothing".to_owned();
    }
    match tables_with_old_statistics(case, other, unlike).as_slice() {
        [] => "VACUUM ANALYZE".to_owned(),
        stale => format!("ANALYZE {}", stale.join(", ")),
    }
}

/// The tables of the two plans that changed since their statistics were taken, on either side.
fn tables_with_old_statistics(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    unlike: &UnlikePlan<'_>,
) -> Vec<String> {
    let read = relations_of_plans([unlike.here, unlike.there]);
    let mut stale = Vec::new();
    for table in [case, other].into_iter().filter_map(|side| side.table_uses().ok()).flatten() {
        let is_read = read.iter().any(|relation| is_called(&table.sums.name, relation));
        if is_read && is_old(&table.sums).unwrap_or(false) && !stale.contains(&table.sums.name) {
            stale.push(table.sums.name.clone());
        }
    }
    stale
}

/// That it reads more tables and partitions than on the other side, for a title; empty where it does not. Which of them
/// has another index says less: they are read because the partitions are not pruned, or a join is not removed.
fn additional_relations_in_words(unlike: &UnlikePlan<'_>) -> String {
    match [unlike.here, unlike.there].map(|plan| relations_of_plan(plan).len()) {
        [here, there] if here > there => format!(" and reads {here} tables or partitions, there {there}"),
        _ => String::new(),
    }
}

/// The tables and partitions that a plan reads.
fn relations_of_plan(plan: &Plan) -> BTreeSet<&str> {
    nodes_of_plan(plan).into_iter().filter_map(|node| node.relation.as_deref()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn scan() -> Value {
        json!({ "node": "Seq Scan", "relation": "t", "filter": "(a = 1)", "rows": 1, "cost": 1790 })
    }

    fn by_index() -> Value {
        json!({ "node": "Index Scan", "relation": "t", "index": "t_pkey", "condition": "(a = 1)", "rows": 1, "cost": 8 })
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    #[test]
    fn another_plan_on_the_slower_side_is_found_with_both_and_where_they_part() {
        let scanning = |cell: Measurement| slow(cell).plans(vec![by_index(), scan()]);
        let found = Built::pair().with_first(|cell| cell.plans(vec![by_index(); 2])).with(scanning).finds(&RULE);
        assert_eq!(found.title, "t.sql line 3 has a different query plan than on the other side");
        let FigureAmount::Plans(plans) = &found.figures[2].amount else { panic!("{found:?}") };
        assert_eq!((plans.here.target.as_str(), plans.differs_at), ("new", 0));
        assert_eq!(plans.here.lines, ["Seq Scan on t: rows 1, cost 1790, filter (a = 1)"]);
    }

    #[test]
    fn the_same_plans_or_another_one_that_is_no_slower_are_fine() {
        let same = |cell: Measurement| cell.plans(vec![by_index()]);
        Built::pair().with_first(same).with(|cell| same(slow(cell))).is_fine_for(&RULE);
        Built::pair().with_first(same).with(|cell| cell.plans(vec![scan()])).is_fine_for(&RULE);
        Built::healthy().with(same).is_fine_for(&RULE);
    }

    #[test]
    fn another_plan_of_a_statement_that_takes_no_longer_is_no_cause() {
        let timed = |ms: [f64; 2]| {
            let cell = move |cell: Measurement| slow(cell).plans(vec![by_index(), scan()]).times(&ms);
            let as_it_was = |cell: Measurement| cell.plans(vec![by_index(); 2]).times(&[0.1, 0.1]);
            Built::pair().with_first(as_it_was).with(cell)
        };
        timed([0.1, 9.0]).finds(&RULE);
        timed([9.0, 0.1]).is_fine_for(&RULE);
    }

    #[test]
    fn plan_that_the_counters_refute_is_not_the_one_that_is_executed() {
        let scanned = |sequential: u64, by_index: u64| {
            let key = json!({ "name": "t_pkey", "definition": "CREATE INDEX t_pkey ON public.t USING btree (a)",
                              "valid": true, "scans": by_index, "entries": by_index });
            json!({ "name": "public.t", "live_rows": 9000, "sequential_scans": sequential, "sequential_rows": sequential,
                    "index_rows": by_index, "rows_changed": 0, "indexes": [key] })
        };
        let pair = |here: Value, there: Value| {
            let scanning = |cell: Measurement| slow(cell).plans(vec![scan()]).tables(vec![here.clone()]);
            let looking = |cell: Measurement| cell.plans(vec![by_index()]).tables(vec![there.clone()]);
            Built::pair().with_first(looking).with(scanning)
        };
        pair(scanned(48_000, 0), scanned(0, 48_000)).finds(&RULE);
        pair(scanned(6, 48_000), scanned(0, 48_000)).is_fine_for(&RULE);
        pair(scanned(48_000, 0), scanned(48_000, 0)).is_fine_for(&RULE);
    }

    #[test]
    fn definitions_that_differ_stand_beside_the_plans() {
        let with_policy = "LOGGED USING heap ENABLE ROW LEVEL SECURITY POLICY own USING ((a > 0))";
        let table = |definition: &str| {
            json!({ "name": "public.t", "live_rows": 9000, "sequential_scans": 0, "sequential_rows": 0, "index_rows": 48_000,
                    "rows_changed": 0, "attached": [], "made": [{ "definition": definition }] })
        };
        let scanning = |cell: Measurement| slow(cell).plans(vec![scan()]).tables(vec![table(with_policy)]);
        let looking = |cell: Measurement| cell.plans(vec![by_index()]).tables(vec![table("LOGGED USING heap")]);
        let found = Built::pair().with_first(looking).with(scanning).finds(&RULE);
        let said =
            figure("table of public.t (other side: LOGGED USING heap)", FigureAmount::Text(with_policy.to_owned()));
        assert!(found.figures.contains(&said), "{found:?}");
    }

    #[test]
    fn advice_names_the_settings_that_differ_and_statistics_only_where_the_rows_differ_from_the_expected_ones() {
        let pair = |here: Value, there: Value| {
            let scanning = |cell: Measurement| slow(cell).plans(vec![here]);
            Built::pair().with_first(|cell| cell.plans(vec![there])).with(scanning).finds(&RULE).confirm.expect
        };
        let executed = |mut node: Value, actual: u64| {
            node["actual_rows"] = json!(actual);
            node
        };
        let said = pair(executed(scan(), 1), executed(by_index(), 1));
        assert!(said.contains("ANALYZE changes nothing") && !said.contains("VACUUM ANALYZE"), "{said}");
        let said = pair(executed(scan(), 5000), executed(by_index(), 5000));
        assert!(said.contains("VACUUM ANALYZE"), "{said}");
        let mut limited = scan();
        limited["settings"] = json!({ "join_collapse_limit": "1" });
        let said = pair(limited, by_index());
        assert!(said.contains("same planner settings: join_collapse_limit = 1 (other side: default)"), "{said}");
    }

    #[test]
    fn partitions_that_are_not_pruned_are_counted_in_the_title() {
        let part = |n: u32| json!({ "node": "Seq Scan", "relation": format!("ev_{n}"), "rows": 9, "cost": 20 });
        let all = json!({ "node": "Append", "rows": 36, "cost": 80, "children": [part(1), part(2), part(3), part(4)] });
        let built = Built::pair().with_first(|cell| cell.plans(vec![part(2)])).with(|cell| slow(cell).plans(vec![all]));
        let title = built.finds(&RULE).title;
        assert_eq!(
            title,
            "t.sql line 2 has a different query plan than on the other side and reads 4 tables or partitions, there 1"
        );
    }

    #[test]
    fn without_plans_it_stays_open() {
        let built = Built::pair().with(Measurement::no_plans);
        assert_eq!(built.lacks(&RULE), "the plans of the statements: permission denied");
    }
}
