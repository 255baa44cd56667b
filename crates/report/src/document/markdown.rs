//! Sections in Markdown: headings, lists and tables, in which nothing that a plan or a server says becomes markup.

use std::fmt::Write as _;

use super::{Block, Section, Table};
use crate::markup::escape;

/// A section; nothing where it has only explanations.
pub fn markdown_of_section(section: &Section) -> String {
    let mut text = String::new();
    write_section(&mut text, section).expect("writing into a String cannot fail");
    text
}

fn write_section(out: &mut String, section: &Section) -> std::fmt::Result {
    if section.blocks.iter().all(|block| matches!(block, Block::Explanation(_))) {
        return Ok(());
    }
    writeln!(out, "\n### {}", escape(&section.title))?;
    for block in &section.blocks {
        match block {
            Block::Explanation(_) => {}
            Block::Note(note) => writeln!(out, "\n{}", escape(note))?,
            Block::Table(table) if table.is_foremost => write_table(out, table)?,
            Block::Table(_) => {}
        }
    }
    Ok(())
}

fn write_table(out: &mut String, table: &Table) -> std::fmt::Result {
    let titles = table.people_titles();
    let names: Vec<String> = titles.iter().map(|(title, _)| escape(title)).collect();
    let rules: Vec<&str> = titles.iter().map(|(_, is_number)| if *is_number { "--:" } else { "---" }).collect();
    if let Some(caption) = &table.caption {
        writeln!(out, "\n{}", escape(caption))?;
    }
    writeln!(out, "\n| {} |\n|{}|", names.join(" | "), rules.join("|"))?;
    for row in table.people_texts() {
        let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    for note in &table.notes {
        writeln!(out, "\n{}", escape(note))?;
    }
    Ok(())
}
