//! Caches: reasons to believe that something faster than the disk answered.

use results::disk::StatedCaps;

use super::figures::StageFigures;
use super::{DiskUnit, ObservedStage};

/// A rate must exceed a limit by this share before it is called faster.
const FASTER: f64 = 1.10;

/// Reads through the page cache that are this much faster than direct ones came from it.
const FROM_PAGE_CACHE: f64 = 1.5;

/// Something between the jobs and the disk, or the possibility of it.
#[derive(Debug, Clone, PartialEq)]
pub enum InterposedCache {
    /// A stage was faster than the provider states: a burst allowance, or a cache.
    AboveStated {
        /// The stage.
        stage: String,
        /// Of which limit.
        unit: DiskUnit,
        /// Its rate.
        rate: f64,
        /// What is stated.
        stated: f64,
    },
    /// Random reads moved more than sequential ones: they were not of the device.
    AboveSequential {
        /// The stage.
        stage: String,
        /// Bytes per second.
        bytes_per_s: f64,
        /// Of the sequential reads.
        sequential_bytes_per_s: f64,
    },
    /// Reads through the page cache were much faster than direct ones.
    FasterBuffered {
        /// Requests per second through the page cache.
        cached_iops: f64,
        /// Requests per second past it, at the same or a greater depth.
        direct_iops: f64,
    },
    /// The file is so small that a cache of the host, the controller or the provider may hold it.
    SmallFile {
        /// Size of the file.
        file_bytes: u64,
        /// Memory of the machine.
        memory_bytes: u64,
        /// Why it is right all the same, as the person says.
        reason: Option<String>,
    },
    /// The file system is not of a disk of this machine.
    Elsewhere {
        /// Its type, as the kernel says it.
        filesystem: String,
    },
}

/// File systems over a network or over another file system; `fuse.` begins the names of many more.
const ELSEWHERE: [&str; 12] =
    ["9p", "afs", "beegfs", "ceph", "cifs", "gfs2", "glusterfs", "lustre", "nfs", "nfs4", "overlay", "smb3"];

/// What is to be told of caches.
pub(super) fn find_caches(
    own: &[&ObservedStage],
    stages: &[StageFigures],
    stated: Option<StatedCaps>,
) -> Vec<InterposedCache> {
    let mut found = Vec::new();
    let completed: Vec<&StageFigures> = stages.iter().filter(|stage| stage.failed.is_none()).collect();
    for (unit, stated) in [
        (DiskUnit::Iops, stated.and_then(|caps| caps.iops)),
        (DiskUnit::Bandwidth, stated.and_then(|caps| caps.bytes_per_s)),
    ] {
        let Some(stated) = stated.map(|stated| stated as f64) else { continue };
        // Where nobody says whether the page cache was used, it may be what answered.
        let past_the_cache = completed.iter().filter(|stage| stage.direct != Some(false));
        let rates = past_the_cache.map(|stage| match unit {
            DiskUnit::Iops => (stage, stage.base_iops()),
            DiskUnit::Bandwidth => (stage, stage.base_bytes_per_s()),
        });
        if let Some((stage, rate)) = rates.max_by(|(_, one), (_, other)| one.total_cmp(other))
            && rate > FASTER * stated
        {
            found.push(InterposedCache::AboveStated { stage: stage.name.clone(), unit, rate, stated });
        }
    }
    found.extend(above_sequential(stages));
    let cached =
        completed.iter().find(|stage| stage.direct == Some(false) && stage.pattern.as_deref() == Some("randread"));
    let direct = completed
        .iter()
        .filter(|stage| stage.direct == Some(true) && stage.pattern.as_deref() == Some("randread"))
        .map(|stage| stage.base_iops())
        .reduce(f64::max);
    if let Some((cached, direct_iops)) = cached.zip(direct)
        && cached.base_iops() > FROM_PAGE_CACHE * direct_iops
    {
        found.push(InterposedCache::FasterBuffered { cached_iops: cached.base_iops(), direct_iops });
    }
    found.extend(own.iter().find_map(|observed| small_file(observed)));
    found.extend(own.iter().find_map(|observed| foreign_filesystem_cache(observed)));
    found
}

fn above_sequential(stages: &[StageFigures]) -> Option<InterposedCache> {
    let direct: Vec<&StageFigures> =
        stages.iter().filter(|stage| stage.failed.is_none() && stage.direct == Some(true)).collect();
    let [random, sequential] = ["randread", "read"].map(|pattern| {
        let reads = direct.iter().copied().filter(|stage| stage.pattern.as_deref() == Some(pattern));
        reads.max_by(|a, b| a.base_bytes_per_s().total_cmp(&b.base_bytes_per_s()))
    });
    let (random, sequential) = random.zip(sequential)?;
    // With fewer bytes under way a sequential job is bound by their latency, and shows no limit of the device.
    if in_flight_bytes(sequential)? < in_flight_bytes(random)? {
        return None;
    }
    let (bytes_per_s, sequential_bytes_per_s) = (random.base_bytes_per_s(), sequential.base_bytes_per_s());
    (bytes_per_s > FASTER * sequential_bytes_per_s).then(|| InterposedCache::AboveSequential {
        stage: random.name.clone(),
        bytes_per_s,
        sequential_bytes_per_s,
    })
}

fn in_flight_bytes(stage: &StageFigures) -> Option<u64> {
    Some(u64::from(stage.depth) * u64::from(stage.jobs) * stage.block_bytes?)
}

fn small_file(observed: &ObservedStage) -> Option<InterposedCache> {
    let place = observed.stage.place.as_ref()?;
    let (file_bytes, memory_bytes) = place.file_bytes.zip(place.memory_bytes)?;
    (file_bytes < 2 * memory_bytes).then(|| InterposedCache::SmallFile {
        file_bytes,
        memory_bytes,
        reason: place.size_reason.clone(),
    })
}

fn foreign_filesystem_cache(observed: &ObservedStage) -> Option<InterposedCache> {
    let filesystem = &observed.stage.place.as_ref()?.disk.as_ref()?.filesystem;
    let is_elsewhere = ELSEWHERE.contains(&filesystem.as_str()) || filesystem.starts_with("fuse");
    is_elsewhere.then(|| InterposedCache::Elsewhere { filesystem: filesystem.clone() })
}
