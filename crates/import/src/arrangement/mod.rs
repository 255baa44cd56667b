//! Tables as people publish them, arranged as a row for each measurement: with sides or clients as columns, with
//! figures as rows, with several figures in a field, or with their name in a heading.
//!
//! What a figure is follows from words alone: those of its column, of its row, of the corner of the table, of a
//! heading or of the field itself. Where none of them is the name of a known figure, a table stays as it is.

mod beliefs;
mod field_parts;
mod figures_as_rows;
mod name_parts;
mod pgbench_command;
mod places;
mod records;
mod two_lines;
mod wide;

use crate::grid::Grid;
use crate::grid_rows::GridRow;
use crate::layout::Meanings;
pub(crate) use beliefs::{ColumnBelief, ColumnFieldKind, beliefs_of_columns};
use name_parts::NameParts;
use places::ColumnRole;
pub(crate) use places::UNNAMED;
use records::{FigureRecords, NamedFields};

/// What begins a row that is computed from the others.
const SUMMARIES: [&str; 14] = [
    "average",
    "avg",
    "avg.",
    "mean",
    "total",
    "sum",
    "median",
    "geomean",
    "geometric mean",
    "overall",
    "ø",
    "σ",
    "max",
    "min",
];

/// A table with more rows has a row for each measurement.
const ROWS_MAX: usize = 1000;

/// A table as it is read: arranged, where its form asks for it and a study says nothing of its columns.
pub(crate) fn arrange_grid(grid: Grid, meanings: &Meanings) -> Grid {
    if is_declared(&grid, meanings) {
        return with_plain_fields(grid);
    }
    let grid = two_lines::with_one_header(grid);
    if is_declared(&grid, meanings) {
        return with_plain_fields(grid);
    }
    let grid = without_summaries(grid);
    let mut arranged = wide::arrange_wide_table(&grid);
    if arranged.is_none() && grid.rows.row_count() <= ROWS_MAX {
        arranged = figures_as_rows::arrange_figure_rows(&grid).or_else(|| wide::arrange_below_heading(&grid));
    }
    with_plain_fields(arranged.unwrap_or(grid))
}

/// Whether a study says what a column of the table is.
fn is_declared(grid: &Grid, meanings: &Meanings) -> bool {
    grid.header.iter().any(|name| meanings.columns.contains_key(&on_one_line(name)))
}

/// All tables of a text, arranged.
pub(crate) fn arrange_grids(grids: Vec<Grid>, meanings: &Meanings) -> Vec<Grid> {
    grids.into_iter().map(|grid| arrange_grid(grid, meanings)).collect()
}

/// Whether a name above columns says how many clients they are of, or another count.
pub(crate) fn has_counts(name: &str) -> bool {
    !NameParts::of_name(name).counts.is_empty()
}

/// Why a table with figures is not read, in words that follow the name of its file; none for one without figures.
pub(crate) fn reason_not_arranged(grid: &Grid) -> Option<String> {
    let (mut fields, mut figures) = (0, 0);
    for field in
        grid.rows.rows_with_lines().flat_map(|(_, row)| row.all_fields().skip(1)).filter(|field| !field.is_empty())
    {
        fields += 1;
        figures += usize::from(field_parts::is_figure(field));
    }
    if figures < 2 || 2 * figures < fields {
        return None;
    }
    Some(format!("line {}: no column, row or heading of this table names a known figure, such as tps", grid.line))
}

/// How the columns of a table are read, before its figures are taken out of it.
struct ArrangedTable {
    roles: Vec<ColumnRole>,
    /// What a heading, or the corner of the table, says of all figures.
    of_all: NameParts,
    /// Whether the heading above is used up by that.
    uses_heading: bool,
    notes: Vec<String>,
}

impl ArrangedTable {
    fn into_grid(self, grid: Grid) -> Grid {
        let mut records = FigureRecords::default();
        for (index, (line, row)) in grid.rows.rows_with_lines().enumerate() {
            self.read_row(index, line, row, &grid.header, &mut records);
        }
        if records.record_count() == 0 {
            return grid;
        }
        let heading = grid.heading.clone().filter(|_| !self.uses_heading);
        let mut notes = grid.notes.clone();
        notes.extend(self.notes);
        records.into_grid(Grid { heading, notes, ..grid })
    }

    fn read_row(&self, index: usize, line: usize, row: GridRow<'_>, header: &[String], records: &mut FigureRecords) {
        let mut of_row = NameParts::default();
        let mut conditions = NamedFields::new();
        for ((role, field), name) in self.roles.iter().zip(row).zip(header) {
            match role {
                ColumnRole::Condition => conditions.extend(places::condition_fields(name, field)),
                ColumnRole::RowName => of_row = places::parts_of_row_name(field),
                ColumnRole::Figures(..) | ColumnRole::Kept | ColumnRole::LeftOut => {}
            }
        }
        let first = records.record_count();
        for (role, field) in self.roles.iter().zip(row) {
            let ColumnRole::Figures(parts, form) = role else { continue };
            for (part, metric, figure, change) in form.figures_of_field(parts, field, &self.of_all) {
                if field_parts::is_missing(&figure) {
                    continue;
                }
                let place = places::conditions_of_figure(&conditions, [part, &of_row, &self.of_all]);
                records.add_figure(line, Some(index), &place, &metric, figure);
                if let Some(change) = change {
                    records.keep_field(first, &place, &format!("change of {metric}"), &change);
                }
            }
        }
        for ((role, field), name) in self.roles.iter().zip(row).zip(header) {
            if matches!(role, ColumnRole::Kept) {
                records.keep_field(first, &[], name, field);
            }
        }
    }
}

/// A table without rows that are computed from others.
fn without_summaries(mut grid: Grid) -> Grid {
    let last = grid.rows.row_count().saturating_sub(1);
    let mut left_out = Vec::new();
    let mut index = 0;
    let header = &grid.header;
    let rows = grid.rows.kept_rows(|line, row| {
        let first = row.all_fields().position(|field| !field.is_empty());
        let is_computed = first.is_some_and(|at| {
            is_summary(row.field_at(at)) && (index == last && index > 1 || places::is_count_column(&header[at]))
        });
        index += 1;
        if is_computed {
            left_out.push(line.to_string());
        }
        !is_computed
    });
    if !left_out.is_empty() {
        grid.rows = rows;
        grid.notes.push(format!("not read, because they are computed from other rows: lines {}", left_out.join(", ")));
    }
    grid
}

/// Whether a name is that of what is computed from other rows or columns.
pub(crate) fn is_summary(name: &str) -> bool {
    SUMMARIES.contains(&name.trim_matches([':', '*']).to_lowercase().as_str())
}

fn on_one_line(text: &str) -> String {
    text.replace('\n', " ")
}

/// A table whose fields have one line each.
fn with_plain_fields(mut grid: Grid) -> Grid {
    grid.header = grid.header.iter().map(|name| on_one_line(name)).collect();
    if grid.rows.rows_with_lines().any(|(_, row)| row.all_fields().any(|field| field.contains('\n'))) {
        grid.rows = grid.rows.with_changed_fields(on_one_line);
    }
    grid
}
