//! The plans of a cell's statements, and where those of two sides part.

use results::plans::{Explained, Plan, PlanNode, Plans, StatementPlans};
use results::workload::SentStatement;

use super::case::Case;
use super::finding::{PlanText, PlansBeside};
use super::rule::Missing;

/// One statement that two sides would execute by unlike plans.
#[derive(Debug, Clone, Copy)]
pub struct Unlike<'a> {
    /// On this side.
    pub here: &'a Plan,
    /// On the other.
    pub there: &'a Plan,
    /// Its number.
    pub statement: &'a StatementPlans,
    /// Whether it is the plan for any values.
    pub generic: bool,
}

impl<'a> Case<'a> {
    /// The plans of its statements, as of its last trial that has some.
    pub fn plans(&self) -> Result<&'a Plans, Missing> {
        let missing = |why: &str| Missing::new("the plans of the statements", why);
        let told: Vec<&Plans> = self.trials().iter().filter_map(|measured| measured.watched.plans.as_ref()).collect();
        match told.iter().rev().find(|plans| !plans.statements.is_empty()) {
            Some(plans) => Ok(plans),
            None => {
                Err(missing(told.iter().find_map(|plans| plans.gap.as_deref()).unwrap_or("the server was not asked")))
            }
        }
    }

    /// The statements whose plans differ from those of another side, the dearest by the server's estimate first.
    pub fn unlike_plans(&self, other: &Case<'a>) -> Result<Vec<Unlike<'a>>, Missing> {
        let (here, there) = (self.plans()?, other.plans()?);
        let of = |statement: &'a StatementPlans| {
            let same = there.statements.iter().find(|other| other.statement == statement.statement)?;
            let pairs = [(Some(&statement.custom), Some(&same.custom), false)];
            let pairs = pairs.into_iter().chain([(statement.generic.as_ref(), same.generic.as_ref(), true)]);
            pairs.into_iter().find_map(|(here, there, generic)| {
                let (here, there) = (plan(here?)?, plan(there?)?);
                (here.shape != there.shape).then_some(Unlike { here, there, statement, generic })
            })
        };
        let mut unlike: Vec<Unlike<'a>> = here.statements.iter().filter_map(of).collect();
        unlike.sort_by(|one, other| other.here.root.cost.total_cmp(&one.here.root.cost));
        Ok(unlike)
    }

    /// What the plan of some statement scans from end to end for few rows of a table: the node, and its plan.
    pub fn selective_scan(&self, table: &str) -> Option<&'a PlanNode> {
        let plans = self.plans().ok()?;
        let of = |statement: &'a StatementPlans| {
            [Some(&statement.custom), statement.generic.as_ref()].into_iter().flatten().find_map(plan)
        };
        plans.statements.iter().filter_map(of).find_map(|plan| scan_of(&plan.root, table))
    }

    /// What a statement is called: script and line.
    pub fn name_of(&self, statement: &StatementPlans) -> String {
        match self.sent(statement) {
            Some(sent) => format!("{} line {}", sent.script, sent.line),
            None => format!("statement {}", statement.statement.0 + 1),
        }
    }

    fn sent(&self, statement: &StatementPlans) -> Option<&'a SentStatement> {
        let number = usize::try_from(statement.statement.0).ok()?;
        self.workload_statements()?.statements.get(number)
    }
}

fn plan(explained: &Explained) -> Option<&Plan> {
    match explained {
        Explained::Plan(plan) => Some(plan),
        Explained::Gap { .. } => None,
    }
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
fn is_called(table: &str, relation: &str) -> bool {
    table.ends_with(&format!(".{relation}")) || table.ends_with(&format!(".\"{}\"", relation.replace('"', "\"\"")))
}

/// Two plans beside each other, and the first line in which they part.
pub(super) fn beside(here: (&str, &Plan), there: (&str, &Plan)) -> PlansBeside {
    let [(ours, here), (theirs, there)] = [here, there].map(|(target, plan)| {
        let (mut shape, mut lines) = (Vec::new(), Vec::new());
        write(&plan.root, 0, &mut shape, &mut lines);
        (shape, PlanText { target: target.to_owned(), lines })
    });
    let differs_at = ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
    PlansBeside { here, there, differs_at }
}

fn write(node: &PlanNode, depth: usize, shape: &mut Vec<String>, lines: &mut Vec<String>) {
    let name = name(node);
    let mut told = vec![format!("rows {}", node.rows), format!("cost {}", node.cost)];
    told.extend(node.workers.map(|workers| format!("{workers} workers")));
    told.extend(node.condition.as_ref().map(|condition| format!("by {condition}")));
    told.extend(node.filter.as_ref().map(|filter| format!("filter {filter}")));
    lines.push(format!("{}{name}: {}", "  ".repeat(depth), told.join(", ")));
    shape.push(format!("{depth} {name}"));
    node.children.iter().for_each(|child| write(child, depth + 1, shape, lines));
}

/// `Index Scan using t_pkey on t`.
pub(super) fn name(node: &PlanNode) -> String {
    let using = node.index.as_ref().map_or(String::new(), |index| format!(" using {index}"));
    let on = node.relation.as_ref().map_or(String::new(), |relation| format!(" on {relation}"));
    format!("{}{using}{on}", node.node)
}

/// The columns that a filter compares with something, those for equality first; none where it is more than comparisons
/// of plain columns that all have to hold.
pub(super) fn columns(filter: &str) -> Vec<String> {
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
        if !is_name {
            return Vec::new();
        }
        into.push(column.to_owned());
    }
    equal.extend(ranges.into_iter().take(1));
    equal.dedup();
    equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_asked_for_only_where_the_filter_says_which() {
        let check = |filter: &str, expected: &[&str]| assert_eq!(columns(filter), expected, "{filter}");
        check("(aid = 7)", &["aid"]);
        check("((b > 3) AND (a = $1) AND (b < 9))", &["a", "b"]);
        check("((a = 1) OR (b = 2))", &[]);
        check("(lower(name) = 'x'::text)", &[]);
        check("(a IS NULL)", &[]);
    }

    #[test]
    fn a_table_is_known_by_its_name_behind_the_schema() {
        assert!(is_called("public.accounts", "accounts") && is_called("public.\"T\"", "T"));
        assert!(!is_called("public.my_accounts", "accounts"));
    }
}
