//! Tables whose columns stand below one another, between blanks or tabulators, alone or in other text.

use std::borrow::Cow;

use super::columns::{self, ImportColumn};
use super::grid::{Grid, TablePlace};
use super::grid_rows::GridRows;

/// A text with tabulators between its columns.
pub(crate) struct AlignedText<'t> {
    pub text: Cow<'t, str>,
    /// What of it is no row.
    pub note: Option<String>,
}

/// What separates fields where columns need not stand below one another.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// What a remark behind a row begins with.
const REMARKS: [&str; 5] = ["<-", "←", "#", "//", "("];

/// A text whose header has no separator, with its columns parted by tabulators: two blanks or more are between columns
/// (`avg lat  p99`), or one where header and first row have as many words. Lines that are no rows are left empty.
pub(crate) fn with_tabulators(text: &str) -> AlignedText<'_> {
    let unchanged = AlignedText { text: Cow::Borrowed(text), note: None };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (Some(header), Some(row)) = (lines.next(), lines.next()) else { return unchanged };
    if header.contains(SEPARATORS) {
        return unchanged;
    }
    let names = names_of_header(header, row);
    if names.len() < 2 {
        return unchanged;
    }
    let mut parted = String::with_capacity(text.len());
    let mut others = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let plain = line.trim();
        if plain == header {
            parted.push_str(&names.join("\t"));
        } else if let Some(fields) = fields_of_line(plain, names.len()) {
            parted.push_str(&fields.join("\t"));
        } else if !plain.is_empty() && !plain.starts_with('#') {
            others.push((index + 1).to_string());
        }
        parted.push('\n');
    }
    let note = (!others.is_empty())
        .then(|| format!("not read, because they are no rows of its table: lines {}", others.join(", ")));
    AlignedText { text: Cow::Owned(parted), note }
}

/// The names of columns in a header, which are as many as the fields of the row below it.
fn names_of_header<'h>(header: &'h str, row: &str) -> Vec<&'h str> {
    for names in [split_at_gaps(header), header.split_whitespace().collect()] {
        if names.len() > 1 && fields_of_line(row, names.len()).is_some() {
            return names;
        }
    }
    Vec::new()
}

/// The parts of a line between tabulators or two blanks.
fn split_at_gaps(line: &str) -> Vec<&str> {
    line.split('\t').flat_map(|part| part.split("  ")).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The fields of a row of so many columns, without a remark behind it.
fn fields_of_line(line: &str, columns: usize) -> Option<Vec<&str>> {
    for mut fields in [split_at_gaps(line), line.split_whitespace().collect()] {
        if fields.len() > columns && REMARKS.iter().any(|begin| fields[columns].starts_with(begin)) {
            fields.truncate(columns);
        }
        if fields.len() == columns {
            return Some(fields);
        }
    }
    None
}

/// Tables in other text: lines below a header of which two columns are known, one of them a figure, each with as many
/// fields. `free` says which lines are of no other table.
pub(crate) fn tables_of_lines(lines: &[&str], free: &[bool]) -> Vec<TablePlace> {
    let mut places = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let header = if free[at] { header_of_line(lines[at]) } else { Vec::new() };
        if header.is_empty() {
            at += 1;
            continue;
        }
        let mut rows = GridRows::default();
        let mut end = at + 1;
        while end < lines.len() && free[end] {
            let line = lines[end].trim();
            if line.is_empty() && rows.is_empty() {
                end += 1;
                continue;
            }
            let Some(fields) = fields_between(lines[end], header.len()) else { break };
            rows.push_row(end + 1, fields);
            end += 1;
        }
        if !rows.is_empty() {
            let grid = Grid { line: at + 1, header, rows, ..Grid::default() };
            places.push(TablePlace { lines: at..end, grids: vec![grid] });
        }
        at = end;
    }
    places
}

/// The names of columns in a line, if it is the header of a table of figures.
fn header_of_line(line: &str) -> Vec<String> {
    if !line.contains('\t') && !line.contains("  ") || line.len() > 1000 {
        return Vec::new();
    }
    let names: Vec<String> = split_at_gaps(line).into_iter().map(str::to_owned).collect();
    let known: Vec<ImportColumn> = names.iter().filter_map(|name| columns::parse_column_name(name)).collect();
    // What iostat and sar print is of devices.
    let is_of_system = names.first().is_some_and(|name| {
        matches!(name.trim_end_matches(':').to_lowercase().as_str(), "device" | "dev" | "cpu" | "time")
    });
    let is_header = known.len() >= 2 && known.iter().any(ImportColumn::is_figure) && !is_of_system;
    if is_header { names } else { Vec::new() }
}

/// The fields of a line of so many columns. Between tabulators a field may be empty.
fn fields_between(line: &str, columns: usize) -> Option<Vec<&str>> {
    let by_tabulators: Vec<&str> = line.split('\t').map(str::trim).collect();
    let fields = if by_tabulators.len() == columns { by_tabulators } else { fields_of_line(line.trim(), columns)? };
    let is_empty = fields.iter().all(|field| field.is_empty());
    (!is_empty).then_some(fields)
}
