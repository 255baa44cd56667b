//! `disk`: fio on one disk or several, judged and reported.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use load::Stop;
use plan::{Plan, Reach, Stated, Target};
use results::store::RunDir;

use super::{Manner, conclude, run};
use crate::cli::DiskArgs;
use crate::disk::measure::{self, OwnJob, Setting, Survey};
use crate::experiment::Ending;
use crate::interrupt;
use crate::problem::{Problem, Status};
use crate::progress::Progress;

/// One disk of the command line.
struct Disk {
    target: String,
    directory: PathBuf,
    stated: Stated,
}

/// Measures the disks one after the other into a new run directory.
pub(super) async fn disk(arguments: &DiskArgs, manner: Manner) -> Result<Status, Problem> {
    let plan = arguments.plan.as_deref().map(run::parse_plan).transpose()?;
    let of_plan = plan.as_ref().and_then(|plan| plan.disk.clone());
    let in_plan = of_plan.as_ref().map_or(0, |disk| disk.job_files.len());
    let asked = arguments.asked(of_plan)?;
    let beside = arguments.plan.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    // The first of them are the plan's, whose paths start beside it.
    let files = asked.job_files.iter().enumerate();
    let paths = files.map(|(index, path)| if index < in_plan { beside.join(path) } else { path.clone() });
    let own_jobs = OwnJob::read_all(paths, arguments.force)?;
    let disks = match &plan {
        Some(plan) => of_targets(plan, &arguments.what)?,
        None => of_directories(&arguments.what),
    };
    let surveys: Vec<Survey<'_>> = disks
        .iter()
        .map(|disk| Survey {
            target: &disk.target,
            directory: &disk.directory,
            plan: &asked,
            stated: arguments.stated().or(disk.stated).or(asked.stated),
            own_jobs: &own_jobs,
            force: arguments.force,
        })
        .collect();
    measure::check(&surveys).await?;
    let names: Vec<&str> = disks.iter().map(|disk| disk.target.as_str()).collect();
    let identity = run::identity_without_plan(&format!("disk {}", names.join(" ")));
    let (_, dir) = run::create_unique(&arguments.runs, identity, |identity| {
        RunDir::create_without_plan(&arguments.runs, identity)
    })?;
    let _lock = dir.lock()?;
    let stop = interrupt::install()?;
    let progress = Progress::new(manner.quiet);
    let ending = measure_all(&surveys, &dir, &stop, &progress).await;
    progress.finish();
    if dir.disk_stages()?.is_empty() {
        return ending.and(Err(Problem::could_not_measure("interrupted before the first stage had ended")));
    }
    let concluded = conclude::conclude(&dir, manner);
    match ending? {
        Ending::Finished => concluded,
        Ending::Interrupted => concluded.and(Err(Problem::could_not_measure("interrupted"))),
    }
}

async fn measure_all(
    surveys: &[Survey<'_>],
    dir: &RunDir,
    stop: &Stop,
    progress: &Progress,
) -> Result<Ending, Problem> {
    let executable = run::own_executable();
    for survey in surveys {
        let setting = Setting { dir, executable: &executable, stop, progress };
        if measure::measure(*survey, setting).await? == Ending::Interrupted {
            return Ok(Ending::Interrupted);
        }
    }
    Ok(Ending::Finished)
}

/// Directories by names of their own: each one's last component, numbered where two are alike.
fn of_directories(directories: &[String]) -> Vec<Disk> {
    let mut taken = BTreeSet::new();
    let mut disks = Vec::new();
    for text in directories {
        let directory = PathBuf::from(text);
        let real = directory.canonicalize().unwrap_or_else(|_| directory.clone());
        let last = real.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned());
        let plain: String =
            last.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken.contains(name));
        let target = free.expect("an unbounded range has a free number");
        taken.insert(target.clone());
        disks.push(Disk { target, directory, stated: Stated::default() });
    }
    disks
}

/// The disks of a plan's targets.
fn of_targets(plan: &Plan, names: &[String]) -> Result<Vec<Disk>, Problem> {
    let disk = |(index, name): (usize, &String)| {
        if names[..index].contains(name) {
            return Err(Problem::usage(format!("target {name:?} is given twice")).hint("keep one of the two"));
        }
        let target = plan.target(name).ok_or_else(|| {
            let known: Vec<&str> = plan.targets.iter().map(|target| target.name.as_str()).collect();
            Problem::usage(format!("{name:?} is not a target of the plan"))
                .hint(format!("the targets are: {}; without --plan, directories are measured", known.join(", ")))
        })?;
        Ok(Disk { target: name.clone(), directory: directory(target)?, stated: target.disk.stated })
    };
    names.iter().enumerate().map(disk).collect()
}

/// Where the data of a target that is not running go.
fn directory(target: &Target) -> Result<PathBuf, Problem> {
    let data = match (&target.disk.directory, &target.reach) {
        (Some(directory), _) => return Ok(directory.clone()),
        (None, Reach::Url(_) | Reach::Kubernetes(_)) => {
            return Err(Problem::usage(format!("target {:?}: it is not known where its data are", target.name))
                .hint("name a directory on its disk: `disk: { directory: … }` under the target"));
        }
        (None, Reach::Shared(shared)) => {
            return Err(Problem::usage(format!("target {:?} has no data of its own", target.name))
                .hint(format!("measure the disk of target {:?}, whose server it is", shared.server_of)));
        }
        (None, Reach::Local(local)) => local.data_directory.clone(),
    };
    let data = data.unwrap_or_else(|| server::Environment::current(run::own_executable()).data_parent());
    // A data directory that is not there yet will be on the disk of what holds it.
    let absolute = std::path::absolute(&data).unwrap_or(data);
    let existing = absolute.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("/")).to_owned();
    Ok(existing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_named_after_their_last_component_and_numbered_when_alike() {
        let disks = of_directories(&["/no/such/a b".into(), "/other/a b".into(), "/".into()]);
        let names: Vec<&str> = disks.iter().map(|disk| disk.target.as_str()).collect();
        assert_eq!(names, ["a-b", "a-b-2", "root"]);
    }
}
