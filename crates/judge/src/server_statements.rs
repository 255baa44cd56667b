//! The statements that took most of a server's time, cell by cell, from what `pg_stat_statements` counted in its
//! trials.

use std::collections::BTreeMap;

use results::statements::{StatementIncreases, TrialStatements};
use results::trial::{Cell, Role};

use crate::compare::ComparisonPlace;
use crate::observed::Observed;

/// Statements of the load of a cell that are kept.
const KEPT: usize = 10;

/// The statements of one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerStatements {
    /// The target.
    pub target: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Trials in which they were counted.
    pub trials: usize,
    /// The statements, the one that took most time first; those of pgdyno after those of the load.
    pub statements: Vec<ServerStatement>,
}

/// One statement, over all trials of its cell.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerStatement {
    /// The server's identifier.
    pub query_id: i64,
    /// Its normalised text; absent if the role may not see it.
    pub text: Option<String>,
    /// Whether a probe of pgdyno executed it, and not the load.
    pub by_pgdyno: bool,
    /// Share of the execution time of all statements, 0 to 1.
    pub share: f64,
    /// Executions per second.
    pub calls_per_s: f64,
    /// Mean execution time in milliseconds.
    pub mean_ms: f64,
    /// Rows per execution.
    pub rows: f64,
    /// Blocks found in the buffer cache, per execution.
    pub blocks_hit: f64,
    /// Blocks read from outside it, per execution.
    pub blocks_read: f64,
    /// Blocks of temporary files written, per execution.
    pub temp_blocks: f64,
    /// Bytes of WAL per execution.
    pub wal_bytes: f64,
}

/// The cells whose statements were counted, in order.
pub fn of_run(observed: &Observed) -> Vec<ServerStatements> {
    let mut cells: BTreeMap<&Cell, Vec<&TrialStatements>> = BTreeMap::new();
    for trial in observed.trials.iter().filter(|trial| trial.role == Role::Main && trial.step.is_none()) {
        let counted = observed.watched.get(&trial.number).and_then(|watched| watched.statements.as_ref());
        if let Some(counted) = counted.filter(|counted| !counted.statements.is_empty()) {
            cells.entry(&trial.cell).or_default().push(counted);
        }
    }
    cells.into_iter().map(|(cell, counted)| of_cell(cell, &counted)).collect()
}

fn of_cell(cell: &Cell, counted: &[&TrialStatements]) -> ServerStatements {
    let all_us: f64 = counted.iter().map(|trial| trial.total_us).sum();
    let over_s = counted.iter().map(|trial| trial.over_us).sum::<u64>() as f64 / 1e6;
    let mut sums: BTreeMap<i64, StatementIncreases> = BTreeMap::new();
    for statement in counted.iter().flat_map(|trial| &trial.statements) {
        match sums.get_mut(&statement.query_id) {
            Some(sum) => add(sum, statement),
            None => {
                sums.insert(statement.query_id, statement.clone());
            }
        }
    }
    let mut sums: Vec<StatementIncreases> = sums.into_values().collect();
    sums.sort_by(|one, other| other.total_us.total_cmp(&one.total_us));
    let (of_pgdyno, mut kept): (Vec<_>, Vec<_>) = sums.into_iter().partition(|statement| statement.by_pgdyno);
    kept.truncate(KEPT);
    kept.extend(of_pgdyno);
    ServerStatements {
        target: cell.target.clone(),
        place: ComparisonPlace::from_cell(cell),
        trials: counted.len(),
        statements: kept.into_iter().map(|sum| per_execution(sum, all_us, over_s)).collect(),
    }
}

fn add(sum: &mut StatementIncreases, more: &StatementIncreases) {
    sum.calls += more.calls;
    sum.total_us += more.total_us;
    sum.rows += more.rows;
    sum.blocks_hit += more.blocks_hit;
    sum.blocks_read += more.blocks_read;
    sum.blocks_dirtied += more.blocks_dirtied;
    sum.temp_blocks_written += more.temp_blocks_written;
    sum.wal_bytes += more.wal_bytes;
    if sum.text.is_none() {
        sum.text.clone_from(&more.text);
    }
    sum.by_pgdyno |= more.by_pgdyno;
}

/// A listed statement was executed at least once, and the statements of a cell took some time.
fn per_execution(sum: StatementIncreases, all_us: f64, over_s: f64) -> ServerStatement {
    let calls = sum.calls.max(1) as f64;
    ServerStatement {
        query_id: sum.query_id,
        text: sum.text,
        by_pgdyno: sum.by_pgdyno,
        share: if all_us > 0.0 { sum.total_us / all_us } else { 0.0 },
        calls_per_s: if over_s > 0.0 { sum.calls as f64 / over_s } else { 0.0 },
        mean_ms: sum.total_us / calls / 1e3,
        rows: sum.rows as f64 / calls,
        blocks_hit: sum.blocks_hit as f64 / calls,
        blocks_read: sum.blocks_read as f64 / calls,
        temp_blocks: sum.temp_blocks_written as f64 / calls,
        wal_bytes: sum.wal_bytes as f64 / calls,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(query_id: i64, calls: u64, total_us: f64) -> TrialStatements {
        let statement = StatementIncreases {
            query_id,
            text: Some(format!("SELECT {query_id}")),
            by_pgdyno: false,
            calls,
            total_us,
            rows: calls * 2,
            blocks_hit: calls * 3,
            blocks_read: 0,
            blocks_dirtied: 0,
            temp_blocks_written: 0,
            wal_bytes: calls * 100,
            jit_us: None,
            generic_plan_calls: None,
            custom_plan_calls: None,
        };
        let (format, over_us) = (results::statements::FORMAT, 2_000_000);
        let statements = vec![statement];
        TrialStatements { format, gap: None, over_us, calls, total_us: total_us * 2.0, jit_us: None, statements }
    }

    #[test]
    fn trials_are_added_up_and_the_most_time_stands_first() {
        let cell = Cell { target: "a".to_owned(), workload: "w".to_owned(), clients: 4.into() };
        let trials = [counted(7, 10, 1_000.0), counted(8, 10, 5_000.0), counted(7, 30, 2_000.0)];
        let found = of_cell(&cell, &trials.iter().collect::<Vec<_>>());
        assert_eq!(found.trials, 3);
        let ids: Vec<i64> = found.statements.iter().map(|statement| statement.query_id).collect();
        assert_eq!(ids, [8, 7]);
        let second = &found.statements[1];
        assert_eq!((second.mean_ms, second.rows, second.blocks_hit, second.wal_bytes), (0.075, 2.0, 3.0, 100.0));
        assert_eq!((second.share, second.calls_per_s), (3_000.0 / 16_000.0, 40.0 / 6.0));
    }

    #[test]
    fn queries_of_probes_stand_after_those_of_the_load() {
        let cell = Cell { target: "a".to_owned(), workload: "w".to_owned(), clients: 4.into() };
        let mut of_probe = counted(7, 10, 9_000.0);
        of_probe.statements[0].by_pgdyno = true;
        let trials = [of_probe, counted(8, 10, 1_000.0)];
        let found = of_cell(&cell, &trials.iter().collect::<Vec<_>>());
        let told: Vec<(i64, bool)> = found.statements.iter().map(|one| (one.query_id, one.by_pgdyno)).collect();
        assert_eq!(told, [(8, false), (7, true)]);
    }
}
