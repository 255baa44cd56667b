//! Run directories with random figures: drifting machines, costs that explode in a block, blocks without a trial of a
//! side, trials whose sessions were not sampled, several candidates. One seed is one run.

use std::fs;
use std::path::Path;

use judge::observed::Observed;
use plan::schedule::schedule_trials;
use results::run::{Run, ScheduledTrial};
use results::store::RunDir;
use results::trial::Role;
use serde_json::{Value, json};

/// Seconds of a measurement.
const MEASURE_S: u32 = 12;

/// Random numbers from a seed (splitmix64).
struct Dice(u64);

impl Dice {
    /// Between 0 and 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut state = self.0;
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((state ^ (state >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn is(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[(self.share() * choices.len() as f64) as usize]
    }

    /// Around 0, three standard deviations wide at most.
    fn noise(&mut self, deviation: f64) -> f64 {
        (0..12).map(|_| self.share()).sum::<f64>().mul_add(deviation, -6.0 * deviation)
    }
}

/// What holds for a whole run.
struct Character {
    candidates: Vec<&'static str>,
    /// Mean latency of the baseline, in milliseconds.
    latency_ms: f64,
    /// Standard deviation of the logarithm of a trial's figures.
    noise: f64,
    /// How often a trial fails, is not sampled, or has a cost beyond all others.
    misfortune: f64,
}

/// The run of a seed, read back from its directory.
pub(crate) fn observed(parent: &Path, seed: u64) -> Observed {
    let mut dice = Dice(seed);
    let character = Character {
        candidates: dice.one_of(&[&["new"][..], &["new"], &["new", "other"], &["new", "other", "third"]]).to_vec(),
        latency_ms: dice.one_of(&[0.03, 0.9, 12.0, 700.0]),
        noise: dice.one_of(&[0.002, 0.01, 0.05, 0.4, 1.2]),
        misfortune: dice.one_of(&[0.0, 0.1, 0.25]),
    };
    let text = plan_text(&mut dice, &character);
    let plan = plan::parse_plan("plan.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let plan = plan.complete_with_defaults(17, 2);
    let run: Run = serde_json::from_value(json!({
        "format": 2, "id": "2026-11-20T09-12-00-invented", "name": plan.name, "pgdyno_version": "0.1.0",
        "started_at": "2026-11-20T09:12:00Z", "generator": { "cpus": 8, "kernel": "6.1" },
        "schedule": schedule_trials(&plan, seed),
    }))
    .expect("the identity of a run");
    let dir = RunDir::create(parent, &run, &text, &[]).expect("a run directory");
    for workload in &plan.workloads {
        dir.write_workload(&serde_json::from_value(workload_statements(&workload.name)).expect("statements")).unwrap();
    }
    for scheduled in &run.schedule.trials {
        let together = plan::schedule::trials_executed_together(&plan, &run.schedule, scheduled.number)
            .iter()
            .map(|other| other.number);
        let others: Vec<u32> = together.filter(|number| *number != scheduled.number).collect();
        write_trial(&mut dice, &dir, scheduled, &character, &others);
    }
    Observed::read(&dir).expect("the files of a run")
}

fn plan_text(dice: &mut Dice, character: &Character) -> String {
    let price = "cost: { per_hour: 0.40, currency: EUR, as_of: 2026-11-01, includes: all }";
    let target = |name: &str| format!("  {name}: {{ url: 'host={name}', {price} }}\n");
    let targets: String = ["old"].iter().chain(&character.candidates).map(|name| target(name)).collect();
    let ladder =
        if dice.is(0.5) { format!("ladder: [old, {}]\n", character.candidates.join(", ")) } else { String::new() };
    let blocks = dice.one_of(&[2, 3, 3, 5]);
    let clients = dice.one_of(&["[8]", "[2, 8, 32]"]);
    let open = if dice.is(0.3) { "  late: { builtin: select-only, scale: 1, rate: 500/s }\n" } else { "" };
    let threshold = dice.one_of(&["3%", "1%", "20%"]);
    format!(
        "name: invented\ntargets:\n{targets}baseline: old\n{ladder}workloads:\n  \
         read: {{ builtin: select-only, scale: 1, require: {{ throughput: '> 900/s', p99: '< 20ms', mean: '< 2ms' }} }}\n  \
         write: {{ builtin: tpcb-like, scale: 1 }}\n{open}clients: {clients}\n\
         trial: {{ warm_up: 1s, measure: {MEASURE_S}s }}\nblocks: {{ at_least: {blocks}, at_most: {blocks} }}\n\
         interleave: {}\nnoise_floor: {}\npractical_threshold: {threshold}\nseed: 1\n",
        dice.one_of(&["trials", "trials", "slices"]),
        dice.is(0.5)
    )
}

fn workload_statements(workload: &str) -> Value {
    let statement = |line: u32| json!({ "script": "own.sql", "line": line, "kind": "sql", "text": format!("SELECT {line}"), "parameters": [], "variants": 1 });
    json!({ "format": 1, "workload": workload, "statements": [statement(1), statement(2), statement(3)] })
}

fn write_lines(path: &Path, lines: impl IntoIterator<Item = Value>) {
    let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, text).expect("a written file");
}

fn summary(mean_ms: f64) -> Value {
    let ns = |ms: f64| (ms * 1e6).max(1.0) as u64;
    json!({
        "mean_ns": mean_ms * 1e6, "stddev_ns": mean_ms * 0.5e6, "min_ns": ns(mean_ms * 0.4), "p50_ns": ns(mean_ms * 0.86),
        "p95_ns": ns(mean_ms * 1.7), "p99_ns": ns(mean_ms * 2.6), "p999_ns": ns(mean_ms * 4.9), "max_ns": ns(mean_ms * 8.0),
    })
}

/// The sides of `others` take turns with it.
fn write_trial(dice: &mut Dice, dir: &RunDir, scheduled: &ScheduledTrial, character: &Character, others: &[u32]) {
    let path = dir.path().join("trials").join(scheduled.number.to_string());
    fs::create_dir(&path).expect("a new directory");
    let clients = scheduled.planned_clients();
    let drift = Dice(u64::from(scheduled.block) * 7919).noise(3.0 * character.noise);
    let effect = match (scheduled.role, scheduled.cell.target.as_str()) {
        (Role::Main, "new") => 1.06,
        (Role::Main, "other") => 0.97,
        _ => 1.0,
    };
    let latency_ms = character.latency_ms * effect * (drift + dice.noise(character.noise)).exp();
    let is_open = scheduled.cell.workload == "late";
    let per_s = if is_open { 500.0 } else { f64::from(clients) / latency_ms * 1e3 };
    let transactions = ((per_s * f64::from(MEASURE_S)) as u64).max(1);
    let has_failed = dice.is(character.misfortune);
    let failed = if has_failed { transactions / 4 } else { 0 };
    let latency_ms = if is_open { latency_ms } else { f64::from(clients * MEASURE_S) / transactions as f64 * 1e3 };
    let mut load = json!({
        "measure_us": u64::from(MEASURE_S) * 1_000_000, "transactions": transactions, "failed": failed, "unknown": 0,
        "errors": if has_failed { json!({ "23514": failed }) } else { json!({}) }, "scripts": {},
        "latency": summary(latency_ms), "connected_us": 20_000 + u64::from(scheduled.number),
        "engine": { "backend": "epoll", "threads": 2, "cpu_us": 2_400_000, "busiest_thread": 0.2, "loop_lag_ns_max": 100 },
    });
    if is_open {
        let [service, lag] = [0.9, 0.1].map(|share| summary(latency_ms * share));
        load["open"] = json!({ "offered": transactions, "skipped": 0, "waiting": 0, "service": service, "lag": lag });
    }
    let started = format!("2026-11-20T{:02}:{:02}:00Z", 10 + scheduled.number / 60, scheduled.number % 60);
    let mut trial = json!({
        "format": 4, "number": scheduled.number, "block": scheduled.block, "cell": scheduled.cell, "role": scheduled.role,
        "outcome": { "state": "completed" }, "preparation": [], "finishing": [], "settings": {},
        "phases": [{ "phase": "measure", "started_at": started, "duration_us": u64::from(MEASURE_S) * 1_000_000 }],
        "load": load, "caveats": [],
    });
    if !others.is_empty() {
        trial["slices"] = json!({ "with": others, "length_us": 500_000 });
        let turns = (0..2 * MEASURE_S).map(|round| turn(round, others.len() as u32 + 1, transactions, latency_ms));
        write_lines(&path.join("turns.jsonl"), turns);
    }
    write_lines(&path.join("trial.json"), [trial]);
    let costs = Costs::draw(dice, character, latency_ms);
    write_lines(
        &path.join("intervals.jsonl"),
        (0..MEASURE_S).map(|at| second(at, transactions / u64::from(MEASURE_S), latency_ms, clients, &costs)),
    );
    let seen = sessions(dice, clients);
    let windows = if dice.is(character.misfortune) { 0 } else { MEASURE_S };
    write_lines(
        &path.join("activity.jsonl"),
        (0..windows).map(|index| {
            json!({
        "phase": "measure", "index": index, "samples": 10, "took_us": 900, "period_us": 100_000, "seen": seen })
        }),
    );
    write_lines(&path.join("statement-latency.json"), [statement_latency(dice, transactions, latency_ms)]);
}

/// One turn of half a second.
fn turn(round: u32, sides: u32, transactions: u64, latency_ms: f64) -> Value {
    let of = |part: u64| json!({ "transactions": part, "latency_sum_us": (part as f64 * latency_ms * 1e3) as u64 });
    let done = transactions / u64::from(2 * MEASURE_S);
    let mut turn = json!({
        "phase": "measure", "round": round, "place": round % sides, "start_us": u64::from(round) * 500_000,
        "duration_us": 500_000, "overrun_us": 900, "gap_us": 40, "taken_up_after_us": 60, "failed": 0, "unknown": 0,
        "first_quarter": of(done / 4), "clients_out": 0, "lost": false,
    });
    turn.as_object_mut().expect("an object").extend(of(done).as_object().expect("an object").clone());
    turn
}

/// What a transaction takes besides time.
struct Costs {
    wal_bytes: f64,
    cpu_us: f64,
    is_read: bool,
}

impl Costs {
    fn draw(dice: &mut Dice, character: &Character, latency_ms: f64) -> Self {
        let exploded = if dice.is(character.misfortune) { 300.0 } else { 1.0 };
        Self {
            wal_bytes: 900.0 * exploded * dice.noise(character.noise).exp(),
            cpu_us: latency_ms * 300.0 * dice.noise(character.noise).exp(),
            is_read: !dice.is(0.3 * character.misfortune),
        }
    }
}

fn second(at: u32, transactions: u64, latency_ms: f64, clients: u32, costs: &Costs) -> Value {
    let read = |values: Value| json!({ "took_us": 90, "over_us": 1_000_000, "values": values });
    let done = transactions as f64;
    let mut probes = json!({
        "pg.wal": read(json!({ "bytes": costs.wal_bytes * done, "full_page_images": 0.0, "syncs": 0.0 })),
        "host.server": read(json!({ "backends": clients, "backends_cpu_us": costs.cpu_us * done, "others_cpu_us": 50.0,
                                    "backends_run_delay_us": 1000.0 })),
    });
    if !costs.is_read {
        probes = json!({ "pg.wal": { "took_us": 90, "gap": "permission denied" } });
    }
    json!({
        "phase": "measure", "index": at, "start_us": u64::from(at) * 1_000_000, "duration_us": 1_000_000,
        "transactions": transactions, "failed": 0, "clients_out": 0, "latency": {
            "mean_ns": latency_ms * 1e6, "p50_ns": latency_ms as u64 + 1, "p95_ns": latency_ms as u64 + 1,
            "p99_ns": latency_ms as u64 + 1, "max_ns": latency_ms as u64 + 1 },
        "engine": { "cpu_us": 200_000, "busiest_thread": 0.2, "loop_lag_ns_max": 100 }, "probes": probes,
    })
}

/// What the sessions of a trial were seen doing: a wait may be there or not.
fn sessions(dice: &mut Dice, clients: u32) -> Vec<Value> {
    let count = |share: f64| (share * 10.0 * f64::from(clients)).ceil() as u64;
    let mut seen = vec![
        json!({ "state": "idle", "wait": { "class": "Client", "event": "ClientRead" }, "sessions": count(dice.share()) }),
        json!({ "state": "active", "sessions": count(dice.share()) }),
    ];
    for (class, event) in [("IO", "WALSync"), ("Lock", "transactionid"), ("LWLock", "WALWrite")] {
        if dice.is(0.6) {
            let rare = dice.one_of(&[0.01, 0.3, 1.0]);
            let sessions = count(dice.share() * rare);
            seen.push(json!({ "state": "active", "wait": { "class": class, "event": event }, "sessions": sessions }));
        }
    }
    seen
}

/// Three statements that sum to the transaction; the last is not always executed.
fn statement_latency(dice: &mut Dice, transactions: u64, latency_ms: f64) -> Value {
    let (first, rare) = (dice.share(), dice.is(0.5));
    let of = |share: f64, executions: u64| {
        let ms = latency_ms * share * transactions as f64 / executions.max(1) as f64;
        let latency = if executions > 0 { summary(ms) } else { Value::Null };
        json!({ "executions": executions, "failed": 0, "latency": latency })
    };
    let rare = if rare { of(0.1, transactions / 10) } else { of(0.0, 0) };
    json!({ "format": 1, "statements": [of(0.9 * first, transactions), of(0.9 * (1.0 - first), transactions), rare] })
}
