//! What fio measured of a run's disks as the stages that an audit looks at, and what was judged of them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use results::disk::{DiskFlow as Told, DiskGroup, StageOutcome};

use super::material::{Beyond, CACHED, Material, Rounding, StatedDiskFlow, StatedDiskStage};
use super::rounding;
use crate::disks::{Burst, DiskUnit, DisksJudged, InterposedCache};
use crate::observed::{Observed, ObservedStage};
use crate::units;

/// Adds them.
pub(super) fn add_disks(material: &mut Material, observed: &Observed, disks: &DisksJudged) {
    add_stages(material, observed);
    rounding::of_stages(&mut material.stages);
    for disk in &observed.disks {
        if let StageOutcome::Failed { error } = &disk.stage.outcome
            && !is_rare_failure(observed, disk)
        {
            material.failed_jobs.push((format!("{}, {}", disk.stage.name, disk.stage.target), error.clone()));
        }
    }
    for disk in &disks.disks {
        let add = |(text, is_cached): (String, bool)| Beyond { side: disk.target.clone(), text, is_cached };
        material.beyond_disk.extend(disk.bursts.iter().map(|found| add((format_burst(found), false))));
        material.beyond_disk.extend(disk.caches.iter().filter_map(describe_cache).map(add));
        material.swept |= !disk.ladders.is_empty() || disk.stages.iter().any(|stage| stage.steady_iops.is_some());
    }
}

/// Of more executions of a job one that failed is not the job.
const RARE_FAILURE: usize = 10;

/// Whether a stage is one of many executions of its job, of which nearly all were completed.
fn is_rare_failure(observed: &Observed, failed: &ObservedStage) -> bool {
    let Some(job) = &failed.stage.job else { return false };
    let mut executions = 0;
    let mut failures = 0;
    for disk in &observed.disks {
        if disk.stage.target == failed.stage.target && disk.stage.job.as_ref() == Some(job) {
            executions += 1;
            failures += usize::from(matches!(disk.stage.outcome, StageOutcome::Failed { .. }));
        }
    }
    failures * RARE_FAILURE < executions
}

/// The jobs of the stages that were completed; of several executions of a job the one in the middle.
fn add_stages(material: &mut Material, observed: &Observed) {
    let mut groups: Vec<Vec<StatedDiskStage>> = Vec::new();
    let mut repeated: BTreeMap<(String, String), usize> = BTreeMap::new();
    for disk in observed.disks.iter().filter(|disk| disk.stage.outcome == StageOutcome::Completed) {
        for stage in stages_by_job(disk) {
            if disk.stage.job.is_none() {
                groups.push(vec![stage]);
                continue;
            }
            let at = *repeated.entry((stage.side.clone(), stage.job.clone())).or_insert(groups.len());
            if at == groups.len() {
                groups.push(Vec::new());
            }
            groups[at].push(stage);
        }
    }
    material.stages.extend(groups.into_iter().filter_map(median_of_executions));
}

/// One job of several executions of it: the one in the middle by its rate, of two the slower one. Its figures are of
/// one execution, so that they may be multiplied with each other, which medians of each may not.
fn median_of_executions(mut executions: Vec<StatedDiskStage>) -> Option<StatedDiskStage> {
    if executions.len() < 2 {
        return executions.pop();
    }
    let executions_iops: Vec<f64> = executions.iter().filter_map(StatedDiskStage::total_iops).collect();
    // Those without a rate stand first.
    executions.sort_by(|one, other| one.total_iops().partial_cmp(&other.total_iops()).unwrap_or(Ordering::Equal));
    let middle = executions.swap_remove((executions.len() - 1) / 2);
    Some(StatedDiskStage { executions_iops, ..middle })
}

/// The jobs of a stage; clones of one job that fio reports one by one are one job.
fn stages_by_job(disk: &ObservedStage) -> Vec<StatedDiskStage> {
    let mut jobs: Vec<Vec<&DiskGroup>> = Vec::new();
    for group in &disk.stage.groups {
        match jobs.iter_mut().find(|clones| clones[0].is_clone_of(group)) {
            Some(clones) => clones.push(group),
            None => jobs.push(vec![group]),
        }
    }
    let is_single = jobs.len() == 1;
    jobs.iter().map(|clones| stage_of_clones(disk, clones, is_single)).collect()
}

fn stage_of_clones(disk: &ObservedStage, clones: &[&DiskGroup], is_single: bool) -> StatedDiskStage {
    let first = clones[0];
    let name = disk.stage.job.as_ref().unwrap_or(&disk.stage.name);
    let runtimes_ms = clones.iter().flat_map(|group| group.read.iter().chain(&group.write)).map(|flow| flow.runtime_ms);
    let is_synced = clones.iter().any(|group| group.sync_every.is_some() || group.sync.is_some());
    let flows = |read: fn(&DiskGroup) -> Option<&Told>| {
        let told: Vec<&Told> = clones.iter().filter_map(|group| read(group)).collect();
        flow_of_clones(&told, is_synced)
    };
    StatedDiskStage {
        side: disk.stage.target.clone(),
        job: if is_single { name.clone() } else { format!("{name} {}", first.name) },
        block_bytes: first.block_bytes,
        stated_in_flight: Some(clones.iter().map(|group| f64::from(group.jobs) * f64::from(group.depth)).sum()),
        jobs: Some(clones.iter().map(|group| group.jobs).sum()),
        synced: Some(is_synced),
        paced: clones.iter().any(|group| group.paced),
        pattern: first.pattern.clone(),
        direct: first.direct,
        runtime_s: runtimes_ms.max().map(|ms| ms as f64 / 1e3),
        moved_bytes: moved_bytes(clones),
        file_bytes: disk.stage.place.as_ref().and_then(|place| place.file_bytes),
        reads_of_device: if is_single { reads_of_device(disk, clones) } else { None },
        executions_iops: Vec::new(),
        reads: flows(|group| group.read.as_ref()),
        writes: flows(|group| group.write.as_ref()),
        stated: disk.stage.stated,
    }
}

fn moved_bytes(clones: &[&DiskGroup]) -> Option<f64> {
    let flows = clones.iter().flat_map(|group| group.read.iter().chain(&group.write));
    flows.map(|flow| flow.bytes as f64).reduce(|sum, bytes| sum + bytes)
}

/// The share of the reads of a job that the devices below its file counted. Devices that stand above others count
/// theirs again, and large requests are divided, so that it may be above 1.
fn reads_of_device(disk: &ObservedStage, clones: &[&DiskGroup]) -> Option<f64> {
    let asked: u64 = clones.iter().filter_map(|group| group.read.as_ref()).map(|read| read.operations).sum();
    let counted = disk.stage.devices.iter().filter_map(|device| device.reads).reduce(|sum, reads| sum + reads)?;
    (asked > 0).then(|| counted as f64 / asked as f64)
}

/// What clones did together. The latency of a synced write leaves out the call that syncs,
/// so that nothing can be multiplied by it.
fn flow_of_clones(told: &[&Told], is_synced: bool) -> Option<StatedDiskFlow> {
    let iops: f64 = told.iter().map(|told| told.operations_per_s).sum();
    // The mean over requests, of which a clone has as many as its rate says.
    let mean_ns = told
        .iter()
        .map(|told| Some(told.operations_per_s * told.latency.as_ref()?.mean_ns))
        .sum::<Option<f64>>()
        .map(|sum| sum / iops);
    (iops > 0.0).then(|| StatedDiskFlow {
        iops,
        bytes_per_s: Some(told.iter().map(|told| told.bytes_per_s).sum()),
        latency_ms_mean: mean_ns.filter(|_| !is_synced).map(|ns| ns / 1e6),
        rounding: Rounding::default(),
    })
}

pub(super) fn format_rate(unit: DiskUnit, per_s: f64) -> String {
    match unit {
        DiskUnit::Iops => units::format_iops(per_s),
        DiskUnit::Bandwidth => units::bytes_per_s(per_s),
    }
}

fn format_burst(burst: &Burst) -> String {
    format!(
        "{}: {} until {:.0} s, then {}",
        burst.stage,
        format_rate(burst.unit, burst.burst),
        burst.at_s,
        format_rate(burst.unit, burst.base_rate)
    )
}

/// In words, and whether nothing but a cache explains it. A small file alone is a possibility, not a figure.
fn describe_cache(cache: &InterposedCache) -> Option<(String, bool)> {
    match cache {
        InterposedCache::AboveStated { stage, unit, rate: found, stated } => {
            let text =
                format!("{stage}: {}, above the declared {}", format_rate(*unit, *found), format_rate(*unit, *stated));
            Some((text, *found > CACHED * *stated))
        }
        InterposedCache::AboveSequential { stage, bytes_per_s, sequential_bytes_per_s } => {
            let [random, sequence] = [*bytes_per_s, *sequential_bytes_per_s].map(units::bytes_per_s);
            Some((format!("{stage}: {random} for random requests, above {sequence} for sequential ones"), false))
        }
        InterposedCache::FasterBuffered { .. }
        | InterposedCache::SmallFile { .. }
        | InterposedCache::Elsewhere { .. } => None,
    }
}
