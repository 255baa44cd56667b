//! What of another program's language stands in a statement, and cannot mean here what was meant: `$1` of a server's
//! statistics, `:'name'` of psql, a variable in quotes or in a comment.

use super::error::ScriptProblem;
use super::sql::{self, SqlPiece, SqlStatement};
use work::QueryMode;

/// Refuses the first of them. `text` is the statement as it stands at `base` of its script.
///
/// # Errors
/// What stands there, and what to write in its place.
pub(crate) fn check_misplaced(
    text: &str,
    base: usize,
    statement: &SqlStatement,
    mode: QueryMode,
) -> Result<(), ScriptProblem> {
    let takes_numbers = begins_with(text, &["prepare", "create"]);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        if let Some(length) = sql::opaque_length(text, at).filter(|length| *length > 1) {
            if mode != QueryMode::Simple {
                variable_within(statement, base + at, base + at + length, bytes[at])?;
            }
            at += length;
            continue;
        }
        if let Some(name) = quoted_variable(text, at) {
            let problem =
                ScriptProblem::new(base + at, format!("{} is the variable syntax of psql", variable_with_quotes(rest)));
            return Err(problem.with_hint(format!("write :{name}: scripts use the syntax of pgbench")));
        }
        if let Some(number) = sql::placeholder_at(text, at).filter(|_| !takes_numbers) {
            let problem = ScriptProblem::new(base + at, format!("{number} has no value"));
            return Err(
                problem.with_hint("use a variable :name instead, and set it before: \\set name random(1, 1000)")
            );
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    Ok(())
}

/// A variable between two offsets of the script, which are those of a quoted text or a comment.
fn variable_within(statement: &SqlStatement, from: usize, to: usize, first: u8) -> Result<(), ScriptProblem> {
    for piece in &statement.pieces {
        let SqlPiece::Variable { name, offset } = piece else { continue };
        if *offset < from || *offset >= to {
            continue;
        }
        let (place, hint) = match first {
            b'\'' => {
                ("quotes", format!("write :{name} without quotes, or use `mode: simple`, which inserts its value"))
            }
            b'"' => ("a quoted identifier", "use `mode: simple`, which inserts its value".to_owned()),
            b'$' => ("a dollar-quoted string", "use `mode: simple`, which inserts its value".to_owned()),
            _ => ("a comment", "remove it from the comment".to_owned()),
        };
        let problem = format!("the variable :{name} is in {place}, where a statement has no parameters");
        return Err(ScriptProblem::new(*offset, problem).with_hint(hint));
    }
    Ok(())
}

/// The name in `:'name'` or `:"name"` at `at`, if that stands there.
fn quoted_variable(text: &str, at: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let follows_colon = at > 0 && bytes[at - 1] == b':';
    if bytes[at] != b':' || follows_colon {
        return None;
    }
    let quote = text[at + 1..].chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let name = text[at + 2..].split(quote).next()?;
    let is_closed = text[at + 2 + name.len()..].starts_with(quote);
    (is_closed && sql::is_variable_name(name)).then_some(name)
}

fn begins_with(text: &str, words: &[&str]) -> bool {
    let text = &text[sql::preamble_length(text)..];
    let first = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    words.iter().any(|word| word.eq_ignore_ascii_case(first))
}

/// The variable at the start of a text, with its quotes.
fn variable_with_quotes(text: &str) -> &str {
    let quote = text[1..].chars().next().unwrap_or('\'');
    let end = text[2..].find(quote).map_or(text.len(), |end| end + 3);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use crate::job::EngineJob;
    use crate::script::ParsedScript;
    use conninfo::{ConnInfo, ServerHost};
    use work::QueryMode;

    fn refusal(text: &str, mode: QueryMode) -> Option<String> {
        let script = ParsedScript::parse("t.sql", text).expect("it parses");
        let server = ConnInfo::new((ServerHost::tcp_from_name("localhost"), 5432), "", "");
        let job =
            EngineJob { mode, definitions: vec![("x".to_owned(), "1".to_owned())], ..EngineJob::new(server, script) };
        crate::check_job(&job).err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_of_another_language_is_refused_at_its_place() {
        let cases = [
            ("SELECT 1 WHERE 1 = $1;", "t.sql:1:20: $1 has no value"),
            ("SELECT\n  $2::int", "t.sql:2:3: $2 has no value"),
            ("SELECT :'x'", "t.sql:1:8: :'x' is the variable syntax of psql"),
            ("SELECT * FROM :\"x\"", "t.sql:1:15: :\"x\" is the variable syntax of psql"),
            ("SELECT ':x'", "t.sql:1:9: the variable :x is in quotes, where a statement has no parameters"),
            ("SELECT 1 /* :x */", "t.sql:1:13: the variable :x is in a comment, where a statement has no parameters"),
        ];
        for (text, wanted) in cases {
            assert_eq!(refusal(text, QueryMode::Prepared).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_accepted() {
        let texts = [
            "SELECT '$1', \"a$1\", $$ $1 $$, a$1 FROM t -- $1",
            "PREPARE q AS SELECT $1",
            "CREATE FUNCTION f(int) RETURNS int BEGIN ATOMIC SELECT $1; END",
            "SELECT a[1:'2'], '1'::text, now()::\"char\", 12:30",
            "SELECT :x, ':' || :x",
        ];
        for text in texts {
            assert_eq!(refusal(text, QueryMode::Prepared), None, "{text}");
        }
        assert_eq!(refusal("SELECT ':x' -- :x", QueryMode::Simple), None, "values are put into the text");
    }
}
