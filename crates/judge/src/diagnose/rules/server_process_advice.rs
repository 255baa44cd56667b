//! What is known of server processes of one kind, and what one can do about them, for `server-process-differs`.

use std::collections::BTreeMap;

use results::activity::SeenProcesses;
use results::probe_fields::{pg_checkpointer, pg_horizon, pg_slots};
use results::process_figures::{
    KINDS_OF_TITLES, OTHER_SESSIONS, PARALLEL_WORKER, POSTMASTER, ProcessFigure, WALSENDER,
};

use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::finding::{EvidenceFigure, FigureAmount, figure};

/// Names of slots, databases or waits that are told.
const NAMES: usize = 3;

/// What is read of processes that were seen.
type NameOfSeen = fn(&SeenProcesses) -> Option<String>;

fn slot_of(seen: &SeenProcesses) -> Option<String> {
    seen.slot.clone()
}

fn database_of(seen: &SeenProcesses) -> Option<String> {
    seen.database.clone()
}

fn wait_of(seen: &SeenProcesses) -> Option<String> {
    seen.wait.as_ref().map(|wait| format!("{}:{}", wait.class, wait.event))
}

/// What was counted and seen of a kind: its storage, slots, databases and waits.
pub(super) fn evidence_of_kind(case: &DiagnosisCase<'_>, kind: &str) -> Vec<EvidenceFigure> {
    let mut figures = storage_figures(case, kind);
    let seen = seen_of_kind(case, kind);
    let named: [(&str, NameOfSeen); 3] =
        [("replication slots", slot_of), ("databases", database_of), ("waits", wait_of)];
    for (name, of) in named {
        figures.extend(most_often(&seen, of).map(|names| figure(name, FigureAmount::Text(names))));
    }
    if kind == WALSENDER {
        figures.extend(
            case.highest_reading(pg_slots::RETAINED_BYTES)
                .ok()
                .map(|bytes| figure("WAL retained by replication slots, at most", FigureAmount::Bytes(bytes))),
        );
        let decoded = case.counter_rate_per_s(pg_slots::DECODED_BYTES).ok().filter(|rate| *rate > 0.0);
        figures.extend(decoded.map(|rate| figure("logically decoded changes", FigureAmount::BytesPerS(rate))));
    }
    if kind == "autovacuum worker" {
        figures.extend(
            case.mean_gauge_level(pg_horizon::VACUUMS_RUNNING)
                .ok()
                .map(|count| figure("vacuums running", FigureAmount::Count(count))),
        );
    }
    if kind == "checkpointer" {
        let written = case.counter_rate_per_s(pg_checkpointer::BUFFERS_WRITTEN).ok();
        figures.extend(written.map(|rate| figure("buffers written by checkpoints", FigureAmount::PerS(rate))));
    }
    figures
}

/// What one can do about processes of a kind, as an order.
pub(super) fn advice_for_kind(kind: &str) -> String {
    let known = match kind {
        WALSENDER => "stop the consumers of the replication slots, or have them on every side",
        OTHER_SESSIONS => "stop the other sessions, or have them on every side",
        PARALLEL_WORKER => "stop the sessions that start the parallel workers",
        POSTMASTER => "keep clients connected, so that the postmaster starts fewer processes",
        "autovacuum worker" | "autovacuum launcher" => "vacuum the tables before, or disable autovacuum for this run",
        "checkpointer" => "give both sides the same checkpoint_timeout, max_wal_size and checkpoint_completion_target",
        "background writer" => "give both sides the same bgwriter settings",
        "walwriter" => "give both sides the same wal_writer_delay and synchronous_commit",
        "archiver" => "give both sides the same archive_command, or none",
        "logger" | "syslogger" => "give both sides the same logging settings",
        "logical replication" => "disable the subscriptions of the server, or have them on every side",
        known if KINDS_OF_TITLES.contains(&known) => "have these processes on every side or on none",
        _ => return format!("remove the extension that starts \"{kind}\" from shared_preload_libraries for this run"),
    };
    known.to_owned()
}

/// Bytes per second that a kind read and wrote, where that is known and not nothing.
fn storage_figures(case: &DiagnosisCase<'_>, kind: &str) -> Vec<EvidenceFigure> {
    let (mut read, mut written, mut trials) = (0.0, 0.0, 0.0);
    for measured in case.trials() {
        let kinds = measured.watched.process_kinds().unwrap_or_default();
        let Some(figures) = kinds.get(kind) else { continue };
        let of_trial = [ProcessFigure::ReadBytes, ProcessFigure::WrittenBytes].map(|figure| figures.get(&figure));
        if let [Some(of_read), Some(of_written)] = of_trial {
            read += of_read;
            written += of_written;
            trials += 1.0;
        }
    }
    let mut figures = Vec::new();
    for (name, bytes) in [("read from storage by them", read), ("written to storage by them", written)] {
        if bytes > 0.0 {
            figures.push(figure(name, FigureAmount::BytesPerS(bytes / trials)));
        }
    }
    figures
}

/// What was seen of a kind: `pg_stat_activity` calls sessions client backends, and extensions' workers by their own
/// name or type.
fn seen_of_kind<'a>(case: &DiagnosisCase<'a>, kind: &str) -> Vec<&'a SeenProcesses> {
    let called = if kind == OTHER_SESSIONS { "client backend" } else { kind };
    let seen = case.activity_windows().flat_map(|window| &window.processes);
    seen.filter(|one| one.kind.starts_with(called)).collect()
}

/// The names that processes were seen with most often; none without any.
fn most_often(seen: &[&SeenProcesses], of: fn(&SeenProcesses) -> Option<String>) -> Option<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for one in seen {
        if let Some(name) = of(one) {
            *counts.entry(name).or_default() += one.processes;
        }
    }
    let mut names: Vec<(String, u64)> = counts.into_iter().collect();
    names.sort_by(|(_, one), (_, other)| other.cmp(one));
    let names: Vec<String> = names.into_iter().take(NAMES).map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
