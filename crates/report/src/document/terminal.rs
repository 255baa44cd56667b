//! Sections for a terminal: headings with aligned columns. A row that stands out ends in
//! capitals. Explanations are left to the page.

use super::{Block, Section, Showing, Table, TableRoom};
use crate::columns::{Alignment, aligned_rows, folded};

/// Spaces before what is said of the subject of a list.
const INDENT: usize = 3;

/// The heading of a section and its lines; none where it has only explanations.
pub fn terminal_of_section(section: &Section) -> Option<(String, Vec<String>)> {
    let lines = terminal_of_blocks(&section.blocks, None);
    if lines.is_empty() { None } else { Some((section.title.clone(), lines)) }
}

/// The lines of these blocks; sentences are folded between words where the width is known.
pub fn terminal_of_blocks(blocks: &[Block], width: Option<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    for block in blocks {
        match block {
            Block::Explanation(_) | Block::Chart(_) => {}
            Block::Note(text) => lines.extend(folded(text, 0, width)),
            Block::List { title, items, showing: Showing::Everywhere } => {
                lines.extend(folded(title, 0, width));
                lines.extend(items.iter().flat_map(|item| folded(item, INDENT, width)));
            }
            Block::Table(table) if table.is_shown(TableRoom::Little) => lines.extend(of_table(table)),
            Block::List { .. } | Block::Table(_) => {}
        }
    }
    lines
}

fn of_table(table: &Table) -> Vec<String> {
    let mut alignments = Vec::new();
    let mut titles = Vec::new();
    for column in table.people_columns(TableRoom::Little) {
        alignments.push(if column.is_number { Alignment::Right } else { Alignment::Left });
        titles.push(column.title);
    }
    let mut rows = vec![titles];
    for (mut cells, row) in table.people_texts(TableRoom::Little).into_iter().zip(&table.rows) {
        if let Some(last) = cells.last_mut().filter(|_| row.stands_out) {
            *last = last.to_uppercase();
        }
        rows.push(cells);
    }
    let mut lines: Vec<String> = table.caption.clone().into_iter().collect();
    lines.extend(aligned_rows(&rows, &alignments));
    lines.extend(table.folded.as_ref().map(|folded| folded.summary.clone()));
    lines.extend(table.notes.iter().cloned());
    lines
}
