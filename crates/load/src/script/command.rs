//! The commands of a script, as parsed or as a workload puts them together: names, not slots.

use super::expression::Expression;
use super::expression_parser::VariableName;
use super::sql::SqlStatement;
use super::value_rows::{RowOrder, ValueRows};
use super::variables::{ClientVariables, VariableSlot};
use std::fmt;
use std::sync::Arc;
use work::Random;

/// One command of a script, with the byte offset at which it starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScriptCommand {
    pub(crate) offset: usize,
    pub(crate) kind: CommandKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CommandKind {
    /// `\set variable expression`.
    Set {
        variable: String,
        expression: Expression<VariableName>,
    },
    /// A variable gets a value that no expression has, computed by code.
    Generate {
        variable: String,
        inputs: Vec<String>,
        generator: SharedGenerator,
    },
    /// `\remember variable number`: all clients know the value of the variable under that number from now on.
    Remember {
        variable: String,
        number: String,
    },
    /// `\recall variable number`: the variable gets the value that is known under that number, if one is.
    Recall {
        variable: String,
        number: String,
    },
    /// SQL, without its semicolon.
    Sql {
        statement: SqlStatement,
        rows: StatementRows,
    },
    /// `\values file order`: the columns of a row become variables.
    Values(RowsOfFile),
    /// One of several statements, the one whose number (from 0) is the variable's value.
    OneOf {
        number: String,
        statements: Vec<SqlStatement>,
    },
    /// SQL that is sent as text in every query mode: with `\gsimple` in a script.
    Plain {
        statement: SqlStatement,
        rows: StatementRows,
    },
    /// `COPY ... FROM STDIN` with the rows that follow it; it is sent as text in every query mode, since it has no
    /// parameters.
    Copy {
        statement: SqlStatement,
        data: Arc<[u8]>,
    },
    /// `\sleep`.
    Sleep(SleepDelay),
    /// `\shell command` and, with a variable, `\setshell variable command`.
    Shell {
        variable: Option<String>,
        words: Vec<ShellWord>,
    },
    If(Expression<VariableName>),
    Elif(Expression<VariableName>),
    Else,
    Endif,
    StartPipeline,
    SyncPipeline,
    EndPipeline,
}

/// A file of values, and how rows are taken of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowsOfFile {
    /// As the script names it.
    pub(crate) file: String,
    pub(crate) order: RowOrder,
    /// Its rows, once they have been read.
    pub(crate) rows: Option<Arc<ValueRows>>,
}

/// What becomes of a transaction that has failed because of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnConflict {
    /// What the job says: 40001 and 40P01 are tried again, so often and with the same random numbers.
    AsTheJobSays,
    /// It begins anew with other random numbers until it succeeds, also after 23505; as in sysbench.
    Restart,
}

/// What is a prepared statement of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preparing {
    /// Each command, as in pgbench; so each has a plan of its own.
    EachCommand,
    /// Each text, however many commands have it, as in sysbench.
    EachText,
    /// Each command, once it is executed for the first time.
    WhenExecuted,
}

/// What becomes of the rows of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StatementRows {
    /// They pass unread.
    Ignored,
    /// `\gset prefix`: the last result is one row, whose columns become variables.
    One { prefix: String },
    /// `\aset prefix`: the columns of the last row of each result become variables.
    Last { prefix: String },
}

/// How long `\sleep` takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SleepDelay {
    pub(crate) amount: SleepAmount,
    /// Microseconds in the unit of the amount.
    pub(crate) unit_us: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SleepAmount {
    Fixed(i64),
    Variable { name: String, offset: usize },
}

/// A word of a shell command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShellWord {
    Literal(String),
    Variable { name: String, offset: usize },
}

/// Computes the value of a variable. Has to allocate nothing in the steady state.
pub(crate) trait Generate: fmt::Debug + Send + Sync {
    /// Sets `target`, with [`ClientVariables::set_value`] or [`ClientVariables::set_text`]; may read `inputs`, which
    /// are in the order in which the command names them.
    fn generate_value(
        &self,
        inputs: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        random: &mut Random,
    );
}

/// A shared [`Generate`]; equal only to itself.
#[derive(Debug, Clone)]
pub(crate) struct SharedGenerator(pub(crate) Arc<dyn Generate>);

impl PartialEq for SharedGenerator {
    fn eq(&self, other: &SharedGenerator) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
