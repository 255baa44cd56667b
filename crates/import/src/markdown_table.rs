//! Tables between bars: those of Markdown, and those that psql and other tools draw as boxes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::columns;
use super::figure::{Marks, TableFigure, parse_figure};
use super::grid::{Grid, TablePlace};
use super::grid_rows::{GridRow, GridRows};
use super::labels::without_elements;
use super::source_file::SourceFile;
use problem::Problem;

/// The headers of the tables of a text.
pub(crate) fn headers_of_text(text: &str) -> Vec<Vec<String>> {
    if !text.contains(['|', '│', '┃', '║']) {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let lines = plain_lines(&lines);
    places_of_tables(&lines).into_iter().map(|range| split_row(&lines[range.start])).collect()
}

/// The tables among lines.
///
/// # Errors
/// At a row that is longer than its header.
pub(crate) fn tables_of_lines(file: &SourceFile, lines: &[&str]) -> Result<Vec<TablePlace>, Problem> {
    let lines = plain_lines(lines);
    let mut places = Vec::new();
    for range in places_of_tables(&lines) {
        let header = split_row(&lines[range.start]);
        let mut rows = GridRows::default();
        for (index, line) in lines.iter().enumerate().take(range.end).skip(range.start + 2) {
            if is_rule(line) {
                continue;
            }
            let mut row = split_row(line);
            while row.len() > header.len() && row.last().is_some_and(String::is_empty) {
                row.pop();
            }
            if row.len() > header.len() {
                let what = format!("{} fields, but the table has {} columns", row.len(), header.len());
                return Err(file.problem_at_line(index + 1, what));
            }
            row.resize(header.len(), String::new());
            rows.push_row(index + 1, row);
        }
        let grid = Grid { line: range.start + 1, header, rows, ..Grid::default() };
        places.push(TablePlace { lines: range, grids: parts_below_headings(grid) });
    }
    Ok(places)
}

/// Lines in which the characters of boxes are those of ASCII.
fn plain_lines<'a>(lines: &[&'a str]) -> Vec<Cow<'a, str>> {
    lines.iter().map(|line| without_box_characters(line)).collect()
}

fn without_box_characters(line: &str) -> Cow<'_, str> {
    if !line.contains(is_box_character) {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.chars().map(plain_character).collect())
}

fn plain_character(c: char) -> char {
    match c {
        '─' | '━' | '═' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' => '-',
        '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' => '|',
        c if is_box_character(c) => '+',
        c => c,
    }
}

fn is_box_character(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c)
}

/// The lines of each table, from its header.
fn places_of_tables(lines: &[Cow<'_, str>]) -> Vec<std::ops::Range<usize>> {
    let mut end = 0;
    let mut found = Vec::new();
    for at in 0..lines.len().saturating_sub(1) {
        // A line below the last row, as psql and MySQL draw boxes, has that row above it, which is no header.
        if at < end || !lines[at].contains('|') || !is_rule(&lines[at + 1]) || is_rule(&lines[at]) {
            continue;
        }
        end = at + 2;
        while end < lines.len() && (lines[end].contains('|') || is_rule(&lines[end])) {
            end += 1;
        }
        found.push(at..end);
    }
    found
}

/// Whether a line parts a table's header from its rows, or its end from what comes then.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    if line.is_empty() || !line.chars().all(|c| matches!(c, '|' | '+' | '-' | '=' | ':' | ' ' | '\t')) {
        return false;
    }
    // psql and others cross their lines.
    let line = line.trim_start_matches(['|', '+']).trim_end_matches(['|', '+']);
    let mut cells = 0;
    for cell in line.split(['|', '+']) {
        cells += 1;
        if !cell.contains(['-', '=']) || cell.trim().contains(' ') {
            return false;
        }
    }
    cells > 1
}

/// The fields of a row, without marks of bold, code, links and elements; `<br>` begins another line of a field.
fn split_row(line: &str) -> Vec<String> {
    let line = line.trim().replace("\\|", "\u{1}");
    let line = line.strip_prefix('|').unwrap_or(&line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(plain_cell).collect()
}

/// The text of a field.
fn plain_cell(cell: &str) -> String {
    let mut text = cell.replace('\u{1}', "|").replace("**", "");
    for (written, meant) in [
        ("&nbsp;", " "),
        ("&plusmn;", "±"),
        ("&rarr;", "→"),
        ("&mdash;", "—"),
        ("&micro;", "µ"),
        ("（", " ("),
        ("）", ")"),
    ] {
        text = text.replace(written, meant);
    }
    for written in ["<br>", "<br/>", "<br />", "<BR>"] {
        text = text.replace(written, "\n");
    }
    if text.contains('<') {
        text = text.replace("<sup>", " [").replace("</sup>", "]").replace("[[", "[").replace("]]", "]");
        text = without_elements(&text);
    }
    while let Some(plain) = without_link(&text) {
        text = plain;
    }
    let lines = text.lines().map(|line| line.trim().trim_matches(['*', '`']).trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A text with the words of its first link in place of it: `[words](address)`.
fn without_link(text: &str) -> Option<String> {
    let middle = text.find("](")?;
    let begin = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')?;
    Some(format!("{}{}{}", &text[..begin], &text[begin + 1..middle], &text[end + 1..]))
}

/// A table in which a name stands alone in a row is one below each such name, which is the heading of its rows.
fn parts_below_headings(grid: Grid) -> Vec<Grid> {
    let first_column = columns::parse_column_name(&grid.header[0]);
    // A name in its own column stands once for the rows below.
    if first_column.is_some_and(|column| column.subject.is_name()) || grid.header.len() < 3 {
        return vec![grid];
    }
    let headings: BTreeSet<&str> =
        grid.rows.rows_with_lines().filter(|(_, row)| is_row_heading(*row)).map(|(_, row)| row.field_at(0)).collect();
    let is_last = grid.rows.rows_with_lines().next_back().is_some_and(|(_, row)| is_row_heading(row));
    // A name that other rows have beside figures is that of a row without any.
    let is_of_rows =
        grid.rows.rows_with_lines().any(|(_, row)| !is_row_heading(row) && headings.contains(row.field_at(0)));
    if headings.is_empty() || is_last || is_of_rows {
        return vec![grid];
    }
    let mut parts: Vec<Grid> = Vec::new();
    for (line, row) in grid.rows.rows_with_lines() {
        if is_row_heading(row) || parts.is_empty() {
            let heading = is_row_heading(row).then(|| row.field_at(0).to_owned());
            parts.push(Grid { line: grid.line, header: grid.header.clone(), heading, ..Grid::default() });
        }
        if let Some(part) = parts.last_mut().filter(|_| !is_row_heading(row)) {
            part.rows.push_row(line, row);
        }
    }
    parts.retain(|part| !part.rows.is_empty());
    parts
}

/// Whether a row has a name alone.
fn is_row_heading(row: GridRow<'_>) -> bool {
    let is_text =
        !matches!(parse_figure(row.field_at(0), Marks::Unknown), Ok(TableFigure::Number(..) | TableFigure::Missing));
    is_text && row.all_fields().skip(1).all(str::is_empty)
}
