//! What a table says that its own figures decide: a change in percent between two of its columns, and an average over
//! its rows.
//!
//! Which columns a change is of, nobody says. It is of the two between which most of its rows have changed by as much
//! as they say; where no two columns explain them, nothing is kept.

use std::collections::BTreeSet;

use results::imported::{AveragedColumn, ChangedField, ComputedFigures, StatedAverage, StatedChange};

use super::arrangement::is_summary;
use super::figure::{Marks, TableFigure, parse_change, parse_figure};
use super::found::{FileContent, ImportedDocument};
use super::grid::Grid;
use super::grid_rows::GridRow;
use super::source_file::SourceFile;

/// A longer table is no summary that somebody made by hand.
const ROWS_MAX: usize = 1000;

/// Rows that two columns have to explain.
const EXPLAINED_AT_LEAST: usize = 3;

/// How far a change may be from its figures to be explained by them, as a share, and as a share of itself.
const POINTS: f64 = 0.01;
const OF_ITSELF: f64 = 0.05;

/// Words of columns that have a change.
const CHANGE: [&str; 14] = [
    "change",
    "delta",
    "diff",
    "difference",
    "loss",
    "overhead",
    "degradation",
    "improvement",
    "gain",
    "slowdown",
    "speedup",
    "cost",
    "vs",
    "δ",
];

/// What the tables of a file compute from their figures.
pub(crate) fn computed_figures(file: &SourceFile, grids: &[Grid]) -> ComputedFigures {
    let mut computed = ComputedFigures::default();
    for grid in grids.iter().filter(|grid| grid.rows.row_count() <= ROWS_MAX) {
        let marks =
            Marks::from_fields(grid.rows.rows_with_lines().flat_map(|(_, row)| row).map(|field| (field, false)));
        let table = FieldsOfTable { file, grid, marks };
        for column in 0..grid.header.len() {
            computed.changes.extend(table.changes_of_column(column));
        }
        computed.averages.extend(table.unlike_averages());
    }
    computed
}

/// Adds what the tables of a file compute to what was read of it, if there is any.
pub(crate) fn with_computed(
    file: &SourceFile,
    documents: Vec<ImportedDocument>,
    computed: ComputedFigures,
) -> Vec<ImportedDocument> {
    if computed.is_empty() {
        documents
    } else {
        with_content_of_tables(file, documents, FileContent::Computed(computed))
    }
}

/// Adds what is kept of the tables of a file beside what was read of it, if that has figures.
pub(crate) fn with_content_of_tables(
    file: &SourceFile,
    mut documents: Vec<ImportedDocument>,
    content: FileContent,
) -> Vec<ImportedDocument> {
    if documents.iter().any(ImportedDocument::has_figures) {
        documents.push(ImportedDocument {
            file: file.clone(),
            tool: "table",
            version: None,
            notes: Vec::new(),
            content,
        });
    }
    documents
}

/// A table with the marks of its decimals.
struct FieldsOfTable<'a> {
    file: &'a SourceFile,
    grid: &'a Grid,
    marks: Marks,
}

impl FieldsOfTable<'_> {
    fn place_of_line(&self, line: usize) -> String {
        format!("{}:{}", self.file.display_name(), self.file.line_in_file(line))
    }

    /// The figure of a field, and half a unit of its last digit.
    fn figure_of(&self, field: &str) -> Option<(f64, f64)> {
        match parse_figure(field, self.marks) {
            Ok(TableFigure::Number(number, unit)) => {
                let factor = unit.map_or(1.0, |unit| unit.factor);
                Some((number * factor, factor * self.half_a_unit(field)))
            }
            Ok(TableFigure::Missing) | Err(_) => None,
        }
    }

    fn half_a_unit(&self, field: &str) -> f64 {
        let mark = if self.marks == Marks::Commas { ',' } else { '.' };
        let decimals =
            field.split_once(mark).map_or(0, |(_, behind)| behind.chars().take_while(char::is_ascii_digit).count());
        0.5 * 10_f64.powi(-(decimals as i32))
    }

    /// The changes of a column, each with the fields of the two columns that explain most of them.
    fn changes_of_column(&self, column: usize) -> Vec<StatedChange> {
        if !self.has_changes(column) {
            return Vec::new();
        }
        let mut best: Option<([usize; 2], usize)> = None;
        let columns = self.grid.header.len();
        let mut explaining = Vec::new();
        for from in 0..columns {
            for to in (0..columns).filter(|to| *to != from && *to != column && from != column) {
                let changes = self.changes_between(column, [from, to]);
                let explained = changes.iter().filter(|change| is_explained(change)).count();
                if explained >= EXPLAINED_AT_LEAST && 2 * (changes.len() - explained) <= explained {
                    explaining.push([from, to]);
                    if best.is_none_or(|(_, most)| explained > most) {
                        best = Some(([from, to], explained));
                    }
                }
            }
        }
        let Some((pair, _)) = best else { return Vec::new() };
        let mut changes = self.changes_between(column, pair);
        // What two other columns explain that explain most rows as well may be meant of these.
        for other in explaining.into_iter().filter(|other| *other != pair) {
            for (change, there) in changes.iter_mut().zip(self.changes_between(column, other)) {
                if !is_explained(change) && change.source == there.source && is_explained(&there) {
                    *change = there;
                }
            }
        }
        changes
    }

    /// Whether the name of a column says that it has changes, and its fields are in percent.
    fn has_changes(&self, column: usize) -> bool {
        let name = self.grid.header[column].to_lowercase();
        let is_named = name.split(|c: char| !c.is_alphanumeric()).any(|word| CHANGE.contains(&word));
        let fields: Vec<&str> = self.grid.rows.rows_with_lines().map(|(_, row)| row.field_at(column).trim()).collect();
        let in_percent = fields.iter().filter(|field| field.ends_with('%')).count();
        is_named && (name.contains('%') || 2 * in_percent > fields.len())
    }

    /// The changes of a column as if they were from one column to another.
    fn changes_between(&self, column: usize, [from, to]: [usize; 2]) -> Vec<StatedChange> {
        let mut changes = Vec::new();
        for (line, row) in self.grid.rows.rows_with_lines() {
            let is_ratio = row.field_at(column).trim().ends_with(['x', '×']);
            let percent = parse_change(row.field_at(column), self.marks).filter(|percent| *percent != 0.0 && !is_ratio);
            let figures = self.figure_of(row.field_at(from)).zip(self.figure_of(row.field_at(to)));
            let (Some(percent), Some(((from_figure, from_half), (to_figure, to_half)))) = (percent, figures) else {
                continue;
            };
            if from_figure <= 0.0 || to_figure <= 0.0 {
                continue;
            }
            let of_column = |column: usize, figure| ChangedField { column: self.grid.header[column].clone(), figure };
            changes.push(StatedChange {
                source: self.place_of_line(line),
                name: self.grid.header[column].clone(),
                percent,
                from: of_column(from, from_figure),
                to: of_column(to, to_figure),
                rounding: from_half / from_figure + to_half / to_figure,
            });
        }
        changes
    }

    /// The rows of averages whose figures are the means of their columns, where these are over unlike rows.
    fn unlike_averages(&self) -> Vec<StatedAverage> {
        let is_summary_row = |row: GridRow<'_>| {
            let first = row.all_fields().find(|field| !field.is_empty());
            first.is_some_and(is_summary)
        };
        let mut averages = Vec::new();
        for (index, (line, row)) in
            self.grid.rows.rows_with_lines().enumerate().filter(|(_, (_, row))| is_summary_row(*row))
        {
            let above = self.grid.rows.rows_with_lines().take(index).map(|(_, row)| row);
            let above: Vec<GridRow<'_>> = above.filter(|row| !is_summary_row(*row)).collect();
            let columns = (1..self.grid.header.len())
                .filter_map(|column| self.averaged_column(column, row.field_at(column), &above));
            let columns: Vec<AveragedColumn> = columns.collect();
            let unlike: BTreeSet<&Vec<String>> = columns.iter().map(|column| &column.over).collect();
            if unlike.len() > 1 {
                averages.push(StatedAverage { source: self.place_of_line(line), columns });
            }
        }
        averages
    }

    /// A column whose figures have this mean, with the first fields of the rows that have one.
    fn averaged_column(&self, column: usize, field: &str, above: &[GridRow<'_>]) -> Option<AveragedColumn> {
        let (average, half) = self.figure_of(field.trim_matches('*'))?;
        let (mut over, mut sum) = (Vec::new(), 0.0);
        for row in above {
            if let Some((figure, _)) = self.figure_of(row.field_at(column)) {
                over.push(row.field_at(0).to_owned());
                sum += figure;
            }
        }
        if over.len() < 2 {
            return None;
        }
        let mean = sum / over.len() as f64;
        let is_mean = (mean - average).abs() <= 2.0 * half;
        is_mean.then(|| AveragedColumn { column: self.grid.header[column].clone(), average, over })
    }
}

fn is_explained(change: &StatedChange) -> bool {
    let stated = change.percent.abs() / 100.0;
    let is = (change.to.figure / change.from.figure - 1.0).abs();
    (stated - is).abs() <= POINTS + OF_ITSELF * stated + change.rounding
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid;

    fn computed(text: &str) -> ComputedFigures {
        let file = SourceFile::from_argument("x.md".as_ref());
        let grids = grid::page_grids(&file, text).expect("tables");
        computed_figures(&file, &grids)
    }

    #[test]
    fn change_is_of_the_columns_that_explain_most_rows() {
        let text = "| Figure | v1 | v2 | Change |\n|---|---|---|---|\n| a | 100 | 138 | +38 % |\n| b | 200 | 240 | +20 % |\n\
                    | c | 12,375 | 15,064 | +48.6 % |\n| d | 50 | 40 | -20 % |\n| e | — | 40 | -20 % |\n";
        let ComputedFigures { changes, .. } = computed(text);
        let told: Vec<(&str, f64, bool)> =
            changes.iter().map(|change| (change.source.as_str(), change.to.figure, is_explained(change))).collect();
        let expected =
            [("x.md:3", 138.0, true), ("x.md:4", 240.0, true), ("x.md:5", 15_064.0, false), ("x.md:6", 40.0, true)];
        assert_eq!(told, expected);
    }

    #[test]
    fn change_that_no_columns_explain_is_not_kept() {
        let text = "| Figure | v1 | v2 | Change |\n|---|---|---|---|\n| a | 100 | 138 | 3 % |\n| b | 200 | 240 | 9 % |\n\
                    | c | 12 | 15 | +48.6 % |\n";
        assert!(computed(text).changes.is_empty());
        let of_cpu = text.replace("Change", "CPU");
        assert!(computed(&of_cpu).changes.is_empty());
    }

    #[test]
    fn averages_over_unlike_rows_are_kept() {
        let text = "| clients | A TPS | B TPS | B latency |\n|---|---|---|---|\n| 8 | 1660 | 1705 | 4 |\n\
                    | 16 | 2812 | 2915 | 5 |\n| 32 | — | 3885 | 8 |\n| **average** | **2236** | **2835** | |\n";
        let ComputedFigures { averages, .. } = computed(text);
        let [average] = averages.as_slice() else { panic!("{averages:?}") };
        let columns: Vec<(&str, usize)> =
            average.columns.iter().map(|column| (column.column.as_str(), column.over.len())).collect();
        assert_eq!(columns, [("A TPS", 2), ("B TPS", 3)]);
        let alike = text.replace('—', "3718").replace("2236", "2730");
        assert!(computed(&alike).averages.is_empty());
    }
}
