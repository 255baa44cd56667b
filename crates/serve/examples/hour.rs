//! A run that has been measured for an hour already, without a server to be measured, for tests of its page.
//! `cargo run -p serve --example hour DIRECTORY` makes the run there, prints its directory, and goes on measuring for
//! as long as standard input is open: a second more of both sides for each line, the end of their trials and the begin
//! of the next for a line `next`.
//!
//! Only figures are invented; how long a second takes is up to whoever writes the lines.

use std::io::{BufRead as _, stdin};
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use plan::schedule::schedule_trials;
use results::activity::SampledActivity;
use results::interval::TrialInterval;
use results::run::{FORMAT, Run};
use results::store::{RunDir, TrialWriter};
use results::trial::Trial;
use serde_json::{Value, json};

const PLAN: &str = "name: An hour
targets: { old: { url: 'host=a' }, new: { url: 'host=b' } }
baseline: old
workloads: { read: { builtin: select-only, scale: 1 } }
clients: [8]
trial: { warm_up: 0s, measure: 300s }
blocks: { at_least: 3, at_most: 20, until: 0.01% }
seed: 1
";

/// Blocks of the hour, of which the last is under way, and the seconds of each.
const BLOCKS: u32 = 12;
const BLOCK_S: u32 = 300;

fn main() {
    let directory = std::env::args().nth(1).expect("usage: hour DIRECTORY");
    let plan = plan::parse_plan("plan.yaml", PLAN.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"));
    let began = Timestamp::now() - SignedDuration::from_secs((BLOCKS * BLOCK_S).into());
    let run = Run {
        format: FORMAT,
        id: "an-hour".to_owned(),
        name: plan.name.clone(),
        pgdyno_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: began,
        generator: None,
        schedule: schedule_trials(&plan, 1),
        imported: None,
    };
    let dir = RunDir::create(Path::new(&directory), &run, PLAN, &[]).expect("a run directory");
    let _lock = dir.lock_directory().expect("its lock");
    let mut block = Block::begin(&dir, &run, 1, began);
    for number in 2..=BLOCKS + 1 {
        (0..BLOCK_S).for_each(|_| block.second());
        if number <= BLOCKS {
            block = block.next();
        }
    }
    println!("{}", dir.path().display());
    for line in stdin().lock().lines() {
        match line.expect("a line").as_str() {
            "next" => block = block.next(),
            _ => block.second(),
        }
    }
}

/// The trials of both sides that are under way.
struct Block<'a> {
    dir: &'a RunDir,
    run: &'a Run,
    number: u32,
    began: Timestamp,
    seconds: u32,
    sides: Vec<(u32, TrialWriter)>,
}

impl<'a> Block<'a> {
    fn begin(dir: &'a RunDir, run: &'a Run, number: u32, began: Timestamp) -> Self {
        let trials = run.schedule.trials.iter().filter(|trial| trial.block == number);
        let begin = |number: u32| (number, dir.begin_trial(number, began).expect("a trial"));
        let sides = trials.map(|trial| begin(trial.number)).collect();
        Self { dir, run, number, began, seconds: 0, sides }
    }

    /// One second more of both.
    fn second(&mut self) {
        for (number, writer) in &mut self.sides {
            let transactions = per_s(*number, self.seconds);
            let (interval, activity) = (interval(self.seconds, transactions), activity(self.seconds, transactions));
            writer
                .append_activity(&serde_json::from_value::<SampledActivity>(activity).expect("sessions"))
                .expect("written");
            writer
                .append_interval(&serde_json::from_value::<TrialInterval>(interval).expect("a second"), &[])
                .expect("written");
        }
        self.seconds += 1;
    }

    /// Ends both trials, and begins those of the next block.
    fn next(self) -> Self {
        let Self { dir, run, number, began, seconds, sides } = self;
        for (number, writer) in sides {
            let measured = trial(run, number, began, seconds);
            writer.commit(&serde_json::from_value::<Trial>(measured).expect("a trial")).expect("committed");
        }
        Self::begin(dir, run, number + 1, began + SignedDuration::from_secs(seconds.into()))
    }
}

/// Transactions of a second, which wander and jump: a number of a side and a second, the same in every run.
fn per_s(trial: u32, second: u32) -> u64 {
    let mixed = u64::from(trial * 7919 + second).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    9000 + u64::from(second / 60 * 37 % 400) + mixed % 800
}

fn interval(index: u32, transactions: u64) -> Value {
    let p50_ns = 8_000_000_000 / transactions;
    json!({
        "phase": "measure", "index": index, "start_us": u64::from(index) * 1_000_000, "duration_us": 1_000_000,
        "transactions": transactions, "failed": 0, "engine": null,
        "latency": { "mean_ns": p50_ns as f64, "p50_ns": p50_ns, "p95_ns": 2 * p50_ns, "p99_ns": 3 * p50_ns, "max_ns": 9 * p50_ns },
        "probes": {
            "host.cpu": { "took_us": 50, "over_us": 1_000_000,
                          "values": { "user_us": transactions as f64 * 100.0, "idle_us": 9e5, "iowait_us": 1e4 } },
            "host.disk": { "took_us": 50, "over_us": 1_000_000,
                           "values": { "read_bytes": transactions as f64 * 800.0, "written_bytes": transactions as f64 * 2000.0 } },
        },
    })
}

fn activity(index: u32, transactions: u64) -> Value {
    let on_cpu = transactions % 50;
    let waits = |class: &str, sessions: u64| json!({ "state": "active", "wait": { "class": class, "event": "It" }, "sessions": sessions });
    json!({
        "phase": "measure", "index": index, "samples": 10, "took_us": 900, "period_us": 100_000,
        "seen": [{ "state": "active", "sessions": on_cpu }, waits("IO", 10), waits("LWLock", 5), waits("Client", 65 - on_cpu)],
    })
}

fn trial(run: &Run, number: u32, began: Timestamp, seconds: u32) -> Value {
    let scheduled = &run.schedule.trials[number as usize - 1];
    let duration_us = u64::from(seconds) * 1_000_000;
    let transactions: u64 = (0..seconds).map(|second| per_s(number, second)).sum();
    json!({
        "format": results::trial::FORMAT, "number": number, "block": scheduled.block, "cell": scheduled.cell,
        "role": scheduled.role, "outcome": { "state": "completed" },
        "phases": [{ "phase": "measure", "started_at": began, "duration_us": duration_us }],
        "preparation": [], "finishing": [], "settings": {}, "incidents": [],
        "load": { "measure_us": duration_us, "transactions": transactions, "failed": 0, "unknown": 0, "latency": null,
                  "scripts": {}, "engine": { "backend": "epoll", "threads": 1, "cpu_us": 1, "cpu_system_us": null,
                  "busiest_thread": 0.5, "loop_lag_ns_max": 0 } },
    })
}
