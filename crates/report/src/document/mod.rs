//! What a report shows, built once from a judgement: sections of tables, notes and drawings. A renderer (terminal,
//! Markdown, CSV, page) knows these types and nothing of the judgement; a new section is one builder in `SECTIONS`.

mod csv;
mod markdown;
mod page;
mod table;
mod terminal;

use judge::Judgement;

pub use csv::csv;
pub use markdown::markdown;
pub use page::{SectionData, page};
pub use table::{Bar, Cell, Column, Holds, Row, Table, TableKind, Unit};
pub use terminal::terminal;

use super::{budgets, cost, cross_check, failures, layers, maxima, percentiles, required, spread, target_figures};

/// All sections that a judgement has something for, in their order.
#[derive(Debug)]
pub struct Document {
    /// The sections.
    pub sections: Vec<Section>,
}

/// A heading with what stands below it.
#[derive(Debug)]
pub struct Section {
    /// The name by which links lead to it, unique in a document.
    pub id: &'static str,
    /// The heading.
    pub title: String,
    /// What stands below it, in its order.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug)]
pub enum Block {
    /// How the section is to be read: only where there is room for it, on a page.
    Explanation(&'static str),
    /// A sentence.
    Note(String),
    /// A table.
    Table(Table),
}

/// How a section is built, and the kinds of its tables, which programs find by name.
#[derive(Debug)]
pub struct Builder {
    build: fn(&Judgement) -> Option<Section>,
    /// Every kind of table that the section may have.
    pub tables: &'static [&'static TableKind],
}

/// Every section, in the order of the document.
pub static SECTIONS: [Builder; 10] = [
    Builder { build: failures::section, tables: &[&failures::TABLE] },
    Builder { build: target_figures::section, tables: &[&target_figures::TABLE] },
    Builder { build: percentiles::section, tables: &[&percentiles::TABLE] },
    Builder { build: maxima::section, tables: &[&maxima::TABLE] },
    Builder { build: spread::section, tables: &[&spread::TABLE] },
    Builder { build: cost::section, tables: &[&cost::TABLE] },
    Builder { build: cross_check::section, tables: &[&cross_check::TABLE] },
    Builder { build: required::section, tables: &[&required::TABLE] },
    Builder { build: layers::section, tables: &[&layers::TABLE] },
    Builder { build: budgets::section, tables: &[&budgets::TABLE] },
];

impl Document {
    /// The document of a judgement.
    pub fn of(judgement: &Judgement) -> Self {
        Self { sections: SECTIONS.iter().filter_map(|builder| (builder.build)(judgement)).collect() }
    }

    /// All tables of a kind.
    pub fn tables(&self, name: &str) -> Vec<&Table> {
        let mut tables = Vec::new();
        for block in self.sections.iter().flat_map(|section| &section.blocks) {
            match block {
                Block::Table(table) if table.kind.name == name => tables.push(table),
                Block::Table(_) | Block::Note(_) | Block::Explanation(_) => {}
            }
        }
        tables
    }
}
