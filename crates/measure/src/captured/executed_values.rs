//! Executions with their places among the events, and the values that they were sent with.

use capture::directory::{CapturedStatement, Execution, StatementProtocol};

/// An execution with its place among the events.
#[derive(Debug, Default)]
pub(super) struct NumberedExecution {
    /// The number of its event, from 0.
    pub(super) event: u64,
    pub(super) execution: Execution,
}

/// A value as it is sent. A literal in quotes is replaced with them, which no value of a result has.
pub(super) fn value_at(execution: &Execution, place: u32) -> Option<&str> {
    let place = place as usize;
    match execution.parameters.get(place) {
        Some(parameter) => parameter.as_deref(),
        None => {
            let literal = execution.literals.get(place - execution.parameters.len())?;
            if literal.bytes().all(|byte| byte.is_ascii_digit()) { Some(literal) } else { None }
        }
    }
}

/// How many columns a statement has: so many of its values a script can replace.
pub(super) fn values_of_statement(statement: &CapturedStatement) -> u32 {
    match statement.protocol {
        StatementProtocol::Simple => statement.parameters + statement.literals,
        StatementProtocol::Extended => statement.parameters,
    }
}
