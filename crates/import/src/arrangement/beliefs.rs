//! What the columns of a table seem to be, for a study that asks about the rest.

use super::field_parts::{is_figure, is_missing};
use super::name_parts::{NameParts, whole_number};
use super::{on_one_line, two_lines};
use crate::columns::{self, ImportColumn};
use crate::figure::{Marks, TableFigure, parse_figure};
use crate::grid::Grid;
use crate::unit::UnitKind;

/// What the fields of a column look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnFieldKind {
    /// Numbers, maybe with units of rates.
    Figures,
    /// Numbers with units of time.
    Times,
    /// Whole numbers before figures.
    Counts,
    Text,
}

/// What a column seems to be.
#[derive(Debug, Clone)]
pub(crate) struct ColumnBelief {
    pub name: String,
    /// The known column that has the same meaning; none where nobody says it.
    pub tells: Option<String>,
    /// What its figures are of, such as `target` and `vm`.
    pub of: Vec<(&'static str, String)>,
    pub kind: ColumnFieldKind,
    /// Its fields, without missing ones.
    pub fields: Vec<String>,
    /// A unit that it could have, where it needs one and has none.
    pub missing_unit: Option<&'static str>,
}

/// What each column of a table seems to be; columns that were computed from others are left out.
pub(crate) fn beliefs_of_columns(grid: &Grid) -> Vec<ColumnBelief> {
    let grid = two_lines::with_one_header(grid.clone());
    let first_figure = grid
        .header
        .iter()
        .position(|name| columns::parse_column_name(&on_one_line(name)).is_some_and(|column| column.is_figure()));
    let mut beliefs: Vec<ColumnBelief> = Vec::new();
    for (index, name) in grid.header.iter().enumerate() {
        let fields: Vec<String> = grid
            .rows
            .rows_with_lines()
            .filter(|(_, row)| !is_missing(row.field_at(index)))
            .map(|(_, row)| on_one_line(row.field_at(index)))
            .collect();
        let parts = NameParts::of_name(name);
        let known = columns::parse_column_name(&on_one_line(name));
        if known.is_none() && parts.is_derived {
            continue;
        }
        let mut belief = ColumnBelief {
            name: on_one_line(name),
            tells: None,
            of: Vec::new(),
            kind: kind_of_fields(&fields, first_figure.is_some_and(|first| index < first)),
            fields,
            missing_unit: None,
        };
        let metric = parts.metrics.first().filter(|_| parts.metrics.len() == 1);
        let column = known.clone().or_else(|| columns::parse_column_name(metric?));
        if known.is_none() && belief.kind != ColumnFieldKind::Text && belief.kind != ColumnFieldKind::Counts {
            belief.of = conditions_of_name(&parts, name);
        }
        if let Some(column) = column {
            belief.missing_unit = missing_unit(&column, &belief.fields);
            belief.tells = Some(columns::canonical_name(&column));
        }
        // Of two that would be the same, one is asked about.
        if beliefs.iter().any(|other| other.tells == belief.tells && other.of == belief.of) {
            belief.tells = None;
        }
        beliefs.push(belief);
    }
    beliefs
}

fn kind_of_fields(fields: &[String], is_before_figures: bool) -> ColumnFieldKind {
    let count = fields.iter().filter(|field| is_figure(field)).count();
    if count == 0 || 2 * count < fields.len() {
        return ColumnFieldKind::Text;
    }
    if fields.iter().any(|field| unit_of_field(field) == Some(UnitKind::Time)) {
        ColumnFieldKind::Times
    } else if is_before_figures && fields.iter().all(|field| whole_number(field).is_some()) {
        ColumnFieldKind::Counts
    } else {
        ColumnFieldKind::Figures
    }
}

/// The kind of the unit that a field has.
fn unit_of_field(field: &str) -> Option<UnitKind> {
    match parse_figure(field, Marks::Unknown) {
        Ok(TableFigure::Number(_, unit)) => unit.map(|unit| unit.kind),
        Ok(TableFigure::Missing) | Err(_) => None,
    }
}

/// What a name says of its figures; a number alone is taken for clients, which the question says.
fn conditions_of_name(parts: &NameParts, name: &str) -> Vec<(&'static str, String)> {
    if let Some(number) = whole_number(name.trim()) {
        return vec![("clients", number)];
    }
    let mut of = Vec::new();
    of.extend(Some(("target", parts.side.clone())).filter(|(_, side)| !side.is_empty()));
    of.extend(Some(("workload", parts.workload.clone())).filter(|(_, workload)| !workload.is_empty()));
    of.extend(parts.counts.iter().cloned());
    of
}

fn missing_unit(column: &ImportColumn, fields: &[String]) -> Option<&'static str> {
    let have_units = !fields.is_empty() && fields.iter().all(|field| unit_of_field(field).is_some());
    let is_told = column.unit.is_some() || have_units;
    column.subject.needed_unit().filter(|_| !is_told)
}
