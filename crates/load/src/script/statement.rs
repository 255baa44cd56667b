//! The statements of a job, one by one: what its latencies by statement, and whatever else is known of a statement, are
//! about. Pure; the same for every side that runs the same workload.

use super::ParsedScript;
use super::command::{CommandKind, ScriptCommand, ShellWord, SleepAmount, SleepDelay};
use super::sql::{self, SqlPiece};
use serde::{Deserialize, Serialize};
use work::QueryMode;

/// pgbench's limit on the first line of a command, in bytes.
const FIRST_LINE_MAX: usize = 127;

/// What a script waits for at one of its places: a statement that is sent, a `\sleep`, a shell command. Its place among
/// those of the job, script after script in the order of their commands, is its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptStatement {
    /// The name of its script.
    pub script: String,
    /// The place of its script among those of the job, from 0.
    pub script_number: usize,
    /// Its line in the script's text, from 1.
    pub line: u32,
    /// What it is.
    pub kind: ScriptStatementKind,
    /// As it is sent, but for the values of variables: `$1`, `$2`, ... stand for parameters, `:name` for a value that
    /// is written into the text. Whole, however long it is.
    pub text: String,
    /// The names of the variables that are its parameters, `$1` first.
    pub parameters: Vec<String>,
    /// How many texts there are of it, of which one is sent: as many as tables that it may go to. `text` is the first.
    pub variants: usize,
}

/// What a script waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScriptStatementKind {
    /// SQL, which the server answers.
    Sql,
    /// `\sleep`.
    Sleep,
    /// `\shell` or `\setshell`.
    Shell,
}

/// A command that is waited for, and what is sent of it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Waited<'a> {
    /// SQL whose parameters the engine fills in: so many texts, of which one is sent; the first, if there is one.
    Sql {
        first: Option<&'a sql::SqlStatement>,
        variants: usize,
    },
    /// SQL that is sent as it was written, in every mode.
    Plain(&'a sql::SqlStatement),
    Sleep(&'a SleepDelay),
    Shell {
        variable: Option<&'a str>,
        words: &'a [ShellWord],
    },
}

impl CommandKind {
    /// What is waited for; `None` of a command that the engine does by itself.
    pub(crate) fn waited_for(&self) -> Option<Waited<'_>> {
        match self {
            CommandKind::Sql { statement, .. } => Some(Waited::Sql { first: Some(statement), variants: 1 }),
            CommandKind::OneOf { statements, .. } => {
                Some(Waited::Sql { first: statements.first(), variants: statements.len() })
            }
            CommandKind::Plain { statement, .. } | CommandKind::Copy { statement, .. } => {
                Some(Waited::Plain(statement))
            }
            CommandKind::Sleep(delay) => Some(Waited::Sleep(delay)),
            CommandKind::Shell { variable, words } => Some(Waited::Shell { variable: variable.as_deref(), words }),
            CommandKind::Set { .. }
            | CommandKind::Generate { .. }
            | CommandKind::Values(_)
            | CommandKind::Remember { .. }
            | CommandKind::Recall { .. }
            | CommandKind::If(_)
            | CommandKind::Elif(_)
            | CommandKind::Else
            | CommandKind::Endif
            | CommandKind::StartPipeline
            | CommandKind::SyncPipeline
            | CommandKind::EndPipeline => None,
        }
    }
}

impl Waited<'_> {
    fn statement_kind(self) -> ScriptStatementKind {
        match self {
            Waited::Sql { .. } | Waited::Plain(_) => ScriptStatementKind::Sql,
            Waited::Sleep(_) => ScriptStatementKind::Sleep,
            Waited::Shell { .. } => ScriptStatementKind::Shell,
        }
    }

    /// The text, and the names of its parameters.
    fn text_and_parameters(self, mode: QueryMode) -> (String, Vec<String>) {
        match self {
            Waited::Sql { first: None, .. } => (String::new(), Vec::new()),
            Waited::Sql { first: Some(statement), .. } if mode != QueryMode::Simple => {
                let (text, variables) = statement.parameterised_text();
                (text, variables.into_iter().map(|(name, _)| name.to_owned()).collect())
            }
            Waited::Sql { first: Some(statement), .. } | Waited::Plain(statement) => {
                (as_written(statement), Vec::new())
            }
            Waited::Sleep(delay) => (sleep_text(delay), Vec::new()),
            Waited::Shell { variable, words } => (shell_text(variable, words), Vec::new()),
        }
    }
}

/// The statements of scripts that are sent in this mode, in the order of their numbers.
pub(crate) fn list_statements<'a>(
    scripts: impl Iterator<Item = &'a ParsedScript>,
    mode: QueryMode,
) -> Vec<ScriptStatement> {
    let mut found = Vec::new();
    for (script_number, script) in scripts.enumerate() {
        for ScriptCommand { offset, kind } in &script.commands {
            let Some(waited) = kind.waited_for() else { continue };
            let (text, parameters) = waited.text_and_parameters(mode);
            found.push(ScriptStatement {
                script: script.name.clone(),
                script_number,
                line: script.line_of(*offset),
                kind: waited.statement_kind(),
                text,
                parameters,
                variants: if let Waited::Sql { variants, .. } = waited { variants } else { 1 },
            });
        }
    }
    found
}

fn sleep_text(delay: &SleepDelay) -> String {
    let amount = match &delay.amount {
        SleepAmount::Fixed(amount) => amount.to_string(),
        SleepAmount::Variable { name, .. } => format!(":{name}"),
    };
    let unit = match delay.unit_us {
        1 => "us",
        1_000 => "ms",
        _ => "s",
    };
    format!("\\sleep {amount} {unit}")
}

fn shell_text(variable: Option<&str>, words: &[ShellWord]) -> String {
    let mut text = variable.map_or("\\shell".to_owned(), |variable| format!("\\setshell {variable}"));
    for word in words {
        match word {
            ShellWord::Literal(literal) => text.extend([" ", literal]),
            ShellWord::Variable { name, .. } => text.extend([" :", name]),
        }
    }
    text
}

fn as_written(statement: &sql::SqlStatement) -> String {
    let mut text = String::new();
    for piece in &statement.pieces {
        match piece {
            SqlPiece::Text(piece) => text.push_str(piece),
            SqlPiece::Variable { name, .. } => text.extend([":", name]),
            SqlPiece::Literal { name, .. } => text.extend(["':", name, "'"]),
        }
    }
    text
}

/// A command of a script as pgbench lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandLine<'a> {
    /// Its first line, of 127 bytes at most.
    pub text: &'a str,
    /// Whether it is a [`ScriptStatement`]: these come in the same order.
    pub is_statement: bool,
}

impl ParsedScript {
    /// Its commands in order, those that only compute as well.
    pub fn command_lines(&self) -> impl Iterator<Item = CommandLine<'_>> {
        self.commands.iter().map(|ScriptCommand { offset, kind }| {
            let rest = &self.text[*offset..];
            let end = match kind {
                CommandKind::Sql { .. } | CommandKind::Plain { .. } | CommandKind::Copy { .. } => {
                    let end = sql::statement_extent(rest).end;
                    end + usize::from(rest[end..].starts_with(';'))
                }
                _ => rest.len(),
            };
            let line = rest[..end].lines().next().unwrap_or_default();
            let text = &line[..line.floor_char_boundary(FIRST_LINE_MAX)];
            CommandLine { text, is_statement: kind.waited_for().is_some() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, mode: QueryMode) -> Vec<ScriptStatement> {
        let script = ParsedScript::parse("t.sql", text).expect("the script parses");
        list_statements([&script, &script].into_iter(), mode)
    }

    #[test]
    fn statements_are_numbered_script_after_script_and_know_their_lines_and_parameters() {
        let text = "\\set id 7\nSELECT :id,\n  'ü', :id;\n\\if :id > 3\n\\sleep 5 ms\n\\endif\nSELECT 2";
        let found = of(text, QueryMode::Prepared);
        let told: Vec<_> = found.iter().map(|it| (it.script_number, it.line, it.kind, it.text.as_str())).collect();
        let of_one = [
            (2, ScriptStatementKind::Sql, "SELECT $1,\n  'ü', $2"),
            (5, ScriptStatementKind::Sleep, "\\sleep 5 ms"),
            (7, ScriptStatementKind::Sql, "SELECT 2"),
        ];
        let of_both = [0, 1].into_iter().flat_map(|script| of_one.map(|(line, kind, text)| (script, line, kind, text)));
        assert_eq!(told, of_both.collect::<Vec<_>>());
        assert_eq!(found[0].parameters, ["id", "id"]);
    }

    #[test]
    fn commands_are_listed_with_their_first_lines_as_pgbench_lists_them() {
        let long = "ü".repeat(100);
        let text =
            format!("-- a comment\n\\set x 1\nSELECT :x; SELECT 2\n AS two;\nSELECT 4 AS four \\gset\nSELECT {long};");
        let script = ParsedScript::parse("t.sql", &text).expect("the script parses");
        let found: Vec<_> = script.command_lines().map(|line| (line.text, line.is_statement)).collect();
        let cut = &format!("SELECT {long}")[..127];
        let expected =
            [("\\set x 1", false), ("SELECT :x;", true), ("SELECT 2", true), ("SELECT 4 AS four ", true), (cut, true)];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_substituted_into_the_text_keeps_its_name() {
        let found = of("SELECT :id::int", QueryMode::Simple);
        assert_eq!((found[0].text.as_str(), found[0].parameters.len()), ("SELECT :id::int", 0));
    }
}
