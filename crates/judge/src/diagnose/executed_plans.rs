//! By which of its plans a statement is executed, whether it is planned each time, and what that takes of a mean
//! transaction, trial by trial: as EXPLAIN measured it when the load had ended.

use results::plans::{Plan, PlanNode, StatementPlans};
use results::workload::StatementNumber;

use super::case::{DiagnosisCase, MeasuredTrial};
use super::missing::MissingObservation;
use super::plans::nodes_of_plan;
use super::quantity::wait_per_cpu_ms;
use crate::budget::BudgetPart;

/// What the planner counts for planning for each relation of a statement and once more, when it compares plans for
/// these values with a plan for any (`cached_plan_cost` of PostgreSQL, with the default of `cpu_operator_cost`).
const PLANNING_COST: f64 = 1000.0 * 0.0025;

/// Costs that differ by less do not tell which of two plans is chosen: the server compares with the mean of five
/// executions.
const CLEARLY: f64 = 1.1;

/// The plan that a statement is executed by.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExecutedPlan<'a> {
    /// The plan.
    pub(super) plan: &'a Plan,
    /// Whether each execution is planned; none where it is not known.
    pub(super) is_planned_each_time: Option<bool>,
}

impl<'a> ExecutedPlan<'a> {
    fn by_generic(plan: &'a Plan) -> Self {
        Self { plan, is_planned_each_time: Some(false) }
    }

    fn by_custom(plan: &'a Plan) -> Self {
        Self { plan, is_planned_each_time: Some(true) }
    }
}

/// By which of its plans a statement is executed under a `plan_cache_mode`; none where no plan is known.
pub(super) fn executed_plan<'a>(statement: &'a StatementPlans, plan_cache_mode: &str) -> Option<ExecutedPlan<'a>> {
    let custom = statement.custom.known_plan();
    let Some(generic) = &statement.generic else {
        // Without parameters one plan serves all executions of what is prepared.
        let is_planned_each_time = statement.prepared.map(|prepared| !prepared);
        return custom.map(|plan| ExecutedPlan { plan, is_planned_each_time });
    };
    match (custom, generic.known_plan()) {
        (Some(custom), Some(generic)) => Some(match plan_cache_mode {
            "force_custom_plan" => ExecutedPlan::by_custom(custom),
            "force_generic_plan" => ExecutedPlan::by_generic(generic),
            _ => {
                let of_custom = custom.root.cost + PLANNING_COST * relations_of_plan(custom);
                let is_known = generic.root.cost.max(of_custom) > CLEARLY * generic.root.cost.min(of_custom);
                let chosen = if generic.root.cost < of_custom {
                    ExecutedPlan::by_generic(generic)
                } else {
                    ExecutedPlan::by_custom(custom)
                };
                ExecutedPlan { is_planned_each_time: chosen.is_planned_each_time.filter(|_| is_known), ..chosen }
            }
        }),
        (Some(plan), None) | (None, Some(plan)) => Some(ExecutedPlan { plan, is_planned_each_time: None }),
        (None, None) => None,
    }
}

/// The relations that a plan reads, and the statement itself.
fn relations_of_plan(plan: &Plan) -> f64 {
    nodes_of_plan(plan).into_iter().filter(|node| node.relation.is_some()).count() as f64 + 1.0
}

impl<'a> DiagnosisCase<'a> {
    /// The setting of its server that decides between the two plans of a prepared statement.
    pub(super) fn plan_cache_mode(&self) -> &'a str {
        self.server_setting("plan_cache_mode").map_or("auto", |setting| setting.value.as_str())
    }

    /// How often a mean transaction of a trial executes a statement. Where it was not timed, once if there is but one
    /// script, and none is known otherwise.
    pub(super) fn executions_per_transaction(
        &self,
        measured: &MeasuredTrial<'_>,
        number: StatementNumber,
    ) -> Option<f64> {
        let index = usize::try_from(number.0).ok()?;
        if let Some(timed) = &measured.watched.statement_latency {
            let executions = timed.statements.get(index)?.executions;
            return (measured.load.transactions > 0).then(|| executions as f64 / measured.load.transactions as f64);
        }
        let statements = &self.workload_statements()?.statements;
        let first = statements.first()?;
        statements.iter().all(|statement| statement.script == first.script).then_some(1.0)
    }

    /// The side that a trial is of: this one, or another in the same place.
    pub(super) fn side_of(&self, measured: &MeasuredTrial<'_>) -> Option<Self> {
        let target = &measured.trial.cell.target;
        if self.cell().target == *target {
            return Some(*self);
        }
        self.other_sides().into_iter().find(|other| other.cell().target == *target)
    }

    /// Milliseconds of a mean transaction of a trial, of this side or another, that planning takes by itself.
    pub(super) fn planning_ms(&self, measured: &MeasuredTrial<'_>) -> Option<f64> {
        self.side_of(measured)?.planning_ms_of_trial(measured)
    }

    /// The same under load: with the wait for a CPU that goes with it.
    pub(super) fn planning_ms_under_load(&self, measured: &MeasuredTrial<'_>) -> Option<f64> {
        Some(under_load_ms(measured, self.planning_ms(measured)?, is_on_cpu))
    }

    /// Milliseconds of a mean transaction that planning takes in one of its trials. Statements of which it is not known
    /// whether they are planned each time count nothing; none where no planning is known.
    fn planning_ms_of_trial(&self, measured: &MeasuredTrial<'_>) -> Option<f64> {
        let plans = measured.watched.plans.as_ref()?;
        let (mut all_ms, mut is_known) = (0.0, false);
        for statement in &plans.statements {
            let Some(executed) = executed_plan(statement, self.plan_cache_mode()) else { continue };
            let planned_us = match (executed.is_planned_each_time, executed.plan.planning) {
                (Some(true), Some(planning)) => planning.us,
                (Some(false), _) => 0.0,
                (None, _) if statement.prepared.is_some() => 0.0,
                (Some(true), None) | (None, _) => continue,
            };
            let Some(executions) = self.executions_per_transaction(measured, statement.statement) else { continue };
            all_ms += planned_us * executions / 1e3;
            is_known = true;
        }
        is_known.then_some(all_ms)
    }

    /// Why it is not known how long planning takes.
    pub(super) fn planning_is_unknown(&self) -> MissingObservation {
        let why = match self.statement_plans() {
            Err(missing) => return missing,
            Ok(_) => "the files of the run do not contain it, or the clients did not time the statements",
        };
        MissingObservation::new("the planning time of the statements", why)
    }
}

/// Time of a mean transaction of a trial that was counted on a server without load, as long as it takes under load:
/// waiting for a CPU goes with the time on one. No more than the trial's budget has in such parts.
pub(super) fn under_load_ms(measured: &MeasuredTrial<'_>, counted_ms: f64, is: fn(&BudgetPart) -> bool) -> f64 {
    let Some(budget) = &measured.budget else { return counted_ms };
    let all_ms: f64 = budget.iter().filter(|(part, _)| is(part)).map(|(_, ms)| ms).sum();
    let with_wait_ms = match wait_per_cpu_ms(budget) {
        Some(wait_ms) => counted_ms * (1.0 + wait_ms),
        None => counted_ms,
    };
    with_wait_ms.min(all_ms)
}

/// Whether a part of the budget is time on a CPU or waiting for one.
pub(super) fn is_on_cpu(part: &BudgetPart) -> bool {
    matches!(part, BudgetPart::Running | BudgetPart::WaitingForCpu | BudgetPart::OnCpu)
}

/// Nodes of two plans of the same shape, each beside the one that is in its place.
pub(super) fn nodes_beside<'a>(here: &'a Plan, there: &'a Plan) -> Vec<[&'a PlanNode; 2]> {
    if here.shape != there.shape {
        return Vec::new();
    }
    nodes_of_plan(here).into_iter().zip(nodes_of_plan(there)).map(|(ours, theirs)| [ours, theirs]).collect()
}

#[cfg(test)]
mod tests {
    use results::plans::ExplainOutcome;

    use super::*;

    fn plan(cost: f64) -> ExplainOutcome {
        let node =
            PlanNode { node: "Index Scan".to_owned(), relation: Some("t".to_owned()), cost, ..PlanNode::default() };
        ExplainOutcome::Plan(Box::new(Plan { root: node, ..Plan::default() }))
    }

    fn statement(custom: f64, generic: Option<f64>, prepared: Option<bool>) -> StatementPlans {
        StatementPlans { statement: StatementNumber(0), custom: plan(custom), generic: generic.map(plan), prepared }
    }

    #[test]
    fn what_is_not_prepared_is_planned_each_time_and_what_has_no_parameters_is_planned_once() {
        let check = |prepared: Option<bool>, expected: Option<bool>| {
            let statement = statement(1.0, None, prepared);
            assert_eq!(executed_plan(&statement, "auto").unwrap().is_planned_each_time, expected, "{prepared:?}");
        };
        check(Some(false), Some(true));
        check(Some(true), Some(false));
        check(None, None);
    }

    #[test]
    fn a_prepared_statement_is_planned_each_time_where_its_plan_for_any_values_costs_more_than_planning() {
        let check = |mode: &str, [custom, generic]: [f64; 2], expected: bool| {
            let statement = statement(custom, Some(generic), Some(true));
            let executed = executed_plan(&statement, mode).unwrap();
            assert_eq!(executed.is_planned_each_time, Some(expected), "{mode} {custom} {generic}");
            assert_eq!(executed.plan.root.cost, if expected { custom } else { generic });
        };
        check("auto", [8.0, 8.0], false);
        check("auto", [8.0, 11.0], false);
        check("auto", [8.0, 500.0], true);
        check("force_generic_plan", [8.0, 500.0], false);
        check("force_custom_plan", [8.0, 8.0], true);
        let tie = executed_plan(&statement(2096.0, Some(2104.0), Some(true)), "auto").unwrap().is_planned_each_time;
        assert_eq!(tie, None, "the mean of five may be either");
    }
}
