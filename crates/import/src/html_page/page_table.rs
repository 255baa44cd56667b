//! A table of HTML as grids of fields: cells that span several columns or rows stand in each of them.

use std::collections::BTreeMap;

use html5gum::StartTag;

use crate::arrangement;
use crate::columns;
use crate::grid::Grid;
use crate::grid_rows::GridRows;
use crate::table;

/// How many columns a table may have; a page that asks for more is no table of figures.
const COLUMNS_MAX: usize = 1000;

/// A field as it is written.
#[derive(Debug, Default)]
struct PageCell {
    text: String,
    columns: usize,
    rows: usize,
    is_header: bool,
}

/// A row as it is written.
#[derive(Debug, Default)]
struct PageRow {
    line: usize,
    is_in_head: bool,
    cells: Vec<PageCell>,
}

impl PageRow {
    fn is_of_header(&self) -> bool {
        self.is_in_head || self.cells.iter().all(|cell| cell.is_header)
    }

    fn column_count(&self) -> usize {
        self.cells.iter().map(|cell| cell.columns).sum()
    }
}

/// A table being read.
#[derive(Debug)]
pub(super) struct TableUnderway {
    line: usize,
    rows: Vec<PageRow>,
    caption: String,
    is_in_head: bool,
    is_in_caption: bool,
    is_in_cell: bool,
    is_raised: bool,
}

/// The rows of a table below its header, or below a row that is a heading of the rows after it.
struct TableSection {
    heading: Option<String>,
    rows: GridRows,
}

impl TableUnderway {
    pub(super) fn new(line: usize) -> Self {
        Self {
            line,
            rows: Vec::new(),
            caption: String::new(),
            is_in_head: false,
            is_in_caption: false,
            is_in_cell: false,
            is_raised: false,
        }
    }

    /// Begins a part of the table; not one, if the element is none.
    pub(super) fn start_part(&mut self, name: &str, tag: &StartTag<usize>, line: usize) -> bool {
        match name {
            "caption" => self.is_in_caption = true,
            "thead" | "tbody" | "tfoot" => {
                self.is_in_head = name == "thead";
                self.is_in_cell = false;
            }
            "tr" => {
                self.rows.push(PageRow { line, is_in_head: self.is_in_head, cells: Vec::new() });
                self.is_in_cell = false;
            }
            "td" | "th" => {
                if self.rows.is_empty() {
                    self.rows.push(PageRow { line, is_in_head: self.is_in_head, cells: Vec::new() });
                }
                if let Some(row) = self.rows.last_mut() {
                    row.cells.push(PageCell {
                        text: String::new(),
                        columns: span_of(tag, "colspan").clamp(1, COLUMNS_MAX),
                        rows: span_of(tag, "rowspan"),
                        is_header: name == "th",
                    });
                }
                self.is_in_cell = true;
            }
            // A mark of a footnote is no digit of the figure before it.
            "sup" => self.is_raised = true,
            _ => return false,
        }
        true
    }

    /// Ends a part of the table; not one, if the element is none.
    pub(super) fn end_part(&mut self, name: &str) -> bool {
        match name {
            "caption" => self.is_in_caption = false,
            "thead" | "tbody" | "tfoot" => {
                self.is_in_head = false;
                self.is_in_cell = false;
            }
            "tr" | "td" | "th" => self.is_in_cell = false,
            "sup" => self.is_raised = false,
            _ => return false,
        }
        true
    }

    pub(super) fn add_text(&mut self, text: &str) {
        if self.is_in_caption {
            self.caption.push_str(text);
        } else if let Some(cell) = self.rows.last_mut().and_then(|row| row.cells.last_mut()).filter(|_| self.is_in_cell)
        {
            let mark = text.trim().trim_matches(['[', ']', '(', ')']);
            if self.is_raised && !mark.is_empty() {
                cell.text.push_str(&format!(" [{mark}]"));
            } else {
                cell.text.push_str(text);
            }
        }
    }

    /// Its grids: one, or one for each group of columns below a name of theirs.
    pub(super) fn into_grids(mut self, heading: Option<String>, title: Option<&str>, label: Option<&str>) -> Vec<Grid> {
        self.rows.retain(|row| !row.cells.is_empty());
        let line = self.rows.first().map_or(self.line, |row| row.line);
        let caption = join_words(&self.caption);
        let label = label.map(str::to_owned).or_else(|| heading.clone().filter(|_| !caption.is_empty()));
        let title = title.filter(|_| caption.is_empty());
        let heading = if caption.is_empty() { heading } else { Some(caption) };
        let header_count = self.header_count();
        let (mut header, sections) = self.into_sections(header_count);
        header.retain(|row| row.iter().any(|name| !name.is_empty()));
        let names = names_of_columns(&header);
        let mut grids = Vec::new();
        for TableSection { heading: own, rows } in sections {
            let grid = Grid {
                line,
                header: names.iter().map(|parts| parts.join("\n")).collect(),
                rows,
                label: if own.is_some() { heading.clone() } else { label.clone() },
                title: title.filter(|_| own.is_none()).map(str::to_owned),
                heading: own.or_else(|| heading.clone()),
                ..Grid::default()
            };
            grids.extend(part_by_groups(grid, &names));
        }
        grids
    }

    /// How many of its rows are its header: those that say so, else the first.
    fn header_count(&self) -> usize {
        self.rows.iter().take_while(|row| row.is_of_header()).count().max(1)
    }

    /// The rows of the header, and the sections of the others, all as long as the longest.
    fn into_sections(self, header_count: usize) -> (Vec<Vec<String>>, Vec<TableSection>) {
        let width = self.rows.iter().map(PageRow::column_count).max().unwrap_or(0).min(COLUMNS_MAX);
        let mut spanned: BTreeMap<usize, (usize, String)> = BTreeMap::new();
        let mut header = Vec::new();
        let mut sections = vec![TableSection { heading: None, rows: GridRows::default() }];
        for (index, row) in self.rows.into_iter().enumerate() {
            if let [cell] = row.cells.as_slice()
                && cell.columns == width
                && width > 1
            {
                sections.push(TableSection { heading: Some(join_lines(&cell.text)), rows: GridRows::default() });
                continue;
            }
            let fields = fields_of_row(&row, &mut spanned, width);
            if index < header_count || header.is_empty() {
                header.push(fields);
            } else if let Some(section) = sections.last_mut() {
                section.rows.push_row(row.line, fields);
            }
        }
        sections.retain(|section| !section.rows.is_empty());
        (header, sections)
    }
}

fn span_of(tag: &StartTag<usize>, name: &str) -> usize {
    let value = tag.attributes.get(name.as_bytes());
    value.and_then(|value| String::from_utf8_lossy(&value.value).trim().parse().ok()).unwrap_or(1)
}

/// A text with one blank in place of all that parts its words.
pub(super) fn join_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text whose lines have one blank in place of all that parts their words.
fn join_lines(text: &str) -> String {
    text.lines().map(join_words).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The fields of a row; `spanned` has the cells of rows above that reach into it, by their columns.
fn fields_of_row(row: &PageRow, spanned: &mut BTreeMap<usize, (usize, String)>, width: usize) -> Vec<String> {
    let mut fields: Vec<String> = Vec::new();
    let mut begun = BTreeMap::new();
    let mut cells = row.cells.iter();
    while fields.len() < width {
        if let Some((_, text)) = spanned.get(&fields.len()) {
            fields.push(text.clone());
            continue;
        }
        let Some(cell) = cells.next() else {
            fields.push(String::new());
            continue;
        };
        let text = join_lines(&cell.text);
        for _ in 0..cell.columns.min(width - fields.len()) {
            if cell.rows > 1 {
                begun.insert(fields.len(), (cell.rows, text.clone()));
            }
            fields.push(text.clone());
        }
    }
    spanned.append(&mut begun);
    spanned.retain(|_, (rows, _)| {
        *rows -= 1;
        *rows > 0
    });
    fields
}

/// What the rows of the header say of each column, the outermost first, each once.
fn names_of_columns(header: &[Vec<String>]) -> Vec<Vec<String>> {
    let width = header.first().map_or(0, Vec::len);
    let mut names: Vec<Vec<String>> = Vec::new();
    for column in 0..width {
        let mut parts: Vec<String> = Vec::new();
        for row in header {
            if !row[column].is_empty() && parts.last() != Some(&row[column]) {
                parts.push(row[column].clone());
            }
        }
        names.push(parts);
    }
    names
}

/// A table in which a name stands above several columns has a row for each such name in place of one, unless the names
/// together are those of known columns, as `read` above `IOPS`.
fn part_by_groups(grid: Grid, names: &[Vec<String>]) -> Vec<Grid> {
    let mut groups: Vec<String> = Vec::new();
    let mut are_known = true;
    for parts in names {
        let Some(group) = name_above(parts) else { continue };
        are_known &= columns::parse_column_name(&parts.join(" ")).is_some();
        if parts.last().is_none_or(|name| columns::parse_column_name(name).is_none()) {
            return vec![grid];
        }
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    if groups.is_empty() || are_known || groups.iter().any(|group| arrangement::has_counts(group)) {
        return vec![grid];
    }
    let of_workload = groups.iter().any(|group| table::is_of_workload(group));
    let side = if of_workload { "workload" } else { "target" };
    let mut grids = Vec::new();
    for group in groups {
        let mut kept = Vec::new();
        for (index, parts) in names.iter().enumerate() {
            if name_above(parts).is_none_or(|other| other == group) {
                kept.push(index);
            }
        }
        let mut header: Vec<String> =
            kept.iter().map(|index| names[*index].last().cloned().unwrap_or_default()).collect();
        header.push(side.to_owned());
        let mut rows = GridRows::default();
        for (line, row) in grid.rows.rows_with_lines() {
            let fields = kept.iter().map(|index| row.field_at(*index)).chain([group.as_str()]);
            rows.push_row(line, fields);
        }
        grids.push(Grid { header, rows, ..grid.clone() });
    }
    grids
}

/// What stands above a column's own name in a header of several rows.
fn name_above(parts: &[String]) -> Option<String> {
    match parts {
        [above @ .., _] if !above.is_empty() => Some(above.join(" ")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_page;

    fn fields(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|field| (*field).to_owned()).collect()
    }

    #[test]
    fn cells_that_span_stand_in_each_row_and_ends_may_be_left_out() {
        let page = read_page(
            "<h2>Results</h2>\n<table>\n<tr><th>target<th>clients<th>tps\n<tr><td rowspan=2>vm<td>8<td>1,234<sup>1</sup>\n\
             <tr><td>16<td>2&nbsp;345<br>\n<tr><td>pod<td>8</table>",
        );
        let [grid] = page.grids.as_slice() else { panic!("{page:?}") };
        assert_eq!((grid.line, grid.heading.as_deref()), (3, Some("Results")));
        assert_eq!(grid.header, ["target", "clients", "tps"]);
        let rows = [(4, ["vm", "8", "1,234 [1]"]), (5, ["vm", "16", "2 345"]), (6, ["pod", "8", ""])];
        let found: Vec<(usize, Vec<&str>)> =
            grid.rows.rows_with_lines().map(|(line, row)| (line, row.all_fields().collect())).collect();
        assert_eq!(found, rows.map(|(line, row)| (line, row.to_vec())));
    }

    #[test]
    fn names_above_several_columns_are_sides_and_rows_across_the_table_are_headings() {
        let page = read_page(
            "<table><caption>All</caption><thead><tr><th rowspan=2>Clients</th><th colspan=2>VM</th><th colspan=2>Pod</th></tr>\
             <tr><th>TPS</th><th>Latency (ms)</th><th>TPS</th><th>Latency (ms)</th></tr></thead>\
             <tr><td>8</td><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>\
             <table><tr><th>clients<th>tps<tr><td colspan=2>direct<tr><td>8<td>5<tr><td colspan=2>pooler<tr><td>8<td>6</table>",
        );
        let mut shown: Vec<(&Option<String>, &Vec<String>, Vec<&str>)> = Vec::new();
        for grid in &page.grids {
            let (_, first) = grid.rows.row_at(0).expect("a row");
            shown.push((&grid.heading, &grid.header, first.all_fields().collect()));
        }
        let sides = fields(&["Clients", "TPS", "Latency (ms)", "target"]);
        let two = fields(&["clients", "tps"]);
        let [all, direct, pooler] = ["All", "direct", "pooler"].map(|heading| Some(heading.to_owned()));
        assert_eq!(
            shown,
            [
                (&all, &sides, vec!["8", "1", "2", "VM"]),
                (&all, &sides, vec!["8", "3", "4", "Pod"]),
                (&direct, &two, vec!["8", "5"]),
                (&pooler, &two, vec!["8", "6"]),
            ]
        );
    }

    #[test]
    fn names_that_are_known_together_stay_so() {
        let page =
            read_page("<table><tr><th rowspan=2>job<th colspan=2>read<tr><th>iops<th>MiB/s<tr><td>a<td>5<td>6</table>");
        assert_eq!(page.grids[0].header, ["job", "read\niops", "read\nMiB/s"]);
    }
}
