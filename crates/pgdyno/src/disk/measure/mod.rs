//! Measuring one disk: look at the directory, write the file, run fio's jobs on it one by one, write each down as a
//! stage, remove the file.
//!
//! Draws no conclusion. What was measured before something went wrong stays;
//! a stage that has ended is not executed again.

mod fio;
mod ground;
mod own_job;
mod stage;
mod workspace;

use std::path::Path;

use load::Stop;
use plan::{DiskPlan, Stated};
use results::disk::PRECONDITION;
use results::disk::StageOutcome;
use results::store::RunDir;

use super::job;
use crate::experiment::Ending;
use crate::problem::Problem;
use crate::progress::Progress;
use fio::Fio;
use ground::Ground;
use stage::{Stage, Task};
use workspace::Workspace;

pub use own_job::OwnJob;
pub use workspace::{WATCH_ARGUMENT, keep_watch};

/// The disk of one target, and what is asked of it.
#[derive(Debug, Clone, Copy)]
pub struct Survey<'a> {
    /// The target's name.
    pub target: &'a str,
    /// A directory on the disk.
    pub directory: &'a Path,
    /// What is asked.
    pub plan: &'a DiskPlan,
    /// What its provider states.
    pub stated: Stated,
    /// The texts of its job files.
    pub own_jobs: &'a [OwnJob],
    /// Whether a file system may be filled beyond what is sensible.
    pub force: bool,
}

/// Where a survey is carried out and written.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// Where observations go.
    pub dir: &'a RunDir,
    /// This program, which watches over the file.
    pub executable: &'a Path,
    /// Set by Ctrl-C.
    pub stop: &'a Stop,
    /// Where progress is shown.
    pub progress: &'a Progress,
}

/// Refuses what can be told before anything is written: fio missing, no room, no disk.
///
/// # Errors
/// What is wrong with a survey, the first one.
pub async fn check(surveys: &[Survey<'_>]) -> Result<(), Problem> {
    Fio::find().await?;
    for survey in surveys {
        let ground = Ground::read(survey.directory)?;
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
pub async fn measure(survey: Survey<'_>, setting: Setting<'_>) -> Result<Ending, Problem> {
    let fio = Fio::find().await?;
    let ground = Ground::read(survey.directory)?;
    ground.check_file_system()?;
    let file_bytes = if needs_file(&survey) { Some(ground.file_size(survey.plan.size, survey.force)?) } else { None };
    let mut tasks = Vec::new();
    if let Some(bytes) = file_bytes {
        let steps = survey.plan.jobs.iter().flat_map(|job| job::steps(*job, fio.engine, bytes));
        tasks.extend(std::iter::once(job::precondition(fio.engine)).chain(steps).map(Task::Step));
    }
    tasks.extend(survey.own_jobs.iter().map(Task::Own));
    let done = finished(&setting, survey.target)?;
    let is_left = |task: &Task<'_>| !done.iter().any(|name| name == task.name());
    if !tasks.iter().any(|task| task.name() != PRECONDITION && is_left(task)) {
        return Ok(Ending::Finished);
    }
    setting.progress.line(&format!("{}: {} on {}", survey.target, fio.version, what(&ground)));
    let workspace = Workspace::make(&ground.directory, setting.executable)?;
    for (index, task) in tasks.iter().enumerate() {
        // The file of an earlier attempt is gone.
        if task.name() != PRECONDITION && !is_left(task) {
            continue;
        }
        if setting.stop.is_requested() {
            return Ok(Ending::Interrupted);
        }
        let order = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let stage =
            Stage { survey, setting, fio: &fio, ground: &ground, workspace: workspace.path(), file_bytes, order };
        match stage.execute(task).await? {
            StageOutcome::Completed | StageOutcome::NotMeasured { .. } => {}
            StageOutcome::Interrupted => return Ok(Ending::Interrupted),
            StageOutcome::Failed { error } => {
                let what = format!("fio could not finish {:?} on the disk of {:?}", task.name(), survey.target);
                return Err(Problem::could_not_measure(what)
                    .detail(error)
                    .hint(format!("what was measured before is kept in {}", setting.dir.path().display())));
            }
        }
    }
    Ok(Ending::Finished)
}

fn needs_file(survey: &Survey<'_>) -> bool {
    !survey.plan.jobs.is_empty()
}

/// The names of the stages of a target that need not be executed again.
fn finished(setting: &Setting<'_>, target: &str) -> Result<Vec<String>, Problem> {
    let stages = setting.dir.disk_stages()?.into_iter();
    let done = stages.filter(|stage| stage.target == target && stage.outcome == StageOutcome::Completed);
    Ok(done.map(|stage| stage.name).collect())
}

fn what(ground: &Ground) -> String {
    let disk = ground.disk.as_ref();
    let file_system = disk.map_or("an unknown file system", |disk| disk.filesystem.as_str());
    let device = disk.and_then(|disk| disk.device.as_ref()).map_or_else(String::new, |device| format!(" on {device}"));
    format!("{} ({file_system}{device})", ground.directory.display())
}
