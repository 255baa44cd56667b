//! Sections in Markdown: headings, lists and tables, in which nothing that a plan or a server says becomes markup.

use std::fmt::Write as _;

use super::{DocumentTable, ReportSection, SectionBlock, Showing, TableRoom};
use crate::markup::escape_markup;

/// A section; nothing where it has only what a page has room for.
pub fn markdown_of_section(section: &ReportSection) -> String {
    let text = markdown_of_blocks(&section.blocks);
    if text.is_empty() { text } else { format!("\n### {}\n{text}", escape_markup(&section.title)) }
}

/// These blocks, each after an empty line.
pub fn markdown_of_blocks(blocks: &[SectionBlock]) -> String {
    let mut text = String::new();
    write_blocks(&mut text, blocks).expect("writing into a String cannot fail");
    text
}

fn write_blocks(out: &mut String, blocks: &[SectionBlock]) -> std::fmt::Result {
    for block in blocks {
        match block {
            SectionBlock::Explanation(_) | SectionBlock::Chart(_) => {}
            SectionBlock::Note(note) => writeln!(out, "\n{}", escape_markup(note))?,
            SectionBlock::List { title, items, showing: Showing::Everywhere } => {
                writeln!(out, "\n**{}**\n", escape_markup(title))?;
                items.iter().try_for_each(|item| writeln!(out, "- {}", escape_markup(item)))?;
            }
            SectionBlock::Lines { title, lines } => {
                writeln!(out, "\n{}\n", escape_markup(title))?;
                // Text that is indented so far is code, within a list as well.
                lines.iter().try_for_each(|line| writeln!(out, "      {}", line.replace(['\n', '\r'], " ")))?;
            }
            SectionBlock::Table(table) if table.is_shown(TableRoom::Little) => write_table(out, table)?,
            SectionBlock::List { .. } | SectionBlock::Table(_) => {}
        }
    }
    Ok(())
}

/// A table; a row that stands out ends in bold letters.
fn write_table(out: &mut String, table: &DocumentTable) -> std::fmt::Result {
    let columns = table.people_columns(TableRoom::Little);
    let names: Vec<String> = columns.iter().map(|column| escape_markup(&column.title)).collect();
    let rules: Vec<&str> = columns.iter().map(|column| if column.is_number { "--:" } else { "---" }).collect();
    if let Some(caption) = &table.caption {
        writeln!(out, "\n{}", escape_markup(caption))?;
    }
    writeln!(out, "\n| {} |\n|{}|", names.join(" | "), rules.join("|"))?;
    for (texts, row) in table.people_texts(TableRoom::Little).iter().zip(&table.rows) {
        let mut cells: Vec<String> = texts.iter().map(|text| escape_markup(text)).collect();
        if let Some(last) = cells.last_mut().filter(|_| row.stands_out) {
            *last = format!("**{last}**");
        }
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    for note in table.folded.iter().map(|folded| &folded.summary).chain(&table.notes) {
        writeln!(out, "\n{}", escape_markup(note))?;
    }
    Ok(())
}
