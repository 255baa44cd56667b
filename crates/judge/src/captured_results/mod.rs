//! Whether both sides of a captured load return the same: rows, SQLSTATE and a digest of what a statement returned,
//! compared execution by execution. Judges from observations only: no files, no clock.
//!
//! The nth transaction of a script has the same values in every trial. Its results differ between the sides where all
//! trials of a side agree and the sides do not. Where the trials of one side disagree, the result varies by itself:
//! `now()`, `random()`, or other transactions that came before it. Results that vary split by side now and then, too,
//! so a statement differs only where they do so more often than chance explains.

mod chance;

use std::collections::BTreeMap;

use results::execution_results::{ExecutionResult, StatementResults};
use results::workload::{SentStatement, WorkloadStatements};

use crate::captured::{FingerprintedStatement, captured_statements};
use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion};
use crate::observed::Observed;
use crate::statements::in_one_line;
use chance::{chance_of_split, upper_tail};

/// Characters of a text that are kept; the run directory has it whole.
const TEXT_MAX: usize = 200;

/// Results that vary split by side as often by chance in fewer statements than this share.
const BY_CHANCE: f64 = 0.002;

/// What both sides of a pair return.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultComparison {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Statements of which executions were compared.
    pub compared: usize,
    /// Those of which no execution returned the same in all trials of one side.
    pub varying: usize,
    /// Executions that were compared.
    pub executions: u64,
    /// The statements that return something else, those with the most executions that do first.
    pub differing: Vec<DifferingStatement>,
}

/// A statement whose results differ.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferingStatement {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its text in one line, shortened.
    pub text: String,
    /// Executions that differ.
    pub differing: u64,
    /// Executions that were compared.
    pub compared: u64,
    /// The first of those that differ.
    pub example: DifferingExecution,
}

/// An execution that came to something else on the candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferingExecution {
    /// The name of its script.
    pub script: String,
    /// The line of the statement there.
    pub line: u32,
    /// Which transaction of the script it belongs to, from 1: the row of the script's values.
    pub row: u64,
    /// What it came to, baseline first.
    pub sides: [ExecutionResult; 2],
}

/// What the executions of a statement say.
#[derive(Debug, Default)]
struct CountedExecutions {
    compared: u64,
    differing: u64,
    /// Those whose trials disagree on a side.
    varying: u64,
    /// The chance with which a result that varies splits by side, at most.
    by_chance: f64,
    example: Option<DifferingExecution>,
}

/// The results of every candidate at every place whose load is captured.
pub fn compare_results(
    observed: &Observed,
    question: &RunQuestion,
    observations: &Observations<'_>,
) -> Vec<ResultComparison> {
    let mut all = Vec::new();
    for (candidate, place) in observations.pairs_of_given_load(question) {
        let Some(workload) = observed.workloads.get(&place.workload) else { continue };
        let sides = [&question.baseline, &candidate]
            .map(|target| results_of_side(observed, observations, &place, &ComparedSide::main(target)));
        if workload.captured.is_some() && sides.iter().all(|trials| trials.len() > 1) {
            all.push(compare_pair(workload, candidate, place, &sides));
        }
    }
    all
}

/// The results of the trials of a side, whether or not their times count.
fn results_of_side<'a>(
    observed: &'a Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
) -> Vec<&'a [StatementResults]> {
    let mut trials = Vec::new();
    for trial in observations.executed_trials(place, side) {
        if let Some(results) = observed.watched.get(&trial.number).and_then(|watched| watched.results.as_ref()) {
            trials.push(results.statements.as_slice());
        }
    }
    trials
}

fn compare_pair(
    workload: &WorkloadStatements,
    candidate: String,
    place: ComparisonPlace,
    sides: &[Vec<&[StatementResults]>; 2],
) -> ResultComparison {
    let writes = workload.captured.as_ref().is_none_or(|captured| captured.writes);
    let mut comparison =
        ResultComparison { candidate, place, compared: 0, varying: 0, executions: 0, differing: Vec::new() };
    for statement in captured_statements(workload) {
        let counted = count_executions(&statement, &workload.statements, sides);
        if counted.compared + counted.varying == 0 {
            continue;
        }
        comparison.compared += 1;
        comparison.executions += counted.compared;
        comparison.varying += usize::from(counted.compared == 0);
        let is_sure = is_sure_difference(&counted, writes);
        if let Some(example) = counted.example.filter(|_| is_sure) {
            comparison.differing.push(DifferingStatement {
                fingerprint: statement.fingerprint.to_owned(),
                text: in_one_line(&workload.statements[statement.places[0].number].text, TEXT_MAX),
                differing: counted.differing,
                compared: counted.compared,
                example,
            });
        }
    }
    comparison.differing.sort_by_key(|statement| std::cmp::Reverse(statement.differing));
    comparison
}

/// Whether the results of a statement split by side more often than those that vary do by chance. Without writes the
/// same transaction finds the same data, so that one that never varies is sure.
fn is_sure_difference(counted: &CountedExecutions, writes: bool) -> bool {
    if counted.differing == 0 {
        return false;
    }
    if counted.varying == 0 && !writes {
        return true;
    }
    upper_tail(counted.differing + counted.varying, counted.differing, counted.by_chance) <= BY_CHANCE
}

fn count_executions(
    statement: &FingerprintedStatement<'_>,
    sent: &[SentStatement],
    sides: &[Vec<&[StatementResults]>; 2],
) -> CountedExecutions {
    let mut counted = CountedExecutions::default();
    for place in &statement.places {
        let mut by_row: BTreeMap<u64, [Vec<ExecutionResult>; 2]> = BTreeMap::new();
        for (side, trials) in sides.iter().enumerate() {
            for results in trials.iter().filter_map(|trial| trial.get(place.number)) {
                for (row, result) in (1..).zip(results.each_result()) {
                    if let Some(result) = result {
                        by_row.entry(row).or_default()[side].push(result);
                    }
                }
            }
        }
        for (row, of_sides) in by_row {
            counted.add_transaction(&sent[place.number], row, &of_sides);
        }
    }
    counted
}

impl CountedExecutions {
    /// Adds what the trials of both sides say of one transaction; nothing where a side has one trial alone.
    fn add_transaction(&mut self, sent: &SentStatement, row: u64, sides: &[Vec<ExecutionResult>; 2]) {
        if sides.iter().any(|results| results.len() < 2) {
            return;
        }
        let [baseline, candidate] = sides;
        self.by_chance = self.by_chance.max(chance_of_split(baseline.len(), candidate.len()));
        if !sides.iter().all(|results| is_repeated(results)) {
            self.varying += 1;
            return;
        }
        self.compared += 1;
        if baseline[0] == candidate[0] {
            return;
        }
        self.differing += 1;
        if self.example.is_none() {
            let (script, line) = (sent.script.clone(), sent.line);
            self.example = Some(DifferingExecution { script, line, row, sides: [baseline[0], candidate[0]] });
        }
    }
}

/// Whether all trials of a side came to the same.
fn is_repeated(results: &[ExecutionResult]) -> bool {
    results.iter().all(|result| *result == results[0] && !result.varies)
}

impl ResultComparison {
    /// The statement of this fingerprint, if its results differ.
    pub fn difference_of(&self, fingerprint: &str) -> Option<&DifferingStatement> {
        self.differing.iter().find(|statement| statement.fingerprint == fingerprint)
    }
}

impl DifferingExecution {
    /// What both sides came to, for example `10 rows → 9 rows`.
    pub fn sides_in_words(&self) -> String {
        let [baseline, candidate] = self.sides;
        if baseline.sqlstate == candidate.sqlstate && baseline.rows == candidate.rows {
            let plural_ending = if baseline.rows == 1 { "" } else { "s" };
            return format!("{} row{plural_ending} on both sides, with other values", baseline.rows);
        }
        format!("{} → {}", result_in_words(&baseline), result_in_words(&candidate))
    }
}

fn result_in_words(result: &ExecutionResult) -> String {
    match (&result.sqlstate, result.rows) {
        (Some(sqlstate), _) => format!("error {}", String::from_utf8_lossy(sqlstate)),
        (None, 1) => "1 row".to_owned(),
        (None, rows) => format!("{rows} rows"),
    }
}

impl DifferingStatement {
    /// It in a sentence: what, how often, and an example.
    pub fn in_words(&self) -> String {
        let DifferingExecution { script, line, row, .. } = &self.example;
        format!(
            "{} returns other results in {} of {} executions; for example {script}:{line}, transaction {row}: {}",
            self.text,
            self.differing,
            self.compared,
            self.example.sides_in_words()
        )
    }
}

#[cfg(test)]
mod tests {
    use results::workload::{CapturedCalls, CapturedLoad, StatementKind};

    use super::*;

    fn workload(writes: bool) -> WorkloadStatements {
        let mut statements = Vec::new();
        for (line, fingerprint) in [(1, "a"), (2, "b")] {
            statements.push(SentStatement {
                script: "001.sql".to_owned(),
                line,
                kind: StatementKind::Sql,
                text: format!("SELECT {fingerprint}"),
                parameters: Vec::new(),
                variants: 1,
                captured: Some(CapturedCalls { fingerprint: fingerprint.to_owned(), calls: 10, busy_us: 0 }),
            });
        }
        let captured = Some(CapturedLoad { writes, ..CapturedLoad::default() });
        WorkloadStatements { format: 1, workload: "peak".to_owned(), statements, captured }
    }

    /// A trial in which the second statement always returns one row, and the first one these.
    fn trial(rows: &[u32]) -> Vec<StatementResults> {
        let found = |rows: u32| Some(ExecutionResult { sqlstate: None, rows, digest: u64::from(rows), varies: false });
        vec![
            StatementResults::from_results(rows.iter().map(|rows| found(*rows))),
            StatementResults::from_results(rows.iter().map(|_| found(1))),
        ]
    }

    /// Trials of two sides, by the rows of their executions.
    fn compared<const N: usize>(writes: bool, baseline: &[[u32; N]], candidate: &[[u32; N]]) -> ResultComparison {
        let trials = [baseline, candidate].map(|side| side.iter().map(|rows| trial(rows)).collect::<Vec<_>>());
        let sides = trials.each_ref().map(|side| side.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let place = ComparisonPlace { workload: "peak".to_owned(), clients: 4.into() };
        compare_pair(&workload(writes), "new".to_owned(), place, &sides)
    }

    #[test]
    fn a_statement_that_returns_something_else_is_found_with_an_example_and_no_other_is() {
        let found = compared(false, &[[5, 5, 5]; 3], &[[5, 4, 5]; 3]);
        assert_eq!((found.compared, found.executions, found.differing.len()), (2, 6, 1));
        assert_eq!(
            found.differing[0].in_words(),
            "SELECT a returns other results in 1 of 3 executions; for example 001.sql:1, transaction 2: 5 rows → 4 rows"
        );
        assert!(found.difference_of("b").is_none());
    }

    #[test]
    fn results_that_vary_on_a_side_accuse_nobody() {
        let varying = [[1, 2, 3], [2, 3, 1], [3, 1, 2]];
        let found = compared(false, &varying, &[[7, 7, 7]; 3]);
        assert_eq!((found.varying, found.differing.len()), (1, 0));
        // Of many that vary some split by side.
        let found = compared(true, &[[1, 1, 1, 1, 1], [1, 1, 2, 1, 2]], &[[2, 1, 2, 1, 1], [2, 2, 1, 2, 1]]);
        assert_eq!(found.differing, []);
    }

    #[test]
    fn what_writes_has_to_differ_more_often_than_by_chance() {
        assert_eq!(compared(true, &[[5]; 3], &[[4]; 3]).differing.len(), 0);
        assert_eq!(compared(true, &[[5; 3]; 3], &[[4; 3]; 3]).differing.len(), 1);
        assert_eq!(compared(false, &[[5]; 3], &[[4]; 3]).differing.len(), 1);
        assert_eq!(compared(false, &[[5]], &[[4]]).compared, 0, "no side can be compared with itself");
    }
}
