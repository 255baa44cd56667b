//! Sections for a terminal: headings with aligned columns. A row that stands out ends in
//! capitals. Explanations are left to the page.

use comfy_table::{Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Width, presets};
use unicode_width::UnicodeWidthStr;

use super::{DocumentTable, Holds, PeopleColumn, ReportSection, SectionBlock, Showing, TableRoom};
use crate::folded::fold_text;

/// Spaces before what is said of the subject of a list.
const INDENT: usize = 3;
/// No table is made narrower.
const NARROWEST: usize = 60;
/// Spaces of a column beside what stands in it.
const PADDING: usize = 2;
/// A space at which no line is broken.
const UNBROKEN_SPACE: &str = "\u{a0}";

/// What text is written for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Screen {
    /// The columns into which sentences are folded; absent: as many as they take.
    pub width: Option<usize>,
    /// Whether tables are fitted into these columns, too. If not, they may be wider.
    pub fits_tables: bool,
    /// Whether verdicts have a colour. They are words all the same.
    pub colour: bool,
}

/// The heading of a section and its lines; none where it has only explanations.
pub fn terminal_of_section(section: &ReportSection, screen: Screen) -> Option<(String, Vec<String>)> {
    let lines = terminal_of_blocks(&section.blocks, screen);
    if lines.is_empty() { None } else { Some((section.title.clone(), lines)) }
}

/// The lines of these blocks.
pub fn terminal_of_blocks(blocks: &[SectionBlock], screen: Screen) -> Vec<String> {
    let width = screen.width;
    let mut lines = Vec::new();
    for block in blocks {
        match block {
            SectionBlock::Explanation(_) | SectionBlock::Chart(_) => {}
            SectionBlock::Note(text) => lines.extend(fold_text(text, 0, width)),
            SectionBlock::List { title, items, showing: Showing::Everywhere } => {
                lines.extend(fold_text(title, 0, width));
                lines.extend(items.iter().flat_map(|item| fold_text(item, INDENT, width)));
            }
            SectionBlock::Lines { title, lines: of_block } => {
                lines.push(format!("{:INDENT$}{title}", ""));
                lines.extend(of_block.iter().map(|line| format!("{:INDENT$}{line}", "")));
            }
            SectionBlock::Table(table) if table.is_shown(TableRoom::Little) => lines.extend(of_table(table, screen)),
            SectionBlock::List { .. } | SectionBlock::Table(_) => {}
        }
    }
    lines
}

fn of_table(table: &DocumentTable, screen: Screen) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(table.caption.iter().flat_map(|caption| fold_text(caption, 0, screen.width)));
    // Every cell has a space before and after it; the first of a line is left out.
    let drawn = drawn_table(table, screen).to_string();
    for line in drawn.replace(UNBROKEN_SPACE, " ").lines() {
        lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned());
    }
    lines.extend(table.folded.as_ref().map(|folded| folded.summary.clone()));
    lines.extend(table.notes.iter().flat_map(|note| fold_text(note, 0, screen.width)));
    lines
}

fn drawn_table(table: &DocumentTable, screen: Screen) -> comfy_table::Table {
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let columns = table.people_columns(TableRoom::Little);
    drawn.set_header(columns.iter().map(|column| aligned_cell(&column.title, column)));
    let mut rows = table.people_texts(TableRoom::Little);
    if let Some(width) = screen.width.filter(|_| screen.fits_tables) {
        for row in &mut rows {
            for (text, _) in row.iter_mut().zip(&columns).filter(|(_, column)| column.is_number) {
                *text = unbroken_figures(text);
            }
        }
        let widest = widest_words(&columns, &rows);
        // In fewer columns than this, words would be cut.
        let least = widest.iter().map(|word| word + PADDING).sum::<usize>().max(NARROWEST);
        drawn.set_content_arrangement(ContentArrangement::Dynamic);
        // The first space of a line and the last are left out.
        drawn.set_width(u16::try_from((width + PADDING).max(least)).unwrap_or(u16::MAX));
        for (column, word) in drawn.column_iter_mut().zip(&widest) {
            let with_padding = u16::try_from(word + PADDING).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(with_padding)));
        }
    }
    for (mut texts, row) in rows.into_iter().zip(&table.rows) {
        if let Some(last) = texts.last_mut().filter(|_| row.stands_out) {
            *last = last.to_uppercase();
        }
        let mut cells = Vec::new();
        for (text, column) in texts.iter().zip(&columns) {
            let colour = verdict_colour(text).filter(|_| screen.colour && column.holds == Holds::Verdict);
            let cell = aligned_cell(text, column);
            cells.push(if let Some(colour) = colour { cell.fg(colour) } else { cell });
        }
        drawn.add_row(cells);
    }
    drawn
}

/// Figures that are broken between one another only, where two spaces are, but not before a unit or in an interval.
fn unbroken_figures(text: &str) -> String {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return text.to_owned();
    }
    text.replace("  ", "\n").replace(' ', UNBROKEN_SPACE).replace('\n', &format!(" {UNBROKEN_SPACE}"))
}

/// The columns that the widest word of each column takes: there is no place for less of it.
fn widest_words(columns: &[PeopleColumn], rows: &[Vec<String>]) -> Vec<usize> {
    let mut widest = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let texts = rows.iter().filter_map(|row| row.get(index)).chain([&column.title]);
        let words = texts.flat_map(|text| text.split(' ')).map(UnicodeWidthStr::width);
        widest.push(words.max().unwrap_or(0));
    }
    widest
}

/// Words stand left; figures right, so that their digits stand below one another.
fn aligned_cell(text: &str, column: &PeopleColumn) -> Cell {
    Cell::new(text).set_alignment(if column.is_number { CellAlignment::Right } else { CellAlignment::Left })
}

/// The dark ones can be read on white and on black; the bright ones cannot be read on white.
fn verdict_colour(verdict: &str) -> Option<Color> {
    match verdict {
        "improved" => Some(Color::DarkGreen),
        "regressed" | "broken" | "does not work" => Some(Color::DarkRed),
        "equivalent" => None,
        _ => Some(Color::DarkYellow),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ColumnUnit, DocumentColumn, DocumentRow, TableCell, TableKind};
    use super::*;

    static KIND: TableKind = TableKind {
        name: "fitted-of-a-test",
        about: "A table",
        columns: &[
            DocumentColumn::new("workload", "workload", Holds::Words),
            DocumentColumn::new("old (baseline)", "baseline", Holds::Figure(ColumnUnit::OfTheRow)),
            DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
            DocumentColumn::new("verdict", "verdict", Holds::Verdict),
        ],
    };

    fn lines_in(width: usize) -> Vec<String> {
        let change =
            stats::Estimate { point: -0.109, interval: stats::ClosedInterval { low: -0.128, high: -0.09 }, n: 5 };
        let figures = TableCell::words_with_figure("11.9k tps  0.67 ms", TableCell::Figure(11_900.0));
        let cells = vec![
            TableCell::from_words("read (open loop, offered 1000/s)"),
            figures,
            TableCell::Judged(change, 0.03),
            TableCell::from_words("regressed"),
        ];
        let table = DocumentTable::from_rows(&KIND, vec![DocumentRow::from_cells(cells)]);
        let screen = Screen { width: Some(width), colour: false, fits_tables: true };
        terminal_of_blocks(&[SectionBlock::Table(table)], screen)
    }

    #[test]
    fn a_table_is_as_narrow_as_its_widest_words_and_cuts_none() {
        for width in [20, 60, 70, 80, 120] {
            let lines = lines_in(width);
            let text = lines.join("\n");
            for whole in
                ["workload", "(baseline)", "11.9k tps", "0.67 ms", "−10.9 %", "[−12.8, −9.0] %", "regressed", "offered"]
            {
                assert!(text.contains(whole), "{width}: {whole}\n{text}");
            }
            let widest = lines.iter().map(|line| line.width()).max().unwrap_or(0);
            assert!(widest <= width.max(NARROWEST), "{width}: {widest}\n{text}");
        }
        assert_eq!(lines_in(200).len(), 2);
    }
}
