//! An upgrade that was rehearsed: which captured statements the newer version plans otherwise, in each state of the
//! planner statistics, and what else differs. Judges from observations only: no files, no clock.

mod checklist;

use results::plans::{ExplainOutcome, Plan, PlanNode, Plans, StatementPlans};
use results::rehearsal::{PlannedState, RehearsedTarget, StatisticsState, UpgradeStep};
use results::workload::{StatementNumber, WorkloadStatements};

use crate::captured::{FingerprintedStatement, captured_statements};
use crate::diagnose::{PlansBeside, name_of_node, plans_side_by_side};
use crate::observed::Observed;

pub use checklist::{ChecklistEntry, ChecklistSubject};

/// What the upgrade to the version of one candidate would change.
#[derive(Debug, Clone, PartialEq)]
pub struct UpgradeRehearsal {
    /// The target with the version of today.
    pub baseline: String,
    /// The target with the version to upgrade to.
    pub candidate: String,
    /// The major version of today.
    pub from: u32,
    /// The major version to upgrade to.
    pub to: u32,
    /// The steps of the candidate, with their durations.
    pub steps: Vec<UpgradeStep>,
    /// Why pg_upgrade was not executed, or not in each of its ways.
    pub pg_upgrade_gap: Option<String>,
    /// The states of the statistics in which the candidate was asked.
    pub states: Vec<StatisticsState>,
    /// The statements that some state plans otherwise or rejects, those with the most captured time first.
    pub statements: Vec<RehearsedStatement>,
    /// Statements with a plan on both sides, statistics analyzed.
    pub compared: usize,
    /// Statements without one, such as those on temporary tables.
    pub not_compared: usize,
    /// What a person has to look at.
    pub checklist: Vec<ChecklistEntry>,
    /// Why plans or statistics are not complete.
    pub remarks: Vec<String>,
}

/// A captured statement.
#[derive(Debug, Clone, PartialEq)]
pub struct RehearsedStatement {
    /// The workload.
    pub workload: String,
    /// Its fingerprint in the capture.
    pub fingerprint: String,
    /// Its text.
    pub text: String,
    /// How often it was captured.
    pub calls: u64,
    /// The server's time for these calls in the capture, in microseconds; 0 where the source does not say it.
    pub busy_us: u64,
    /// Its share of the captured time, 0 to 1; absent where the source has no times.
    pub share: Option<f64>,
    /// What becomes of its plan in each state.
    pub states: Vec<(StatisticsState, PlanStanding)>,
    /// Both plans where one changed: with the statistics analyzed if that one did.
    pub plans: Option<(StatisticsState, PlansBeside)>,
}

/// A plan of the candidate beside that of the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanStanding {
    /// They have the same shape.
    Same,
    /// They differ: the first nodes that do, in words.
    Changed {
        /// On the baseline.
        from: String,
        /// On the candidate.
        to: String,
    },
    /// The candidate rejects a statement that the baseline plans: its message.
    Rejected(String),
    /// The baseline has no plan of it.
    NotKnown,
}

/// Of every candidate that was rehearsed.
pub fn rehearsals_of_run(observed: &Observed) -> Vec<UpgradeRehearsal> {
    let (Some(rehearsal), Some(plan)) = (&observed.rehearsal, &observed.plan) else { return Vec::new() };
    let Some(baseline) = rehearsal.targets.iter().find(|target| target.target == plan.baseline) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for candidate in rehearsal.targets.iter().filter(|target| target.target != plan.baseline) {
        all.push(rehearsal_of_pair(observed, baseline, candidate));
    }
    all
}

fn rehearsal_of_pair(observed: &Observed, baseline: &RehearsedTarget, candidate: &RehearsedTarget) -> UpgradeRehearsal {
    let mut states: Vec<StatisticsState> = candidate.states.iter().map(|state| state.statistics).collect();
    states.sort_unstable();
    states.dedup();
    let mut rehearsed = UpgradeRehearsal {
        baseline: baseline.target.clone(),
        candidate: candidate.target.clone(),
        from: baseline.version_num / 10_000,
        to: candidate.version_num / 10_000,
        steps: candidate.steps.clone(),
        pg_upgrade_gap: candidate.pg_upgrade_gap.clone(),
        states,
        statements: Vec::new(),
        compared: 0,
        not_compared: 0,
        checklist: checklist::checklist_of_pair(baseline, candidate),
        remarks: remarks_of_states(&candidate.states),
    };
    for of_baseline in &baseline.states {
        let Some(workload) = observed.workloads.get(&of_baseline.workload) else { continue };
        add_workload(&mut rehearsed, workload, &of_baseline.plans, candidate);
    }
    rehearsed.statements.sort_by_key(|statement| std::cmp::Reverse((statement.busy_us, statement.calls)));
    rehearsed
}

fn remarks_of_states(states: &[PlannedState]) -> Vec<String> {
    let mut remarks = Vec::new();
    for state in states {
        for remark in [&state.remark, &state.plans.gap].into_iter().flatten() {
            if !remarks.contains(remark) {
                remarks.push(remark.clone());
            }
        }
    }
    remarks
}

/// Adds the statements of a workload, each once whatever transactions it stands in.
fn add_workload(
    rehearsed: &mut UpgradeRehearsal,
    workload: &WorkloadStatements,
    of_baseline: &Plans,
    candidate: &RehearsedTarget,
) {
    let statements = captured_statements(workload);
    let all_us: u64 = statements.iter().map(busy_us).sum();
    for statement in &statements {
        let Some(first) = statement.places.first() else { continue };
        let mut one = RehearsedStatement {
            workload: workload.workload.clone(),
            fingerprint: statement.fingerprint.to_owned(),
            text: workload.statements[first.number].text.clone(),
            calls: statement.places.iter().map(|place| place.calls).sum(),
            busy_us: busy_us(statement),
            share: if all_us == 0 { None } else { Some(busy_us(statement) as f64 / all_us as f64) },
            states: Vec::new(),
            plans: None,
        };
        for state in candidate.states.iter().filter(|state| state.workload == workload.workload) {
            let (standing, plans) = standing_of_statement(statement, of_baseline, &state.plans);
            if let Some(plans) = plans
                && (one.plans.is_none() || state.statistics == StatisticsState::Analyzed)
            {
                let sides = [(rehearsed.baseline.as_str(), plans[0]), (rehearsed.candidate.as_str(), plans[1])];
                one.plans = Some((state.statistics, plans_side_by_side(sides[0], sides[1])));
            }
            one.states.push((state.statistics, standing));
        }
        match one.states.iter().find(|(state, _)| *state == StatisticsState::Analyzed) {
            Some((_, PlanStanding::Same | PlanStanding::Changed { .. })) => rehearsed.compared += 1,
            Some((_, PlanStanding::Rejected(_))) => {}
            Some((_, PlanStanding::NotKnown)) | None => rehearsed.not_compared += 1,
        }
        if one.states.iter().any(|(_, standing)| standing.is_remarkable()) {
            rehearsed.statements.push(one);
        }
    }
}

fn busy_us(statement: &FingerprintedStatement<'_>) -> u64 {
    statement.places.iter().map(|place| place.busy_us).sum()
}

impl PlanStanding {
    /// Whether a person has to look at it.
    pub fn is_remarkable(&self) -> bool {
        match self {
            Self::Changed { .. } | Self::Rejected(_) => true,
            Self::Same | Self::NotKnown => false,
        }
    }
}

/// The worst over all places of a statement, with both plans where they differ.
fn standing_of_statement<'p>(
    statement: &FingerprintedStatement<'_>,
    of_baseline: &'p Plans,
    of_candidate: &'p Plans,
) -> (PlanStanding, Option<[&'p Plan; 2]>) {
    let mut found = PlanStanding::NotKnown;
    for place in &statement.places {
        let sides = [of_baseline, of_candidate].map(|plans| plans_of_statement(plans, place.number));
        let [Some(before), Some(after)] = sides else { continue };
        let Some(planned) = before.known_plan() else { continue };
        let Some(now) = same_kind_of_plan(before, after) else {
            return (PlanStanding::Rejected(gap_of_statement(after)), None);
        };
        if planned.shape != now.shape {
            let [from, to] = first_differing_nodes(&planned.root, &now.root).map(name_of_node);
            return (PlanStanding::Changed { from, to }, Some([planned, now]));
        }
        found = PlanStanding::Same;
    }
    (found, None)
}

fn plans_of_statement(plans: &Plans, number: usize) -> Option<&StatementPlans> {
    plans.statements.iter().find(|one| one.statement == StatementNumber(number as u32))
}

/// The plan of the candidate that belongs to the one of the baseline which [`known_plan`] takes.
fn same_kind_of_plan<'p>(before: &StatementPlans, after: &'p StatementPlans) -> Option<&'p Plan> {
    match before.custom.known_plan() {
        Some(_) => after.custom.known_plan(),
        None => after.generic.as_ref().and_then(ExplainOutcome::known_plan),
    }
}

fn gap_of_statement(statement: &StatementPlans) -> String {
    let outcomes = [Some(&statement.custom), statement.generic.as_ref()];
    for outcome in outcomes.into_iter().flatten() {
        match outcome {
            ExplainOutcome::Gap { gap } => return gap.clone(),
            ExplainOutcome::Plan(_) => {}
        }
    }
    String::new()
}

/// The first nodes, from the top, that do other things; the topmost ones where only the numbers of nodes differ.
fn first_differing_nodes<'p>(before: &'p PlanNode, now: &'p PlanNode) -> [&'p PlanNode; 2] {
    find_differing_nodes(before, now).unwrap_or([before, now])
}

fn find_differing_nodes<'p>(before: &'p PlanNode, now: &'p PlanNode) -> Option<[&'p PlanNode; 2]> {
    if name_of_node(before) != name_of_node(now) || before.children.len() != now.children.len() {
        return Some([before, now]);
    }
    for (before, now) in before.children.iter().zip(&now.children) {
        if let Some(found) = find_differing_nodes(before, now) {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, index: Option<&str>, children: Vec<PlanNode>) -> PlanNode {
        let relation = if children.is_empty() { Some("t".to_owned()) } else { None };
        PlanNode { node: name.to_owned(), index: index.map(str::to_owned), relation, children, ..PlanNode::default() }
    }

    fn planned(root: PlanNode, shape: &str) -> ExplainOutcome {
        ExplainOutcome::Plan(Box::new(Plan { shape: shape.to_owned(), root, ..Plan::default() }))
    }

    fn plans(custom: ExplainOutcome, generic: Option<ExplainOutcome>) -> Plans {
        let statement = StatementPlans { statement: StatementNumber(0), custom, generic, prepared: None };
        Plans { format: 1, gap: None, statements: vec![statement] }
    }

    fn gap(words: &str) -> ExplainOutcome {
        ExplainOutcome::Gap { gap: words.to_owned() }
    }

    #[test]
    fn plan_of_the_candidate_is_the_same_another_one_or_none() {
        let scan = || node("Seq Scan", None, Vec::new());
        let by_index = || node("Index Scan", Some("i"), Vec::new());
        let sorted = |child| node("Sort", None, vec![child]);
        let statement = FingerprintedStatement {
            fingerprint: "f",
            places: vec![crate::captured::CapturedPlace { number: 0, calls: 1, busy_us: 1 }],
        };
        let changed = |from: &str, to: &str| PlanStanding::Changed { from: from.to_owned(), to: to.to_owned() };
        for (before, after, expected) in [
            (plans(planned(scan(), "1"), None), plans(planned(scan(), "1"), None), PlanStanding::Same),
            (
                plans(planned(sorted(by_index()), "1"), None),
                plans(planned(sorted(scan()), "2"), None),
                changed("Index Scan using i on t", "Seq Scan on t"),
            ),
            (
                plans(planned(sorted(by_index()), "1"), None),
                plans(planned(by_index(), "2"), None),
                changed("Sort", "Index Scan using i on t"),
            ),
            (
                plans(gap("a value"), Some(planned(scan(), "1"))),
                plans(gap("a value"), Some(planned(by_index(), "2"))),
                changed("Seq Scan on t", "Index Scan using i on t"),
            ),
            (
                plans(planned(scan(), "1"), None),
                plans(gap("function f() does not exist"), None),
                PlanStanding::Rejected("function f() does not exist".to_owned()),
            ),
            (plans(gap("utility"), None), plans(gap("utility"), None), PlanStanding::NotKnown),
            (plans(gap("no table"), None), plans(planned(scan(), "1"), None), PlanStanding::NotKnown),
        ] {
            let (standing, _) = standing_of_statement(&statement, &before, &after);
            assert_eq!(standing, expected);
        }
    }
}
