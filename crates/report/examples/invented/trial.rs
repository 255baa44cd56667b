//! The files of one invented trial, in the form of the run directory.

use std::fs;
use std::path::Path;

use results::run::ScheduledTrial;
use results::store::RunDir;
use results::trial::Trial;
use serde_json::{Value, json};

use crate::event;
use crate::figures::{Figures, MEASURE_S, Second, WARM_UP_S};

/// CPUs of a host.
const CPUS: f64 = 8.0;
/// What is said of a connection that was lost.
const CAUSE: &str = "terminating connection due to administrator command";

/// Rounds of turns in a second.
const ROUNDS: u32 = 2;

/// Writes it, and tells it as it was read back. The sides of `others` took turns with it.
pub(crate) fn write(dir: &RunDir, scheduled: &ScheduledTrial, figures: &Figures, others: &[u32]) -> Trial {
    let path = dir.path().join("trials").join(scheduled.number.to_string());
    fs::create_dir(&path).expect("a new directory");
    let seconds: Vec<Second> = (0..WARM_UP_S + MEASURE_S).map(|at| figures.second(at)).collect();
    let mut trial = trial(scheduled, figures, &seconds[WARM_UP_S as usize..]);
    if !others.is_empty() {
        trial["format"] = json!(4);
        trial["slices"] = json!({ "with": others, "length_us": 1_000_000 / ROUNDS });
        let measured = (0..MEASURE_S * ROUNDS).map(|round| turn(&seconds, others.len() as u32 + 1, round));
        write_lines(&path.join("turns.jsonl"), measured);
    }
    let clients = scheduled.planned_clients();
    if others.is_empty() {
        trial["load"]["connected_us"] = json!(4_000 + 900 * clients);
    }
    if let (Some(record), Some(outages)) = (event::record(figures), event::outages(figures, clients)) {
        trial["format"] = json!(4);
        trial["events"] = json!([record]);
        trial["load"]["outages"] = json!(outages);
        trial["load"]["ledger"] = json!({ "acknowledged": trial["load"]["transactions"], "unknown": clients / 4, "lost": 0,
                                          "unexpected": 0, "unknown_committed": 1 });
        write_lines(&path.join("tally.jsonl"), event::tally(figures, &seconds));
    }
    write_lines(&path.join("trial.json"), [trial.clone()]);
    let lines = seconds.iter().zip(0..).map(|(second, at)| line(figures, clients, second, at));
    write_lines(&path.join("intervals.jsonl"), lines);
    write_lines(&path.join("activity.jsonl"), (0..MEASURE_S).map(|at| activity(figures, clients, at)));
    write_lines(&path.join("log.jsonl"), [json!({ "access": "server", "format": "csvlog", "messages": {} })]);
    write_lines(&path.join("statements.json"), [statements(figures, &trial)]);
    write_lines(&path.join("statement-latency.json"), [statement_latency(&trial)]);
    serde_json::from_value(trial).expect("a trial")
}

/// The workload's two statements; the second takes most of the time.
fn statement_latency(trial: &Value) -> Value {
    let load = &trial["load"];
    let mean_ms = load["latency"]["mean_ns"].as_f64().unwrap_or(0.0) / 1e6;
    let of = |share: f64, failed: &Value| json!({ "executions": load["transactions"], "failed": failed, "latency": summary(mean_ms * share, 0.0) });
    json!({ "format": 1, "statements": [of(0.2, &json!(0)), of(0.8, &load["failed"])] })
}

fn write_lines(path: &Path, lines: impl IntoIterator<Item = Value>) {
    let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, text).expect("a written file");
}

fn phase(at: u32) -> (&'static str, u32) {
    if at < WARM_UP_S { ("warm-up", at) } else { ("measure", at - WARM_UP_S) }
}

fn ns(ms: f64) -> u64 {
    (ms * 1e6) as u64
}

/// The distribution has one shape, whatever its mean, but for a checkpoint that stops everything for a while.
fn summary(mean_ms: f64, pause_ms: f64) -> Value {
    json!({
        "mean_ns": mean_ms * 1e6, "stddev_ns": mean_ms * 0.5e6, "min_ns": ns(mean_ms * 0.4),
        "p50_ns": ns(mean_ms * 0.86), "p95_ns": ns(mean_ms * 1.7), "p99_ns": ns(mean_ms * 2.6),
        "p999_ns": ns(mean_ms * 4.9), "max_ns": ns(pause_ms.max(mean_ms * 8.0)),
    })
}

fn trial(scheduled: &ScheduledTrial, figures: &Figures, measured: &[Second]) -> Value {
    let clients = scheduled.planned_clients();
    let started = format!("2026-11-20T{:02}:{:02}:00Z", 10 + scheduled.number / 60, scheduled.number % 60);
    let transactions: u64 = measured.iter().map(|second| second.transactions).sum();
    let ms_of = |second: &Second| second.latency_ms.map(|ms| ms * second.transactions as f64);
    let mean_ms = measured.iter().filter_map(ms_of).sum::<f64>() / transactions as f64;
    let lost = figures.outage_s.map_or(0, |_| clients);
    let mut load = json!({
        "measure_us": u64::from(MEASURE_S) * 1_000_000, "transactions": transactions, "failed": lost, "unknown": 0,
        "scripts": {}, "latency": summary(mean_ms, if figures.writes { 600.0 } else { 0.0 }),
        "engine": { "backend": "epoll", "threads": 2, "cpu_us": 2_400_000, "cpu_system_us": 1_000_000,
                    "busiest_thread": 0.2, "busiest_demand": 0.22, "loop_lag_ns_max": 100_000 },
    });
    let mut caveats = Vec::new();
    if let Some([from_s, to_s]) = figures.outage_s {
        let [start_us, end_us] = [from_s, to_s].map(|s| u64::from(s) * 1_000_000);
        let outage = |client| json!({ "client": client, "start_us": start_us, "end_us": end_us, "cause": CAUSE });
        load["outages"] = (0..clients).map(outage).collect();
        caveats.push(json!({ "kind": "outages", "count": clients, "cause": CAUSE }));
    }
    let mut trial = json!({
        "format": 2, "number": scheduled.number, "block": scheduled.block, "cell": scheduled.cell,
        "role": scheduled.role, "outcome": { "state": "completed" }, "preparation": [], "finishing": [],
        "settings": {},
        "phases": [{ "phase": "warm-up", "started_at": started, "duration_us": u64::from(WARM_UP_S) * 1_000_000 }],
    });
    if let Some(step) = figures.step {
        trial["step"] = json!(step);
        let [service, lag] = [0.9, 0.1].map(|share| summary(mean_ms * share, 0.0));
        load["open"] = json!({ "offered": transactions, "skipped": 0, "waiting": 0, "service": service, "lag": lag });
    }
    trial["load"] = load;
    trial["caveats"] = Value::Array(caveats);
    trial
}

/// The side's turn of a round: it begins at one instant for all of them, as if each had the machine to itself.
fn turn(seconds: &[Second], sides: u32, round: u32) -> Value {
    let second = &seconds[(WARM_UP_S + round / ROUNDS) as usize];
    let transactions = second.transactions / u64::from(ROUNDS);
    let latency_us = second.latency_ms.unwrap_or(0.0) * 1e3;
    let of = |part: u64| json!({ "transactions": part, "latency_sum_us": (part as f64 * latency_us) as u64 });
    let mut turn = of(transactions);
    let more = json!({
        "phase": "measure", "round": round, "place": round % sides, "start_us": u64::from(round) * 1_000_000 / 2,
        "duration_us": 1_000_000 / ROUNDS, "overrun_us": 900, "gap_us": 40, "taken_up_after_us": 60, "failed": 0,
        "unknown": 0, "first_quarter": of(transactions / 4), "clients_out": 0, "lost": second.is_out,
    });
    turn.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    turn
}

fn line(figures: &Figures, clients: u32, second: &Second, at: u32) -> Value {
    let (phase, index) = phase(at);
    let is_lost = figures.outage_s.is_some_and(|[from, _]| from == at);
    let latency = second.latency_ms.map(|ms| {
        json!({ "mean_ns": ms * 1e6, "p50_ns": ns(ms * 0.86), "p95_ns": ns(ms * 1.7), "p99_ns": ns(ms * 2.6),
                "max_ns": ns(ms * 8.0) })
    });
    let mut line = json!({
        "phase": phase, "index": index, "start_us": u64::from(at) * 1_000_000, "duration_us": 1_000_000,
        "transactions": second.transactions, "failed": if is_lost { clients } else { 0 },
        "clients_out": if second.is_out { clients } else { 0 }, "latency": latency,
        "engine": { "cpu_us": 200_000, "busiest_thread": 0.2, "loop_lag_ns_max": 100_000 },
        "probes": probes(figures, clients, second),
    });
    if figures.step.is_some() {
        line["open"] = json!({ "offered": second.transactions, "skipped": 0, "waiting": 0, "lag_ns_p99": 90_000 });
    }
    line
}

fn probes(figures: &Figures, clients: u32, second: &Second) -> Value {
    let read = |values: Value| json!({ "took_us": 90, "over_us": 1_000_000, "values": values });
    let active = 0.7 * f64::from(clients);
    let on_cpu = active.min(if figures.is_throttled { 5.6 } else { 7.2 });
    let writes = if figures.writes { second.transactions as f64 } else { 0.0 };
    let begun = f64::from(u8::from(second.has_checkpoint));
    let throttled = if figures.is_throttled { 8.0 } else { 0.0 };
    let cpu = second.cpu.map_or_else(
        || json!({ "took_us": 90, "gap": "/proc/stat: permission denied" }),
        |busy| {
            let [user, idle] = [busy, 1.0 - busy].map(|share| share * CPUS * 1e6);
            read(json!({ "cpus": CPUS, "user_us": user, "idle_us": idle, "iowait_us": 0.0, "steal_us": 0.0 }))
        },
    );
    json!({
        "host.cpu": cpu,
        "host.server": read(json!({ "backends": clients, "backends_cpu_us": on_cpu * 1e6, "others_cpu_us": 50_000.0,
                                    "backends_run_delay_us": (active - on_cpu) * 1e6 })),
        "host.processes": read(json!({ "checkpointer.processes": 1.0, "checkpointer.cpu_us": 20_000.0,
            "checkpointer.run_delay_us": 500.0, "walwriter.processes": 1.0, "walwriter.cpu_us": 30_000.0,
            "walwriter.run_delay_us": 700.0 })),
        "host.foreign": read(json!({ "cpu_us": 50_000.0 })),
        "host.cgroup": read(json!({ "cpu_periods": 10.0, "cpu_throttled_periods": throttled,
                                    "cpu_throttled_us": throttled * 90_000.0 })),
        "host.disk": read(json!({ "reads": 40.0, "read_bytes": 327_680.0, "writes": 20.0 + writes * 0.4,
                                  "written_bytes": 200_000.0 + writes * 9_000.0, "busy_us": 400_000.0,
                                  "read_time_us": 9_000.0, "write_time_us": 90_000.0, "queue_time_us": 99_000.0,
                                  "flushes": writes * 0.2 })),
        "pg.wal": read(json!({ "bytes": writes * 600.0, "full_page_images": writes * 0.02, "syncs": writes * 0.2 })),
        "pg.checkpointer": read(json!({ "timed": begun, "requested": 0.0, "write_time_us": begun * 2e5,
                                        "buffers_written": begun * 900.0, "sync_time_us": 0.0 })),
        "pg.database": read(json!({ "sessions": 0.0, "temp_bytes": 0.0, "deadlocks": 0.0 })),
        "pg.locks": read(json!({ "waiting": 0.0, "waiting_for_rows": 0.0 })),
    })
}

/// Of ten sessions three wait for the load, and a few of those that write for the WAL.
fn activity(figures: &Figures, clients: u32, index: u32) -> Value {
    let wait = |class: &str, event: &str| json!({ "class": class, "event": event });
    let seen = |state: &str, wait: Value, sessions: u32| {
        let mut seen = json!({ "state": state, "sessions": sessions * clients });
        if !wait.is_null() {
            seen["wait"] = wait;
        }
        seen
    };
    let idle = seen("idle", wait("Client", "ClientRead"), 3);
    let active = if figures.writes {
        vec![
            seen("active", Value::Null, 3),
            seen("active", wait("IO", "WALSync"), 2),
            seen("active", wait("LWLock", "WALWrite"), 1),
            seen("active", wait("Lock", "transactionid"), 1),
        ]
    } else {
        vec![seen("active", Value::Null, 7)]
    };
    let seen: Vec<Value> = std::iter::once(idle).chain(active).collect();
    json!({ "phase": "measure", "index": index, "samples": 10, "took_us": 900, "period_us": 100_000, "seen": seen })
}

fn statements(figures: &Figures, trial: &Value) -> Value {
    let calls = trial["load"]["transactions"].as_u64().expect("a count");
    let statement = |query_id: i64, text: Option<&str>, us: f64, wal_bytes: u64| {
        json!({ "query_id": query_id, "text": text, "calls": calls, "total_us": us * calls as f64, "rows": calls,
                "blocks_hit": calls * 4, "blocks_read": calls / 9, "blocks_dirtied": 0, "temp_blocks_written": 0,
                "wal_bytes": calls * wal_bytes })
    };
    let select = "SELECT abalance FROM pgbench_accounts WHERE aid = $1 /* <b>&amp;</b> */";
    let mut statements = vec![statement(-7_164_029_335_118_213_441, Some(select), 40.0, 0)];
    if figures.writes {
        let update = "UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2";
        statements.insert(0, statement(3_912_455_201_777_001_923, Some(update), 900.0, 240));
        statements.insert(1, statement(77, None, 300.0, 120));
    }
    let mut of_probe = statement(
        1_290,
        Some("-- pg.wal, PostgreSQL 14 to 17. SELECT wal_bytes FROM pg_stat_wal /* pgdyno */"),
        2.0,
        0,
    );
    of_probe["by_pgdyno"] = json!(true);
    statements.push(of_probe);
    let total_us: f64 = statements.iter().map(|one| one["total_us"].as_f64().expect("a time")).sum();
    let over_us = MEASURE_S * 1_000_000;
    json!({ "format": 1, "over_us": over_us, "calls": calls, "total_us": total_us, "statements": statements })
}
