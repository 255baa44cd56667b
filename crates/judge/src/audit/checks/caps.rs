//! A figure at a provider's cap is the cap, not the disk; one above it, or before a fall, is a burst's or a cache's.

use super::Check;
use crate::audit::material::{Material, Stage};
use crate::audit::outcome::{Figure, Outcome, Weight};

pub(super) const CHECK: Check = Check {
    id: "caps",
    rule: "a disk's throughput depends on what is asked of it: it is not the same at unlike depths on two sides, nor for reads and \
           writes, falls not in the middle, and stays below what is stated of it",
    judge,
};

/// Throughputs this close are the same.
const SAME: f64 = 0.05;

/// Depths this many times apart are unlike.
const APART: f64 = 1.5;

fn judge(material: &Material) -> Outcome {
    if material.stages.iter().all(|stage| stage.iops().is_none()) {
        return Outcome::cannot_tell("storage jobs at two depths, or in both directions", vec![]);
    }
    let beyond = material.beyond_disk.iter();
    let mut figures: Vec<Figure> =
        beyond.map(|beyond| Figure::against(beyond.side.clone(), beyond.text.clone())).collect();
    for (index, one) in material.stages.iter().enumerate() {
        for other in &material.stages[index + 1..] {
            figures.extend(flat_against_depth(material, one, other));
            figures.extend(same_both_ways(one, other));
        }
    }
    if figures.is_empty() && material.swept {
        return Outcome::holds(vec![Figure::fine("all disks", "no burst, no cache, and no common limit was seen")]);
    }
    if figures.is_empty() {
        let needs =
            "throughput second by second, to see a burst end; and a sweep over depths, to see where it becomes flat";
        return Outcome::cannot_tell(needs, vec![]);
    }
    let consequence = "a limit, a burst or a cache was measured, not the disk: at a limit, latency is the depth divided by it, whatever the disk \
                       can do, and what a burst or a cache gave for minutes is not there for hours";
    Outcome::broken(Weight::Conclusion, figures, consequence)
}

/// The same job on the same kind of storage of two sides: as fast at another depth. (Over the depths of one side a
/// sweep becomes flat at whatever limits it, as it should.)
fn flat_against_depth(material: &Material, one: &Stage, other: &Stage) -> Option<Figure> {
    let storage = |stage: &Stage| material.side(&stage.side)?.storage.clone();
    let alike = one.side != other.side
        && one.job == other.job
        && one.block_bytes == other.block_bytes
        && storage(one).is_some()
        && storage(one) == storage(other);
    let [a, b] = [one.in_flight()?, other.in_flight()?];
    let is_flat = alike && is_same(one.iops()?, other.iops()?) && a.max(b) > APART * a.min(b);
    is_flat.then(|| {
        let text = format!(
            "{} with {a:.1} in flight, {} with {b:.1}",
            throughput(one, one.iops().into_iter().sum()),
            throughput(other, other.iops().into_iter().sum()),
        );
        Figure::against(format!("{}, {} and {}", one.job, one.side, other.side), text)
    })
}

/// A job that only reads and one that only writes, alike otherwise, on one side: as fast as each other.
fn same_both_ways(one: &Stage, other: &Stage) -> Option<Figure> {
    let ((Stage { reads: Some(read), writes: None, .. }, Stage { reads: None, writes: Some(write), .. })
    | (Stage { reads: None, writes: Some(write), .. }, Stage { reads: Some(read), writes: None, .. })) = (one, other)
    else {
        return None;
    };
    let is_synced = [one, other].iter().any(|stage| stage.synced == Some(true));
    let alike =
        one.side == other.side && one.block_bytes.is_some() && one.block_bytes == other.block_bytes && !is_synced;
    (alike && is_same(read.iops, write.iops)).then(|| {
        let text =
            format!("reads {}, writes {}: one limit for both", throughput(one, read.iops), throughput(one, write.iops));
        Figure::against(format!("{}, {} and {}", one.side, one.job, other.job), text)
    })
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= SAME * one.max(other)
}

/// Bytes per second where a large block makes them the figure of interest, operations otherwise.
fn throughput(stage: &Stage, iops: f64) -> String {
    const LARGE_BLOCK: u64 = 256 << 10;
    match stage.block_bytes {
        Some(bytes) if bytes >= LARGE_BLOCK => format!("{:.0} MiB/s", iops * bytes as f64 / f64::from(1 << 20)),
        _ => format!("{iops:.0} IOPS"),
    }
}
