//! Whether statements change data, as far as their words say.

use results::workload::{StatementKind, WorkloadStatements};

/// Commands that change data or write WAL for them.
const WRITING: [&str; 7] = ["insert", "update", "delete", "merge", "truncate", "create", "refresh"];

/// Commands that change data within a `WITH`.
const WRITING_IN_WITH: [&str; 4] = ["insert", "update", "delete", "merge"];

/// `true` where a statement of a workload is a command that writes. Absent otherwise: a function that is selected from
/// may write as well.
pub(super) fn statements_write(workload: &WorkloadStatements) -> Option<bool> {
    let sql = workload.statements.iter().filter(|statement| statement.kind == StatementKind::Sql);
    sql.map(|statement| &statement.text).any(|text| is_writing_command(text)).then_some(true)
}

fn is_writing_command(text: &str) -> bool {
    text.split(';').any(|command| {
        let lower = without_comments(command).to_lowercase();
        let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        match words.next() {
            Some("with") => is_writing_with(&lower),
            Some(first) => WRITING.contains(&first),
            None => false,
        }
    })
}

/// Whether a part of a `WITH`, which begins behind a bracket, or what follows its parts is such a command.
fn is_writing_with(lower: &str) -> bool {
    lower.split(['(', ')']).any(|part| {
        let first = part.split_whitespace().next();
        first.is_some_and(|word| WRITING_IN_WITH.contains(&word))
    })
}

fn without_comments(command: &str) -> String {
    let lines = command.lines().map(|line| line.split("--").next().unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut parts = text.split("/*");
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        without.push(' ');
        without.push_str(part.split_once("*/").map_or("", |(_, after)| after));
    }
    without
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_writes_where_its_command_does_and_not_where_a_name_sounds_so() {
        for (text, expected) in [
            ("UPDATE accounts SET balance = balance + $1 WHERE id = $2", true),
            ("  insert into t values (1)", true),
            ("SELECT 1; DELETE FROM t WHERE id = 1", true),
            ("WITH gone AS (DELETE FROM queue RETURNING *) SELECT * FROM gone", true),
            ("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", true),
            ("-- update statistics\nSELECT updated_at FROM inserts", false),
            ("SELECT \"delete\" FROM \"update\" /* insert */", false),
            ("WITH a AS (SELECT update_time FROM t) SELECT * FROM a", false),
            ("/* a */ UPDATE t SET v = 1", true),
            ("SELECT * FROM t WHERE id = $1 FOR UPDATE", false),
            ("BEGIN", false),
        ] {
            assert_eq!(is_writing_command(text), expected, "{text}");
        }
    }
}
