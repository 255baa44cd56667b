//! What a report shows, built once from a judgement: sections of tables, notes and drawings. A renderer (terminal,
//! Markdown, CSV, page) knows these types and nothing of the judgement; what builds a section is in `sections`.

mod cell;
mod column;
mod csv;
mod markdown;
mod page;
mod table;
mod terminal;

pub use cell::{Bar, TableCell};
pub use column::{ColumnUnit, DocumentColumn, Holds, TableRoom};
pub use csv::csv_of_table;
pub use markdown::{markdown_of_blocks, markdown_of_section};
pub use page::{SectionData, page_sections};
pub use table::{DocumentRow, DocumentTable, FoldedRows, PeopleColumn, Showing, TableKind};
pub use terminal::{Screen, terminal_of_blocks, terminal_of_section};

/// All sections that a judgement has something for, in their order.
#[derive(Debug)]
pub struct ReportDocument {
    /// What a page draws in its own way, with links and choices: it stands before the others.
    pub answer: Vec<ReportSection>,
    /// The sections that all forms draw alike.
    pub sections: Vec<ReportSection>,
}

/// A heading with what stands below it.
#[derive(Debug)]
pub struct ReportSection {
    /// The name by which links lead to it, unique in a document.
    pub id: &'static str,
    /// The heading.
    pub title: String,
    /// What stands below it, in its order.
    pub blocks: Vec<SectionBlock>,
}

/// A part of a section.
#[derive(Debug)]
pub enum SectionBlock {
    /// How the section is to be read: only where there is room for it, on a page.
    Explanation(&'static str),
    /// A sentence.
    Note(String),
    /// What is said of one subject, below its name.
    List {
        /// The subject.
        title: String,
        /// The sentences.
        items: Vec<String>,
        /// Where it is shown.
        showing: Showing,
    },
    /// Lines whose spaces matter, such as a query plan; a page draws them in its own way.
    Lines {
        /// What they are of.
        title: String,
        /// The lines.
        lines: Vec<String>,
    },
    /// A table. People do not see one that has columns for programs only.
    Table(DocumentTable),
    /// A drawing, which only a page has.
    Chart(PageChart),
}

/// What a page draws of the data of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageChart {
    /// The curves around the event of this index.
    Event(usize),
    /// The curves of the disk of this index.
    Disk(usize),
    /// The searches for a capacity at the place of the search of this index.
    Capacity(usize),
    /// The stacks of the CPU profile of this index.
    Flame(usize),
}

impl ReportDocument {
    /// What stands in a form without links and choices, in its order.
    pub fn all_sections(&self) -> impl Iterator<Item = &ReportSection> {
        self.answer.iter().chain(&self.sections)
    }

    /// All tables of a kind.
    pub fn tables_of_kind(&self, name: &str) -> Vec<&DocumentTable> {
        let mut tables = Vec::new();
        for block in self.all_sections().flat_map(|section| &section.blocks) {
            match block {
                SectionBlock::Table(table) if table.kind.name == name => tables.push(table),
                SectionBlock::Table(_)
                | SectionBlock::Note(_)
                | SectionBlock::List { .. }
                | SectionBlock::Lines { .. }
                | SectionBlock::Chart(_)
                | SectionBlock::Explanation(_) => {}
            }
        }
        tables
    }
}
