//! A captured load: database time decides, statements are judged by fingerprint, and what returns something else stands
//! before any time. Judgements on run directories of a few numbers.

use std::fs;
use std::path::Path;

use judge::beside::StatementId;
use judge::codes::RESULTS_DIFFER;
use judge::compare::Metric;
use judge::observed::Observed;
use judge::required::Compliance;
use judge::{Judgement, RegressionAnswer, judge_run};
use plan::schedule::schedule_trials;
use report::formats::{CsvTable, junit_xml};
use results::run::Run;
use results::store::RunDir;
use serde_json::{Value, json};
use stats::verdict::Verdict;

const PLAN: &str = "
name: own load
targets: { old: { url: 'host=a' }, new: { url: 'host=b' } }
baseline: old
workloads: { peak: { captured: peak, reads: true, interleave: trials } }
clients: [4]
trial: { warm_up: 0s, measure: 10s }
blocks: { at_least: 5, at_most: 5 }
statements: { threshold: 10% }
seed: 1
";

/// A statement of a script.
#[derive(Clone)]
struct Sent {
    script: &'static str,
    fingerprint: String,
    text: String,
    calls: u64,
    /// Executions in a trial.
    executions: u64,
    /// Milliseconds of one on both sides.
    ms: [f64; 2],
    /// Rows of one on both sides.
    rows: [u8; 2],
}

fn sent(script: &'static str, fingerprint: &str, calls: u64, ms: [f64; 2]) -> Sent {
    let text = format!("SELECT {fingerprint} FROM t WHERE id = $1");
    Sent { script, fingerprint: fingerprint.to_owned(), text, calls, executions: calls / 10, ms, rows: [1, 1] }
}

/// Two scripts that have a statement in common, and a rare one.
fn usual() -> Vec<Sent> {
    vec![
        sent("001.sql", "common", 8_000, [1.0, 1.0]),
        sent("001.sql", "lookup", 8_000, [2.0, 2.0]),
        sent("002.sql", "common", 2_000, [1.5, 1.5]),
        sent("002.sql", "rare", 100, [3.0, 3.0]),
    ]
}

fn judged(plan: &str, sent: &[Sent]) -> Judgement {
    judge_run(&observed(plan, sent))
}

fn observed(plan: &str, sent: &[Sent]) -> Observed {
    let directory = tempfile::tempdir().unwrap();
    let planned = plan::parse_plan("plan.yaml", plan.as_bytes())
        .unwrap_or_else(|errors| panic!("{errors}"))
        .complete_with_defaults(1, 2);
    let schedule = schedule_trials(&planned, 1);
    let run: Run = serde_json::from_value(json!({
        "format": 2, "id": "2026-11-20T09-12-00-own-load", "name": "own load", "pgdyno_version": "0.1.0",
        "started_at": "2026-11-20T09:12:00Z", "generator": { "cpus": 2, "kernel": "6.1" }, "schedule": schedule,
    }))
    .unwrap();
    let dir = RunDir::create(directory.path(), &run, plan, &[]).unwrap();
    dir.write_workload(&serde_json::from_value(workload(sent)).unwrap()).unwrap();
    for scheduled in &run.schedule.trials {
        let side = usize::from(scheduled.cell.target == "new");
        let path = dir.path().join("trials").join(scheduled.number.to_string());
        fs::create_dir(&path).unwrap();
        let transactions = 1_000 + scheduled.number * 7_919 % 13;
        let trial = json!({
            "format": 2, "number": scheduled.number, "block": scheduled.block, "cell": scheduled.cell,
            "role": scheduled.role, "outcome": { "state": "completed" }, "preparation": [], "finishing": [],
            "settings": {}, "caveats": [],
            "load": {
                "measure_us": 10_000_000, "transactions": transactions, "failed": 2, "unknown": 0, "scripts": {},
                "errors": { "40001": 2 }, "latency": summary_of(3.0 + f64::from(scheduled.number * 7_919 % 11) / 1e3),
                "engine": { "backend": "epoll", "threads": 2, "cpu_us": 1000, "busiest_thread": 0.2, "loop_lag_ns_max": 1000 },
            },
            "phases": [{ "phase": "measure", "started_at": "2026-11-20T09:13:00Z", "duration_us": 10_000_000 }],
        });
        fs::write(path.join("trial.json"), format!("{trial}\n")).unwrap();
        let mut statements = Vec::new();
        for (number, one) in sent.iter().enumerate() {
            let mixed = (scheduled.number * 7_919 + number as u32 * 104_729) % 1009;
            let noise = 1.0 + 0.01 * (f64::from(mixed) / 504.5 - 1.0);
            statements.push(json!({ "executions": one.executions, "latency": summary_of(one.ms[side] * noise) }));
        }
        for name in ["intervals.jsonl", "activity.jsonl"] {
            fs::write(path.join(name), "").unwrap();
        }
        let latency = json!({ "format": 1, "statements": statements });
        fs::write(path.join("statement-latency.json"), format!("{latency}\n")).unwrap();
        write_results(&path, sent, side);
    }
    Observed::read(&dir).unwrap()
}

/// Ten executions of each statement; of the last three of them the rows are those of the side.
fn write_results(trial: &Path, sent: &[Sent], side: usize) {
    let mut bytes = format!("{{\"format\":1,\"statements\":{}}}\n", sent.len()).into_bytes();
    for one in sent {
        bytes.push(2);
        for (executions, rows) in [(7, one.rows[0]), (3, one.rows[side])] {
            bytes.extend([executions, 1, rows]);
            bytes.extend(99_u64.to_le_bytes());
        }
    }
    fs::write(trial.join("results.bin"), bytes).unwrap();
}

fn workload(sent: &[Sent]) -> Value {
    let mut statements = Vec::new();
    for (line, one) in (1..).zip(sent) {
        statements.push(json!({
            "script": one.script, "line": line, "kind": "sql", "text": one.text, "variants": 1,
            "captured": { "fingerprint": one.fingerprint, "calls": one.calls, "busy_us": one.calls * 900 },
        }));
    }
    let amount = |calls: u64| json!({ "transactions": 10_000, "calls": calls, "busy_us": calls * 900 });
    json!({ "format": 1, "workload": "peak", "statements": statements, "captured": {
        "duration_us": 100_000_000, "captured": amount(18_200), "replayed": amount(18_100), "failures": { "23505": 3 },
        "writes": false,
    } })
}

fn summary_of(mean_ms: f64) -> Value {
    let ns = (mean_ms * 1e6) as u64;
    json!({ "mean_ns": mean_ms * 1e6, "stddev_ns": 0.0, "min_ns": ns, "p50_ns": ns, "p95_ns": ns, "p99_ns": ns,
            "p999_ns": ns, "max_ns": ns })
}

fn section(judgement: &Judgement, title: &str) -> String {
    let terminal = report::terminal_text(judgement, false, None);
    let lines = terminal.lines().skip_while(|line| *line != title);
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn database_time_decides_and_a_statement_of_several_scripts_is_one() {
    let mut slower = usual();
    slower[1].ms[1] = 2.6;
    let judgement = judged(PLAN, &slower);
    let pair = &judgement.comparison.pairs[0];
    assert_eq!((pair.deciding_metric(), judgement.answer()), (Metric::DatabaseTime, RegressionAnswer::Regression));
    let said = &judgement.headline;
    assert!(said.starts_with("new against old: your load peak: database time +17."), "{said}");
    assert!(said.contains(" at 4 clients. Of 3 statements 1 is slower beyond 10 % ("), "{said}");
    assert!(said.ends_with(" of the time), 0 faster, 1 equivalent, 1 rare: not enough data."), "{said}");
    let ids: Vec<String> = judgement.beside.statements.iter().map(|one| one.statement.name()).collect();
    assert_eq!(ids.len(), 2, "one in two scripts, and one of its own: {ids:?}");
    let table = section(&judgement, "Statements of your load");
    let first = table.lines().find(|line| line.contains("SELECT")).expect("a statement");
    assert!(first.contains("SELECT lookup") && first.contains("REGRESSED"), "what costs most stands first: {table}");
    assert!(table.contains("Replayed: 99.5 % of the calls"), "{table}");
    let data = report::build_report(&observed(PLAN, &slower), &judgement);
    let tests = junit_xml(&judgement, &data);
    assert!(tests.contains("SELECT lookup FROM t WHERE id = $1 (lookup)"), "{tests}");
    let csv = CsvTable::table_by_name("own-load").unwrap().csv_text(&data);
    assert!(csv.contains("lookup"), "{csv}");
}

#[test]
fn sides_that_are_alike_accuse_no_statement() {
    let judgement = judged(PLAN, &usual());
    assert_eq!(judgement.answer(), RegressionAnswer::NoRegression);
    let said = &judgement.headline;
    assert!(
        said.contains("your load peak: is equivalent in database time (within ±3 %). Of 3 statements 0 are"),
        "{said}"
    );
    assert!(judgement.issues.iter().all(|issue| *issue.code != RESULTS_DIFFER));
}

#[test]
fn what_returns_other_rows_is_an_issue_before_any_time_and_fails_the_run() {
    let mut other = usual();
    other[1].rows = [1, 2];
    let judgement = judged(PLAN, &other);
    assert_eq!(judgement.answer(), RegressionAnswer::Regression);
    let issue = &judgement.issues[0];
    assert_eq!(issue.code.name, "results-differ");
    let said = &judgement.headline;
    assert!(said.contains("your load peak: 1 of 3 statements returns other results; "), "{said}");
    assert_eq!(
        issue.text,
        "new: SELECT lookup FROM t WHERE id = $1 returns other results in 3 of 10 executions; for example 001.sql:2, \
         transaction 8: 1 row → 2 rows"
    );
    let ignored = judged(&format!("{PLAN}ignore: [results-differ]\n"), &other);
    assert_eq!(ignored.answer(), RegressionAnswer::NoRegression);
}

#[test]
fn a_plan_requires_that_neither_the_load_nor_a_statement_is_slower_by_more() {
    let plan = PLAN.replace(
        "reads: true",
        "reads: true, require: { database_time: no slower than 5%, statements: no slower than 20% }",
    );
    let rulings = |ms: [f64; 2]| {
        let mut sent = usual();
        sent[1].ms = ms;
        let judgement = judged(&plan, &sent);
        let rulings: Vec<Compliance> = judgement.required.iter().map(|it| it.ruling).collect();
        (rulings, judgement.answer())
    };
    assert_eq!(rulings([2.0, 2.0]), (vec![Compliance::Kept; 2], RegressionAnswer::NoRegression));
    assert_eq!(rulings([2.0, 2.6]), (vec![Compliance::Broken; 2], RegressionAnswer::Regression));
    let near = rulings([2.0, 2.4]);
    assert_eq!(near.0[1], Compliance::NotEnoughData, "20 % lies within the interval");
}

/// A load of so many statements, of which one is slower and one returns something else.
fn many(statements: usize) -> Vec<Sent> {
    let mut all = Vec::with_capacity(statements);
    for number in 0..statements {
        // Each is a transaction of its own.
        let script = Box::leak(format!("{number:04}.sql").into_boxed_str());
        let mut one = sent(script, &format!("{number:04x}"), 1_000 + number as u64 % 7, [1.0, 1.0]);
        one.text = format!("SELECT a{number}, b, c FROM table_{} WHERE id = $1 AND kind = {number}", number % 40);
        all.push(one);
    }
    all[500].ms[1] = 1.5;
    all[700].rows = [1, 0];
    all
}

#[test]
fn a_thousand_statements_are_judged_and_only_those_that_differ_are_accused() {
    let judgement = judged(PLAN, &many(1_000));
    let slower: Vec<&StatementId> =
        judgement.beside.statements.iter().filter(|one| one.ruling.is_loss()).map(|one| &one.statement).collect();
    assert!(matches!(slower.as_slice(), [StatementId::Captured { fingerprint, .. }] if fingerprint == "01f4"));
    let equivalent = judgement.beside.statements.iter().filter(|one| one.ruling.verdict == Verdict::Equivalent).count();
    assert_eq!(equivalent, 999);
    let differing: Vec<&str> =
        judgement.results[0].differing.iter().map(|statement| statement.fingerprint.as_str()).collect();
    assert_eq!(differing, ["02bc"]);
    // Few lines on a terminal, all of them on the page, which `web/test/own_load.js` looks at.
    assert!(section(&judgement, "Statements of your load").lines().count() < 25);
    let page = report::report_html(&report::build_report(&observed(PLAN, &many(1_000)), &judgement));
    fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-load.html"), page).unwrap();
}
