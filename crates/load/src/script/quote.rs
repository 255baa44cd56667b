//! Text of SQL as a script has it.

use super::sql;

/// The text of one request as a script has it, so that it is sent as it is. Outside of quotes a semicolon gets the
/// backslash with which it ends nothing, and a colon before a name a space behind it, which means the same to
/// PostgreSQL. `None` where something in quotes or in a comment would be taken for one of the variables `is_variable`,
/// which nothing can prevent.
///
/// The text has to be whole: quotes that are opened are closed.
#[must_use]
pub fn escape_statement(text: &str, is_variable: &dyn Fn(&str) -> bool) -> Option<String> {
    fill_statement(text, is_variable, &|_| None)
}

/// The same of a text with `$1`, `$2`, ..., each with what `fill` has for its number in its place; `None` of `fill`:
/// there is nothing, and the whole cannot be a script's.
#[must_use]
pub fn fill_statement(
    text: &str,
    is_variable: &dyn Fn(&str) -> bool,
    fill: &dyn Fn(u32) -> Option<String>,
) -> Option<String> {
    let mut escaped = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        if let Some(placeholder) = sql::placeholder_at(text, at) {
            // A number that is too large is none of a statement.
            escaped.push_str(&fill(placeholder[1..].parse().ok()?)?);
            at += placeholder.len();
            continue;
        }
        if let Some(length) = sql::opaque_length(text, at) {
            let opaque = &text[at..at + length];
            for (colon, _) in opaque.match_indices(':') {
                if sql::variable_at(&opaque[colon..]).is_some_and(is_variable) {
                    return None;
                }
            }
            escaped.push_str(opaque);
            at += length;
            continue;
        }
        match character {
            ':' if sql::variable_at(&text[at..]).is_some() && !text[..at].ends_with(':') => escaped.push_str(": "),
            ';' => escaped.push_str("\\;"),
            // No operator of PostgreSQL has one; a script would take it for a command.
            '\\' => return None,
            _ => escaped.push(character),
        }
        at += character.len_utf8();
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::ParsedScript;
    use crate::script::command::CommandKind;
    use crate::script::sql::SqlPiece;
    use proptest::prelude::*;

    /// What a script with this text alone sends, if it is one statement without variables.
    fn sent_text(escaped: &str) -> Option<String> {
        let script = ParsedScript::parse("t.sql", &format!("{escaped} \\gsimple\n")).ok()?;
        let [only] = &script.commands[..] else { return None };
        let CommandKind::Plain { statement, .. } = &only.kind else { return None };
        match &statement.pieces[..] {
            [SqlPiece::Text(text)] => Some(text.clone()),
            _ => None,
        }
    }

    #[test]
    fn a_text_is_sent_as_it_is() {
        for text in [
            "SELECT a[1: n], '{}'::jsonb FROM t",
            "BEGIN; UPDATE t SET x = 1; COMMIT",
            "SELECT 'it''s; ' || E'\\';' || $q$ ; $q$ || \"a;b\"",
            "SELECT a[1::int: b]",
            "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END",
        ] {
            let escaped = escape_statement(text, &|_| true).expect("it can be escaped");
            assert_eq!(sent_text(&escaped).as_deref(), Some(text), "{escaped}");
        }
        let ours = |name: &str| name == "name" || name == "b" || name == "x";
        for text in ["SELECT ':name'", "SELECT \"a:b\"", "SELECT 1 /* :x */", "SELECT 1 \\ 2"] {
            assert_eq!(escape_statement(text, &ours), None, "{text}");
        }
        for (text, expected) in
            [("SELECT '12:30', ':other'", "SELECT '12:30', ':other'"), ("SELECT a[1:n]", "SELECT a[1: n]")]
        {
            assert_eq!(escape_statement(text, &ours).as_deref(), Some(expected));
        }
    }

    #[test]
    fn placeholders_are_filled_outside_of_quotes() {
        let fill = |number: u32| (number < 12).then(|| format!(":p{number}"));
        let cases = [
            (
                "SELECT $1, '$2', \"$3\", $$ $4 $$, a$5, $11::int",
                Some("SELECT :p1, '$2', \"$3\", $$ $4 $$, a$5, :p11::int"),
            ),
            ("SELECT $12", None),
            ("SELECT $99999999999999999999", None),
        ];
        for (text, expected) in cases {
            assert_eq!(fill_statement(text, &|_| true, &fill).as_deref(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_sent_as_it_is_but_for_spaces_behind_colons(text in "[a-z:;(){}1 ]{1,30}") {
            let text = format!("SELECT {}", text.trim());
            let sent = escape_statement(&text, &|_| true).and_then(|escaped| sent_text(&escaped));
            prop_assert_eq!(sent.map(|sent| sent.replace(": ", ":")), Some(text.trim_end().replace(": ", ":")));
        }
    }
}
