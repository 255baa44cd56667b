//! Whose work a COMMIT completes. What a transaction wrote is flushed, replicated and checked (deferred constraints)
//! when it commits, and the client waits for that with the COMMIT of its script: that time belongs to the statements
//! that wrote.

use results::workload::{SentStatement, StatementKind, StatementNumber};

/// A COMMIT of a script, and whose time it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    /// The statement that commits.
    pub(crate) number: StatementNumber,
    /// The statements of its transaction that wrote, in their order; all of them where none is known to write.
    pub(crate) of: Vec<StatementNumber>,
}

impl Commit {
    /// The share of its time that is of these statements: each that wrote has the same.
    pub(crate) fn share_of(&self, statements: &[StatementNumber]) -> f64 {
        let those = self.of.iter().filter(|number| statements.contains(number)).count();
        if self.of.is_empty() { 0.0 } else { those as f64 / self.of.len() as f64 }
    }
}

/// The commits of the scripts of a workload; `writes`: whether a statement is known to write.
pub(crate) fn commits_of_scripts(sent: &[SentStatement], writes: impl Fn(StatementNumber) -> bool) -> Vec<Commit> {
    let mut commits = Vec::new();
    let (mut script, mut block): (&str, Option<Vec<StatementNumber>>) = ("", None);
    for (number, statement) in (0..).map(StatementNumber).zip(sent) {
        if statement.script != script {
            (script, block) = (&statement.script, None);
        }
        if statement.kind != StatementKind::Sql {
            continue;
        }
        match transaction_boundary(&statement.text) {
            Some(Boundary::Begins) => block = Some(Vec::new()),
            Some(Boundary::Commits) => {
                if let Some(all) = block.take() {
                    let known: Vec<StatementNumber> = all.iter().copied().filter(|number| writes(*number)).collect();
                    commits.push(Commit { number, of: if known.is_empty() { all } else { known } });
                }
            }
            Some(Boundary::RollsBack) => block = None,
            None => block.iter_mut().for_each(|block| block.push(number)),
        }
    }
    commits
}

/// A command that begins or ends a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    Begins,
    Commits,
    RollsBack,
}

/// By the grammar of PostgreSQL. A two-phase COMMIT PREPARED is of another session's transaction.
fn transaction_boundary(text: &str) -> Option<Boundary> {
    let text = text.trim_start().trim_end_matches(|c: char| c.is_whitespace() || c == ';').to_ascii_uppercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["COMMIT" | "ROLLBACK", "PREPARED", ..] => None,
        ["BEGIN", ..] | ["START", "TRANSACTION", ..] => Some(Boundary::Begins),
        ["COMMIT" | "END", ..] => Some(Boundary::Commits),
        ["ROLLBACK", "TO", ..] | ["ROLLBACK", "WORK" | "TRANSACTION", "TO", ..] => None,
        ["ROLLBACK" | "ABORT", ..] | ["PREPARE", "TRANSACTION", ..] => Some(Boundary::RollsBack),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(texts: &[(&str, &str)]) -> Vec<SentStatement> {
        (1..)
            .zip(texts)
            .map(|(line, (script, text))| SentStatement {
                script: (*script).to_owned(),
                line,
                kind: StatementKind::Sql,
                text: (*text).to_owned(),
                parameters: Vec::new(),
                variants: 1,
                captured: None,
            })
            .collect()
    }

    /// The commits of these texts, by number, where statements with INSERT are known to write.
    fn found(texts: &[(&str, &str)]) -> Vec<(u32, Vec<u32>)> {
        let sent = sent(texts);
        let inserts = |number: StatementNumber| sent[number.0 as usize].text.contains("INSERT");
        let of = |commit: Commit| (commit.number.0, commit.of.iter().map(|number| number.0).collect());
        commits_of_scripts(&sent, inserts).into_iter().map(of).collect()
    }

    #[test]
    fn a_commit_belongs_to_what_wrote_in_its_transaction() {
        let texts =
            [("a", "INSERT 0"), ("a", "begin"), ("a", "SELECT"), ("a", "INSERT 1"), ("a", "INSERT 2"), ("a", "End;")];
        assert_eq!(found(&texts), [(5, vec![3, 4])]);
    }

    #[test]
    fn where_nothing_is_known_to_write_it_belongs_to_all() {
        let texts = [("a", "START TRANSACTION READ WRITE"), ("a", "SELECT pay(1)"), ("a", "SELECT 1"), ("a", "COMMIT")];
        assert_eq!(found(&texts), [(3, vec![1, 2])]);
    }

    #[test]
    fn what_is_rolled_back_or_of_another_script_is_not_committed() {
        let rolled_back = [("a", "BEGIN"), ("a", "INSERT"), ("a", "ROLLBACK"), ("a", "COMMIT")];
        assert_eq!(found(&rolled_back), []);
        let savepoint =
            [("a", "BEGIN"), ("a", "INSERT"), ("a", "ROLLBACK TO s"), ("a", "COMMIT PREPARED 'x'"), ("a", "COMMIT")];
        assert_eq!(found(&savepoint), [(4, vec![1])]);
        let other_script = [("a", "BEGIN"), ("a", "INSERT"), ("b", "COMMIT")];
        assert_eq!(found(&other_script), []);
    }

    #[test]
    fn writers_of_one_commit_share_it_alike() {
        let commit = Commit { number: StatementNumber(5), of: vec![StatementNumber(3), StatementNumber(4)] };
        assert_eq!(commit.share_of(&[StatementNumber(3)]), 0.5);
        assert_eq!(commit.share_of(&[StatementNumber(4), StatementNumber(3), StatementNumber(1)]), 1.0);
        assert_eq!(commit.share_of(&[StatementNumber(1)]), 0.0);
    }
}
