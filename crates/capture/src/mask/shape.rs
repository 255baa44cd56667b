//! What a value is by its form. `mask-sql` has the same forms as regular expressions.

/// A number of digits alone, which is what most parameters are.
pub(super) fn is_plain_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 19 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number: `^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`.
pub(super) fn is_number(text: &str) -> bool {
    let rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if !is_digits(digits) {
            return false;
        }
    }
    match mantissa.split_once('.') {
        None => is_digits(mantissa),
        Some((whole, "")) => is_digits(whole),
        Some((whole, fraction)) => (whole.is_empty() || is_digits(whole)) && is_digits(fraction),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A form: `9` is a digit, other characters stand for themselves.
fn matches_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
            b'9' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

/// The length of a date at the begin of a text: `\d{4}-\d\d-\d\d`.
pub(super) fn date_length(text: &str) -> Option<usize> {
    let begin = text.get(..10)?;
    matches_form(begin, "9999-99-99").then_some(10)
}

/// A date, a time, or both: `^(\d{4}-\d\d-\d\d)?[ T]?(\d\d:\d\d(:\d\d(\.\d+)?)?)?( ?([+-]\d\d(:?\d\d)?|Z|UTC))?$`
/// with one of the two at least.
pub(super) fn is_time(text: &str) -> bool {
    let date = date_length(text).unwrap_or(0);
    let mut rest = &text[date..];
    if date > 0 {
        rest = rest.strip_prefix([' ', 'T']).unwrap_or(rest);
    }
    let clock = clock_length(rest);
    if date == 0 && clock == 0 {
        return false;
    }
    rest = &rest[clock..];
    let zone = rest.strip_prefix(' ').unwrap_or(rest);
    let after_zone = zone_length(zone);
    if after_zone > 0 {
        rest = &zone[after_zone..];
    }
    rest.is_empty()
}

/// The length of `\d\d:\d\d(:\d\d(\.\d+)?)?` at the begin of a text; 0 where it is not there.
fn clock_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !is_pair_of_digits(bytes, 0) || bytes.get(2) != Some(&b':') || !is_pair_of_digits(bytes, 3) {
        return 0;
    }
    if bytes.get(5) != Some(&b':') || !is_pair_of_digits(bytes, 6) {
        return 5;
    }
    let digits = match bytes.get(8) {
        Some(b'.') => bytes[9..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    };
    if digits == 0 { 8 } else { 9 + digits }
}

fn is_pair_of_digits(bytes: &[u8], at: usize) -> bool {
    bytes.len() >= at + 2 && bytes[at].is_ascii_digit() && bytes[at + 1].is_ascii_digit()
}

/// The length of `[+-]\d\d(:?\d\d)?|Z|UTC` at the begin of a text.
fn zone_length(text: &str) -> usize {
    for form in ["+99:99", "-99:99", "+9999", "-9999", "+99", "-99", "UTC", "Z"] {
        if text.get(..form.len()).is_some_and(|begin| matches_form(begin, form)) {
            return form.len();
        }
    }
    0
}

/// An interval as PostgreSQL writes it: `1 year 2 mons -3 days 04:05:06.7`.
pub(super) fn is_interval(text: &str) -> bool {
    const UNITS: &[&str] = &[
        "year", "years", "mon", "mons", "month", "months", "week", "weeks", "day", "days", "hour", "hours", "min",
        "mins", "minute", "minutes", "sec", "secs", "second", "seconds",
    ];
    let mut words = text.split(' ');
    let mut has_unit = false;
    loop {
        let Some(word) = words.next() else { return has_unit };
        if !is_number(word) {
            let clock = word.strip_prefix(['+', '-']).unwrap_or(word);
            return has_unit && clock_length(clock) == clock.len() && !clock.is_empty() && words.next().is_none();
        }
        match words.next() {
            Some(unit) if UNITS.contains(&unit) => has_unit = true,
            _ => return false,
        }
    }
}

/// A UUID in lower case with its hyphens.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

/// A truth value, or a number that is none.
pub(super) fn is_word_of_a_type(text: &str) -> bool {
    ["t", "f", "true", "false", "NaN", "Infinity", "-Infinity", "infinity", "-infinity"].contains(&text)
}

/// Binary data in hexadecimal: `\x` and pairs of digits.
pub(super) fn is_bytea(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("\\x") else { return false };
    digits.len() % 2 == 0 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a value is a connection string with a password, or a stored password of a role.
pub(super) fn holds_password(text: &str) -> bool {
    // What is looked for has one of these; most values have none.
    let may_hold = text.bytes().any(|byte| matches!(byte, b'w' | b'W' | b'$' | b':'));
    if text.len() < 9 || !may_hold {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    if lower.contains("scram-sha-256$") || lower.contains("sslpassword") {
        return true;
    }
    for (place, word) in lower.match_indices("password") {
        let after = lower[place + word.len()..].trim_start();
        let names_connection =
            ["host", "dbname", "user=", "user =", "postgres"].iter().any(|name| lower.contains(name));
        if after.starts_with('=') && names_connection {
            return true;
        }
    }
    let Some(scheme) = lower.find("://") else { return false };
    let authority = lower[scheme + 3..].split(['/', '?', ' ']).next().unwrap_or_default();
    authority.rsplit_once('@').is_some_and(|(login, _)| login.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known() {
        for text in ["1", "-1.5", "1e10", ".5", "5.", "+3"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "-", ".", "1a", "1-2", "1.2.3", "e5", "1e"] {
            assert!(!is_number(text), "{text}");
        }
        for text in [
            "2026-11-29",
            "2026-11-29 12:00",
            "2026-11-29T12:00:00.123456Z",
            "2026-11-29 12:00:00+01",
            "2026-11-29 12:00:00 UTC",
            "12:00:00",
        ] {
            assert!(is_time(text), "{text}");
        }
        for text in ["", "2026-11", "2026-11-29 x", "123-45-6789", "12:0", "2026-11-29 12:00:00+1", "ä026-11-29"] {
            assert!(!is_time(text), "{text}");
        }
        for text in ["1 day", "1 year 2 mons -3 days 04:05:06.7", "00:00:01 day"] {
            assert_eq!(is_interval(text), !text.ends_with("01 day"), "{text}");
        }
        assert!(is_uuid("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11") && !is_uuid("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"));
        assert!(is_bytea("\\x00ff") && is_bytea("\\x") && !is_bytea("\\x0") && !is_bytea("00"));
    }

    #[test]
    fn passwords_of_connections_are_known() {
        for text in [
            "host=a dbname=b password=c",
            "postgresql://u:p@h/db",
            "amqp://u:p@h:5672",
            "SCRAM-SHA-256$4096:abc",
            "user=a password = 'b c'",
        ] {
            assert!(holds_password(text), "{text}");
        }
        for text in ["password", "https://example.com/a:b@c", "the password = x", "a@b.example"] {
            assert!(!holds_password(text), "{text}");
        }
    }
}
