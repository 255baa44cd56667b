//! Values that the server made, as a proxy has followed them, or as they were inferred from a log: which value of a
//! statement is what an earlier statement returned. Within a transaction, a replay takes what its own server has
//! returned. Across transactions, of whatever session, it takes what the replay of that earlier transaction was given,
//! which stands under a number.
//!
//! A value that is equal by chance, such as a quantity that is also an id, is told by how often that happens: a link
//! counts if half of the values of that parameter have one, or if the value is hardly met by chance.

use std::collections::{BTreeMap, HashMap};

use capture::directory::{CaptureReader, CapturedEvent, CapturedStatement, EventAction, Execution, ValueOrigin};
use capture::statement_view::STATEMENT_VIEW;

use super::executed_values::{NumberedExecution, value_at, values_of_statement};
use super::inferred_results::InferredResults;

/// A number of fewer digits may be met by chance.
const DISTINCTIVE_LENGTH: usize = 6;
/// The share of the values of a parameter that have a link.
const USUAL_SHARE: f64 = 0.5;

/// A result from which values were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LinkedResult {
    session: u64,
    transaction: u64,
    statement: u64,
    rows: Option<u64>,
}

/// Where a value of a statement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum ValueSource {
    /// The statement of this event returned it in this column of its last row, in the same transaction.
    Same { event: u64, column: u32 },
    /// It is kept under this number.
    Kept { number: u32 },
}

/// Which parameter takes which column of which statement: the two statements, the parameter's place, and the column.
type LinkKind = (u64, u32, u64, u32);

/// All links of a capture.
#[derive(Debug, Default)]
pub(super) struct CapturedLinks {
    /// Results that have been taken from, by the number of their event.
    results: HashMap<u64, LinkedResult>,
    /// How often a parameter was sent: by statement and place.
    sent: HashMap<(u64, u32), u64>,
    kinds: HashMap<LinkKind, u64>,
    /// The number under which a column of the last row of a result is kept.
    kept: HashMap<(u64, u32), u32>,
    /// In a capture without results: what is known of them.
    inferred: InferredResults,
}

impl CapturedLinks {
    /// Reads all events. Statements that a view has counted have no sessions, and so no links.
    pub(super) fn of_capture(capture: &CaptureReader) -> Result<Self, capture::directory::CaptureError> {
        let mut links = Self::default();
        if has_source(capture, STATEMENT_VIEW) {
            return Ok(links);
        }
        if !has_source(capture, "proxy") {
            links.inferred = InferredResults::of_capture(capture)?;
        }
        for (number, event) in (0..).zip(capture.event_stream()) {
            links.count_event(number, &event?);
        }
        for (number, event) in (0..).zip(capture.event_stream()) {
            links.number_kept(number, &event?, capture);
        }
        Ok(links)
    }

    fn count_event(&mut self, number: u64, event: &CapturedEvent) {
        let EventAction::Execute(execution) = &event.action else { return };
        let is_inferred = self.inferred.has_result(number);
        if execution.rows_hash.is_some() || is_inferred {
            let result = LinkedResult {
                session: event.session,
                transaction: execution.transaction,
                statement: execution.statement,
                rows: if is_inferred { Some(1) } else { execution.rows },
            };
            self.results.insert(number, result);
        }
        for place in 0..execution.parameters.len() + execution.literals.len() {
            let place = u32::try_from(place).unwrap_or(u32::MAX);
            *self.sent.entry((execution.statement, place)).or_default() += 1;
        }
        for origin in &self.origins_of_execution(number, execution) {
            if let Some(result) = self.results.get(&origin.event) {
                *self.kinds.entry((execution.statement, origin.place, result.statement, origin.column)).or_default() +=
                    1;
            }
        }
    }

    /// Where values may come from.
    fn origins_of_execution(&self, number: u64, execution: &Execution) -> Vec<ValueOrigin> {
        if execution.origins.is_empty() {
            self.inferred.origins_of_execution(number, execution)
        } else {
            execution.origins.clone()
        }
    }

    fn number_kept(&mut self, number: u64, event: &CapturedEvent, capture: &CaptureReader) {
        let EventAction::Execute(execution) = &event.action else { return };
        let Some(statement) = capture.statement_by_id(execution.statement) else { return };
        let origins = self.origins_of_execution(number, execution);
        for place in 0..values_of_statement(statement) {
            let best = self.best_origin(event.session, execution, place, &origins);
            let Some((event_number, column)) = best else { continue };
            let is_same = self.is_same_transaction(event_number, event.session, execution.transaction);
            if !is_same && event_number < number {
                let next = u32::try_from(self.kept.len()).unwrap_or(u32::MAX);
                self.kept.entry((event_number, column)).or_insert(next);
            }
        }
    }

    /// The sources of the values of an execution, by their place.
    pub(super) fn sources_of_execution(
        &self,
        session: u64,
        executed: &NumberedExecution,
        statement: &CapturedStatement,
    ) -> BTreeMap<u32, ValueSource> {
        let mut sources = BTreeMap::new();
        let execution = &executed.execution;
        let origins = self.origins_of_execution(executed.event, execution);
        if origins.is_empty() {
            return sources;
        }
        for place in 0..values_of_statement(statement) {
            let Some((event, column)) = self.best_origin(session, execution, place, &origins) else { continue };
            if self.is_same_transaction(event, session, execution.transaction) {
                sources.insert(place, ValueSource::Same { event, column });
            } else if let Some(number) = self.kept.get(&(event, column)) {
                sources.insert(place, ValueSource::Kept { number: *number });
            }
        }
        sources
    }

    /// The columns of an event that are kept, and under which numbers.
    pub(super) fn kept_columns(&self, event: u64) -> BTreeMap<u32, u32> {
        let mut columns = BTreeMap::new();
        let Some(result) = self.results.get(&event) else { return columns };
        // A result has few columns; those beyond are not kept.
        for column in 0..COLUMNS {
            if let Some(number) = self.kept.get(&(event, column))
                && result.rows.is_some()
            {
                columns.insert(column, *number);
            }
        }
        columns
    }

    fn is_same_transaction(&self, event: u64, session: u64, transaction: u64) -> bool {
        self.results.get(&event).is_some_and(|it| it.session == session && it.transaction == transaction)
    }

    /// The most usual origin of a value among those that a script can carry: of the last row, in its first columns.
    fn best_origin(
        &self,
        session: u64,
        execution: &Execution,
        place: u32,
        origins: &[ValueOrigin],
    ) -> Option<(u64, u32)> {
        let value = value_at(execution, place)?;
        let mut best: Option<(bool, u64, (u64, u32))> = None;
        for origin in origins.iter().filter(|origin| origin.place == place) {
            let Some(result) = self.results.get(&origin.event) else { continue };
            if origin.column >= COLUMNS || result.rows != Some(origin.row + 1) {
                continue;
            }
            let kind = (execution.statement, place, result.statement, origin.column);
            let count = self.kinds.get(&kind).copied().unwrap_or(0);
            let sent = self.sent.get(&(execution.statement, place)).copied().unwrap_or(1).max(1);
            let is_usual = count as f64 >= USUAL_SHARE * sent as f64;
            if !is_usual && !is_distinctive(value) {
                continue;
            }
            let is_same = result.session == session && result.transaction == execution.transaction;
            if best.is_none_or(|(same, known, _)| (is_same, count) > (same, known)) {
                best = Some((is_same, count, (origin.event, origin.column)));
            }
        }
        best.map(|(_, _, origin)| origin)
    }
}

/// Columns of a result that a value may be taken from.
const COLUMNS: u32 = 32;

fn has_source(capture: &CaptureReader, kind: &str) -> bool {
    capture.summary().sources.iter().any(|source| source.kind == kind)
}

fn is_distinctive(value: &str) -> bool {
    value.len() >= DISTINCTIVE_LENGTH
}
