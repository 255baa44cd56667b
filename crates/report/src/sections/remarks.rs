//! What the author of the plan or of the study says to the reader: who measured, for whom, when, and notes.

use judge::Judgement;

use crate::document::{ReportSection, SectionBlock};

/// A line for each of them; none where nothing is said.
pub(crate) fn remarks_section(judgement: &Judgement) -> Option<ReportSection> {
    let remarks = &judgement.remarks;
    if remarks.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    if let Some(author) = &remarks.author {
        lines.push(format!("Measured by {author}"));
    }
    if let Some(customer) = &remarks.customer {
        lines.push(format!("For {customer}"));
    }
    let what = if remarks.is_imported { "Imported" } else { "Begun" };
    lines.push(format!("{what} on {} (UTC)", remarks.day));
    lines.extend(remarks.notes.iter().cloned());
    let blocks = lines.into_iter().map(SectionBlock::Note).collect();
    Some(ReportSection { id: "remarks", title: "About this report".to_owned(), blocks })
}
