//! What is in a capture: statements by time, transactions by class, and what cannot be replayed.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::class_parts::{ClassPart, append_statement};
use crate::directory::{CaptureReader, CaptureResult, CaptureSummary, EventAction, Execution};

/// Classes of transactions that are told apart; what comes after them is counted together.
const CLASSES_AT_MOST: usize = 10_000;

/// What is in a capture.
#[derive(Debug, Clone, Serialize)]
pub struct CaptureDescription {
    /// `capture.json`.
    pub summary: CaptureSummary,
    /// Where its events break off, if it was killed.
    pub torn: Option<String>,
    /// Counts as they are in the events.
    pub events: u64,
    /// Statements, those that took most time first.
    pub statements: Vec<DescribedStatement>,
    /// Classes of transactions, the most frequent first.
    pub classes: Vec<TransactionClass>,
    /// Transactions of classes beyond the number that is told apart.
    pub other_transactions: u64,
    /// What cannot be replayed, by reason.
    pub not_replayed: BTreeMap<String, u64>,
}

/// A statement and its executions.
#[derive(Debug, Clone, Serialize)]
pub struct DescribedStatement {
    /// Its id.
    pub id: u64,
    /// Its text without literals.
    pub text: String,
    /// Its command.
    pub kind: String,
    /// Whether it writes.
    pub writes: bool,
    /// Why it reaches beyond the database.
    pub beyond: Option<String>,
    /// Executions.
    pub calls: u64,
    /// Of these, the ones that failed.
    pub failures: u64,
    /// Time of the executions whose duration is known, in microseconds.
    pub time_us: u64,
    /// Executions whose duration is known.
    pub timed: u64,
}

/// Transactions that execute the same statements in the same order, each loop folded.
#[derive(Debug, Clone, Serialize)]
pub struct TransactionClass {
    /// The ids of the statements.
    pub statements: Vec<ClassPart>,
    /// Transactions.
    pub transactions: u64,
}

#[derive(Default)]
struct OpenTransaction {
    number: u64,
    statements: Vec<ClassPart>,
}

/// Reads the events of a capture and counts.
pub fn describe_capture(reader: &CaptureReader) -> CaptureResult<CaptureDescription> {
    let mut statements = Vec::new();
    for statement in reader.statements() {
        statements.push(DescribedStatement {
            id: statement.id,
            text: statement.text.clone(),
            kind: statement.kind.clone(),
            writes: statement.writes,
            beyond: statement.beyond.clone(),
            calls: 0,
            failures: 0,
            time_us: 0,
            timed: 0,
        });
    }
    let mut classes = ClassCounter::default();
    let mut open: HashMap<u64, OpenTransaction> = HashMap::new();
    let mut events = 0;
    let mut stream = reader.event_stream();
    for event in stream.by_ref() {
        let event = event?;
        events += 1;
        match &event.action {
            EventAction::Execute(execution) => {
                count_execution(&mut statements, execution);
                let transaction = open.entry(event.session).or_default();
                if transaction.number != execution.transaction {
                    classes.count_class(std::mem::take(&mut transaction.statements));
                    transaction.number = execution.transaction;
                }
                append_statement(&mut transaction.statements, execution.statement);
            }
            EventAction::Connect { .. } => {}
            EventAction::Disconnect => {
                if let Some(transaction) = open.remove(&event.session) {
                    classes.count_class(transaction.statements);
                }
            }
        }
    }
    for (_, transaction) in open {
        classes.count_class(transaction.statements);
    }
    let torn = stream.torn_end().map(|torn| format!("{}:{}: {}", torn.file.display(), torn.line, torn.detail));
    let not_replayed = count_not_replayed(&statements);
    statements.sort_by_key(|statement| (std::cmp::Reverse((statement.time_us, statement.calls)), statement.id));
    let (classes, other_transactions) = classes.sort_classes();
    let summary = reader.summary().clone();
    Ok(CaptureDescription { summary, torn, events, statements, classes, other_transactions, not_replayed })
}

fn count_execution(statements: &mut [DescribedStatement], execution: &Execution) {
    let Some(statement) = usize::try_from(execution.statement).ok().and_then(|id| statements.get_mut(id)) else {
        return;
    };
    statement.calls += 1;
    statement.failures += u64::from(execution.error.is_some());
    if let Some(duration_us) = execution.duration_us {
        statement.timed += 1;
        statement.time_us = statement.time_us.saturating_add(duration_us);
    }
}

fn count_not_replayed(statements: &[DescribedStatement]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for statement in statements {
        let reason = match (&statement.beyond, statement.kind.as_str()) {
            (Some(beyond), _) => format!("reaches beyond the database: {beyond}"),
            (None, "COPY FROM STDIN") => "the data of COPY FROM STDIN is not in a log".to_owned(),
            (None, _) => continue,
        };
        *counts.entry(reason).or_insert(0) += statement.calls;
    }
    counts
}

#[derive(Default)]
struct ClassCounter {
    counts: HashMap<Vec<ClassPart>, u64>,
    others: u64,
}

impl ClassCounter {
    fn count_class(&mut self, statements: Vec<ClassPart>) {
        if statements.is_empty() {
            return;
        }
        if let Some(count) = self.counts.get_mut(&statements) {
            *count += 1;
        } else if self.counts.len() < CLASSES_AT_MOST {
            self.counts.insert(statements, 1);
        } else {
            self.others += 1;
        }
    }

    fn sort_classes(self) -> (Vec<TransactionClass>, u64) {
        let mut classes = Vec::new();
        for (statements, transactions) in self.counts {
            classes.push(TransactionClass { statements, transactions });
        }
        classes.sort_by(|a, b| b.transactions.cmp(&a.transactions).then(a.statements.cmp(&b.statements)));
        (classes, self.others)
    }
}

/// Values that a capture keeps, as they are written in it: what can be shown to whoever decides whether it may be given
/// away. Distinct ones, at most so many.
pub fn sample_values(reader: &CaptureReader, at_most: usize) -> CaptureResult<Vec<(u64, String)>> {
    let mut samples: Vec<(u64, String)> = Vec::new();
    for event in reader.event_stream() {
        let EventAction::Execute(execution) = event?.action else { continue };
        let values = execution.parameters.into_iter().flatten().chain(execution.literals);
        for value in values {
            let is_known = samples.iter().any(|(_, known)| *known == value);
            if !value.is_empty() && !is_known {
                samples.push((execution.statement, value));
            }
            if samples.len() == at_most {
                return Ok(samples);
            }
        }
    }
    Ok(samples)
}
