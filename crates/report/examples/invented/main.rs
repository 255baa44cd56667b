//! The reports that the viewer is tested with: of an invented run that has everything a report can show, of the same
//! run before anything was measured, and of one whose trials have an event; and the page of a history of runs. `cargo
//! run -p report --example invented DIRECTORY` writes `report.json` and `report.html` there, the same of `unfinished`
//! and `events`, and `history.html`.
//!
//! Only figures are invented. They are written as the files of a run directory, read, judged and reported as those of
//! any run; what the report says of them is none of this program's business. Same program, same figures.

mod disk;
mod event;
mod facts;
mod figures;
mod history;
mod trial;
mod tuning;

use std::fs;
use std::path::{Path, PathBuf};

use judge::compare::RunQuestion;
use judge::observed::Observed;
use judge::stopping::Searches;
use plan::schedule::schedule_trials;
use results::run::Run;
use results::store::RunDir;
use results::trial::Trial;
use results::workload::WorkloadStatements;
use serde_json::json;

use figures::Figures;

/// A ladder of three targets, two workloads of a closed loop, and a search for a capacity.
const PLAN: &str = r#"name: What does CloudNativePG cost us?
targets:
  vm:     { url: "postgresql://bench@10.0.0.5/bench", cost: { per_hour: 0.40, currency: EUR, as_of: 2026-11-01, includes: "vm, disk" } }
  pooler: { url: "postgresql://bench@10.0.0.5:6432/bench" }
  cnpg:   { url: "postgresql://bench@10.0.0.9/bench", cost: { per_hour: 0.55, currency: EUR, as_of: 2026-11-01, includes: "node, volume" } }
baseline: vm
ladder: [vm, pooler, cnpg]
may_differ: [platform, route, hardware]
workloads:
  read:  { builtin: select-only, scale: 100, require: { throughput: "> 4000/s", p99: "< 20ms" } }
  write: { builtin: tpcb-like, scale: 100 }
  peak:  { builtin: select-only, scale: 100, capacity: { p99: 20ms, from: 1000/s, to: 8000/s, precision: 50% } }
clients: [8, 32]
trial: { warm_up: 4s, measure: 20s }
blocks: { at_least: 3, at_most: 5, until: 0.1% }
noise_floor: true
practical_threshold: 3%
seed: 17
"#;

/// A primary that is exchanged in the middle of each trial, directly and through a pooler.
const EVENTS_PLAN: &str = r#"name: For how long does a switchover stop writes?
targets:
  direct: { url: "postgresql://bench@10.0.0.9/bench", may_disturb: true }
  pooler: { url: "postgresql://bench@10.0.0.9:6432/bench", may_disturb: true }
baseline: direct
workloads:
  write: { builtin: tpcb-like, scale: 100 }
clients: [16]
trial: { warm_up: 4s, measure: 20s }
events:
  switchover: { at: 8s, command: kubectl cnpg promote, require: { write_gap: < 10s, p99_back: < 1s, lost: 0 } }
blocks: { at_least: 5, at_most: 5 }
practical_threshold: 3%
seed: 17
"#;

fn main() {
    let out = PathBuf::from(std::env::args_os().nth(1).expect("the directory to write to"));
    fs::create_dir_all(&out).expect("the directory to write to");
    let write = |name: &str, text: String| fs::write(out.join(name), text).expect("a written file");
    for (name, plan, extent) in
        [("report", PLAN, Extent::Whole), ("unfinished", PLAN, Extent::Nothing), ("events", EVENTS_PLAN, Extent::Whole)]
    {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let observed = Observed::read(&write_run(directory.path(), plan, extent)).expect("the files of a run");
        let report = report::build_report(&observed, &judge::judge_run(&observed));
        write(&format!("{name}.json"), serde_json::to_string(&report).expect("plain data always serialises"));
        write(&format!("{name}.html"), report::report_html(&report));
    }
    let history = history::history();
    let data =
        report::history::history_data(&judge::history::HistoryJudgement::of_history(&history), "runs/history.jsonl");
    write("history.html", report::history_html(&data));
}

/// What its transactions consist of.
fn statements(workload: &str) -> WorkloadStatements {
    let statement = |(line, text): (u32, &str)| {
        let parameters = ["aid"];
        json!({ "script": "own.sql", "line": line, "kind": "sql", "text": text, "parameters": parameters, "variants": 1 })
    };
    let texts = [(2, "SELECT abalance FROM pgbench_accounts WHERE aid = $1"), (3, "SELECT filler <> 'größer'\nFROM t")];
    let statements: Vec<_> = texts.into_iter().map(statement).collect();
    serde_json::from_value(json!({ "format": 1, "workload": workload, "statements": statements })).expect("statements")
}

/// How much of the run was measured.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    Nothing,
    Whole,
}

fn write_run(parent: &Path, text: &str, extent: Extent) -> RunDir {
    let plan = plan::parse_plan("plan.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"));
    let plan = plan.complete_with_defaults(17, 2);
    let schedule = schedule_trials(&plan, 17);
    let run: Run = serde_json::from_value(json!({
        "format": 2, "id": "2026-11-20T09-12-00-what-does-cloudnativepg-cost-us", "name": plan.name,
        "pgdyno_version": "0.1.0", "started_at": "2026-11-20T09:12:00Z",
        "generator": { "cpus": 8, "kernel": "6.1.0-41-amd64" }, "schedule": schedule,
    }))
    .expect("the identity of a run");
    let dir = RunDir::create(parent, &run, text, &[]).expect("a run directory");
    if extent == Extent::Nothing {
        return dir;
    }
    facts::write(&dir);
    disk::write(&dir);
    for workload in &plan.workloads {
        dir.write_workload(&statements(&workload.name)).expect("the statements of a workload");
    }
    dir.write_tuning(&tuning::rounds()).expect("the rounds of a tuning");
    let question = RunQuestion::from_plan(&plan, 17);
    let mut trials: Vec<Trial> = Vec::new();
    for scheduled in &run.schedule.trials {
        let step = Searches::from_trials(&trials).next_step(&question, scheduled);
        if scheduled.step.is_some() && step.is_none() {
            continue;
        }
        let others = plan::schedule::trials_executed_together(&plan, &run.schedule, scheduled.number)
            .iter()
            .map(|other| other.number);
        let others: Vec<u32> = others.filter(|number| *number != scheduled.number).collect();
        let figures = Figures::of(scheduled, step);
        let figures = match plan.events.first() {
            Some(event) => figures.with_switchover(u32::try_from(event.at.as_secs()).expect("small")),
            None => figures,
        };
        trials.push(trial::write(&dir, scheduled, &figures, &others));
    }
    dir
}
