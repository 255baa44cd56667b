//! The texts of a plan's own scripts, and of its job files for fio: read beside the plan, checked before anything is
//! started, copied into the run.
//!
//! In a run directory the scripts of a workload lie in `scripts/<workload>/`, the job files in `disk-jobs/`, and its
//! `plan.yaml` names them there, so that `resume`, and a colleague who was sent the directory, have them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use conninfo::{ConnInfo, ServerHost};
use load::{AtListEnd, EngineJob, LoadError, ParsedScript, QueryMode, TimedSessions, TransactionOrder, Weighted};
use plan::{
    ChangedTables, DataSource, Generator, Plan, PlanScripts, Reach, ScriptFile, Target, TargetScripts, Workload,
};
use results::asked::{AskedWorkload, StatementAccess};
use results::workload::WorkloadStatements;

use crate::beside_scripts::ScriptsBeside;
use crate::captured::{CapturedOrder, CapturedScripts, ComparedColumn, ReplaySummary, ReplayTimes};
use crate::disk::OwnJob;
use crate::reset_scripts::{ResetScript, ResetScripts};
use crate::script_files::{ReadFile, parse_script, problem_in_script, text_of_bytes};
use crate::script_options::{shell_commands, variable_definitions};
use crate::statements::{Unbalanced, tables_changed, tables_named, unbalanced_statements};
use crate::value_files::ValueFiles;
use problem::Problem;

/// The scripts of every workload that has its own, by workload name, in the order of the plan.
#[derive(Debug, Clone, Default)]
pub struct OwnScripts {
    by_workload: BTreeMap<String, Vec<Weighted>>,
    /// Those that a target executes in place of them, by workload and target.
    of_targets: BTreeMap<(String, String), Vec<Weighted>>,
    value_files: ValueFiles,
    resets: ResetScripts,
    /// What the servers said of the statements.
    asked: Vec<AskedWorkload>,
    captured: BTreeMap<String, CapturedScripts>,
    beside: ScriptsBeside,
    /// Parsed once: each trial takes it from here.
    orders: BTreeMap<String, CapturedOrder>,
    disk_jobs: Vec<OwnJob>,
    /// The directory of the plan.
    directory: PathBuf,
}

impl OwnScripts {
    /// Reads and parses them; relative paths start at `directory`, the plan's.
    ///
    /// # Errors
    /// A file that cannot be read, or the first error of a script, with its place in the file.
    pub fn read_from_plan(plan: &Plan, directory: &Path) -> Result<Self, Problem> {
        let of_workloads = Self::of_workloads(plan, directory, &|path| std::fs::read(path))?;
        let paths = plan.disk.iter().flat_map(|disk| &disk.job_files);
        let disk_jobs = OwnJob::read_all(paths.map(|path| directory.join(path)), false)?;
        for data in plan.targets.iter().filter_map(|target| target.data.as_ref()) {
            let DataSource::Restore(dump) = &data.source else { continue };
            let dump = directory.join(dump);
            if let Err(error) = std::fs::metadata(&dump) {
                return Err(Problem::usage_error(format!("could not read the dump {}", dump.display()))
                    .detail(error.to_string())
                    .hint("a relative path is relative to the directory of the plan"));
            }
        }
        // A run may go on from another directory.
        let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        Ok(Self { disk_jobs, directory, ..of_workloads })
    }

    /// Those of the workloads alone, whose files below `directory` are read like this.
    ///
    /// # Errors
    /// As of [`OwnScripts::read_workload_scripts`].
    pub fn of_workloads(plan: &Plan, directory: &Path, read_file: &ReadFile<'_>) -> Result<Self, Problem> {
        let (mut by_workload, mut of_targets) = (BTreeMap::new(), BTreeMap::new());
        let (mut value_files, mut all_captured) = (ValueFiles::default(), BTreeMap::new());
        let (mut orders, mut resets) = (BTreeMap::new(), ResetScripts::default());
        for (workload, scripts) in &of_plan(plan) {
            resets.read_of_workload(workload, scripts, directory, read_file)?;
            if let Some(capture) = &scripts.captured {
                let times = replay_times(workload);
                let captured = CapturedScripts::read_directory(&directory.join(capture), times, read_file)?;
                let weighted = captured.parsed_scripts()?;
                check_workload_scripts(workload, scripts, &weighted)?;
                check_connections(plan, workload, &captured)?;
                orders.insert(workload.name.clone(), captured.parsed_order()?);
                by_workload.insert(workload.name.clone(), weighted);
                all_captured.insert(workload.name.clone(), captured);
                continue;
            }
            let of_each = scripts.target_scripts.iter().map(|own| (Some(&own.target), &own.files));
            for (target, files) in std::iter::once((None, &scripts.files)).chain(of_each) {
                let in_run = directory_in_run(&workload.name, target);
                let mut weighted = read_workload_scripts(&workload.name, files, directory, read_file)?;
                for (file, weighted) in files.iter().zip(&mut weighted) {
                    let path = directory.join(&file.path);
                    let beside = path.parent().unwrap_or(directory);
                    weighted.script = value_files.bind_script(weighted.script.clone(), beside, &in_run, read_file)?;
                }
                check_workload_scripts(workload, scripts, &weighted)?;
                open_transactions(workload, scripts, &weighted)?;
                let made = resets.of_workload(&workload.name).is_some_and(ResetScript::may_define);
                if !made {
                    empty_servers(plan, workload, scripts, &weighted)?;
                }
                match target {
                    None => drop(by_workload.insert(workload.name.clone(), weighted)),
                    Some(target) => drop(of_targets.insert((workload.name.clone(), target.clone()), weighted)),
                }
            }
        }
        let beside = ScriptsBeside::read_from_plan(plan, directory, read_file)?;
        let captured = all_captured;
        Ok(Self { by_workload, of_targets, value_files, resets, captured, beside, orders, ..Self::default() })
    }

    /// The tables whose rows the statements of the scripts change.
    #[must_use]
    pub fn changed_tables(&self, plan: &Plan) -> ChangedTables {
        let mut changed = ChangedTables::new();
        for (workload, own) in &of_plan(plan) {
            let tables = changed.entry(workload.name.clone()).or_default();
            for statement in self.resets.of_workload(&workload.name).map_or(&[][..], ResetScript::reset_statements) {
                tables.extend(tables_changed(&statement.text));
            }
            for script in self.all_scripts_of_workload(&workload.name) {
                for statement in script.preparable_statements(QueryMode::Simple, &variable_definitions(own)) {
                    tables.extend(tables_changed(&statement.text));
                }
            }
        }
        changed
    }

    /// What of the scripts is allowed but probably not meant, one sentence each.
    #[must_use]
    pub fn notes_on(&self, plan: &Plan) -> Vec<String> {
        let mut notes = Vec::new();
        for (workload, own) in &of_plan(plan) {
            for script in self.all_scripts_of_workload(&workload.name) {
                for (statement, what) in
                    unbalanced_statements(&script.preparable_statements(QueryMode::Simple, &variable_definitions(own)))
                {
                    let says = match what {
                        Unbalanced::EndsNothing => "ends a transaction, but none is open there",
                        Unbalanced::StaysOpen => "begins a transaction that the script does not end",
                    };
                    let place = script.error_of(statement, None, says, None);
                    notes.push(format!("workload {:?}: {place}", workload.name));
                }
            }
        }
        notes.extend(self.captured_notes(plan));
        notes
    }

    /// The same of captured loads.
    fn captured_notes(&self, plan: &Plan) -> Vec<String> {
        let mut notes = self.replays_in_words();
        for (workload, captured) in &self.captured {
            let phases = plan.workload_by_name(workload).map_or(plan.trial, |of| plan.phases_of_workload(of));
            let trial_s = phases.total_duration().as_secs_f64();
            let length_us = captured.summary.timed.as_ref().and_then(|timed| timed.window_ends_us.last());
            let length_s = length_us.map_or(0.0, |length_us| *length_us as f64 / 1e6);
            if length_s > trial_s {
                notes.push(format!(
                    "workload {workload:?}: a trial replays the first {trial_s:.0} s of {length_s:.0} s; `trial.measure` \
                     extends it"
                ));
            }
        }
        let without_dump = plan.targets.iter().find(|target| target.data.is_none());
        let writing = self.captured.iter().filter(|(_, captured)| captured.summary.writes);
        for (workload, _) in writing.filter(|(workload, _)| self.resets.of_workload(workload).is_none()) {
            if let Some(target) = without_dump.filter(|_| plan.blocks.at_most > 1) {
                notes.push(format!(
                    "workload {workload:?} writes, and target {:?} has no `data` to begin each trial with: a trial finds the \
                     rows of those before, and inserts may fail; `reset` names SQL that restores them",
                    target.name
                ));
            }
        }
        notes
    }

    /// The capture that a workload replays, as far as messages name it; none of other workloads.
    pub(crate) fn replay_of_workload(&self, workload: &str) -> Option<&ReplaySummary> {
        self.captured.get(workload).map(|captured| &captured.summary)
    }

    /// The columns with which statements of a masked capture compare texts; none of other workloads.
    pub(crate) fn masked_columns(&self, workload: &str) -> Vec<ComparedColumn> {
        match self.captured.get(workload) {
            Some(captured) if captured.summary.masked => captured.compared_columns(),
            Some(_) | None => Vec::new(),
        }
    }

    /// The plan's job files for fio.
    pub fn disk_jobs(&self) -> &[OwnJob] {
        &self.disk_jobs
    }

    /// The scripts of a workload, as a target executes them; none when it has none of its own.
    pub fn scripts_on_target(&self, workload: &str, target: &str) -> &[Weighted] {
        let of_target = self.of_targets.get(&(workload.to_owned(), target.to_owned()));
        of_target.or_else(|| self.by_workload.get(workload)).map_or(&[], Vec::as_slice)
    }

    /// The scripts of a load beside; none of one that has no scripts.
    pub(crate) fn scripts_beside(&self, load: &str) -> &[Weighted] {
        self.beside.of_load(load)
    }

    /// What is executed before each trial of a workload.
    pub(crate) fn reset_of_workload(&self, workload: &str) -> Option<&ResetScript> {
        self.resets.of_workload(workload)
    }

    /// Those of all targets, the common ones first.
    fn all_scripts_of_workload(&self, workload: &str) -> impl Iterator<Item = &ParsedScript> {
        let of_targets = self.of_targets.iter().filter(move |((of, _), _)| of == workload).map(|(_, scripts)| scripts);
        let common = self.by_workload.get(workload);
        common.into_iter().chain(of_targets).flatten().map(|weighted| &weighted.script)
    }

    /// How much of their captures the workloads replay, a line each.
    pub fn replays_in_words(&self) -> Vec<String> {
        self.captured.iter().map(|(name, captured)| format!("{name}: {}", captured.summary.in_words())).collect()
    }

    /// Notes at the statements of a captured workload how often its capture has each; `writes`: a trial executes each
    /// transaction once. Does nothing to other workloads.
    pub fn note_captured_calls(&self, sent: &mut WorkloadStatements, writes: bool) {
        if let Some(captured) = self.captured.get(&sent.workload) {
            captured.summary.note_captured_calls(sent, writes);
        }
    }

    /// The transactions of a captured workload in their order; `writes`: each is to happen once. None of other
    /// workloads, and of one whose sessions are timed.
    pub fn transaction_order(&self, workload: &str, writes: bool) -> Option<Arc<TransactionOrder>> {
        let at_end = if writes { AtListEnd::EndLoad } else { AtListEnd::Repeat };
        match self.orders.get(workload)? {
            CapturedOrder::Sampled(order) => Some(Arc::new(order.with_end(at_end))),
            CapturedOrder::Timed(_) => None,
        }
    }

    /// The sessions of a captured workload that is replayed as it was timed; none of others.
    pub fn timed_sessions(&self, workload: &str) -> Option<Arc<TimedSessions>> {
        match self.orders.get(workload)? {
            CapturedOrder::Sampled(_) => None,
            CapturedOrder::Timed(sessions) => Some(sessions.clone()),
        }
    }

    /// The lines of the scripts of a workload, by script, of all of whose statements a server said that they only read.
    pub(crate) fn reading_lines(&self, workload: &str, target: &str) -> BTreeSet<(&str, u32)> {
        let (mut reading, mut others) = (BTreeSet::new(), BTreeSet::new());
        let of_workload = self.asked.iter().filter(|asked| asked.workload == workload);
        for one in of_workload.flat_map(|asked| &asked.statements).filter(|one| one.target == target) {
            let lines = if one.access == StatementAccess::Reads { &mut reading } else { &mut others };
            lines.insert((one.script.as_str(), one.line));
        }
        reading.retain(|line| !others.contains(line));
        reading
    }

    /// The same with what the servers said: some scripts' statements are prepared once they are executed.
    #[must_use]
    pub fn prepared_as(mut self, asked: &[AskedWorkload]) -> Self {
        self.asked = asked.to_vec();
        for of in asked {
            let of_targets = self.of_targets.iter_mut().filter(|((workload, _), _)| *workload == of.workload);
            let common = self.by_workload.get_mut(&of.workload);
            for weighted in common.into_iter().chain(of_targets.map(|(_, scripts)| scripts)).flatten() {
                if of.prepared_when_executed.iter().any(|name| name == weighted.script.name()) {
                    weighted.script = weighted.script.clone().prepared_when_executed();
                }
            }
        }
        self
    }

    /// The plan as it names its scripts in a run directory.
    #[must_use]
    pub fn plan_in_run(&self, mut plan: Plan) -> Plan {
        for (workload, scripts) in plan.own_scripts_mut() {
            if let Some(capture) = &mut scripts.captured {
                *capture = directory_in_run(&workload, None);
            }
            let common = self.by_workload.get(&workload).into_iter().flatten();
            name_in_directory(&mut scripts.files, common, &directory_in_run(&workload, None));
            for TargetScripts { target, files } in &mut scripts.target_scripts {
                let own = self.of_targets.get(&(workload.clone(), target.clone())).into_iter().flatten();
                name_in_directory(files, own, &directory_in_run(&workload, Some(target)));
            }
        }
        self.resets.name_in_run(&mut plan);
        self.beside.name_in_run(&mut plan);
        for data in plan.targets.iter_mut().filter_map(|target| target.data.as_mut()) {
            if let DataSource::Restore(dump) = &mut data.source {
                *dump = self.directory.join(&*dump);
            }
        }
        if let Some(disk) = &mut plan.disk {
            disk.job_files = self.disk_jobs.iter().map(OwnJob::path_in_run).collect();
        }
        plan
    }

    /// Every script, file of values and job file as a file of a run directory: its path there, and its text.
    pub fn run_directory_files(&self) -> Vec<(PathBuf, &str)> {
        let mut files: Vec<(PathBuf, &str)> = Vec::new();
        for (workload, scripts) in &self.by_workload {
            match self.captured.get(workload) {
                Some(captured) => files.extend(captured.files_in(&directory_in_run(workload, None))),
                None => files.extend(texts_in_directory(scripts, &directory_in_run(workload, None))),
            }
        }
        for ((workload, target), scripts) in &self.of_targets {
            files.extend(texts_in_directory(scripts, &directory_in_run(workload, Some(target))));
        }
        files.extend(self.value_files.run_directory_files());
        files.extend(self.resets.run_directory_files());
        files.extend(self.beside.run_directory_files());
        files.extend(self.disk_jobs.iter().map(|job| (job.path_in_run(), job.text.as_str())));
        files
    }
}

fn replay_times(workload: &Workload) -> ReplayTimes {
    match workload.timed_replay_speed() {
        Some(speed) => ReplayTimes::Timed { speed: speed.as_f64() },
        None => ReplayTimes::Sampled,
    }
}

/// Whether the sessions of a timed replay have connections, and some of it is left after the warm-up.
fn check_connections(plan: &Plan, workload: &Workload, captured: &CapturedScripts) -> Result<(), Problem> {
    let Some(timed) = &captured.summary.timed else { return Ok(()) };
    let name = &workload.name;
    let clients = plan.clients_of_workload(workload);
    if let [_, _, ..] = clients {
        let values: Vec<String> = clients.iter().map(u32::to_string).collect();
        return Err(Problem::usage_error(format!(
            "workload {name:?}: `clients` has {} values ({})",
            values.len(),
            values.join(", ")
        ))
        .detail("`replay: timed` has the sessions of the capture, so that each of them would be the same load")
        .hint("write one: the highest number of connections at the same time"));
    }
    let clients = plan.most_clients_of_workload(workload);
    if timed.connections > clients {
        let needed = timed.connections;
        return Err(Problem::usage_error(format!(
            "workload {name:?}: {} sessions need {needed} connections, and `clients` is {clients}",
            timed.sessions
        ))
        .detail(format!("{needed} sessions of the capture are open at the same time, each with a state of its own"))
        .hint(format!(
            "write `clients: [{needed}]` (max_connections has to permit them), or `replay: sampled`, which needs no \
                 more than {clients}"
        )));
    }
    let length_us = timed.window_ends_us.last().copied().unwrap_or_default();
    let warm_up = plan.phases_of_workload(workload).warm_up;
    if u128::from(length_us) <= warm_up.as_micros() {
        return Err(Problem::usage_error(format!(
            "workload {name:?}: the replay takes {:.1} s at speed {}",
            length_us as f64 / 1e6,
            timed.speed
        ))
        .detail(format!("`trial.warm_up` is {warm_up:?}, and nothing would be measured"))
        .hint("shorten the warm-up, or capture a longer period"));
    }
    Ok(())
}

/// Has files of a plan named as their copies in a directory are.
fn name_in_directory<'s>(files: &mut [ScriptFile], scripts: impl Iterator<Item = &'s Weighted>, directory: &Path) {
    for (file, weighted) in files.iter_mut().zip(scripts) {
        file.path = directory.join(weighted.script.name());
    }
}

fn texts_in_directory<'s>(scripts: &'s [Weighted], directory: &Path) -> Vec<(PathBuf, &'s str)> {
    scripts.iter().map(|Weighted { script, .. }| (directory.join(script.name()), script.text())).collect()
}

/// The directory of a workload's scripts in a run directory; those of a target lie below it. A script called `targets`
/// would be in their way: [`free_name`] numbers it.
fn directory_in_run(workload: &str, target: Option<&String>) -> PathBuf {
    let common = Path::new("scripts").join(workload);
    target.map_or_else(|| common.clone(), |target| common.join(DIRECTORY_OF_TARGETS).join(target))
}

/// Among the scripts of a workload in a run directory.
const DIRECTORY_OF_TARGETS: &str = "targets";

/// The single workloads that have scripts of their own.
fn of_plan(plan: &Plan) -> Vec<(Workload, PlanScripts)> {
    let mut with_scripts = Vec::new();
    for workload in plan.single_workloads() {
        if let Some(scripts) = workload.own_scripts().cloned() {
            with_scripts.push((workload, scripts));
        }
    }
    with_scripts
}

fn read_workload_scripts(
    workload: &str,
    files: &[ScriptFile],
    directory: &Path,
    read_file: &ReadFile<'_>,
) -> Result<Vec<Weighted>, Problem> {
    let mut weighted: Vec<Weighted> = Vec::new();
    for file in files {
        let path = directory.join(&file.path);
        let bytes = read_file(&path).map_err(|error| {
            let hint = match error.kind() {
                ErrorKind::NotFound if file.path.is_relative() => {
                    "a relative path is relative to the directory of the plan, or to the working directory if there is none"
                }
                ErrorKind::IsADirectory => "name a script file, not a directory",
                _ => "",
            };
            unreadable_script_problem(workload, &path).detail(error.to_string()).hint(hint)
        })?;
        let text = text_of_bytes(&bytes)
            .map_err(|(detail, hint)| unreadable_script_problem(workload, &path).detail(detail).hint(hint))?;
        // An error names the whole path; what is measured goes by the file's name.
        parse_script(&path.display().to_string(), &text)?;
        let script = parse_script(&free_name(&file.path, &weighted), &text)?;
        weighted.push(Weighted { script, weight: file.weight });
    }
    Ok(weighted)
}

fn unreadable_script_problem(workload: &str, path: &Path) -> Problem {
    Problem::usage_error(format!("workload {workload:?}: could not read the script {}", path.display()))
}

/// What the engine finds only when it makes the scripts ready for the workload: a variable without a value, a pipeline
/// in the simple protocol, a command that is not allowed.
fn check_workload_scripts(workload: &Workload, scripts: &PlanScripts, weighted: &[Weighted]) -> Result<(), Problem> {
    let Some(first) = weighted.first() else { return Ok(()) };
    let by_pgbench = workload.generator == Generator::Pgbench || workload.cross_check == Some(Generator::Pgbench);
    for Weighted { script, .. } in weighted.iter().filter(|_| by_pgbench) {
        if let Some(command) = script.unknown_to_pgbench() {
            return Err(Problem::usage_error(format!(
                "workload {:?}: the script {} uses {command}, which pgbench does not have",
                workload.name,
                script.name()
            ))
            .hint("remove `generator: pgbench` or `cross_check: pgbench`"));
        }
    }
    let nowhere = ConnInfo::new((ServerHost::tcp_from_name("localhost"), 5432), "", "");
    let job = EngineJob {
        scripts: weighted.to_vec(),
        mode: workload.mode,
        definitions: variable_definitions(scripts),
        shell: shell_commands(scripts),
        ..EngineJob::new(nowhere, first.script.clone())
    };
    load::check_job(&job).map_err(|error| {
        let problem = Problem::usage_error(format!("workload {:?}: {error}", workload.name))
            .detail(error.detail().unwrap_or_default())
            .hint(error.hint().unwrap_or_default());
        if let LoadError::Script(of_script) = &error { problem.in_script(of_script) } else { problem }
    })
}

/// Whether a script leaves its transaction open, with which the load engine ends the trial. What another generator does
/// then depends on its version.
fn open_transactions(workload: &Workload, own: &PlanScripts, weighted: &[Weighted]) -> Result<(), Problem> {
    if workload.generator != Generator::Pgdyno {
        return Ok(());
    }
    for Weighted { script, .. } in weighted {
        let statements = script.preparable_statements(QueryMode::Simple, &variable_definitions(own));
        let open = unbalanced_statements(&statements).into_iter().find(|(_, what)| *what == Unbalanced::StaysOpen);
        let Some((statement, _)) = open else { continue };
        let error = script.error_of(statement, None, "begins a transaction that the script does not end", None);
        return Err(problem_in_script(&format!("workload {:?}: ", workload.name), &error)
            .hint("end the script's transaction with END or COMMIT"));
    }
    Ok(())
}

/// Whether scripts work on tables that nobody makes, on a server that pgdyno makes and that is empty at first.
fn empty_servers(plan: &Plan, workload: &Workload, own: &PlanScripts, weighted: &[Weighted]) -> Result<(), Problem> {
    let Some(target) = plan.targets.iter().find(|target| target.data.is_none() && is_made_empty(target)) else {
        return Ok(());
    };
    // What one script makes another may use.
    if weighted.iter().any(|weighted| weighted.script.may_define()) || own.allow_shell {
        return Ok(());
    }
    for Weighted { script, .. } in weighted {
        for statement in script.preparable_statements(workload.mode, &variable_definitions(own)) {
            let named: BTreeSet<String> = tables_named(&statement.text);
            let Some(missing) = named.iter().find(|name| !plan.makes_table(name)) else { continue };
            let error = script.error_of(
                &statement,
                None,
                &format!("uses the table {missing}, which the plan does not create"),
                None,
            );
            return Err(Problem::usage_error(format!("workload {:?}: {error}", workload.name))
                .detail(format!("\n{}\nthe server of target {:?} is created for the run and is empty", error.source_excerpt(), target.name))
                .hint(
                    "for pgbench's tables add `scale: 10`; for your own tables set the `url` of a server that has them, or a kept \
                     `data_directory`, or have `reset` create them",
                )
                .in_script(&error));
        }
    }
    Ok(())
}

/// Whether the server of a target is made for the run, and has nothing of an earlier one.
fn is_made_empty(target: &Target) -> bool {
    match &target.reach {
        Reach::Local(local) => {
            let kept = local.data_directory.as_deref().and_then(|directory| std::fs::read_dir(directory).ok());
            kept.is_none_or(|mut entries| entries.next().is_none())
        }
        Reach::Kubernetes(kubernetes) => kubernetes.server_to_make().is_some_and(|made| !made.server_options().keep),
        Reach::Url(_) | Reach::Shared(_) => false,
    }
}

/// The file's name, numbered when another script of the workload has it.
fn free_name(path: &Path, taken: &[Weighted]) -> String {
    let name = |stem: &std::ffi::OsStr| stem.to_string_lossy().into_owned();
    let whole = path.file_name().map_or("script.sql".to_owned(), name);
    let is_free =
        |name: &String| name != DIRECTORY_OF_TARGETS && taken.iter().all(|weighted| weighted.script.name() != name);
    let (stem, extension) = whole.rsplit_once('.').unwrap_or((&whole, "sql"));
    let numbered = (2..).map(|number| format!("{stem}-{number}.{extension}"));
    std::iter::once(whole.clone()).chain(numbered).find(is_free).expect("an unbounded range has a free name")
}
