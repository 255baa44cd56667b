//! The plans of a cell's statements, where those of two sides part, and which of two a statement is executed by.

use std::collections::{BTreeMap, BTreeSet};

use results::plans::{ExplainOutcome, NodeExecution, Plan, PlanNode, Plans, StatementPlans};
use results::workload::{SentStatement, StatementNumber};

use super::case::DiagnosisCase;
use super::finding::{PlanText, PlansBeside};
use super::missing::MissingObservation;
use super::tables::TableUse;
use crate::known_writes::WRITING_NODES;
use crate::units;

/// Rows within this ratio of those that the server expected are as it expected them: samples and values that are drawn
/// differ by less.
const RIGHT: f64 = 4.0;

/// One statement that two sides would execute by unlike plans.
#[derive(Debug, Clone, Copy)]
pub struct UnlikePlan<'a> {
    /// On this side.
    pub here: &'a Plan,
    /// On the other.
    pub there: &'a Plan,
    /// Its number.
    pub statement: &'a StatementPlans,
    /// Whether it is the plan for any values.
    pub generic: bool,
}

/// A prepared statement whose plan for any values is another one than that for the values that the load draws.
#[derive(Debug, Clone, Copy)]
pub struct TwoPlans<'a> {
    /// Its number.
    pub statement: &'a StatementPlans,
    /// For the values drawn.
    pub custom: &'a Plan,
    /// For any.
    pub generic: &'a Plan,
}

impl<'a> DiagnosisCase<'a> {
    /// The plans of its statements, as of its last trial that has some.
    pub fn statement_plans(&self) -> Result<&'a Plans, MissingObservation> {
        let told: Vec<&Plans> = self.trials().iter().filter_map(|measured| measured.watched.plans.as_ref()).collect();
        match told.iter().rev().find(|plans| !plans.statements.is_empty()) {
            Some(plans) => Ok(plans),
            None => {
                let gap = told.iter().find_map(|plans| plans.gap.as_deref()).unwrap_or("the server was not queried");
                Err(MissingObservation::new("the plans of the statements", gap))
            }
        }
    }

    /// The statements whose plans differ from those of another side, the dearest by the server's estimate first.
    pub fn unlike_plans(&self, other: &DiagnosisCase<'a>) -> Result<Vec<UnlikePlan<'a>>, MissingObservation> {
        let (here, there) = (self.statement_plans()?, other.statement_plans()?);
        let mut unlike: Vec<UnlikePlan<'a>> = Vec::new();
        for statement in &here.statements {
            let Some(same) = there.statements.iter().find(|other| other.statement == statement.statement) else {
                continue;
            };
            let custom = (Some(&statement.custom), Some(&same.custom), false);
            let generic = (statement.generic.as_ref(), same.generic.as_ref(), true);
            unlike.extend([custom, generic].into_iter().find_map(|(here, there, generic)| {
                let (here, there) = (here?.known_plan()?, there?.known_plan()?);
                (here.shape != there.shape).then_some(UnlikePlan { here, there, statement, generic })
            }));
        }
        unlike.sort_by(|one, other| other.here.root.cost.total_cmp(&one.here.root.cost));
        Ok(unlike)
    }

    /// The statements that would be compiled before they are executed (JIT), by one of their plans.
    pub fn jit_compiled_statements(&self) -> Result<Vec<&'a StatementPlans>, MissingObservation> {
        let statements = self.statement_plans()?.statements.iter();
        Ok(statements.filter(|statement| plans_of(statement).any(|plan| plan.jit)).collect())
    }

    /// The prepared statements whose two plans differ, the dearest by the server's estimate first.
    pub fn two_plans(&self) -> Result<Vec<TwoPlans<'a>>, MissingObservation> {
        let mut two: Vec<TwoPlans<'a>> = Vec::new();
        for statement in &self.statement_plans()?.statements {
            if let (Some(custom), Some(generic)) = (statement.custom.known_plan(), &statement.generic)
                && let Some(generic) = generic.known_plan()
                && custom.shape != generic.shape
            {
                two.push(TwoPlans { statement, custom, generic });
            }
        }
        two.sort_by(|one, other| other.generic.root.cost.total_cmp(&one.generic.root.cost));
        Ok(two)
    }

    /// How often a transaction scanned a table or an index as only the custom plan of a statement does, and as only the
    /// generic one does; none where no scan of these is of the one plan alone.
    pub fn scans_by(&self, two: &TwoPlans<'_>, tables: &[TableUse]) -> Result<Option<[f64; 2]>, MissingObservation> {
        self.scans_of_either(two.statement, [two.custom, two.generic], tables)
    }

    /// Whether the counters of a side refute that a statement is executed by the one of two unlike plans that the
    /// server showed for that side: its tables and indexes were scanned more often as only the other plan does.
    pub fn is_plan_refuted(
        &self,
        other: &DiagnosisCase<'a>,
        unlike: &UnlikePlan<'a>,
    ) -> Result<bool, MissingObservation> {
        let plans = [unlike.here, unlike.there];
        if let Some([here, there]) = self.scans_of_either(unlike.statement, plans, &self.table_uses()?)?
            && here < there
        {
            return Ok(true);
        }
        let on_other = other.scans_of_either(unlike.statement, plans, &other.table_uses()?)?;
        Ok(on_other.is_some_and(|[here, there]| there < here))
    }

    /// How often a transaction scanned a table or an index as only the first of two plans of a statement does, and as
    /// only the second one does, for each time that an execution does; none where no scan is of the one plan alone. The
    /// planner itself makes a scan or two of an index, to see how far its values reach.
    fn scans_of_either(
        &self,
        statement: &StatementPlans,
        plans: [&Plan; 2],
        tables: &[TableUse],
    ) -> Result<Option<[f64; 2]>, MissingObservation> {
        let others = self.statement_plans()?.statements.iter().filter(|other| other.statement != statement.statement);
        let elsewhere: BTreeSet<Scan<'_>> =
            others.flat_map(plans_of).flat_map(scans_of_plan).map(|(scan, _)| scan).collect();
        let [first, second] = plans.map(scans_of_plan);
        let only = [(&first, &second), (&second, &first)].map(|(here, there)| {
            let those = here.iter().filter(|(scan, _)| !there.contains_key(scan) && !elsewhere.contains(scan));
            let scans = those
                .map(|(scan, times)| tables.iter().map(|table| scan.scans_per_transaction(table)).sum::<f64>() / times);
            scans.collect::<Vec<f64>>()
        });
        let is_told = only.iter().any(|scans| !scans.is_empty());
        Ok(is_told.then(|| only.map(|scans| scans.into_iter().fold(0.0, f64::max))))
    }

    /// What the plan of some statement scans from end to end for few rows of a table: the node, and its plan.
    pub fn selective_scan(&self, table: &str) -> Option<&'a PlanNode> {
        let plans = self.statement_plans().ok()?;
        let mut known = plans.statements.iter().filter_map(|statement| plans_of(statement).next());
        known.find_map(|plan| scan_of(&plan.root, table))
    }

    /// Whether the planner expects the rows of a table that come, in all plans that were executed and read it.
    pub fn expects_rows_that_come(&self, table: &str) -> bool {
        let Ok(plans) = self.statement_plans() else { return false };
        let of_table = plans.statements.iter().flat_map(plans_of).filter(|plan| {
            let mut relations = nodes_of_plan(plan).into_iter().filter_map(|node| node.relation.as_deref());
            relations.any(|relation| is_called(table, relation))
        });
        let known: Vec<bool> = of_table.filter_map(estimates_are_right).collect();
        !known.is_empty() && known.iter().all(|is_right| *is_right)
    }

    /// What the plan of some statement looks up in an index.
    pub fn condition_on(&self, index: &str) -> Option<&'a str> {
        let plans = self.statement_plans().ok()?.statements.iter().flat_map(plans_of);
        let mut using = plans
            .flat_map(nodes_of_plan)
            .filter(|node| node.index.as_deref().is_some_and(|name| name == index || quote_identifier(name) == index));
        using.find_map(|node| node.condition.as_deref())
    }

    /// The statements by whose plans rows of a table are written.
    pub fn writers_of(&self, table: &str) -> Result<Vec<&'a StatementPlans>, MissingObservation> {
        let mut writers = Vec::new();
        for statement in &self.statement_plans()?.statements {
            let is_writer = plans_of(statement).flat_map(nodes_of_plan).any(|node| {
                WRITING_NODES.contains(&node.node.as_str())
                    && node.relation.as_deref().is_some_and(|relation| is_called(table, relation))
            });
            if is_writer {
                writers.push(statement);
            }
        }
        Ok(writers)
    }

    /// The statements whose plans touch a table and are the same as on another side.
    pub fn statements_alike_on(
        &self,
        other: &DiagnosisCase<'a>,
        table: &str,
    ) -> Result<Vec<StatementNumber>, MissingObservation> {
        let unlike = self.unlike_plans(other)?;
        let mut alike = Vec::new();
        for statement in &self.statement_plans()?.statements {
            let is_alike = unlike.iter().all(|one| one.statement.statement != statement.statement);
            if is_alike && touches_table(statement, table) {
                alike.push(statement.statement);
            }
        }
        Ok(alike)
    }

    /// What a statement is called: script and line.
    pub fn name_of(&self, statement: &StatementPlans) -> String {
        match self.sent_statement(statement) {
            Some(sent) => format!("{} line {}", sent.script, sent.line),
            None => format!("statement {}", statement.statement.0 + 1),
        }
    }

    /// The text of a statement, as it is sent.
    pub(super) fn text_of(&self, statement: &StatementPlans) -> Option<&'a str> {
        self.sent_statement(statement).map(|sent| sent.text.as_str())
    }

    fn sent_statement(&self, statement: &StatementPlans) -> Option<&'a SentStatement> {
        let number = usize::try_from(statement.statement.0).ok()?;
        self.workload_statements()?.statements.get(number)
    }
}

/// The plans of a statement that are known: that for the values drawn, and that for any.
pub(super) fn plans_of(statement: &StatementPlans) -> impl Iterator<Item = &Plan> {
    std::iter::once(&statement.custom).chain(&statement.generic).filter_map(ExplainOutcome::known_plan)
}

/// Every node of a plan, its root first.
pub(super) fn nodes_of_plan(plan: &Plan) -> Vec<&PlanNode> {
    let mut nodes = vec![&plan.root];
    for at in 0.. {
        let Some(node) = nodes.get(at).copied() else { break };
        nodes.extend(&node.children);
    }
    nodes
}

/// Whether a plan of a statement reads or writes a table.
pub(super) fn touches_table(statement: &StatementPlans, table: &str) -> bool {
    let mut relations = plans_of(statement).flat_map(nodes_of_plan).filter_map(|node| node.relation.as_deref());
    relations.any(|relation| is_called(table, relation))
}

/// The tables that plans read or write, each as often as a node does.
pub(super) fn relations_of_plans(plans: [&Plan; 2]) -> Vec<&str> {
    plans.into_iter().flat_map(nodes_of_plan).filter_map(|node| node.relation.as_deref()).collect()
}

/// What the server counts the scans of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scan<'a> {
    /// A table, from its first page to its last.
    Table(&'a str),
    /// An index.
    Index(&'a str),
}

impl Scan<'_> {
    /// How often a transaction made it of a table.
    fn scans_per_transaction(&self, table: &TableUse) -> f64 {
        match self {
            Self::Table(name) if is_called(&table.sums.name, name) => table.sequential_scans(),
            Self::Table(_) => 0.0,
            Self::Index(name) => table.index_scans(|index| index == *name || index == quote_identifier(name)),
        }
    }
}

/// What a plan scans, and how often in an execution as far as it was executed.
fn scans_of_plan(plan: &Plan) -> BTreeMap<Scan<'_>, f64> {
    let mut scans: BTreeMap<Scan<'_>, f64> = BTreeMap::new();
    for node in nodes_of_plan(plan) {
        let scan = match &node.index {
            Some(index) => Some(Scan::Index(index)),
            None => node.relation.as_deref().filter(|_| node.node.contains("Seq Scan")).map(Scan::Table),
        };
        if let Some(scan) = scan {
            let loops = node.execution.as_ref().map_or(1.0, |execution| execution.loops);
            *scans.entry(scan).or_default() += loops.max(1.0);
        }
    }
    scans
}

/// A scan of the whole table that keeps what passes a filter. Plans name tables without their schemas.
fn scan_of<'a>(node: &'a PlanNode, table: &str) -> Option<&'a PlanNode> {
    let is_it = node.relation.as_deref().is_some_and(|relation| is_called(table, relation));
    if is_it && node.node.starts_with("Seq Scan") && node.filter.is_some() {
        return Some(node);
    }
    node.children.iter().find_map(|child| scan_of(child, table))
}

/// Whether a table with its schema, quoted where need be, has this name.
pub(super) fn is_called(table: &str, relation: &str) -> bool {
    table.ends_with(&format!(".{relation}")) || table.ends_with(&format!(".{}", quote_identifier(relation)))
}

/// A name as SQL wants it that is not all lower-case letters.
fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Nodes of two plans of one statement that read the same rows of a table: with the same tests, of which either may
/// have some by an index.
pub(super) fn same_rows<'a>(here: &'a Plan, there: &'a Plan) -> Vec<[&'a PlanNode; 2]> {
    let [ours, theirs] = [here, there].map(|plan| {
        let reads =
            nodes_of_plan(plan).into_iter().filter(|node| node.relation.is_some() && node.node.contains("Scan"));
        reads.collect::<Vec<_>>()
    });
    let mut pairs = Vec::new();
    for node in ours {
        let mut same = theirs
            .iter()
            .filter(|other| other.relation == node.relation && conditions_of_node(other) == conditions_of_node(node));
        // Of a table that is read twice it is not known which is which.
        if let (Some(other), None) = (same.next(), same.next()) {
            pairs.push([node, *other]);
        }
    }
    pairs
}

/// What a node finds or keeps rows by.
fn conditions_of_node(node: &PlanNode) -> Vec<&str> {
    let all = [&node.condition, &node.filter].into_iter().flatten();
    let mut tests: Vec<&str> =
        all.flat_map(|test| test.split(" AND ")).map(|test| test.trim_matches(['(', ')'])).collect();
    tests.sort_unstable();
    tests
}

/// Two plans beside each other, and the first line in which they part.
pub(crate) fn plans_side_by_side(here: (&str, &Plan), there: (&str, &Plan)) -> PlansBeside {
    let [(ours, here), (theirs, there)] = [here, there].map(|(target, plan)| {
        let (mut shape, mut lines) = (Vec::new(), Vec::new());
        write_node_lines(&plan.root, 0, &mut shape, &mut lines);
        (shape, PlanText { target: target.to_owned(), lines })
    });
    let differs_at = ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
    PlansBeside { here, there, differs_at }
}

/// Two plans of the same shape beside each other, and the line of a node of the first.
pub(super) fn beside_at(here: (&str, &Plan), there: (&str, &Plan), node: &PlanNode) -> PlansBeside {
    let mut lines = Vec::new();
    in_lines(&here.1.root, &mut lines);
    let line = lines.iter().position(|other| std::ptr::eq(*other, node));
    let beside = plans_side_by_side(here, there);
    PlansBeside { differs_at: line.unwrap_or(beside.differs_at), ..beside }
}

/// Every node in the order of the lines of its plan.
fn in_lines<'a>(node: &'a PlanNode, lines: &mut Vec<&'a PlanNode>) {
    lines.push(node);
    for child in &node.children {
        in_lines(child, lines);
    }
}

fn write_node_lines(node: &PlanNode, depth: usize, shape: &mut Vec<String>, lines: &mut Vec<String>) {
    let name = name_of_node(node);
    let actual = node.actual_rows.map_or(String::new(), |rows| format!(" (actual {rows})"));
    let mut told = vec![format!("rows {}{actual}", node.rows), format!("cost {}", node.cost)];
    told.extend(node.workers.map(|workers| format!("{workers} workers")));
    told.extend(node.execution.iter().flat_map(|execution| executed_in_words(execution)));
    told.extend(node.condition.as_ref().map(|condition| format!("by {condition}")));
    told.extend(node.filter.as_ref().map(|filter| format!("filter {filter}")));
    lines.push(format!("{}{name}: {}", "  ".repeat(depth), told.join(", ")));
    shape.push(format!("{depth} {name}"));
    node.children.iter().for_each(|child| write_node_lines(child, depth + 1, shape, lines));
}

/// What executing a node took by itself, in the words of EXPLAIN; without what there was none of.
fn executed_in_words(execution: &NodeExecution) -> Vec<String> {
    let mut told = vec![format!("own time {}", units::format_milliseconds(execution.own_us / 1e3))];
    let counts = [
        ("loops", if execution.loops > 1.0 { execution.loops } else { 0.0 }),
        ("buffers hit", execution.blocks.hit as f64),
        ("buffers read", execution.blocks.read as f64),
        ("temporary pages read", execution.blocks.temp_read as f64),
        ("temporary pages written", execution.blocks.temp_written as f64),
        ("I/O requests", execution.io_requests.map_or(0.0, |requests| requests)),
        ("I/O waits", execution.io_waits.map_or(0.0, |waits| waits)),
        ("rows removed by filter", execution.removed_by_filter),
        ("rows removed by join filter", execution.removed_by_join_filter),
        ("rows removed by recheck", execution.removed_by_recheck),
        ("lossy pages", execution.lossy_blocks as f64),
        ("hash batches", execution.hash_batches.filter(|batches| *batches > 1).unwrap_or(0) as f64),
    ];
    for (what, count) in counts {
        if count > 0.0 {
            told.push(format!("{what} {}", units::format_count(count)));
        }
    }
    told.extend(execution.heap_fetches.map(|fetches| format!("heap fetches {}", units::format_count(fetches as f64))));
    told.extend(execution.workers_launched.map(|workers| format!("workers launched {workers}")));
    told.extend(execution.sort_method.as_ref().map(|method| format!("sort method {method}")));
    told
}

/// Whether what the server expected of every node that was executed came about, within [`RIGHT`]: its statistics are
/// not to blame for the plan. None where nothing was executed.
pub(super) fn estimates_are_right(plan: &Plan) -> Option<bool> {
    let mut is_known = None;
    for node in nodes_of_plan(plan) {
        // Of a node that is stopped early, as below a LIMIT, and of the inner side of a join, what came is no measure.
        let Some(actual) = node.actual_rows.filter(|_| node.relation.is_some()) else { continue };
        let (expected, actual) = (node.rows.max(1.0), actual.max(1.0));
        if expected > RIGHT * actual || actual > RIGHT * expected {
            return Some(false);
        }
        is_known = Some(true);
    }
    is_known
}

/// `Index Scan using t_pkey on t`.
pub(crate) fn name_of_node(node: &PlanNode) -> String {
    let using = node.index.as_ref().map_or(String::new(), |index| format!(" using {index}"));
    let on = node.relation.as_ref().map_or(String::new(), |relation| format!(" on {relation}"));
    format!("{}{using}{on}", node.node)
}

/// The columns that a filter compares with something, those for equality first; none where it is more than comparisons
/// of plain columns that all have to hold.
pub(super) fn columns_of_filter(filter: &str) -> Vec<String> {
    let (mut equal, mut ranges) = (Vec::new(), Vec::new());
    if filter.contains(" OR ") {
        return Vec::new();
    }
    for comparison in filter.split(" AND ") {
        let comparison = comparison.trim_matches(['(', ')']);
        let Some((column, rest)) = comparison.split_once(' ') else { return Vec::new() };
        let is_name = !column.is_empty() && column.chars().all(|c| c.is_alphanumeric() || c == '_');
        let into = match rest.split(' ').next() {
            Some("=") => &mut equal,
            Some("<" | ">" | "<=" | ">=") => &mut ranges,
            _ => return Vec::new(),
        };
        let value = rest.split_once(' ').map_or("", |(_, value)| value);
        if !is_name || is_function(value) {
            return Vec::new();
        }
        into.push(column.to_owned());
    }
    equal.extend(ranges.into_iter().take(1));
    equal.dedup();
    equal
}

/// The words of a condition: names of columns, tables and functions, and whatever else is written like one.
pub(super) fn words_of(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a value of a comparison is the call of a function, such as `CURRENT_USER`: whether an index serves it
/// depends on its type and collation.
fn is_function(value: &str) -> bool {
    let is_call = value.split_once('(').is_some_and(|(name, _)| !name.is_empty() && !name.contains('\''));
    let is_keyword = value.len() > 1 && value.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    (is_call || is_keyword) && !value.starts_with("ANY ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_asked_for_only_where_the_filter_says_which() {
        let check = |filter: &str, expected: &[&str]| assert_eq!(columns_of_filter(filter), expected, "{filter}");
        check("(aid = 7)", &["aid"]);
        check("((b > 3) AND (a = $1) AND (b < 9))", &["a", "b"]);
        check("((a = 1) OR (b = 2))", &[]);
        check("(lower(name) = 'x'::text)", &[]);
        check("(a IS NULL)", &[]);
        check("(usr = CURRENT_USER)", &[]);
        check("(usr = current_setting('app.user'::text))", &[]);
        check("(a = 'x (y)'::text)", &["a"]);
        check("(a = ANY ('{1,2}'::integer[]))", &["a"]);
    }

    #[test]
    fn the_same_rows_are_told_by_their_tests_whichever_way_they_are_found() {
        let node = |node: &str, relation: &str, condition: Option<&str>, filter: Option<&str>| PlanNode {
            node: node.to_owned(),
            relation: Some(relation.to_owned()),
            condition: condition.map(str::to_owned),
            filter: filter.map(str::to_owned),
            ..PlanNode::default()
        };
        let plan = |children: Vec<PlanNode>| Plan {
            shape: String::new(),
            root: PlanNode { node: "Hash Join".to_owned(), children, ..PlanNode::default() },
            ..Plan::default()
        };
        let here = plan(vec![
            node("Seq Scan", "t", None, Some("((a = 1) AND (b > 2))")),
            node("Seq Scan", "u", None, None),
            node("Seq Scan", "u", None, None),
            node("Index Scan", "v", Some("(v.a = t.a)"), None),
        ]);
        let there = plan(vec![
            node("Index Scan", "t", Some("(a = 1)"), Some("(b > 2)")),
            node("Seq Scan", "u", None, None),
            node("Seq Scan", "u", None, None),
            node("Seq Scan", "v", None, None),
        ]);
        let same = same_rows(&here, &there);
        assert_eq!(same.len(), 1, "{same:?}");
        assert_eq!(same[0].map(|node| node.node.as_str()), ["Seq Scan", "Index Scan"]);
    }

    #[test]
    fn estimates_are_right_where_the_rows_came_that_were_expected() {
        let plan = |rows: f64, actual_rows: Option<f64>| {
            let relation = Some("t".to_owned());
            let root = PlanNode { node: "Seq Scan".to_owned(), relation, rows, actual_rows, ..PlanNode::default() };
            Plan { root, ..Plan::default() }
        };
        assert_eq!(estimates_are_right(&plan(996.0, Some(1000.0))), Some(true));
        assert_eq!(estimates_are_right(&plan(1.0, Some(0.0))), Some(true));
        assert_eq!(estimates_are_right(&plan(1.0, Some(1000.0))), Some(false));
        assert_eq!(estimates_are_right(&plan(5000.0, Some(10.0))), Some(false));
        assert_eq!(estimates_are_right(&plan(1.0, None)), None);
    }

    #[test]
    fn a_table_is_known_by_its_name_behind_the_schema() {
        assert!(is_called("public.accounts", "accounts") && is_called("public.\"T\"", "T"));
        assert!(!is_called("public.my_accounts", "accounts"));
    }
}
