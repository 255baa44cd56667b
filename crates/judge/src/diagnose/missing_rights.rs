//! Rights of the role that would let rules answer. Whoever could not read something for want of one says so in a reason
//! that ends with the statements that would give it: `hint: GRANT ...; GRANT ...`.

use std::collections::{BTreeMap, BTreeSet};

use super::missing::MissingObservation;

/// How many rules lacked a right somewhere, and what would give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingRights {
    /// Statements for an administrator, each once.
    pub grants: Vec<String>,
    /// Rules that could not answer in some cell without them.
    pub rules: usize,
}

/// The rules that could not answer, by the statement that would let them.
#[derive(Debug, Default)]
pub(super) struct RulesByGrant(BTreeMap<String, BTreeSet<&'static str>>);

impl RulesByGrant {
    /// Takes note of what a rule lacked, if a right would give it.
    pub(super) fn add(&mut self, rule: &'static str, missing: &MissingObservation) {
        for grant in grants_in(&missing.why) {
            self.0.entry(grant).or_default().insert(rule);
        }
    }

    /// All of them together; none where no right is missing.
    pub(super) fn into_missing_rights(self) -> Option<MissingRights> {
        let rules: BTreeSet<&str> = self.0.values().flatten().copied().collect();
        if rules.is_empty() {
            return None;
        }
        Some(MissingRights { rules: rules.len(), grants: self.0.into_keys().collect() })
    }
}

/// The statements that a reason names.
pub fn grants_in(reason: &str) -> Vec<String> {
    let mut grants = Vec::new();
    let Some((_, hint)) = reason.split_once("hint: GRANT ") else { return grants };
    for part in format!("GRANT {hint}").split("; ") {
        // What else may be needed follows in words.
        let statement = part.split_once(", and ").map_or(part, |(statement, _)| statement);
        if statement.starts_with("GRANT ") {
            grants.push(statement.trim().to_owned());
        }
    }
    grants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statements_of_all_reasons_are_named_once_with_the_rules_that_they_would_let_answer() {
        let hidden = "pg.replication is not permitted: the server hides it; hint: GRANT pg_monitor TO \"app\"";
        let refused = "pg.wal is not permitted: no (SQLSTATE 42501); hint: GRANT pg_monitor TO \"app\", and SELECT on the \
                       view if it was revoked from PUBLIC";
        let log = "the server's log is not permitted: no; hint: GRANT pg_monitor TO \"app\"; GRANT EXECUTE ON FUNCTION \
                   pg_read_binary_file(text, bigint, bigint, boolean) TO \"app\"";
        let mut rules = RulesByGrant::default();
        for (rule, why) in
            [("a", hidden), ("b", refused), ("c", log), ("a", hidden), ("d", "timed out"), ("e", "hint: raise it")]
        {
            rules.add(rule, &MissingObservation::new("what", why));
        }
        let execute = "GRANT EXECUTE ON FUNCTION pg_read_binary_file(text, bigint, bigint, boolean) TO \"app\"";
        let grants = vec![execute.to_owned(), "GRANT pg_monitor TO \"app\"".to_owned()];
        assert_eq!(rules.into_missing_rights(), Some(MissingRights { grants, rules: 3 }));
        assert_eq!(RulesByGrant::default().into_missing_rights(), None);
    }
}
