//! The statements of a load that define objects: event triggers are executed for them.

use results::workload::{SentStatement, StatementNumber};

use super::case::DiagnosisCase;
use crate::beside::without_comments;

/// First words of the commands for which event triggers are executed (the manual's table of event trigger firing).
const DEFINING_COMMANDS: [&str; 10] =
    ["alter", "comment", "create", "drop", "grant", "import", "refresh", "reindex", "revoke", "security"];

impl DiagnosisCase<'_> {
    /// The statements of its workload that create, alter or drop objects, by their first words.
    pub fn defining_statements(&self) -> Vec<StatementNumber> {
        let sent = self.workload_statements().map_or(&[][..], |statements| &statements.statements);
        let mut defining = Vec::new();
        for (number, statement) in (0..).zip(sent) {
            if defines_an_object(statement) {
                defining.push(StatementNumber(number));
            }
        }
        defining
    }
}

fn defines_an_object(statement: &SentStatement) -> bool {
    let first = without_comments(&statement.text).split(|letter: char| !letter.is_ascii_alphabetic()).next();
    DEFINING_COMMANDS.contains(&first.unwrap_or("").to_ascii_lowercase().as_str())
}
