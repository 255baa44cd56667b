//! Which columns the statements of a load may touch, and how: a fact about the values of a column decides nothing where
//! no statement reads or writes them, nor does the visibility map where none reads by an index alone.

use super::case::DiagnosisCase;
use super::plans::{is_called, nodes_of_plan, plans_of, touches_table, words_of};

impl DiagnosisCase<'_> {
    /// Whether a statement may read or write values of a column of a table. Also where that is not known: the plans or
    /// the texts are missing, or a table is used by a view, a function or a trigger.
    pub(super) fn may_touch_column(&self, table: &str, column: &str) -> bool {
        let Ok(plans) = self.statement_plans() else { return true };
        let mut is_used = false;
        for statement in plans.statements.iter().filter(|statement| touches_table(statement, table)) {
            is_used = true;
            if self.text_of(statement).is_none_or(|text| may_touch(text, name_alone(table), column)) {
                return true;
            }
        }
        !is_used
    }

    /// Whether a statement may read a table by an index alone. Also where that is not known, as above.
    pub(super) fn may_read_by_index_alone(&self, table: &str) -> bool {
        let Ok(plans) = self.statement_plans() else { return true };
        let mut is_used = false;
        for plan in plans.statements.iter().filter(|one| touches_table(one, table)).flat_map(plans_of) {
            is_used = true;
            let mut scans = nodes_of_plan(plan).into_iter().filter(|node| node.node.contains("Index Only Scan"));
            if scans.any(|node| node.relation.as_deref().is_some_and(|relation| is_called(table, relation))) {
                return true;
            }
        }
        !is_used
    }
}

/// `accounts` of `public.accounts`, without quotes.
fn name_alone(table: &str) -> &str {
    table.rsplit_once('.').map_or(table, |(_, alone)| alone).trim_matches('"')
}

/// Whether a statement on a table may read or write values of a column, by its text.
fn may_touch(text: &str, table: &str, column: &str) -> bool {
    let text = text.to_lowercase();
    let words = words_of(&text);
    let (table, column) = (table.to_lowercase(), column.trim_matches('"').to_lowercase());
    // A new row has all its columns. An UPDATE keeps the stored values of those that it does not name.
    let makes_rows = ["insert", "copy", "merge"].iter().any(|word| words.contains(*word));
    let takes_all_columns = text.replace("count(*)", "").contains('*');
    !words.contains(&table) || words.contains(&column) || makes_rows || takes_all_columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_is_touched_by_statements_that_name_it_or_have_all_columns() {
        let cases = [
            ("SELECT abalance FROM accounts WHERE aid = $1", false),
            ("UPDATE accounts SET abalance = abalance + $1 WHERE aid = $2", false),
            ("SELECT count(*) FROM accounts", false),
            ("SELECT filler FROM accounts", true),
            ("SELECT upper(Filler) FROM accounts", true),
            ("SELECT * FROM accounts", true),
            ("INSERT INTO accounts (aid) VALUES ($1)", true),
            // By a view or a function.
            ("SELECT total FROM sums", true),
        ];
        for (text, touched) in cases {
            assert_eq!(may_touch(text, "accounts", "\"filler\""), touched, "{text}");
        }
    }
}
