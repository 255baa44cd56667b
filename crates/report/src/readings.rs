//! What the probes read of a trial, second by second, as series that a person can choose: the waits of the sessions,
//! disk, memory, locks, WAL, network, buffers, CPU.
//!
//! Only series with something in them; a gap stays one. The seconds of the warm-up have no readings here.

use std::collections::BTreeMap;

use judge::observed::Watched;
use results::activity::Seen;
use schemars::JsonSchema;
use serde::Serialize;

use super::rounding::rounded_to;

/// What has a series of its own; the other waits are one, so that there are as many as a page has colours.
const WAITS_MOST: usize = 5;

/// Significant digits of a reading: a pixel of its chart is a hundredth of the axis, and there are forty series.
const DIGITS: usize = 4;

/// A series of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadingData {
    /// The group of the series.
    pub about: &'static str,
    /// The name of the figure.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Whether the series of the group are parts of one whole.
    pub stacked: bool,
    /// By second of the trial, aligned with its other series; absent in a gap.
    pub values: Vec<Option<f64>>,
}

/// How a figure becomes a series.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A counter, per second.
    Rate,
    /// A gauge.
    Level,
}

use Kind::{Level, Rate};

const MIB: f64 = 1.0 / 1_048_576.0;

/// Every figure that has a series: about, probe, figure, how, name, unit, and what it is multiplied with.
#[rustfmt::skip]
const SERIES: [(&str, &str, &str, Kind, &str, &str, f64); 38] = [
    ("disk", "host.disk", "read_bytes", Rate, "read", "MiB/s", MIB),
    ("disk", "host.disk", "written_bytes", Rate, "written", "MiB/s", MIB),
    ("disk", "host.disk", "reads", Rate, "reads", "/s", 1.0),
    ("disk", "host.disk", "writes", Rate, "writes", "/s", 1.0),
    ("disk", "host.disk", "flushes", Rate, "flushes", "/s", 1.0),
    ("disk", "host.disk", "in_flight", Level, "requests in flight", "", 1.0),
    ("disk", "host.disk", "busy_us", Rate, "busy", "%", 1e-4),
    ("memory", "host.memory", "available_bytes", Level, "available", "MiB", MIB),
    ("memory", "host.memory", "cached_bytes", Level, "page cache", "MiB", MIB),
    ("memory", "host.memory", "anonymous_bytes", Level, "anonymous", "MiB", MIB),
    ("memory", "host.memory", "dirty_bytes", Level, "dirty", "MiB", MIB),
    ("memory", "host.memory", "writeback_bytes", Level, "writeback", "MiB", MIB),
    ("memory", "host.pressure", "memory_some_us", Rate, "memory pressure (some)", "%", 1e-4),
    ("locks", "pg.locks", "waiting", Level, "waiting sessions", "", 1.0),
    ("locks", "pg.locks", "waiting_for_rows", Level, "waiting for rows", "", 1.0),
    ("locks", "pg.locks", "waiting_for_relations", Level, "waiting for tables", "", 1.0),
    ("locks", "pg.locks", "blockers_idle", Level, "idle blockers", "", 1.0),
    ("WAL", "pg.wal", "bytes", Rate, "written", "MiB/s", MIB),
    ("WAL", "pg.wal", "records", Rate, "records", "/s", 1.0),
    ("WAL", "pg.wal", "full_page_images", Rate, "full-page images", "/s", 1.0),
    ("WAL", "pg.wal", "syncs", Rate, "flushes", "/s", 1.0),
    ("WAL", "pg.wal", "buffers_full", Rate, "full WAL buffers", "/s", 1.0),
    ("network", "host.network", "rx_bytes", Rate, "received", "MiB/s", MIB),
    ("network", "host.network", "tx_bytes", Rate, "sent", "MiB/s", MIB),
    ("network", "host.network", "lo_rx_bytes", Rate, "over loopback", "MiB/s", MIB),
    ("network", "host.tcp", "segments_retransmitted", Rate, "retransmitted segments", "/s", 1.0),
    ("buffers", "pg.database", "blocks_hit", Rate, "blocks hit", "/s", 1.0),
    ("buffers", "pg.database", "blocks_read", Rate, "blocks read", "/s", 1.0),
    ("buffers", "pg.checkpointer", "buffers_written", Rate, "written by checkpoints", "/s", 1.0),
    ("buffers", "pg.bgwriter", "buffers_clean", Rate, "written by the background writer", "/s", 1.0),
    ("buffers", "pg.database", "temp_bytes", Rate, "temporary files", "MiB/s", MIB),
    ("CPU", "host.server", "backends_cpu_us", Rate, "sessions of the load", "% of a CPU", 1e-4),
    ("CPU", "host.server", "backends_run_delay_us", Rate, "run delay of these sessions", "% of a CPU", 1e-4),
    ("CPU", "host.foreign", "cpu_us", Rate, "other processes of the host", "% of a CPU", 1e-4),
    ("CPU", "host.cpu", "steal_us", Rate, "steal", "% of a CPU", 1e-4),
    ("CPU", "host.cgroup", "cpu_throttled_us", Rate, "throttled", "% of a CPU", 1e-4),
    ("CPU", "host.cpu", "context_switches", Rate, "context switches", "/s", 1.0),
    ("tables", "pg.tables", "dead_tuples", Level, "dead rows", "", 1.0),
];

/// The series of a trial that has so many seconds, those of the warm-up included, which come first.
pub(crate) fn readings(watched: Option<&Watched>, seconds: usize) -> Vec<ReadingData> {
    let Some(watched) = watched else { return Vec::new() };
    let before = seconds.saturating_sub(watched.seconds.len());
    let short = |value: f64| rounded_to(DIGITS, value);
    let aligned = |values: Vec<Option<f64>>| -> Vec<Option<f64>> {
        std::iter::repeat_n(None, before).chain(values).map(|value| value.map(short)).take(seconds).collect()
    };
    let mut all: Vec<ReadingData> = waits(watched)
        .into_iter()
        .map(|(name, values)| ReadingData {
            about: "session states",
            name,
            unit: "% of their time",
            stacked: true,
            values: aligned(values),
        })
        .collect();
    for (about, probe, field, kind, name, unit, scale) in SERIES {
        let value = |reading: Option<(f64, u64)>| {
            let (value, over_us) = reading?;
            match kind {
                Level => Some(value * scale),
                Rate => (over_us > 0).then(|| value * scale * 1e6 / over_us as f64),
            }
        };
        let values: Vec<Option<f64>> = watched.readings_by_second(probe, field).map(value).collect();
        if values.iter().flatten().any(|value| *value != 0.0) {
            let name = name.to_owned();
            all.push(ReadingData { about, name, unit, stacked: false, values: aligned(values) });
        }
    }
    all
}

/// What the sessions were seen doing, as shares of their time in percent, the most frequent first: all of it.
fn waits(watched: &Watched) -> Vec<(String, Vec<Option<f64>>)> {
    // Named once, and not again for each series.
    let mut windows: Vec<Option<Vec<(String, u64)>>> = Vec::new();
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for window in &watched.activity {
        let Some(window) = window else {
            windows.push(None);
            continue;
        };
        let mut sessions_by_name = Vec::new();
        for seen in &window.seen {
            let name = what(seen);
            *sums.entry(name.clone()).or_default() += seen.sessions;
            sessions_by_name.push((name, seen.sessions));
        }
        windows.push(Some(sessions_by_name));
    }
    let mut names: Vec<(String, u64)> = sums.into_iter().filter(|(_, sessions)| *sessions > 0).collect();
    names.sort_by(|(_, one), (_, other)| other.cmp(one));
    let others: Vec<String> = names.split_off(names.len().min(WAITS_MOST)).into_iter().map(|(name, _)| name).collect();
    let share = |is: &dyn Fn(&str) -> bool| -> Vec<Option<f64>> {
        let of_window = |window: &Option<Vec<(String, u64)>>| {
            let seen = window.as_ref()?;
            let all: u64 = seen.iter().map(|(_, sessions)| sessions).sum();
            let those: u64 = seen.iter().filter(|(name, _)| is(name)).map(|(_, sessions)| sessions).sum();
            (all > 0).then(|| those as f64 * 100.0 / all as f64)
        };
        windows.iter().map(of_window).collect()
    };
    let mut series: Vec<(String, Vec<Option<f64>>)> =
        names.into_iter().map(|(name, _)| (name.clone(), share(&|what| what == name))).collect();
    if !others.is_empty() {
        series.push((format!("{} other waits", others.len()), share(&|what| others.iter().any(|name| name == what))));
    }
    series
}

fn what(seen: &Seen) -> String {
    match &seen.wait {
        Some(wait) if wait.class == "Client" => "waiting for the client".to_owned(),
        Some(wait) => format!("{}: {}", wait.class, wait.event),
        None if seen.state.starts_with("idle") => "waiting for the client".to_owned(),
        None => "executing".to_owned(),
    }
}
