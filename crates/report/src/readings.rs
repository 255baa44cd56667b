//! What the probes read of a trial, second by second, as series that a person can choose: the waits of the sessions,
//! disk, memory, locks, WAL, network, buffers, CPU.
//!
//! Only series with something in them; a gap stays one. The seconds of the warm-up have no readings here.

use std::collections::BTreeMap;

use judge::observed::WatchedPhase;
use results::activity::SampledSessions;
use results::probe_fields::{
    FieldKind, FieldUnit, ProbeField, host_cgroup, host_cpu, host_disk, host_foreign, host_memory, host_network,
    host_pressure, host_server, host_tcp, pg_bgwriter, pg_checkpointer, pg_database, pg_locks, pg_tables, pg_wal,
};
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

const MIB: f64 = 1.0 / 1_048_576.0;

/// Every figure that has a series: about, figure, name.
#[rustfmt::skip]
const SERIES: [(&str, ProbeField, &str); 38] = [
    ("disk", host_disk::READ_BYTES, "read"),
    ("disk", host_disk::WRITTEN_BYTES, "written"),
    ("disk", host_disk::READS, "reads"),
    ("disk", host_disk::WRITES, "writes"),
    ("disk", host_disk::FLUSHES, "flushes"),
    ("disk", host_disk::IN_FLIGHT, "requests in flight"),
    ("disk", host_disk::BUSY_US, "busy"),
    ("memory", host_memory::AVAILABLE_BYTES, "available"),
    ("memory", host_memory::CACHED_BYTES, "page cache"),
    ("memory", host_memory::ANONYMOUS_BYTES, "anonymous"),
    ("memory", host_memory::DIRTY_BYTES, "dirty"),
    ("memory", host_memory::WRITEBACK_BYTES, "writeback"),
    ("memory", host_pressure::MEMORY_SOME_US, "memory pressure (some)"),
    ("locks", pg_locks::WAITING, "waiting sessions"),
    ("locks", pg_locks::WAITING_FOR_ROWS, "waiting for rows"),
    ("locks", pg_locks::WAITING_FOR_RELATIONS, "waiting for tables"),
    ("locks", pg_locks::BLOCKERS_IDLE, "idle blockers"),
    ("WAL", pg_wal::BYTES, "written"),
    ("WAL", pg_wal::RECORDS, "records"),
    ("WAL", pg_wal::FULL_PAGE_IMAGES, "full-page images"),
    ("WAL", pg_wal::SYNCS, "flushes"),
    ("WAL", pg_wal::BUFFERS_FULL, "full WAL buffers"),
    ("network", host_network::RX_BYTES, "received"),
    ("network", host_network::TX_BYTES, "sent"),
    ("network", host_network::LO_RX_BYTES, "over loopback"),
    ("network", host_tcp::SEGMENTS_RETRANSMITTED, "retransmitted segments"),
    ("buffers", pg_database::BLOCKS_HIT, "blocks hit"),
    ("buffers", pg_database::BLOCKS_READ, "blocks read"),
    ("buffers", pg_checkpointer::BUFFERS_WRITTEN, "written by checkpoints"),
    ("buffers", pg_bgwriter::BUFFERS_CLEAN, "written by the background writer"),
    ("buffers", pg_database::TEMP_BYTES, "temporary files"),
    ("CPU", host_server::BACKENDS_CPU_US, "sessions of the load"),
    ("CPU", host_server::BACKENDS_RUN_DELAY_US, "run delay of these sessions"),
    ("CPU", host_foreign::CPU_US, "other processes of the host"),
    ("CPU", host_cpu::STEAL_US, "steal"),
    ("CPU", host_cgroup::CPU_THROTTLED_US, "throttled"),
    ("CPU", host_cpu::CONTEXT_SWITCHES, "context switches"),
    ("tables", pg_tables::DEAD_TUPLES, "dead rows"),
];

/// The series of a trial that has so many seconds, those of the warm-up included, which come first.
pub(crate) fn readings_of_trial(watched: Option<&WatchedPhase>, seconds: usize) -> Vec<ReadingData> {
    let Some(watched) = watched else { return Vec::new() };
    let before = seconds.saturating_sub(watched.seconds.len());
    let aligned = |values: Vec<Option<f64>>| -> Vec<Option<f64>> {
        std::iter::repeat_n(None, before)
            .chain(values)
            .map(|value| value.map(|value| rounded_to(DIGITS, value)))
            .take(seconds)
            .collect()
    };
    let mut all: Vec<ReadingData> = wait_shares(watched)
        .into_iter()
        .map(|(name, values)| ReadingData {
            about: "session states",
            name,
            unit: "% of their time",
            stacked: true,
            values: aligned(values),
        })
        .collect();
    for (about, field, name) in SERIES {
        let (unit, scale) = unit_and_scale(field);
        let mut values: Vec<Option<f64>> = Vec::new();
        for value in watched.values_by_second(field) {
            values.push(value.map(|value| value * scale));
        }
        if values.iter().flatten().any(|value| *value != 0.0) {
            let name = name.to_owned();
            all.push(ReadingData { about, name, unit, stacked: false, values: aligned(values) });
        }
    }
    all
}

/// The unit of a series, and what its figure is multiplied with to be in it.
fn unit_and_scale(field: ProbeField) -> (&'static str, f64) {
    match (field.unit, field.kind) {
        (FieldUnit::Count, FieldKind::Counter) => ("/s", 1.0),
        (FieldUnit::Count, FieldKind::Gauge) => ("", 1.0),
        (FieldUnit::Bytes, FieldKind::Counter) => ("MiB/s", MIB),
        (FieldUnit::Bytes, FieldKind::Gauge) => ("MiB", MIB),
        (FieldUnit::Us, FieldKind::Counter) => ("%", 1e-4),
        (FieldUnit::CpuUs, FieldKind::Counter) => ("% of a CPU", 1e-4),
        (FieldUnit::Us | FieldUnit::CpuUs, FieldKind::Gauge) => ("s", 1e-6),
    }
}

/// What the sessions were seen doing, as shares of their time in percent, the most frequent first: all of it.
fn wait_shares(watched: &WatchedPhase) -> Vec<(String, Vec<Option<f64>>)> {
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
            let name = name_of_wait(seen);
            *sums.entry(name.clone()).or_default() += seen.sessions;
            sessions_by_name.push((name, seen.sessions));
        }
        windows.push(Some(sessions_by_name));
    }
    let mut names: Vec<(String, u64)> = sums.into_iter().filter(|(_, sessions)| *sessions > 0).collect();
    names.sort_by(|(_, one), (_, other)| other.cmp(one));
    let others: Vec<String> = names.split_off(names.len().min(WAITS_MOST)).into_iter().map(|(name, _)| name).collect();
    let share = |is: &dyn Fn(&str) -> bool| -> Vec<Option<f64>> {
        windows
            .iter()
            .map(|window| {
                let seen = window.as_ref()?;
                let all: u64 = seen.iter().map(|(_, sessions)| sessions).sum();
                let those: u64 = seen.iter().filter(|(name, _)| is(name)).map(|(_, sessions)| sessions).sum();
                (all > 0).then(|| those as f64 * 100.0 / all as f64)
            })
            .collect()
    };
    let mut series: Vec<(String, Vec<Option<f64>>)> =
        names.into_iter().map(|(name, _)| (name.clone(), share(&|what| what == name))).collect();
    if !others.is_empty() {
        series.push((format!("{} other waits", others.len()), share(&|what| others.iter().any(|name| name == what))));
    }
    series
}

fn name_of_wait(seen: &SampledSessions) -> String {
    match &seen.wait {
        Some(wait) if wait.class == "Client" => "waiting for the client".to_owned(),
        Some(wait) => format!("{}: {}", wait.class, wait.event),
        None if seen.state.starts_with("idle") => "waiting for the client".to_owned(),
        None => "executing".to_owned(),
    }
}
