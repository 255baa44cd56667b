//! Statements that are executed so rarely that nothing can be said of them one by one, put together by what they do.

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementClass {
    /// It reads.
    Read,
    /// It writes, or may.
    Write,
    /// It begins or ends a transaction, or a part of one.
    TransactionControl,
}

impl StatementClass {
    /// All.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::TransactionControl];

    /// By the first word of its text.
    pub fn from_statement(text: &str) -> Self {
        let text = without_comments(text).to_uppercase();
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        match words.next().unwrap_or_default() {
            "BEGIN" | "START" | "COMMIT" | "END" | "ROLLBACK" | "ABORT" | "SAVEPOINT" | "RELEASE" => {
                Self::TransactionControl
            }
            "SELECT" | "WITH" | "TABLE" | "VALUES" | "SHOW" | "FETCH" | "EXPLAIN" => {
                let writes = ["INSERT", "UPDATE", "DELETE", "MERGE", "INTO"];
                if words.any(|word| writes.contains(&word)) { Self::Write } else { Self::Read }
            }
            _ => Self::Write,
        }
    }

    /// What they are called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "rare statements that read",
            Self::Write => "rare statements that write",
            Self::TransactionControl => "rare statements of transaction control",
        }
    }
}

/// The text behind the comments that it begins with.
pub(crate) fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let end = match rest.get(..2) {
            Some("--") => rest.find('\n').map(|at| at + 1),
            Some("/*") => rest.find("*/").map(|at| at + 2),
            _ => return rest,
        };
        let Some(end) = end else { return "" };
        rest = rest[end..].trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_of_the_class_that_its_first_word_says() {
        use StatementClass::{Read, TransactionControl, Write};
        for (text, expected) in [
            ("SELECT 1", Read),
            ("  select * from t where a = $1 for update", Write),
            ("-- why\n/* so */ WITH a AS (SELECT 1) SELECT * FROM a", Read),
            ("WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a", Write),
            ("INSERT INTO t VALUES (1)", Write),
            ("CALL f()", Write),
            ("begin", TransactionControl),
            ("COMMIT;", TransactionControl),
            ("--", Write),
        ] {
            assert_eq!(StatementClass::from_statement(text), expected, "{text}");
        }
    }
}
