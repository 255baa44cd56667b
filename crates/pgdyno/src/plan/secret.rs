//! Connection strings and the passwords in them.
//!
//! A plan may hold a password, though PGPASSWORD and `~/.pgpass` are better places. It reaches the server and nothing
//! else: `Debug` and `Display` leave it out, the resolved plan is written without it, and a line of the plan is masked
//! before an error shows it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// What a password is replaced by where its place is shown.
const MASK: &str = "***";

/// A connection string as libpq takes it: a URL or `key=value` pairs.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl(String);

impl ServerUrl {
    /// Takes a connection string as it is.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The whole string, with its password: for connecting, never for showing.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether a password stands in it.
    #[must_use]
    pub fn has_password(&self) -> bool {
        has_password(&self.0)
    }

    /// The string without its passwords: the same server and user, and the password is looked up as libpq does.
    #[must_use]
    pub fn without_password(&self) -> String {
        without_passwords(&self.0).into_owned()
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_passwords(&self.0))
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServerUrl").field(&self.without_password()).finish()
    }
}

/// Whether a text holds a connection string with a password.
pub(super) fn has_password(text: &str) -> bool {
    !removable(text).is_empty()
}

/// A text without the passwords of the connection string that it is.
fn without_passwords(text: &str) -> Cow<'_, str> {
    let ranges = removable(text);
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut from) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        if range.start >= from {
            kept.push_str(&text[from..range.start]);
            from = range.end;
        }
    }
    kept.push_str(&text[from..]);
    // A query that has lost its first pair keeps its question mark.
    Cow::Owned(kept.replacen("?&", "?", 1))
}

/// The parts of a connection string to leave out, in order: `:password` of a URL, and each pair whose key ends in
/// `password` with the separator before it.
fn removable(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = url_password(text).into_iter().collect();
    for (key, value) in password_pairs(text) {
        let end = value + value_length(&text[value..]);
        let separator = text[..key].chars().next_back().filter(|c| *c == '&' || *c == ' ').map_or(0, char::len_utf8);
        ranges.push(key - separator..end);
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// `:password` in `scheme://user:password@host`. Generous: an `@` inside the password, which libpq would not take,
/// belongs to the password.
fn url_password(text: &str) -> Option<Range<usize>> {
    let authority = text.find("://")? + 3;
    let rest = &text[authority..];
    let path = rest.find(['/', '?']).unwrap_or(rest.len());
    let end = rest[..path].rfind('@')?;
    let start = rest[..end].find(':')?;
    (start + 1 < end).then_some(authority + start..authority + end)
}

/// Where a key that ends in `password` starts and where its value starts, for every such `key=` in a text.
fn password_pairs(text: &str) -> impl Iterator<Item = (usize, usize)> {
    // Lower case in ASCII only: the offsets stay those of the text.
    let lower = text.to_ascii_lowercase();
    let ends: Vec<usize> = lower.match_indices("password").map(|(at, word)| at + word.len()).collect();
    ends.into_iter().filter_map(|end| {
        let after = &text[end..];
        let equals = after.trim_start().strip_prefix('=')?;
        let value = equals.trim_start();
        let key = text[..end].rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        (!value.is_empty()).then_some((key, text.len() - value.len()))
    })
}

/// The length of a value: quoted as libpq quotes, or up to white space or `&`.
fn value_length(value: &str) -> usize {
    if !value.starts_with('\'') {
        return value.find(|c: char| c.is_whitespace() || c == '&').unwrap_or(value.len());
    }
    let mut escaped = false;
    for (at, c) in value.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\'' => return at + 1,
            _ => {}
        }
    }
    value.len()
}

/// A line of a plan as an error may show it, and how its character columns (from 0) have moved.
pub(super) struct MaskedLine {
    /// The line with every password masked.
    pub(super) text: String,
    masked: Option<Range<usize>>,
}

impl MaskedLine {
    /// The column in the masked text of a column in the line.
    pub(super) fn column(&self, column: usize) -> usize {
        match &self.masked {
            Some(masked) if column >= masked.end => column - masked.len() + MASK.len(),
            Some(masked) if column > masked.start => masked.start,
            _ => column,
        }
    }
}

/// Masks a line of a plan. Generous, since the line may be wrong in any way: everything between the first `:` and the
/// last `@` behind `://`, or all that follows a key with `password` in it.
pub(super) fn mask_line(line: &str) -> MaskedLine {
    let Some(bytes) = line_secret(line) else {
        return MaskedLine { text: line.to_owned(), masked: None };
    };
    let start = line[..bytes.start].chars().count();
    let masked = start..start + line[bytes.clone()].chars().count();
    MaskedLine { text: format!("{}{MASK}{}", &line[..bytes.start], &line[bytes.end..]), masked: Some(masked) }
}

fn line_secret(line: &str) -> Option<Range<usize>> {
    let in_url = line.find("://").and_then(|at| {
        let authority = at + 3;
        let end = authority + line[authority..].rfind('@')?;
        let start = authority + line[authority..end].find(':')? + 1;
        (start < end).then_some(start..end)
    });
    let in_pair = line.to_ascii_lowercase().find("password").and_then(|at| {
        let separator = at + line[at..].find(['=', ':'])? + 1;
        let start = line.len() - line[separator..].trim_start().len();
        (start < line.len()).then_some(start..line.len())
    });
    match (in_url, in_pair) {
        (Some(a), Some(b)) => Some(a.start.min(b.start)..a.end.max(b.end)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_string_loses_its_password_and_nothing_else() {
        for (whole, without) in [
            ("postgresql://bench@10.0.0.5/bench", "postgresql://bench@10.0.0.5/bench"),
            ("postgresql://10.0.0.5:5432/bench", "postgresql://10.0.0.5:5432/bench"),
            (
                "postgresql://[::1]:5432/bench?application_name=a@b",
                "postgresql://[::1]:5432/bench?application_name=a@b",
            ),
            ("postgresql://bench:s3cret@10.0.0.5:5432/bench", "postgresql://bench@10.0.0.5:5432/bench"),
            ("postgres://bench:s3@cret@h1:1,h2:2/b?a=b", "postgres://bench@h1:1,h2:2/b?a=b"),
            ("postgresql://h/b?password=s3cret&user=u", "postgresql://h/b?user=u"),
            ("postgresql://h/b?user=u&password=s3cret", "postgresql://h/b?user=u"),
            ("host=h password=s3cret dbname=b", "host=h dbname=b"),
            ("host=h password = 's3 \\' cret' dbname=b", "host=h dbname=b"),
            ("PASSWORD=s3cret host=h", " host=h"),
            ("host=h sslpassword=s3cret", "host=h"),
            ("host=h passfile=/x", "host=h passfile=/x"),
        ] {
            let url = ServerUrl::new(whole);
            assert_eq!(url.without_password(), without);
            assert_eq!(url.has_password(), whole != without, "{without}");
            assert_eq!(url.expose(), whole);
            assert!(!format!("{url} {url:?}").contains("cret"), "{without}");
        }
    }

    #[test]
    fn a_line_is_masked_before_it_is_shown_and_the_columns_move_with_it() {
        for (line, shown) in [
            ("    url: postgresql://u:s3cret@h/b  # x", "    url: postgresql://u:***@h/b  # x"),
            ("  password: s3cret", "  password: ***"),
            ("  url: \"host=h password='s3 cret' user=u\"", "  url: \"host=h password=***"),
            ("  url: postgresql://u@h:5432/b", "  url: postgresql://u@h:5432/b"),
        ] {
            assert_eq!(mask_line(line).text, shown);
        }
        let line = "a: postgresql://u:s3cret@h/b !";
        let masked = mask_line(line);
        for c in ['a', '@', 'b', '!'] {
            assert_eq!(masked.column(line.find(c).expect("there")), masked.text.find(c).expect("there"));
        }
    }
}
