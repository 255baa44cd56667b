//! What is called disk-bound has to be larger than memory, and what is called in memory has to fit. Data that fit into
//! the memory of one side only are compared in memory with data on a disk.

use std::collections::BTreeSet;

use super::{Check, RuleSubject, undeclared_difference};
use crate::audit::material::{AuditedSide, Material, Residency, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::compare::FactDifference;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "data-size-mismatch",
        group: CodeGroup::Memory,
        detects: "Data called disk-bound fit into memory, or data called in memory or warm do not. Or data fit into the \
                  memory of one side only.",
        reported_if: "Data called disk-bound are smaller than shared_buffers or the memory, or data called in memory or \
                warm are larger than both. Data that are said to fill shared_buffers are clearly smaller. Or the data of a workload are larger than shared_buffers or the memory of one side and \
                smaller than those of another, and the sides are not compared for that.",
        thresholds: &[RuleThreshold::more_than(
            "distance of the size from the memory of both sides",
            CLEARLY,
            ThresholdUnit::Share,
        )],
        effects: &[IssueEffect::Weakens],
        why: "Such trials say nothing about the disks, or compare a memory with a disk.",
        evidence: "Size of the data, shared_buffers and memory of each side.",
        fix: "Choose a scale that fits the claim.",
        confirm: "Repeat with a larger or smaller scale.",
        formerly: &["size-against-memory"],
    },
    about: RuleSubject::Transactions,
    rule: "data called \"disk-bound\" exceed shared_buffers and memory; data called \"in memory\" or \"warm\" fit into \
           memory; data that \"fill\" shared_buffers are as large. Data fit into the memory of all sides or of none, \
           unless that is what is compared",
    judge: check_data_size_mismatch,
};

fn check_data_size_mismatch(material: &Material) -> CheckResult {
    let claims = residency_claims(material);
    let unlike = unlike_fit_figures(material);
    if unlike.iter().any(|figure| figure.breaks) {
        let claimed = claims.into_iter().filter_map(|(side, trial, of)| compare_size_with_memory(side, trial, of));
        let consequence = "these data fit into a memory of one side and not into that of another. So the difference of the \
                           sides contains that of memory and disk, or of shared_buffers and page cache";
        return CheckResult::rule_broken(Weight::Comparison, unlike.into_iter().chain(claimed).collect(), consequence);
    }
    if claims.is_empty() && unlike.is_empty() {
        return material.holds_for_all_trials("no workload is called disk-bound or in memory");
    }
    let mut figures = unlike;
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
        let consequence = "data called disk-bound were read from memory, or data called in memory or warm from the disk: \
                           these trials neither confirm nor exclude the disks as the cause";
        return CheckResult::rule_broken(Weight::Conclusion, figures, consequence);
    }
    if untold > 0 {
        return CheckResult::cannot_tell("the size of the data, shared_buffers and the memory of each side", figures);
    }
    CheckResult::rule_holds(figures)
}

/// The size that follows from a scale is known within so much.
const CLEARLY: f64 = 0.1;

/// A memory of a side in which data may be, and whether a difference is one of it.
struct KindOfMemory {
    name: &'static str,
    of_side: fn(&AuditedSide) -> Option<u64>,
    is_difference: fn(&FactDifference) -> bool,
}

const MEMORIES: [KindOfMemory; 2] = [
    KindOfMemory {
        name: "shared_buffers",
        of_side: AuditedSide::shared_buffers_bytes,
        is_difference: |unlike| unlike.what == "shared_buffers",
    },
    KindOfMemory {
        name: "memory",
        of_side: |side| side.memory_bytes,
        is_difference: |unlike| {
            let words = ["memory", "ram"];
            unlike.what.to_lowercase().split(['.', ' ']).any(|word| words.contains(&word))
        },
    },
];

fn sizes_on_side(material: &Material, side: &AuditedSide) -> BTreeSet<u64> {
    material.trials.iter().filter(|trial| trial.side == side.name).filter_map(TrialAccount::size_bytes).collect()
}

/// Data of a workload that fit into a memory of the baseline and not into that of a candidate, or the other way round.
fn unlike_fit_figures(material: &Material) -> Vec<VerdictFigure> {
    let Some((baseline, candidates)) = material.sides.split_first() else { return Vec::new() };
    let of_baseline = sizes_on_side(material, baseline);
    let mut figures = Vec::new();
    for candidate in candidates {
        for size in sizes_on_side(material, candidate).into_iter().filter(|size| has_about(&of_baseline, *size)) {
            for memory in &MEMORIES {
                let (Some(here), Some(there)) = ((memory.of_side)(baseline), (memory.of_side)(candidate)) else {
                    continue;
                };
                if !is_clearly_between(size, here, there) {
                    continue;
                }
                let text = format!(
                    "data of about {}, {} {} / {}",
                    format_gib(size),
                    memory.name,
                    format_gib(here),
                    format_gib(there)
                );
                let breaks = undeclared_difference::is_confounding(material, memory.is_difference, &candidate.name);
                figures.push(VerdictFigure { of: candidate.name.clone(), text, breaks });
            }
        }
    }
    figures
}

/// Whether the baseline has data of this size, as a scale tells it, or within what is read of a database.
fn has_about(sizes: &BTreeSet<u64>, size: u64) -> bool {
    sizes.iter().any(|other| size.abs_diff(*other) as f64 <= CLEARLY * size as f64)
}

fn is_clearly_between(size: u64, one: u64, other: u64) -> bool {
    let [smaller, larger] = [one.min(other), one.max(other)].map(|bytes| bytes as f64);
    let size = size as f64;
    size > (1.0 + CLEARLY) * smaller && (1.0 + CLEARLY) * size < larger
}

type ResidencyClaim<'a> = (&'a AuditedSide, &'a TrialAccount, Residency);

/// One trial for each side, claimed residency and size, side by side.
fn residency_claims(material: &Material) -> Vec<ResidencyClaim<'_>> {
    let mut claims: Vec<ResidencyClaim<'_>> = Vec::new();
    for side in &material.sides {
        for trial in material.trials.iter().filter(|trial| trial.side == side.name) {
            let Some(residency) = trial.residency else { continue };
            if !claims.iter().any(|(known, of, at)| {
                known.name == side.name && *at == residency && of.size_bytes() == trial.size_bytes()
            }) {
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
        Residency::Memory | Residency::Warm => match (side.shared_buffers_bytes(), side.memory_bytes) {
            (Some(buffers), _) if size <= buffers => against(buffers, "shared_buffers", false),
            (_, Some(memory)) => against(memory, "memory", size > memory),
            (_, None) => None,
        },
        Residency::WholeBuffers => {
            let buffers = side.shared_buffers_bytes()?;
            against(buffers, "shared_buffers", size as f64 * (1.0 + CLEARLY) < buffers as f64)
        }
    }
}

/// Places at which the larger, "disk-bound" data were not slower than those "in memory".
fn faster_from_disk(material: &Material) -> Vec<VerdictFigure> {
    let of = |residency: Residency| material.trials.iter().filter(move |trial| trial.residency == Some(residency));
    let mut figures = Vec::new();
    for disk in of(Residency::Disk) {
        let mut in_memory = of(Residency::Memory).filter(|memory| memory.script.is_some());
        let Some(memory) = in_memory
            .find(|memory| memory.side == disk.side && memory.clients == disk.clients && memory.script == disk.script)
        else {
            continue;
        };
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
        Residency::Warm => "\"warm\"",
        Residency::WholeBuffers => "\"fills shared_buffers\"",
    }
}

fn format_gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64)
}
