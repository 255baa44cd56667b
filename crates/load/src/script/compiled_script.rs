//! A script made ready to run, as plain data: what `compiler` makes, `fold` simplifies and `run` executes.

use super::awaited::JobStatementNumber;
use super::command::{OnConflict, SharedGenerator};
use super::expression::Expression;
use super::request::StatementRequest;
use super::value_rows::{RowOrder, ValueRows};
use super::variables::{RowPlace, VariableSlot};
use std::sync::Arc;

/// One script of a program.
#[derive(Debug)]
pub(crate) struct CompiledScript {
    pub(crate) name: String,
    pub(crate) weight: u64,
    pub(crate) on_conflict: OnConflict,
    pub(crate) steps: Vec<ScriptStep>,
    /// What has to be prepared on each connection: name and SQL. Empty unless the mode is prepared.
    pub(crate) preparations: Vec<(String, String)>,
}

/// One step of a script, with the line of its command where it can fail.
#[derive(Debug)]
pub(crate) enum ScriptStep {
    Set {
        slot: VariableSlot,
        expression: Expression<VariableSlot>,
        line: u32,
    },
    Generate {
        slot: VariableSlot,
        inputs: Vec<VariableSlot>,
        generator: SharedGenerator,
    },
    /// Takes a row of a file.
    TakeRow(Box<RowTaking>),
    Send {
        request: StatementRequest,
        rows: Option<RowsNumber>,
        statement: JobStatementNumber,
        line: u32,
    },
    /// Sends COPY FROM STDIN; its rows follow once the server asks for them.
    Copy {
        request: StatementRequest,
        data: Arc<[u8]>,
        statement: JobStatementNumber,
        line: u32,
    },
    /// Sends the request whose number is the variable's value.
    SendOneOf {
        number: VariableSlot,
        requests: Box<[StatementRequest]>,
        statement: JobStatementNumber,
        line: u32,
    },
    /// If the condition does not hold, goes on at a later step.
    Unless {
        condition: Expression<VariableSlot>,
        go_to: usize,
        line: u32,
    },
    /// Goes on at a later step.
    GoTo(usize),
    Sleep {
        amount: CompiledAmount,
        unit_us: i64,
        statement: JobStatementNumber,
        line: u32,
    },
    Shell {
        variable: Option<VariableSlot>,
        words: Vec<CompiledWord>,
        statement: JobStatementNumber,
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

/// How a client takes rows of a file.
#[derive(Debug)]
pub(crate) struct RowTaking {
    pub(crate) rows: Arc<ValueRows>,
    pub(crate) order: RowOrder,
    /// The variables of the columns.
    pub(crate) columns: Vec<VariableSlot>,
    /// Which row comes next.
    pub(crate) place: RowPlace,
    /// How many clients share the rows.
    pub(crate) clients: u32,
    /// What a shuffled order follows from.
    pub(crate) seed: i64,
}

#[derive(Debug)]
pub(crate) enum CompiledAmount {
    Fixed(i64),
    Variable(VariableSlot),
}

#[derive(Debug)]
pub(crate) enum CompiledWord {
    Literal(String),
    Variable(VariableSlot),
}

/// A place in [`Program::rows`](super::program::ScriptProgram::rows_by_number).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowsNumber(pub(crate) usize);
