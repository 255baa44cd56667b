//! Studies made from Little's law with which nothing is wrong: of a path, of a disk, and of CPUs as what a transaction
//! waits for. No rule may accuse them, whether much is known of them or little.

use super::account::{clean, trial};
use crate::audit::material::{AuditedSide, Material, Residency, StatedDiskStage, TrialAccount, TrialCommon};
use crate::audit::{BenchmarkAudit, CheckRuling, audit_material};

/// What one transaction takes alone, and how many of them the bottleneck lets through: latency is the larger of the
/// former and clients / the latter.
struct Limit {
    name: &'static str,
    data: &'static str,
    scale: u32,
    /// Of one statement and of seven.
    alone_ms: [f64; 2],
    most_per_s: [f64; 2],
    /// The part of `alone_ms` that is spent on the path.
    path_ms: [f64; 2],
}

const LIMITS: [Limit; 3] = [
    // 20 ms there and back, seven times; in the end the server's CPUs.
    Limit {
        name: "path",
        data: "in-memory",
        scale: 1000,
        alone_ms: [20.0, 143.0],
        most_per_s: [12_000.0, 1_500.0],
        path_ms: [19.5, 136.5],
    },
    // Every transaction reads the disk once; the commit and seven round trips add little.
    Limit {
        name: "disk",
        data: "disk-bound",
        scale: 10_000,
        alone_ms: [1.0, 2.2],
        most_per_s: [9_000.0, 8_000.0],
        path_ms: [0.1, 0.7],
    },
    // Busy from the first rung on; a transaction of seven takes thrice the CPU time.
    Limit {
        name: "CPUs",
        data: "in-memory",
        scale: 1000,
        alone_ms: [0.1, 0.3],
        most_per_s: [30_000.0, 10_000.0],
        path_ms: [0.02, 0.14],
    },
];

const CLIENTS: [u32; 8] = [4, 8, 16, 32, 64, 128, 256, 512];

impl Limit {
    fn study(&self) -> Material {
        let mut material = clean();
        for side in &mut material.sides {
            *side = AuditedSide { memory_bytes: Some(64 << 30), ..side.clone() };
            side.settings.insert("shared_buffers".to_owned(), "24GB".to_owned());
        }
        material.design.interleaved = false;
        let residency = if self.data == "in-memory" { Residency::Memory } else { Residency::Disk };
        material.design.stated_clients = vec![(Some(residency), CLIENTS.to_vec())];
        material.trials.clear();
        for side in ["vm", "pod"] {
            for (repetition, noise) in [1.01, 0.98, 1.0].into_iter().enumerate() {
                for (work, script) in ["select-only", "tpcb-like"].into_iter().enumerate() {
                    // The pod is a little slower, and not always by the same.
                    let slower = if side == "pod" { 1.05 + 0.01 * repetition as f64 } else { 1.0 } * noise;
                    let mut told = CLIENTS.map(|clients| self.trial(side, script, work, clients, slower));
                    told.iter_mut().for_each(|trial| trial.residency = Some(residency));
                    material.trials.extend(told);
                }
            }
        }
        material
    }

    fn trial(&self, side: &str, script: &str, work: usize, clients: u32, slower: f64) -> TrialAccount {
        let queued_ms = f64::from(clients) / self.most_per_s[work] * 1e3;
        let latency_ms = slower * f64::max(self.alone_ms[work], queued_ms);
        let mut told = trial(side, script, clients, latency_ms);
        told.workload = format!("{} {script}", self.data);
        told.scale = Some(self.scale);
        told.outside_server = Some(self.path_ms[work] / latency_ms);
        told
    }
}

/// As somebody's table tells it: rate and latency of each trial, and nothing of machines.
fn as_a_table(mut material: Material) -> Material {
    for trial in &mut material.trials {
        trial.measured_s = None;
        *trial.common = TrialCommon {
            outside_server: None,
            between_ms: None,
            between_is_random: false,
            generator_demand: None,
            backend: None,
            host_busy: None,
            stolen: None,
            foreign: None,
            each_per_s: vec![],
            ..TrialCommon::clone(&trial.common)
        };
    }
    for stage in &mut material.stages {
        *stage = StatedDiskStage { jobs: None, synced: None, ..stage.clone() };
    }
    for side in &mut material.sides {
        *side = AuditedSide { name: side.name.clone(), storage: side.storage.clone(), ..AuditedSide::default() };
    }
    material
}

/// As `as_a_table`, and nothing is said of the data.
fn without_data(material: Material) -> Material {
    let mut material = as_a_table(material);
    material.trials.iter_mut().for_each(|trial| trial.residency = None);
    material
}

#[test]
fn no_rule_accuses_a_sound_study_whatever_was_its_limit() {
    let tellings: [fn(Material) -> Material; 3] = [|material| material, as_a_table, without_data];
    for limit in &LIMITS {
        for (index, telling) in tellings.iter().enumerate() {
            let BenchmarkAudit { findings, .. } = audit_material(&telling(limit.study()));
            for (check, outcome) in findings {
                let is_broken = matches!(outcome.verdict, CheckRuling::Broken(_));
                assert!(!is_broken, "{}, told in way {index}: {}: {outcome:#?}", limit.name, check.code.name);
            }
        }
    }
}
