//! A script made ready to run, as plain data: what `compiler` makes, `fold` simplifies and `run` executes.

use super::awaited::StatementNumber;
use super::command::{Generator, OnConflict};
use super::expression::Expression;
use super::request::Request;
use super::variables::Slot;

/// One script of a program.
#[derive(Debug)]
pub(crate) struct CompiledScript {
    pub(crate) name: String,
    pub(crate) weight: u64,
    pub(crate) on_conflict: OnConflict,
    pub(crate) steps: Vec<Step>,
    /// What has to be prepared on each connection: name and SQL. Empty unless the mode is prepared.
    pub(crate) preparations: Vec<(String, String)>,
}

/// One step of a script, with the line of its command where it can fail.
#[derive(Debug)]
pub(crate) enum Step {
    Set {
        slot: Slot,
        expression: Expression<Slot>,
        line: u32,
    },
    Generate {
        slot: Slot,
        inputs: Vec<Slot>,
        generator: Generator,
    },
    Send {
        request: Request,
        rows: Option<RowsNumber>,
        statement: StatementNumber,
        line: u32,
    },
    /// Sends the request whose number is the variable's value.
    SendOneOf {
        number: Slot,
        requests: Box<[Request]>,
        statement: StatementNumber,
        line: u32,
    },
    /// If the condition does not hold, goes on at a later step.
    Unless {
        condition: Expression<Slot>,
        go_to: usize,
        line: u32,
    },
    /// Goes on at a later step.
    GoTo(usize),
    Sleep {
        amount: CompiledAmount,
        unit_us: i64,
        statement: StatementNumber,
        line: u32,
    },
    Shell {
        variable: Option<Slot>,
        words: Vec<CompiledWord>,
        statement: StatementNumber,
        line: u32,
    },
    StartPipeline {
        line: u32,
    },
    SyncPipeline {
        line: u32,
    },
    EndPipeline {
        line: u32,
    },
}

#[derive(Debug)]
pub(crate) enum CompiledAmount {
    Fixed(i64),
    Variable(Slot),
}

#[derive(Debug)]
pub(crate) enum CompiledWord {
    Literal(String),
    Variable(Slot),
}

/// A place in [`Program::rows`](super::program::Program::rows).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowsNumber(pub(crate) usize);
