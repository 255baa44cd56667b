//! One meta-command: its line to a command.

use super::command::{CommandKind, RowsOfFile, ShellWord, SleepAmount, SleepDelay, StatementRows};
use super::error::ScriptProblem;
use super::expression_parser;
use super::sql;
use super::value_rows::RowOrder;
use work::nearest_candidate;

/// pgbench's limit on the words of a meta-command.
const MAX_WORDS: usize = 256;

const NAMES: [&str; 17] = [
    "set",
    "sleep",
    "gset",
    "aset",
    "gsimple",
    "values",
    "remember",
    "recall",
    "if",
    "elif",
    "else",
    "endif",
    "startpipeline",
    "syncpipeline",
    "endpipeline",
    "shell",
    "setshell",
];

/// What a line of a script with a backslash is.
#[derive(Debug)]
pub(crate) enum MetaCommandLine {
    /// A command of its own.
    Command(CommandKind),
    /// `\gset` or `\aset`: what becomes of the rows of the statement before it.
    Rows(StatementRows),
    /// `\gsimple`: the statement before it is sent by the simple protocol.
    Simple,
}

/// Parses a meta-command with its backslash, which stands at `offset` of the script, to its last continuation line.
/// `None`: there is nothing behind the backslash.
///
/// # Errors
/// The first problem, with its place.
pub(crate) fn parse_meta_command(text: &str, offset: usize) -> Result<Option<MetaCommandLine>, ScriptProblem> {
    let words = split_words(text, offset);
    let Some((&(name, name_at), arguments)) = words.split_first() else { return Ok(None) };
    let expression = ["set", "if", "elif"].iter().any(|meta| meta.eq_ignore_ascii_case(name));
    if words.len() > MAX_WORDS && !expression {
        let problem = ScriptProblem::new(words[MAX_WORDS].1, format!("too many arguments in command \"{name}\""));
        return Err(problem.with_hint(format!("at most {} are possible", MAX_WORDS - 1)));
    }
    let meta = Meta { text, offset, name, name_at, arguments };
    let command = match name.to_ascii_lowercase().as_str() {
        "set" => meta.parse_set()?,
        "if" => CommandKind::If(meta.expression_after(name, name_at)?),
        "elif" => CommandKind::Elif(meta.expression_after(name, name_at)?),
        "else" => meta.without_arguments(CommandKind::Else)?,
        "endif" => meta.without_arguments(CommandKind::Endif)?,
        "startpipeline" => meta.without_arguments(CommandKind::StartPipeline)?,
        "syncpipeline" => meta.without_arguments(CommandKind::SyncPipeline)?,
        "endpipeline" => meta.without_arguments(CommandKind::EndPipeline)?,
        "sleep" => CommandKind::Sleep(meta.parse_sleep()?),
        "values" => CommandKind::Values(meta.parse_values()?),
        "remember" => {
            let (variable, number) = meta.parse_two_variables()?;
            CommandKind::Remember { variable, number }
        }
        "recall" => {
            let (variable, number) = meta.parse_two_variables()?;
            CommandKind::Recall { variable, number }
        }
        "shell" => meta.parse_shell()?,
        "setshell" => meta.set_shell()?,
        "gset" => return Ok(Some(MetaCommandLine::Rows(StatementRows::One { prefix: meta.parse_prefix()? }))),
        "aset" => return Ok(Some(MetaCommandLine::Rows(StatementRows::Last { prefix: meta.parse_prefix()? }))),
        "gsimple" => {
            meta.without_arguments(CommandKind::Else)?;
            return Ok(Some(MetaCommandLine::Simple));
        }
        _ => return Err(meta.unknown_command()),
    };
    Ok(Some(MetaCommandLine::Command(command)))
}

/// The words behind the backslash, with their places in the script.
fn split_words(text: &str, offset: usize) -> Vec<(&str, usize)> {
    let mut words = Vec::new();
    let mut at = 1;
    while at < text.len() {
        let rest = &text[at..];
        let length = word_length(rest);
        if length > 0 {
            words.push((&rest[..length], offset + at));
            at += length;
        } else {
            // White space, or the backslash of a continued line.
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    words
}

/// The length of the word at the start, which white space ends, or a backslash at the end of its line.
fn word_length(text: &str) -> usize {
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == '\x0b').unwrap_or(text.len());
    let continued = text[end..].starts_with('\n') || text[end..].starts_with("\r\n");
    if continued && text[..end].ends_with('\\') { end - 1 } else { end }
}

/// A meta-command split into its words.
struct Meta<'a> {
    text: &'a str,
    offset: usize,
    name: &'a str,
    name_at: usize,
    arguments: &'a [(&'a str, usize)],
}

impl Meta<'_> {
    fn parse_set(&self) -> Result<CommandKind, ScriptProblem> {
        let Some(&(variable, at)) = self.arguments.first() else { return Err(self.missing_argument("argument")) };
        variable_name(variable, at)?;
        let expression = self.expression_after(variable, at)?;
        Ok(CommandKind::Set { variable: variable.to_owned(), expression })
    }

    /// The expression behind the word at that place.
    fn expression_after(
        &self,
        word: &str,
        at: usize,
    ) -> Result<super::expression::Expression<expression_parser::VariableName>, ScriptProblem> {
        let start = at + word.len();
        let result = expression_parser::parse_expression(&self.text[start - self.offset..], start);
        result.map_err(|problem| problem.in_command(self.name))
    }

    fn parse_sleep(&self) -> Result<SleepDelay, ScriptProblem> {
        let (amount, unit) = match self.arguments {
            [] => return Err(self.missing_argument("argument")),
            [_, _, (_, at), ..] => {
                return Err(ScriptProblem::new(*at, "too many arguments").in_command(self.name));
            }
            [amount] => (*amount, None),
            [amount, unit] => (*amount, Some(*unit)),
        };
        let (text, at) = amount;
        let (amount, unit) = match sql::variable_at(text) {
            Some(name) => (SleepAmount::Variable { name: name.to_owned(), offset: at }, unit),
            None => {
                let sign = usize::from(text.starts_with(['+', '-']));
                let digits = sign + text[sign..].bytes().take_while(u8::is_ascii_digit).count();
                let value = text[..digits].parse::<i32>();
                let (Ok(value), true) = (value, digits == text.len() || unit.is_none()) else {
                    let problem = format!("invalid sleep time, must be an integer ({text})");
                    return Err(ScriptProblem::new(at, problem).in_command(self.name));
                };
                // The unit may follow without a space.
                let unit = if digits < text.len() { Some((&text[digits..], at + digits)) } else { unit };
                (SleepAmount::Fixed(i64::from(value)), unit)
            }
        };
        let unit_us = match unit {
            None => 1_000_000,
            Some((unit, _)) if unit.eq_ignore_ascii_case("us") => 1,
            Some((unit, _)) if unit.eq_ignore_ascii_case("ms") => 1_000,
            Some((unit, _)) if unit.eq_ignore_ascii_case("s") => 1_000_000,
            Some((unit, at)) => {
                let problem = format!("unrecognized time unit, must be us, ms or s ({unit})");
                return Err(ScriptProblem::new(at, problem).in_command(self.name));
            }
        };
        Ok(SleepDelay { amount, unit_us })
    }

    fn parse_shell(&self) -> Result<CommandKind, ScriptProblem> {
        if self.arguments.is_empty() {
            return Err(self.missing_argument("command"));
        }
        Ok(CommandKind::Shell { variable: None, words: shell_words(self.arguments)? })
    }

    fn parse_values(&self) -> Result<RowsOfFile, ScriptProblem> {
        let (file, order) = match self.arguments {
            [] => return Err(self.missing_argument("file")),
            [(file, _)] => (*file, RowOrder::Random),
            [(file, _), (word, at)] => {
                let known = RowOrder::WORDS.into_iter().find(|(known, _)| known == word);
                let Some((_, order)) = known else {
                    let problem = ScriptProblem::new(*at, format!("unknown order of rows \"{word}\""));
                    return Err(problem.in_command(self.name).with_hint("write random, sequential or shuffled"));
                };
                (*file, order)
            }
            [_, _, (_, at), ..] => return Err(ScriptProblem::new(*at, "too many arguments").in_command(self.name)),
        };
        Ok(RowsOfFile { file: file.to_owned(), order, rows: None })
    }

    /// The names of two variables, without colons.
    fn parse_two_variables(&self) -> Result<(String, String), ScriptProblem> {
        match self.arguments {
            [] | [_] => Err(self.missing_argument("variable")),
            [(first, first_at), (second, second_at)] => {
                variable_name(first, *first_at)?;
                variable_name(second, *second_at)?;
                Ok(((*first).to_owned(), (*second).to_owned()))
            }
            [_, _, (_, at), ..] => Err(ScriptProblem::new(*at, "too many arguments").in_command(self.name)),
        }
    }

    fn set_shell(&self) -> Result<CommandKind, ScriptProblem> {
        let [(variable, at), command @ ..] = self.arguments else { return Err(self.missing_argument("argument")) };
        variable_name(variable, *at)?;
        if command.is_empty() {
            return Err(self.missing_argument("argument"));
        }
        Ok(CommandKind::Shell { variable: Some((*variable).to_owned()), words: shell_words(command)? })
    }

    fn parse_prefix(&self) -> Result<String, ScriptProblem> {
        match self.arguments {
            [] => Ok(String::new()),
            [(prefix, _)] => Ok((*prefix).to_owned()),
            [_, (_, at), ..] => Err(ScriptProblem::new(*at, "too many arguments").in_command(self.name)),
        }
    }

    fn without_arguments(&self, kind: CommandKind) -> Result<CommandKind, ScriptProblem> {
        match self.arguments.first() {
            None => Ok(kind),
            Some((_, at)) => Err(ScriptProblem::new(*at, "unexpected argument").in_command(self.name)),
        }
    }

    fn missing_argument(&self, what: &str) -> ScriptProblem {
        ScriptProblem::new(self.name_at + self.name.len(), format!("missing {what}")).in_command(self.name)
    }

    fn unknown_command(&self) -> ScriptProblem {
        let problem = ScriptProblem::new(self.offset, "invalid command").in_command(self.name);
        if self.name.eq_ignore_ascii_case("setrandom") {
            return problem
                .with_hint("\\setrandom was removed in PostgreSQL 9.6: write \\set variable random(lower, upper)");
        }
        match nearest_candidate(self.name, NAMES) {
            Some(known) => problem.with_hint(format!("did you mean \\{known}?")),
            None => problem.with_hint(format!("the meta-commands are \\{}", NAMES.join(", \\"))),
        }
    }
}

fn variable_name(name: &str, at: usize) -> Result<(), ScriptProblem> {
    if sql::is_variable_name(name) {
        return Ok(());
    }
    let problem = ScriptProblem::new(at, format!("invalid variable name: \"{name}\""));
    Err(problem.with_hint("a name consists of letters, digits and underscores, and does not start with a digit"))
}

/// `:name` is a variable; two colons stand for one that begins a literal.
fn shell_words(words: &[(&str, usize)]) -> Result<Vec<ShellWord>, ScriptProblem> {
    words
        .iter()
        .map(|&(text, offset)| match text.strip_prefix(':') {
            None => Ok(ShellWord::Literal(text.to_owned())),
            Some(literal) if literal.starts_with(':') => Ok(ShellWord::Literal(literal.to_owned())),
            Some(name) => {
                variable_name(name, offset)?;
                Ok(ShellWord::Variable { name: name.to_owned(), offset })
            }
        })
        .collect()
}
