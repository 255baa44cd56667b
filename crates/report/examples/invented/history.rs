//! Five weeks of nights of two cells: a loss that stands, one that was accepted, conditions and a unit that changed.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use results::history::{Accepted, FORMAT, History, HistoryLine, MetricDirection, Point, RunDoubt};
use results::trial::Cell;

const NIGHTS: u32 = 36;

/// The lines of two cells, night by night, and a level that was accepted.
pub(crate) fn history() -> History {
    let mut lines: Vec<HistoryLine> =
        (0..NIGHTS).flat_map(|night| [read(night), write(night)]).map(HistoryLine::Point).collect();
    let because = "checksums are on since, and stay on".to_owned();
    lines.push(HistoryLine::Accepted(Accepted { format: FORMAT, run: run(24), at: begun(25), because }));
    History { lines, torn: None }
}

/// Loses a tenth in the last five nights, with a setting; before, the kernel was exchanged.
fn read(night: u32) -> Point {
    let level = if night < 31 { 52_000.0 } else { 46_500.0 };
    let half = if night == 20 { 20_000.0 } else { 300.0 };
    let work_mem = if night < 31 { "4MB" } else { "64kB" };
    let kernel = if night < 12 { "6.1.0-40-amd64" } else { "6.1.0-41-amd64" };
    let point = level * (1.0 + off(night));
    Point {
        interval: Some([point - half, point + half]),
        contract: BTreeMap::from([("kernel".to_owned(), kernel.to_owned())]),
        server: BTreeMap::from([("work_mem".to_owned(), work_mem.to_owned())]),
        ..calm(night, "read", point)
    }
}

/// Loses in the twenty-fourth night, which was accepted; the first nights were told in another unit.
fn write(night: u32) -> Point {
    let level = if night < 24 { 3_100.0 } else { 2_750.0 };
    let point = level * (1.0 + off(night + 3));
    let unit = if night < 8 { "transactions/min" } else { "tps" };
    Point { unit: unit.to_owned(), point: if night < 8 { 60.0 * point } else { point }, ..calm(night, "write", point) }
}

/// Other work on the machine in every fourth night.
fn doubts(night: u32) -> Vec<RunDoubt> {
    if !night.is_multiple_of(4) {
        return Vec::new();
    }
    let text = "vm: other processes of its host used up to 31 % of its CPU time (ccls)".to_owned();
    vec![RunDoubt { kind: "shared-host".to_owned(), text, is_outcome: false }]
}

fn calm(night: u32, workload: &str, point: f64) -> Point {
    Point {
        format: FORMAT,
        run: run(night),
        at: begun(night),
        pgdyno_version: "0.1.0".to_owned(),
        cell: Cell { target: "vm".to_owned(), workload: workload.to_owned(), clients: 8.into() },
        metric: "throughput".to_owned(),
        unit: "tps".to_owned(),
        better: MetricDirection::Higher,
        point,
        interval: None,
        trials: 3,
        threshold: 0.03,
        contract: BTreeMap::new(),
        server: BTreeMap::new(),
        doubts: Some(doubts(night)),
    }
}

/// A little more or less each night, as a share.
fn off(night: u32) -> f64 {
    0.001 * (f64::from(night * 37 % 17) - 8.0)
}

fn begun(night: u32) -> Timestamp {
    let first: Timestamp = "2026-10-12T03:15:00Z".parse().expect("an instant");
    first + SignedDuration::from_hours(24 * i64::from(night))
}

fn run(night: u32) -> String {
    format!("{}-nightly", begun(night).strftime("%Y-%m-%dT%H-%M-%S"))
}
