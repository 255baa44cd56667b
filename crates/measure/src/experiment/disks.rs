//! The disks of the targets, measured before the first trial, one after the other.
//!
//! The servers are up and idle meanwhile. What a job wrote is removed and the burst credit that it used up is gone, so
//! that the trials see the disk as it is in the long run.

use std::path::Path;

use plan::{Plan, ServerPlace};
use results::disk::{self, DiskStage, StageOutcome};

use super::ending::ExperimentEnding;
use super::fleet::Fleet;
use super::in_kubernetes;
use super::member::Member;
use super::run_request::Experiment;
use crate::disk::{DirectoryThere, DiskPlace, Survey, SurveySetting};
use crate::progress::ProgressReporter;
use problem::Problem;

const NO_DIRECTORY: &str = "the plan names no directory on it (`disk: { directory: … }`)";
const NO_CLASS: &str =
    "the storage class of its volume is not known, and the plan names none (`disk: { volume: { storage_class: … } }`)";

/// What stands in the run directory for a disk that was asked for and cannot be reached.
fn not_measured(target: &str, why: &str) -> DiskStage {
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
        outcome: StageOutcome::NotMeasured { why: why.to_owned() },
        job: None,
        groups: Vec::new(),
        devices: Vec::new(),
        series_gap: None,
    }
}

/// Refuses to begin without a right that measuring the volumes of a plan takes.
pub(super) async fn require_rights(plan: &Plan) -> Result<(), Problem> {
    for target in plan.targets.iter().filter(|_| plan.disk.is_some()) {
        if let Some(volume) = in_kubernetes::volume_of_target(plan, target, &ServerPlace::to_be_found()) {
            volume.require_rights().await?;
        }
    }
    Ok(())
}

/// Measures what the plan asks of disks; a target whose disk cannot be reached from here is left out, said, and
/// written down.
pub(super) async fn survey_disks(
    experiment: &Experiment<'_>,
    fleet: &Fleet,
    progress: &ProgressReporter,
) -> Result<ExperimentEnding, Problem> {
    let Some(plan) = &experiment.plan.disk else { return Ok(ExperimentEnding::Finished) };
    let mut places: Vec<(&Member, DiskPlace)> = Vec::new();
    for member in fleet.all_members() {
        match place_of_disk(experiment, member) {
            Ok(Some(place)) => places.push((member, place)),
            // That of another target's server is measured there.
            Ok(None) => {}
            Err(why) => {
                progress.print_line(&format!("{}: its disk is not measured: {why}", member.name));
                experiment.dir.write_disk_stage(&not_measured(&member.name, why), None, &[])?;
            }
        }
    }
    let surveys: Vec<Survey<'_>> = places
        .iter()
        .map(|(member, place)| Survey {
            target: &member.name,
            place,
            plan,
            stated: experiment
                .plan
                .target_by_name(&member.name)
                .map_or(plan.declared, |t| t.disk.declared.with_defaults_from(plan.declared)),
            own_jobs: experiment.scripts.disk_jobs(),
            force: false,
        })
        .collect();
    crate::disk::check_surveys(&surveys).await?;
    for survey in surveys {
        let setting =
            SurveySetting { dir: experiment.dir, executable: experiment.executable, stop: experiment.stop, progress };
        if crate::disk::measure_disk(survey, setting).await? == ExperimentEnding::Interrupted {
            return Ok(ExperimentEnding::Interrupted);
        }
    }
    Ok(ExperimentEnding::Finished)
}

/// Where the disk of a target is; none where it is another target's, or why it is not known.
fn place_of_disk(experiment: &Experiment<'_>, member: &Member) -> Result<Option<DiskPlace>, &'static str> {
    let Some(target) = experiment.plan.target_by_name(&member.name) else { return Err(NO_DIRECTORY) };
    let own = member.target.data_directory().map(Path::to_owned);
    if let Some(there) = DirectoryThere::of_target(target) {
        return Ok(Some(DiskPlace::There(there)));
    }
    if let Some(directory) = target.disk.directory.clone().or(own) {
        return Ok(Some(DiskPlace::Directory(directory)));
    }
    if target.reach.server_of().is_some() {
        return Ok(None);
    }
    let of_platform = |name: &str| Some(member.facts.of_platform.as_ref()?.facts.get(name)?.value.clone());
    let of_server = ServerPlace { node: of_platform("node"), storage_class: of_platform("storage class") };
    let volume = in_kubernetes::volume_of_target(experiment.plan, target, &of_server).ok_or(NO_DIRECTORY)?;
    if volume.names_a_class() { Ok(Some(DiskPlace::Volume(Box::new(volume)))) } else { Err(NO_CLASS) }
}
