//! What the text of each captured statement says of the values that it returns and of those that it takes.

use capture::directory::{CaptureReader, CapturedStatement};
use sql::{ColumnReference, PlaceholderUse, ReturnReason, ReturnedColumn, UsedColumn, parameter_uses, returned_list};

use super::executed_values::values_of_statement;

/// The shapes of all statements of a capture; the place is the id.
#[derive(Debug, Default)]
pub(super) struct StatementShapes(Vec<StatementShape>);

/// What a text says.
#[derive(Debug, Default)]
pub(super) struct StatementShape {
    /// Why it returns something, if it does.
    pub(super) returns: Option<ReturnReason>,
    /// What it returns, as far as its list is known.
    pub(super) columns: Vec<ReturnedColumn>,
    /// What each of its values that a script can replace is for.
    pub(super) uses: Vec<PlaceholderUse>,
}

/// How the column that a value is compared with is related to one that a statement returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ColumnRelation {
    /// Not by its name.
    Unrelated,
    /// It is called after the table: `order_id` and a column of `orders`.
    NamedAfterTable,
    /// It has the same name in another table.
    SameName,
    /// It is the same column of the same table.
    SameColumn,
}

impl StatementShapes {
    pub(super) fn of_capture(capture: &CaptureReader) -> Self {
        Self(capture.statements().iter().map(StatementShape::from_statement).collect())
    }

    pub(super) fn by_statement(&self, id: u64) -> Option<&StatementShape> {
        self.0.get(usize::try_from(id).ok()?)
    }
}

impl StatementShape {
    fn from_statement(statement: &CapturedStatement) -> Self {
        let mut shape = Self { uses: parameter_uses(&statement.text).unwrap_or_default(), ..Self::default() };
        shape.uses.resize(values_of_statement(statement) as usize, PlaceholderUse::Unknown);
        if let Ok(Some(list)) = returned_list(&statement.text) {
            shape.returns = Some(list.reason);
            shape.columns = list.columns;
        }
        shape
    }

    /// The column in which a value that the server makes is returned, if its place is known: the one with the name of
    /// the column that the value is compared with, else the first one. A key stands first in most tables.
    pub(super) fn column_of_made_value(&self, used: &PlaceholderUse) -> Option<u32> {
        let by_name =
            self.columns.iter().position(|column| relation_of_columns(column, used) >= ColumnRelation::SameName);
        if let Some(place) = by_name {
            return u32::try_from(place).ok();
        }
        match self.returns? {
            ReturnReason::Writing if self.columns.first()?.is_plain => Some(0),
            ReturnReason::Computing if self.columns.len() == 1 && is_called_after(&self.columns[0], used) => Some(0),
            ReturnReason::Writing | ReturnReason::Computing | ReturnReason::Locking => None,
        }
    }
}

/// How the column of a parameter is related to a returned one.
pub(super) fn relation_of_columns(returned: &ReturnedColumn, used: &PlaceholderUse) -> ColumnRelation {
    let (PlaceholderUse::Compared(used) | PlaceholderUse::Stored(used)) = used else {
        return ColumnRelation::Unrelated;
    };
    let ColumnReference::Name(name) = &used.column else { return ColumnRelation::Unrelated };
    let has_name = returned.names.contains(name);
    if has_name && share_table(&returned.tables, used) {
        ColumnRelation::SameColumn
    } else if has_name && says_whose_it_is(name) {
        ColumnRelation::SameName
    } else if returned.tables.iter().any(|table| is_named_after(name, table)) {
        ColumnRelation::NamedAfterTable
    } else {
        ColumnRelation::Unrelated
    }
}

fn share_table(returned: &[String], used: &UsedColumn) -> bool {
    let bare: Vec<&str> = returned.iter().map(|table| bare_name(table)).collect();
    used.tables.iter().any(|table| bare.contains(&bare_name(table)))
}

/// The name of a table without its schema and quotes.
fn bare_name(table: &str) -> &str {
    table.trim_end_matches('"').rsplit('"').next().unwrap_or(table)
}

/// Letters of a name besides `id` that say something.
const STEM_AT_LEAST: usize = 3;

/// `order` of `order_id`, `category` of `categoryid`.
fn stem_of_name(column: &str) -> &str {
    column.strip_suffix("_id").or_else(|| column.strip_suffix("id")).unwrap_or(column)
}

/// Whether a name is more than `id`, which each table may have of its own.
fn says_whose_it_is(column: &str) -> bool {
    stem_of_name(column).len() >= STEM_AT_LEAST
}

/// Whether a function that computes a value is called after what the value is used for, as `register_customer` and
/// `customer_id` or `customers`, or takes the next number of a sequence. Of others, numbers that grow are no evidence.
fn is_called_after(returned: &ReturnedColumn, used: &PlaceholderUse) -> bool {
    if returned.names.iter().any(|name| name == "nextval") {
        return true;
    }
    let (PlaceholderUse::Compared(used) | PlaceholderUse::Stored(used)) = used else { return false };
    let mut stems: Vec<&str> = used.tables.iter().map(|table| bare_name(table).trim_end_matches('s')).collect();
    if let ColumnReference::Name(name) = &used.column {
        stems.push(stem_of_name(name));
    }
    stems.retain(|stem| stem.len() >= STEM_AT_LEAST);
    stems.iter().any(|stem| returned.names.iter().any(|name| name.contains(stem)))
}

/// `order_id` and `orders`, `categoryid` and `category`.
fn is_named_after(column: &str, table: &str) -> bool {
    let stem = stem_of_name(column);
    stem.len() >= STEM_AT_LEAST && bare_name(table).starts_with(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(returning: &str, using: &str) -> ColumnRelation {
        let list = returned_list(returning).expect("it is SQL").expect("it returns something");
        relation_of_columns(&list.columns[0], &parameter_uses(using).expect("it is SQL")[0])
    }

    #[test]
    fn columns_are_related_by_their_names_and_tables() {
        let returning = "INSERT INTO shop.orders (a) VALUES (1) RETURNING id, created";
        for (using, expected) in [
            ("UPDATE orders SET paid = true WHERE id = $1", ColumnRelation::SameColumn),
            ("SELECT 1 FROM items i JOIN shop.orders o ON o.id = i.id WHERE o.id = $1", ColumnRelation::SameColumn),
            ("SELECT 1 FROM items i WHERE i.id = $1", ColumnRelation::Unrelated),
            ("SELECT 1 FROM lines WHERE order_id = $1", ColumnRelation::NamedAfterTable),
            ("INSERT INTO lines (orderid) VALUES ($1)", ColumnRelation::NamedAfterTable),
            ("SELECT 1 FROM lines WHERE product_id = $1", ColumnRelation::Unrelated),
            ("INSERT INTO lines VALUES ($1)", ColumnRelation::Unrelated),
            ("SELECT $1::int", ColumnRelation::Unrelated),
        ] {
            assert_eq!(relation(returning, using), expected, "{using}");
        }
        let labelled = "UPDATE jobs SET taken = now() RETURNING order_id AS task";
        assert_eq!(relation(labelled, "SELECT 1 FROM lines WHERE task = $1"), ColumnRelation::SameName);
    }

    #[test]
    fn a_made_value_stands_in_the_column_of_its_name_or_first() {
        let shape = |text: &str| {
            let list = returned_list(text).expect("it is SQL").expect("it returns something");
            StatementShape { returns: Some(list.reason), columns: list.columns, uses: Vec::new() }
        };
        let used = &parameter_uses("SELECT 1 FROM t WHERE id = $1").expect("it is SQL")[0];
        for (text, expected) in [
            ("INSERT INTO t VALUES (1) RETURNING created, id", Some(1)),
            ("INSERT INTO t VALUES (1) RETURNING created, number", Some(0)),
            ("INSERT INTO t VALUES (1) RETURNING *", Some(0)),
            ("INSERT INTO t VALUES (1) RETURNING lower(a), b", None),
            ("SELECT nextval($1)", Some(0)),
            ("SELECT f($1), g($1)", None),
            ("SELECT pg_is_in_recovery()", None),
            ("SELECT a FROM t FOR UPDATE", None),
        ] {
            assert_eq!(shape(text).column_of_made_value(used), expected, "{text}");
        }
    }

    #[test]
    fn a_function_makes_the_values_that_it_is_called_after() {
        let made = |function: &str, using: &str| {
            let list = returned_list(function).expect("it is SQL").expect("it returns something");
            is_called_after(&list.columns[0], &parameter_uses(using).expect("it is SQL")[0])
        };
        let registers = "SELECT register_customer($1)";
        assert!(made(registers, "SELECT 1 FROM orders WHERE customer_id = $1"));
        assert!(made(registers, "SELECT 1 FROM shop.customers WHERE id = $1"));
        assert!(made("SELECT nextval('s')", "SELECT 1 FROM t WHERE id = $1"));
        assert!(!made(registers, "SELECT 1 FROM stock WHERE id = $1"));
        assert!(!made("SELECT pg_is_in_backup()", "SELECT body FROM notes WHERE id = $1"));
    }
}
