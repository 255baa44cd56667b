//! SQL text as a script needs it: where a statement ends, and where its variables stand. PostgreSQL understands the
//! rest.

/// A statement with its variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SqlStatement {
    pub(crate) pieces: Vec<SqlPiece>,
}

impl SqlStatement {
    /// The text with `$1`, `$2`, ... in the place of its variables; their names, each with its offset.
    pub(crate) fn parameterised_text(&self) -> (String, Vec<(&str, usize)>) {
        let (mut text, mut parameters) = (String::new(), Vec::new());
        for piece in &self.pieces {
            match piece {
                SqlPiece::Text(piece) => text.push_str(piece),
                SqlPiece::Variable { name, offset } | SqlPiece::Literal { name, offset } => {
                    parameters.push((name.as_str(), *offset));
                    text.push_str(&format!("${}", parameters.len()));
                }
            }
        }
        (text, parameters)
    }
}

/// A part of a statement's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SqlPiece {
    Text(String),
    /// `:name`, with the byte offset in the statement where it stands.
    Variable {
        name: String,
        offset: usize,
    },
    /// A variable that is a text without quotes and backslashes: in quotes where it is substituted. Scripts have none.
    Literal {
        name: String,
        offset: usize,
    },
}

/// Whether `name` can name a variable: letters (any character beyond ASCII is one), digits and underscores, the first
/// of which is no digit.
pub(crate) fn is_variable_name(name: &str) -> bool {
    is_prefixed_variable_name("", name)
}

/// The same of `prefix` and `name` in one.
pub(crate) fn is_prefixed_variable_name(prefix: &str, name: &str) -> bool {
    let mut characters = prefix.chars().chain(name.chars());
    characters.next().is_some_and(is_letter) && characters.all(|c| is_letter(c) || c.is_ascii_digit())
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

/// The name of the variable at the very start of `text` (`:name`). A name begins with a letter or an underscore, so
/// that `12:30` and `a[1:2]` contain none.
pub(crate) fn variable_at(text: &str) -> Option<&str> {
    let name = text.strip_prefix(':')?;
    let end = name.find(|c: char| !(is_letter(c) || c.is_ascii_digit())).unwrap_or(name.len());
    name.starts_with(is_letter).then_some(&name[..end])
}

/// Splits a statement, which stands at `base` of the script, at its variables. Like pgbench this does not look at
/// quotes: `':name'` contains a variable. `::type` is a cast. The backslashes at `escapes` are left out.
pub(crate) fn split_at_variables(sql: &str, base: usize, escapes: &[usize]) -> SqlStatement {
    let mut text = String::with_capacity(sql.len());
    let mut copied = 0;
    for &escape in escapes.iter().filter(|&&escape| escape < sql.len()) {
        text.push_str(&sql[copied..escape]);
        copied = escape + 1;
    }
    text.push_str(&sql[copied..]);
    // Where something stands in the script: each escape before it has made the text one shorter.
    let mut pieces = Vec::new();
    let (mut text_start, mut at) = (0, 0);
    while let Some(colon) = text[at..].find(':').map(|found| at + found) {
        at = colon;
        let Some(name) = variable_at(&text[at..]) else {
            at += text[at..].bytes().take_while(|&byte| byte == b':').count();
            continue;
        };
        if text_start < at {
            pieces.push(SqlPiece::Text(text[text_start..at].to_owned()));
        }
        pieces.push(SqlPiece::Variable {
            name: name.to_owned(),
            offset: base + escapes.iter().fold(at, |at, &escape| if escape <= at { at + 1 } else { at }),
        });
        at += 1 + name.len();
        text_start = at;
    }
    if text_start < text.len() {
        pieces.push(SqlPiece::Text(text[text_start..].to_owned()));
    }
    SqlStatement { pieces }
}

/// Where a statement ends, and what of it is not part of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatementExtent {
    /// The offset of what ends it: a semicolon, a backslash, or the end of the text.
    pub(crate) end: usize,
    /// The offsets of the backslashes in `\;` and `\:`, which stand for a semicolon and a colon that mean nothing to
    /// the script.
    pub(crate) escapes: Vec<usize>,
}

/// How far the statement at the start of `text` goes: to a semicolon or a backslash outside of quotes, comments and
/// (for the semicolon) parentheses and bodies of SQL functions, or to the end of the text.
pub(crate) fn statement_extent(text: &str) -> StatementExtent {
    let bytes = text.as_bytes();
    let (mut at, mut parentheses) = (0usize, 0u32);
    let (mut words, mut escapes) = (Words::default(), Vec::new());
    while at < bytes.len() {
        let rest = &text[at..];
        match bytes[at] {
            b'\\' if matches!(bytes.get(at + 1), Some(b';' | b':')) => {
                escapes.push(at);
                if bytes[at + 1] == b';' {
                    words = Words::default();
                }
                at += 2;
                continue;
            }
            b'\\' => return StatementExtent { end: at, escapes },
            b';' if parentheses == 0 && !words.in_body() => return StatementExtent { end: at, escapes },
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            _ => {
                if let Some(length) = opaque_length(text, at) {
                    at += length;
                    continue;
                }
                let word = rest.bytes().take_while(|&byte| is_word(byte)).count();
                if word > 0 {
                    words.next(&rest[..word], parentheses);
                    at += word;
                    continue;
                }
            }
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    StatementExtent { end: text.len(), escapes }
}

/// The length of the quoted text or comment that begins at `at`, if one does.
pub(crate) fn opaque_length(text: &str, at: usize) -> Option<usize> {
    let (bytes, rest) = (text.as_bytes(), &text[at..]);
    match bytes[at] {
        b'\'' => {
            let escapes = at > 0 && matches!(bytes[at - 1], b'e' | b'E') && !(at > 1 && is_word(bytes[at - 2]));
            Some(quoted_length(rest, b'\'', escapes))
        }
        b'"' => Some(quoted_length(rest, b'"', false)),
        b'$' if !(at > 0 && is_word(bytes[at - 1])) => Some(dollar_quoted(rest)),
        b'-' | b'/' => comment_length(rest),
        _ => None,
    }
}

/// The `$1` at `at`, if one stands there.
pub(crate) fn placeholder_at(text: &str, at: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let in_word = at > 0 && is_word(bytes[at - 1]);
    if bytes[at] != b'$' || in_word {
        return None;
    }
    let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then(|| &text[at..=at + digits])
}

/// The length of the white space and comments at the start.
pub(crate) fn preamble_length(text: &str) -> usize {
    let mut rest = text.trim_start();
    while let Some(comment) = comment_length(rest) {
        rest = rest[comment..].trim_start();
    }
    text.len() - rest.len()
}

/// The length of the comment at the start, if there is one.
fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("--") {
        Some(text.find('\n').unwrap_or(text.len()))
    } else if text.starts_with("/*") {
        Some(block_comment(text))
    } else {
        None
    }
}

/// What a statement's words tell about semicolons: in the body of an SQL function or procedure (`BEGIN ATOMIC ... END`)
/// they end nothing. As psql sees it.
#[derive(Debug, Default)]
struct Words {
    /// Words so far, as far as it matters whether they are CREATE [OR REPLACE] FUNCTION or PROCEDURE.
    count: u32,
    creates: bool,
    routine: bool,
    /// BEGINs and CASEs without their END.
    depth: u32,
}

impl Words {
    fn in_body(&self) -> bool {
        self.depth > 0
    }

    fn next(&mut self, word: &str, parentheses: u32) {
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
        self.count += 1;
        match self.count {
            1 => self.creates = is("create"),
            2 | 4 if is("function") || is("procedure") => self.routine = self.creates,
            _ => {}
        }
        if !self.routine || parentheses > 0 {
            return;
        }
        if is("begin") || (is("case") && self.depth > 0) {
            self.depth += 1;
        } else if is("end") {
            self.depth = self.depth.saturating_sub(1);
        }
    }
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The length of the quoted text at the start; a doubled quote does not end it.
fn quoted_length(text: &str, quote: u8, backslash_escapes: bool) -> usize {
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
