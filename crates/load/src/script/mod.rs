//! pgbench scripts: what a transaction consists of.
//!
//! Supported so far: SQL, comments, `\set` with integers, variables, `+ - * / %` and `random(lower, upper)`. Everything
//! else of the language is refused by name and place, never ignored.

mod builtin;
mod error;
mod expression;
mod expression_parser;
mod parser;
pub(crate) mod program;
mod sql;

pub use error::ScriptError;
pub use expression::EvaluationError;

/// A script that parsed; immutable and cheap to share by reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    name: String,
    text: String,
    commands: Vec<parser::Command>,
}

impl Script {
    /// The built-in script that pgbench calls `name`: `tpcb-like`, `simple-update` or `select-only`.
    pub fn builtin(name: &str) -> Option<Script> {
        let (name, text) = builtin::BUILTINS.into_iter().find(|(builtin, _)| *builtin == name)?;
        // Built-ins parse; a test holds it.
        Script::parse(name, text).ok()
    }

    /// The names that [`builtin`](Self::builtin) knows.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        builtin::BUILTINS.into_iter().map(|(name, _)| name)
    }

    /// Parses the text of a script. `name` is what it is called in results and errors, such as its path.
    ///
    /// # Errors
    /// The first problem, with line and column.
    pub fn parse(name: &str, text: &str) -> Result<Script, ScriptError> {
        let commands = parser::parse(text).map_err(|problem| problem.within(name, text))?;
        Ok(Script { name: name.to_owned(), text: text.to_owned(), commands })
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
        error::Position::of(&self.text, offset).line
    }
}

#[cfg(test)]
mod tests;
