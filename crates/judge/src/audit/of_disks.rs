//! What fio measured of a run's disks as the stages that an audit looks at, and what was judged of them.

use results::disk::{DiskFlow as Told, DiskGroup, StageOutcome};

use super::material::{Beyond, CACHED, Material, Rounding, StatedDiskFlow, StatedDiskStage};
use super::rounding;
use crate::disks::{Burst, DiskUnit, DisksJudged, InterposedCache};
use crate::observed::{Observed, ObservedStage};
use crate::units;

/// Adds them.
pub(super) fn add_disks(material: &mut Material, observed: &Observed, disks: &DisksJudged) {
    let completed = observed.disks.iter().filter(|disk| disk.stage.outcome == StageOutcome::Completed);
    material.stages.extend(completed.flat_map(stages_by_job));
    rounding::of_stages(&mut material.stages);
    let failed = observed.disks.iter().filter_map(|disk| match &disk.stage.outcome {
        StageOutcome::Failed { error } => Some((format!("{}, {}", disk.stage.name, disk.stage.target), error.clone())),
        _ => None,
    });
    material.failed_jobs.extend(failed);
    for disk in &disks.disks {
        let add = |(text, is_cached): (String, bool)| Beyond { side: disk.target.clone(), text, is_cached };
        material.beyond_disk.extend(disk.bursts.iter().map(|found| add((format_burst(found), false))));
        material.beyond_disk.extend(disk.caches.iter().filter_map(describe_cache).map(add));
        material.swept |= !disk.ladders.is_empty() || disk.stages.iter().any(|stage| stage.steady_iops.is_some());
    }
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
    let runtimes_ms = clones.iter().flat_map(|group| group.read.iter().chain(&group.write)).map(|flow| flow.runtime_ms);
    let is_synced = clones.iter().any(|group| group.sync_every.is_some() || group.sync.is_some());
    let flows = |read: fn(&DiskGroup) -> Option<&Told>| {
        let told: Vec<&Told> = clones.iter().filter_map(|group| read(group)).collect();
        flow_of_clones(&told, is_synced)
    };
    StatedDiskStage {
        side: disk.stage.target.clone(),
        job: if is_single { disk.stage.name.clone() } else { format!("{} {}", disk.stage.name, first.name) },
        block_bytes: first.block_bytes,
        stated_in_flight: Some(clones.iter().map(|group| f64::from(group.jobs) * f64::from(group.depth)).sum()),
        jobs: Some(clones.iter().map(|group| group.jobs).sum()),
        synced: Some(is_synced),
        paced: clones.iter().any(|group| group.paced),
        pattern: first.pattern.clone(),
        direct: first.direct,
        runtime_s: runtimes_ms.max().map(|ms| ms as f64 / 1e3),
        reads: flows(|group| group.read.as_ref()),
        writes: flows(|group| group.write.as_ref()),
        stated: disk.stage.stated,
    }
}

/// What clones did together. The latency of a synced write leaves out the call that syncs,
/// so that nothing can be multiplied by it.
fn flow_of_clones(told: &[&Told], is_synced: bool) -> Option<StatedDiskFlow> {
    let iops: f64 = told.iter().map(|told| told.operations_per_s).sum();
    // The mean over requests, of which a clone has as many as its rate says.
    let weighted = |told: &&Told| Some(told.operations_per_s * told.latency.as_ref()?.mean_ns);
    let mean_ns = told.iter().map(weighted).sum::<Option<f64>>().map(|sum| sum / iops);
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
