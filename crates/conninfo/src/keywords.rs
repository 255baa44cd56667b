//! `key = value` connection strings as libpq reads them: white space around `=` is free, a value with white space is
//! put in single quotes, a backslash takes the next character literally.

use super::ConninfoError;

/// Splits a string into its pairs, in order. Names are not checked here.
pub(super) fn parse_keyword_pairs(text: &str) -> Result<Vec<(String, String)>, ConninfoError> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_ascii_whitespace()).unwrap_or(rest.len());
        let name = &rest[..end];
        let Some(after) = rest[end..].trim_start().strip_prefix('=') else {
            return Err(malformed_pairs_error("a word without \"=\" after it"));
        };
        let (value, after) = read_keyword_value(after.trim_start())?;
        pairs.push((name.to_owned(), value));
        rest = after.trim_start();
    }
    Ok(pairs)
}

/// Reads one value and returns what follows it.
fn read_keyword_value(text: &str) -> Result<(String, &str), ConninfoError> {
    let quoted = text.strip_prefix('\'');
    let mut characters = quoted.unwrap_or(text).char_indices();
    let start = text.len() - quoted.unwrap_or(text).len();
    let mut value = String::new();
    while let Some((at, c)) = characters.next() {
        match c {
            // As libpq: a backslash at the very end stands for nothing.
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            '\'' if quoted.is_some() => return Ok((value, &text[start + at + 1..])),
            c if quoted.is_none() && c.is_ascii_whitespace() => return Ok((value, &text[start + at..])),
            c => value.push(c),
        }
    }
    if quoted.is_some() {
        Err(malformed_pairs_error("a quoted value without its closing quote"))
    } else {
        Ok((value, ""))
    }
}

/// A value as [`parse_keyword_pairs`] reads it back.
pub(super) fn quote_keyword_value(value: &str) -> String {
    let plain = !value.is_empty() && value.chars().all(|c| !c.is_ascii_whitespace() && c != '\\' && c != '\'');
    if plain { value.to_owned() } else { format!("'{}'", value.replace('\\', "\\\\").replace('\'', "\\'")) }
}

fn malformed_pairs_error(what: &'static str) -> ConninfoError {
    let hint = "write key=value pairs with spaces between them; put a value with spaces in single quotes, and write \
                \\' and \\\\ for a quote and a backslash in it";
    ConninfoError::Malformed { what, hint }
}
