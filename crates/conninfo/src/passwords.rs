//! The passwords in a connection string, and the string without them, in the form in which it was written.

use std::borrow::Cow;
use std::ops::Range;

use super::{keywords, url};

/// The same connection string without its passwords. `key=value` pairs with a password that cannot be parsed are left
/// out altogether.
#[must_use]
pub fn without_passwords(text: &str) -> Cow<'_, str> {
    if url::strip_url_scheme(text.trim()).is_some() {
        return url_without(text);
    }
    match keywords::parse_keyword_pairs(text) {
        Ok(pairs) if pairs.iter().any(|(name, _)| is_password(name)) => {
            let kept = pairs.iter().filter(|(name, _)| !is_password(name));
            let shown: Vec<String> =
                kept.map(|(name, value)| format!("{name}={}", keywords::quote_keyword_value(value))).collect();
            Cow::Owned(shown.join(" "))
        }
        Err(_) if has_pair(text) => Cow::Borrowed("(unreadable)"),
        Ok(_) | Err(_) => Cow::Borrowed(text),
    }
}

/// Whether a text, such as a setting, holds a password as a connection string would.
#[must_use]
pub fn holds_password(text: &str) -> bool {
    has_pair(text) || password_range_in_url(text).is_some()
}

fn is_password(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with("password")
}

/// Whether a key that ends in `password` has a value anywhere.
fn has_pair(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut ends = lower.match_indices("password").map(|(at, word)| at + word.len());
    ends.any(|end| lower[end..].trim_start().strip_prefix('=').is_some_and(|value| !value.trim_start().is_empty()))
}

fn url_without(text: &str) -> Cow<'_, str> {
    let password = password_range_in_url(text);
    let (before, rest) = match &password {
        Some(range) => (&text[..range.start], &text[range.end..]),
        None => ("", text),
    };
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let kept = query.split('&').filter(|parameter| {
        let name = parameter.split_once('=').map_or(*parameter, |(name, _)| name);
        !is_password(&url::percent_decode(name).unwrap_or_else(|_| name.to_owned()))
    });
    let kept: Vec<&str> = kept.collect();
    let query_kept = kept.join("&");
    let mark = if query_kept.is_empty() { "" } else { "?" };
    if password.is_none() && query_kept.len() == query.len() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{before}{path}{mark}{query_kept}"))
}

/// `:password` in `scheme://user:password@host`. Generous: what libpq would not take, an `@`, `/` or `?` that is not
/// percent-encoded, belongs to the password, too.
fn password_range_in_url(text: &str) -> Option<Range<usize>> {
    let start = text.find("://")? + 3;
    let rest = &text[start..];
    let first = rest.find(['@', '/']).filter(|at| rest[*at..].starts_with('@'));
    // Behind the first parameter an "@" is one in a value.
    let parameter = rest.find('?').and_then(|mark| Some(mark + rest[mark..].find('=')?)).unwrap_or(rest.len());
    let end = rest[..parameter.max(first.map_or(0, |at| at + 1))].rfind('@')?;
    let colon = rest[..end].find(':')?;
    (colon + 1 < end).then_some(start + colon..start + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_string_loses_its_passwords_and_nothing_else() {
        for (whole, without) in [
            ("postgresql://bench@10.0.0.5/bench", "postgresql://bench@10.0.0.5/bench"),
            ("postgresql://10.0.0.5:5432/bench", "postgresql://10.0.0.5:5432/bench"),
            ("postgresql://[::1]:5432/b?application_name=a@b", "postgresql://[::1]:5432/b?application_name=a@b"),
            ("postgresql://u:cret@[::1]:1/b?options=a:b@c", "postgresql://u@[::1]:1/b?options=a:b@c"),
            ("postgresql://bench:s3cret@10.0.0.5:5432/bench", "postgresql://bench@10.0.0.5:5432/bench"),
            ("postgres://bench:s3@cret@h1:1,h2:2/b?a=b", "postgres://bench@h1:1,h2:2/b?a=b"),
            ("postgres://bench:s3?cret@h/b", "postgres://bench@h/b"),
            ("postgres://bench:s3?a=cret@h/b?c=d", "postgres://bench@h/b?c=d"),
            ("postgres://bench:s3/cret@h/b", "postgres://bench@h/b"),
            ("postgres://bench:s3?x/cret@h/b", "postgres://bench@h/b"),
            ("postgresql://h/b?password=s3cret&user=u", "postgresql://h/b?user=u"),
            ("postgresql://h/b?user=u&p%61ssword=s3cret", "postgresql://h/b?user=u"),
            ("postgresql://h/b?password=s3cret", "postgresql://h/b"),
            ("host=h password=s3cret dbname=b", "host=h dbname=b"),
            ("host=h password = 's3 \\' cret' dbname='b b'", "host=h dbname='b b'"),
            ("host=h password=ab&cret user=u", "host=h user=u"),
            (r"host=h password=a\ cret", "host=h"),
            ("PASSWORD=s3cret host=h", "host=h"),
            ("host=h sslpassword=s3cret", "host=h"),
            ("host=h password=s3cret cret", "(unreadable)"),
            ("host=h passfile=/x", "host=h passfile=/x"),
            ("", ""),
        ] {
            assert_eq!(without_passwords(whole), without);
            assert_eq!(without_passwords(whole) != whole, holds_password(whole) || whole.contains("%61"), "{without}");
        }
    }
}
