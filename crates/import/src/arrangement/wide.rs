//! Wide tables: a column for each side or number of clients, whose header names the figure, or a heading above all
//! columns does; and columns whose fields have several figures.

use super::field_parts::{
    count_with_remark, figures_at_arrow, is_figure, is_missing, named_figure, split_at_arrow, split_into_figures,
};
use super::name_parts::{NameParts, is_metric};
use super::places::{self, ColumnRole, FieldForm, UNNAMED};
use super::{ArrangedTable, is_summary};
use crate::columns::{self, Subject};
use crate::grid::Grid;

/// Words that say of two sides which is which, where only latencies are told.
const CONTRASTS: [&str; 18] = [
    "before",
    "after",
    "old",
    "new",
    "baseline",
    "candidate",
    "patched",
    "unpatched",
    "with",
    "without",
    "on",
    "off",
    "default",
    "tuned",
    "vanilla",
    "stock",
    "master",
    "patch",
];

/// What columns have that no figure of a benchmark is below.
const NOT_SIDES: [&str; 24] = [
    "cpu", "cpus", "vcpu", "vcpus", "memory", "mem", "ram", "cores", "price", "cost", "size", "load", "iowait",
    "cache", "hit", "rows", "date", "time", "version", "note", "notes", "remark", "remarks", "comment",
];

/// Headers that say nothing of the figures below them.
const SAY_NOTHING: [&str; 9] =
    ["value", "values", "result", "results", "output", "measurement", "figure", "notes", "measured"];

/// The figures that a column has, by its header and its fields.
type ColumnFigures = Option<(Vec<NameParts>, FieldForm)>;

/// A table of which columns say themselves what their figures are; none where each column is one known figure already.
pub(super) fn arrange_wide_table(grid: &Grid) -> Option<Grid> {
    let mut figures: Vec<ColumnFigures> = (0..grid.header.len()).map(|index| figures_of_column(grid, index)).collect();
    tell_bare_columns_apart(grid, &mut figures);
    name_sides_of_arrows(grid, &mut figures);
    if !are_contrasted(&figures) {
        for column in &mut figures {
            column.take_if(|(parts, _)| parts.iter().any(NameParts::says_whose));
        }
    }
    let has_remarks = (0..grid.header.len()).any(|index| has_remarks(grid, index));
    let is_special = figures.iter().flatten().any(|(parts, form)| {
        *form != FieldForm::Plain || parts.iter().any(|part| part.says_whose() || part.metrics.len() > 1)
    });
    let first = figures.iter().position(Option::is_some)?;
    if !is_special && !has_remarks {
        return None;
    }
    let says_whose = figures.iter().flatten().any(|(parts, _)| parts.iter().any(NameParts::says_whose));
    let sides = names_of_sides(&figures);
    let mut header = grid.header.clone();
    let mut roles = Vec::new();
    let mut whose = Vec::new();
    for (index, column) in figures.into_iter().enumerate() {
        match column {
            Some((parts, form)) if !says_whose || parts.iter().any(NameParts::says_whose) => {
                whose.extend(parts.iter().map(words_of_parts));
                roles.push(ColumnRole::Figures(parts, form));
            }
            // It is not said of which side it is.
            Some(_) => {
                header[index] = format!("{} of all sides", header[index]);
                roles.push(ColumnRole::Kept);
            }
            None if is_summary(&header[index]) => roles.push(ColumnRole::LeftOut),
            // `VM NOPM` beside `VM TPM` is no condition of both sides.
            None if sides.iter().any(|side| header[index].contains(side.as_str())) => roles.push(ColumnRole::Kept),
            None if index < first || places::subject_of(&header[index]).is_some() => roles.push(ColumnRole::Condition),
            None => roles.push(ColumnRole::Kept),
        }
    }
    let mut notes: Vec<String> = note_of_columns(grid, &whose).into_iter().collect();
    notes.extend(note_of_unnamed_fields(grid, &roles));
    let table = ArrangedTable { roles, of_all: NameParts::default(), uses_heading: false, notes };
    Some(table.into_grid(Grid { header, ..grid.clone() }))
}

/// The sides that columns of figures name.
fn names_of_sides(figures: &[ColumnFigures]) -> Vec<String> {
    let parts = figures.iter().flatten().flat_map(|(parts, _)| parts);
    parts.map(|part| part.side.clone()).filter(|side| !side.is_empty()).collect()
}

/// A table of which a heading, or its corner, says what the figures are.
pub(super) fn arrange_below_heading(grid: &Grid) -> Option<Grid> {
    if (0..grid.header.len()).any(|index| figures_of_column(grid, index).is_some()) {
        return None;
    }
    let corner = grid.header.first()?;
    let (of_all, uses_heading) = figures_of_heading(grid)?;
    let count = of_all.metrics.len();
    let values: Vec<usize> = (1..grid.header.len()).filter(|index| has_only_figures(grid, *index, count)).collect();
    let first = *values.first()?;
    let headers: Vec<&str> = values.iter().map(|index| grid.header[*index].as_str()).collect();
    let has_names =
        grid.rows.rows_with_lines().any(|(_, row)| !is_missing(row.field_at(0)) && !is_figure(row.field_at(0)));
    let of_corner = places::subject_of(corner);
    let dimension = dimension_of(grid, of_corner.filter(|_| has_names), uses_heading);
    let mut parts = places::parts_of_headers(&headers, dimension).into_iter();
    if let [header] = headers[..]
        && SAY_NOTHING.contains(&header.to_lowercase().as_str())
    {
        parts = vec![NameParts::default()].into_iter();
    }
    let mut roles = Vec::new();
    let mut whose = Vec::new();
    for (index, name) in grid.header.iter().enumerate() {
        roles.push(if values.contains(&index) {
            let part = parts.next().unwrap_or_default();
            whose.push(words_of_parts(&part));
            ColumnRole::Figures(vec![part], FieldForm::Plain)
        } else if index == 0 && has_names && of_corner.is_none_or(Subject::is_whole) {
            ColumnRole::RowName
        } else if is_summary(name) {
            ColumnRole::LeftOut
        } else if index < first || places::subject_of(name).is_some() {
            ColumnRole::Condition
        } else {
            ColumnRole::Kept
        });
    }
    let mut notes = vec![format!("the table at line {} was read as: {}", grid.line, of_all.metrics.join(", "))];
    notes.extend(note_of_columns(grid, &whose));
    if whose.iter().any(|words| words.starts_with(UNNAMED)) {
        notes.push(format!(
            "what the numbers above its columns count is not said: {}; declare columns: {{ {UNNAMED}: clients }} in a study",
            headers.join(", ")
        ));
    }
    Some(ArrangedTable { roles, of_all, uses_heading, notes }.into_grid(grid.clone()))
}

/// The figures that a heading names, or the corner of the table, or a label above, and whether it is the heading.
fn figures_of_heading(grid: &Grid) -> Option<(NameParts, bool)> {
    let corner = grid.header.first().map(String::as_str);
    let heading = grid.title.as_deref().or(grid.heading.as_deref());
    let texts = [(heading, true), (corner, false), (grid.label.as_deref(), false)];
    for (text, is_heading) in texts {
        let Some(text) = text else { continue };
        let mut parts = NameParts::of_name(text);
        if parts.metrics.is_empty() || parts.is_derived {
            continue;
        }
        // A heading with other words may be of more than the figures of this table.
        let is_plain = parts.side.split(' ').all(columns::says_nothing_in_heading);
        if is_heading && !is_plain {
            continue;
        }
        parts.side.clear();
        return Some((parts, is_heading));
    }
    None
}

/// What numbers in the header count, where the corner, the heading or a label above says so.
fn dimension_of(grid: &Grid, of_corner: Option<Subject>, uses_heading: bool) -> Option<&'static str> {
    match of_corner {
        Some(Subject::Clients) => return Some("clients"),
        Some(Subject::Threads) => return Some("threads"),
        Some(Subject::Scale) => return Some("scale"),
        Some(_) | None => {}
    }
    let heading = grid.title.as_deref().or(grid.heading.as_deref()).filter(|_| uses_heading);
    let texts = [grid.header.first().map(String::as_str), heading, grid.label.as_deref()];
    texts.into_iter().flatten().find_map(|text| NameParts::of_name(text).dimension)
}

/// Whether a column may be of a side, and each of its fields has as many figures.
fn has_only_figures(grid: &Grid, index: usize, count: usize) -> bool {
    let mut fields =
        grid.rows.rows_with_lines().map(|(_, row)| row.field_at(index)).filter(|field| !is_missing(field)).peekable();
    may_be_side(&grid.header[index])
        && fields.peek().is_some()
        && fields.all(|field| split_into_figures(field, count).is_some())
}

fn may_be_side(header: &str) -> bool {
    let parts = NameParts::of_name(header);
    let words: Vec<String> = header.split_whitespace().map(str::to_lowercase).collect();
    columns::parse_column_name(header).is_none()
        && !parts.is_derived
        && !words.is_empty()
        && !words.iter().any(|word| NOT_SIDES.contains(&word.as_str()))
}

/// The figures of a column: those that its header names, or all of its fields.
fn figures_of_column(grid: &Grid, index: usize) -> ColumnFigures {
    let name = grid.header[index].as_str();
    let fields: Vec<&str> =
        grid.rows.rows_with_lines().map(|(_, row)| row.field_at(index)).filter(|field| !is_missing(field)).collect();
    if fields.is_empty() {
        return None;
    }
    if fields.iter().all(|field| figures_at_arrow(field).is_some()) {
        return Some((sides_of_arrow(name)?, FieldForm::Arrow));
    }
    let mut parts = NameParts::of_name(name);
    if !parts.metrics.is_empty() && !parts.is_derived {
        let count = parts.metrics.len();
        let split = fields.iter().filter(|field| split_into_figures(field, count).is_some()).count();
        if 2 * split > fields.len() {
            return Some((vec![parts], FieldForm::Plain));
        }
    }
    let named = fields.iter().filter(|field| named_figure(field).is_some()).count();
    let has_others = fields.iter().any(|field| is_figure(field) && named_figure(field).is_none());
    if named == 0 || has_others || places::subject_of(name).is_some() {
        return None;
    }
    parts.metrics.clear();
    if SAY_NOTHING.contains(&name.to_lowercase().as_str()) {
        parts = NameParts::default();
    }
    Some((vec![parts], FieldForm::Named))
}

/// The two sides of a column whose fields have arrows, as its header names them, else `before` and `after`.
fn sides_of_arrow(name: &str) -> Option<Vec<NameParts>> {
    let named = split_at_arrow(name);
    let of_all = NameParts::of_name(named.map_or(name, |(before, _)| before));
    let mut sides = match named {
        Some((before, after)) => [before, after].map(|text| NameParts::of_name(text).side),
        None => [String::new(), String::new()],
    };
    if sides.iter().any(String::is_empty) {
        sides = ["before", "after"].map(str::to_owned);
    }
    let behind = named.map(|(_, after)| NameParts::of_name(after).metrics).unwrap_or_default();
    let metrics = if of_all.metrics.is_empty() { behind } else { of_all.metrics.clone() };
    if metrics.len() != 1 || of_all.is_derived {
        return None;
    }
    Some(sides.map(|side| NameParts { side, metrics: metrics.clone(), ..of_all.clone() }).to_vec())
}

/// Gives columns of arrows without names of sides those of another one: `TPS (old → new)` beside `latency`.
fn name_sides_of_arrows(grid: &Grid, figures: &mut [ColumnFigures]) {
    let mut named: Option<Vec<String>> = None;
    for (name, column) in grid.header.iter().zip(figures.iter()) {
        if let Some((parts, FieldForm::Arrow)) = column
            && split_at_arrow(name).is_some()
        {
            named = named.or_else(|| Some(parts.iter().map(|part| part.side.clone()).collect()));
        }
    }
    let Some(sides) = named else { return };
    for (name, column) in grid.header.iter().zip(figures) {
        if let Some((parts, FieldForm::Arrow)) = column
            && split_at_arrow(name).is_none()
        {
            for (part, side) in parts.iter_mut().zip(&sides) {
                part.side.clone_from(side);
            }
        }
    }
}

/// Tells a column whose name is that of a figure alone from others of the same figure: `PostgreSQL TPS` beside
/// `MySQL TPS` is that of PostgreSQL.
fn tell_bare_columns_apart(grid: &Grid, figures: &mut [ColumnFigures]) {
    let mut of_sides = Vec::new();
    for (parts, _) in figures.iter().flatten() {
        of_sides.extend(parts.iter().filter(|part| part.says_whose()).flat_map(|part| part.metrics.clone()));
    }
    for (index, column) in figures.iter_mut().enumerate() {
        let Some((parts, FieldForm::Plain)) = column else { continue };
        let [part] = parts.as_mut_slice() else { continue };
        if !part.says_whose() && of_sides.iter().any(|metric| is_same_figure(metric, &part.metrics[0])) {
            *part = NameParts::with_side(&grid.header[index]);
        }
    }
}

fn is_same_figure(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(columns::parse_column_name);
    one.zip(other).is_some_and(|(one, other)| (one.subject, one.statistic) == (other.subject, other.statistic))
}

/// Whether columns that say whose figures they have are of different sides or conditions, and have rates of each, or
/// latencies of sides that are told apart by a word for it: `network latency` beside `disk latency` is of none.
fn are_contrasted(figures: &[ColumnFigures]) -> bool {
    let mut sides: Vec<(&NameParts, bool)> = Vec::new();
    for part in figures.iter().flatten().flat_map(|(parts, _)| parts).filter(|part| part.says_whose()) {
        let has_rate = part.metrics.is_empty() || part.metrics.iter().any(|metric| is_rate(metric));
        match sides.iter_mut().find(|(other, _)| other.is_of_same(part)) {
            Some((_, has)) => *has |= has_rate,
            None => sides.push((part, has_rate)),
        }
    }
    let is_of_one_side = sides.len() == 1 && !sides[0].0.side.is_empty() && !sides[0].0.metrics.is_empty();
    !is_of_one_side && sides.iter().all(|(part, has_rate)| *has_rate || names_contrast(&part.side))
}

/// Whether the name of a side says itself that there is another one.
fn names_contrast(side: &str) -> bool {
    let mut words = side.split(' ');
    side.is_empty()
        || side.contains(|c: char| c.is_ascii_digit())
        || words.any(|word| CONTRASTS.contains(&word.to_lowercase().as_str()))
}

/// Whether a name is that of a rate or a count of what was done.
pub(super) fn is_rate(metric: &str) -> bool {
    use Subject::{Bandwidth, Operations, Throughput, Transactions};
    is_metric(metric)
        && columns::parse_column_name(metric)
            .is_some_and(|column| matches!(column.subject, Throughput | Transactions | Operations | Bandwidth))
}

/// Whether a column of counts has remarks that tell its rows apart: `1600 (64 worker)`.
fn has_remarks(grid: &Grid, index: usize) -> bool {
    let (plain, _) = places::name_with_remark(&grid.header[index]);
    places::is_count_column(&plain)
        && grid.rows.rows_with_lines().any(|(_, row)| count_with_remark(row.field_at(index)).is_some())
}

fn note_of_columns(grid: &Grid, whose: &[String]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for words in whose.iter().filter(|words| !words.is_empty()) {
        if !names.contains(&words.as_str()) {
            names.push(words);
        }
    }
    (!names.is_empty()).then(|| format!("the columns of the table at line {} are of: {}", grid.line, names.join(", ")))
}

/// Where fields beside others with the name of a figure have none.
fn note_of_unnamed_fields(grid: &Grid, roles: &[ColumnRole]) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for (line, row) in grid.rows.rows_with_lines() {
        let has_unnamed = roles.iter().zip(row).any(|(role, field)| {
            matches!(role, ColumnRole::Figures(_, FieldForm::Named))
                && !is_missing(field)
                && named_figure(field).is_none()
        });
        if has_unnamed {
            lines.push(line.to_string());
        }
    }
    (!lines.is_empty())
        .then(|| format!("not read, because they do not name a known figure: fields at lines {}", lines.join(", ")))
}

/// What a header says of its figures, in words.
pub(super) fn words_of_parts(parts: &NameParts) -> String {
    let mut words = Vec::new();
    words.extend([&parts.side, &parts.workload].into_iter().filter(|text| !text.is_empty()).cloned());
    words.extend(parts.counts.iter().map(|(column, number)| format!("{column} {number}")));
    words.join(" ")
}
