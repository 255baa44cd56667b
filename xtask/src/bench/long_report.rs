//! How long a report of a large run takes: 1 000 trials of 60 seconds, made up,
//! with as much in every second as a real one has.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use hdrhistogram::Histogram;
use jiff::Timestamp;
use results::activity::{ActivityWindow, SampledActivity, SampledSessions, WaitEvent};
use results::interval::{EngineInterval, IntervalLatency, Reading, TrialInterval};
use results::latency_log::LatencySeries;
use results::run::{FORMAT, GeneratorMachine, Run, Schedule, ScheduledTrial};
use results::store::RunDir;
use results::trial::{
    self, Cell, EngineTotals, LatencySummary, LoadTotals, PhaseRecord, Role, Trial, TrialOutcome, TrialPhase,
};

const BLOCKS: u32 = 50;
const SECONDS: u32 = 60;
const CLIENTS: [u32; 5] = [1, 2, 4, 8, 16];
const PLAN: &str = "
name: a long run
targets: { old: { url: 'host=localhost' }, new: { url: 'host=localhost port=5433' } }
baseline: old
workloads: { read: { builtin: select-only, scale: 10 }, write: { builtin: simple-update, scale: 10 } }
clients: [1, 2, 4, 8, 16]
trial: { warm_up: 1s, measure: 60s }
blocks: { at_least: 50, at_most: 50, until: 2% }
seed: 1
";

/// Makes the run, then times `pgdyno report` and `pgdyno compare` on it.
pub(super) fn print(pgdyno: &Path) {
    let parent = tempfile::tempdir().expect("a temporary directory");
    let dir = write_run(parent.path());
    println!("\n## A run of {} trials of {SECONDS} s, seconds of wall time, 3 times\n", trials().len());
    for arguments in [["report", "--format=html"], ["compare", "--format=markdown"]] {
        let mut seconds = Vec::new();
        for _ in 0..3 {
            let began = Instant::now();
            let output = Command::new(pgdyno).args(arguments).arg(dir.path()).output().expect("pgdyno starts");
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            seconds.push(began.elapsed().as_secs_f64());
        }
        println!("- `pgdyno {}`: {}", arguments[0], super::spread_in_words(&seconds));
    }
}

fn trials() -> Vec<ScheduledTrial> {
    let mut trials = Vec::new();
    for block in 1..=BLOCKS {
        for workload in ["read", "write"] {
            for clients in CLIENTS {
                for target in ["old", "new"] {
                    let cell =
                        Cell { target: target.to_owned(), workload: workload.to_owned(), clients: clients.into() };
                    let number = u32::try_from(trials.len()).expect("a thousand") + 1;
                    trials.push(ScheduledTrial { number, block, cell, role: Role::Main, step: None, seed: 1 });
                }
            }
        }
    }
    trials
}

fn write_run(parent: &Path) -> RunDir {
    let start: Timestamp = "2026-01-01T00:00:00Z".parse().expect("a timestamp");
    let run = Run {
        format: FORMAT,
        id: "long".to_owned(),
        name: "a long run".to_owned(),
        pgdyno_version: "0".to_owned(),
        started_at: start,
        generator: Some(GeneratorMachine { cpus: 2, kernel: "6".to_owned() }),
        schedule: Schedule { seed: 1, trials: trials() },
        imported: None,
    };
    let dir = RunDir::create(parent, &run, PLAN, &[]).expect("a run directory");
    for scheduled in &run.schedule.trials {
        write_trial(&dir, scheduled, start);
    }
    dir
}

fn write_trial(dir: &RunDir, scheduled: &ScheduledTrial, start: Timestamp) {
    let mut writer = dir.begin_trial(scheduled.number, start).expect("a trial");
    let mut histogram = Histogram::new_with_bounds(1_000, 3_600_000_000_000, 3).expect("bounds");
    // Varied a little by trial and second, without a random number generator: a multiplicative hash will do.
    let jitter = |salt: u32| f64::from((scheduled.number * 7919 + salt).wrapping_mul(2_654_435_761) >> 16) / 65_536.0;
    for value in 0..1_000_u32 {
        histogram.record(1_000_000 + u64::from(value) * 1_000).expect("in bounds");
    }
    let latency =
        IntervalLatency { mean_ns: 1.5e6, p50_ns: 1_500_000, p95_ns: 1_950_000, p99_ns: 1_990_000, max_ns: 2_000_000 };
    for index in 0..SECONDS {
        let interval = TrialInterval {
            phase: TrialPhase::Measure,
            index,
            start_us: u64::from(index) * 1_000_000,
            duration_us: 1_000_000,
            turn_us: None,
            transactions: 10_000 + (jitter(index) * 1_000.0) as u64,
            failed: 0,
            errors: BTreeMap::new(),
            clients_out: 0,
            attempts: 0,
            late: 0,
            retried: 0,
            open: None,
            latency: Some(latency),
            told: None,
            engine: Some(EngineInterval::default()),
            path: None,
            probes: probes(jitter(index)),
        };
        writer.append_interval(&interval, &[(LatencySeries::Measure, &histogram)]).expect("an interval");
        writer.append_activity(&activity(index)).expect("a second of activity");
    }
    writer.commit(&finished(scheduled, start, jitter(0))).expect("a commit");
}

/// As many states and waits as a writing workload shows.
fn activity(index: u32) -> SampledActivity {
    let waits = ["WALSync", "WALWrite", "DataFileRead", "transactionid", "tuple", "BufferMapping", "WALInsert"];
    let wait = |event: &&str| Some(WaitEvent { class: "IO".to_owned(), event: (*event).to_owned() });
    let waiting = waits.iter().map(wait).chain([None]);
    let seen = waiting.map(|wait| SampledSessions { state: "active".to_owned(), wait, sessions: 5 }).collect();
    let window = ActivityWindow { samples: 10, took_us: 4_000, period_us: 100_000, seen, ..ActivityWindow::default() };
    SampledActivity { phase: TrialPhase::Measure, index, window }
}

/// As many probes and values as a real server of version 18 gives.
fn probes(jitter: f64) -> BTreeMap<String, Reading> {
    let names = [
        "host.cpu",
        "host.disk",
        "host.memory",
        "host.network",
        "host.pressure",
        "host.vm",
        "host.tcp",
        "pg.bgwriter",
        "pg.checkpointer",
        "pg.database",
        "pg.io",
        "pg.tables",
        "pg.wal",
    ];
    let reading = |name: &&str| {
        let count = if *name == "pg.io" { 80 } else { 16 };
        let mut values: BTreeMap<String, f64> =
            (0..count).map(|i| (format!("value_{i}_bytes"), jitter * 1e6)).collect();
        if *name == "host.cpu" {
            values.extend([("user_us".to_owned(), 1e6), ("idle_us".to_owned(), 9e5), ("iowait_us".to_owned(), 0.0)]);
        }
        ((*name).to_owned(), Reading::Values { took_us: 300, over_us: 1_000_000, values })
    };
    names.iter().map(reading).collect()
}

fn finished(scheduled: &ScheduledTrial, start: Timestamp, jitter: f64) -> Trial {
    let transactions = 600_000 + (jitter * 30_000.0) as u64;
    let latency = LatencySummary {
        mean_ns: 1.5e6,
        stddev_ns: 3e5,
        min_ns: 1_000_000,
        p50_ns: 1_500_000,
        p95_ns: 1_950_000,
        p99_ns: 1_990_000,
        p999_ns: 1_999_000,
        max_ns: 2_000_000,
    };
    let engine = EngineTotals {
        backend: "epoll".to_owned(),
        threads: 1,
        cpu_us: 3_000_000,
        cpu_system_us: Some(2_500_000),
        busiest_thread: 0.05,
        busiest_demand: None,
        late_sends: 0,
        send_lag_ns: 0,
        loop_lag_ns_max: 100_000,
    };
    Trial {
        format: trial::FORMAT,
        number: scheduled.number,
        block: scheduled.block,
        cell: scheduled.cell.clone(),
        role: scheduled.role,
        step: None,
        outcome: TrialOutcome::Completed,
        phases: vec![PhaseRecord { phase: TrialPhase::Measure, started_at: start, duration_us: 60_000_000 }],
        preparation: Vec::new(),
        finishing: Vec::new(),
        settings: BTreeMap::new(),
        turns: None,
        load: Some(LoadTotals {
            waits: None,
            first_errors: Vec::new(),
            measure_us: 60_000_000,
            transactions,
            failed: 0,
            unknown: 0,
            errors: BTreeMap::new(),
            latency: Some(latency),
            late: None,
            retried: 0,
            retries: 0,
            open: None,
            connected_us: Some(20_000),
            connecting: None,
            queries: None,
            ledger: None,
            generator: None,
            sent_from: None,
            generators: Vec::new(),
            scripts: BTreeMap::new(),
            outages: Vec::new(),
            standstills: None,
            engine,
            path: None,
        }),
        told: None,
        observer: None,
        events: Vec::new(),
        beside: Vec::new(),
        provider: None,
        incidents: Vec::new(),
    }
}
