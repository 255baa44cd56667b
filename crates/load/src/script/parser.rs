//! Text of a pgbench script to commands.
//!
//! As pgbench reads it: a backslash begins a meta-command that ends with its line (unless the line ends with a
//! backslash), `--` at the start of a command begins a comment, everything else is SQL up to `;`, a backslash or the end.

use crate::script::error::Problem;
use crate::script::expression::Expression;
use crate::script::expression_parser;
use crate::script::sql::{self, Piece};

/// One command of a script, with the byte offset at which it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) offset: usize,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `\set variable expression`.
    Set {
        variable: String,
        expression: Expression<String>,
        /// Where the expression starts.
        expression_offset: usize,
    },
    /// One SQL statement, without its semicolon.
    Sql(Vec<Piece>),
}

/// The commands of a script.
///
/// # Errors
/// The first problem, with its place.
pub(crate) fn parse(text: &str) -> Result<Vec<Command>, Problem> {
    let mut commands = Vec::new();
    let mut at = 0;
    loop {
        at += blank(&text[at..]);
        let rest = &text[at..];
        if rest.is_empty() {
            break;
        }
        if rest.starts_with('\\') {
            let length = meta_command_length(rest);
            commands.push(Command { offset: at, kind: meta_command(&rest[..length], at)? });
            at += length;
            continue;
        }
        let length = sql::statement_end(rest);
        let statement = rest[..length].trim_end();
        if !statement.is_empty() {
            commands.push(Command { offset: at, kind: Kind::Sql(sql::split(statement)) });
        }
        at += length + usize::from(rest[length..].starts_with(';'));
    }
    if !commands.iter().any(|command| matches!(command.kind, Kind::Sql(_))) {
        return Err(Problem::new(0, "the script has no SQL command"));
    }
    Ok(commands)
}

/// The length of the white space and comments at the start.
fn blank(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if !rest.starts_with("--") {
            return text.len() - rest.len();
        }
        rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
    }
}

/// The length of the meta-command at the start, with its continuation lines and without the last newline.
fn meta_command_length(text: &str) -> usize {
    let mut end = 0;
    loop {
        end += text[end..].find('\n').unwrap_or(text.len() - end);
        let continued = text[..end].trim_end_matches('\r').ends_with('\\');
        if !continued || end == text.len() {
            return end;
        }
        end += 1;
    }
}

fn meta_command(text: &str, offset: usize) -> Result<Kind, Problem> {
    let name_end = text[1..].find(char::is_whitespace).map_or(text.len(), |found| found + 1);
    let name = &text[1..name_end];
    if name != "set" {
        let problem = Problem::new(offset, format!("unknown meta-command \"\\{name}\""));
        return Err(problem.hint("the meta-command that can be used here is \\set"));
    }
    let rest = text[name_end..].trim_start();
    let variable_at = offset + text.len() - rest.len();
    let variable_end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let variable = &rest[..variable_end];
    if variable.is_empty() {
        return Err(Problem::new(variable_at, "\\set needs a variable and an expression"));
    }
    if sql::variable_at(&format!(":{variable}")) != Some(variable) {
        let problem = Problem::new(variable_at, format!("\"{variable}\" is not a variable's name"));
        return Err(problem.hint("a name consists of letters, digits and underscores and begins with no digit"));
    }
    let expression_offset = variable_at + variable_end;
    let expression = expression_parser::parse(&rest[variable_end..], expression_offset)?;
    Ok(Kind::Set { variable: variable.to_owned(), expression, expression_offset })
}
