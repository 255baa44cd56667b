//! What a workload's statements are known to do to data: by what the servers said before the first trial, and by the
//! plans that they made while measuring. No word of a statement is judged by.

use results::asked::{AskedWorkload, StatementAccess};
use results::plans::{ExplainOutcome, PlanNode, Plans};
use results::workload::{SentStatement, StatementNumber};

use crate::observed::Observed;

/// What servers said and planned of the statements of one workload.
#[derive(Debug)]
pub(crate) struct KnownWrites<'a> {
    asked: Vec<&'a AskedWorkload>,
    plans: Vec<&'a Plans>,
    /// Rows that each trial of a side changed; absent of one in which they were not counted.
    rows_changed: Vec<Option<u64>>,
}

impl<'a> KnownWrites<'a> {
    /// What is known of a workload, on any side.
    pub(crate) fn of_workload(observed: &'a Observed, workload: &str) -> Self {
        let asked = observed.asked.iter().filter(|asked| asked.workload == workload).collect();
        let (mut plans, mut rows_changed) = (Vec::new(), Vec::new());
        for trial in observed.trials.iter().filter(|trial| trial.cell.workload == workload) {
            let watched = observed.watched.get(&trial.number);
            plans.extend(watched.and_then(|watched| watched.plans.as_ref()));
            let tables = watched.and_then(|watched| watched.tables.as_ref()).filter(|tables| tables.gap.is_none());
            rows_changed.push(tables.map(|tables| tables.tables.iter().map(|table| table.rows_changed).sum()));
        }
        Self { asked, plans, rows_changed }
    }

    /// Whether a statement of it is known to write; `sent` are all of its statements.
    pub(crate) fn statement_writes(&self, sent: &[SentStatement], number: StatementNumber) -> bool {
        if self.plans.iter().any(|plans| is_planned_to_write(plans, number)) {
            return true;
        }
        let Some(statement) = sent.get(number.0 as usize) else { return false };
        self.asked.iter().flat_map(|asked| &asked.statements).any(|asked| {
            let is_same = asked.script == statement.script && asked.line == statement.line;
            is_same && asked.access == StatementAccess::Writes
        })
    }

    /// Whether the workload writes; absent where neither a server nor a plan says so.
    pub(crate) fn workload_writes(&self) -> Option<bool> {
        let is_planned = self
            .plans
            .iter()
            .flat_map(|plans| plans.statements.iter().map(move |statement| (plans, statement.statement)))
            .any(|(plans, number)| is_planned_to_write(plans, number));
        if is_planned || self.asked.iter().any(|asked| asked.surely_writes()) {
            return Some(true);
        }
        let only_reads = !self.asked.is_empty() && self.asked.iter().all(|asked| asked.reads);
        // What a function may do it has not done where no row was changed.
        let has_changed_nothing =
            !self.rows_changed.is_empty() && self.rows_changed.iter().all(|rows| *rows == Some(0));
        (only_reads || has_changed_nothing).then_some(false)
    }
}

/// Whether a plan of a statement writes rows.
fn is_planned_to_write(plans: &Plans, number: StatementNumber) -> bool {
    let mut of_statement = plans.statements.iter().filter(|plans| plans.statement == number);
    of_statement.any(|statement| {
        let both = std::iter::once(&statement.custom).chain(&statement.generic);
        both.into_iter().any(|explained| match explained {
            ExplainOutcome::Plan(plan) => is_writing_plan(&plan.root),
            ExplainOutcome::Gap { .. } => false,
        })
    })
}

/// The nodes of a plan that write rows.
pub(crate) const WRITING_NODES: [&str; 4] = ["Insert", "Update", "Delete", "Merge"];

fn is_writing_plan(node: &PlanNode) -> bool {
    WRITING_NODES.contains(&node.node.as_str()) || node.children.iter().any(is_writing_plan)
}

#[cfg(test)]
mod tests {
    use results::asked::AskedStatement;
    use results::workload::StatementKind;

    use super::*;

    fn asked(reads: bool, accesses: &[StatementAccess]) -> AskedWorkload {
        let statement = |(line, access): (u32, &StatementAccess)| AskedStatement {
            target: "vm".to_owned(),
            script: "pay.sql".to_owned(),
            line,
            access: *access,
            because: String::new(),
        };
        AskedWorkload {
            workload: "pay".to_owned(),
            reads,
            because: None,
            prepared_when_executed: Vec::new(),
            statements: (1..).zip(accesses).map(statement).collect(),
        }
    }

    #[test]
    fn workload_writes_where_a_server_says_so_and_reads_where_all_servers_do() {
        use StatementAccess::{Reads, Unknown, Writes};
        for (reads, accesses, expected) in [
            (false, &[Reads, Writes][..], Some(true)),
            (false, &[Reads, Unknown], None),
            (true, &[Reads, Reads], Some(false)),
            (false, &[], None),
        ] {
            let asked = asked(reads, accesses);
            let known = KnownWrites { asked: vec![&asked], plans: Vec::new(), rows_changed: vec![None] };
            assert_eq!(known.workload_writes(), expected, "{accesses:?}");
        }
        let nothing_asked = |rows_changed| KnownWrites { asked: Vec::new(), plans: Vec::new(), rows_changed };
        assert_eq!(nothing_asked(Vec::new()).workload_writes(), None);
        assert_eq!(nothing_asked(vec![Some(0), None]).workload_writes(), None);
        assert_eq!(nothing_asked(vec![Some(0), Some(0)]).workload_writes(), Some(false));
        assert_eq!(nothing_asked(vec![Some(0), Some(3)]).workload_writes(), None);
    }

    #[test]
    fn statement_writes_where_a_server_says_so_of_its_line() {
        let asked = asked(false, &[StatementAccess::Reads, StatementAccess::Writes]);
        let known = KnownWrites { asked: vec![&asked], plans: Vec::new(), rows_changed: Vec::new() };
        let sent: Vec<SentStatement> = (1..4)
            .map(|line| SentStatement {
                script: "pay.sql".to_owned(),
                line,
                kind: StatementKind::Sql,
                text: "SELECT pay($1)".to_owned(),
                parameters: Vec::new(),
                variants: 1,
                captured: None,
            })
            .collect();
        let writes: Vec<bool> = (0..4).map(|number| known.statement_writes(&sent, StatementNumber(number))).collect();
        assert_eq!(writes, [false, true, false, false]);
    }
}
