//! What can be wrong with a script, with the place.

use std::fmt;
use thiserror::Error;

/// A place in a script. Lines and columns count from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    /// The place of the byte at `offset` of `text`.
    pub(crate) fn from_offset(text: &str, offset: usize) -> Position {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
        Position { line, column: before[line_start..].chars().count() as u32 + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A script that cannot be run. Displays as `script:line:column: what is wrong`;
/// [`source_excerpt`](Self::source_excerpt) shows it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{script}:{line}:{column}: {problem}")]
pub struct ScriptError {
    /// The script's name, such as its path.
    pub script: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub hint: Option<String>,
    /// The text of that line.
    pub text: String,
}

impl ScriptError {
    /// The line, and below it a caret at the place, as pgbench prints them. A line of more than 120 characters is cut.
    pub fn source_excerpt(&self) -> String {
        let column = self.column as usize - 1;
        let skipped = column.saturating_sub(80);
        let line: String = self.text.chars().skip(skipped).take(120).collect();
        // A tab stays one, so that the caret stands below its place.
        let margin = line.chars().take(column - skipped).map(|c| if c == '\t' { '\t' } else { ' ' });
        let margin: String = margin.collect();
        format!("{line}\n{margin}^ error found here")
    }
}

/// A problem at a byte offset, before the script's name is known to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScriptProblem {
    pub(crate) offset: usize,
    pub(crate) problem: String,
    pub(crate) hint: Option<String>,
}

impl ScriptProblem {
    pub(crate) fn new(offset: usize, problem: impl Into<String>) -> ScriptProblem {
        ScriptProblem { offset, problem: problem.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> ScriptProblem {
        self.hint = Some(hint.into());
        self
    }

    /// The problem is one of the meta-command of this name.
    pub(crate) fn in_command(mut self, name: &str) -> ScriptProblem {
        self.problem = format!("{} in command \"{name}\"", self.problem);
        self
    }

    pub(crate) fn into_script_error(self, script: &str, text: &str) -> ScriptError {
        let Position { line, column } = Position::from_offset(text, self.offset);
        let line_text = text.lines().nth(line as usize - 1).unwrap_or_default().to_owned();
        ScriptError { script: script.to_owned(), line, column, problem: self.problem, hint: self.hint, text: line_text }
    }
}
