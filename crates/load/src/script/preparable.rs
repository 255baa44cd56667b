//! The statements of a script as a server can be asked about them without executing any, and where in the script a
//! place of them is.

use super::ParsedScript;
use super::command::{CommandKind, ScriptCommand, StatementRows};
use super::compiler::may_define;
use super::error::{Position, ScriptError, ScriptProblem};
use super::sql::{self, SqlPiece, SqlStatement};
use work::QueryMode;

/// A statement of a script, ready to be prepared on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preparable {
    /// Its line in the script, from 1.
    pub line: u32,
    /// Its text, with `$1`, `$2`, ... in the place of its variables.
    pub text: String,
    /// How many of these there are.
    pub parameters: usize,
    /// Whether it stands in an `\if`, so that it may never be sent.
    pub conditional: bool,
    /// Where each character of the text stands in the script, as a byte offset.
    places: Vec<usize>,
}

impl Preparable {
    fn new(script: &ParsedScript, offset: usize, conditional: bool) -> Self {
        let line = script.line_of(offset);
        Self { line, text: String::new(), parameters: 0, conditional, places: Vec::new() }
    }

    fn push_text(&mut self, text: &str, at: usize) {
        self.text.push_str(text);
        self.places.extend(text.chars().map(|_| at));
    }

    /// Its parts between semicolons, as the simple protocol sends several statements in one text.
    fn split_statements(self, script: &ParsedScript) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = self.text.as_str();
        let mut places = self.places.as_slice();
        loop {
            let end = sql::statement_extent(rest).end;
            let characters = rest[..end].chars().count();
            let begin = rest[..end].len() - rest[..end].trim_start().len();
            let blank = rest[..begin].chars().count();
            if begin < end {
                parts.push(Self {
                    line: script.line_of(places[blank]),
                    text: rest[begin..end].to_owned(),
                    parameters: self.parameters,
                    conditional: self.conditional,
                    places: places[blank..characters].to_vec(),
                });
            }
            if end >= rest.len() {
                return parts;
            }
            let ended_by = rest[end..].chars().next().map_or(1, char::len_utf8);
            rest = &rest[end + ended_by..];
            places = &places[characters + 1..];
        }
    }
}

impl ParsedScript {
    /// Its statements, as they can be prepared in this mode. In the simple protocol the values of `definitions` are
    /// written into the text, as the load does it, and of files of values the first row.
    #[must_use]
    pub fn preparable_statements(&self, mode: QueryMode, definitions: &[(String, String)]) -> Vec<Preparable> {
        let mut found = Vec::new();
        let mut depth = 0_u32;
        let first_values = self.value_rows().values().flat_map(|rows| rows.first_as_text()).collect::<Vec<_>>();
        let in_text = [definitions, &first_values].concat();
        for ScriptCommand { offset, kind } in &self.commands {
            match kind {
                CommandKind::If(_) => depth += 1,
                CommandKind::Endif => depth = depth.saturating_sub(1),
                CommandKind::Sql { statement, .. } => {
                    let definitions: &[_] = if mode == QueryMode::Simple { &in_text } else { &[] };
                    let whole = self.fill_definitions(*offset, statement, definitions, depth > 0);
                    match mode {
                        QueryMode::Simple => found.extend(whole.split_statements(self)),
                        QueryMode::Extended | QueryMode::Prepared => found.push(whole),
                    }
                }
                CommandKind::Plain { statement, .. } | CommandKind::Copy { statement, .. } => {
                    let whole = self.fill_definitions(*offset, statement, &in_text, depth > 0);
                    found.extend(whole.split_statements(self));
                }
                // Scripts in files have no others that are sent.
                _ => {}
            }
        }
        found
    }

    fn fill_definitions(
        &self,
        offset: usize,
        statement: &SqlStatement,
        definitions: &[(String, String)],
        conditional: bool,
    ) -> Preparable {
        let mut to = Preparable::new(self, offset, conditional);
        let mut at = offset;
        for piece in &statement.pieces {
            match piece {
                SqlPiece::Text(text) => {
                    for character in text.chars() {
                        // The backslash of `\;` and `\:` is not sent.
                        let is_escaped = !self.text[at..].starts_with(character) && self.text[at..].starts_with('\\');
                        at += usize::from(is_escaped);
                        to.push_text(character.encode_utf8(&mut [0; 4]), at);
                        at += character.len_utf8();
                    }
                }
                SqlPiece::Variable { name, offset } | SqlPiece::Literal { name, offset } => {
                    match definitions.iter().find(|(defined, _)| defined == name) {
                        Some((_, value)) => to.push_text(value, *offset),
                        None => {
                            to.parameters += 1;
                            let number = format!("${}", to.parameters);
                            to.push_text(&number, *offset);
                        }
                    }
                    at = offset + 1 + name.len();
                }
            }
        }
        to
    }

    /// What of it pgbench does not know, if there is something.
    #[must_use]
    pub fn unknown_to_pgbench(&self) -> Option<&'static str> {
        self.commands.iter().find_map(|command| match command.kind {
            CommandKind::Values(_) => Some("\\values"),
            CommandKind::Remember { .. } => Some("\\remember"),
            CommandKind::Recall { .. } => Some("\\recall"),
            CommandKind::Plain { .. } => Some("\\gsimple"),
            CommandKind::Copy { .. } => Some("COPY FROM STDIN"),
            _ => None,
        })
    }

    /// An error at the first command that is not SQL alone, if there is one.
    #[must_use]
    pub fn first_meta_command(&self) -> Option<ScriptError> {
        let command = self
            .commands
            .iter()
            .find(|command| !matches!(command.kind, CommandKind::Sql { rows: StatementRows::Ignored, .. }))?;
        let what = match command.kind {
            CommandKind::Copy { .. } => "has COPY FROM STDIN, and only SQL without rows can be executed here",
            _ => "has a meta-command, and only SQL can be executed here",
        };
        let problem = ScriptProblem::new(command.offset, what);
        Some(problem.into_script_error(&self.name, &self.text))
    }

    /// Whether one of its statements may make what those after it need to be prepared, such as a table.
    #[must_use]
    pub fn may_define(&self) -> bool {
        self.commands.iter().any(may_define)
    }

    /// An error of a server about one of its statements, at the character (from 1) of its text that the server names,
    /// or at its begin.
    #[must_use]
    pub fn error_of(
        &self,
        of: &Preparable,
        character: Option<usize>,
        problem: &str,
        hint: Option<&str>,
    ) -> ScriptError {
        let place = character.and_then(|character| of.places.get(character.saturating_sub(1)));
        let offset = place.or(of.places.first()).copied().unwrap_or_default();
        let Position { line, column } = Position::from_offset(&self.text, offset);
        let text = self.text.lines().nth(line as usize - 1).unwrap_or_default().to_owned();
        let (script, problem, hint) = (self.name.clone(), problem.to_owned(), hint.map(str::to_owned));
        ScriptError { script, line, column, problem, hint, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> ParsedScript {
        ParsedScript::parse("t.sql", text).expect("it parses")
    }

    #[test]
    fn a_place_of_the_text_is_found_in_the_script() {
        let script = script("\\set id 1\nSELECT :id,\n  nowhere\\;\nSELECT bad;");
        let [only] = &script.preparable_statements(QueryMode::Prepared, &[])[..] else { panic!("one statement") };
        assert_eq!((only.text.as_str(), only.parameters), ("SELECT $1,\n  nowhere;\nSELECT bad", 1));
        for (word, line, column) in [("$1", 2, 8), ("nowhere", 3, 3), ("bad", 4, 8)] {
            let character = only.text.find(word).expect("it is in the text") + 1;
            let error = script.error_of(only, Some(character), "no", None);
            assert_eq!((error.line, error.column), (line, column), "{word}");
        }
        assert_eq!(script.error_of(only, None, "no", None).line, 2, "without a place it is the statement's begin");
    }

    #[test]
    fn the_simple_protocol_has_several_statements_and_the_values_in_the_text() {
        let script = script("SELECT 1 FROM :tab\\; SELECT ';'\\;\n UPDATE t SET x = :x;");
        let defined = [("tab".to_owned(), "orders".to_owned())];
        let parts = script.preparable_statements(QueryMode::Simple, &defined);
        let told: Vec<_> = parts.iter().map(|part| (part.line, part.text.as_str())).collect();
        assert_eq!(told, [(1, "SELECT 1 FROM orders"), (1, "SELECT ';'"), (2, "UPDATE t SET x = $1")]);
        let error = script.error_of(&parts[2], Some(8), "no", None);
        assert_eq!((error.line, error.column), (2, 9));
    }

    #[test]
    fn statements_that_may_never_be_sent_are_known() {
        let script = script("SELECT 1;\n\\if 0\nSELECT 2;\n\\endif\nSELECT 3;");
        let parts = script.preparable_statements(QueryMode::Prepared, &[]);
        assert_eq!(parts.iter().map(|part| part.conditional).collect::<Vec<_>>(), [false, true, false]);
    }
}
