//! How often a statement is planned and executed for its figures, and which of them are kept.

use std::time::Duration;

use results::plans::Plan;
use tokio::time::Instant;

/// So often, as long as there is time: one of three is neither the first nor disturbed.
const AT_LEAST: u32 = 3;

/// And so often where that takes no time to speak of.
const AT_MOST: u32 = 20;

/// The time that does not matter.
const SHORT: Duration = Duration::from_millis(100);

/// The repetitions of one statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Repetitions {
    began: Instant,
    /// The end of its share of the time.
    until: Instant,
}

impl Repetitions {
    /// Begins those of one of so many plans that are left until an instant.
    pub(super) fn of_share(until: Instant, plans_left: usize) -> Self {
        let began = Instant::now();
        let plans = u32::try_from(plans_left.max(1)).unwrap_or(u32::MAX);
        Self { began, until: began + until.saturating_duration_since(began) / plans }
    }

    /// Whether the statement is to be asked about once more.
    pub(super) fn are_worth_another(self, plan: &Plan) -> bool {
        let done = match (&plan.execution, plan.planning) {
            (Some(execution), _) => execution.executed,
            (None, Some(planning)) => planning.asked,
            (None, None) => return false,
        };
        let now = Instant::now();
        now < self.until && (done < AT_LEAST || done < AT_MOST && now < self.began + SHORT)
    }
}

/// Enters what was answered once more: the fastest planning, and the fastest execution with all of its nodes.
pub(super) fn keep_fastest(plan: &mut Plan, again: Plan) {
    if let (Some(best), Some(of_again)) = (&mut plan.planning, again.planning) {
        let (asked, first_blocks) = (best.asked + of_again.asked, best.first_blocks);
        if of_again.us < best.us {
            *best = of_again;
        }
        best.asked = asked;
        best.first_blocks = first_blocks;
    }
    let Some(mut execution) = again.execution else { return };
    let before = plan.execution.as_ref();
    execution.executed += before.map_or(0, |before| before.executed);
    let is_fastest = before.is_none_or(|before| execution.us < before.us);
    match &mut plan.execution {
        Some(before) if !is_fastest => before.executed = execution.executed,
        Some(_) | None => {
            plan.execution = Some(execution);
            plan.root = again.root;
            plan.jit = again.jit;
            plan.shape = again.shape;
        }
    }
}

#[cfg(test)]
mod tests {
    use results::plans::{PlanExecution, PlanNode, PlanningFigures};

    use super::*;

    fn answer(planning_us: f64, execution_us: Option<f64>) -> Plan {
        let execution = execution_us.map(|us| PlanExecution { us, executed: 1, ..PlanExecution::default() });
        let root = PlanNode { node: "Result".to_owned(), actual_rows: execution_us, ..PlanNode::default() };
        let planning = Some(PlanningFigures { us: planning_us, asked: 1, ..PlanningFigures::default() });
        Plan { shape: "0".to_owned(), root, planning, execution, ..Plan::default() }
    }

    #[test]
    fn the_fastest_planning_and_the_fastest_execution_are_kept_with_how_often_there_were_any() {
        let mut plan = answer(90.0, None);
        for again in [answer(30.0, Some(500.0)), answer(10.0, Some(200.0)), answer(20.0, Some(300.0))] {
            keep_fastest(&mut plan, again);
        }
        let (planning, execution) = (plan.planning.unwrap(), plan.execution.unwrap());
        assert_eq!((planning.us, planning.asked), (10.0, 4));
        assert_eq!((execution.us, execution.executed, plan.root.actual_rows), (200.0, 3, Some(200.0)));
    }

    #[test]
    fn a_statement_is_executed_thrice_and_more_often_while_that_takes_no_time() {
        let executed = |executed: u32| {
            let execution = Some(PlanExecution { executed, ..PlanExecution::default() });
            Plan { execution, ..Plan::default() }
        };
        let now = Instant::now();
        let short = Repetitions { began: now, until: now + Duration::from_secs(60) };
        assert!(short.are_worth_another(&executed(19)) && !short.are_worth_another(&executed(20)));
        let long = Repetitions { began: now - Duration::from_secs(1), ..short };
        assert!(long.are_worth_another(&executed(2)) && !long.are_worth_another(&executed(3)));
        let over = Repetitions { began: now, until: now };
        assert!(!over.are_worth_another(&executed(1)));
        assert!(!short.are_worth_another(&Plan::default()), "nothing is known of it");
    }
}
