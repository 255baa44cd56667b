//! Where the sessions of the load sleep in the kernel, by function, system call and kind of file.

use judge::Judgement;
use judge::off_cpu::{PairSleeps, SleepRow};
use judge::units;

use crate::document::{DocumentColumn, DocumentRow, Holds, ReportSection, SectionBlock, TableCell, TableKind};
use crate::pair_table::{PAIR, SIDES, cells_of_pair, cells_of_sides, tables_of_pairs};

const EXPLANATION: &str = "Milliseconds per transaction that the sessions of the load sleep in a function of the kernel, by looks at \
                           their processes. Waits for the client and for latches are left out. Most sleeps are part of waits \
                           that the time budget names; the others are in its part \"unexplained\".";
/// Places of a table at most.
const SHOWN: usize = 12;

/// A place a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "kernel-sleeps",
    about: "Where sessions sleep in the kernel: function, system call and kind of file",
    columns: &[
        PAIR[0],
        PAIR[1],
        PAIR[2],
        DocumentColumn::new("asleep in", "place", Holds::Words),
        SIDES[0],
        SIDES[1],
        SIDES[2],
        SIDES[3],
    ],
};

/// A table for each pair in which it is felt; the one with the most clients of each candidate and workload is foremost.
pub(crate) fn kernel_sleeps_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.kernel_sleeps.is_empty() {
        return None;
    }
    let baseline = &judgement.comparison.question.baseline;
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    blocks.extend(tables_of_pairs(
        &judgement.kernel_sleeps,
        (baseline, "ms per transaction", &TABLE),
        |pair| (&pair.candidate, &pair.place),
        |pair| {
            let rows = pair.rows.iter().take(SHOWN).map(|row| row_of_place(pair, row)).collect();
            (rows, notes_of_pair(pair, baseline))
        },
    ));
    Some(ReportSection { id: "kernel-sleeps", title: "Where sessions sleep in the kernel".to_owned(), blocks })
}

fn row_of_place(pair: &PairSleeps, row: &SleepRow) -> DocumentRow {
    let mut cells = Vec::from(cells_of_pair(&pair.candidate, &pair.place));
    cells.push(TableCell::Words(row.at.to_string()));
    cells.extend(cells_of_sides(&row.row));
    DocumentRow::from_cells(cells)
}

/// How much of it is uninterruptible, and how many places are not shown.
fn notes_of_pair(pair: &PairSleeps, baseline: &str) -> Vec<String> {
    let [of_baseline, of_candidate] = pair.uninterruptible_ms.map(units::format_milliseconds);
    let mut notes = vec![format!(
        "uninterruptible sleep (state D) per transaction: {baseline} {of_baseline}, {} {of_candidate}; {} blocks",
        pair.candidate, pair.blocks
    )];
    let hidden = pair.small + pair.rows.len().saturating_sub(SHOWN);
    if hidden > 0 {
        notes.push(format!("{hidden} smaller places are not shown"));
    }
    notes
}
