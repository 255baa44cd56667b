//! Values that the server made, in a capture without results: which value an execution must have returned. Such a value
//! is sent for the first time by the session of the execution, after it, and nobody has sent it before. Over all
//! executions, such values of one parameter have the trace of a sequence, or are compared with the very column that the
//! statement returns.

use std::collections::{HashMap, HashSet};

use capture::directory::{CaptureReader, EventAction, Execution};

use super::executed_values::value_at;
use super::sequence_trace::{VALUES_AT_LEAST, have_sequence_trace};
use super::statement_shapes::{ColumnRelation, StatementShapes, relation_of_columns};

/// Executions of a session that are waited for at the same time, each of another statement.
const AWAITED_AT_MOST: usize = 8;
/// Values of which it is remembered when they were sent first; then the older ones are forgotten.
const REMEMBERED_VALUES: usize = 1 << 20;
/// The share of values that were not sent before: small numbers are met by chance.
const NEW_AT_LEAST: f64 = 0.8;
/// The share of executions after which one parameter had several new values.
const AMBIGUOUS_AT_MOST: f64 = 0.05;
/// Of two statements that may have returned the values of a parameter, the one with so many fewer is not considered.
const RIVAL_SHARE: f64 = 0.9;

/// So many times a parameter is sent before it is first looked at whether it may be a value that was returned.
const REVIEWED_AT_LEAST: u64 = 256;

/// A value that a server can make: a number of a sequence, or a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum MadeValue {
    /// A whole number.
    Number(i64),
    /// A UUID.
    Uuid(u128),
}

/// A result that was not captured: a value in one of its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct InferredResult {
    /// The number of its event.
    pub(super) event: u64,
    /// The column, from 0.
    pub(super) column: u32,
}

/// The values that the server made, each with the results that may have had it, the latest first.
pub(super) type MadeValues = HashMap<MadeValue, Vec<InferredResult>>;

/// A parameter that may be what a statement has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct CandidateKind {
    /// The statement that sends it, and its place there.
    sender: (u64, u32),
    /// The statement that may have returned it.
    returning: u64,
}

/// What was seen of a candidate.
#[derive(Debug, Default)]
struct Candidate {
    /// New values: when the statement that may have returned them was executed, its event, and the value.
    values: Vec<(i64, u64, MadeValue)>,
    /// How often the parameter was sent first after such an execution.
    sent: u64,
    /// How often it had a second new value then.
    ambiguous: u64,
    /// What it was is implausible; its values are not kept.
    is_given_up: bool,
}

/// An execution that may have returned something.
#[derive(Debug)]
struct AwaitedExecution {
    statement: u64,
    event: u64,
    at_us: i64,
    /// What was sent after it first, by statement and place.
    sent: HashMap<(u64, u32), MadeValue>,
}

/// Reads the events of a capture without results.
pub(super) struct MadeValueFinder<'a> {
    shapes: &'a StatementShapes,
    awaited: HashMap<u64, Vec<AwaitedExecution>>,
    first_sent: FirstSent,
    executions: HashMap<u64, u64>,
    candidates: HashMap<CandidateKind, Candidate>,
}

/// When values were sent first, of two generations.
#[derive(Debug, Default)]
struct FirstSent {
    newer: HashMap<MadeValue, u64>,
    older: HashMap<MadeValue, u64>,
}

impl FirstSent {
    /// The number of the event that sent the value first.
    fn note_value(&mut self, value: MadeValue, event: u64) -> u64 {
        if let Some(first) = self.newer.get(&value) {
            return *first;
        }
        if self.newer.len() >= REMEMBERED_VALUES {
            self.older = std::mem::take(&mut self.newer);
        }
        let first = self.older.get(&value).copied().unwrap_or(event);
        self.newer.insert(value, first);
        first
    }
}

impl MadeValue {
    pub(super) fn from_text(text: &str) -> Option<Self> {
        if let Ok(number) = text.parse() {
            return Some(Self::Number(number));
        }
        if !matches!(text.len(), 32 | 36) {
            return None;
        }
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        if digits.len() == 32 { u128::from_str_radix(&digits, 16).ok().map(Self::Uuid) } else { None }
    }
}

impl<'a> MadeValueFinder<'a> {
    /// The values of a whole capture.
    pub(super) fn of_capture(
        capture: &CaptureReader,
        shapes: &'a StatementShapes,
    ) -> Result<MadeValues, capture::directory::CaptureError> {
        let mut finder = Self {
            shapes,
            awaited: HashMap::new(),
            first_sent: FirstSent::default(),
            executions: HashMap::new(),
            candidates: HashMap::new(),
        };
        for (number, event) in (0..).zip(capture.event_stream()) {
            let event = event?;
            match event.action {
                EventAction::Execute(execution) => finder.add_execution(number, event.session, event.at_us, &execution),
                EventAction::Connect { .. } | EventAction::Disconnect => {
                    finder.awaited.remove(&event.session);
                }
            }
        }
        Ok(finder.into_values())
    }

    fn add_execution(&mut self, number: u64, session: u64, at_us: i64, execution: &Execution) {
        let Some(shape) = self.shapes.by_statement(execution.statement) else { return };
        let awaited = self.awaited.entry(session).or_default();
        let mut to_review = Vec::new();
        for (place, _) in (0..).zip(&shape.uses) {
            let Some(value) = value_at(execution, place).and_then(MadeValue::from_text) else { continue };
            let first_sent = self.first_sent.note_value(value, number);
            for earlier in awaited.iter_mut() {
                let sender = (execution.statement, place);
                let kind = CandidateKind { sender, returning: earlier.statement };
                let candidate = self.candidates.entry(kind).or_default();
                let is_new = first_sent > earlier.event;
                match earlier.sent.get(&sender) {
                    Some(known) => candidate.ambiguous += u64::from(is_new && *known != value),
                    None => {
                        earlier.sent.insert(sender, value);
                        candidate.sent += 1;
                        if is_new && !candidate.is_given_up {
                            candidate.values.push((earlier.at_us, earlier.event, value));
                        }
                        if candidate.sent >= REVIEWED_AT_LEAST && candidate.sent.is_power_of_two() {
                            to_review.push(kind);
                        }
                    }
                }
            }
        }
        if shape.returns.is_some() && execution.error.is_none() {
            *self.executions.entry(execution.statement).or_default() += 1;
            awaited.retain(|earlier| earlier.statement != execution.statement);
            awaited.truncate(AWAITED_AT_MOST - 1);
            let (statement, event) = (execution.statement, number);
            awaited.insert(0, AwaitedExecution { statement, event, at_us, sent: HashMap::new() });
        }
        for kind in to_review {
            self.review_candidate(kind);
        }
    }

    /// Most parameters are not what a statement has returned: their values take no memory for long.
    fn review_candidate(&mut self, kind: CandidateKind) {
        let Some(candidate) = self.candidates.remove(&kind) else { return };
        let is_given_up = candidate.is_given_up || !self.is_plausible(kind, &candidate);
        let kept = if is_given_up {
            Candidate { is_given_up, sent: candidate.sent, ..Candidate::default() }
        } else {
            candidate
        };
        self.candidates.insert(kind, kept);
    }

    /// Of each parameter the statement that has returned its values, if there is one; the values with the results.
    fn into_values(mut self) -> MadeValues {
        let candidates = std::mem::take(&mut self.candidates);
        let mut by_sender: HashMap<(u64, u32), Vec<(CandidateKind, Candidate)>> = HashMap::new();
        for (kind, candidate) in candidates {
            if self.is_plausible(kind, &candidate) {
                by_sender.entry(kind.sender).or_default().push((kind, candidate));
            }
        }
        let mut chosen: Vec<(CandidateKind, Candidate)> =
            by_sender.into_values().filter_map(|rivals| self.choose_candidate(rivals)).collect();
        // Those that explain the most come first, and all else agrees with them.
        chosen.sort_by_key(|(kind, candidate)| (std::cmp::Reverse(candidate.values.len()), *kind));
        let mut value_of_result: HashMap<InferredResult, MadeValue> = HashMap::new();
        for (kind, candidate) in chosen {
            let Some(column) = self.column_of_candidate(kind) else { continue };
            for (_, event, value) in candidate.values {
                value_of_result.entry(InferredResult { event, column }).or_insert(value);
            }
        }
        let mut values = MadeValues::new();
        for (result, value) in value_of_result {
            values.entry(value).or_default().push(result);
        }
        for results in values.values_mut() {
            results.sort_unstable_by_key(|result| std::cmp::Reverse(result.event));
        }
        values
    }

    fn column_of_candidate(&self, kind: CandidateKind) -> Option<u32> {
        let used = self.shapes.by_statement(kind.sender.0)?.uses.get(kind.sender.1 as usize)?;
        self.shapes.by_statement(kind.returning)?.column_of_made_value(used)
    }

    fn relation_of_candidate(&self, kind: CandidateKind) -> ColumnRelation {
        let used = self.shapes.by_statement(kind.sender.0).and_then(|shape| shape.uses.get(kind.sender.1 as usize));
        let columns = self.shapes.by_statement(kind.returning).map_or(&[][..], |shape| &shape.columns);
        let relations =
            used.into_iter().flat_map(|used| columns.iter().map(move |column| relation_of_columns(column, used)));
        relations.max().unwrap_or(ColumnRelation::Unrelated)
    }

    fn is_plausible(&self, kind: CandidateKind, candidate: &Candidate) -> bool {
        let count = candidate.values.len();
        let sent = candidate.sent as f64;
        if count < VALUES_AT_LEAST
            || (count as f64) < NEW_AT_LEAST * sent
            || candidate.ambiguous as f64 > AMBIGUOUS_AT_MOST * sent
            || self.column_of_candidate(kind).is_none()
        {
            return false;
        }
        let mut numbers = Vec::with_capacity(count);
        for (at_us, _, value) in &candidate.values {
            if let MadeValue::Number(number) = value {
                numbers.push((*at_us, *number));
            }
        }
        let executions = self.executions.get(&kind.returning).copied().unwrap_or_default();
        if numbers.len() == count && have_sequence_trace(&numbers, executions) {
            return true;
        }
        let distinct: HashSet<MadeValue> = candidate.values.iter().map(|(_, _, value)| *value).collect();
        distinct.len() == count
            && self.relation_of_candidate(kind) == ColumnRelation::SameColumn
            && self.compares_kind(kind)
    }

    /// Whether the parameter is compared with its column. What is stored in it may be the application's own key.
    fn compares_kind(&self, kind: CandidateKind) -> bool {
        let used = self.shapes.by_statement(kind.sender.0).and_then(|shape| shape.uses.get(kind.sender.1 as usize));
        matches!(used, Some(sql::PlaceholderUse::Compared(_)))
    }

    /// The one with the most values; of several with about as many, the one whose names are related. If none is, or
    /// several are alike, nothing is chosen: a wrong value is worse than the captured one.
    fn choose_candidate(&self, rivals: Vec<(CandidateKind, Candidate)>) -> Option<(CandidateKind, Candidate)> {
        let most = rivals.iter().map(|(_, candidate)| candidate.values.len()).max()?;
        let mut near = Vec::new();
        for (kind, candidate) in rivals {
            if candidate.values.len() as f64 >= RIVAL_SHARE * most as f64 {
                near.push((self.relation_of_candidate(kind), kind, candidate));
            }
        }
        let best = near.iter().map(|(relation, _, _)| *relation).max()?;
        near.retain(|(relation, _, _)| *relation == best);
        let (_, kind, candidate) = near.pop()?;
        if near.is_empty() { Some((kind, candidate)) } else { None }
    }
}
