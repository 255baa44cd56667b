//! pgbench scripts: what a transaction consists of.
//!
//! The language is pgbench's, all of it: SQL with variables, every meta-command, expressions with all operators and
//! functions. The rows of COPY FROM STDIN follow it as in psql. What it computes is bit for bit what pgbench
//! (PostgreSQL 15 and later) computes, and what is no script is refused with the place, never ignored.
//!
//! `parser`, `meta_command` and `expression_parser` turn text into commands; `compiler` turns these into a `program`;
//! `run` executes it step by step.

pub(crate) mod awaited;
mod builtin;
pub(crate) mod command;
pub(crate) mod compiled_script;
mod compiler;
mod conditionals;
mod copy_data;
mod defined;
mod distribution;
mod double;
mod drawn;
mod error;
mod evaluate;
mod evaluation_error;
mod expression;
mod expression_parser;
mod fold;
mod function;
pub(crate) mod gather;
mod hash;
mod lexer;
mod meta_command;
mod misplaced;
mod operator;
mod parser;
mod preparable;
pub(crate) mod program;
mod quote;
mod remembered;
pub(crate) mod request;
pub(crate) mod run;
pub(crate) mod sql;
pub(crate) mod statement;
pub(crate) mod value;
mod value_rows;
pub(crate) mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use drawn::DrawnStatement;
pub use error::ScriptError;
pub use evaluation_error::EvaluationError;
pub use preparable::Preparable;
pub use quote::{escape_statement, fill_statement};
pub use statement::{CommandLine, ScriptStatement, ScriptStatementKind};
pub use value_rows::{ValueRows, ValueRowsError, csv_line};

/// A script that parsed; immutable and cheap to share by reference.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedScript {
    name: String,
    text: String,
    commands: Vec<command::ScriptCommand>,
    on_conflict: command::OnConflict,
    preparing: command::Preparing,
    /// The value of its variable `scale`, where that is another than the job's.
    own_scale: Option<u32>,
}

impl ParsedScript {
    /// The built-in script that pgbench calls `name`: `tpcb-like`, `simple-update` or `select-only`.
    pub fn builtin(name: &str) -> Option<ParsedScript> {
        let (name, text) = builtin::BUILTINS.into_iter().find(|(builtin, _)| *builtin == name)?;
        // Built-ins parse; a test holds it.
        ParsedScript::parse(name, text).ok()
    }

    /// The names that [`builtin`](Self::builtin) knows.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        builtin::BUILTINS.into_iter().map(|(name, _)| name)
    }

    /// Parses the text of a script. `name` is what it is called in results and errors, such as its path.
    ///
    /// # Errors
    /// The first problem, with line and column.
    pub fn parse(name: &str, text: &str) -> Result<ParsedScript, ScriptError> {
        let commands = parser::parse_commands(text).map_err(|problem| problem.into_script_error(name, text))?;
        let (on_conflict, preparing) = (command::OnConflict::AsTheJobSays, command::Preparing::EachCommand);
        let (name, text) = (name.to_owned(), text.to_owned());
        Ok(ParsedScript { name, text, commands, on_conflict, preparing, own_scale: None })
    }

    /// The same script under another name.
    #[must_use]
    pub fn with_name(self, name: String) -> ParsedScript {
        ParsedScript { name, ..self }
    }

    /// The same script, whose variable `scale` is its own and begins with this value, whatever that of the job is: of
    /// scripts that run on data of different scales.
    #[must_use]
    pub fn with_own_scale(self, scale: u32) -> ParsedScript {
        ParsedScript { own_scale: Some(scale), ..self }
    }

    /// The same script, whose statements are prepared once they are executed for the first time, not when a connection
    /// is made: one that the server refuses fails its own transactions then, not the connection.
    #[must_use]
    pub fn prepared_when_executed(self) -> ParsedScript {
        ParsedScript { preparing: command::Preparing::WhenExecuted, ..self }
    }

    /// A script that a workload has put together. `text` shows a person what it does;
    /// the commands' offsets point into it.
    pub(crate) fn from_commands(
        name: &str,
        text: &str,
        commands: Vec<command::ScriptCommand>,
        on_conflict: command::OnConflict,
    ) -> ParsedScript {
        let preparing = command::Preparing::EachText;
        let (name, text) = (name.to_owned(), text.to_owned());
        ParsedScript { name, text, commands, on_conflict, preparing, own_scale: None }
    }

    /// The files of values that it names (`\values`), each once.
    pub fn value_files(&self) -> BTreeSet<&str> {
        self.rows_of_files().map(|of_file| of_file.file.as_str()).collect()
    }

    /// The same script, with the rows of one of its files of values.
    #[must_use]
    pub fn with_values(mut self, file: &str, rows: &Arc<ValueRows>) -> ParsedScript {
        for command in &mut self.commands {
            if let command::CommandKind::Values(of_file) = &mut command.kind
                && of_file.file == file
            {
                of_file.rows = Some(Arc::clone(rows));
            }
        }
        self
    }

    /// The rows of its files of values, as far as they are known, by file.
    pub fn value_rows(&self) -> BTreeMap<&str, &Arc<ValueRows>> {
        self.rows_of_files().filter_map(|of_file| Some((of_file.file.as_str(), of_file.rows.as_ref()?))).collect()
    }

    fn rows_of_files(&self) -> impl Iterator<Item = &command::RowsOfFile> {
        self.commands.iter().filter_map(|command| match &command.kind {
            command::CommandKind::Values(of_file) => Some(of_file),
            _ => None,
        })
    }

    /// What the script is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text it was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn line_of(&self, offset: usize) -> u32 {
        error::Position::from_offset(&self.text, offset).line
    }
}

#[cfg(test)]
mod tests;
