//! SQL text as a script needs it: where a statement ends, and where its variables stand. PostgreSQL understands the
//! rest.

/// A part of a statement's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// `:name`, with the byte offset in the statement where it stands.
    Variable {
        name: String,
        offset: usize,
    },
}

/// The name of the variable at the very start of `text` (`:name`). A name begins with a letter or an underscore, so that
/// `12:30` and `a[1:2]` contain none.
pub(crate) fn variable_at(text: &str) -> Option<&str> {
    let name = text.strip_prefix(':')?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    let begins_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    begins_well.then_some(&name[..end])
}

/// Splits a statement at its variables. Like pgbench this does not look at quotes: `':name'` contains a variable.
/// `::type` is a cast.
pub(crate) fn split(sql: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut text_start, mut at) = (0, 0);
    while let Some(colon) = sql[at..].find(':').map(|found| at + found) {
        at = colon;
        if sql[at..].starts_with("::") {
            at += 2;
            continue;
        }
        let Some(name) = variable_at(&sql[at..]) else {
            at += 1;
            continue;
        };
        if text_start < at {
            pieces.push(Piece::Text(sql[text_start..at].to_owned()));
        }
        pieces.push(Piece::Variable { name: name.to_owned(), offset: at });
        at += 1 + name.len();
        text_start = at;
    }
    if text_start < sql.len() {
        pieces.push(Piece::Text(sql[text_start..].to_owned()));
    }
    pieces
}

/// The offset in `text` of what ends the statement at its start: a semicolon or a backslash outside of quotes, comments
/// and (for the semicolon) parentheses, or the end of the text.
pub(crate) fn statement_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut parentheses) = (0usize, 0u32);
    while at < bytes.len() {
        let rest = &text[at..];
        match bytes[at] {
            b'\\' => return at,
            b';' if parentheses == 0 => return at,
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            b'\'' => {
                let escapes = at > 0 && matches!(bytes[at - 1], b'e' | b'E') && !(at > 1 && is_word(bytes[at - 2]));
                at += quoted(rest, b'\'', escapes);
                continue;
            }
            b'"' => {
                at += quoted(rest, b'"', false);
                continue;
            }
            b'$' if !(at > 0 && is_word(bytes[at - 1])) => {
                at += dollar_quoted(rest);
                continue;
            }
            b'-' if rest.starts_with("--") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += block_comment(rest);
                continue;
            }
            _ => {}
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    text.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The length of the quoted text at the start; a doubled quote does not end it.
fn quoted(text: &str, quote: u8, backslash_escapes: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if backslash_escapes => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The length of the dollar-quoted text at the start, or 1 if that `$` begins none.
fn dollar_quoted(text: &str) -> usize {
    let Some(tag_end) = text[1..].find('$').map(|found| found + 2) else { return 1 };
    let tag = &text[..tag_end];
    let name = &tag[1..tag_end - 1];
    if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return 1;
    }
    text[tag_end..].find(tag).map_or(text.len(), |found| tag_end + found + tag.len())
}

/// The length of the comment at the start; comments nest.
fn block_comment(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0u32);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest.starts_with(b"*/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}
