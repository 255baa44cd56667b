//! Values of a masked capture that should be in the data if these are masked alike: texts with which its statements
//! compare a column of a table that the load does not insert into. Pure.

use std::collections::{BTreeSet, HashMap};

use load::ValueRows;

use super::CapturedScripts;
use crate::statements::{tables_changed, tables_named};

/// Values of one column that are looked for.
const VALUES: usize = 40;

/// Columns that are looked at.
const COLUMNS: usize = 8;

/// Texts with which a column is compared.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ComparedColumn {
    pub(crate) table: String,
    pub(crate) column: String,
    pub(crate) values: BTreeSet<String>,
}

impl CapturedScripts {
    /// The columns with which texts are compared, the most frequent class first.
    pub(crate) fn compared_columns(&self) -> Vec<ComparedColumn> {
        let texts: Vec<(&str, Option<&str>)> = self
            .summary
            .scripts
            .iter()
            .map(|script| {
                (self.text_of_file(&script.file), script.values.as_ref().map(|values| self.text_of_file(values)))
            })
            .collect();
        let mut inserted: BTreeSet<String> = BTreeSet::new();
        for line in texts.iter().flat_map(|(text, _)| text.lines()) {
            if line.trim_start().get(..6).is_some_and(|start| start.eq_ignore_ascii_case("insert")) {
                inserted.extend(tables_changed(line));
            }
        }
        let mut columns: Vec<ComparedColumn> = Vec::new();
        for (text, values) in texts {
            let Some(rows) = values.and_then(|values| ValueRows::from_csv(values.as_bytes()).ok()) else { continue };
            let places: HashMap<&str, usize> =
                rows.column_names().iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
            for line in text.lines() {
                let tables = tables_named(line);
                let Some(table) = tables.first().filter(|_| tables.len() == 1) else { continue };
                if inserted.contains(table) {
                    continue;
                }
                for (column, variable) in comparisons_of_line(line) {
                    let Some(place) = places.get(variable.as_str()) else { continue };
                    add_values(&mut columns, table, &column, &rows, *place);
                }
            }
        }
        columns.truncate(COLUMNS);
        columns.retain(|column| !column.values.is_empty());
        columns
    }
}

fn add_values(columns: &mut Vec<ComparedColumn>, table: &str, column: &str, rows: &ValueRows, place: usize) {
    let known = columns.iter().position(|known| known.table == table && known.column == column);
    let at = known.unwrap_or_else(|| {
        columns.push(ComparedColumn { table: table.to_owned(), column: column.to_owned(), values: BTreeSet::new() });
        columns.len() - 1
    });
    for row in 0..rows.row_count() {
        if columns[at].values.len() >= VALUES {
            break;
        }
        let text = rows.field_text(row, place).map(String::from_utf8_lossy);
        if let Some(text) = text.and_then(|text| plain_text(&text)) {
            columns[at].values.insert(text);
        }
    }
}

/// A text with a letter, without the quotes of a literal; others are not masked, or are no plain texts.
fn plain_text(value: &str) -> Option<String> {
    let text = match value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(literal) => literal.replace("''", "'"),
        None => value.to_owned(),
    };
    text.chars().any(char::is_alphabetic).then_some(text)
}

/// `column = :variable` in a statement: the column's name without its table, and the variable's.
fn comparisons_of_line(line: &str) -> Vec<(String, String)> {
    let spaced = line.replace('=', " = ").replace([',', ';'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut found = Vec::new();
    for three in words.windows(3) {
        let [column, "=", variable] = three else { continue };
        let variable = variable.trim_end_matches(')').strip_prefix(":v");
        let Some(variable) = variable.filter(|number| number.bytes().all(|b| b.is_ascii_digit())) else {
            continue;
        };
        let column = column.trim_start_matches('(').rsplit('.').next().unwrap_or_default();
        let is_name = column.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && column.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name {
            found.push((column.to_owned(), format!("v{variable}")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{ReplaySummary, ReplayedScript};
    use super::*;

    #[test]
    fn columns_that_are_compared_with_texts_are_found() {
        assert_eq!(
            comparisons_of_line("SELECT * FROM t x WHERE (x.email = :v2) AND n=:v3 AND lower(a) = :v4 AND b > :v5;"),
            [("email".to_owned(), "v2".to_owned()), ("n".to_owned(), "v3".to_owned())]
        );
        let json = r#"{ "format": "pgdyno replay", "version": 1, "masked": true,
            "captured": { "transactions": 9, "calls": 9, "busy_us": 9 },
            "replayed": { "transactions": 9, "calls": 9, "busy_us": 9 },
            "writes": false, "scripts": [], "order": "order.txt", "not_replayed": [] }"#;
        let mut summary = ReplaySummary::from_json(json.as_bytes()).expect("it is one");
        let script = |file: &str, values: &str| ReplayedScript {
            statements: Vec::new(),
            file: file.to_owned(),
            values: Some(values.to_owned()),
            weight: std::num::NonZeroU32::MIN,
            busy_us: 1,
        };
        summary.scripts = vec![script("1.sql", "1.csv"), script("2.sql", "2.csv")];
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let files = vec![
            file("1.sql", "\\values 1.csv listed\nSELECT * FROM users WHERE email = :v1 AND id = :v2;\n"),
            file("1.csv", "v1,v2\n\"a@b.c\",\"7\"\n\"'it''s'\",\"8\"\n,\"9\"\n"),
            file(
                "2.sql",
                "\\values 2.csv listed\nINSERT INTO notes VALUES (:v1);\nSELECT 1 FROM notes WHERE t = :v1;\n",
            ),
            file("2.csv", "v1\n\"new\"\n"),
        ];
        let found = CapturedScripts { summary, files }.compared_columns();
        let values = ["a@b.c", "it's"].map(str::to_owned).into();
        let expected = ComparedColumn { table: "users".to_owned(), column: "email".to_owned(), values };
        assert_eq!(found, [expected], "what the load inserts itself need not be in the data");
    }
}
