//! The disks of the targets, measured before the first trial, one after the other.
//!
//! The servers are up and idle meanwhile. What a job wrote is removed and the burst credit that it used up is gone, so
//! that the trials see the disk as it is in the long run.

use std::path::{Path, PathBuf};

use results::disk::{self, DiskStage, StageOutcome};

use super::fleet::{Fleet, Member};
use super::{Ending, Experiment};
use crate::disk::measure::{self, Setting, Survey};
use crate::problem::Problem;
use crate::progress::Progress;

const NO_DIRECTORY: &str = "the plan names no directory on it (`disk: { directory: … }`)";

/// What stands in the run directory for a disk that was asked for and cannot be reached.
fn not_measured(target: &str) -> DiskStage {
    DiskStage {
        format: disk::FORMAT,
        target: target.to_owned(),
        name: "disk".to_owned(),
        order: 1,
        place: None,
        stated: None,
        fio_version: "none".to_owned(),
        definition: None,
        started_at: None,
        outcome: StageOutcome::NotMeasured { why: NO_DIRECTORY.to_owned() },
        groups: Vec::new(),
        devices: Vec::new(),
        series_gap: None,
    }
}

/// Measures what the plan asks of disks; a target whose disk cannot be reached from here is left out, said, and
/// written down.
pub(super) async fn survey(experiment: &Experiment<'_>, fleet: &Fleet, progress: &Progress) -> Result<Ending, Problem> {
    let Some(plan) = &experiment.plan.disk else { return Ok(Ending::Finished) };
    let mut places: Vec<(&Member, PathBuf)> = Vec::new();
    for member in fleet.members() {
        let planned = experiment.plan.target(&member.name).and_then(|target| target.disk.directory.clone());
        let own = member.target.data_directory().map(Path::to_owned);
        match planned.or(own) {
            Some(directory) => places.push((member, directory)),
            // That of another target's server is measured there.
            None if experiment.plan.target(&member.name).is_some_and(|target| target.reach.server_of().is_some()) => {}
            None => {
                progress.line(&format!("{}: its disk is not measured: {NO_DIRECTORY}", member.name));
                experiment.dir.write_disk_stage(&not_measured(&member.name), None, &[])?;
            }
        }
    }
    let surveys: Vec<Survey<'_>> = places
        .iter()
        .map(|(member, directory)| Survey {
            target: &member.name,
            directory,
            plan,
            stated: experiment.plan.target(&member.name).map_or(plan.stated, |t| t.disk.stated.or(plan.stated)),
            own_jobs: experiment.scripts.disk_jobs(),
            force: false,
        })
        .collect();
    measure::check(&surveys).await?;
    for survey in surveys {
        let setting =
            Setting { dir: experiment.dir, executable: experiment.executable, stop: experiment.stop, progress };
        if measure::measure(survey, setting).await? == Ending::Interrupted {
            return Ok(Ending::Interrupted);
        }
    }
    Ok(Ending::Finished)
}
