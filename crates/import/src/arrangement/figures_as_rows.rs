//! Tables that have a row for each figure and a column for each side or number of clients.

use super::field_parts::{is_figure, is_missing, split_into_figures};
use super::name_parts::{NameParts, is_metric};
use super::places;
use super::records::{FigureRecords, NamedFields};
use super::wide::{is_rate, words_of_parts};
use crate::columns::{self, Subject};
use crate::grid::Grid;
use crate::grid_rows::GridRow;

/// How many columns may stand before the names of the figures.
const COLUMNS_BEFORE_MAX: usize = 3;

/// What the header of the names of figures may be, and says nothing of the columns beside it.
const SAY_NOTHING: [&str; 6] = ["value", "values", "result", "results", "measurement", "measured"];

/// A table with figures as rows.
struct FigureRows<'g> {
    grid: &'g Grid,
    /// The column of the names of figures.
    names: usize,
    /// The column of their units.
    unit: Option<usize>,
    /// Columns of figures, with what their headers say.
    values: Vec<(usize, NameParts)>,
    /// Columns of what was computed from them.
    derived: Vec<usize>,
}

/// A table whose rows say what their figures are; none where they do not.
pub(super) fn arrange_figure_rows(grid: &Grid) -> Option<Grid> {
    if grid.header.iter().any(|name| is_metric(name)) {
        return None;
    }
    let names = (0..grid.header.len().min(COLUMNS_BEFORE_MAX)).find(|index| has_names_of_figures(grid, *index))?;
    let unit =
        (0..grid.header.len()).find(|index| matches!(grid.header[*index].to_lowercase().as_str(), "unit" | "units"));
    let table = FigureRows { grid, names, unit, values: Vec::new(), derived: Vec::new() }.with_values()?;
    let mut records = FigureRecords::default();
    table.read_rows(&mut records);
    if records.record_count() == 0 {
        return None;
    }
    let whose: Vec<String> =
        table.values.iter().map(|(_, parts)| words_of_parts(parts)).filter(|words| !words.is_empty()).collect();
    let mut notes = grid.notes.clone();
    notes.push(format!("the rows of the table at line {} are figures, its columns: {}", grid.line, whose.join(", ")));
    Some(records.into_grid(Grid { notes, ..grid.clone() }))
}

/// Whether a column has the names of figures: one of a rate, and no more rows without one than with.
fn has_names_of_figures(grid: &Grid, index: usize) -> bool {
    let (mut rates, mut named, mut others, mut transactions) = (0, 0, 0, false);
    for (_, row) in grid.rows.rows_with_lines() {
        let parts = NameParts::of_name(row.field_at(index));
        match parts.metrics.first().filter(|_| !parts.is_derived) {
            Some(metric) => {
                named += 1;
                rates += usize::from(is_rate(metric));
                let subject = columns::parse_column_name(metric).map(|column| column.subject);
                transactions |= matches!(subject, Some(Subject::Throughput | Subject::Transactions));
            }
            None => others += usize::from(!is_missing(row.field_at(index))),
        }
    }
    rates > 0 && (named >= others || transactions)
}

impl FigureRows<'_> {
    /// The columns beside the names: of figures, of what is computed, and others.
    fn with_values(mut self) -> Option<Self> {
        let mut found = Vec::new();
        for index in self.names + 1..self.grid.header.len() {
            let header = &self.grid.header[index];
            if Some(index) == self.unit || places::subject_of(header).is_some() {
                continue;
            }
            let fields: Vec<&str> =
                self.rows_of_figures().map(|(_, row)| row.field_at(index)).filter(|field| !is_missing(field)).collect();
            if fields.is_empty() {
                continue;
            }
            if NameParts::of_name(header).is_derived || header.contains(['%', 'Δ']) {
                self.derived.push(index);
            } else if fields.iter().all(|field| is_figure(field) || split_into_figures(field, 2).is_some()) {
                found.push(index);
            }
        }
        let headers: Vec<&str> = found.iter().map(|index| self.grid.header[*index].as_str()).collect();
        let corner = &self.grid.header[self.names];
        let dimension = match places::subject_of(corner) {
            Some(Subject::Clients) => Some("clients"),
            Some(Subject::Threads) => Some("threads"),
            Some(_) | None => NameParts::of_name(corner).dimension,
        };
        let mut parts = places::parts_of_headers(&headers, dimension);
        if let ([header], [part]) = (&headers[..], parts.as_mut_slice())
            && SAY_NOTHING.contains(&header.to_lowercase().as_str())
        {
            *part = NameParts::default();
        }
        self.values = found.into_iter().zip(parts).collect();
        (!self.values.is_empty()).then_some(self)
    }

    /// The rows that have the name of a figure.
    fn rows_of_figures(&self) -> impl Iterator<Item = (usize, GridRow<'_>)> {
        self.grid
            .rows
            .rows_with_lines()
            .filter(|(_, row)| !NameParts::of_name(row.field_at(self.names)).metrics.is_empty())
    }

    fn read_rows(&self, records: &mut FigureRecords) {
        let mut conditions: Vec<NamedFields> = vec![NamedFields::new(); self.values.len()];
        let mut beside: Vec<(usize, &str, &str)> = Vec::new();
        let mut above = NamedFields::new();
        for (line, row) in self.grid.rows.rows_with_lines() {
            let name = row.field_at(self.names);
            self.read_leading_fields(row, &mut above);
            let of_row = self.parts_of_row(row);
            if of_row.metrics.is_empty() || of_row.is_derived {
                for (at, (index, _)) in
                    self.values.iter().enumerate().filter(|(_, (index, _))| !is_missing(row.field_at(*index)))
                {
                    if places::subject_of(name).is_some() {
                        conditions[at].retain(|(other, _)| other != name);
                        conditions[at].push((name.to_owned(), row.field_at(*index).to_owned()));
                    } else {
                        beside.push((at, name, row.field_at(*index)));
                    }
                }
                continue;
            }
            let mut last = NamedFields::new();
            for ((index, of_column), own) in self.values.iter().zip(&conditions) {
                let field = row.field_at(*index);
                let figures = split_into_figures(field, of_row.metrics.len()).unwrap_or_else(|| vec![field.to_owned()]);
                let known = [above.as_slice(), own].concat();
                let place = places::conditions_of_figure(&known, [of_column, &of_row, &NameParts::default()]);
                for (metric, figure) in of_row.metrics.iter().zip(figures) {
                    if !is_missing(&figure) {
                        records.add_figure(line, None, &place, metric, figure);
                    }
                }
                last = place;
            }
            for index in self.derived.iter().filter(|index| !is_missing(row.field_at(**index))) {
                let name = format!("{} of {}", self.grid.header[*index], of_row.metrics.join(", "));
                records.keep_field(0, &last, &name, row.field_at(*index));
            }
        }
        for (at, name, field) in beside {
            let of_column = &self.values[at].1;
            let place = places::conditions_of_figure(
                &NamedFields::new(),
                [of_column, &NameParts::default(), &NameParts::default()],
            );
            records.keep_field(0, &place, name, field);
        }
    }

    /// What stands before the name of a figure; a name that stands once is of the rows below, too.
    fn read_leading_fields(&self, row: GridRow<'_>, above: &mut NamedFields) {
        for (name, field) in self.grid.header[..self.names].iter().zip(row) {
            if field.is_empty() {
                continue;
            }
            match above.iter_mut().find(|(other, _)| other == name) {
                Some((_, known)) => field.clone_into(known),
                None => above.push((name.clone(), field.to_owned())),
            }
        }
    }

    /// What the first fields of a row say of its figures, with the unit beside their name.
    fn parts_of_row(&self, row: GridRow<'_>) -> NameParts {
        let name = row.field_at(self.names);
        match self.unit.map(|unit| row.field_at(unit)).filter(|unit| !unit.is_empty()) {
            Some(unit) => {
                let with_unit = NameParts::of_name(&format!("{name} ({unit})"));
                if with_unit.metrics.is_empty() { NameParts::of_name(name) } else { with_unit }
            }
            None => NameParts::of_name(name),
        }
    }
}
