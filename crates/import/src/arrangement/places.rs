//! What the columns of an arranged table are, and the conditions under which a figure in one of them was measured.

use super::field_parts::{count_with_remark, figures_at_arrow, named_figure, split_into_figures};
use super::name_parts::{NameParts, whole_number};
use super::pgbench_command;
use super::records::NamedFields;
use crate::columns::{self, Subject};
use crate::table;

/// What a column has.
#[derive(Debug)]
pub(super) enum ColumnRole {
    /// A condition under its own name.
    Condition,
    /// Names of sides or counts that are no known column.
    RowName,
    /// Figures: what its header says of them, of both sides where fields have an arrow.
    Figures(Vec<NameParts>, FieldForm),
    /// What is kept beside the figures of its row.
    Kept,
    /// What is computed from other columns.
    LeftOut,
}

/// How the figures of a field are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldForm {
    /// A figure for each name in the header or heading.
    Plain,
    /// `1200 → 1500 (+25 %)`
    Arrow,
    /// `tps = 1530.58`
    Named,
}

/// A figure with what its header says of it, the name of its column, and a change beside it.
type FieldFigure<'a> = (&'a NameParts, String, String, Option<String>);

impl FieldForm {
    /// The figures of a field, as far as it has any.
    pub(super) fn figures_of_field<'a>(
        self,
        parts: &'a [NameParts],
        field: &str,
        of_all: &NameParts,
    ) -> Vec<FieldFigure<'a>> {
        let Some(first) = parts.first() else { return Vec::new() };
        let metrics = if first.metrics.is_empty() { &of_all.metrics } else { &first.metrics };
        match self {
            Self::Plain if metrics.len() == 1 => vec![(first, metrics[0].clone(), field.to_owned(), None)],
            Self::Plain => {
                // A field that is not understood is the first figure, of which that is said.
                let figures = split_into_figures(field, metrics.len()).unwrap_or_else(|| vec![field.to_owned()]);
                metrics.iter().cloned().zip(figures).map(|(metric, figure)| (first, metric, figure, None)).collect()
            }
            Self::Arrow => {
                let (Some((before, after, change)), Some(metric), Some(second)) =
                    (figures_at_arrow(field), metrics.first(), parts.get(1))
                else {
                    return Vec::new();
                };
                vec![(first, metric.clone(), before, None), (second, metric.clone(), after, change)]
            }
            Self::Named => {
                named_figure(field).into_iter().map(|(metric, figure)| (first, metric, figure, None)).collect()
            }
        }
    }
}

/// Whether a column of this name has counts, such as clients.
pub(super) fn is_count_column(name: &str) -> bool {
    subject_of(name).is_some_and(Subject::is_whole)
}

/// The subject of a column of no figures.
pub(super) fn subject_of(name: &str) -> Option<Subject> {
    columns::parse_column_name(name).filter(|column| !column.is_figure()).map(|column| column.subject)
}

/// The fields that a field of a condition is: a count, and the remark in brackets behind it, which tells rows apart.
pub(super) fn condition_fields(name: &str, field: &str) -> NamedFields {
    if let Some(conditions) = pgbench_command::conditions_of_command(field) {
        return conditions;
    }
    let (plain, of_remark) = name_with_remark(name);
    match count_with_remark(field).filter(|_| is_count_column(&plain)) {
        Some((count, remark)) => vec![(plain, count.to_owned()), (of_remark, remark.to_owned())],
        None => vec![(plain, field.to_owned())],
    }
}

/// The name of a column of counts, and of the column of their remarks: `clients` and `pool mode` of
/// `clients (pool mode)`.
pub(super) fn name_with_remark(name: &str) -> (String, String) {
    let bracketed =
        name.split_once('(').and_then(|(before, rest)| Some((before.trim(), rest.split_once(')')?.0.trim())));
    match bracketed {
        Some((before, remark)) if subject_of(name).is_none() && is_count_column(before) => {
            (before.to_owned(), remark.to_owned())
        }
        // `c (clients)`: the letter of an option.
        Some((before, counted)) if before.trim_start_matches('-').len() == 1 && is_count_column(counted) => {
            (counted.to_owned(), format!("remark of {counted}"))
        }
        Some(_) | None => (name.to_owned(), format!("remark of {name}")),
    }
}

/// What the first field of a row says where its column has no known name: a count, or the name of a side or workload.
pub(super) fn parts_of_row_name(field: &str) -> NameParts {
    let parts = NameParts::of_name(field);
    if !parts.counts.is_empty() && parts.side.is_empty() && parts.workload.is_empty() && parts.metrics.is_empty() {
        return parts;
    }
    let text = field.replace('\n', " ");
    if table::is_of_workload(&text) {
        NameParts { workload: text, ..NameParts::default() }
    } else {
        NameParts { side: text, ..NameParts::default() }
    }
}

/// The parts of headers above figures: numbers are counts of what `dimension` says, or of what nobody says.
pub(super) fn parts_of_headers(headers: &[&str], dimension: Option<&'static str>) -> Vec<NameParts> {
    let numbers: Option<Vec<String>> = headers.iter().map(|header| whole_number(header.trim())).collect();
    match numbers.filter(|numbers| numbers.len() > 1) {
        Some(numbers) => {
            let column = dimension.unwrap_or(UNNAMED);
            let mut parts = Vec::new();
            for number in numbers {
                parts.push(NameParts { counts: vec![(column, number)], ..NameParts::default() });
            }
            parts
        }
        None => headers.iter().map(|header| NameParts::of_name(header)).collect(),
    }
}

/// The name of a condition that is a number without a word.
pub(crate) const UNNAMED: &str = "column";

/// The conditions of a figure: those of its row, and what header, row and heading say of it, in this order. The first
/// side is the target, unless a column has the targets; the others are of the workload.
pub(super) fn conditions_of_figure(row: &NamedFields, parts: [&NameParts; 3]) -> NamedFields {
    let mut conditions = NamedFields::new();
    let mut workload: Vec<&str> = Vec::new();
    let mut is_named = row.iter().any(|(name, _)| subject_of(name) == Some(Subject::Target));
    for part in parts {
        if !part.side.is_empty() && !is_named {
            conditions.push(("target".to_owned(), part.side.clone()));
            is_named = true;
        } else if !part.side.is_empty() {
            workload.push(&part.side);
        }
        workload.extend(Some(part.workload.as_str()).filter(|text| !text.is_empty()));
    }
    let mut is_entered = workload.is_empty();
    for (name, field) in row {
        let is_of_workload = !is_entered && matches!(subject_of(name), Some(Subject::Workload | Subject::Job));
        let field = if is_of_workload { format!("{field} {}", workload.join(" ")) } else { field.clone() };
        is_entered |= is_of_workload;
        conditions.push((name.clone(), field));
    }
    if !is_entered {
        conditions.push(("workload".to_owned(), workload.join(" ")));
    }
    for (name, number) in parts.into_iter().flat_map(|part| &part.counts) {
        let is_told = conditions
            .iter()
            .any(|(other, _)| other == name || subject_of(other).is_some() && subject_of(other) == subject_of(name));
        if !is_told {
            conditions.push(((*name).to_owned(), number.clone()));
        }
    }
    conditions
}
