//! What became of the transactions that a load was to send: those that were not completed, or were retried.

use judge::Judgement;

use crate::document::{Block, Section};

/// A sentence for each cell that has any; none where no cell has.
pub(crate) fn service_section(judgement: &Judgement) -> Option<Section> {
    let lines = &judgement.comparison.service;
    if lines.is_empty() {
        return None;
    }
    let blocks = lines.iter().cloned().map(Block::Note).collect();
    Some(Section { id: "service", title: "Load".to_owned(), blocks })
}
