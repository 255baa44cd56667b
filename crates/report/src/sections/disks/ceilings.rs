//! The throughput that the disks allow each workload of their target.

use judge::Judgement;
use judge::disks::{Bottleneck, Ceiling, DiskMeaning, in_words};
use judge::units;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, Showing, TableCell,
    TableKind,
};

const EXPLANATION: &str = "The ceiling is the throughput at which the disk is saturated. It assumes that a transaction keeps \
                           using as much of the disk as it did here.";

/// A target in a workload, with a number of clients, a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "disk-ceilings",
    about: "Throughput ceilings set by the disks",
    columns: &[
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("reached", "reached", Holds::Figure(ColumnUnit::Tps)),
        DocumentColumn::new("ceiling", "ceiling", Holds::Estimate(ColumnUnit::Tps)),
        DocumentColumn::new("resource", "resource", Holds::Words),
        DocumentColumn::for_programs("per_transaction", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("iowait", "iowait", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("is the disk the bottleneck?", "bottleneck", Holds::Words),
    ],
};

/// For each target and workload a row with the clients that came nearest to the ceiling, and the others folded; none
/// where no disk was measured with a load.
pub(crate) fn disk_ceilings_section(judgement: &Judgement) -> Option<ReportSection> {
    let meanings = &judgement.disks.meanings;
    if meanings.is_empty() {
        return None;
    }
    let (mut rows, mut others, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for meaning in meanings {
        let nearest = nearest_ceiling(meaning);
        rows.push(row_of_ceiling(meaning, nearest));
        for ceiling in meaning.ceilings.iter().filter(|ceiling| nearest != Some(*ceiling)) {
            others.push(row_of_ceiling(meaning, Some(ceiling)));
        }
        notes.extend(
            smallest_machine_limit(meaning).map(|text| format!("{}, {}: {text}", meaning.target, meaning.workload)),
        );
    }
    let mut blocks = vec![
        SectionBlock::Explanation(EXPLANATION),
        SectionBlock::Table(DocumentTable { notes, ..DocumentTable::from_rows(&TABLE, rows) }),
    ];
    if !others.is_empty() {
        let caption = Some("Ceilings at other numbers of clients".to_owned());
        blocks.push(SectionBlock::Table(DocumentTable {
            caption,
            showing: Showing::Folded,
            ..DocumentTable::from_rows(&TABLE, others)
        }));
    }
    Some(ReportSection { id: "disk-ceilings", title: "Throughput ceilings set by the disks".to_owned(), blocks })
}

fn row_of_ceiling(meaning: &DiskMeaning, ceiling: Option<&Ceiling>) -> DocumentRow {
    let mut cells = vec![TableCell::from_words(&meaning.target), TableCell::from_words(&meaning.workload)];
    match ceiling {
        None => cells.extend([const { TableCell::Missing }; 6]),
        Some(ceiling) => cells.extend([
            TableCell::Count(u64::from(ceiling.clients)),
            TableCell::Figure(ceiling.reached),
            TableCell::Estimate(ceiling.limit),
            TableCell::from_words(in_words(ceiling.resource)),
            TableCell::Figure(ceiling.per_transaction),
            ceiling.iowait.map_or(TableCell::Missing, TableCell::Figure),
        ]),
    }
    cells.push(TableCell::Words(bottleneck_in_words(&meaning.bottleneck)));
    DocumentRow::from_cells(cells)
}

/// The number of clients at which a workload came nearest to its ceiling.
fn nearest_ceiling(meaning: &DiskMeaning) -> Option<&Ceiling> {
    meaning.ceilings.iter().max_by(|a, b| share_of_limit(a).total_cmp(&share_of_limit(b)))
}

fn share_of_limit(ceiling: &Ceiling) -> f64 {
    ceiling.reached / ceiling.limit.point
}

/// The verdict in words.
fn bottleneck_in_words(bottleneck: &Bottleneck) -> String {
    match bottleneck {
        Bottleneck::From(clients) => format!("yes, from {} on", units::format_clients(*clients)),
        Bottleneck::No => "no".to_owned(),
        Bottleneck::CannotTell(why) => format!("unknown: {why}"),
    }
}

/// The smallest machine beyond which the disk is the limit. How many reads a byte of memory saves is told by servers of
/// several sizes only: a run has one of each, and the size of a database is not what of it is in use.
fn smallest_machine_limit(meaning: &DiskMeaning) -> Option<String> {
    const UNTOLD: &str = " (the memory that this takes is unknown, because the run measured one size)";
    let ceiling = nearest_ceiling(meaning)?;
    let cores = ceiling.cores?;
    let memory = match ceiling.without_reads {
        Some(limit) if limit > 1.01 * ceiling.limit.point => {
            format!("; with all data in memory the ceiling would be {}{UNTOLD}", units::format_tps(limit))
        }
        Some(_) => "; more memory does not raise the ceiling, because writes set it".to_owned(),
        None => format!("; with all data in memory the disk would set no ceiling{UNTOLD}"),
    };
    let cores = cores.ceil().max(1.0);
    let noun = if cores > 1.0 { "cores" } else { "core" };
    Some(format!("beyond {cores:.0} {noun} of this kind the disk is the bottleneck{memory}"))
}
