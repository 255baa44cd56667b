//! Measuring one disk: look at the directory, write the file, run fio's jobs on it one by one, write each down as a
//! stage, remove the file.
//!
//! Draws no conclusion. What was measured before something went wrong stays;
//! a stage that has ended is not executed again.

mod by_agent;
mod fio;
mod ground;
mod in_pod;
mod job;
mod own_job;
mod program;
mod served;
mod stage;
mod workspace;

use std::path::{Path, PathBuf};

use load::StopRequest;
use plan::{DeclaredRates, DiskPlan};
use results::disk::PRECONDITION;
use results::disk::StageOutcome;
use results::store::RunDir;
use server::Environment;

use crate::experiment::ExperimentEnding;
use crate::interrupt::unless_stopped;
use crate::progress::ProgressReporter;
use fio::Fio;
use ground::Ground;
use problem::Problem;
use program::{FioProgram, FioWorkSite};
use stage::{FioStage, Task};
use workspace::Workspace;

pub use by_agent::DirectoryThere;
pub use in_pod::Volume;
pub use own_job::OwnJob;
pub use served::ServedDisk;
pub use workspace::{WATCH_ARGUMENT, keep_watch};

/// The disk of one target, and what is asked of it.
#[derive(Debug, Clone, Copy)]
pub struct Survey<'a> {
    /// The target's name.
    pub target: &'a str,
    /// Where it is.
    pub place: &'a DiskPlace,
    /// What is asked.
    pub plan: &'a DiskPlan,
    /// What its provider states.
    pub stated: DeclaredRates,
    /// The texts of its job files.
    pub own_jobs: &'a [OwnJob],
    /// Whether a file system may be filled beyond what is sensible.
    pub force: bool,
}

/// Where a disk is.
#[derive(Debug, Clone)]
pub enum DiskPlace {
    /// This directory is on it.
    Directory(PathBuf),
    /// A directory of an agent's host is on it.
    There(DirectoryThere),
    /// It is a volume of Kubernetes, which is made for the survey.
    Volume(Box<Volume>),
}

/// Where a survey is carried out and written.
#[derive(Debug, Clone, Copy)]
pub struct SurveySetting<'a> {
    /// Where observations go.
    pub dir: &'a RunDir,
    /// This program, which watches over the file.
    pub executable: &'a Path,
    /// Set by Ctrl-C.
    pub stop: &'a StopRequest,
    /// Where progress is shown.
    pub progress: &'a ProgressReporter,
}

/// Refuses what can be told before anything is written: fio missing, no room, no disk.
///
/// # Errors
/// What is wrong with a survey, the first one.
pub async fn check_surveys(surveys: &[Survey<'_>]) -> Result<(), Problem> {
    for survey in surveys {
        let ground = match survey.place {
            DiskPlace::Directory(directory) => {
                Fio::find_executable().await?;
                Ground::read_directory(directory)?
            }
            DiskPlace::There(there) => {
                let fio = there.open_on_agent().await?;
                let ground = fio.observed_ground();
                fio.close_on_agent().await?;
                ground
            }
            DiskPlace::Volume(volume) => {
                volume.check_creation().await?;
                continue;
            }
        };
        ground.check_file_system()?;
        if needs_file(survey) {
            ground.file_size(survey.plan.size, survey.force)?;
        }
    }
    Ok(())
}

/// Measures one disk.
///
/// # Errors
/// What kept it from being measured; the stages that ended are kept.
pub async fn measure_disk(survey: Survey<'_>, setting: SurveySetting<'_>) -> Result<ExperimentEnding, Problem> {
    if !is_anything_left(&survey, &setting)? {
        return Ok(ExperimentEnding::Finished);
    }
    match survey.place {
        DiskPlace::Directory(directory) => measure_at(FioWorkSite::Directory(directory), survey, setting).await,
        DiskPlace::There(there) => {
            let fio = unless_stopped(setting.stop, there.open_on_agent()).await?;
            let ending = measure_at(FioWorkSite::There(&fio), survey, setting).await;
            let closed = fio.close_on_agent().await;
            ending.and_then(|ending| closed.map(|()| ending))
        }
        DiskPlace::Volume(volume) => {
            setting.progress.show_stage(&format!("{}: creating a volume", survey.target), 0, 1);
            let environment = Environment::of_this_process(setting.executable.to_owned());
            let pod = unless_stopped(setting.stop, volume.make_pod(&environment)).await?;
            let ending = measure_at(FioWorkSite::Pod(&pod), survey, setting).await;
            let released = pod.release_volume();
            ending.and_then(|ending| released.map(|()| ending))
        }
    }
}

async fn measure_at(
    site: FioWorkSite<'_>,
    survey: Survey<'_>,
    setting: SurveySetting<'_>,
) -> Result<ExperimentEnding, Problem> {
    let program = FioProgram::find_at_site(site).await?;
    let ground = &program.ground;
    ground.check_file_system()?;
    let file_bytes = if needs_file(&survey) { Some(ground.file_size(survey.plan.size, survey.force)?) } else { None };
    let tasks = tasks_of_survey(&survey, program.engine, file_bytes);
    let done = finished_stage_names(&setting, survey.target)?;
    setting.progress.print_line(&format!("{}: {} on {}", survey.target, program.version, describe_ground(ground)));
    let workspace = match site {
        FioWorkSite::Directory(_) => Some(Workspace::make_in_directory(&ground.directory, setting.executable)?),
        FioWorkSite::There(_) | FioWorkSite::Pod(_) => None,
    };
    for (index, task) in tasks.iter().enumerate() {
        // The file of an earlier attempt is gone.
        if task.task_name() != PRECONDITION && done.iter().any(|name| name == task.task_name()) {
            continue;
        }
        if setting.stop.is_requested() {
            return Ok(ExperimentEnding::Interrupted);
        }
        let order = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let workspace = workspace.as_ref().map(Workspace::workspace_path);
        let stage = FioStage { survey, setting, program: &program, workspace, file_bytes, order };
        match stage.execute_task(task).await? {
            StageOutcome::Completed | StageOutcome::NotMeasured { .. } => {}
            StageOutcome::Interrupted => return Ok(ExperimentEnding::Interrupted),
            StageOutcome::Failed { error } => {
                let what = format!("fio did not finish job {:?} on the disk of {:?}", task.task_name(), survey.target);
                return Err(Problem::could_not_measure(what)
                    .detail(error)
                    .hint(format!("earlier measurements are kept in {}", setting.dir.path().display())));
            }
        }
    }
    Ok(ExperimentEnding::Finished)
}

/// What is executed, in this order. The names depend on the plan alone.
fn tasks_of_survey<'a>(survey: &Survey<'a>, engine: &str, file_bytes: Option<u64>) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    if let Some(bytes) = file_bytes {
        let steps = survey.plan.jobs.iter().flat_map(|job| job::steps_of_job(*job, engine, bytes));
        tasks.extend(std::iter::once(job::precondition_step(engine)).chain(steps).map(Task::Step));
    }
    tasks.extend(survey.own_jobs.iter().map(Task::Own));
    tasks
}

/// Whether a stage has still to be executed; writing the file is none by itself.
fn is_anything_left(survey: &Survey<'_>, setting: &SurveySetting<'_>) -> Result<bool, Problem> {
    let done = finished_stage_names(setting, survey.target)?;
    let tasks = tasks_of_survey(survey, "libaio", needs_file(survey).then_some(0));
    Ok(tasks.iter().any(|task| task.task_name() != PRECONDITION && !done.iter().any(|name| name == task.task_name())))
}

fn needs_file(survey: &Survey<'_>) -> bool {
    !survey.plan.jobs.is_empty()
}

/// The names of the stages of a target that need not be executed again.
fn finished_stage_names(setting: &SurveySetting<'_>, target: &str) -> Result<Vec<String>, Problem> {
    let stages = setting.dir.disk_stages()?.into_iter();
    let done = stages.filter(|stage| stage.target == target && stage.outcome == StageOutcome::Completed);
    Ok(done.map(|stage| stage.name).collect())
}

fn describe_ground(ground: &Ground) -> String {
    let disk = ground.disk.as_ref();
    let file_system = disk.map_or("an unknown file system", |disk| disk.filesystem.as_str());
    let device = disk.and_then(|disk| disk.device.as_ref()).map_or_else(String::new, |device| format!(" on {device}"));
    format!("{} ({file_system}{device})", ground.directory.display())
}
