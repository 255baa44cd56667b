//! The disks as fio measured them: side by side, then each with its jobs, curves and characteristics.

pub(crate) mod ceilings;
pub(crate) mod curves;
mod remarks;

use judge::Judgement;
use judge::disks::{DiskJudged, StageFigures};
use judge::units;
use results::disk::DiskFilePlace;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, PageChart, ReportSection, SectionBlock, Showing,
    TableCell, TableKind,
};

const EXPLANATION: &str = "Measured by fio. The rate is that of the steady state, after any burst. Its 95 % interval is within this \
                           stage only. It does not include the variation between days.";

/// A disk a row.
static DISKS: TableKind = TableKind {
    name: "disk-summary",
    about: "The disks side by side",
    columns: &[
        DocumentColumn::for_people("target"),
        DocumentColumn::in_words("oltp"),
        DocumentColumn::in_words("95 % interval"),
        DocumentColumn::in_words("p99"),
        DocumentColumn::in_words("seq-read"),
        DocumentColumn::in_words("seq-write"),
        DocumentColumn::in_words("wal"),
        DocumentColumn::in_words("wal-group"),
    ],
};

/// A job of fio on a disk a row.
pub(crate) static STAGES: TableKind = TableKind {
    name: "disks",
    about: "Figures of the disks as fio measured them, by stage",
    columns: &[
        DocumentColumn::for_programs("target", Holds::Words),
        DocumentColumn::new("job", "stage", Holds::Words),
        DocumentColumn::new("requests", "what", Holds::Words),
        DocumentColumn::for_programs("iops", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::for_programs("bytes_per_s", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("rate", "steady", Holds::Estimate(ColumnUnit::Iops)),
        DocumentColumn::new("bandwidth", "steady", Holds::Point(ColumnUnit::BytesPerS)),
        DocumentColumn::new("mean", "mean", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::in_words("p99"),
        DocumentColumn::new("sync", "sync", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("busy", "busy", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::for_programs("failed", Holds::Words),
    ],
};

/// The disks side by side; of each what characterizes it, its jobs and its curves. None where no disk was measured.
pub(crate) fn disks_section(judgement: &Judgement) -> Option<ReportSection> {
    let disks = &judgement.disks;
    if disks.disks.is_empty() {
        return None;
    }
    let rows = disks.disks.iter().map(row_of_disk).collect();
    let mut blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&DISKS, rows))];
    for difference in &disks.unlike {
        blocks.push(SectionBlock::Note(format!("! not comparable: {difference}")));
    }
    for (index, disk) in disks.disks.iter().enumerate() {
        let place = disk.place.as_ref().map_or_else(String::new, |place| format!(", {}", place_in_words(place)));
        let rows = disk.stages.iter().map(|stage| row_of_stage(disk, stage)).collect();
        blocks.push(SectionBlock::List {
            title: format!("{}{place}", disk.target),
            items: remarks::remarks_on_disk(disk),
            showing: Showing::Everywhere,
        });
        blocks.push(SectionBlock::Table(DocumentTable {
            showing: Showing::Page,
            ..DocumentTable::from_rows(&STAGES, rows)
        }));
        blocks.push(SectionBlock::Chart(PageChart::Disk(index)));
    }
    Some(ReportSection { id: "disks", title: "Disks (fio, steady state)".to_owned(), blocks })
}

fn row_of_disk(disk: &DiskJudged) -> DocumentRow {
    let figure = |words: Option<String>| words.map_or(TableCell::Missing, TableCell::Words);
    let bandwidth =
        |name: &str| figure(disk.stage_by_name(name).map(|stage| units::bytes_per_s(stage.base_bytes_per_s())));
    let commits = |name: &str| {
        let stage = disk.stage_by_name(name);
        figure(stage.map(|stage| format!("{} commits/s", units::format_count(stage.base_iops().round()))))
    };
    let oltp = disk.stage_by_name("oltp");
    let interval = oltp.and_then(|stage| stage.steady_iops).map(|steady| steady.interval);
    DocumentRow::from_cells(vec![
        TableCell::from_words(&disk.target),
        figure(oltp.map(|stage| units::format_iops(stage.base_iops()))),
        figure(
            interval.map(|ends| units::format_interval(&units::format_iops(ends.low), &units::format_iops(ends.high))),
        ),
        figure(oltp.and_then(p99_ms).map(units::format_milliseconds)),
        bandwidth("seq-read"),
        bandwidth("seq-write"),
        commits("wal"),
        commits("wal-group"),
    ])
}

fn row_of_stage(disk: &DiskJudged, stage: &StageFigures) -> DocumentRow {
    let what = requests_in_words(stage);
    let requests = match &stage.failed {
        Some(failed) => TableCell::words_with_figure(format!("does not count: {failed}"), TableCell::from_words(what)),
        None => TableCell::Words(what),
    };
    let figure = |of: Option<f64>| of.map_or(TableCell::Missing, TableCell::Figure);
    DocumentRow::from_cells(vec![
        TableCell::from_words(&disk.target),
        TableCell::from_words(&stage.name),
        requests,
        TableCell::Figure(stage.iops),
        TableCell::Figure(stage.bytes_per_s),
        stage.steady_iops.map_or(
            TableCell::words_with_figure(units::format_iops(stage.iops), TableCell::Missing),
            TableCell::Estimate,
        ),
        stage.steady_bytes_per_s.map_or(
            TableCell::words_with_figure(units::bytes_per_s(stage.bytes_per_s), TableCell::Missing),
            TableCell::Estimate,
        ),
        figure(stage.latency.as_ref().map(|latency| latency.mean_ns / 1e6)),
        p99_ms(stage).map_or(TableCell::Missing, |ms| TableCell::Words(units::format_milliseconds(ms))),
        figure(stage.sync_latency.as_ref().map(|latency| latency.mean_ns / 1e6)),
        figure(stage.utilisation),
        TableCell::Words(stage.failed.clone().unwrap_or_default()),
    ])
}

/// The 99th percentile of a stage's latency.
fn p99_ms(stage: &StageFigures) -> Option<f64> {
    let percentiles = &stage.latency.as_ref()?.percentiles;
    percentiles.iter().find(|(percent, _)| (percent - 99.0).abs() < 1e-6).map(|(_, ns)| *ns as f64 / 1e6)
}

fn place_in_words(place: &DiskFilePlace) -> String {
    let disk = place.disk.as_ref().map_or_else(String::new, |disk| {
        let device = disk.device.as_ref().map_or_else(String::new, |device| format!(" on {device}"));
        format!(" ({}{device}, {})", disk.filesystem, disk.mount_options)
    });
    format!("{}{disk}", place.directory.display())
}

/// What a stage did, in words: `randread 8 KiB, 32 in flight, direct`.
fn requests_in_words(stage: &StageFigures) -> String {
    let pattern = stage.pattern.as_deref().unwrap_or("several jobs");
    let block = stage.block_bytes.map_or_else(String::new, |bytes| format!(" {}", units::format_bytes(bytes as f64)));
    let jobs = if stage.jobs > 1 { format!(" by each of {} jobs", stage.jobs) } else { String::new() };
    let direct = match stage.direct {
        Some(true) => ", direct",
        Some(false) => ", through the page cache",
        None => "",
    };
    let synced = if stage.synced { ", each synced" } else { "" };
    format!("{pattern}{block}, {} in flight{jobs}{direct}{synced}", stage.depth)
}
