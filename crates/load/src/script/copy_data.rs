//! The rows of `COPY ... FROM STDIN` in a script: they follow the statement, as in a script of psql or a dump, up to a
//! line with `\.` alone. They are sent as they are written: no variable is substituted.

use super::error::ScriptProblem;
use super::sql;
use std::sync::Arc;

/// The line that ends the rows.
const END_OF_DATA: &str = "\\.";

/// The rows that follow a statement.
pub(super) struct RowsToCopy {
    /// As they are written, with the newline of the last one.
    pub(super) data: Arc<[u8]>,
    /// The length of all that is not part of another command, the line with `\.` included.
    pub(super) length: usize,
}

/// Whether a statement is one COPY whose rows come from the client.
pub(super) fn copies_from_client(statement: &str) -> bool {
    let mut words: Vec<&str> = Vec::new();
    let (mut at, mut parentheses) = (0_usize, 0_u32);
    while at < statement.len() {
        if let Some(length) = sql::opaque_length(statement, at).filter(|length| *length > 1) {
            at += length;
            continue;
        }
        let rest = &statement[at..];
        let word = rest.bytes().take_while(|&byte| sql::is_word(byte)).count();
        if word > 0 {
            if parentheses == 0 {
                words.push(&rest[..word]);
            }
            at += word;
            continue;
        }
        match statement.as_bytes()[at] {
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            // Several statements in one text.
            b';' => return false,
            _ => {}
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    let begins_with_copy = words.first().is_some_and(|word| word.eq_ignore_ascii_case("copy"));
    let from_client =
        words.windows(2).any(|pair| pair[0].eq_ignore_ascii_case("from") && pair[1].eq_ignore_ascii_case("stdin"));
    begins_with_copy && from_client
}

/// The rows at the start of `rest`, which begins behind the semicolon of a statement at `statement_at`.
///
/// # Errors
/// When there are none, or something else stands behind the semicolon.
pub(super) fn rows_after_statement(rest: &str, statement_at: usize) -> Result<RowsToCopy, ScriptProblem> {
    let Some(begin) = rest.find('\n').map(|newline| newline + 1) else {
        return Err(problem_with_rows(statement_at, "COPY FROM STDIN has no rows"));
    };
    if !rest[..begin].trim().is_empty() {
        return Err(problem_with_rows(statement_at, "COPY FROM STDIN is followed by something else in its line"));
    }
    let mut at = begin;
    for line in rest[begin..].split_inclusive('\n') {
        if line.trim_end_matches(['\r', '\n']) == END_OF_DATA {
            return Ok(RowsToCopy { data: Arc::from(&rest.as_bytes()[begin..at]), length: at + line.len() });
        }
        at += line.len();
    }
    Err(problem_with_rows(statement_at, "the rows of COPY FROM STDIN have no end"))
}

fn problem_with_rows(statement_at: usize, what: &str) -> ScriptProblem {
    ScriptProblem::new(statement_at, what).with_hint(
        "write its rows in the lines below the statement, as COPY reads them, and a line with \\. alone after them",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_copy_from_the_client_has_rows() {
        for statement in
            ["COPY t FROM STDIN", "copy s.t (a, b) from stdin with (format csv)", "COPY \"from\" FROM stdin"]
        {
            assert!(copies_from_client(statement), "{statement}");
        }
        for statement in [
            "COPY t TO STDOUT",
            "COPY (SELECT 1 FROM stdin) TO STDOUT",
            "COPY t FROM '/tmp/stdin'",
            "SELECT copy FROM stdin",
            "SELECT 1; COPY t FROM STDIN",
            "COPY t TO STDOUT -- FROM STDIN",
        ] {
            assert!(!copies_from_client(statement), "{statement}");
        }
    }

    #[test]
    fn rows_are_kept_as_they_are_written() {
        let rest = " \n1\t:a\\.\r\n\n2\t'\n\\.\r\nSELECT 1;";
        let rows = rows_after_statement(rest, 0).expect("they have an end");
        assert_eq!(rows.data.as_ref(), b"1\t:a\\.\r\n\n2\t'\n");
        assert_eq!(&rest[rows.length..], "SELECT 1;");
    }

    #[test]
    fn no_row_is_an_empty_copy() {
        assert_eq!(rows_after_statement("\n\\.", 0).expect("it is complete").data.len(), 0);
    }
}
