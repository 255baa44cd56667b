//! What does not decide, and which metric does: judgements on run directories of a few numbers, both ways round.

use std::fs;

use judge::beside::{ComparedCost, StatementId};
use judge::compare::Metric;
use judge::observed::Observed;
use judge::{Judgement, RegressionAnswer, judge_run, judge_so_far};
use plan::schedule::schedule_trials;
use report::formats::{CsvTable, junit_xml, markdown_summary};
use results::run::Run;
use results::store::RunDir;
use results::trial::Trial;
use serde_json::{Value, json};
use stats::verdict::Verdict;

const SECONDS: u32 = 10;
const PLAN: &str = "
name: beside
targets: { old: { url: 'host=a' }, new: { url: 'host=b' } }
baseline: old
workloads: { lk: { script: [lk.sql] } }
clients: [20]
trial: { warm_up: 0s, measure: 10s }
blocks: { at_least: 5, at_most: 5 }
seed: 1
";

/// What one side does: figures of every trial, which waver a little from block to block.
#[derive(Clone)]
struct Figures {
    throughput_per_s: f64,
    latency_ms: f64,
    /// Of one transaction.
    cpu_ms: f64,
    wal_bytes: f64,
    temporary_bytes: f64,
    blocks: f64,
    /// How often each statement is executed in a transaction, and for how long.
    statements: Vec<(f64, f64)>,
    /// The script's own pause in a transaction.
    pause_ms: f64,
    /// Sessions of others that are at work on the server.
    others: u32,
    /// By how much a figure differs from block to block.
    noise: f64,
}

impl Figures {
    fn usual() -> Self {
        Self {
            throughput_per_s: 1000.0,
            latency_ms: 20.0,
            cpu_ms: 2.0,
            wal_bytes: 500.0,
            temporary_bytes: 0.0,
            blocks: 12.0,
            statements: vec![(1.0, 8.0), (1.0, 10.0), (1.0, 2.0)],
            pause_ms: 0.0,
            others: 0,
            noise: 0.01,
        }
    }

    /// Twenty clients that pause for 300 ms.
    fn thinking(latency_ms: f64) -> Self {
        Self { latency_ms, throughput_per_s: 20e3 / (300.0 + latency_ms), ..Self::usual() }
    }
}

/// Judges a run in which the sides do this.
fn judged(plan: &str, sides: [&Figures; 2]) -> Judgement {
    judge_run(&observed(plan, sides))
}

/// The other way round.
fn swapped(plan: &str, [old, new]: [&Figures; 2]) -> Judgement {
    judged(plan, [new, old])
}

fn observed(plan: &str, sides: [&Figures; 2]) -> Observed {
    let directory = tempfile::tempdir().unwrap();
    let planned = plan::parse_plan("plan.yaml", plan.as_bytes())
        .unwrap_or_else(|errors| panic!("{errors}"))
        .complete_with_defaults(1, 2);
    let schedule = schedule_trials(&planned, 1);
    let run: Run = serde_json::from_value(json!({
        "format": 2, "id": "2026-11-20T09-12-00-beside", "name": "beside", "pgdyno_version": "0.1.0",
        "started_at": "2026-11-20T09:12:00Z", "generator": { "cpus": 2, "kernel": "6.1" }, "schedule": schedule,
    }))
    .unwrap();
    let dir = RunDir::create(directory.path(), &run, plan, &[]).unwrap();
    dir.write_workload(&serde_json::from_value(sent()).unwrap()).unwrap();
    for scheduled in &run.schedule.trials {
        let figures = if scheduled.cell.target == "old" { sides[0] } else { sides[1] };
        let path = dir.path().join("trials").join(scheduled.number.to_string());
        fs::create_dir(&path).unwrap();
        let drawn = |of: u32| {
            let mixed = (scheduled.number.wrapping_mul(2_654_435_761)).wrapping_add(of.wrapping_mul(40_503)) % 1009;
            1.0 + figures.noise * (f64::from(mixed) / 504.5 - 1.0)
        };
        let write = |name: &str, value: &Value| fs::write(path.join(name), format!("{value}\n")).unwrap();
        let trial = json!({
            "format": 2, "number": scheduled.number, "block": scheduled.block, "cell": scheduled.cell,
            "role": scheduled.role, "outcome": { "state": "completed" }, "preparation": [], "finishing": [],
            "settings": {}, "caveats": [], "load": load(figures, &drawn),
            "phases": [{ "phase": "measure", "started_at": "2026-11-20T09:13:00Z", "duration_us": 10_000_000 }],
        });
        write("trial.json", &trial);
        let lines: String = (0..SECONDS).map(|at| format!("{}\n", line(figures, &drawn, at))).collect();
        fs::write(path.join("intervals.jsonl"), lines).unwrap();
        let activity: String = (0..SECONDS).map(|at| format!("{}\n", activity(figures, at))).collect();
        fs::write(path.join("activity.jsonl"), activity).unwrap();
        write("statement-latency.json", &statement_latency(figures, &drawn));
    }
    Observed::read(&dir).unwrap()
}

fn sent() -> Value {
    let texts = ["SELECT a", "UPDATE t SET a = a", "COMMIT", "\\sleep 300 ms"];
    let statement = |(at, text): (usize, &&str)| {
        let kind = if at == 3 { "sleep" } else { "sql" };
        json!({ "script": "lk.sql", "line": at + 1, "kind": kind, "text": text, "variants": 1 })
    };
    let statements: Vec<Value> = texts.iter().enumerate().map(statement).collect();
    json!({ "format": 1, "workload": "lk", "statements": statements })
}

fn summary_of(mean_ms: f64) -> Value {
    let ns = |times: f64| (mean_ms * times * 1e6) as u64;
    json!({ "mean_ns": mean_ms * 1e6, "stddev_ns": 0.0, "min_ns": ns(0.5), "p50_ns": ns(0.9), "p95_ns": ns(1.7),
            "p99_ns": ns(2.6), "p999_ns": ns(4.0), "max_ns": ns(8.0) })
}

fn load(figures: &Figures, drawn: &dyn Fn(u32) -> f64) -> Value {
    let transactions = (figures.throughput_per_s * f64::from(SECONDS) * drawn(1)) as u64;
    let in_statements_ms: f64 = figures.statements.iter().map(|(times, ms)| times * ms).sum();
    let all_us = |ms: f64| (ms * 1e3 * transactions as f64) as u64;
    json!({
        "measure_us": SECONDS * 1_000_000, "transactions": transactions, "failed": 0, "unknown": 0, "scripts": {},
        "latency": summary_of(figures.latency_ms * drawn(2)),
        "waits": { "statements_us": all_us(in_statements_ms * drawn(3)), "pauses_us": all_us(figures.pause_ms) },
        "engine": { "backend": "epoll", "threads": 2, "cpu_us": 1000, "busiest_thread": 0.2, "loop_lag_ns_max": 1000 },
    })
}

fn line(figures: &Figures, drawn: &dyn Fn(u32) -> f64, at: u32) -> Value {
    let transactions = (figures.throughput_per_s * drawn(1)) as u64;
    let all = |of_one: f64, which: u32| of_one * transactions as f64 * drawn(which);
    let read = |values: Value| json!({ "took_us": 90, "over_us": 1_000_000, "values": values });
    json!({
        "phase": "measure", "index": at, "start_us": at * 1_000_000, "duration_us": 1_000_000,
        "transactions": transactions, "failed": 0,
        "probes": {
            "host.server": read(json!({ "backends": 20, "backends_cpu_us": all(figures.cpu_ms * 1e3, 4), "others_cpu_us": 0.0 })),
            "pg.wal": read(json!({ "bytes": all(figures.wal_bytes, 5) })),
            "pg.database": read(json!({ "blocks_hit": all(figures.blocks, 6), "blocks_read": 0.0,
                                        "temp_bytes": all(figures.temporary_bytes, 7) })),
        },
    })
}

fn activity(figures: &Figures, at: u32) -> Value {
    let others = json!({ "application": "dump", "sessions": figures.others, "waiting_for_io": 0,
                         "running": figures.others, "statement": "COPY t TO stdout" });
    let others = if figures.others > 0 { vec![others] } else { Vec::new() };
    json!({ "phase": "measure", "index": at, "samples": 10, "took_us": 900, "period_us": 100_000, "seen": [],
            "others_samples": 1, "others": others })
}

fn statement_latency(figures: &Figures, drawn: &dyn Fn(u32) -> f64) -> Value {
    let transactions = figures.throughput_per_s * f64::from(SECONDS);
    let of = |(number, (times, ms)): (usize, &(f64, f64))| {
        let executions = (transactions * times) as u64;
        let latency = (executions > 0).then(|| summary_of(ms * drawn(10 + number as u32)));
        json!({ "executions": executions, "latency": latency })
    };
    let mut statements: Vec<Value> = figures.statements.iter().enumerate().map(of).collect();
    let pauses = if figures.pause_ms > 0.0 { transactions as u64 } else { 0 };
    statements.push(json!({ "executions": pauses, "latency": (pauses > 0).then(|| summary_of(figures.pause_ms)) }));
    json!({ "format": 1, "statements": statements })
}

/// The plan with another pace.
fn with(keys: &str) -> String {
    PLAN.replace("script: [lk.sql]", &format!("script: [lk.sql], {keys}"))
}

/// The plan with more keys.
fn and(keys: &str) -> String {
    format!("{PLAN}{keys}\n")
}

fn deciding(judgement: &Judgement) -> Metric {
    judgement.comparison.pairs[0].deciding_metric()
}

fn cost(judgement: &Judgement, name: &str) -> Verdict {
    let found = judgement.beside.costs.iter().find(|cost| cost.cost.name() == name);
    found.unwrap_or_else(|| panic!("no {name}: {:?}", judgement.beside.costs)).ruling.verdict
}

fn statement(judgement: &Judgement, line: u32) -> Verdict {
    let is_it = |id: &StatementId| matches!(id, StatementId::One { line: at, .. } if *at == line);
    judgement.beside.statements.iter().find(|one| is_it(&one.statement)).expect("the statement").ruling.verdict
}

#[test]
fn with_pauses_between_transactions_the_mean_latency_decides_whichever_side_is_the_baseline() {
    let (fast, slow) = (Figures::thinking(1.3), Figures::thinking(2.8));
    let plan = with("think: 300ms");
    let judgement = judged(&plan, [&fast, &slow]);
    assert_eq!((deciding(&judgement), judgement.answer()), (Metric::LatencyMean, RegressionAnswer::Regression));
    insta::assert_snapshot!(judgement.headline, @"new against old: lk is slower by 114 % [+113, +116] % at 20 clients.");
    let back = swapped(&plan, [&fast, &slow]);
    assert_eq!((deciding(&back), back.answer()), (Metric::LatencyMean, RegressionAnswer::NoRegression));
    insta::assert_snapshot!(back.headline, @"new against old: lk is faster by 53.8 % [−54.2, −53.5] % at 20 clients.");
    assert!(report::terminal_text(&judgement, false, None).contains("lk: mean latency"));
}

#[test]
fn a_pause_that_takes_little_of_the_clients_time_leaves_the_decision_to_the_throughput() {
    let plan = with("think: 1ms");
    let usual = Figures::usual();
    for sides in [[&usual, &usual], [&usual, &Figures { throughput_per_s: 700.0, latency_ms: 28.0, ..usual.clone() }]] {
        assert_eq!(deciding(&judged(&plan, sides)), Metric::Throughput);
        assert_eq!(deciding(&swapped(&plan, sides)), Metric::Throughput);
    }
    // One side is saturated and hardly pauses, the other could not get more done.
    let saturated = Figures { throughput_per_s: 60.0, latency_ms: 320.0, ..usual };
    for judgement in [judged, swapped].map(|judged| judged(&with("think: 10ms"), [&Figures::thinking(1.3), &saturated]))
    {
        assert_eq!(deciding(&judgement), Metric::Throughput, "neither side pauses for a tenth of its time");
    }
    for judgement in
        [judged, swapped].map(|judged| judged(&with("think: 300ms"), [&Figures::thinking(1.3), &saturated]))
    {
        assert_eq!(deciding(&judgement), Metric::LatencyMean);
    }
}

#[test]
fn with_pauses_of_the_script_the_time_in_statements_decides() {
    let side = |ms: f64| Figures {
        latency_ms: 300.0 + ms,
        throughput_per_s: 20e3 / (300.0 + ms),
        pause_ms: 300.0,
        statements: vec![(1.0, ms), (0.0, 0.0), (0.0, 0.0)],
        ..Figures::usual()
    };
    let (fast, slow) = (side(1.3), side(2.8));
    let judgement = judged(PLAN, [&fast, &slow]);
    assert_eq!((deciding(&judgement), judgement.answer()), (Metric::StatementTime, RegressionAnswer::Regression));
    insta::assert_snapshot!(judgement.headline, @"new against old: lk is slower by 114 % [+113, +116] % at 20 clients; statement lk.sql:1 takes 2.1 times as long [2.1, 2.2].");
    let back = swapped(PLAN, [&fast, &slow]);
    assert_eq!((deciding(&back), back.answer()), (Metric::StatementTime, RegressionAnswer::NoRegression));
}

#[test]
fn a_cost_that_is_worse_for_sure_stands_beside_equivalent_and_fails_the_run() {
    let usual = Figures::usual();
    let dear = Figures { cpu_ms: 9.4, ..usual.clone() };
    let judgement = judged(PLAN, [&usual, &dear]);
    assert_eq!(judgement.comparison.pairs[0].verdict(), Verdict::Equivalent);
    assert_eq!(
        (cost(&judgement, "CPU time per transaction"), judgement.answer()),
        (Verdict::Regressed, RegressionAnswer::Regression)
    );
    insta::assert_snapshot!(judgement.headline, @"new against old: lk is equivalent in throughput (within ±3 %), but CPU time per transaction +371 % [+367, +376] %.");
    let back = swapped(PLAN, [&usual, &dear]);
    assert_eq!(
        (cost(&back, "CPU time per transaction"), back.answer()),
        (Verdict::Improved, RegressionAnswer::NoRegression)
    );
    insta::assert_snapshot!(back.headline, @"new against old: lk is equivalent (within ±3 %); better: CPU time per transaction −78.7 % [−78.9, −78.5] %.");
    let off = judged(&and("costs: { threshold: off }"), [&usual, &dear]);
    assert_eq!((off.answer(), off.beside.costs.len()), (RegressionAnswer::NoRegression, 0));
    assert_eq!(off.headline, "new against old: lk is equivalent (within ±3 %).");
    let wide = judged(&and("costs: { threshold: 100% }"), [&usual, &Figures { cpu_ms: 3.4, ..usual.clone() }]);
    assert_eq!(wide.answer(), RegressionAnswer::NoRegression, "70 % more is within the threshold");
}

#[test]
fn a_latency_that_does_not_decide_is_judged_too() {
    let open = with("rate: 1000/s");
    let usual = Figures::usual();
    let behind = Figures { throughput_per_s: 600.0, ..usual.clone() };
    let judgement = judged(&open, [&usual, &behind]);
    assert_eq!(deciding(&judgement), Metric::LatencyMean);
    assert_eq!(
        (cost(&judgement, "throughput"), judgement.answer()),
        (Verdict::Regressed, RegressionAnswer::Regression)
    );
    assert_eq!(cost(&swapped(&open, [&usual, &behind]), "throughput"), Verdict::Improved);
}

#[test]
fn where_the_deciding_metric_is_not_known_a_cost_that_is_stands_in_the_headline() {
    let wild = |wal_bytes: f64| Figures { noise: 0.9, wal_bytes, ..Figures::usual() };
    let (old, mut new) = (wild(1e4), wild(1.77e6));
    new.throughput_per_s = 900.0;
    let judgement = judged(PLAN, [&old, &new]);
    assert!(matches!(judgement.comparison.pairs[0].verdict(), Verdict::NotEnoughData { .. }));
    assert_eq!(
        (cost(&judgement, "WAL per transaction"), judgement.answer()),
        (Verdict::Regressed, RegressionAnswer::Regression)
    );
    assert!(judgement.headline.contains("not enough data") && judgement.headline.contains(", but WAL per transaction"));
    let back = swapped(PLAN, [&old, &new]);
    assert_eq!(back.answer(), RegressionAnswer::NotEnoughData, "what is cheaper settles nothing");
    assert!(back.headline.contains("; better: WAL per transaction"), "{}", back.headline);
}

#[test]
fn what_only_one_side_needs_at_all_is_a_change_without_a_ratio() {
    let usual = Figures::usual();
    let spills = Figures { temporary_bytes: 4e6, ..usual.clone() };
    let judgement = judged(PLAN, [&usual, &spills]);
    assert_eq!(
        (cost(&judgement, "temporary files per transaction"), judgement.answer()),
        (Verdict::Regressed, RegressionAnswer::Regression)
    );
    insta::assert_snapshot!(judgement.headline, @"new against old: lk is equivalent in throughput (within ±3 %), but temporary files per transaction none → 3.83 MiB.");
    let back = swapped(PLAN, [&usual, &spills]);
    assert_eq!(
        (cost(&back, "temporary files per transaction"), back.answer()),
        (Verdict::Improved, RegressionAnswer::NoRegression)
    );
    let hardly = Figures { temporary_bytes: 50.0, ..usual.clone() };
    let nothing = judged(PLAN, [&usual, &hardly]);
    assert!(nothing.beside.costs.iter().all(|one| one.cost.name() != "temporary files per transaction"));
}

#[test]
fn what_others_may_have_taken_of_the_server_is_no_cost_of_the_load() {
    let usual = Figures::usual();
    let beside_a_dump = Figures { cpu_ms: 9.4, blocks: 90.0, others: 1, ..usual.clone() };
    for judgement in [judged, swapped].map(|judged| judged(PLAN, [&usual, &beside_a_dump])) {
        assert!(
            judgement.beside.costs.iter().all(|one| matches!(one.cost, ComparedCost::Metric(_))),
            "{}",
            judgement.headline
        );
        assert_eq!(judgement.answer(), RegressionAnswer::NoRegression);
    }
}

#[test]
fn a_small_cost_is_no_loss_and_a_loss_of_the_deciding_metric_needs_no_second_word() {
    let usual = Figures::usual();
    let little = judged(PLAN, [&usual, &Figures { cpu_ms: 2.2, wal_bytes: 450.0, ..usual.clone() }]);
    assert_eq!(
        (little.answer(), little.headline.contains("CPU")),
        (RegressionAnswer::NoRegression, false),
        "{}",
        little.headline
    );
    let slow = Figures { throughput_per_s: 500.0, latency_ms: 40.0, cpu_ms: 4.0, ..usual.clone() };
    let lost = judged(PLAN, [&usual, &slow]);
    assert!(lost.headline.contains("loses") && !lost.headline.contains("CPU"), "{}", lost.headline);
}

#[test]
fn one_statement_that_is_slower_for_sure_is_named_everywhere_and_fails_the_run() {
    let usual = Figures { statements: vec![(0.98, 8.0), (0.02, 2.0), (1.0, 2.0)], ..Figures::usual() };
    let mut worse = usual.clone();
    worse.statements[1].1 = 9.4;
    let observed_run = observed(PLAN, [&usual, &worse]);
    let judgement = judge_run(&observed_run);
    assert_eq!((statement(&judgement, 2), statement(&judgement, 1)), (Verdict::Regressed, Verdict::Equivalent));
    assert_eq!(judgement.answer(), RegressionAnswer::Regression);
    insta::assert_snapshot!(judgement.headline, @"new against old: lk is equivalent in throughput (within ±3 %), but statement lk.sql:2 takes 4.7 times as long [4.7, 4.8].");
    let data = report::build_report(&observed_run, &judgement);
    let tests = junit_xml(&judgement, &data);
    assert!(tests.contains("lk, 20 clients: lk.sql:2") && tests.contains("failures=\"1\""), "{tests}");
    assert!(markdown_summary(&judgement, "x").contains("lk.sql:2 takes 4.7 times"));
    assert!(report::judgement_markdown(&judgement, "x").contains("lk.sql:2 takes 4.7 times"));
    let terminal = report::terminal_text(&judgement, false, None);
    let shown = terminal.lines().skip_while(|line| *line != "Costs and statements").take_while(|line| !line.is_empty());
    insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r##"
    Costs and statements
     Statements with a significant change (emphasized: a loss of more than the threshold)
     target  workload  clients  statement, one execution  baseline  candidate  change   95 % interval  verdict
     new     lk             20  lk.sql:2                   1.99 ms    9.39 ms  +371 %  [+367, +376] %  REGRESSED
    "##);
    let csv = CsvTable::table_by_name("statement-verdicts").unwrap().csv_text(&data);
    assert!(csv.lines().any(|line| line.contains("lk.sql:2") && line.ends_with("regressed,true")), "{csv}");
    let back = swapped(PLAN, [&usual, &worse]);
    assert_eq!((statement(&back, 2), back.answer()), (Verdict::Improved, RegressionAnswer::NoRegression));
    let off = judged(&and("statements: { threshold: off }"), [&usual, &worse]);
    assert_eq!((off.answer(), off.beside.statements.len()), (RegressionAnswer::NoRegression, 0));
}

#[test]
fn rare_statements_are_judged_by_their_class_and_pauses_not_at_all() {
    // 10,000 transactions a block: 20 and 15 executions.
    let mut usual = Figures { statements: vec![(1.0, 8.0), (0.002, 2.0), (0.001_5, 2.0)], ..Figures::usual() };
    usual.pause_ms = 0.1;
    let judgement = judged(PLAN, [&usual, &usual]);
    let ids: Vec<&StatementId> = judgement.beside.statements.iter().map(|one| &one.statement).collect();
    assert!(matches!(ids.as_slice(), [StatementId::One { line: 1, .. }]), "each class has too few: {ids:?}");
    usual.statements[1].0 = 0.02;
    assert_eq!(judged(PLAN, [&usual, &usual]).beside.statements.len(), 2);
}

#[test]
fn sides_that_are_alike_and_noisy_accuse_nothing() {
    let noisy = Figures { noise: 0.1, ..Figures::usual() };
    let judgement = judged(PLAN, [&noisy, &noisy]);
    assert!(!judgement.beside.is_any_loss(), "{}", judgement.headline);
    let costs = judgement.beside.costs.iter().filter(|cost| matches!(cost.cost, ComparedCost::Resource(_))).count();
    assert_eq!(costs, 3, "CPU, WAL and blocks; of temporary files there are none");
}

#[test]
fn while_a_run_is_being_measured_nothing_is_judged() {
    let usual = Figures::usual();
    let dear = Figures { cpu_ms: 9.4, ..usual.clone() };
    let mut observed = observed(PLAN, [&usual, &dear]);
    observed.trials.retain(|trial: &Trial| trial.block < 5);
    let judgement = judge_so_far(&observed);
    assert_eq!(cost(&judgement, "CPU time per transaction"), Verdict::SoFar);
    assert_eq!((statement(&judgement, 1), judgement.answer()), (Verdict::SoFar, RegressionAnswer::NotEnoughData));
}
