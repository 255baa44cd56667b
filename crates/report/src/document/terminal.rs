//! Sections for a terminal: headings with aligned columns. A row that stands out ends in
//! capitals. Explanations are left to the page.

use super::{Block, Section, Table};
use crate::columns::{Alignment, aligned_rows};

/// The heading of a section and its lines; none where it has only explanations.
pub fn terminal_of_section(section: &Section) -> Option<(String, Vec<String>)> {
    let mut lines = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Explanation(_) => {}
            Block::Note(text) => lines.push(text.clone()),
            Block::Table(table) if table.is_foremost => lines.extend(of_table(table)),
            Block::Table(_) => {}
        }
    }
    if lines.is_empty() { None } else { Some((section.title.clone(), lines)) }
}

fn of_table(table: &Table) -> Vec<String> {
    let titles = table.people_titles();
    let alignment = |is_number: bool| if is_number { Alignment::Right } else { Alignment::Left };
    let alignments: Vec<Alignment> = titles.iter().map(|(_, is_number)| alignment(*is_number)).collect();
    let mut rows = vec![titles.iter().map(|(title, _)| title.clone()).collect()];
    for (mut cells, row) in table.people_texts().into_iter().zip(&table.rows) {
        if let Some(last) = cells.last_mut().filter(|_| row.stands_out) {
            *last = last.to_uppercase();
        }
        rows.push(cells);
    }
    let lines = table.caption.clone().into_iter().chain(aligned_rows(&rows, &alignments));
    lines.chain(table.notes.iter().cloned()).collect()
}
