//! What became of the transactions that a load was to send: those that were not completed, or were retried.

use judge::Judgement;

use crate::document::{ReportSection, SectionBlock};

/// A sentence for each cell that has any; none where no cell has.
pub(crate) fn service_section(judgement: &Judgement) -> Option<ReportSection> {
    let lines = &judgement.comparison.service;
    if lines.is_empty() {
        return None;
    }
    let blocks = lines.iter().cloned().map(SectionBlock::Note).collect();
    Some(ReportSection { id: "service", title: "Load".to_owned(), blocks })
}
