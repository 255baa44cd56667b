//! Where two plans of the same shape part in time: the node that takes longer by itself, and which of what is counted
//! of it differs.

use results::plans::{ExplainOutcome, NodeExecution, Plan, PlanNode, Plans, StatementPlans};

use super::case::{DiagnosisCase, MeasuredTrial};
use super::executed_plans::{executed_plan, nodes_beside, under_load_ms};
use super::missing::{MissingObservation, NOT_IN_FILES};
use super::plans::nodes_of_plan;
use super::spent::is_executing;

/// A node's own time counts as longer from this ratio on. Executions of the same plan one after the other vary by less,
/// and the fastest of several is kept.
pub(super) const TIMES: f64 = 1.5;

/// A mean transaction spends so much more in it, as a share of the other side's latency.
pub(super) const SHARE: f64 = 0.1;

/// Rows, pages and other counts within this ratio are the same.
const SAME: f64 = 1.2;

/// Counts of less than this beside none are nothing.
const FEW: f64 = 4.0;

/// A node that takes longer than the same node of another side's plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlowerNode<'a> {
    pub(super) statement: &'a StatementPlans,
    /// Its place among the nodes of the plan, from 0.
    pub(super) place: usize,
    /// The plans here and there.
    pub(super) plans: [&'a Plan; 2],
    /// The nodes here and there.
    pub(super) nodes: [&'a PlanNode; 2],
    /// What executing these took.
    pub(super) executions: [&'a NodeExecution; 2],
    /// Milliseconds more of a mean transaction.
    pub(super) more_ms: f64,
}

/// A statement whose rows take longer to be converted to messages than on another side.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlowerConversion<'a> {
    pub(super) statement: &'a StatementPlans,
    /// The conversion here and there.
    pub(super) converted: [Converted; 2],
    /// Milliseconds more of a mean transaction.
    pub(super) more_ms: f64,
}

/// The rows of a statement, converted to what is sent: output functions of types, values that are stored apart or
/// compressed, another encoding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Converted {
    pub(super) us: f64,
    pub(super) bytes: Option<u64>,
}

fn converted_rows(plan: &Plan) -> Option<Converted> {
    let execution = plan.execution.as_ref()?;
    Some(Converted { us: execution.serialization_us?, bytes: execution.serialized_bytes })
}

/// A count of a node that is another one on the other side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DifferingCount {
    pub(super) what: &'static str,
    pub(super) here: f64,
    pub(super) there: f64,
}

/// Pages of which a bitmap has no rows, so that each row of them is tested once more.
pub(super) const LOSSY_PAGES: &str = "lossy pages of the bitmap";

impl DifferingCount {
    fn log_ratio(&self) -> f64 {
        ((self.here + 1.0) / (self.there + 1.0)).ln().abs()
    }
}

impl SlowerNode<'_> {
    /// How many times as long it takes.
    pub(super) fn times_as_long(&self) -> f64 {
        self.executions[0].own_us / self.executions[1].own_us
    }

    /// What is counted of it and differs, the largest ratio first.
    pub(super) fn differing_counts(&self) -> Vec<DifferingCount> {
        let [here, there] = self.executions;
        let [node, other] = self.nodes;
        let counts = [
            ("heap fetches", here.heap_fetches.unwrap_or(0) as f64, there.heap_fetches.unwrap_or(0) as f64),
            ("rows removed by the filter", here.removed_by_filter, there.removed_by_filter),
            ("rows removed by the join filter", here.removed_by_join_filter, there.removed_by_join_filter),
            (LOSSY_PAGES, here.lossy_blocks as f64, there.lossy_blocks as f64),
            ("rows removed by the recheck", here.removed_by_recheck, there.removed_by_recheck),
            ("pages looked at", here.blocks.looked_at() as f64, there.blocks.looked_at() as f64),
            ("pages read into shared_buffers", here.blocks.read as f64, there.blocks.read as f64),
            ("pages of temporary files", temporary_pages(here), temporary_pages(there)),
            ("batches of the hash table", hash_batches(here), hash_batches(there)),
            ("executions", here.loops, there.loops),
            ("rows", rows_of_node(node, here), rows_of_node(other, there)),
            ("index searches", index_searches(here), index_searches(there)),
        ];
        let mut differing = Vec::new();
        for (what, here, there) in counts {
            if is_another(here, there) {
                differing.push(DifferingCount { what, here, there });
            }
        }
        if workers_launched(here) != workers_launched(there) {
            differing.push(DifferingCount {
                what: "workers launched",
                here: workers_launched(here),
                there: workers_launched(there),
            });
        }
        differing.sort_by(|one, other| other.log_ratio().total_cmp(&one.log_ratio()));
        differing
    }
}

fn rows_of_node(node: &PlanNode, of: &NodeExecution) -> f64 {
    node.actual_rows.map_or(0.0, |rows| rows * of.loops)
}

fn workers_launched(of: &NodeExecution) -> f64 {
    of.workers_launched.map_or(0.0, f64::from)
}

fn index_searches(of: &NodeExecution) -> f64 {
    of.index_searches.map_or(0.0, |searches| searches)
}

fn temporary_pages(of: &NodeExecution) -> f64 {
    (of.blocks.temp_read + of.blocks.temp_written) as f64
}

fn hash_batches(of: &NodeExecution) -> f64 {
    of.hash_batches.unwrap_or(0) as f64
}

fn is_another(here: f64, there: f64) -> bool {
    let (less, more) = (here.min(there), here.max(there));
    more - less >= FEW && more > SAME * less
}

impl<'a> DiagnosisCase<'a> {
    /// The nodes of plans of the same shape in which a mean transaction surely spends more time than on another side,
    /// those with the most first: each at least [`TIMES`] as long by EXPLAIN, whatever faster CPUs make of it.
    ///
    /// # Errors
    /// The plans of a side, or what executing them took, are not known.
    pub(super) fn slower_nodes(&self, other: &DiagnosisCase<'a>) -> Result<Vec<SlowerNode<'a>>, MissingObservation> {
        let (here, there) = (self.statement_plans()?, other.statement_plans()?);
        let least_ms = SHARE * other.latency_ms()?;
        let machine = ratio_of_planning(here, there).max(1.0);
        let (mut slower, mut is_known) = (Vec::new(), false);
        for statement in &here.statements {
            let same = there.statements.iter().find(|same| same.statement == statement.statement);
            let plans = same.and_then(|same| {
                let ours = executed_plan(statement, self.plan_cache_mode())?.plan;
                Some([ours, executed_plan(same, other.plan_cache_mode())?.plan])
            });
            let Some([ours, theirs]) = plans else { continue };
            for (place, nodes) in nodes_beside(ours, theirs).into_iter().enumerate() {
                let [Some(of_ours), Some(of_theirs)] = nodes.map(|node| node.execution.as_deref()) else { continue };
                is_known = true;
                let is_longer = of_theirs.own_us > 0.0 && of_ours.own_us >= TIMES * machine * of_theirs.own_us;
                let more_ms = self.more_than(other, |measured| self.own_ms_of_node(measured, statement, place));
                let more_ms = more_ms.map(|more| more.point).filter(|more| *more >= least_ms);
                let is_more =
                    self.is_surely_more_than(other, |measured| self.own_ms_of_node(measured, statement, place));
                let is_sure = is_longer && more_ms.is_some() && is_more == Some(true);
                if let Some(more_ms) = more_ms.filter(|_| is_sure) {
                    let executions = [of_ours, of_theirs];
                    slower.push(SlowerNode { statement, place, plans: [ours, theirs], nodes, executions, more_ms });
                }
            }
        }
        if !is_known && here.statements.iter().all(|statement| statement.prepared.is_none()) {
            return Err(MissingObservation::new("the time of the nodes of the plans", NOT_IN_FILES));
        }
        slower.sort_by(|one, other| other.more_ms.total_cmp(&one.more_ms));
        Ok(slower)
    }

    /// The statement whose rows surely take longer to be converted to messages than on another side, by the same
    /// measures as a node; none before PostgreSQL 17, which does not tell.
    pub(super) fn slower_conversion(
        &self,
        other: &DiagnosisCase<'a>,
    ) -> Result<Option<SlowerConversion<'a>>, MissingObservation> {
        let (here, there) = (self.statement_plans()?, other.statement_plans()?);
        let least_ms = SHARE * other.latency_ms()?;
        let machine = ratio_of_planning(here, there).max(1.0);
        let mut slowest: Option<SlowerConversion<'a>> = None;
        for statement in &here.statements {
            let same = there.statements.iter().find(|same| same.statement == statement.statement);
            let ours =
                executed_plan(statement, self.plan_cache_mode()).and_then(|executed| converted_rows(executed.plan));
            let theirs = same.and_then(|same| converted_rows(executed_plan(same, other.plan_cache_mode())?.plan));
            let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
            let Some(more) = self.more_than(other, |measured| self.conversion_ms(measured, statement)) else {
                continue;
            };
            let more_ms = more.point;
            let is_longer = theirs.us > 0.0 && ours.us >= TIMES * machine * theirs.us && more_ms >= least_ms;
            let is_most = slowest.as_ref().is_none_or(|slowest| more_ms > slowest.more_ms);
            let is_more = self.is_surely_more_than(other, |measured| self.conversion_ms(measured, statement));
            if is_longer && is_most && is_more == Some(true) {
                slowest = Some(SlowerConversion { statement, converted: [ours, theirs], more_ms });
            }
        }
        Ok(slowest)
    }

    /// Milliseconds of a mean transaction of a trial, of this side or another, that converting the rows of a statement
    /// takes.
    pub(super) fn conversion_ms(&self, measured: &MeasuredTrial<'_>, statement: &StatementPlans) -> Option<f64> {
        let side = self.side_of(measured)?;
        let plans = measured.watched.plans.as_ref()?;
        let same = plans.statements.iter().find(|same| same.statement == statement.statement)?;
        let us = converted_rows(executed_plan(same, side.plan_cache_mode())?.plan)?.us;
        let counted_ms = us * side.executions_per_transaction(measured, statement.statement)? / 1e3;
        Some(under_load_ms(measured, counted_ms, is_executing))
    }

    /// Milliseconds of a mean transaction of a trial, of this side or another, that a node of the plan of a statement
    /// takes by itself, with the wait for a CPU that goes with it; none where it was not executed, or the plan of that
    /// trial is another one.
    pub(super) fn own_ms_of_node(
        &self,
        measured: &MeasuredTrial<'_>,
        statement: &StatementPlans,
        place: usize,
    ) -> Option<f64> {
        let side = self.side_of(measured)?;
        let plans = measured.watched.plans.as_ref()?;
        let same = plans.statements.iter().find(|same| same.statement == statement.statement)?;
        let plan = executed_plan(same, side.plan_cache_mode())?.plan;
        if plan.shape != executed_plan(statement, self.plan_cache_mode())?.plan.shape {
            return None;
        }
        let own_us = nodes_of_plan(plan).get(place)?.execution.as_ref()?.own_us;
        let counted_ms = own_us * side.executions_per_transaction(measured, statement.statement)? / 1e3;
        Some(under_load_ms(measured, counted_ms, is_executing))
    }
}

/// How many times as long planning takes here, of the statement in which it is the least: a CPU that is slower makes
/// all of them longer. 1 where it is not known.
fn ratio_of_planning(here: &Plans, there: &Plans) -> f64 {
    let mut least: Option<f64> = None;
    for statement in &here.statements {
        let same = there.statements.iter().find(|same| same.statement == statement.statement);
        let Some(same) = same else { continue };
        if let [Some(ours), Some(theirs)] = [statement, same].map(planning_us)
            && theirs > 0.0
        {
            least = Some(least.map_or(ours / theirs, |least| least.min(ours / theirs)));
        }
    }
    least.unwrap_or(1.0)
}

/// Time of planning for the values drawn: that of a plan for any is the time to look at the one that is kept.
fn planning_us(statement: &StatementPlans) -> Option<f64> {
    match &statement.custom {
        ExplainOutcome::Plan(plan) => plan.planning.map(|planning| planning.us),
        ExplainOutcome::Gap { .. } => None,
    }
}
