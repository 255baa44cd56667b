//! `disk`: fio on one disk or several, judged and reported.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use load::StopRequest;
use plan::{DeclaredRates, ObjectName, Plan, Reach, ServerPlace, Target};
use results::store::RunDir;

use super::{Manner, conclude, run};
use crate::cli::DiskArgs;
use measure::disk::{DirectoryThere, DiskPlace, OwnJob, Survey, SurveySetting, Volume};
use measure::experiment::{ExperimentEnding, in_kubernetes};
use measure::interrupt;
use measure::progress::ProgressReporter;
use problem::{CommandStatus, Problem};

/// One disk of the command line.
struct CommandLineDisk {
    target: String,
    place: DiskPlace,
    stated: DeclaredRates,
}

/// Measures the disks one after the other into a new run directory.
pub(super) async fn run_disk_command(arguments: &DiskArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let plan = arguments.plan.as_deref().map(run::parse_plan).transpose()?;
    let of_plan = plan.as_ref().and_then(|plan| plan.disk.clone());
    let in_plan = of_plan.as_ref().map_or(0, |disk| disk.job_files.len());
    let asked = arguments.disk_plan_with_options(of_plan)?;
    let beside = arguments.plan.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    // The first of them are the plan's, whose paths start beside it.
    let files = asked.job_files.iter().enumerate();
    let paths = files.map(|(index, path)| if index < in_plan { beside.join(path) } else { path.clone() });
    let own_jobs = OwnJob::read_all(paths, arguments.force)?;
    let disks = match plan {
        Some(plan) => {
            of_targets(&plan.complete_with_defaults(unique_run_number(), run::available_cpus()), &arguments.what)?
        }
        None => of_places(arguments),
    };
    let surveys: Vec<Survey<'_>> = disks
        .iter()
        .map(|disk| Survey {
            target: &disk.target,
            place: &disk.place,
            plan: &asked,
            stated: arguments.declared_rates().with_defaults_from(disk.stated).with_defaults_from(asked.declared),
            own_jobs: &own_jobs,
            force: arguments.force,
        })
        .collect();
    measure::disk::check_surveys(&surveys).await?;
    let names: Vec<&str> = disks.iter().map(|disk| disk.target.as_str()).collect();
    let identity = run::identity_without_plan(&format!("disk {}", names.join(" ")));
    let (_, dir) = run::create_unique(&arguments.runs, identity, |identity| {
        RunDir::create_without_plan(&arguments.runs, identity)
    })?;
    let _lock = dir.lock_directory()?;
    let stop = interrupt::install_signal_handlers()?;
    let progress = ProgressReporter::new(manner.quiet);
    let ending = measure_all(&surveys, &dir, &stop, &progress).await;
    progress.clear_live_line();
    if dir.disk_stages()?.is_empty() {
        dir.remove_if_unmeasured()?;
        return ending.and(Err(Problem::could_not_measure("interrupted before the first stage had ended")));
    }
    let concluded = conclude::judge_and_report(&dir, &[], manner);
    let begin_again = format!("what was measured is in {}; `pgdyno disk` begins anew", dir.path().display());
    match ending.map_err(|problem| problem.and_hint(&begin_again))? {
        ExperimentEnding::Finished => conclude::tell_status(concluded?, manner),
        ExperimentEnding::Interrupted => {
            concluded?;
            conclude::tell_interrupted(manner)?;
            Err(Problem::interrupted_by_user().hint(begin_again))
        }
    }
}

async fn measure_all(
    surveys: &[Survey<'_>],
    dir: &RunDir,
    stop: &StopRequest,
    progress: &ProgressReporter,
) -> Result<ExperimentEnding, Problem> {
    let executable = run::own_executable();
    for survey in surveys {
        let setting = SurveySetting { dir, executable: &executable, stop, progress };
        if measure::disk::measure_disk(*survey, setting).await? == ExperimentEnding::Interrupted {
            return Ok(ExperimentEnding::Interrupted);
        }
    }
    Ok(ExperimentEnding::Finished)
}

/// Directories and storage classes by names of their own: each one's last component, numbered where two are alike.
fn of_places(arguments: &DiskArgs) -> Vec<CommandLineDisk> {
    let mut taken = BTreeSet::new();
    let mut named = |text: &str| {
        let plain: String =
            text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken.contains(name));
        let target = free.expect("an unbounded range has a free number");
        taken.insert(target.clone());
        target
    };
    let mut disks = Vec::new();
    for directory in arguments.what.iter().map(PathBuf::from) {
        let real = directory.canonicalize().unwrap_or_else(|_| directory.clone());
        let last = real.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned());
        let place = DiskPlace::Directory(directory);
        disks.push(CommandLineDisk { target: named(&last), place, stated: DeclaredRates::default() });
    }
    for class in &arguments.storage_class {
        let target = named(class);
        let place = DiskPlace::Volume(Box::new(of_class(arguments, class, &target)));
        disks.push(CommandLineDisk { target, place, stated: DeclaredRates::default() });
    }
    disks
}

fn of_class(arguments: &DiskArgs, class: &str, target: &str) -> Volume {
    let DiskArgs { namespace, context, volume_size, node, image, .. } = arguments;
    let volume = plan::Volume {
        storage_class: Some(ObjectName(class.to_owned())),
        size: volume_size.clone(),
        image: image.clone(),
        ..plan::Volume::default()
    };
    let objects = plan::volume_objects(target, &format!("{target}{}", unique_run_number()), &volume, node.as_deref());
    Volume { context: context.clone(), namespace: namespace.clone(), objects }
}

/// A number that two runs at once do not have in common.
fn unique_run_number() -> u64 {
    u64::from(std::process::id()) << 32 | u64::from(jiff::Timestamp::now().subsec_nanosecond().unsigned_abs())
}

/// The disks of a plan's targets.
fn of_targets(plan: &Plan, names: &[String]) -> Result<Vec<CommandLineDisk>, Problem> {
    let disk = |(index, name): (usize, &String)| {
        if names[..index].contains(name) {
            return Err(Problem::usage_error(format!("target {name:?} is given twice")).hint("keep one of the two"));
        }
        let target = plan.target_by_name(name).ok_or_else(|| {
            let known: Vec<&str> = plan.targets.iter().map(|target| target.name.as_str()).collect();
            Problem::usage_error(format!("{name:?} is not a target of the plan"))
                .hint(format!("the targets are: {}; without --plan, directories are measured", known.join(", ")))
        })?;
        Ok(CommandLineDisk {
            target: name.clone(),
            place: disk_place_of_target(plan, target)?,
            stated: target.disk.declared,
        })
    };
    names.iter().enumerate().map(disk).collect()
}

/// Where the disk of a target that is not running is.
fn disk_place_of_target(plan: &Plan, target: &Target) -> Result<DiskPlace, Problem> {
    if let Some(there) = DirectoryThere::of_target(target) {
        return Ok(DiskPlace::There(there));
    }
    let class_is_given = target.disk.volume.as_ref().is_some_and(|volume| volume.storage_class.is_some());
    match in_kubernetes::volume_of_target(plan, target, &ServerPlace::default()) {
        Some(volume) if class_is_given || target.reach.is_made() => Ok(DiskPlace::Volume(Box::new(volume))),
        Some(_) => Err(Problem::usage_error(format!(
            "target {:?}: the storage class of its volume is known only in a run",
            target.name
        ))
        .hint("set it: `disk: { volume: { storage_class: … } }` under the target")),
        None => Ok(DiskPlace::Directory(data_directory_of_target(target)?)),
    }
}

/// Where the data of a target that is not running go.
fn data_directory_of_target(target: &Target) -> Result<PathBuf, Problem> {
    let data = match (&target.disk.directory, &target.reach) {
        (Some(directory), _) => return Ok(directory.clone()),
        (None, Reach::Kubernetes(kubernetes)) => {
            return Err(of_another(target, kubernetes.server_of().unwrap_or_default()));
        }
        (None, Reach::Url(_)) => {
            return Err(Problem::usage_error(format!(
                "target {:?}: the location of its data is not known",
                target.name
            ))
            .hint("name a directory on its disk: `disk: { directory: … }` under the target"));
        }
        (None, Reach::Shared(shared)) => {
            return Err(of_another(target, &shared.server_of));
        }
        (None, Reach::Local(local)) => local.data_directory.clone(),
    };
    let data = data.unwrap_or_else(|| server::Environment::of_this_process(run::own_executable()).data_parent());
    // A data directory that is not there yet will be on the disk of what holds it.
    let absolute = std::path::absolute(&data).unwrap_or(data);
    let existing = absolute.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("/")).to_owned();
    Ok(existing)
}

fn of_another(target: &Target, owner: &str) -> Problem {
    Problem::usage_error(format!("target {:?} has no data of its own", target.name))
        .hint(format!("measure the disk of target {owner:?}, whose server it uses"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arguments: DiskArgs,
    }

    #[test]
    fn directories_and_classes_are_named_after_their_last_component_and_numbered_when_alike() {
        let line =
            ["disk", "/no/such/a b", "/other/a b", "/", "--storage-class", "fast.ssd", "--storage-class", "root"];
        let disks = of_places(&Line::parse_from(line).arguments);
        let names: Vec<&str> = disks.iter().map(|disk| disk.target.as_str()).collect();
        assert_eq!(names, ["a-b", "a-b-2", "root", "fast-ssd", "root-2"]);
    }
}
