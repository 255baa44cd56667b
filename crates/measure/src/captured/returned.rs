//! Values that the server made: which parameter of a later statement is what an earlier one of its transaction returned
//! (`RETURNING`). A log has no results, but a sequence leaves a trace: over the transactions of a class the values of
//! such a parameter are whole numbers, none occurs twice, they grow as the transactions begin, and they are dense. Then
//! a replay takes what its own server returns.

use std::collections::BTreeSet;

/// Fewer transactions than this show no trace.
const TRANSACTIONS: usize = 5;

/// The share of neighbours, as the transactions begin, that are in order at least: sessions overtake one another.
const IN_ORDER: f64 = 0.7;

/// How many numbers of a sequence there are at most for each execution of the statement: others and failed ones take
/// some.
const NUMBERS_PER_EXECUTION: i128 = 4;

/// A parameter that may be what an earlier statement returned.
#[derive(Debug)]
pub(super) struct ReturnedCandidate {
    /// The place of the statement that returns something, among those of the class.
    pub(super) step: usize,
    /// The column of the parameter, from 0.
    pub(super) column: usize,
    /// How many columns are known before that statement has returned something.
    known: usize,
    /// When each transaction began, and its value; `None`: one was no number, or was known before.
    values: Option<Vec<(i64, i64)>>,
}

impl ReturnedCandidate {
    pub(super) fn new(step: usize, column: usize, known: usize) -> Self {
        Self { step, column, known, values: Some(Vec::new()) }
    }

    /// The values of the next transaction, all its columns.
    pub(super) fn add_transaction(&mut self, begin_us: i64, columns: &[Option<&str>]) {
        let value = columns.get(self.column).copied().flatten();
        let before = &columns[..self.known.min(columns.len())];
        let number = value.filter(|_| !before.contains(&value)).and_then(|text| text.parse().ok());
        match (&mut self.values, number) {
            (Some(values), Some(number)) => values.push((begin_us, number)),
            (values, None) => *values = None,
            (None, Some(_)) => {}
        }
    }

    /// Whether the values have the trace of a sequence. `executions`: how often the capture has the statement that
    /// returns them, in whatever class.
    pub(super) fn is_of_sequence(&self, executions: u64) -> bool {
        let Some(values) = &self.values else { return false };
        if values.len() < TRANSACTIONS {
            return false;
        }
        let mut ordered = values.clone();
        ordered.sort_unstable();
        let distinct: BTreeSet<i64> = ordered.iter().map(|(_, number)| *number).collect();
        let (Some(first), Some(last)) = (distinct.first(), distinct.last()) else { return false };
        let numbers = i128::from(*last) - i128::from(*first) + 1;
        let growing = ordered.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
        distinct.len() == ordered.len()
            && numbers <= NUMBERS_PER_EXECUTION * i128::from(executions.max(ordered.len() as u64))
            && growing as f64 >= IN_ORDER * (ordered.len() - 1) as f64
    }
}

/// Whether a statement has `RETURNING` and the first column of it is one of the table, or all of them are.
pub(super) fn returns_columns(text: &str) -> bool {
    let folded = text.to_ascii_lowercase();
    let Some(at) = folded.rfind("returning") else { return false };
    let begins_word = text[..at].ends_with(|c: char| c.is_whitespace() || c == ')');
    let list = &text[at + "returning".len()..];
    if !begins_word || !list.starts_with(|c: char| c.is_whitespace() || c == '"' || c == '*') {
        return false;
    }
    let column = list.split([',', ';']).next().unwrap_or_default().trim();
    let name = column.rsplit(|c: char| c.is_whitespace() || c == '.').next().unwrap_or_default();
    let name = name.strip_prefix('"').and_then(|quoted| quoted.strip_suffix('"')).unwrap_or(name);
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // The key stands first in most tables; whether the values are those of a sequence is looked at all the same.
    (is_plain || name == "*") && !column.contains(['(', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_of_sequence(values: &[&str], executions: u64) -> bool {
        let mut candidate = ReturnedCandidate::new(0, 2, 2);
        for (begin, value) in (0..).zip(values) {
            candidate.add_transaction(begin, &[Some("7"), None, (*value != "NULL").then_some(*value)]);
        }
        candidate.is_of_sequence(executions)
    }

    #[test]
    fn growing_dense_distinct_numbers_are_those_of_a_sequence() {
        assert!(is_of_sequence(&["101", "102", "104", "103", "105", "109"], 6), "sessions overtake one another");
        let thinned = ["101", "120", "140", "160", "180"];
        assert!(!is_of_sequence(&thinned, 5) && is_of_sequence(&thinned, 30), "other classes take most of them");
        for (values, why) in [
            (&["101", "102", "103", "104"][..], "few"),
            (&["101", "102", "102", "103", "104"], "one occurs twice"),
            (&["101", "102", "x", "103", "104"], "no number"),
            (&["101", "102", "NULL", "103", "104"], "NULL"),
            (&["105", "104", "103", "102", "101"], "they fall"),
            (&["1700000000123", "1700000000923", "1700000001423", "1700000002123", "1700000003123"], "instants"),
            (&["5", "6", "7", "8", "9"], "one was known before"),
        ] {
            assert!(!is_of_sequence(values, 5), "{why}");
        }
    }

    #[test]
    fn a_statement_returns_a_column_of_its_table_or_all_of_them() {
        for (text, expected) in [
            ("INSERT INTO t VALUES ($1) RETURNING id", true),
            ("INSERT INTO t (a) VALUES ($1)\nreturning t.\"Id\", created", true),
            ("INSERT INTO t VALUES (1)RETURNING ID AS Oid", true),
            ("INSERT INTO t VALUES ($1) RETURNING *", true),
            ("INSERT INTO t VALUES ($1) RETURNING*", true),
            ("INSERT INTO t VALUES ($1) RETURNING t.*;", true),
            ("WITH n AS (INSERT INTO t VALUES ($1) RETURNING *) SELECT * FROM n", false),
            ("INSERT INTO t VALUES ($1) RETURNING lower(a)", false),
            ("INSERT INTO returning VALUES ($1)", false),
            ("INSERT INTO t VALUES ($1)", false),
        ] {
            assert_eq!(returns_columns(text), expected, "{text}");
        }
    }
}
