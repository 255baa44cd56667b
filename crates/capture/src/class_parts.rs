//! The statements of a transaction with its loops folded: a loop is one part however often it goes round. Pure.

use serde::{Serialize, Serializer};

/// The longest body of a loop, in parts.
const BODY_AT_MOST: usize = 16;
/// Parts of a transaction that make its class.
const PARTS_AT_MOST: usize = 64;

/// A part of a class of transactions. In JSON a statement is its id, and a loop a list of its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClassPart {
    /// One execution of the statement with this id.
    Statement(u64),
    /// What follows itself at least once.
    Loop(Vec<ClassPart>),
}

impl Serialize for ClassPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Statement(id) => serializer.serialize_u64(*id),
            Self::Loop(parts) => parts.serialize(serializer),
        }
    }
}

/// Appends a statement to a transaction and folds what repeats at its end.
pub(crate) fn append_statement(parts: &mut Vec<ClassPart>, statement: u64) {
    if parts.len() >= PARTS_AT_MOST {
        return;
    }
    parts.push(ClassPart::Statement(statement));
    // What was folded may repeat in its turn.
    while fold_end(parts) {}
}

/// Folds the shortest body that repeats at the end, if there is one.
fn fold_end(parts: &mut Vec<ClassPart>) -> bool {
    for length in 1..=BODY_AT_MOST.min(parts.len().saturating_sub(1)) {
        let begin = parts.len() - length;
        let body = &parts[begin..];
        if repeats_loop(&parts[begin - 1], body) {
            parts.truncate(begin);
            return true;
        }
        let Some(begin_before) = begin.checked_sub(length) else { continue };
        if parts[begin_before..begin] == *body {
            let body = parts.split_off(begin);
            parts.truncate(begin_before);
            parts.push(ClassPart::Loop(body));
            return true;
        }
    }
    false
}

/// Whether these parts are another round of a loop.
fn repeats_loop(before: &ClassPart, body: &[ClassPart]) -> bool {
    match (before, body) {
        // A loop of one loop is that loop.
        (ClassPart::Loop(_), [only @ ClassPart::Loop(_)]) => before == only,
        (ClassPart::Loop(of_loop), body) => of_loop == body,
        (ClassPart::Statement(_), _) => false,
    }
}

/// As a person reads it: `BEGIN, (INSERT, UPDATE) ×n, COMMIT`. `name`: what a statement is called.
#[must_use]
pub fn parts_in_words(parts: &[ClassPart], name: &dyn Fn(u64) -> String) -> String {
    let mut words = Vec::with_capacity(parts.len());
    for part in parts {
        words.push(match part {
            ClassPart::Statement(id) => name(*id),
            ClassPart::Loop(body) if body.len() == 1 => format!("{} ×n", parts_in_words(body, name)),
            ClassPart::Loop(body) => format!("({}) ×n", parts_in_words(body, name)),
        });
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(statements: &[u64]) -> String {
        let mut parts = Vec::new();
        for statement in statements {
            append_statement(&mut parts, *statement);
        }
        parts_in_words(&parts, &|id| id.to_string())
    }

    #[test]
    fn loops_are_folded_however_often_they_go_round() {
        for (statements, expected) in [
            (&[][..], ""),
            (&[1], "1"),
            (&[1, 2, 3], "1, 2, 3"),
            (&[1, 1], "1 ×n"),
            (&[1, 2, 2, 2, 3], "1, 2 ×n, 3"),
            (&[1, 2, 3, 2, 3, 2, 3, 4], "1, (2, 3) ×n, 4"),
            (&[1, 2, 3, 2, 3, 2, 4], "1, (2, 3) ×n, 2, 4"),
            (&[1, 2, 2, 3, 2, 2, 2, 3, 4], "1, (2 ×n, 3) ×n, 4"),
            (&[1, 2, 3, 4, 1, 2, 3, 4], "(1, 2, 3, 4) ×n"),
            (&[1, 2, 1], "1, 2, 1"),
            (&[5, 5, 6, 6, 5, 5, 6, 6], "(5 ×n, 6 ×n) ×n"),
        ] {
            assert_eq!(folded(statements), expected, "{statements:?}");
        }
        let long: Vec<u64> = std::iter::once(1).chain([2, 3].repeat(10_000)).chain([4]).collect();
        assert_eq!(folded(&long), "1, (2, 3) ×n, 4");
    }

    #[test]
    fn a_transaction_of_many_statements_is_cut() {
        let mut parts = Vec::new();
        for statement in 0..1_000 {
            append_statement(&mut parts, statement);
        }
        assert_eq!(parts.len(), PARTS_AT_MOST);
    }
}
