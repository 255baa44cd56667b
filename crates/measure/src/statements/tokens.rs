//! The words of an SQL text, without what stands in texts and comments, and what it calls. Pure.

/// A part of an SQL text that means something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SqlToken {
    /// A keyword or a name: in lower case, or as it stands in double quotes.
    Word(String),
    /// Any other character, those of operators and numbers included.
    Symbol(char),
}

/// A function that a text names before a parenthesis.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CalledFunction {
    /// The schema, if the text names it.
    pub(super) schema: Option<String>,
    /// The function.
    pub(super) name: String,
}

/// The tokens of a text.
pub(super) fn tokens_of_text(text: &str) -> Vec<SqlToken> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let here = characters[at];
        let next = characters.get(at + 1).copied();
        match here {
            '\'' => at = end_of_quoted(&characters, at, is_escaping(&characters, at)),
            '"' => {
                let end = end_of_quoted(&characters, at, false);
                let name: String = characters[at + 1..end.saturating_sub(1).max(at + 1)].iter().collect();
                tokens.push(SqlToken::Word(name.replace("\"\"", "\"")));
                at = end;
            }
            '-' if next == Some('-') => at = position_of_end(&characters, at, |c| c == '\n'),
            '/' if next == Some('*') => at = end_of_comment(&characters, at),
            '$' => match end_of_dollar_quoted(&characters, at) {
                Some(end) => at = end,
                None => {
                    tokens.push(SqlToken::Symbol(here));
                    at += 1;
                }
            },
            _ if is_name_start(here) => {
                let end = position_of_end(&characters, at, |c| !is_name_start(c) && !c.is_ascii_digit() && c != '$');
                let word: String = characters[at..end].iter().collect();
                tokens.push(SqlToken::Word(word.to_lowercase()));
                at = end;
            }
            _ => {
                if !here.is_whitespace() {
                    tokens.push(SqlToken::Symbol(here));
                }
                at += 1;
            }
        }
    }
    tokens
}

/// The functions that a text may call: whatever name stands before a parenthesis. Tables and keywords are among them.
pub(super) fn calls_in_text(text: &str) -> Vec<CalledFunction> {
    let tokens = tokens_of_text(text);
    let mut calls = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        if *token != SqlToken::Symbol('(') || place == 0 {
            continue;
        }
        let SqlToken::Word(name) = &tokens[place - 1] else { continue };
        let schema = match (place.checked_sub(3), place.checked_sub(2)) {
            (Some(schema), Some(dot)) if tokens[dot] == SqlToken::Symbol('.') => match &tokens[schema] {
                SqlToken::Word(schema) => Some(schema.clone()),
                SqlToken::Symbol(_) => None,
            },
            _ => None,
        };
        calls.push(CalledFunction { schema, name: name.clone() });
    }
    calls
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || !c.is_ascii()
}

fn position_of_end(characters: &[char], from: usize, ends: impl Fn(char) -> bool) -> usize {
    let length = characters[from..].iter().position(|c| ends(*c));
    length.map_or(characters.len(), |length| from + length)
}

/// Whether the quote at this place begins a text with backslash escapes: `E'...'`.
fn is_escaping(characters: &[char], quote: usize) -> bool {
    let before = |back: usize| quote.checked_sub(back).map(|place| characters[place]);
    matches!(before(1), Some('e' | 'E')) && !before(2).is_some_and(|c| is_name_start(c) || c.is_ascii_digit())
}

/// Behind the quoted text that begins here.
fn end_of_quoted(characters: &[char], begin: usize, escapes: bool) -> usize {
    let quote = characters[begin];
    let mut at = begin + 1;
    while at < characters.len() {
        let is_doubled = characters[at] == quote && characters.get(at + 1) == Some(&quote);
        if is_doubled || (escapes && characters[at] == '\\') {
            at += 2;
        } else if characters[at] == quote {
            return at + 1;
        } else {
            at += 1;
        }
    }
    characters.len()
}

/// Behind the comment that begins here; comments nest.
fn end_of_comment(characters: &[char], begin: usize) -> usize {
    let (mut at, mut depth) = (begin, 0_u32);
    while at + 1 < characters.len() {
        match [characters[at], characters[at + 1]] {
            ['/', '*'] => (at, depth) = (at + 2, depth + 1),
            ['*', '/'] => {
                (at, depth) = (at + 2, depth - 1);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    characters.len()
}

/// Behind the dollar-quoted text that begins here, if one does.
fn end_of_dollar_quoted(characters: &[char], begin: usize) -> Option<usize> {
    let close = begin + 1 + characters[begin + 1..].iter().position(|c| *c == '$')?;
    let tag = &characters[begin..=close];
    let is_tag =
        tag[1..tag.len() - 1].iter().enumerate().all(|(i, c)| is_name_start(*c) || (i > 0 && c.is_ascii_digit()));
    if !is_tag {
        return None;
    }
    let body = &characters[close + 1..];
    let length = body.windows(tag.len()).position(|window| window == tag);
    Some(length.map_or(characters.len(), |length| close + 1 + length + tag.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_names_before_a_parenthesis_outside_of_texts_and_comments() {
        let cases: [(&str, &[&str]); 6] = [
            ("SELECT NextVal ('s'), x.y(1), \"Odd Name\"(2)", &["nextval", "x.y", "Odd Name"]),
            ("SELECT 'f(1)', E'a\\'g(1)', $$h(1)$$, $t$ i(1) $t$ -- j(1)\n, k(1)", &["k"]),
            ("/* a(1) /* b(1) */ c(1) */ SELECT d(1)", &["d"]),
            ("((orders.total * '2'::numeric) > round(x, 2))", &["round"]),
            ("SELECT $1 + f($2)", &["f"]),
            ("", &[]),
        ];
        for (text, wanted) in cases {
            let shown = |call: CalledFunction| {
                call.schema.map_or(call.name.clone(), |schema| format!("{schema}.{}", call.name))
            };
            assert_eq!(calls_in_text(text).into_iter().map(shown).collect::<Vec<_>>(), wanted, "{text}");
        }
    }
}
