//! What is called disk-bound has to be larger than memory, and what is called in memory has to fit.

use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material, Residency, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "data-size-mismatch",
        group: CodeGroup::Memory,
        detects: "Data called disk-bound fit into memory, or data called in memory do not.",
        reported_if: "Data called disk-bound are smaller than shared_buffers or the memory, or data called in memory are \
                larger than both.",
        thresholds: &[],
        effects: &[IssueEffect::Weakens],
        why: "Such trials say nothing about the disks.",
        evidence: "Size of the data, shared_buffers and memory of each side.",
        fix: "Choose a scale that fits the claim.",
        confirm: "Repeat with a larger or smaller scale.",
        formerly: &["size-against-memory"],
    },
    about: RuleSubject::Transactions,
    rule: "data called \"disk-bound\" exceed shared_buffers and memory; data called \"in memory\" fit into memory",
    judge: check_data_size_mismatch,
};

fn check_data_size_mismatch(material: &Material) -> CheckResult {
    let claims = residency_claims(material);
    if claims.is_empty() {
        return material.holds_for_all_trials("no workload is called disk-bound or in memory");
    }
    let mut figures = Vec::new();
    let mut untold = 0;
    for (side, trial, residency) in claims {
        match compare_size_with_memory(side, trial, residency) {
            Some(figure) => figures.push(figure),
            None => untold += 1,
        }
    }
    let is_broken = figures.iter().any(|figure| figure.breaks);
    if is_broken {
        figures.extend(faster_from_disk(material));
        let consequence = "data called disk-bound were read from memory, or data called in memory from the disk: these \
                           trials neither confirm nor exclude the disks as the cause";
        return CheckResult::rule_broken(Weight::Conclusion, figures, consequence);
    }
    if untold > 0 {
        return CheckResult::cannot_tell("the size of the data, shared_buffers and the memory of each side", figures);
    }
    CheckResult::rule_holds(figures)
}

type ResidencyClaim<'a> = (&'a AuditedSide, &'a TrialAccount, Residency);

/// One trial for each side, claimed residency and size, side by side.
fn residency_claims(material: &Material) -> Vec<ResidencyClaim<'_>> {
    let mut claims: Vec<ResidencyClaim<'_>> = Vec::new();
    for side in &material.sides {
        for trial in material.trials.iter().filter(|trial| trial.side == side.name) {
            let Some(residency) = trial.residency else { continue };
            let is_known = |(known, of, at): &ResidencyClaim<'_>| {
                known.name == side.name && *at == residency && of.size_bytes() == trial.size_bytes()
            };
            if !claims.iter().any(is_known) {
                claims.push((side, trial, residency));
            }
        }
    }
    claims
}

fn compare_size_with_memory(side: &AuditedSide, trial: &TrialAccount, residency: Residency) -> Option<VerdictFigure> {
    let size = trial.size_bytes()?;
    let of = format!("{}, {}", side.name, in_words(residency));
    let data = match trial.scale {
        Some(scale) if trial.data_bytes.is_none() => format!("scale {scale} is about {}", format_gib(size)),
        _ => format_gib(size),
    };
    let against = |memory: u64, what: &str, breaks: bool| {
        let text = format!("{data}, {what} {}", format_gib(memory));
        Some(if breaks {
            VerdictFigure::against_rule(of.clone(), text)
        } else {
            VerdictFigure::within_rule(of.clone(), text)
        })
    };
    match residency {
        Residency::Disk => match (side.shared_buffers_bytes(), side.memory_bytes) {
            (Some(buffers), _) if size < buffers => against(buffers, "shared_buffers", true),
            (_, Some(memory)) => against(memory, "memory", size < memory),
            (_, None) => None,
        },
        Residency::Memory => match (side.shared_buffers_bytes(), side.memory_bytes) {
            (Some(buffers), _) if size <= buffers => against(buffers, "shared_buffers", false),
            (_, Some(memory)) => against(memory, "memory", size > memory),
            (_, None) => None,
        },
    }
}

/// Places at which the larger, "disk-bound" data were not slower than those "in memory".
fn faster_from_disk(material: &Material) -> Vec<VerdictFigure> {
    let of = |residency: Residency| material.trials.iter().filter(move |trial| trial.residency == Some(residency));
    let mut figures = Vec::new();
    for disk in of(Residency::Disk) {
        let alike = |memory: &&TrialAccount| {
            memory.side == disk.side
                && memory.clients == disk.clients
                && memory.script.is_some()
                && memory.script == disk.script
        };
        let Some(memory) = of(Residency::Memory).find(alike) else { continue };
        if let (Some(from_disk), Some(from_memory)) = (disk.throughput_per_s, memory.throughput_per_s)
            && from_disk > from_memory
        {
            let text = format!(
                "{} \"disk-bound\", {} \"in memory\"",
                units::format_tps(from_disk),
                units::format_tps(from_memory)
            );
            figures.push(VerdictFigure::against_rule(disk.place_in_words(), text));
        }
    }
    figures
}

fn in_words(residency: Residency) -> &'static str {
    match residency {
        Residency::Memory => "\"in memory\"",
        Residency::Disk => "\"disk-bound\"",
    }
}

fn format_gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64)
}
