//! A figure at a provider's cap is the cap, not the disk; one above it, or before a fall, is a burst's or a cache's.

use std::collections::{BTreeMap, BTreeSet};

use stats::centre::range_of_figures;

use super::{Check, RuleSubject};
use crate::audit::material::{Beyond, Material, StatedDiskStage};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::SAME_RATE;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "disk-cap",
        group: CodeGroup::Disk,
        detects: "The throughput of a disk is the same at different depths or directions, or exceeds what the device \
                  can do.",
        reported_if: "A request takes less time than any disk, most random reads did not reach a device, or a sweep found a \
                cache: this invalidates the figures. Other findings weaken them. A job has the same throughput at different depths, or the same IOPS at three or more \
                block sizes. Or reads and writes share one limit that is not declared, or a sweep found a burst or a limit.",
        thresholds: &[
            RuleThreshold::less_than("mean time of a request", MEMORY_US / 1e3, ThresholdUnit::Milliseconds),
            RuleThreshold::less_than("random reads that reached a device", OF_DEVICE, ThresholdUnit::Share),
            RuleThreshold::at_most("difference of the throughput at different depths", SAME_RATE, ThresholdUnit::Share),
            RuleThreshold::more_than("ratio of these depths", APART, ThresholdUnit::Times),
            RuleThreshold::at_most("difference of the IOPS of all block sizes", ONE_RATE, ThresholdUnit::Share),
            RuleThreshold::at_least("ratio of the largest to the smallest block", BLOCKS_APART, ThresholdUnit::Times),
            RuleThreshold::at_most("difference of the throughput of reads and writes", ONE_LIMIT, ThresholdUnit::Share),
        ],
        effects: &[IssueEffect::Invalidates, IssueEffect::Weakens],
        why: "The figures are those of a limit, a burst or a cache, and not of the disk.",
        evidence: "Throughput of jobs at different depths and directions.",
        fix: "Raise the limit, measure until the burst has ended, or bypass the cache.",
        confirm: "Measure with `pgdyno disk`, which steps through depths.",
        formerly: &["caps"],
    },
    about: RuleSubject::Storage,
    rule: "the throughput of a disk differs between depths, block sizes and reads and writes, does not drop within a job \
           nor exceed the declared limit; a request takes longer than a read from memory",
    judge: check_disk_cap,
};

/// A limit of somebody's for both directions gives both the same; what a device does in each is apart by more.
const ONE_LIMIT: f64 = 0.015;

/// What a limit of requests lets through is the same to a few percent, whatever their size.
const ONE_RATE: f64 = 0.03;

/// Blocks so many times apart take a disk unlike times.
const BLOCKS_APART: f64 = 4.0;

/// So many block sizes.
const BLOCK_SIZES: usize = 3;

/// Below this rate arms that move may be what takes the time, and with fewer requests under way the way to the disk:
/// neither depends much on the block size.
const IOPS_OF_LIMIT: f64 = 1000.0;
const UNDER_WAY: f64 = 4.0;

/// By so much more is no chance of one repetition.
const MORE: f64 = 0.1;

/// Depths this many times apart are unlike.
const APART: f64 = 1.5;

/// The fastest drives on sale take about this for 4 KiB, the system's call included; a page that is in memory is copied
/// in one or two microseconds. It errs for persistent memory alone.
const MEMORY_US: f64 = 5.0;

/// Random reads are hardly ever merged, so that a device counts about as many as a job does.
const OF_DEVICE: f64 = 0.5;

fn check_disk_cap(material: &Material) -> CheckResult {
    if material.stages.iter().all(|stage| stage.total_iops().is_none()) && material.beyond_disk.is_empty() {
        return CheckResult::cannot_tell("storage jobs at two depths, or in both directions", vec![]);
    }
    let mut beyond: Vec<&Beyond> = material.beyond_disk.iter().collect();
    beyond.sort_by_key(|beyond| !beyond.is_cached);
    let mut figures: Vec<VerdictFigure> = material.stages.iter().flat_map(answered_by_memory).collect();
    figures.extend(material.stages.iter().filter_map(beside_device));
    let is_cached = !figures.is_empty() || beyond.first().is_some_and(|beyond| beyond.is_cached);
    figures.extend(beyond.iter().map(|beyond| VerdictFigure::against_rule(beyond.side.clone(), beyond.text.clone())));
    let mut jobs: BTreeMap<(&str, Option<u64>), Vec<&StatedDiskStage>> = BTreeMap::new();
    for stage in &material.stages {
        jobs.entry((&stage.job, stage.block_bytes)).or_default().push(stage);
    }
    for alike in jobs.values() {
        for (index, one) in alike.iter().enumerate() {
            let others = alike[index + 1..].iter();
            figures.extend(others.filter_map(|other| flat_against_depth(material, one, other)));
        }
    }
    figures.extend(one_limit_for_both(&material.stages));
    figures.extend(one_rate_for_all_blocks(&material.stages));
    let is_broken = figures.iter().any(|figure| figure.breaks);
    if !is_broken && material.swept {
        figures.push(VerdictFigure::within_rule(
            Material::extent_of_jobs(&material.stages),
            "no burst, no cache and no undeclared common limit was observed",
        ));
        return CheckResult::rule_holds(figures);
    }
    if !is_broken {
        let needs = "throughput by the second, which shows the end of a burst, and a sweep over depths, which shows \
                     where throughput becomes flat";
        return CheckResult::cannot_tell(needs, figures);
    }
    let consequence = "a limit, a burst or a cache was measured instead of the disk. At a limit, latency is depth / \
                       limit, whatever the disk can do; the rate of a burst or a cache lasts for minutes, not for \
                       hours";
    let weight = if is_cached { Weight::Measurement } else { Weight::Conclusion };
    CheckResult::rule_broken(weight, figures, consequence)
}

/// Random reads of which most reached no device: something above the device answered, whatever the job asked for.
fn beside_device(stage: &StatedDiskStage) -> Option<VerdictFigure> {
    let share = stage.reads_of_device.filter(|share| *share < OF_DEVICE)?;
    let is_random = stage.pattern.as_deref().is_some_and(|pattern| pattern.contains("rand"));
    let text = format!(
        "reads {}, of which {} reached a device: served by a cache above it",
        format_stage_throughput(stage, stage.reads?.iops),
        units::format_percent(share)
    );
    is_random.then(|| VerdictFigure::against_rule(format!("{}, {}", stage.side, stage.job), text))
}

/// What took less time than any disk takes: by the mean latency, else by what was under way and the rate. The latency
/// of a write that is synced is the time of its copy into memory, and not that of the disk, which its rate tells.
fn answered_by_memory(stage: &StatedDiskStage) -> impl Iterator<Item = VerdictFigure> {
    let directions = [("reads", stage.reads), ("writes", stage.writes)];
    directions.into_iter().filter_map(|(done, flow)| {
        let flow = flow?;
        // A zero was rounded, and nobody knows how far.
        let leaves_out_sync = done == "writes" && stage.may_wait_for_sync();
        let told_ms = flow.latency_ms_mean.filter(|ms| *ms > 0.0 && !leaves_out_sync);
        let told_ms = told_ms.map(|ms| ms * (1.0 + flow.rounding.latency));
        let mean_us = 1e3 * told_ms.or_else(|| Some(1e3 * stage.stated_in_flight? / flow.iops))?;
        let text = format!(
            "{done} {}, each in {mean_us:.1} µs: served from memory (page cache, file system in memory), not by a disk",
            format_stage_throughput(stage, flow.iops)
        );
        (mean_us < MEMORY_US).then(|| VerdictFigure::against_rule(format!("{}, {}", stage.side, stage.job), text))
    })
}

/// The same job on the same kind of storage of two sides: as fast at another depth. (Over the depths of one side a
/// sweep becomes flat at whatever limits it, as it should.)
fn flat_against_depth(material: &Material, one: &StatedDiskStage, other: &StatedDiskStage) -> Option<VerdictFigure> {
    let storage = |stage: &StatedDiskStage| material.side_by_name(&stage.side)?.storage.clone();
    let alike = one.side != other.side
        && one.job == other.job
        && one.block_bytes == other.block_bytes
        && storage(one).is_some()
        && storage(one) == storage(other);
    let [a, b] = [one.in_flight()?, other.in_flight()?];
    let is_flat = alike && is_same(one.total_iops()?, other.total_iops()?) && a.max(b) > APART * a.min(b);
    is_flat.then(|| {
        let text = format!(
            "{} with {a:.1} in flight, {} with {b:.1}",
            format_stage_throughput(one, one.total_iops().into_iter().sum()),
            format_stage_throughput(other, other.total_iops().into_iter().sum()),
        );
        VerdictFigure::against_rule(format!("{}, {} and {}", one.job, one.side, other.side), text)
    })
}

/// Limits of requests: jobs of one side that are alike but for their block sizes, with the same IOPS at all of them.
fn one_rate_for_all_blocks(stages: &[StatedDiskStage]) -> Vec<VerdictFigure> {
    let mut alike: BTreeMap<(&str, bool, Option<&str>, u64), Vec<&StatedDiskStage>> = BTreeMap::new();
    for stage in stages {
        let depth = stage.in_flight().or(stage.stated_in_flight).unwrap_or_default();
        let is_one_way = stage.reads.is_some() != stage.writes.is_some();
        if !is_one_way || stage.paced || stage.synced == Some(true) || depth < UNDER_WAY {
            continue;
        }
        let stated_depth = stage.stated_in_flight.unwrap_or_default().round() as u64;
        let key = (stage.side.as_str(), stage.reads.is_some(), stage.pattern.as_deref(), stated_depth);
        alike.entry(key).or_default().push(stage);
    }
    let figures = alike.iter().filter_map(|((side, is_read, ..), jobs)| one_rate_figure(side, *is_read, jobs));
    figures.collect()
}

fn one_rate_figure(side: &str, is_read: bool, jobs: &[&StatedDiskStage]) -> Option<VerdictFigure> {
    let blocks: BTreeSet<u64> = jobs.iter().filter_map(|job| job.block_bytes).collect();
    let (smallest, largest) = (*blocks.first()?, *blocks.last()?);
    let rates: Vec<f64> = jobs.iter().filter_map(|job| job.total_iops()).collect();
    let [least, most] = range_of_figures(&rates)?;
    let is_apart = blocks.len() >= BLOCK_SIZES && largest as f64 >= BLOCKS_APART * smallest as f64;
    if !is_apart || least < IOPS_OF_LIMIT || !is_within(ONE_RATE, least, most) {
        return None;
    }
    let is_stated = jobs.iter().all(|job| job.is_at_stated());
    let direction = if is_read { "reads" } else { "writes" };
    let text = format!(
        "{direction} {least:.0} to {most:.0} IOPS at {} block sizes from {} to {}: a limit of requests{}",
        blocks.len(),
        units::format_bytes(smallest as f64),
        units::format_bytes(largest as f64),
        if is_stated { ", as declared" } else { "" },
    );
    Some(VerdictFigure { of: side.to_owned(), text, breaks: !is_stated })
}

/// The limits of each disk that are the same for reads and writes, each said once: of the pair of jobs that moved most.
/// One that is stated of the disk is what was bought, and hides nothing.
fn one_limit_for_both(stages: &[StatedDiskStage]) -> Vec<VerdictFigure> {
    let mut found: BTreeMap<(&str, bool, bool), Vec<[&StatedDiskStage; 2]>> = BTreeMap::new();
    let mut jobs: BTreeMap<(&str, &str), Vec<&StatedDiskStage>> = BTreeMap::new();
    for stage in stages {
        jobs.entry((&stage.side, &stage.job)).or_default().push(stage);
    }
    // What only reads and what only writes, of each side and block size.
    let mut at_most: BTreeMap<(&str, Option<u64>), [Vec<&StatedDiskStage>; 2]> = BTreeMap::new();
    for stage in stages {
        if jobs[&(stage.side.as_str(), stage.job.as_str())].iter().any(|other| gives_more(other, stage)) {
            continue;
        }
        let [reading, writing] = at_most.entry((&stage.side, stage.block_bytes)).or_default();
        if stage.writes.is_none() {
            reading.push(stage);
        }
        if stage.reads.is_none() {
            writing.push(stage);
        }
    }
    for [reading, writing] in at_most.values() {
        for &reading in reading {
            for &writing in writing {
                if is_same_both_ways(reading, writing) {
                    let is_stated = reading.is_at_stated() && writing.is_at_stated();
                    found.entry((&reading.side, is_large(reading), is_stated)).or_default().push([reading, writing]);
                }
            }
        }
    }
    // A disk's link alone is as wide both ways, and is its own; a limit of requests is somebody's.
    let small: Vec<&str> = found.keys().filter(|(_, large, _)| !large).map(|(side, ..)| *side).collect();
    let figure = |((side, large, is_stated), pairs): ((&str, bool, bool), Vec<[&StatedDiskStage; 2]>)| {
        let [reading, writing] = pairs.iter().copied().max_by(|a, b| summed_iops(*a).total_cmp(&summed_iops(*b)))?;
        let is_link = large && !small.contains(&side);
        let more = if pairs.len() > 1 { format!(" (of {} pairs of jobs)", pairs.len()) } else { String::new() };
        let text = format!(
            "reads {}, writes {}: one limit for both{}{more}",
            format_stage_throughput(reading, reading.reads?.iops),
            format_stage_throughput(writing, writing.writes?.iops),
            match (is_stated, is_link) {
                (true, _) => ", as declared",
                (false, true) => ", possibly the disk's own link",
                (false, false) => "",
            },
        );
        let breaks = !is_stated && !is_link;
        Some(VerdictFigure { of: format!("{}, {} and {}", reading.side, reading.job, writing.job), text, breaks })
    };
    found.into_iter().filter_map(figure).collect()
}

/// Whether the same job at another depth shows that one of them met no limit: it gives more.
fn gives_more(other: &StatedDiskStage, than: &StatedDiskStage) -> bool {
    let same_job = other.side == than.side && other.job == than.job && other.block_bytes == than.block_bytes;
    let same_direction = other.reads.is_some() == than.reads.is_some();
    let more = other.total_iops().zip(than.total_iops()).is_some_and(|(other, than)| other > (1.0 + MORE) * than);
    same_job && same_direction && more
}

fn summed_iops(pair: [&StatedDiskStage; 2]) -> f64 {
    pair.into_iter().filter_map(StatedDiskStage::total_iops).sum()
}

/// Whether a job that only reads and one that only writes, alike otherwise, on one side, are as fast as each other.
fn is_same_both_ways(reading: &StatedDiskStage, writing: &StatedDiskStage) -> bool {
    let is_synced = [reading, writing].iter().any(|stage| stage.synced == Some(true));
    let alike = reading.side == writing.side && reading.block_bytes.is_some() && !is_synced;
    let rates = reading.reads.zip(writing.writes);
    let as_deep =
        requests_in_flight(reading).zip(requests_in_flight(writing)).is_none_or(|(a, b)| a.max(b) <= APART * a.min(b));
    let is_free = !(reading.paced || writing.paced);
    alike
        && as_deep
        && is_free
        && reading.block_bytes == writing.block_bytes
        && rates.is_some_and(|(read, write)| is_within(ONE_LIMIT, read.iops, write.iops))
}

fn requests_in_flight(stage: &StatedDiskStage) -> Option<f64> {
    stage.in_flight().or(stage.stated_in_flight)
}

fn is_same(one: f64, other: f64) -> bool {
    is_within(SAME_RATE, one, other)
}

fn is_within(share: f64, one: f64, other: f64) -> bool {
    (one - other).abs() <= share * one.max(other)
}

/// Whether bytes per second are the figure of interest, and not operations.
fn is_large(stage: &StatedDiskStage) -> bool {
    const LARGE_BLOCK: u64 = 256 << 10;
    stage.block_bytes.is_some_and(|bytes| bytes >= LARGE_BLOCK)
}

fn format_stage_throughput(stage: &StatedDiskStage, iops: f64) -> String {
    match stage.block_bytes.filter(|_| is_large(stage)) {
        Some(bytes) => format!("{:.0} MiB/s", iops * bytes as f64 / f64::from(1 << 20)),
        None => format!("{iops:.0} IOPS"),
    }
}
