//! A run directory and a server over it.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use plan::schedule::schedule_trials;
use results::interval::TrialInterval;
use results::run::{FORMAT, Run};
use results::store::{RunDir, TrialWriter};
use results::trial::{Trial, TrialOutcome};
use serde_json::json;
use serve::{AccessToken, ReportServer, ServedRuns};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::client::Address;

const PLAN: &str = "name: Served
targets: { old: { url: 'host=a' }, new: { url: 'host=b' } }
baseline: old
workloads: { write: { builtin: simple-update, scale: 1 } }
clients: [8]
trial: { warm_up: 2s, measure: 10s }
blocks: { at_least: 3, at_most: 6, until: 2% }
seed: 1
";

/// A directory with one run of two targets, of which nothing is measured yet.
pub struct Place {
    directory: TempDir,
    pub run: Run,
}

impl Place {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let plan = plan::parse_plan("plan.yaml", PLAN.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"));
        let run = Run {
            format: FORMAT,
            id: "2026-11-20T09-12-00-served".to_owned(),
            name: plan.name.clone(),
            pgdyno_version: "0.1.0".to_owned(),
            started_at: "2026-11-20T09:12:00Z".parse().expect("an instant"),
            generator: None,
            schedule: schedule_trials(&plan, 1),
            imported: None,
        };
        RunDir::create(&directory.path().join("runs"), &run, PLAN, &[]).expect("a run directory");
        Self { directory, run }
    }

    pub fn runs(&self) -> PathBuf {
        self.directory.path().join("runs")
    }

    pub fn path(&self) -> PathBuf {
        self.runs().join(&self.run.id)
    }

    pub fn dir(&self) -> RunDir {
        RunDir::open(&self.path()).expect("the run")
    }

    /// A server over the run, on a port that is free.
    pub fn serve(&self) -> Serving {
        Serving::start(&self.path(), &self.token(), 0)
    }

    /// Where the token is kept.
    pub fn token(&self) -> PathBuf {
        self.directory.path().join("token")
    }

    /// Begins a trial, whose load starts now.
    pub fn begin(&self, number: u32) -> TrialWriter {
        self.dir().begin_trial(number, Timestamp::now()).expect("a trial")
    }

    /// Measures a trial of so many seconds to its end.
    pub fn measure(&self, number: u32, seconds: u32) {
        let mut writer = self.begin(number);
        (0..seconds).for_each(|index| append(&mut writer, index, 1000));
        self.commit(writer, number);
    }

    pub fn commit(&self, writer: TrialWriter, number: u32) {
        writer.commit(&self.trial(number)).expect("a trial that is committed");
    }

    fn trial(&self, number: u32) -> Trial {
        let scheduled = &self.run.schedule.trials[number as usize - 1];
        let phase =
            |phase: &str, us: u64| json!({ "phase": phase, "started_at": "2026-11-20T09:13:00Z", "duration_us": us });
        serde_json::from_value(json!({
            "format": results::trial::FORMAT, "number": number, "block": scheduled.block, "cell": scheduled.cell,
            "role": scheduled.role, "outcome": { "state": "completed" },
            "phases": [phase("set-up", 2_000_000), phase("measure", 10_000_000)], "preparation": [], "finishing": [],
            "settings": {}, "load": null, "incidents": [],
        }))
        .map(|trial: Trial| Trial { outcome: TrialOutcome::Completed, ..trial })
        .expect("a trial")
    }
}

/// Appends a second with so many transactions.
pub fn append(writer: &mut TrialWriter, index: u32, transactions: u64) {
    let latency =
        json!({ "mean_ns": 1e6, "p50_ns": 900_000, "p95_ns": 2_000_000, "p99_ns": 3_000_000, "max_ns": 4_000_000 });
    let second: TrialInterval = serde_json::from_value(json!({
        "phase": "measure", "index": index, "start_us": u64::from(index) * 1_000_000, "duration_us": 1_000_000,
        "transactions": transactions, "failed": 0, "latency": latency, "engine": null, "probes": {},
    }))
    .expect("a second");
    writer.append_interval(&second, &[]).expect("a second");
}

/// A server that answers until it is dropped.
pub struct Serving {
    pub address: Address,
    _runtime: Runtime,
}

impl Serving {
    pub fn start(path: &Path, token: &Path, port: u16) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let site = ServedRuns::new(path).expect("something to serve");
        let token = AccessToken::read_or_create(token).expect("a token");
        let listener =
            serve::listen_on_address(IpAddr::V4(Ipv4Addr::LOCALHOST), port).unwrap_or_else(|error| panic!("{error}"));
        let server = ReportServer::new(listener, site, token).expect("it listens");
        let address = Address::of(&server.browser_url());
        runtime.spawn(server.serve_requests(None));
        Self { address, _runtime: runtime }
    }
}
