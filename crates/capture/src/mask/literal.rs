//! String literals of SQL: what they mean, and how a value is written as one.

use super::cipher::{Alphabet, ValueCipher};

/// The value of a literal in quotes, in dollar quotes, or with escapes. `None` for rarer forms.
pub(super) fn decode_literal(written: &str) -> Option<String> {
    if let Some(rest) = written.strip_prefix('$') {
        let tag = rest.find('$')? + 2;
        return Some(written.get(tag..written.len().checked_sub(tag)?)?.to_owned());
    }
    if let Some(rest) = written.strip_prefix(['e', 'E']) {
        return decode_escapes(rest.strip_prefix('\'')?.strip_suffix('\'')?);
    }
    let body = written.strip_prefix(['n', 'N']).unwrap_or(written).strip_prefix('\'')?.strip_suffix('\'')?;
    let mut value = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(quote) = rest.find('\'') {
        value.push_str(&rest[..=quote]);
        // A single quote within: the literal goes on in another line.
        rest = rest[quote + 1..].strip_prefix('\'')?;
    }
    value.push_str(rest);
    Some(value)
}

/// The value of `E'...'`, for the escapes that drivers write.
fn decode_escapes(body: &str) -> Option<String> {
    let mut value = String::with_capacity(body.len());
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' if characters.next() == Some('\'') => value.push('\''),
            '\'' => return None,
            '\\' => value.push(match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                other if other.is_alphanumeric() => return None,
                other => other,
            }),
            other => value.push(other),
        }
    }
    Some(value)
}

/// A value as a literal that means the same whatever `standard_conforming_strings` is.
pub(super) fn quote_literal(value: &str) -> String {
    let doubled = value.replace('\'', "''");
    if value.contains('\\') { format!("E'{}'", doubled.replace('\\', "\\\\")) } else { format!("'{doubled}'") }
}

/// The literal with what is between its first and its last quote masked as it is written.
pub(super) fn mask_written(cipher: &ValueCipher, written: &str) -> String {
    let (Some(start), Some(end)) = (written.find('\''), written.rfind('\'')) else { return quote_literal("") };
    if end <= start {
        return quote_literal("");
    }
    let body = cipher.permute_text(&written[start + 1..end], Alphabet::Text);
    format!("{}{body}{}", &written[..=start], &written[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_mean_their_values() {
        let cases = [
            ("'it''s'", Some("it's")),
            ("''", Some("")),
            ("$$a'b$$", Some("a'b")),
            ("$x$a$$b$x$", Some("a$$b")),
            ("E'a\\n\\'b\\\\'", Some("a\n'b\\")),
            ("E'\\x41'", None),
            ("N'a'", Some("a")),
            ("'a'\n'b'", None),
            ("U&'a'", None),
        ];
        for (written, value) in cases {
            assert_eq!(decode_literal(written).as_deref(), value, "{written}");
        }
        assert_eq!(quote_literal("it's"), "'it''s'");
        assert_eq!(quote_literal("a\\'b"), "E'a\\\\''b'");
    }
}
