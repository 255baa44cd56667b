//! `planning-time`: planning the statements takes more of a mean transaction than on another side.

use results::plans::{Plan, PlanningFigures, StatementPlans};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::catalog::deciding_fact_in_words;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::differing_tables::{differing_definitions, differing_indexes, figure_of_settings};
use crate::diagnose::executed_plans::{executed_plan, is_on_cpu};
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::plans::nodes_of_plan;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::units;
use crate::unlike_tables::BearsOn;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "planning-time",
        group: CodeGroup::Plans,
        detects: "Planning the statements takes more time of each transaction than on the other side.",
        reported_if: "Planning the statements that are planned at each execution takes longer than on another side beyond chance, \
                as EXPLAIN measures it. Statements that are not prepared are planned at each execution; so are prepared \
                statements whose custom query plan is cheaper than the generic one.",
        thresholds: &[
            RuleThreshold::at_least(
                "additional planning time, relative to the other side's latency",
                SHARE,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("planning time, relative to the other side", TIMES, ThresholdUnit::Times),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The planner reads the statistics and the indexes of all tables of a statement and compares ways to join them. Its time grows with \
              the statistics targets (more most common values), the indexes, the partitions, and with join_collapse_limit, \
              from_collapse_limit and geqo_threshold. For short statements it exceeds the execution time.",
        evidence: "Planning time of the statements on both sides, pages and memory that planning used, and what differs of the settings, tables and indexes.",
        fix: "Remove what makes planning longer: unused indexes, high statistics targets, partitions, high limits for joins. Or prepare the statements.",
        confirm: "Remove the difference, or use prepared statements, and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Figure { name: "planning time per transaction", unit: QuantityUnit::Ms, of: planning_ms },
    look: look_for_planning_time,
};

/// From this share of the other side's latency on it asks for a reason: the fastest of several plannings varies by
/// less.
const SHARE: f64 = 0.05;

/// From this ratio on: caches of CPUs that are warmer by chance make less of a difference.
const TIMES: f64 = 1.2;

/// Pages, bytes and nodes within this ratio are the same.
const SAME: f64 = 1.2;

/// The mean over the trials of a case.
fn planning_ms(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.mean_over_trials(|measured| case.planning_ms(measured)).ok_or_else(|| case.planning_is_unknown())
}

fn look_for_planning_time(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        if !is_longer(case, other)? {
            return Ok(None);
        }
        let ms = [planning_ms(case)?, planning_ms(other)?];
        Ok(most_longer(case, other).map(|most| found_planning(case, other, ms, &most)))
    })
}

fn is_longer(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> Result<bool, MissingObservation> {
    let (here_ms, there_ms) = (planning_ms(case)?, planning_ms(other)?);
    let more = case.more_than(other, |measured| case.planning_ms_under_load(measured));
    let is_sure = case.is_surely_more_than(other, |measured| case.planning_ms(measured));
    let (Some(more), Some(is_sure)) = (more, is_sure) else {
        return Err(MissingObservation::new("the additional planning time", "it requires the plans of two blocks"));
    };
    Ok(is_sure && here_ms >= TIMES * there_ms && more.point >= SHARE * other.latency_ms()?)
}

/// A statement that is planned at each execution on this side, its plans here and there.
struct PlannedStatement<'a> {
    statement: &'a StatementPlans,
    plans: [&'a Plan; 2],
    planning: [PlanningFigures; 2],
    /// Whether it is planned at each execution on the other side, too.
    is_planned_there: bool,
}

/// The one whose planning takes the most more than on the other side.
fn most_longer<'a>(case: &DiagnosisCase<'a>, other: &DiagnosisCase<'a>) -> Option<PlannedStatement<'a>> {
    let (here, there) = (case.statement_plans().ok()?, other.statement_plans().ok()?);
    let mut most: Option<PlannedStatement<'a>> = None;
    for statement in &here.statements {
        let Some(same) = there.statements.iter().find(|same| same.statement == statement.statement) else { continue };
        let Some(ours) = executed_plan(statement, case.plan_cache_mode()) else { continue };
        let Some(theirs) = executed_plan(same, other.plan_cache_mode()) else { continue };
        let (Some(of_ours), Some(of_theirs)) = (ours.plan.planning, theirs.plan.planning) else { continue };
        let more_us = of_ours.us - of_theirs.us;
        let is_most = most.as_ref().is_none_or(|most| more_us > most.planning[0].us - most.planning[1].us);
        let (Some(true), Some(is_planned_there)) = (ours.is_planned_each_time, theirs.is_planned_each_time) else {
            continue;
        };
        if is_most {
            let (plans, planning) = ([ours.plan, theirs.plan], [of_ours, of_theirs]);
            most = Some(PlannedStatement { statement, plans, planning, is_planned_there });
        }
    }
    most
}

fn found_planning(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    [here_ms, there_ms]: [f64; 2],
    most: &PlannedStatement<'_>,
) -> CaseFinding {
    let facts = case.unlike_facts_of_plans(other, most.plans, &[BearsOn::Planning, BearsOn::Plans]);
    let differs = deciding_fact_in_words(&facts);
    CaseFinding {
        title: format!(
            "planning takes {} of each transaction (other side: {}){}{differs}",
            units::format_milliseconds(here_ms),
            units::format_milliseconds(there_ms),
            unlike_plan_cache_modes(case, other, most),
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_counted(|measured| case.planning_ms_under_load(measured), is_on_cpu),
        figures: figures_of_planning(case, other, [here_ms, there_ms], most),
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same difference in latency with prepared statements and a generic plan \
                         (plan_cache_mode = force_generic_plan)"
            .to_owned(),
        confirm: Confirm::repeat_unchanged(case, &remedy_of_causes(&causes_of_planning(case, other, most))),
        mend: None,
    }
}

/// Which executions are planned anew is decided by `plan_cache_mode`: where it differs, it is the cause.
fn unlike_plan_cache_modes(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, most: &PlannedStatement<'_>) -> String {
    let [here, there] = [case, other].map(DiagnosisCase::plan_cache_mode);
    if here == there || most.is_planned_there {
        return String::new();
    }
    format!(": plan_cache_mode is {here}, and {there} there")
}

/// What is known to differ of that by which planning takes its time.
fn causes_of_planning(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, most: &PlannedStatement<'_>) -> Vec<String> {
    let [here, there] = most.plans;
    let mut causes = Vec::new();
    if !most.is_planned_there {
        causes.push(
            "find why the generic plan, which the other side keeps, costs more here (plan_cache_mode)".to_owned(),
        );
    }
    if figure_of_settings(here, there).is_some() {
        causes.push("set the planner settings as on the other side".to_owned());
    }
    for table in differing_indexes(case, other, most.plans) {
        causes.push(format!("drop the indexes that no statement needs ({table})"));
    }
    if !differing_definitions(case, other, most.plans).is_empty() {
        causes.push("define the tables and their statistics targets as on the other side".to_owned());
    }
    if is_more(relations_of_plan(here), relations_of_plan(there)) {
        causes.push("make fewer partitions, or state a condition by which the planner leaves them out".to_owned());
    }
    causes
}

fn remedy_of_causes(causes: &[String]) -> String {
    let what = match causes {
        [] => "compare what planning goes by: statistics targets (pg_attribute.attstattarget, default_statistics_target), indexes, \
               partitions, join_collapse_limit, from_collapse_limit, geqo"
            .to_owned(),
        causes => causes.join("; "),
    };
    format!(
        "{what}. Or prepare the statements. Run this plan, and compare: planning takes as long as on the other side"
    )
}

/// Tables and partitions that a plan reads.
fn relations_of_plan(plan: &Plan) -> f64 {
    nodes_of_plan(plan).into_iter().filter(|node| node.relation.is_some()).count() as f64
}

fn is_more(here: f64, there: f64) -> bool {
    here > SAME * there
}

fn figures_of_planning(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    [here_ms, there_ms]: [f64; 2],
    most: &PlannedStatement<'_>,
) -> Vec<EvidenceFigure> {
    let there = &other.cell().target;
    let mut figures = vec![
        figure("planning time per transaction", FigureAmount::Ms(here_ms)),
        figure(format!("planning time per transaction on {there}"), FigureAmount::Ms(there_ms)),
    ];
    if let (Ok(latency_ms), Ok(latency_there_ms)) = (case.latency_ms(), other.latency_ms()) {
        figures.push(figure("share of planning in the latency", FigureAmount::Share((here_ms / latency_ms).min(1.0))));
        let share = (here_ms - there_ms) / (latency_ms - latency_there_ms);
        if latency_ms > latency_there_ms {
            figures.push(figure(SHARE_OF_CHANGE, FigureAmount::Share(share.clamp(0.0, 1.0))));
        }
    }
    let (name, [ours, theirs]) = (case.name_of(most.statement), most.planning);
    figures.push(figure(format!("planning time of {name}"), FigureAmount::Ms(ours.us / 1e3)));
    figures.push(figure(format!("planning time of {name} on {there}"), FigureAmount::Ms(theirs.us / 1e3)));
    let pages = [ours, theirs].map(|planning| planning.first_blocks.looked_at() as f64);
    let memory = [ours, theirs].map(|planning| planning.memory_bytes.unwrap_or(0) as f64);
    let relations = most.plans.map(relations_of_plan);
    for (what, [here, beside], amount) in [
        ("catalog pages that planning looks at first", pages, FigureAmount::Count as fn(f64) -> FigureAmount),
        ("memory that planning uses", memory, FigureAmount::Bytes),
        ("tables and partitions of the plan", relations, FigureAmount::Count),
    ] {
        if is_more(here, beside) || is_more(beside, here) {
            figures.push(figure(what, amount(here)));
            figures.push(figure(format!("{what} on {there}"), amount(beside)));
        }
    }
    let [here, beside] = most.plans;
    figures.extend(figure_of_settings(here, beside));
    let indexes = differing_indexes(case, other, most.plans);
    if !indexes.is_empty() {
        figures.push(figure("indexes of the tables", FigureAmount::Text(indexes.join(", "))));
    }
    figures.extend(differing_definitions(case, other, most.plans));
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Planned at each execution, in so many microseconds.
    fn planned(cell: Measurement, us: f64, prepared: bool) -> Measurement {
        let scan: Value = json!({ "node": "Index Scan", "relation": "t", "index": "t_pkey", "rows": 1, "cost": 8,
                                  "planning": { "us": us, "asked": 20 }, "prepared": prepared });
        cell.plans(vec![scan])
    }

    /// A fifth of the throughput, all of whose time is spent in the server.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    fn pair(us: [f64; 2], prepared: bool) -> Built {
        let of = move |cell: Measurement| planned(slow(cell), us[0], prepared);
        Built::pair().with_first(move |cell| planned(cell, us[1], prepared)).with(of)
    }

    #[test]
    fn planning_that_takes_longer_is_found_with_its_time_and_its_statement() {
        let found = pair([3200.0, 90.0], false).finds(&RULE);
        assert_eq!(found.title, "planning takes 3.20 ms of each transaction (other side: 90.0 µs)");
        assert!(found.figures.contains(&figure("planning time of t.sql line 2", FigureAmount::Ms(3.2))), "{found:?}");
        assert!(found.confirm.expect.contains("statistics targets"), "{found:?}");
        let explained = &pair([3200.0, 90.0], false).diagnosis().explained[0];
        assert!(explained.by.iter().any(|by| by.rule.code.name == "planning-time"), "{explained:?}");
    }

    #[test]
    fn setting_by_which_only_one_side_plans_each_execution_is_named() {
        let scan = |cost: f64, us: f64| {
            json!({ "node": "Index Scan", "relation": "t", "index": "t_pkey", "rows": 1, "cost": cost,
                    "planning": { "us": us, "asked": 20 } })
        };
        let both = json!({ "custom": scan(8.0, 3200.0), "generic": scan(8.0, 10.0), "prepared": true });
        let of = move |cell: Measurement| slow(cell).plans(vec![both.clone()]);
        let of_other = of.clone();
        let built = Built::pair().with_first(move |cell| of_other(cell).throughput(4000.0)).with(of);
        let found = built.setting("plan_cache_mode", "force_custom_plan").look(&RULE);
        assert!(format!("{found:?}").contains(": plan_cache_mode is force_custom_plan, and auto there"), "{found:?}");
    }

    #[test]
    fn planning_that_takes_as_long_or_is_not_repeated_is_fine() {
        pair([100.0, 90.0], false).is_fine_for(&RULE);
        pair([130.0, 90.0], false).is_fine_for(&RULE);
        pair([3200.0, 90.0], true).is_fine_for(&RULE);
        pair([90.0, 3200.0], false).is_fine_for(&RULE);
        Built::healthy().with(|cell| planned(slow(cell), 3200.0, false)).is_fine_for(&RULE);
    }

    #[test]
    fn without_planning_times_it_stays_open() {
        let old =
            |cell: Measurement| cell.plans(vec![json!({ "node": "Result", "rows": 1, "cost": 1, "prepared": null })]);
        let lacks = Built::pair().with_first(old).with(old).lacks(&RULE);
        assert!(lacks.starts_with("the planning time of the statements: the files of the run"), "{lacks}");
    }
}
