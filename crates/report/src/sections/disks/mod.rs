//! The disks as fio measured them: side by side, then each with its jobs, curves and characteristics.

pub(crate) mod ceilings;
pub(crate) mod curves;
mod remarks;

use judge::Judgement;
use judge::disks::{DiskJudged, StageFigures};
use judge::units;
use results::disk::Place;

use crate::document::{Block, Cell, Column, Holds, PageChart, Row, Section, Showing, Table, TableKind, Unit};

const EXPLANATION: &str = "Measured by fio. The rate is that of the steady state, after any burst. Its 95 % interval is within this \
                           stage only. It does not include the variation between days.";

/// A disk a row.
static DISKS: TableKind = TableKind {
    name: "disk-summary",
    about: "The disks side by side",
    columns: &[
        Column::for_people("target"),
        Column::in_words("oltp"),
        Column::in_words("95 % interval"),
        Column::in_words("p99"),
        Column::in_words("seq-read"),
        Column::in_words("seq-write"),
        Column::in_words("wal"),
        Column::in_words("wal-group"),
    ],
};

/// A job of fio on a disk a row.
pub(crate) static STAGES: TableKind = TableKind {
    name: "disks",
    about: "Figures of the disks as fio measured them, by stage",
    columns: &[
        Column::for_programs("target", Holds::Words),
        Column::new("job", "stage", Holds::Words),
        Column::new("requests", "what", Holds::Words),
        Column::for_programs("iops", Holds::Figure(Unit::OfTheRow)),
        Column::for_programs("bytes_per_s", Holds::Figure(Unit::OfTheRow)),
        Column::new("rate", "steady", Holds::Estimate(Unit::Iops)),
        Column::new("bandwidth", "steady", Holds::Point(Unit::BytesPerS)),
        Column::new("mean", "mean", Holds::Figure(Unit::Milliseconds)),
        Column::in_words("p99"),
        Column::new("sync", "sync", Holds::Figure(Unit::Milliseconds)),
        Column::new("busy", "busy", Holds::Figure(Unit::Share)),
        Column::for_programs("failed", Holds::Words),
    ],
};

/// The disks side by side; of each what characterizes it, its jobs and its curves. None where no disk was measured.
pub(crate) fn disks_section(judgement: &Judgement) -> Option<Section> {
    let disks = &judgement.disks;
    if disks.disks.is_empty() {
        return None;
    }
    let rows = disks.disks.iter().map(row_of_disk).collect();
    let mut blocks = vec![Block::Explanation(EXPLANATION), Block::Table(Table::of(&DISKS, rows))];
    for difference in &disks.unlike {
        blocks.push(Block::Note(format!("! not comparable: {difference}")));
    }
    for (index, disk) in disks.disks.iter().enumerate() {
        let place = disk.place.as_ref().map_or_else(String::new, |place| format!(", {}", place_in_words(place)));
        let rows = disk.stages.iter().map(|stage| row_of_stage(disk, stage)).collect();
        blocks.push(Block::List {
            title: format!("{}{place}", disk.target),
            items: remarks::remarks(disk),
            showing: Showing::Everywhere,
        });
        blocks.push(Block::Table(Table { showing: Showing::Page, ..Table::of(&STAGES, rows) }));
        blocks.push(Block::Chart(PageChart::Disk(index)));
    }
    Some(Section { id: "disks", title: "Disks (fio, steady state)".to_owned(), blocks })
}

fn row_of_disk(disk: &DiskJudged) -> Row {
    let figure = |words: Option<String>| words.map_or(Cell::Missing, Cell::Words);
    let bandwidth = |name: &str| figure(disk.stage(name).map(|stage| units::bytes_per_s(stage.base_bytes_per_s())));
    let commits = |name: &str| {
        let stage = disk.stage(name);
        figure(stage.map(|stage| format!("{} commits/s", units::count(stage.base_iops().round()))))
    };
    let oltp = disk.stage("oltp");
    let interval = oltp.and_then(|stage| stage.steady_iops).map(|steady| steady.interval);
    Row::of(vec![
        Cell::words(&disk.target),
        figure(oltp.map(|stage| units::iops(stage.base_iops()))),
        figure(interval.map(|ends| units::interval(&units::iops(ends.low), &units::iops(ends.high)))),
        figure(oltp.and_then(p99_ms).map(units::milliseconds)),
        bandwidth("seq-read"),
        bandwidth("seq-write"),
        commits("wal"),
        commits("wal-group"),
    ])
}

fn row_of_stage(disk: &DiskJudged, stage: &StageFigures) -> Row {
    let what = requests_in_words(stage);
    let requests = match &stage.failed {
        Some(failed) => Cell::worded(format!("does not count: {failed}"), Cell::words(what)),
        None => Cell::Words(what),
    };
    let figure = |of: Option<f64>| of.map_or(Cell::Missing, Cell::Figure);
    Row::of(vec![
        Cell::words(&disk.target),
        Cell::words(&stage.name),
        requests,
        Cell::Figure(stage.iops),
        Cell::Figure(stage.bytes_per_s),
        stage.steady_iops.map_or(Cell::worded(units::iops(stage.iops), Cell::Missing), Cell::Estimate),
        stage
            .steady_bytes_per_s
            .map_or(Cell::worded(units::bytes_per_s(stage.bytes_per_s), Cell::Missing), Cell::Estimate),
        figure(stage.latency.as_ref().map(|latency| latency.mean_ns / 1e6)),
        p99_ms(stage).map_or(Cell::Missing, |ms| Cell::Words(units::milliseconds(ms))),
        figure(stage.sync_latency.as_ref().map(|latency| latency.mean_ns / 1e6)),
        figure(stage.utilisation),
        Cell::Words(stage.failed.clone().unwrap_or_default()),
    ])
}

/// The 99th percentile of a stage's latency.
fn p99_ms(stage: &StageFigures) -> Option<f64> {
    let percentiles = &stage.latency.as_ref()?.percentiles;
    percentiles.iter().find(|(percent, _)| (percent - 99.0).abs() < 1e-6).map(|(_, ns)| *ns as f64 / 1e6)
}

fn place_in_words(place: &Place) -> String {
    let disk = place.disk.as_ref().map_or_else(String::new, |disk| {
        let device = disk.device.as_ref().map_or_else(String::new, |device| format!(" on {device}"));
        format!(" ({}{device}, {})", disk.filesystem, disk.mount_options)
    });
    format!("{}{disk}", place.directory.display())
}

/// What a stage did, in words: `randread 8 KiB, 32 in flight, direct`.
fn requests_in_words(stage: &StageFigures) -> String {
    let pattern = stage.pattern.as_deref().unwrap_or("several jobs");
    let block = stage.block_bytes.map_or_else(String::new, |bytes| format!(" {}", units::bytes(bytes as f64)));
    let jobs = if stage.jobs > 1 { format!(" by each of {} jobs", stage.jobs) } else { String::new() };
    let direct = match stage.direct {
        Some(true) => ", direct",
        Some(false) => ", through the page cache",
        None => "",
    };
    let synced = if stage.synced { ", each synced" } else { "" };
    format!("{pattern}{block}, {} in flight{jobs}{direct}{synced}", stage.depth)
}
