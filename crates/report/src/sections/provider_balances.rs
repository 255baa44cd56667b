//! The credits of managed servers, as their providers reported them around the trials.

use judge::Judgement;
use judge::provider_balances::BalanceOfTarget;

use crate::document::{
    DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

const EXPLANATION: &str = "Credits of managed servers, as the command of `facts` printed them before and after each trial. A balance that falls pays for a \
                           speed that does not last; at zero, the provider limits the instance. Providers report balances minutes late.";

/// A balance of a target a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "provider-balances",
    about: "Credits of managed servers around the trials",
    columns: &[
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("balance", "balance", Holds::Words),
        DocumentColumn::new("unit", "unit", Holds::Words),
        DocumentColumn::new("before the first trial", "first", Holds::Words),
        DocumentColumn::new("after the last trial", "last", Holds::Words),
        DocumentColumn::new("lowest", "lowest", Holds::Words),
        DocumentColumn::new("trials", "trials", Holds::Count),
    ],
};

/// A row for each balance of each target; none where no provider reports any.
pub(super) fn provider_balances_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.surroundings.provider_balances.is_empty() {
        return None;
    }
    let rows = judgement.surroundings.provider_balances.iter().map(row_of_balance).collect();
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "provider-balances", title: "Credits of the provider".to_owned(), blocks })
}

fn row_of_balance(of: &BalanceOfTarget) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&of.target),
        TableCell::from_words(&of.name),
        TableCell::from_words(&of.unit),
        TableCell::from_words(of.first.to_string()),
        TableCell::from_words(of.last.to_string()),
        TableCell::from_words(of.lowest.to_string()),
        TableCell::Count(of.trials),
    ])
}
