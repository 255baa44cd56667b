//! The figures of a table as records, one for each side and condition, and the grid that they are: a column for each
//! condition, then one for each figure, then what is kept beside them.

use std::collections::BTreeMap;

use crate::columns;
use crate::grid::Grid;
use crate::grid_rows::GridRows;

/// Fields with the names of their columns.
pub(super) type NamedFields = Vec<(String, String)>;

/// What was measured under the same conditions.
#[derive(Debug)]
struct Record {
    line: usize,
    conditions: NamedFields,
    figures: NamedFields,
    kept: NamedFields,
}

/// FigureRecords in the order in which their first figures stand in a table.
#[derive(Debug, Default)]
pub(super) struct FigureRecords {
    all: Vec<Record>,
    /// The last record of each row, or of the table where its rows are figures, and conditions.
    places: BTreeMap<(Option<usize>, NamedFields), usize>,
    /// The first spelling of each known column, by all of its spellings.
    spellings: BTreeMap<String, String>,
}

impl FigureRecords {
    /// How many there are.
    pub(super) fn record_count(&self) -> usize {
        self.all.len()
    }

    /// Adds a figure to the record of its row and conditions, or to a new one where that has such a figure.
    pub(super) fn add_figure(
        &mut self,
        line: usize,
        row: Option<usize>,
        conditions: &NamedFields,
        metric: &str,
        figure: String,
    ) {
        let name = self.spelling_of(metric);
        let place = (row, conditions.clone());
        let known = self.places.get(&place).copied();
        let free = known.filter(|index| self.all[*index].figures.iter().all(|(other, _)| *other != name));
        let index = free.unwrap_or_else(|| {
            self.all.push(Record { line, conditions: conditions.clone(), figures: Vec::new(), kept: Vec::new() });
            self.all.len() - 1
        });
        self.all[index].figures.push((name, figure));
        self.places.insert(place, index);
    }

    /// Keeps a field beside the figures of all records from `first` on that have these conditions.
    pub(super) fn keep_field(&mut self, first: usize, conditions: &[(String, String)], name: &str, field: &str) {
        for record in &mut self.all[first..] {
            if conditions.iter().all(|condition| record.conditions.contains(condition)) {
                record.kept.push((name.to_owned(), field.to_owned()));
            }
        }
    }

    /// The name under which a known column stands first: `Latency (ms)` and `latency [ms]` are one.
    fn spelling_of(&mut self, metric: &str) -> String {
        if let Some(known) = self.spellings.get(metric) {
            return known.clone();
        }
        let column = columns::parse_column_name(metric);
        let same = self.spellings.values().find(|name| columns::parse_column_name(name) == column);
        let name = same.map_or_else(|| metric.to_owned(), Clone::clone);
        self.spellings.insert(metric.to_owned(), name.clone());
        name
    }

    /// The names of fields of one kind, in the order in which they stand.
    fn names_of_fields(&self, fields: fn(&Record) -> &NamedFields) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.all.iter().flat_map(fields) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// The grid that they are, in place of the one that they are from.
    pub(super) fn into_grid(self, from: Grid) -> Grid {
        let names = [
            self.names_of_fields(|record| &record.conditions),
            self.names_of_fields(|record| &record.figures),
            self.names_of_fields(|record| &record.kept),
        ];
        let mut rows = GridRows::default();
        for record in &self.all {
            let mut row: Vec<&str> = Vec::new();
            for (names, fields) in names.iter().zip([&record.conditions, &record.figures, &record.kept]) {
                for name in names {
                    let field = fields.iter().find(|(other, _)| other == name);
                    row.push(field.map_or("", |(_, field)| field));
                }
            }
            rows.push_row(record.line, row);
        }
        Grid { header: names.concat(), rows, is_arranged: true, ..from }
    }
}
