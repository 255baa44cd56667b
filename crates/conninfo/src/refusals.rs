//! What libpq's two ways of trying a host over TCP came to, encrypted and in clear, where both were refused: which of
//! the two says why, and both in words. As in libpq both are shown, the first one first.

/// One refused attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusedAttempt<'a> {
    /// Whether the connection was encrypted, or was to be.
    pub encrypted: bool,
    /// The server's error code; none where no server refused, as when TLS failed.
    pub sqlstate: Option<&'a str>,
    /// Why, in the words of who refused.
    pub said: &'a str,
}

/// `invalid_authorization_specification`: what `pg_hba.conf` does not let pass, before any password is looked at.
const NOT_LET_PASS: Option<&str> = Some("28000");

/// The refusal that says why there is no connection: the first one, unless only the second one came past `pg_hba.conf`.
#[must_use]
pub fn decisive_refusal<'a, 'b>(
    first: &'a RefusedAttempt<'b>,
    second: &'a RefusedAttempt<'b>,
) -> &'a RefusedAttempt<'b> {
    let only_second_passed = first.sqlstate == NOT_LET_PASS && second.sqlstate != NOT_LET_PASS;
    if only_second_passed { second } else { first }
}

/// Both in words, in their order.
#[must_use]
pub fn in_words(first: &RefusedAttempt<'_>, second: &RefusedAttempt<'_>) -> String {
    let [first, second] = [first, second].map(|refusal| {
        let way = if refusal.encrypted { "with TLS" } else { "without TLS" };
        format!("{way}: {}", refusal.said)
    });
    format!("{first}; {second}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(encrypted: bool, sqlstate: &'static str) -> RefusedAttempt<'static> {
        RefusedAttempt { encrypted, sqlstate: Some(sqlstate).filter(|code| !code.is_empty()), said: sqlstate }
    }

    #[test]
    fn the_refusal_that_came_further_says_why_and_else_the_first_one() {
        for (first, second, expected) in [
            // hostssl only, a wrong password, sslmode=prefer.
            ("28P01", "28000", "28P01"),
            // hostnossl only, the same.
            ("28000", "28P01", "28P01"),
            ("28P01", "28P01", "28P01"),
            ("28000", "28000", "28000"),
            // hostnossl only, and no such database.
            ("28000", "3D000", "3D000"),
            // TLS failed, and nobody is let in without.
            ("", "28000", ""),
            // sslmode=allow: nobody is let in without TLS, and TLS fails.
            ("28000", "", ""),
        ] {
            let (first, second) = (refusal(true, first), refusal(false, second));
            assert_eq!(decisive_refusal(&first, &second).said, expected, "{first:?} {second:?}");
        }
    }

    #[test]
    fn both_are_told_in_their_order() {
        let first = RefusedAttempt { said: "password authentication failed", ..refusal(true, "28P01") };
        let second = RefusedAttempt { said: "no pg_hba.conf entry", ..refusal(false, "28000") };
        let words = "with TLS: password authentication failed; without TLS: no pg_hba.conf entry";
        assert_eq!(in_words(&first, &second), words);
    }
}
