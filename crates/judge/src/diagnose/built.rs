//! Runs built of a few numbers, for the tests of rules. A run begins healthy: nothing in it is a finding. A test says
//! what is different. What is built is text in the form of the run directory,
//! so that rules see what they would see of real files.

use std::collections::BTreeMap;
use std::path::Path;

use plan::{Interleave, Plan, parse_plan};
use results::log::{Origin, ServerLog, Severity};
use results::profile::Profile;
use serde_json::{Map, Value, json};

use super::Diagnosis;
use super::case::{Cells, DiagnosisCase};
use super::finding::CaseFinding;
use super::rule::{Looked, Rule};
use super::symmetry::diagnosed_every_way_round;
use crate::compare::RunQuestion;
use crate::observed::{Observed, SecondFigures, SeriesLine, WatchedPhase, sessions_seen as seen_while_measuring};
use crate::profile::CpuProfile;

/// Seconds of a trial.
const SECONDS: u32 = 12;
/// Blocks of a run.
const BLOCKS: u32 = 3;

/// A run to be.
#[derive(Clone)]
pub(super) struct Built {
    plan: String,
    seconds: u32,
    /// What is measured, by target and clients.
    cells: Vec<Measurement>,
    facts: BTreeMap<String, Value>,
    /// The statements of the workload.
    texts: Vec<&'static str>,
}

/// What the trials of one cell are like.
#[derive(Clone)]
pub(super) struct Measurement {
    target: String,
    clients: u32,
    throughput_per_s: f64,
    /// How many times as slow each block is.
    slower_by: [f64; BLOCKS as usize],
    /// The share of each second in which the side has its turn.
    turn: Option<f64>,
    /// Why what its server counts is not its own, if it is not.
    not_its_own: Option<String>,
    /// What every second's samples saw.
    seen: Vec<Value>,
    probes: Map<String, Value>,
    /// Replaces fields of every trial's `load`.
    load: Map<String, Value>,
    /// What the server's log says, or why it was not read.
    log: Result<Vec<Value>, String>,
    /// Messages and bytes of the log.
    written: Option<(u64, u64)>,
    /// For what locks sessions were seen waiting, in every second.
    locks: Value,
    /// Who else is seen at work in every second.
    others: Value,
    idle: Value,
    /// What processes of the server are seen doing in every second.
    processes: Value,
    /// What was done to the tables, or why that is not known.
    tables: Result<Vec<Value>, String>,
    /// What was done to the sequences; null where that was not read.
    sequences: Value,
    /// The functions of its database; null where they were not read.
    functions: Value,
    /// What the catalogs say of its tables; null where they were not read.
    catalog: Value,
    /// How its statements would be executed, or why that is not known.
    plans: Result<Vec<Value>, String>,
    /// What was counted of its statements in every trial; null where the server was not asked.
    statements: Value,
    /// The queries that its sessions are seen executing in every second.
    queries: Vec<Value>,
    /// How long each of its statements took, of which every transaction executed each once; none where they were not
    /// timed.
    times_ms: Vec<f64>,
    /// What its server was seen executing in every trial; null where it was not sampled.
    profile: Value,
    /// Where its sessions were seen asleep in every trial; null where nobody looked.
    off_cpu: Value,
    /// Replaces fields of single seconds.
    seconds: BTreeMap<u32, Value>,
}

const PLAN: &str = "
name: a test
targets: { db: { local: { version: 17 } } }
baseline: db
workloads: { read: { builtin: select-only, scale: 100 } }
clients: [4]
trial: { warm_up: 0s, measure: 12s }
blocks: { at_least: 3, at_most: 3 }
threads: 1
seed: 1
";

impl Built {
    /// One healthy target with one cell: 4 clients on 4 CPUs.
    pub(super) fn healthy() -> Self {
        let facts = BTreeMap::from([("db".to_owned(), facts("db"))]);
        Self {
            plan: PLAN.to_owned(),
            seconds: SECONDS,
            cells: vec![Measurement::healthy("db", 4)],
            facts,
            texts: TEXTS.to_vec(),
        }
    }

    /// Two of them, the baseline `db` and the candidate `new`.
    pub(super) fn pair() -> Self {
        let mut built = Self::healthy();
        built.plan = built.plan.replace("{ db: ", "{ new: { local: { version: 18 } }, db: ");
        built.cells.push(Measurement::healthy("new", 4));
        built.facts.insert("new".to_owned(), facts("new"));
        built
    }

    /// The same with its first target, `db`, given so: a YAML flow mapping.
    pub(super) fn target(mut self, target: &str) -> Self {
        self.plan = self.plan.replace("{ local: { version: 17 } }", target);
        self
    }

    /// The same with trials that are so many seconds long.
    pub(super) fn seconds(mut self, seconds: u32) -> Self {
        self.seconds = seconds;
        self
    }

    /// The same with another workload: a YAML flow mapping.
    pub(super) fn workload(mut self, workload: &str) -> Self {
        self.plan = self.plan.replace("{ builtin: select-only, scale: 100 }", workload);
        self
    }

    /// The same with other statements.
    pub(super) fn sends(self, texts: &[&'static str]) -> Self {
        Self { texts: texts.to_vec(), ..self }
    }

    /// The same with that many clients everywhere.
    pub(super) fn clients(mut self, clients: u32) -> Self {
        self.plan = self.plan.replace("clients: [4]", &format!("clients: [{clients}]"));
        self.cells.iter_mut().for_each(|cell| cell.clients = clients);
        self
    }

    /// The same with these throughputs by clients, on every target; all else is as in its first cell.
    pub(super) fn ladder(mut self, rungs: &[(u32, f64)]) -> Self {
        let clients: Vec<String> = rungs.iter().map(|(clients, _)| clients.to_string()).collect();
        self.plan = self.plan.replace("clients: [4]", &format!("clients: [{}]", clients.join(", ")));
        let rungs_of = |cell: &Measurement| {
            let rung =
                |(clients, tps): &(u32, f64)| Measurement { clients: *clients, throughput_per_s: *tps, ..cell.clone() };
            rungs.iter().map(rung).collect::<Vec<_>>()
        };
        self.cells = self.cells.iter().flat_map(rungs_of).collect();
        self
    }

    /// The same with the last cell changed.
    pub(super) fn with(mut self, change: impl FnOnce(Measurement) -> Measurement) -> Self {
        let last = self.cells.pop().unwrap();
        self.cells.push(change(last));
        self
    }

    /// The same with the first cell changed.
    pub(super) fn with_first(mut self, change: impl FnOnce(Measurement) -> Measurement) -> Self {
        let first = self.cells.remove(0);
        self.cells.insert(0, change(first));
        self
    }

    /// The same without the first cell: it was not measured.
    pub(super) fn without_first(mut self) -> Self {
        self.cells.remove(0);
        self
    }

    /// The same with one value of the facts of the last target changed; `path` is a JSON pointer.
    pub(super) fn fact(mut self, path: &str, value: Value) -> Self {
        let target = &self.cells.last().unwrap().target;
        let facts = self.facts.get_mut(target).unwrap();
        let (parent, name) = path.rsplit_once('/').unwrap();
        facts.pointer_mut(parent).unwrap()[name] = value;
        self
    }

    /// The same with one value of the facts of every target changed.
    pub(super) fn every_fact(mut self, path: &str, value: &Value) -> Self {
        self.facts.values_mut().for_each(|facts| *facts.pointer_mut(path).unwrap() = value.clone());
        self
    }

    /// The same with a setting of the last target.
    pub(super) fn setting(self, name: &str, value: &str) -> Self {
        let setting =
            json!({ "value": value, "default": null, "source": "configuration file", "pending_restart": false });
        self.fact(&format!("/settings/{name}"), setting)
    }

    /// What would be read from its directory.
    pub(super) fn observed(&self) -> Observed {
        let plan: Plan = parse_plan("plan.yaml", self.plan.as_bytes()).unwrap();
        let (mut trials, mut series, mut seen) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut watched = BTreeMap::new();
        for block in 1..=BLOCKS {
            for cell in &self.cells {
                let number = trials.len() as u32 + 1;
                trials.push(serde_json::from_value(cell.trial(number, block)).unwrap());
                let text: Vec<String> = (0..self.seconds).map(|index| cell.line(index, block).to_string()).collect();
                let lines: Vec<SeriesLine<'_>> = text.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
                series.insert(number, lines.iter().map(SecondFigures::from).collect());
                let activity: Vec<_> =
                    (0..self.seconds).map(|index| serde_json::from_value(cell.activity(index)).unwrap()).collect();
                seen.insert(number, seen_while_measuring(&activity));
                let tables = serde_json::from_value(cell.tables_json()).unwrap();
                let watching = WatchedPhase::from_lines(lines, activity).with_log(Some(cell.log()));
                let plans = serde_json::from_value(cell.plans_json()).unwrap();
                let statements = serde_json::from_value(cell.statements.clone()).unwrap();
                let mut watching = watching.with_tables(tables).with_plans(plans).with_statements(statements);
                watching.statement_latency = serde_json::from_value(cell.times_json(block)).unwrap();
                let profile: Option<Profile> = serde_json::from_value(cell.profile.clone()).unwrap();
                watching.profile = profile.map(CpuProfile::of_samples);
                watching.off_cpu = serde_json::from_value(cell.off_cpu.clone()).unwrap();
                if let Some(why) = &cell.not_its_own {
                    watching.take_back(why, false, |_| true);
                }
                watched.insert(number, watching);
            }
        }
        let run = json!({
            "format": 2, "id": "2026-11-20T09-12-00-a-test", "name": "a test", "pgdyno_version": "0.1.0",
            "started_at": "2026-11-20T09:12:00Z", "generator": { "cpus": 4, "kernel": "6.18" },
            "schedule": { "seed": 1, "trials": [] },
        });
        Observed {
            run: serde_json::from_value(run).unwrap(),
            plan_yaml: self.plan.clone(),
            plan: Some(plan),
            facts: self
                .facts
                .iter()
                .map(|(name, f)| (name.clone(), serde_json::from_value(f.clone()).unwrap()))
                .collect(),
            trials,
            series,
            turns: BTreeMap::new(),
            tallies: BTreeMap::new(),
            seen,
            watched,
            workloads: BTreeMap::from([("read".to_owned(), serde_json::from_value(statements(&self.texts)).unwrap())]),
            asked: Vec::new(),
            disks: Vec::new(),
            tuning: None,
            load_place: None,
            rehearsal: None,
            viewers: Vec::new(),
        }
    }

    /// What all rules say of it, whichever side is the baseline.
    #[track_caller]
    pub(super) fn diagnosis(&self) -> Diagnosis {
        diagnosed_every_way_round(&self.observed())
    }

    /// What one rule says of its last cell.
    pub(super) fn look(&self, rule: &Rule) -> Looked {
        self.of_last(rule.look)
    }

    /// What can be said of its last cell.
    pub(super) fn of_last<T>(&self, say: impl FnOnce(&DiagnosisCase<'_>) -> T) -> T {
        self.of_last_in(&self.observed(), say)
    }

    fn of_last_in<T>(&self, observed: &Observed, say: impl FnOnce(&DiagnosisCase<'_>) -> T) -> T {
        let question: RunQuestion = RunQuestion::of_run(observed);
        let cells = Cells::from_observed(observed, &question);
        let last = self.cells.last().unwrap();
        let is_last =
            |case: &DiagnosisCase<'_>| case.cell().target == last.target && case.cell().clients == last.clients;
        say(&cells.all_cases().find(is_last).unwrap())
    }

    /// What one rule finds in its last cell, after checking that its plan can be run.
    pub(super) fn finds(&self, rule: &Rule) -> CaseFinding {
        let found = self.look(rule).unwrap().expect("the rule finds something");
        self.diagnosis();
        self.confirms_on_every_kind_of_target(rule);
        assert!(!found.windows.is_empty(), "{found:?}");
        assert!(!found.figures.is_empty(), "{found:?}");
        found
    }

    /// Whether the plan that would confirm the finding can be read, whatever the server, the work and the sides' way of
    /// alternating are; the plan of a run has everything written out.
    fn confirms_on_every_kind_of_target(&self, rule: &Rule) {
        let plain = parse_plan("plan.yaml", self.plan.as_bytes()).unwrap();
        let mut confirmed = 0;
        for reach in [None, Some("{ url: \"postgresql://bench@h/d\" }"), Some("{ local: { version: 17 } }")] {
            for script in [false, true] {
                for turns in [false, true] {
                    let mut plan = plain.clone();
                    if let Some(reach) = reach {
                        let of = PLAN.replace("{ local: { version: 17 } }", reach);
                        let reach = parse_plan("plan.yaml", of.as_bytes()).unwrap().targets.remove(0).reach;
                        plan.targets.iter_mut().for_each(|target| target.reach = reach.clone());
                    }
                    if script {
                        let of =
                            PLAN.replace("{ builtin: select-only, scale: 100 }", "{ script: [scripts/read/t.sql] }");
                        let work = parse_plan("plan.yaml", of.as_bytes()).unwrap().workloads.remove(0).work;
                        plan.workloads.iter_mut().for_each(|workload| workload.work = work.clone());
                    }
                    let mut plan = plan.complete_with_defaults(1, 4);
                    if turns {
                        plan.workloads.iter_mut().for_each(|workload| workload.interleave = Some(Interleave::Slices));
                    }
                    let names_scripts = plan.workloads[0].own_scripts().is_some();
                    let mut observed = self.observed();
                    observed.plan = Some(plan);
                    let Ok(Some(found)) = self.of_last_in(&observed, rule.look) else { continue };
                    for yaml in [found.confirm.plan_yaml(), found.confirm.yaml_elsewhere(Path::new("/runs/x"))] {
                        let yaml = yaml.unwrap();
                        let read = parse_plan("confirm.yaml", yaml.as_bytes());
                        let read = read.unwrap_or_else(|errors| panic!("{}: {errors}\n{yaml}", rule.code.name));
                        let path = read.workloads[0].own_scripts().map(|own| own.files[0].path.clone());
                        assert_eq!(path.is_some(), names_scripts, "{}", rule.code.name);
                    }
                    confirmed += 1;
                }
            }
        }
        assert!(confirmed > 0, "{}: its plan was looked at", rule.code.name);
    }

    /// Asserts that one rule finds nothing in its last cell.
    #[track_caller]
    pub(super) fn is_fine_for(&self, rule: &Rule) {
        let looked = self.look(rule);
        assert!(matches!(looked, Ok(None)), "{looked:?}");
        self.diagnosis();
    }

    /// What one rule lacks to tell, in words.
    #[track_caller]
    pub(super) fn lacks(&self, rule: &Rule) -> String {
        self.look(rule).expect_err("the rule lacks something").to_string()
    }
}

impl Measurement {
    pub(super) fn healthy(target: &str, clients: u32) -> Self {
        let cell = Self {
            target: target.to_owned(),
            clients,
            throughput_per_s: 4000.0,
            slower_by: [1.0; BLOCKS as usize],
            turn: None,
            not_its_own: None,
            seen: vec![],
            probes: Map::new(),
            load: Map::new(),
            log: Ok(vec![]),
            written: None,
            locks: json!([]),
            others: json!([]),
            idle: json!([]),
            processes: json!([]),
            tables: Ok(vec![]),
            sequences: json!([]),
            functions: json!([]),
            catalog: Value::Null,
            plans: Ok(vec![]),
            statements: Value::Null,
            queries: vec![],
            times_ms: Vec::new(),
            profile: Value::Null,
            off_cpu: Value::Null,
            seconds: BTreeMap::new(),
        };
        cell.sees("idle", Some("Client:ClientRead"), 12)
            .sees("active", None, 28)
            .probe("host.cpu", &[("user_us", 1.6e6), ("idle_us", 2.3e6), ("iowait_us", 0.1e6), ("steal_us", 0.0)])
            .probe(
                "host.server",
                &[
                    ("backends_cpu_us", 1.9e6),
                    ("backends_run_delay_us", 0.1e6),
                    ("backends", 4.0),
                    ("others_cpu_us", 50_000.0),
                ],
            )
            .probe("host.processes", &[("checkpointer.processes", 1.0), ("checkpointer.cpu_us", 5_000.0)])
            .probe("host.foreign", &[("cpu_us", 50_000.0)])
            .probe("host.cgroup", &[("cpu_periods", 10.0), ("cpu_throttled_periods", 0.0), ("cpu_throttled_us", 0.0)])
            .probe("host.tcp", &[("segments_sent", 9000.0), ("segments_retransmitted", 0.0)])
            .probe("host.pressure", &[("memory_some_us", 0.0)])
            .probe("pg.database", &[("sessions", 0.0), ("temp_bytes", 0.0), ("deadlocks", 0.0)])
            .probe("pg.locks", &[("waiting", 0.0), ("waiting_for_rows", 0.0)])
            .probe(
                "pg.checkpointer",
                &[("timed", 0.0), ("requested", 0.0), ("write_time_us", 0.0), ("buffers_written", 0.0)],
            )
            .probe("pg.wal", &[("bytes", 1e6), ("full_page_images", 10.0), ("syncs", 0.0)])
            .probe("pg.archiver", &[("archived", 0.0), ("failed", 0.0)])
            .probe("pg.tables", &[("dead_tuples", 100.0)])
            .probe("pg.horizon", &[("held_by_sessions", 4.0), ("vacuums_running", 0.0)])
    }

    /// Transactions per second.
    pub(super) fn throughput(mut self, per_s: f64) -> Self {
        self.throughput_per_s = per_s;
        self
    }

    /// Is thirty times as slow in the second block, and ten times in the third, in whatever it does.
    pub(super) fn slow_blocks(mut self) -> Self {
        self.slower_by = [1.0, 30.0, 10.0];
        self
    }

    /// Has its turn for this share of every second: as fast as without turns in that time, and still in the rest.
    pub(super) fn takes_turns(mut self, share: f64) -> Self {
        self.turn = Some(share);
        let measure_us = (share * f64::from(SECONDS) * 1e6) as u64;
        let transactions = (share * self.throughput_per_s * f64::from(SECONDS)) as u64;
        let counted = ["host.server", "pg.wal"].map(|probe| self.probes[probe]["values"].clone());
        for (probe, values) in ["host.server", "pg.wal"].into_iter().zip(counted) {
            for (field, value) in values.as_object().unwrap().iter().filter(|(field, _)| *field != "backends") {
                self.probes[probe]["values"][field] = json!(value.as_f64().unwrap() * share);
            }
        }
        self.load("measure_us", json!(measure_us)).load("transactions", json!(transactions))
    }

    /// What its server counts is not its own, for this reason.
    pub(super) fn not_its_own(mut self, why: &str) -> Self {
        self.not_its_own = Some(why.to_owned());
        self
    }

    /// Forgets what was seen of the sessions.
    pub(super) fn sees_nothing(mut self) -> Self {
        self.seen.clear();
        self
    }

    /// Sessions in a state and, as `Class:Event`, a wait, in every second.
    pub(super) fn sees(mut self, state: &str, wait: Option<&str>, sessions: u64) -> Self {
        let mut seen = json!({ "state": state, "sessions": sessions });
        if let Some((class, event)) = wait.map(|wait| wait.split_once(':').unwrap()) {
            seen["wait"] = json!({ "class": class, "event": event });
        }
        self.seen.push(seen);
        self
    }

    /// Figures that a probe reads in every second, beside or instead of those before.
    pub(super) fn probe(mut self, name: &str, values: &[(&str, f64)]) -> Self {
        let reading =
            self.probes.entry(name).or_insert_with(|| json!({ "took_us": 9, "over_us": 1_000_000, "values": {} }));
        for (field, value) in values {
            reading["values"][*field] = json!(value);
        }
        self
    }

    /// Figures that a probe reads in every second, and no others.
    pub(super) fn reads_only(mut self, name: &str, values: &[(&str, f64)]) -> Self {
        self.probes.remove(name);
        self.probe(name, values)
    }

    /// What a probe reads in every second, for a second that differs.
    pub(super) fn reading(&self, name: &str) -> Value {
        self.probes[name].clone()
    }

    /// A probe that reads nothing, and why.
    pub(super) fn gap(mut self, name: &str, why: &str) -> Self {
        self.probes.insert(name.to_owned(), json!({ "took_us": 9, "gap": why }));
        self
    }

    /// A figure of what the load did, in place of the one that it has.
    pub(super) fn load(mut self, name: &str, value: Value) -> Self {
        self.load.insert(name.to_owned(), value);
        self
    }

    /// A message of the server's log so many seconds after the load's start, in every trial.
    pub(super) fn logs(mut self, at_s: f64, mut event: Value) -> Self {
        event["at_us"] = json!((at_s * 1e6) as i64);
        event["severity"] = json!("log");
        self.log.as_mut().unwrap().push(event);
        self
    }

    /// A log that cannot be read, and why.
    pub(super) fn no_log(mut self, why: &str) -> Self {
        self.log = Err(why.to_owned());
        self
    }

    /// A log of so many messages, none of a known kind, and so many bytes, in every trial.
    pub(super) fn log_of(mut self, messages: u64, bytes: u64) -> Self {
        self.written = Some((messages, bytes));
        self
    }

    /// Who is connected to the server and idle, over all samples of a second, of which there is one.
    pub(super) fn idle_sessions(mut self, idle: Value) -> Self {
        self.idle = idle;
        self
    }

    /// Who else is at work in every second, none where nobody looked.
    pub(super) fn others(mut self, others: Value) -> Self {
        self.others = others;
        self
    }

    /// What processes of the server are seen doing in every second.
    pub(super) fn sees_processes(mut self, processes: Value) -> Self {
        self.processes = processes;
        self
    }

    /// For what locks, and behind whom, sessions are seen waiting in every second.
    pub(super) fn locks(mut self, locks: Value) -> Self {
        self.locks = locks;
        self
    }

    /// What was done to the tables in every trial.
    pub(super) fn tables(mut self, tables: Vec<Value>) -> Self {
        self.tables = Ok(tables);
        self
    }

    /// The functions of its database; null where they were not read.
    pub(super) fn functions(mut self, functions: &Value) -> Self {
        self.functions = functions.clone();
        self
    }

    /// What the catalogs say of its tables; null where they were not read.
    pub(super) fn catalog(mut self, catalog: &Value) -> Self {
        self.catalog = catalog.clone();
        self
    }

    /// What was done to the sequences in every trial; null where that was not read.
    pub(super) fn sequences(mut self, sequences: &Value) -> Self {
        self.sequences = sequences.clone();
        self
    }

    /// Tables of which nothing is known.
    pub(super) fn no_tables(mut self) -> Self {
        self.tables = Err("timed out".to_owned());
        self
    }

    /// How its statements would be executed, each the root of a plan whose shape is its text; or of its two,
    /// `custom` and `generic`.
    pub(super) fn plans(mut self, roots: Vec<Value>) -> Self {
        self.plans = Ok(roots);
        self
    }

    /// Plans of which nothing is known.
    pub(super) fn no_plans(mut self) -> Self {
        self.plans = Err("permission denied".to_owned());
        self
    }

    /// What was counted of its statements in every trial: fields beside or instead of nothing at all.
    pub(super) fn statements(mut self, fields: Value) -> Self {
        self.statements =
            json!({ "format": 1, "over_us": SECONDS * 1_000_000, "calls": 0, "total_us": 0, "statements": [] });
        let Value::Object(fields) = fields else { panic!("{fields} has no fields") };
        self.statements.as_object_mut().unwrap().extend(fields);
        self
    }

    /// Sessions that are seen executing this query in every second.
    pub(super) fn executes(mut self, query_id: i64) -> Self {
        self.queries.push(json!({ "query_id": query_id, "sessions": 9 }));
        self
    }

    /// How long each of its statements takes in every transaction, in milliseconds.
    pub(super) fn times(mut self, ms: &[f64]) -> Self {
        self.times_ms = ms.to_vec();
        self
    }

    /// What its server was seen executing in every trial.
    pub(super) fn profile(mut self, profile: Value) -> Self {
        self.profile = profile;
        self
    }

    /// Where its sessions were seen asleep in every trial, in 100 samples of all of them.
    pub(super) fn sleeps(mut self, places: &Value) -> Self {
        let looks = 100 * self.clients;
        let load = json!({ "kind": "load", "processes": self.clients, "present": looks, "looks": looks, "runnable": 0,
                           "places": places });
        self.off_cpu =
            json!({ "format": 1, "period_us": 100_000, "samples": 100, "took_us": 900, "processes": [load] });
        self
    }

    /// Statements that were not timed.
    pub(super) fn no_times(self) -> Self {
        self.times(&[])
    }

    fn times_json(&self, block: u32) -> Value {
        let executions = (self.throughput_in(block) * f64::from(SECONDS)) as u64;
        let of = |ms: &f64| {
            let ns = ms * 1e6;
            let whole = ns as u64;
            json!({ "executions": executions,
                    "latency": { "mean_ns": ns, "stddev_ns": 0.0, "min_ns": whole, "p50_ns": whole, "p95_ns": whole,
                                 "p99_ns": whole, "p999_ns": whole, "max_ns": whole } })
        };
        match self.times_ms.as_slice() {
            [] => Value::Null,
            times => json!({ "format": 1, "statements": times.iter().map(of).collect::<Vec<_>>() }),
        }
    }

    fn plans_json(&self) -> Value {
        let plan = |root: &Value| {
            let shape = format!("{} {}", root["node"], root["index"]);
            let mut plan = json!({ "shape": shape, "jit": root["jit"] == true, "root": root });
            for field in ["planning", "settings"] {
                if let Some(value) = root.get(field) {
                    plan[field] = value.clone();
                }
            }
            if let Some(execution) = root.get("execution_of_plan") {
                plan["execution"] = execution.clone();
            }
            plan
        };
        let plan = |(number, root): (usize, &Value)| match (root.get("custom"), root.get("generic")) {
            (Some(custom), Some(generic)) => {
                json!({ "statement": number, "custom": plan(custom), "generic": plan(generic) })
            }
            (Some(_), None) | (None, _) => {
                json!({ "statement": number, "custom": plan(root), "prepared": root.get("prepared").unwrap_or(&json!(true)) })
            }
        };
        match &self.plans {
            Ok(roots) => {
                let plans: Vec<Value> = roots.iter().enumerate().map(plan).collect();
                json!({ "format": 1, "statements": plans })
            }
            Err(gap) => json!({ "format": 1, "gap": gap, "statements": [] }),
        }
    }

    fn tables_json(&self) -> Value {
        match &self.tables {
            Ok(tables) => json!({ "format": 1, "over_us": SECONDS * 1_000_000, "tables": tables,
                                  "sequences": self.sequences, "functions": self.functions, "catalog": self.catalog,
                                  "sizes_gap": "canceling statement due to lock timeout" }),
            Err(gap) => json!({ "format": 1, "over_us": 0, "gap": gap, "tables": [] }),
        }
    }

    fn log(&self) -> ServerLog {
        let mut log = ServerLog { origin: Origin::default(), entries: vec![] };
        match &self.log {
            Ok(events) => {
                if let Some((messages, bytes)) = self.written {
                    log.origin.messages.insert(Severity::Log, messages);
                    log.origin.bytes = Some(bytes);
                    log.origin.over_us = Some(u64::from(SECONDS) * 1_000_000);
                }
                log.entries = events.iter().map(|event| serde_json::from_value(event.clone()).unwrap()).collect();
            }
            Err(why) => log.origin.gaps.push(why.clone()),
        }
        log
    }

    /// Other fields of one second, in every trial.
    pub(super) fn second(mut self, index: u32, fields: Value) -> Self {
        self.seconds.insert(index, fields);
        self
    }

    /// Slightly different in every block, so that there is something to estimate.
    fn throughput_in(&self, block: u32) -> f64 {
        let slower_by = self.slower_by[(block - 1) as usize];
        self.throughput_per_s * (1.0 + 0.01 * f64::from(block % 3)) / slower_by
    }

    fn latency_ns(&self, block: u32) -> f64 {
        f64::from(self.clients) / self.throughput_in(block) * 1e9
    }

    fn trial(&self, number: u32, block: u32) -> Value {
        let mean_ns = self.latency_ns(block);
        let ns = mean_ns as u64;
        let mut load = json!({
            "measure_us": u64::from(SECONDS) * 1_000_000,
            "transactions": (self.throughput_in(block) * f64::from(SECONDS)) as u64,
            "failed": 0, "unknown": 0, "scripts": {},
            "latency": { "mean_ns": mean_ns, "stddev_ns": 0.0, "min_ns": ns, "p50_ns": ns, "p95_ns": ns, "p99_ns": ns,
                         "p999_ns": ns, "max_ns": ns },
            "engine": { "backend": "epoll", "threads": 1, "cpu_us": 2_400_000, "cpu_system_us": 1_000_000,
                        "busiest_thread": 0.2, "busiest_demand": 0.22, "loop_lag_ns_max": 100_000 },
        });
        load.as_object_mut().unwrap().extend(self.load.clone());
        json!({
            "format": 2, "number": number, "block": block, "role": "main",
            "cell": { "target": self.target, "workload": "read", "clients": self.clients },
            "outcome": { "state": "completed" }, "phases": [], "preparation": [], "finishing": [], "settings": {},
            "load": load, "caveats": [],
            "slices": self.turn.map(|_| json!({ "with": [], "length_us": 100_000 })),
        })
    }

    fn line(&self, index: u32, block: u32) -> Value {
        let mean_ns = self.latency_ns(block);
        let ns = mean_ns as u64;
        let mut line = json!({
            "phase": "measure", "index": index, "start_us": u64::from(index) * 1_000_000, "duration_us": 1_000_000,
            "transactions": self.throughput_in(block) as u64, "failed": 0,
            "latency": { "mean_ns": mean_ns, "p50_ns": ns, "p95_ns": ns, "p99_ns": ns, "max_ns": ns },
            "engine": { "cpu_us": 200_000, "busiest_thread": 0.2, "loop_lag_ns_max": 100_000 },
            "probes": self.probes,
        });
        if let Some(share) = self.turn {
            line["turn_us"] = json!((share * 1e6) as u64);
            line["transactions"] = json!((share * self.throughput_in(block)) as u64);
        }
        for (field, value) in self.seconds.get(&index).and_then(Value::as_object).into_iter().flatten() {
            match (field.as_str(), value) {
                ("probes", Value::Object(probes)) => {
                    line["probes"].as_object_mut().unwrap().extend(probes.clone());
                }
                ("seen" | "samples", _) => {}
                _ => line[field] = value.clone(),
            }
        }
        line
    }

    fn activity(&self, index: u32) -> Value {
        let of_second = |field: &str| self.seconds.get(&index).and_then(|fields| fields.get(field)).cloned();
        let (seen, samples) = (of_second("seen"), of_second("samples").unwrap_or(json!(10)));
        json!({ "phase": "measure", "index": index, "samples": samples, "took_us": 900, "period_us": 100_000, "locks": self.locks,
                "others_samples": u32::from(!self.others.is_null()), "others": self.others.as_array().into_iter().flatten().collect::<Vec<_>>(),
                "idle": self.idle, "queries": self.queries, "processes_samples": 1, "processes": self.processes,
                "seen": seen.unwrap_or_else(|| Value::Array(self.seen.clone())) })
    }
}

/// The workload's statements where nothing else is said.
const TEXTS: [&str; 2] = ["SELECT", "SELECT total($1) FROM sums"];

fn statements(texts: &[&str]) -> Value {
    let statement = |(line, text): (u32, &&str)| json!({ "script": "t.sql", "line": line, "kind": "sql", "text": text, "variants": 1 });
    json!({ "format": 1, "workload": "read", "statements": (2..).zip(texts).map(statement).collect::<Vec<_>>() })
}

fn facts(name: &str) -> Value {
    json!({
        "format": 1, "name": name, "platform": "local", "read_at": "2026-11-20T09:12:00Z",
        "path": { "transport": "unix", "address": "/tmp/x", "port": 5432, "same_host": true },
        "server": { "version": "PostgreSQL 17.6 on x86_64", "version_num": 170_006, "in_recovery": false,
                    "started_at": null, "database_bytes": 1, "locale": null },
        "settings": {}, "gaps": {},
        "host": { "cpu_model": null, "cpus": 4, "memory_bytes": 8_000_000_000_u64, "kernel": "6.18", "os": null,
                  "virtualization": null, "data_disk": null, "cgroup": { "cpus": null, "memory_bytes": null } },
    })
}
