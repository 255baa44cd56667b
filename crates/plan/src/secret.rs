//! Connection strings and the passwords in them.
//!
//! A plan may hold a password, though PGPASSWORD and `~/.pgpass` are better places. It reaches the server and nothing
//! else: `Debug` and `Display` leave it out, the resolved plan is written without it, and a line of the plan is masked
//! before an error shows it.

use std::fmt;
use std::ops::Range;

use conninfo::without_passwords;

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
    pub fn expose_url(&self) -> &str {
        &self.0
    }

    /// Whether a password stands in it.
    #[must_use]
    pub fn has_password(&self) -> bool {
        without_passwords(&self.0) != self.0
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

/// A line of a plan as an error may show it, and how its character columns (from 0) have moved.
pub(super) struct MaskedLine {
    /// The line with every password masked.
    pub(super) text: String,
    masked: Option<Range<usize>>,
}

impl MaskedLine {
    /// The column in the masked text of a column in the line.
    pub(super) fn masked_column(&self, column: usize) -> usize {
        match &self.masked {
            Some(masked) if column >= masked.end => column - masked.len() + MASK.len(),
            Some(masked) if column > masked.start => masked.start,
            _ => column,
        }
    }
}

/// Masks a line of a plan. Generous, since the line may be wrong in any way: everything between the first `:` and the
/// last `@` behind `://` and before another connection string, or all that follows a key with `password` in it.
pub(super) fn mask_line(line: &str) -> MaskedLine {
    let Some(bytes) = line_secret(line) else {
        return MaskedLine { text: line.to_owned(), masked: None };
    };
    let start = line[..bytes.start].chars().count();
    let masked = start..start + line[bytes.clone()].chars().count();
    MaskedLine { text: format!("{}{MASK}{}", &line[..bytes.start], &line[bytes.end..]), masked: Some(masked) }
}

fn line_secret(line: &str) -> Option<Range<usize>> {
    let in_url = url_secret(line);
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

/// From the first password of the connection strings in a line to the last. One without `@` may have another in its
/// password, and ends with that.
fn url_secret(line: &str) -> Option<Range<usize>> {
    let mut secret: Option<Range<usize>> = None;
    let mut authority = line.find("://")? + 3;
    loop {
        let Some(first_at) = line[authority..].find('@').map(|at| authority + at) else { return secret };
        let schemes = ["postgres://", "postgresql://"].iter();
        let next = schemes.filter_map(|scheme| line[first_at..].find(scheme)).min().map(|at| first_at + at);
        let url = &line[authority..next.unwrap_or(line.len())];
        if let Some(at) = url.rfind('@')
            && let Some(colon) = url[..at].find(':')
            && colon + 1 < at
        {
            let start = secret.map_or(authority + colon + 1, |secret| secret.start);
            secret = Some(start..authority + at);
        }
        let Some(next) = next else { return secret };
        authority = next + line[next..].find("://")? + 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_kept_for_connecting_and_never_shown() {
        for whole in ["postgresql://bench:s3cret@h/b", "host=h password=ab&s3cret user=u"] {
            let url = ServerUrl::new(whole);
            assert!(url.has_password());
            assert_eq!(url.expose_url(), whole);
            assert!(!format!("{url} {url:?} {}", url.without_password()).contains("cret"));
        }
        assert!(!ServerUrl::new("host=h passfile=/x").has_password());
    }

    #[test]
    fn a_line_is_masked_before_it_is_shown_and_the_columns_move_with_it() {
        for (line, shown) in [
            ("    url: postgresql://u:s3cret@h/b  # x", "    url: postgresql://u:***@h/b  # x"),
            (
                "{ a: { url: postgresql://u@h:5432/b }, b: { url: postgresql://u@h:5433/b } }",
                "{ a: { url: postgresql://u@h:5432/b }, b: { url: postgresql://u@h:5433/b } }",
            ),
            ("[postgresql://u@h:5432/b, postgres://u:s3cret@h/b]", "[postgresql://u@h:5432/b, postgres://u:***@h/b]"),
            ("[postgresql://u:s3cret@h/b, postgres://u:s3cret@h/c]", "[postgresql://u:***@h/c]"),
            ("url: postgresql://u:apostgres://cret@h/b", "url: postgresql://u:***@h/b"),
            ("  password: s3cret", "  password: ***"),
            ("  url: \"host=h password='s3 cret' user=u\"", "  url: \"host=h password=***"),
            ("  url: postgresql://u@h:5432/b", "  url: postgresql://u@h:5432/b"),
        ] {
            assert_eq!(mask_line(line).text, shown);
        }
        let line = "a: postgresql://u:s3cret@h/b !";
        let masked = mask_line(line);
        for c in ['a', '@', 'b', '!'] {
            assert_eq!(masked.masked_column(line.find(c).expect("there")), masked.text.find(c).expect("there"));
        }
    }
}
