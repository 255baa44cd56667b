//! What a statement returns, as far as its words show it: the columns of `RETURNING`, of a read that locks its rows,
//! and of a SELECT without FROM.

use crate::SqlError;
use crate::parameters::StatementWords;

/// The list of what a statement returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedList {
    /// Why it returns something.
    pub reason: ReturnReason,
    /// Its columns in their order. `*` is a column without a name, behind which no other is known.
    pub columns: Vec<ReturnedColumn>,
}

/// Why a statement returns something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnReason {
    /// It writes: `RETURNING`.
    Writing,
    /// It locks the rows that it reads: `FOR UPDATE`.
    Locking,
    /// It computes values without any table: `SELECT nextval('s')`.
    Computing,
}

/// A column that a statement returns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReturnedColumn {
    /// Whether it is a column of a table, and not computed.
    pub is_plain: bool,
    /// Its name in the table, or that of the function which computes it, and the one that the statement gives it.
    pub names: Vec<String>,
    /// The tables that may have it, as in `UsedColumn`.
    pub tables: Vec<String>,
}

/// What a statement returns; `None` for what returns nothing, or rows of tables that are only read.
pub fn returned_list(text: &str) -> Result<Option<ReturnedList>, SqlError> {
    let words = StatementWords::from_text(text)?;
    let mut outer = OuterWords::default();
    let mut depth = 0_usize;
    for place in 0..words.word_count() {
        match words.word_at(place) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth > 0 || !words.is_keyword(place) => {}
            "returning" => outer.returning = Some(place),
            "from" => outer.from = outer.from.or(Some(place)),
            "for" if matches!(words.word_at(place + 1), "update" | "no" | "share" | "key") => outer.locks = true,
            _ => {}
        }
    }
    let is_select = words.word_at(0) == "select";
    let (reason, begin, end) = match outer {
        OuterWords { returning: Some(place), .. } => (ReturnReason::Writing, place + 1, words.word_count()),
        OuterWords { from: Some(from), locks: true, .. } if is_select => (ReturnReason::Locking, 1, from),
        OuterWords { from: None, .. } if is_select => (ReturnReason::Computing, 1, words.word_count()),
        OuterWords { .. } => return Ok(None),
    };
    Ok(Some(ReturnedList { reason, columns: columns_between(&words, begin, end) }))
}

/// Words that stand in no bracket.
#[derive(Default)]
struct OuterWords {
    returning: Option<usize>,
    from: Option<usize>,
    locks: bool,
}

/// The elements of a list, up to the first `*`.
fn columns_between(words: &StatementWords, begin: usize, end: usize) -> Vec<ReturnedColumn> {
    let mut columns = Vec::new();
    let (mut depth, mut element) = (0_usize, begin);
    for place in begin..=end {
        let word = if place == end { ";" } else { words.word_at(place) };
        match word {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "," | ";" if depth == 0 => {
                columns.push(column_between(words, element, place));
                let is_star = place > element && words.word_at(place - 1) == "*";
                if is_star || word == ";" {
                    break;
                }
                element = place + 1;
            }
            _ => {}
        }
    }
    columns
}

fn column_between(words: &StatementWords, begin: usize, end: usize) -> ReturnedColumn {
    let mut column = ReturnedColumn::default();
    let mut expression_end = end;
    if end > begin + 2 && words.word_at(end - 2) == "as" {
        column.names.push(words.word_at(end - 1).to_owned());
        expression_end = end - 2;
    } else if end > begin + 1 && words.is_name(end - 1) && words.can_be_column(end - 2) {
        column.names.push(words.word_at(end - 1).to_owned());
        expression_end = end - 1;
    }
    // `name`, `table.name` or `schema.table.name`.
    let length = expression_end.saturating_sub(begin);
    column.is_plain = length % 2 == 1;
    for place in begin..expression_end {
        let is_name_expected = (place - begin).is_multiple_of(2);
        let is_last = place + 1 == expression_end;
        column.is_plain &= match words.word_at(place) {
            "." => !is_name_expected,
            "*" => is_name_expected && is_last,
            _ => is_name_expected && words.can_be_column(place),
        };
    }
    if column.is_plain && words.word_at(expression_end - 1) != "*" {
        column.names.insert(0, words.word_at(expression_end - 1).to_owned());
    }
    if !column.is_plain {
        column.names.extend(called_function(words, begin, expression_end).map(str::to_owned));
    }
    let qualifier = if length > 1 { Some(expression_end - 3) } else { None };
    column.tables = words.tables_of_column(qualifier);
    column
}

/// The name of the function of which an expression is one call.
fn called_function(words: &StatementWords, begin: usize, end: usize) -> Option<&str> {
    let bracket = (begin..end).find(|place| words.word_at(*place) == "(")?;
    let is_one_call = bracket > begin && words.word_at(end - 1) == ")";
    is_one_call.then(|| words.word_at(bracket - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_of(text: &str) -> Option<ReturnedList> {
        returned_list(text).expect("it can be scanned")
    }

    fn names_of(text: &str) -> Vec<Vec<String>> {
        let columns = list_of(text).expect("it returns something").columns;
        columns.into_iter().map(|column| if column.is_plain { column.names } else { vec!["computed".into()] }).collect()
    }

    #[test]
    fn columns_that_are_returned_have_their_names() {
        for (text, expected) in [
            ("INSERT INTO t VALUES ($1) RETURNING id", &[&["id"][..]][..]),
            ("INSERT INTO t (a) VALUES ($1)\nreturning t.\"Id\", created", &[&["Id"], &["created"]]),
            (
                "INSERT INTO t VALUES (1)RETURNING ID AS Oid, lower(a), b c",
                &[&["id", "oid"], &["computed"], &["b", "c"]],
            ),
            ("INSERT INTO t VALUES ($1) RETURNING *", &[&[]]),
            ("INSERT INTO t VALUES ($1) RETURNING t.*, 1", &[&[]]),
            (
                "UPDATE q SET a = 1 WHERE id = (SELECT id FROM q FOR UPDATE) RETURNING s.q.id, job;",
                &[&["id"], &["job"]],
            ),
            (
                "SELECT id, payload FROM q WHERE NOT done ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1",
                &[&["id"], &["payload"]],
            ),
            ("SELECT nextval($1)", &[&["computed"]]),
            ("SELECT f($1, $2), $3::int AS x", &[&["computed"], &["computed"]]),
        ] {
            assert_eq!(names_of(text), expected, "{text}");
        }
        let called = |text: &str| list_of(text).map(|list| list.columns[0].names.clone()).unwrap_or_default();
        assert_eq!(called("SELECT nextval($1)"), ["nextval"]);
        assert_eq!(called("SELECT shop.place_order($1, f(2)) AS id"), ["id", "place_order"]);
        assert!(called("SELECT ($1)").is_empty());
        let tables = |text: &str| list_of(text).map(|list| list.columns[0].tables.clone()).unwrap_or_default();
        assert_eq!(tables("UPDATE s.q AS j SET a = l.a FROM l RETURNING j.id"), ["\"s\".\"q\""]);
        assert_eq!(tables("DELETE FROM q USING l RETURNING id"), ["\"q\"", "\"l\""]);
    }

    #[test]
    fn rows_that_are_only_read_are_not_in_a_list() {
        for text in [
            "SELECT id FROM t",
            "WITH n AS (INSERT INTO t VALUES ($1) RETURNING *) SELECT * FROM n",
            "INSERT INTO returned VALUES ($1)",
            "INSERT INTO \"returning\" VALUES ($1)",
            "SELECT (SELECT id FROM q FOR UPDATE) FROM t",
            "COMMIT",
            "",
        ] {
            assert_eq!(list_of(text), None, "{text}");
        }
        for text in ["RETURNING", "SELECT", "SELECT )", "returning , ,", "select . for update from"] {
            let _ = returned_list(text);
        }
    }
}
