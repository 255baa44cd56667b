//! Accounts to change a little: a clean comparison of two sides, of which every check can tell that its rule holds.

use results::imported::{FigureToldTwice, ToldTwice};
use results::trial::Cell;

use crate::audit::material::{
    AuditedSide, Design, Material, Residency, Rounding, StatedDiskFlow, StatedDiskStage, StatedScript, StatedTrialEnd,
    TrialAccount, TrialCommon, TrialDetail,
};
use crate::audit::{CHECKS, CheckResult, CheckRuling, Weight};

/// Two servers, a read and a write workload at four numbers of clients, three blocks, and three storage jobs.
pub(super) fn clean() -> Material {
    let sides = ["vm", "pod"].map(side);
    let mut trials = Vec::new();
    for side in &sides {
        for clients in [4, 8, 16, 32] {
            // A server of 8 CPUs with 0.5 ms of work in a read: throughput ends its rise at 16 clients.
            // No two servers are equal to the last digit.
            let slower = if side.name == "pod" { 1.01 } else { 1.0 };
            let read_ms = f64::max(1.0, f64::from(clients) / 16.0) * slower;
            let outside_server = Some(0.5 / read_ms);
            let mut reads = trial(&side.name, "select-only", clients, read_ms);
            reads.outside_server = outside_server;
            trials.push(reads);
            trials.push(trial(&side.name, "tpcb-like", clients, 9.0 * read_ms));
        }
    }
    let rates: Vec<f64> = trials.iter().filter_map(|trial| trial.throughput_per_s).collect();
    if let ([first, .., last], Some(trial)) = (rates.as_slice(), trials.last_mut()) {
        trial.changes = vec![("change %".to_owned(), 100.0 * (last / first - 1.0))];
    }
    let stages = sides.iter().flat_map(|side| stages(&side.name)).collect();
    let design = Design {
        repetitions: Some(3),
        averaged: false,
        keeps_best: Some(false),
        interleaved: true,
        may_differ_is_stated: true,
        may_differ: vec![],
        compares_peaks: Some(true),
        stated_s: Some(60.0),
        stated_clients: vec![(Some(Residency::Memory), vec![4, 8, 16, 32])],
        same_clients: false,
        generator: Some("pgbench".to_owned()),
    };
    let told_twice = vec![ToldTwice {
        cell: Cell { target: "vm".to_owned(), workload: trials[0].workload.clone(), clients: 4.into() },
        figure: FigureToldTwice::Throughput,
        in_tables: vec![4000.0],
        in_outputs: vec![4000.2],
        other_rates: std::collections::BTreeMap::new(),
        has_latency_in_table: false,
    }];
    Material { sides: sides.into(), trials, stages, swept: true, design, told_twice, ..Material::default() }
}

fn side(name: &str) -> AuditedSide {
    AuditedSide {
        name: name.to_owned(),
        versions: None,
        server_major: None,
        generator_major: None,
        memory_bytes: Some(16 << 30),
        cpus: Some(8.0),
        settings: [("shared_buffers", "4GB"), ("checkpoint_timeout", "30s")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        on_generator_host: Some(false),
        storage: Some("ssd".to_owned()),
        host: None,
        not_in_force: Some(vec![]),
    }
}

/// One minute in which the law holds.
pub(super) fn trial(side: &str, script: &str, clients: u32, latency_ms: f64) -> TrialAccount {
    let throughput_per_s = f64::from(clients) / latency_ms * 1e3;
    let common = TrialCommon {
        side: side.to_owned(),
        workload: format!("in-memory {script}"),
        script: StatedScript::from_name(script),
        residency: Some(Residency::Memory),
        scale: Some(100),
        clients: clients.into(),
        closed: true,
        between_ms: Some(0.0),
        between_is_random: false,
        stated_s: Some(60.0),
        each_per_s: (0..60).map(|second| throughput_per_s * (1.0 + 0.03 * f64::sin(2.4 * f64::from(second)))).collect(),
        failed_because: String::new(),
        generator_demand: Some(0.3),
        backend: Some("epoll".to_owned()),
        outside_server: Some(0.2),
        host_busy: Some(0.6),
        stolen: Some(0.0),
        foreign: Some(0.01),
        ..TrialCommon::default()
    };
    let detail = TrialDetail {
        common: common.into(),
        percentiles_ms: vec![(0.0, 0.5 * latency_ms), (50.0, 0.9 * latency_ms), (99.0, 3.0 * latency_ms)],
        measured_s: Some(60.0),
        end: StatedTrialEnd::Whole { failed: 0 },
        ..TrialDetail::default()
    };
    TrialAccount {
        detail: detail.into(),
        throughput_per_s: Some(throughput_per_s),
        latency_ms_mean: Some(latency_ms),
        transactions: Some((60.0 * throughput_per_s) as u64),
        ..TrialAccount::default()
    }
}

fn stages(side: &str) -> [StatedDiskStage; 3] {
    let stage = |job: &str, block_bytes, depth: f64, reads: Option<f64>, writes: Option<f64>| {
        let iops = reads.into_iter().chain(writes).sum::<f64>();
        let flow = |iops_here: f64| StatedDiskFlow {
            iops: iops_here,
            bytes_per_s: Some(iops_here * block_bytes as f64),
            latency_ms_mean: Some(depth / iops * 1e3),
            rounding: Rounding::default(),
        };
        StatedDiskStage {
            side: side.to_owned(),
            job: job.to_owned(),
            block_bytes: Some(block_bytes),
            stated_in_flight: Some(depth),
            jobs: Some(1),
            synced: Some(job == "wal"),
            paced: false,
            pattern: None,
            direct: Some(true),
            runtime_s: Some(60.0),
            moved_bytes: None,
            file_bytes: None,
            reads_of_device: None,
            executions_iops: vec![],
            reads: reads.map(flow),
            writes: writes.map(flow),
            stated: None,
        }
    };
    [
        stage("oltp", 8192, 32.0, Some(8000.0), Some(2000.0)),
        stage("seq-read", 1 << 20, 16.0, Some(900.0), None),
        stage("wal", 8192, 1.0, None, Some(1200.0)),
    ]
}

/// What the check of this name says.
pub(super) fn outcome(id: &str, material: &Material) -> CheckResult {
    let check = CHECKS.iter().find(|check| check.code.name == id).unwrap_or_else(|| panic!("no check {id}"));
    check.judge_material(material)
}

/// The check's verdict, as a word, with what it undermines.
pub(super) fn verdict(id: &str, material: &Material) -> String {
    match outcome(id, material).verdict {
        CheckRuling::Holds => "holds".to_owned(),
        CheckRuling::CannotTell { .. } => "cannot tell".to_owned(),
        CheckRuling::Broken(weight) => format!("broken: {}", weight_word(weight)),
    }
}

fn weight_word(weight: Weight) -> &'static str {
    weight.in_words().trim_start_matches("the ")
}
