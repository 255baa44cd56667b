//! What fio saw of the targets' disks, stage by stage.

use results::disk::{DiskSecond, DiskStage};
use results::store::RunDir;

/// One stage with its series.
#[derive(Debug, Clone)]
pub struct ObservedStage {
    /// What was asked and what came of it.
    pub stage: DiskStage,
    /// The series; empty where there is none.
    pub seconds: Vec<DiskSecond>,
}

/// Every stage of a run, by target and in order.
///
/// # Errors
/// When a file cannot be read or understood.
pub(super) fn read_stages(dir: &RunDir) -> results::Result<Vec<ObservedStage>> {
    dir.disk_stages()?
        .into_iter()
        .map(|stage| Ok(ObservedStage { seconds: dir.disk_seconds(&stage)?, stage }))
        .collect()
}
