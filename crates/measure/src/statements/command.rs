//! What kind of command a statement is, by its first words. Pure.
//!
//! Of queries the plan tells what they do (`answer`); of all other commands their kind does.

use super::tokens::{SqlToken, tokens_of_text};

/// What is known of a statement before a server has planned it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StatementCommand {
    /// The server can explain it.
    Query,
    /// A cursor over a query: the server can explain it as it stands.
    Cursor,
    /// It sets something of its session that the statements after it may need.
    Sets,
    /// It changes nothing: it begins or ends transactions, shows, fetches, or forgets.
    Harmless,
    /// What it does is not said by its first words.
    Unknown(String),
    /// It writes, or lets others do so.
    Writes(String),
}

/// Commands that change nothing that another session could see.
const HARMLESS: [&str; 14] = [
    "begin",
    "start",
    "commit",
    "end",
    "rollback",
    "abort",
    "savepoint",
    "release",
    "show",
    "fetch",
    "move",
    "close",
    "reset",
    "discard",
];

/// Commands that write, whatever follows.
const WRITERS: [&str; 17] = [
    "create",
    "drop",
    "alter",
    "truncate",
    "notify",
    "vacuum",
    "analyze",
    "grant",
    "revoke",
    "comment",
    "cluster",
    "reindex",
    "refresh",
    "checkpoint",
    "import",
    "security",
    "reassign",
];

/// The kind of a statement.
pub(super) fn classify_command(text: &str) -> StatementCommand {
    let words = tokens_of_text(text);
    let has = |word: &str| words.iter().any(|token| matches!(token, SqlToken::Word(found) if found == word));
    let follows = |first: &str, second: &str| {
        let is = |token: &SqlToken, word: &str| matches!(token, SqlToken::Word(found) if found == word);
        words.windows(2).any(|pair| is(&pair[0], first) && is(&pair[1], second))
    };
    let first = match words.first() {
        Some(SqlToken::Word(first)) => first.as_str(),
        Some(SqlToken::Symbol('(')) => return StatementCommand::Query,
        Some(SqlToken::Symbol(_)) | None => {
            return StatementCommand::Unknown("the statement has no first word".to_owned());
        }
    };
    let asks_to_write = follows("read", "write");
    match first {
        "select" | "with" | "values" | "table" | "insert" | "update" | "delete" | "merge" => StatementCommand::Query,
        "begin" | "start" | "set" if asks_to_write => {
            StatementCommand::Writes("asks for transactions that may write".to_owned())
        }
        "set" | "reset" if has("default_transaction_read_only") || has("transaction_read_only") => {
            StatementCommand::Writes("changes whether its transactions may write".to_owned())
        }
        "commit" | "rollback" if has("prepared") => StatementCommand::Writes("ends a prepared transaction".to_owned()),
        "prepare" if follows("prepare", "transaction") => StatementCommand::Writes("prepares a transaction".to_owned()),
        "set" if has("transaction") || has("characteristics") => StatementCommand::Harmless,
        "set" => StatementCommand::Sets,
        "declare" => StatementCommand::Cursor,
        "explain" if !has("analyze") && !has("analyse") => StatementCommand::Harmless,
        "deallocate" => StatementCommand::Harmless,
        "copy" => classify_copy(&words),
        _ if HARMLESS.contains(&first) => StatementCommand::Harmless,
        _ if WRITERS.contains(&first) => StatementCommand::Writes(format!("is {}", first.to_uppercase())),
        _ => StatementCommand::Unknown(format!(
            "the effect of {} is not known without executing it",
            first.to_uppercase()
        )),
    }
}

/// Whether rows of a table go out, or come in; of a query, or of a program, nobody knows.
fn classify_copy(words: &[SqlToken]) -> StatementCommand {
    let mut depth = 0_i32;
    for token in words {
        match token {
            SqlToken::Symbol('(') => depth += 1,
            SqlToken::Symbol(')') => depth -= 1,
            SqlToken::Word(word) if depth == 0 && word == "from" => {
                return StatementCommand::Writes("is COPY FROM".to_owned());
            }
            SqlToken::Word(word) if depth == 0 && word == "to" => break,
            SqlToken::Word(_) | SqlToken::Symbol(_) => {}
        }
    }
    let is_of_a_table = !matches!(words.get(1), Some(SqlToken::Symbol('(')));
    let to_the_client = matches!(words.iter().rev().find_map(to_stdout), Some(true));
    match is_of_a_table && to_the_client {
        true => StatementCommand::Harmless,
        false => StatementCommand::Unknown("the effect of COPY is not known without executing it".to_owned()),
    }
}

fn to_stdout(token: &SqlToken) -> Option<bool> {
    match token {
        SqlToken::Word(word) if word == "stdout" => Some(true),
        SqlToken::Word(_) | SqlToken::Symbol(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `q` a query, `c` a cursor, `s` sets, `h` harmless, `u` unknown, `w` writes.
    fn letter(text: &str) -> char {
        match classify_command(text) {
            StatementCommand::Query => 'q',
            StatementCommand::Cursor => 'c',
            StatementCommand::Sets => 's',
            StatementCommand::Harmless => 'h',
            StatementCommand::Unknown(_) => 'u',
            StatementCommand::Writes(_) => 'w',
        }
    }

    #[test]
    fn commands_are_known_by_their_first_words() {
        let cases = [
            ('q', "SELECT 1"),
            ('q', "/* x */ (SELECT 1) UNION SELECT 2"),
            ('q', "with a as (delete from t returning 1) select * from a"),
            ('q', "VALUES (1)"),
            ('q', "INSERT INTO t VALUES (1)"),
            ('c', "DECLARE c CURSOR FOR SELECT 1"),
            ('s', "SET LOCAL search_path TO shop"),
            ('s', "set work_mem = '64MB'"),
            ('h', "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            ('h', "COMMIT"),
            ('h', "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"),
            ('h', "EXPLAIN SELECT 1"),
            ('h', "FETCH 10 FROM c"),
            ('h', "COPY t TO STDOUT"),
            ('w', "BEGIN READ WRITE"),
            ('w', "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"),
            ('w', "SET default_transaction_read_only = off"),
            ('w', "COPY t (a) FROM STDIN"),
            ('w', "NOTIFY c, 'x'"),
            ('w', "TRUNCATE t"),
            ('w', "CREATE TEMP TABLE x (a int)"),
            ('w', "PREPARE TRANSACTION 'x'"),
            ('w', "COMMIT PREPARED 'x'"),
            ('u', "PREPARE q AS SELECT 1"),
            ('u', "EXECUTE q"),
            ('u', "DO $$ BEGIN NULL; END $$"),
            ('u', "CALL work()"),
            ('u', "COPY (SELECT f()) TO STDOUT"),
            ('u', "EXPLAIN ANALYZE UPDATE t SET a = 1"),
            ('u', "LOCK TABLE t"),
            ('u', "LISTEN c"),
        ];
        for (wanted, text) in cases {
            assert_eq!(letter(text), wanted, "{text}");
        }
    }
}
