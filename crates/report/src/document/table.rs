//! A table once for all forms. People read its figures with units and intervals in words; programs read bare numbers
//! with units in the names.

use super::cell::{Bar, TableCell};
use super::column::{DocumentColumn, Holds, TableRoom};

/// Characters of a statement where there is little room.
const CODE_MAX: usize = 60;

/// A table of which a report may have several, such as one for each workload.
#[derive(Debug)]
pub struct TableKind {
    /// Its name for programs, as a file's without the ending.
    pub name: &'static str,
    /// What it holds, in a sentence.
    pub about: &'static str,
    /// Its columns, from left to right.
    pub columns: &'static [DocumentColumn],
}

/// The cells of a line, as many as the table has columns.
#[derive(Debug)]
pub struct DocumentRow {
    /// The cells.
    pub cells: Vec<TableCell>,
    /// Whether it is to be seen first, such as a broken limit.
    pub stands_out: bool,
}

/// A table with its rows.
#[derive(Debug)]
pub struct DocumentTable {
    /// Its columns and its name.
    pub kind: &'static TableKind,
    /// What it is of, where a section has several.
    pub caption: Option<String>,
    /// Where it is shown.
    pub showing: Showing,
    /// Titles that depend on what is compared, by the key of their column.
    pub renamed: Vec<(&'static str, String)>,
    /// What one of the columns stands for, such as the targets.
    pub each: Vec<String>,
    /// The rows.
    pub rows: Vec<DocumentRow>,
    /// The rows that a page folds, if not all are worth a place.
    pub folded: Option<FoldedRows>,
    /// Sentences that belong to its figures.
    pub notes: Vec<String>,
}

/// Which forms show a part of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// All of them.
    Everywhere,
    /// A page.
    Page,
    /// A page, where it is folded.
    Folded,
}

/// The last rows of a table, which a page folds and other forms for people leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldedRows {
    /// Index of the first of them.
    pub from: usize,
    /// The sentence in their place.
    pub summary: String,
}

/// A column as people see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleColumn {
    /// Its heading.
    pub title: String,
    /// Whether its digits are to stand below one another.
    pub is_number: bool,
    /// What its cells hold.
    pub holds: Holds,
}

impl Showing {
    /// Of what is worth a place where there is little, or is folded on a page.
    pub fn foremost_or_folded(is_foremost: bool) -> Self {
        if is_foremost { Self::Everywhere } else { Self::Folded }
    }
}

impl DocumentRow {
    /// A row like others.
    pub fn from_cells(cells: Vec<TableCell>) -> Self {
        Self { cells, stands_out: false }
    }

    /// Its bar, where the table has bars.
    pub fn bar_of_row(&self) -> Option<&Bar> {
        self.cells.iter().find_map(|cell| if let TableCell::Bar(bar) = cell { Some(bar) } else { None })
    }
}

impl DocumentTable {
    /// The only table of its section.
    pub fn from_rows(kind: &'static TableKind, rows: Vec<DocumentRow>) -> Self {
        Self {
            kind,
            caption: None,
            showing: Showing::Everywhere,
            renamed: Vec::new(),
            each: Vec::new(),
            rows,
            folded: None,
            notes: Vec::new(),
        }
    }

    /// A table of which only the first rows are worth a place.
    pub fn of_first(kind: &'static TableKind, rows: Vec<DocumentRow>, at_most: usize) -> Self {
        let more = rows.len().saturating_sub(at_most);
        let folded =
            if more == 0 { None } else { Some(FoldedRows { from: at_most, summary: format!("and {more} more") }) };
        Self { folded, ..Self::from_rows(kind, rows) }
    }

    /// Whether a form with so little room has a place for it.
    pub fn is_shown(&self, room: TableRoom) -> bool {
        let has_columns = self.kind.columns.iter().any(|column| column.is_shown(room));
        has_columns && (self.showing == Showing::Everywhere || room == TableRoom::Page)
    }

    /// The columns that people read.
    pub fn people_columns(&self, room: TableRoom) -> Vec<PeopleColumn> {
        let mut columns = Vec::new();
        for column in self.kind.columns.iter().filter(|column| column.is_shown(room)) {
            if column.holds == Holds::Each {
                for name in &self.each {
                    columns.push(PeopleColumn { title: name.clone(), is_number: false, holds: Holds::Each });
                }
            }
            let renamed = self.renamed.iter().find(|(key, _)| column.key == Some(key));
            for (index, title) in column.people_titles().into_iter().enumerate() {
                let title = renamed.filter(|_| index == 0).map_or(title, |(_, title)| title).to_owned();
                columns.push(PeopleColumn { title, is_number: column.is_number(), holds: column.holds });
            }
        }
        columns
    }

    /// The rows as people read them; where there is little room, without those that are folded.
    pub fn people_texts(&self, room: TableRoom) -> Vec<Vec<String>> {
        let shown = match &self.folded {
            Some(folded) if room == TableRoom::Little => folded.from,
            Some(_) | None => self.rows.len(),
        };
        let mut rows = Vec::new();
        for row in self.rows.iter().take(shown) {
            let mut texts = Vec::new();
            for (cell, column) in row.cells.iter().zip(self.kind.columns) {
                if !column.is_shown(room) {
                    continue;
                }
                let is_cut = column.holds == Holds::Code && room == TableRoom::Little;
                let of_cell = cell.people_texts(column).into_iter();
                texts.extend(of_cell.map(|text| if is_cut { cut_code(&text) } else { text }));
            }
            rows.push(texts);
        }
        rows
    }

    /// Before which of the titles a page draws the bars, and what stands above them.
    pub fn bars_column(&self) -> Option<(usize, &'static str)> {
        let at = self.kind.columns.iter().position(|column| column.holds == Holds::Bar)?;
        let before = self.kind.columns[..at].iter().map(|column| column.people_titles().len()).sum();
        Some((before, self.kind.columns[at].title?))
    }
}

/// The begin of a statement.
fn cut_code(text: &str) -> String {
    if text.chars().count() <= CODE_MAX {
        return text.to_owned();
    }
    text.chars().take(CODE_MAX - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static KIND: TableKind = TableKind {
        name: "statements-of-a-test",
        about: "Statements",
        columns: &[
            DocumentColumn::new("line", "line", Holds::Count),
            DocumentColumn::new("executions", "executions", Holds::Count).on_page(),
            DocumentColumn::new("statement", "text", Holds::Code),
        ],
    };

    #[test]
    fn little_room_has_few_columns_few_rows_and_the_begin_of_a_statement() {
        let statement = "ä".repeat(80);
        let row = |line: u64| {
            DocumentRow::from_cells(vec![
                TableCell::Count(line),
                TableCell::Count(9),
                TableCell::from_words(&statement),
            ])
        };
        let table = DocumentTable::of_first(&KIND, (1..=3).map(row).collect(), 2);
        let titles = |room| table.people_columns(room).into_iter().map(|column| column.title).collect::<Vec<_>>();
        assert_eq!(titles(TableRoom::Little), ["line", "statement"]);
        assert_eq!(titles(TableRoom::Page), ["line", "executions", "statement"]);
        let short = table.people_texts(TableRoom::Little);
        assert_eq!(short, [["1".to_owned(), cut_code(&statement)], ["2".to_owned(), cut_code(&statement)]]);
        assert_eq!(short[0][1].chars().count(), CODE_MAX);
        assert_eq!(table.folded, Some(FoldedRows { from: 2, summary: "and 1 more".to_owned() }));
        assert_eq!(table.people_texts(TableRoom::Page)[2], ["3", "9", &statement]);
    }
}
