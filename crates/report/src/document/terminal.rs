//! Sections for a terminal: headings with aligned columns. A row that stands out ends in
//! capitals. Explanations are left to the page.

use comfy_table::{Cell, CellAlignment, Color, ContentArrangement, presets};

use super::{DocumentTable, Holds, PeopleColumn, ReportSection, SectionBlock, Showing, TableRoom};
use crate::folded::fold_text;

/// Spaces before what is said of the subject of a list.
const INDENT: usize = 3;
/// No table is made narrower.
const NARROWEST: u16 = 60;

/// What text is written for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Screen {
    /// The columns into which sentences are folded and tables are fitted; absent: as many as they take.
    pub width: Option<usize>,
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
    let mut lines: Vec<String> = table.caption.clone().into_iter().collect();
    // Every cell has a space before and after it; the first of a line is left out.
    let drawn = drawn_table(table, screen).to_string();
    lines.extend(drawn.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()));
    lines.extend(table.folded.as_ref().map(|folded| folded.summary.clone()));
    lines.extend(table.notes.iter().cloned());
    lines
}

fn drawn_table(table: &DocumentTable, screen: Screen) -> comfy_table::Table {
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if let Some(width) = screen.width.and_then(|width| u16::try_from(width).ok()) {
        drawn.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.max(NARROWEST));
    }
    let columns = table.people_columns(TableRoom::Little);
    drawn.set_header(columns.iter().map(|column| aligned_cell(&column.title, column)));
    for (mut texts, row) in table.people_texts(TableRoom::Little).into_iter().zip(&table.rows) {
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

/// Words stand left; figures right, so that their digits stand below one another.
fn aligned_cell(text: &str, column: &PeopleColumn) -> Cell {
    Cell::new(text).set_alignment(if column.is_number { CellAlignment::Right } else { CellAlignment::Left })
}

fn verdict_colour(verdict: &str) -> Option<Color> {
    match verdict {
        "improved" => Some(Color::Green),
        "regressed" | "broken" | "does not work" => Some(Color::Red),
        "equivalent" => None,
        _ => Some(Color::Yellow),
    }
}
