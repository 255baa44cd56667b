//! `run`: a plan, measured, judged and reported.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use judge::observed::Observed;
use judge::{RegressionAnswer, judge_run};
use plan::{Plan, explain_plan};

use plan::schedule::schedule_trials;
use results::failure::{self, RunFailure};
use results::latest::point_latest_at_run;
use results::run::{FORMAT, GeneratorMachine, Run, Schedule};
use results::store::RunDir;

use super::page::Port;
use super::{Manner, conclude, restore, rule};
use crate::cli::{MeasuringArgs, ReportFile, RunArgs};
use measure::experiment::{Experiment, ExperimentEnding, conduct_experiment};
use measure::interrupt;
use measure::progress::{ProgressReporter, print_to_stderr};
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Executes the plan into a new run directory.
pub(super) async fn run_measurement_command(arguments: &RunArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let (plan, scripts) = read_plan(arguments.plan.as_deref())?;
    Box::pin(measure_plan(plan, &scripts, &arguments.measuring, &[], manner)).await
}

/// Executes a plan into a new run directory, which gets these files beside those of the plan: their paths in it, and
/// their texts.
pub(super) async fn measure_plan(
    mut plan: Plan,
    scripts: &OwnScripts,
    measuring: &MeasuringArgs,
    files: &[(PathBuf, &str)],
    manner: Manner,
) -> Result<CommandStatus, Problem> {
    plan.seed = measuring.seed.or(plan.seed);
    rule::check_ignored(&measuring.ignore)?;
    plan.ignore.extend(measuring.ignore.iter().cloned());
    let plan = scripts.plan_in_run(plan.complete_with_defaults(random_seed(), available_cpus()));
    let port = measuring.serve.map(Port::bind_port).transpose()?;
    tell_of_passwords(&plan, manner);
    let (run, dir) = create_run_directory(&measuring.runs, &plan, scripts, files)?;
    if let Some(port) = port {
        port.serve_run_page(&dir)?;
    }
    let answer = measure_new(&plan, scripts, &run, &dir, &measuring.files.reports, manner).await?;
    conclude::tell_status(answer, manner)
}

/// Measures a run whose directory has just been made, then concludes.
pub(super) async fn measure_new(
    plan: &Plan,
    scripts: &OwnScripts,
    run: &Run,
    dir: &RunDir,
    reports: &[ReportFile],
    manner: Manner,
) -> Result<RegressionAnswer, Problem> {
    let _lock = dir.lock_directory()?;
    // Where there is none, the first trial says so.
    let _space = dir.hold_space_for_failure().ok();
    match measure_and_conclude(plan, scripts, run, dir, reports, manner).await {
        // A start that failed leaves nothing to report, to resume, or to be taken for the newest run.
        Err(NotEnded::Broke(problem)) if dir.remove_if_unmeasured()? => Err(problem),
        ended => ended.map_err(|ended| ended.keep_and_explain(plan, dir, reports)),
    }
}

/// Why a run has not come to its end.
pub(super) enum NotEnded {
    /// Something kept it from being measured: what was measured before is there.
    Broke(Problem),
    /// What is to be told of it is in the problem: a person stopped it, or its report cannot be written.
    Told(Problem),
}

impl NotEnded {
    /// Keeps in the run why it could not go on, for lists, and writes the reports of what there is. The problem with
    /// how to go on.
    pub(super) fn keep_and_explain(self, plan: &Plan, dir: &RunDir, reports: &[ReportFile]) -> Problem {
        if let Self::Broke(problem) = &self {
            let failure =
                RunFailure { format: failure::FORMAT, failed_at: Timestamp::now(), reason: problem.in_one_line() };
            // What broke it, such as a file system that is read-only now, may keep this from being written. It is said
            // all the same.
            let _unwritten = dir.write_failure(&failure);
            if let Err(not_written) = report_broken_run(dir, reports) {
                print_to_stderr(&not_written.to_string());
            }
        }
        self.with_way_on(plan, dir)
    }

    /// The problem with where the run is and how to go on.
    fn with_way_on(self, plan: &Plan, dir: &RunDir) -> Problem {
        match self {
            Self::Broke(problem) => problem.and_hint(format!(
                "finished trials are kept; remove the cause, then {}\nif the plan or a script has to change, start a \
                 new run with `pgdyno run`",
                go_on(plan, dir)
            )),
            Self::Told(problem) => problem,
        }
    }
}

impl From<Problem> for NotEnded {
    fn from(problem: Problem) -> Self {
        Self::Told(problem)
    }
}

/// Measures what is still to be measured of a run, whose lock is held, then concludes. Also after an interruption: what
/// there is is judged.
pub(super) async fn measure_and_conclude(
    plan: &Plan,
    scripts: &OwnScripts,
    run: &Run,
    dir: &RunDir,
    reports: &[ReportFile],
    manner: Manner,
) -> Result<RegressionAnswer, NotEnded> {
    if !manner.quiet {
        let duration = explain_plan(plan).range_of_duration();
        print_to_stderr(&format!("run directory: {}", dir.path().display()));
        print_to_stderr(&format!("the whole plan takes {duration}, as `pgdyno plan explain` estimates it"));
    }
    let stop = interrupt::install_for_run(go_on(plan, dir))?;
    let executable = own_executable();
    let mut progress = ProgressReporter::new(manner.quiet);
    restore::tell_of_leftovers(&executable);
    let experiment = Experiment { plan, scripts, run, dir, executable: &executable, stop: &stop };
    let ending = conduct_experiment(&experiment, &mut progress).await;
    match ending {
        Ok(ExperimentEnding::Finished) => Ok(conclude::judge_and_report(dir, reports, manner)?),
        Ok(ExperimentEnding::Interrupted) => Err(report_interrupted_run(plan, dir, reports, manner)?.into()),
        Err(problem) if problem.is_interruption() => Err(report_interrupted_run(plan, dir, reports, manner)?.into()),
        // The person gave up, and something went wrong, be it because they did: they are told both.
        Err(problem) if stop.is_requested() => {
            print_to_stderr(&problem.to_string());
            Err(report_interrupted_run(plan, dir, reports, manner)?.into())
        }
        Err(problem) => Err(NotEnded::Broke(problem)),
    }
}

/// Judges what there is and says how to go on; a run that was stopped has not measured what was asked.
fn report_interrupted_run(
    plan: &Plan,
    dir: &RunDir,
    reports: &[ReportFile],
    manner: Manner,
) -> Result<Problem, Problem> {
    if dir.finished_trials()?.is_empty() {
        return Ok(Problem::interrupted_before("the first trial had ended").hint(go_on(plan, dir)));
    }
    conclude::judge_and_report(dir, reports, manner)?;
    conclude::tell_interrupted(manner)?;
    Ok(Problem::interrupted_by_user().hint(go_on(plan, dir)))
}

/// The reports of a run that could not go on, of the trials that it has.
fn report_broken_run(dir: &RunDir, reports: &[ReportFile]) -> Result<(), Problem> {
    if reports.is_empty() {
        return Ok(());
    }
    let observed = Observed::read(dir)?;
    conclude::write_report_files(&observed, &judge_run(&observed), reports)
}

/// The command that goes on with a run, and what it needs that the run directory does not have.
fn go_on(plan: &Plan, dir: &RunDir) -> String {
    let command = format!("continue with `pgdyno resume {}`", dir.path().display());
    let secret = plan.targets_with_password();
    if secret.is_empty() {
        return command;
    }
    let secret = secret.join(", ");
    format!(
        "{command}\nset PGPASSWORD for it, or add lines to ~/.pgpass: the passwords in the URLs of {secret} are not \
         stored in the run directory"
    )
}

/// Says of a plan that is to be measured which of its passwords `resume` will not have.
pub(super) fn tell_of_passwords(plan: &Plan, manner: Manner) {
    if !manner.quiet {
        plan.password_notes().iter().for_each(|note| print_to_stderr(&format!("note: {note}")));
    }
}

/// The plan of a file with the scripts that it names, or the quick start.
pub(super) fn read_plan(path: Option<&Path>) -> Result<(Plan, OwnScripts), Problem> {
    let Some(path) = path else {
        let plan = plan::parse_plan("quickstart.yaml", plan::QUICKSTART.as_bytes()).expect("the quick start is tested");
        return Ok((plan, OwnScripts::default()));
    };
    let plan = parse_plan(path)?;
    let scripts = OwnScripts::read_from_plan(&plan, path.parent().unwrap_or(Path::new("")))?;
    Ok((plan, scripts))
}

/// The plan of a file, without what it names.
pub(super) fn parse_plan(path: &Path) -> Result<Plan, Problem> {
    let name = path.display().to_string();
    let bytes = read_file_or_standard_input(path).map_err(|error| {
        Problem::usage_error(format!("could not read the plan {name}"))
            .detail(error.to_string())
            .hint("`pgdyno plan new` prints a plan to start from")
    })?;
    plan::parse_with_codes(&name, &bytes, &rule::refuse_code).map_err(|errors| Problem::from_plan_errors(&errors))
}

/// The bytes of a file; `-` is standard input, from which files are looked for in the current directory.
fn read_file_or_standard_input(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes the run directory; a run of the same name that began in the same second only takes its name.
pub(super) fn create_run_directory(
    parent: &Path,
    plan: &Plan,
    scripts: &OwnScripts,
    files: &[(PathBuf, &str)],
) -> Result<(Run, RunDir), Problem> {
    let files = [scripts.run_directory_files(), files.to_vec()].concat();
    create_unique(parent, new_run_identity(plan), |run| RunDir::create(parent, run, &plan.to_yaml(), &files))
}

/// Makes a run directory under the first of its names that is free, and lets the link `latest` lead to it.
pub(super) fn create_unique(
    parent: &Path,
    mut run: Run,
    create: impl Fn(&Run) -> results::Result<RunDir>,
) -> Result<(Run, RunDir), Problem> {
    let id = run.id.clone();
    let mut number = 1;
    loop {
        match create(&run) {
            Ok(dir) => {
                // A file system without links is no reason not to measure.
                if let Err(error) = point_latest_at_run(parent, &run.id) {
                    print_to_stderr(&format!("note: {error}"));
                }
                return Ok((run, dir));
            }
            Err(error) if error.is_taken() && parent.join(&run.id).is_dir() => {
                number += 1;
                run.id = format!("{id}-{number}");
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn new_run_identity(plan: &Plan) -> Run {
    let seed = plan.seed.expect("a complete plan has a seed");
    identity_of(&plan.name, schedule_trials(plan, seed))
}

/// The identity of a run that has no trials.
pub(super) fn identity_without_plan(name: &str) -> Run {
    identity_of(name, Schedule { seed: random_seed(), trials: Vec::new() })
}

fn identity_of(name: &str, schedule: Schedule) -> Run {
    let started_at = Timestamp::now();
    Run {
        format: FORMAT,
        id: format!("{}-{}", started_at.strftime("%Y-%m-%dT%H-%M-%S"), directory_name_part(name)),
        name: name.to_owned(),
        pgdyno_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at,
        generator: Some(GeneratorMachine { cpus: available_cpus(), kernel: kernel_release() }),
        schedule,
        imported: None,
    }
}

/// A plan's name as part of a directory name.
fn directory_name_part(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.map(str::to_ascii_lowercase).take(8).collect::<Vec<_>>().join("-");
    if slug.is_empty() { "run".to_owned() } else { slug }
}

/// Logical CPUs that this process may use.
pub(super) fn available_cpus() -> u32 {
    std::thread::available_parallelism().map_or(1, |cpus| u32::try_from(cpus.get()).unwrap_or(u32::MAX))
}

fn kernel_release() -> String {
    std::fs::read_to_string("/proc/sys/kernel/osrelease").map_or("unknown".to_owned(), |text| text.trim().to_owned())
}

/// A seed that differs from run to run; JavaScript and YAML readers hold 53 bits of an integer exactly.
pub(super) fn random_seed() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(std::process::id()) >> 11
}

/// The path of this program, which supervises local servers; this one survives an upgrade on disk.
pub(super) fn own_executable() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run directory that is there for as long as the first is.
    fn begun_run(plan: &Plan) -> (testbed::Directory, RunDir) {
        let parent = testbed::Directory::new();
        let run = identity_without_plan("begun");
        let dir = RunDir::create(parent.directory_path(), &run, &plan.to_yaml(), &[]).expect("made");
        (parent, dir)
    }

    #[test]
    fn a_run_that_broke_names_its_directory_and_how_to_go_on_once() {
        let plan = plan::parse_plan("quickstart.yaml", plan::QUICKSTART.as_bytes()).expect("a plan");
        let (_parent, dir) = begun_run(&plan);
        let broke = NotEnded::Broke(Problem::could_not_measure("no row").hint("is the table empty?"));
        let told = broke.with_way_on(&plan, &dir).to_string();
        let command = format!("`pgdyno resume {}`", dir.path().display());
        assert_eq!(told.matches(&command).count(), 1, "{told}");
        assert!(told.contains("hint: is the table empty?\n"), "{told}");
    }

    #[test]
    fn a_run_that_broke_keeps_the_reason() {
        let plan = plan::parse_plan("quickstart.yaml", plan::QUICKSTART.as_bytes()).expect("a plan");
        let (_parent, dir) = begun_run(&plan);
        NotEnded::Told(Problem::interrupted_by_user()).keep_and_explain(&plan, &dir, &[]);
        assert_eq!(dir.read_failure().expect("readable"), None, "an interruption is no failure");
        let broke = NotEnded::Broke(Problem::could_not_measure("no row").detail("line 1\nline 2"));
        broke.keep_and_explain(&plan, &dir, &[]);
        let kept = dir.read_failure().expect("readable").expect("a reason");
        assert_eq!(kept.reason, "no row: line 1; line 2");
    }

    #[test]
    fn whoever_goes_on_with_a_run_is_told_of_the_passwords_that_its_directory_does_not_have() {
        let text = "name: x\ntargets: { a: { url: 'postgresql://me:secret@h/d' }, b: { url: 'postgresql://me@h/d' } }\n\
                    baseline: b\nworkloads: { w: { builtin: select-only, scale: 1 } }\nclients: [2]\n";
        let plan = plan::parse_plan("plan.yaml", text.as_bytes()).expect("a plan");
        let (_parent, dir) = begun_run(&plan);
        let told = go_on(&plan, &dir);
        assert!(told.contains("PGPASSWORD") && told.contains("URLs of a are") && !told.contains("secret"), "{told}");
        let of_run = plan::parse_of_run("plan.yaml", dir.plan_yaml().expect("there").as_bytes()).expect("a plan");
        assert!(!go_on(&of_run, &dir).contains("PGPASSWORD"), "whoever resumed it has set it");
    }

    #[test]
    fn a_directory_name_is_made_of_the_plan_s_words() {
        assert_eq!(directory_name_part("What does CloudNativePG cost us?"), "what-does-cloudnativepg-cost-us");
        assert_eq!(directory_name_part("../../etc"), "etc");
        assert_eq!(directory_name_part("…"), "run");
    }
}
