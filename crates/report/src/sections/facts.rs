//! The facts of the targets, as they were read back: differences first, and those that are only reported last of them.

use judge::Judgement;
use judge::compare::FactRow;
use plan::WordChoice as _;

use crate::document::{
    DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, Showing, TableCell, TableKind,
};

const NO_FACT: &str = "No fact could be read back from the targets.";
const NO_DIFFERENCE: &str = "No fact that was read back differs between the targets.";

/// A fact a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "facts",
    about: "Facts of the targets",
    columns: &[
        DocumentColumn::new("aspect", "aspect", Holds::Words),
        DocumentColumn::new("fact", "fact", Holds::Words),
        DocumentColumn::of_each(),
        DocumentColumn::for_people("the plan"),
        DocumentColumn::for_programs("differs", Holds::Words),
        DocumentColumn::for_programs("allowed", Holds::Words),
        DocumentColumn::for_programs("compared", Holds::Words),
    ],
};

/// A table of the differences, which only a page has, since others have the undeclared ones as an issue; and a folded
/// one of what is the same.
pub(crate) fn facts_section(judgement: &Judgement) -> Option<ReportSection> {
    let facts = &judgement.comparison.facts;
    let (mut different, same): (Vec<&FactRow>, Vec<&FactRow>) = facts.iter().partition(|fact| fact.differs);
    different.sort_by_key(|fact| (!fact.compared, fact.allowed));
    let mut blocks = Vec::new();
    if facts.is_empty() {
        blocks.push(SectionBlock::Explanation(NO_FACT));
    } else if different.is_empty() {
        blocks.push(SectionBlock::Explanation(NO_DIFFERENCE));
    } else {
        blocks.push(SectionBlock::Table(DocumentTable {
            showing: Showing::Page,
            ..table_of_facts(judgement, &different)
        }));
    }
    if !same.is_empty() {
        let sides = if judgement.comparison.targets.len() == 2 { "both sides" } else { "all sides" };
        let noun = if same.len() == 1 { "fact" } else { "facts" };
        let caption = Some(format!("{} {noun} the same on {sides}", same.len()));
        blocks.push(SectionBlock::Table(DocumentTable {
            caption,
            showing: Showing::Folded,
            ..table_of_facts(judgement, &same)
        }));
    }
    Some(ReportSection { id: "facts", title: "Facts of the targets".to_owned(), blocks })
}

fn table_of_facts(judgement: &Judgement, facts: &[&FactRow]) -> DocumentTable {
    let rows = facts.iter().map(|fact| row_of_fact(fact)).collect();
    DocumentTable { each: judgement.comparison.targets.clone(), ..DocumentTable::from_rows(&TABLE, rows) }
}

fn row_of_fact(fact: &FactRow) -> DocumentRow {
    let is_confounder = fact.differs && fact.compared && !fact.allowed;
    let standing = match (fact.differs, fact.compared, fact.allowed) {
        (false, _, _) => "",
        (true, false, _) => "not compared",
        (true, true, true) => "allows it",
        (true, true, false) => "confounder",
    };
    let mut values = Vec::new();
    for value in &fact.values {
        values.push(match value {
            Some(value) => TableCell::from_words(value.to_string()),
            None => TableCell::words_with_figure("unreadable", TableCell::Missing),
        });
    }
    let mut cells = vec![
        TableCell::from_words(fact.aspect.as_word()),
        TableCell::from_words(&fact.name),
        TableCell::Each(values),
        TableCell::from_words(standing),
    ];
    cells.extend([fact.differs, fact.allowed, fact.compared].map(|is| TableCell::from_words(is.to_string())));
    DocumentRow { cells, stands_out: is_confounder }
}
