//! Values of rows that a statement picked and changed or locked, in a capture without results: `UPDATE … RETURNING` of
//! a queue, `SELECT … FOR UPDATE`. Which rows these are depends on what other sessions do at that time, so the values
//! that the application takes from them are other ones in a replay. A later parameter of the same transaction is such
//! a value if it is compared with a column of that name; parameters that have the same value in all transactions are
//! so, too.

use std::collections::{BTreeSet, HashMap};

use capture::directory::{CaptureReader, ValueOrigin};
use sql::ReturnReason;

use super::executed_values::{NumberedExecution, value_at};
use super::sequence_trace::VALUES_AT_LEAST;
use super::statement_shapes::{ColumnRelation, StatementShape, StatementShapes, relation_of_columns};
use super::transactions::{CapturedTransaction, OpenTransactions};

/// The share of the transactions in which a parameter has the value that was returned.
const AGREES_AT_LEAST: f64 = 0.95;

/// A parameter, and the column that it may be taken from: the statement that returns it and its place there.
type PickedKind = ((u64, u32), (u64, u32));

/// What was seen of such a parameter.
#[derive(Debug, Default)]
struct PickedCandidate {
    sent: u64,
    agreed: u64,
    /// Some values that agreed.
    values: BTreeSet<String>,
}

/// The values of one transaction that a column of one of its results must have had.
struct PickedColumn<'e> {
    step: usize,
    column: u32,
    value: &'e str,
}

/// Where values of later parameters come from, by the number of their event.
pub(super) fn origins_of_picked_values(
    capture: &CaptureReader,
    shapes: &StatementShapes,
) -> Result<HashMap<u64, Vec<ValueOrigin>>, capture::directory::CaptureError> {
    let mut candidates: HashMap<PickedKind, PickedCandidate> = HashMap::new();
    for_each_transaction(capture, &mut |transaction| {
        count_transaction(&mut candidates, shapes, &transaction.executions);
    })?;
    candidates.retain(|_, candidate| candidate.is_picked());
    let mut origins = HashMap::new();
    if !candidates.is_empty() {
        for_each_transaction(capture, &mut |transaction| {
            add_origins(&mut origins, &candidates, shapes, &transaction.executions);
        })?;
    }
    Ok(origins)
}

fn for_each_transaction(
    capture: &CaptureReader,
    take: &mut dyn FnMut(&CapturedTransaction),
) -> Result<(), capture::directory::CaptureError> {
    let mut open = OpenTransactions::default();
    for (number, event) in (0..).zip(capture.event_stream()) {
        if let Some(transaction) = open.add_event(number, event?) {
            take(&transaction);
        }
    }
    for transaction in open.into_rest() {
        take(&transaction);
    }
    Ok(())
}

fn count_transaction(
    candidates: &mut HashMap<PickedKind, PickedCandidate>,
    shapes: &StatementShapes,
    executions: &[NumberedExecution],
) {
    for picked in picked_columns(shapes, executions) {
        let returning = (executions[picked.step].execution.statement, picked.column);
        for (_, sender, value) in values_after(shapes, executions, picked.step) {
            let candidate = candidates.entry((sender, returning)).or_default();
            candidate.sent += 1;
            if value == picked.value {
                candidate.agreed += 1;
                if candidate.values.len() < VALUES_AT_LEAST {
                    candidate.values.insert(value.to_owned());
                }
            }
        }
    }
}

fn add_origins(
    origins: &mut HashMap<u64, Vec<ValueOrigin>>,
    candidates: &HashMap<PickedKind, PickedCandidate>,
    shapes: &StatementShapes,
    executions: &[NumberedExecution],
) {
    for picked in picked_columns(shapes, executions) {
        let returning = &executions[picked.step];
        for (event, sender, value) in values_after(shapes, executions, picked.step) {
            let kind = (sender, (returning.execution.statement, picked.column));
            if value == picked.value && candidates.contains_key(&kind) {
                let origin = ValueOrigin { place: sender.1, event: returning.event, column: picked.column, row: 0 };
                origins.entry(event).or_default().push(origin);
            }
        }
    }
}

impl PickedCandidate {
    fn is_picked(&self) -> bool {
        self.values.len() >= VALUES_AT_LEAST && self.agreed as f64 >= AGREES_AT_LEAST * self.sent as f64
    }
}

/// The columns whose values the later statements of a transaction show.
fn picked_columns<'e>(shapes: &StatementShapes, executions: &'e [NumberedExecution]) -> Vec<PickedColumn<'e>> {
    let mut picked = Vec::new();
    for (step, NumberedExecution { execution, .. }) in executions.iter().enumerate() {
        let Some(shape) = shapes.by_statement(execution.statement) else { continue };
        if !matches!(shape.returns, Some(ReturnReason::Writing | ReturnReason::Locking)) || execution.error.is_some() {
            continue;
        }
        for (column, _) in (0..).zip(&shape.columns) {
            if let Some(value) = value_of_column(shapes, executions, step, column) {
                picked.push(PickedColumn { step, column, value });
            }
        }
    }
    picked
}

/// The value of a returned column: that of parameters which are compared with the same column, else with another one
/// of its name. Nothing where they differ among themselves, or where it was sent before.
fn value_of_column<'e>(
    shapes: &StatementShapes,
    executions: &'e [NumberedExecution],
    step: usize,
    column: u32,
) -> Option<&'e str> {
    let returned = shapes.by_statement(executions[step].execution.statement)?.columns.get(column as usize)?;
    let mut best: Option<(ColumnRelation, &str)> = None;
    let mut is_ambiguous = false;
    for (_, (statement, place), value) in values_after(shapes, executions, step) {
        let Some(used) = shapes.by_statement(statement).and_then(|shape| shape.uses.get(place as usize)) else {
            continue;
        };
        let relation = relation_of_columns(returned, used);
        match best {
            _ if relation < ColumnRelation::SameName => {}
            Some((known, _)) if relation < known => {}
            Some((known, other)) if relation == known => is_ambiguous |= other != value,
            Some(_) | None => (best, is_ambiguous) = (Some((relation, value)), false),
        }
    }
    let (_, value) = best?;
    if is_ambiguous || was_sent_before(shapes, executions, step, value) { None } else { Some(value) }
}

/// The values that are sent after a statement of a transaction and before it is executed again: event, statement and
/// place, and the value.
fn values_after<'e>(
    shapes: &StatementShapes,
    executions: &'e [NumberedExecution],
    step: usize,
) -> Vec<(u64, (u64, u32), &'e str)> {
    let mut values = Vec::new();
    for NumberedExecution { event, execution } in &executions[step + 1..] {
        if execution.statement == executions[step].execution.statement {
            break;
        }
        for place in 0..places_of_shape(shapes.by_statement(execution.statement)) {
            if let Some(value) = value_at(execution, place) {
                values.push((*event, (execution.statement, place), value));
            }
        }
    }
    values
}

fn was_sent_before(shapes: &StatementShapes, executions: &[NumberedExecution], step: usize, value: &str) -> bool {
    for NumberedExecution { execution, .. } in &executions[..=step] {
        let places = 0..places_of_shape(shapes.by_statement(execution.statement));
        if places.into_iter().any(|place| value_at(execution, place) == Some(value)) {
            return true;
        }
    }
    false
}

fn places_of_shape(shape: Option<&StatementShape>) -> u32 {
    shape.map_or(0, |shape| u32::try_from(shape.uses.len()).unwrap_or(u32::MAX))
}
