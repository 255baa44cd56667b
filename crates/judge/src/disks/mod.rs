//! What the stages of a run say of its disks: steady rates, caps, bursts, caches; and what that means for PostgreSQL.
//!
//! Pure: stages, series and trials in, conclusions out. A figure that no interval can be given for has none.

mod alike;
mod bursts;
mod caches;
mod caps;
mod ceiling;
mod figures;
mod of_run;
#[cfg(test)]
mod tests;

use results::disk::DiskFilePlace;

pub use bursts::Burst;
pub use caches::InterposedCache;
pub use caps::{DepthLadder, LadderEnd, ReachedDiskCap, ShownBy};
pub use ceiling::{Bottleneck, Ceiling, DiskMeaning, WorkloadTrials, in_words};
pub use figures::StageFigures;
pub use of_run::{headline_of_disks, of_run};

use crate::observed::ObservedStage;

/// Which of a disk's limits a figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskUnit {
    /// Requests per second.
    Iops,
    /// Bytes per second.
    Bandwidth,
}

/// What is concluded of all disks of a run.
#[derive(Debug, Clone, Default)]
pub struct DisksJudged {
    /// Each disk, in the order of the targets' names.
    pub disks: Vec<DiskJudged>,
    /// Settings in which the same stage differs from disk to disk: its figures cannot be compared.
    pub unlike: Vec<String>,
    /// What each disk means for each workload of its target; empty where nothing but disks was measured.
    pub meanings: Vec<DiskMeaning>,
}

/// What is concluded of one disk.
#[derive(Debug, Clone)]
pub struct DiskJudged {
    /// The target.
    pub target: String,
    /// Where its stages lay; absent when imported.
    pub place: Option<DiskFilePlace>,
    /// Its stages, in order.
    pub stages: Vec<StageFigures>,
    /// Latency and rate against what was in flight, for each kind of request of which there are several depths.
    pub ladders: Vec<DepthLadder>,
    /// The limits that were reached.
    pub caps: Vec<ReachedDiskCap>,
    /// Stages that began faster than they went on.
    pub bursts: Vec<Burst>,
    /// Reasons to doubt that the disk itself was measured.
    pub caches: Vec<InterposedCache>,
}

impl DiskJudged {
    /// The stage of this name, if it was completed.
    pub fn stage_by_name(&self, name: &str) -> Option<&StageFigures> {
        self.stages.iter().find(|stage| stage.name == name && stage.failed.is_none())
    }
}

/// Judges all disks of a run, with the loads that were measured on them.
pub fn judge_disks(stages: &[ObservedStage], loads: &[WorkloadTrials<'_>]) -> DisksJudged {
    let mut targets: Vec<&str> = stages.iter().map(|observed| observed.stage.target.as_str()).collect();
    targets.dedup();
    let disks: Vec<DiskJudged> = targets
        .into_iter()
        .map(|target| {
            let own: Vec<&ObservedStage> = stages.iter().filter(|observed| observed.stage.target == target).collect();
            judge_one(target, &own)
        })
        .collect();
    DisksJudged {
        meanings: ceiling::meanings_for_workloads(&disks, loads),
        unlike: alike::stage_setting_differences(stages),
        disks,
    }
}

fn judge_one(target: &str, own: &[&ObservedStage]) -> DiskJudged {
    let bursts: Vec<Burst> = own.iter().filter_map(|observed| bursts::find_burst(observed)).collect();
    let stages: Vec<StageFigures> = own
        .iter()
        .map(|observed| {
            let base_from = bursts.iter().find(|burst| burst.stage == observed.stage.name).map(|burst| burst.entry);
            StageFigures::from_stage(observed, base_from.unwrap_or(0))
        })
        .collect();
    let ladders = caps::ladders_of_disk(&stages);
    let stated = own.iter().find_map(|observed| observed.stage.stated);
    DiskJudged {
        target: target.to_owned(),
        place: own.iter().find_map(|observed| observed.stage.place.clone()),
        caps: caps::reached_caps(&stages, &ladders, stated),
        caches: caches::find_caches(own, &stages, stated),
        stages,
        ladders,
        bursts,
    }
}
