//! Writing and reading a run directory on disk.
//!
//! Layout: `plan.yaml`, `scripts/<workload>/<file>`, `run.json`, `targets/<name>.json`, `workloads/<name>.json`,
//! `viewers.jsonl`, `asked.json`, `rehearsal.json`, `failed.json`,
//! `trials/<n>/{trial.json, latency.hlog, intervals.jsonl, activity.jsonl, turns.jsonl, generators.jsonl, log.jsonl,
//! statements.json, statement-latency.json, tables.json, plans.json, profile.json, off-cpu.json}`,
//! `disk/<target>/<stage>/{stage.json, fio.json, seconds.jsonl}`, `trials.jsonl`, `stages.jsonl`.
//! A trial is written under `trials/<n>.partial/` and committed by one rename. A trial that has to be executed again is
//! kept as `trials/<n>.aside-<k>/`: observations are never deleted.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::activity::SampledActivity;
use crate::asked::{self, AskedStatements};
use crate::disk::{self, DiskSecond, DiskStage};
use crate::error::{Error, Result};
use crate::execution_results::{self, TrialResults, UnreadableResults};
use crate::facts::{self, TargetFacts};
use crate::failure::{self, RunFailure};
use crate::generator_second::GeneratorSecond;
use crate::interval::TrialInterval;
use crate::latency_log::{self, LatencySeries, LoggedInterval};
use crate::latest;
use crate::load_place::{self, LoadPlaceFacts};
use crate::log::ServerLog;
use crate::off_cpu::{self, OffCpu};
use crate::plans::{self, Plans};
use crate::profile::{self, Profile};
use crate::rehearsal::{self, Rehearsal};
use crate::rows::{self, RowsWriter};
use crate::run::{self, Run};
use crate::statement_latency::{self, StatementLatencies};
use crate::statements::{self, TrialStatements};
use crate::tables::{self, TrialTables};
use crate::trial::{self, Tallied, Trial};
use crate::tuning::{self, Tuning};
use crate::turn::Turn;
use crate::viewers::{self, Viewed};
use crate::workload::{self, WorkloadStatements};

/// The file of what the sessions of a trial were seen doing.
const ACTIVITY: &str = "activity.jsonl";

/// The file of where the load was sent from.
const GENERATOR: &str = "generator.json";

/// The file of the rounds of a tuning.
const TUNING: &str = "tuning.json";

/// The file of the series of a disk's stage.
const DISK_SECONDS: &str = "seconds.jsonl";

/// The file of what the server's log said during a trial.
const LOG: &str = "log.jsonl";

/// The file of where the server's processes slept in a trial.
const OFF_CPU: &str = "off-cpu.json";

/// The file of how the statements of a trial would be executed.
const PLANS: &str = "plans.json";

/// The file of what the server's processes executed in a trial.
const PROFILE: &str = "profile.json";

/// The file of what the statements of a trial did.
const STATEMENTS: &str = "statements.json";

/// The file of how long the statements of a trial took its clients.
const STATEMENT_LATENCY: &str = "statement-latency.json";

/// The file of what the executions of a captured load came to in a trial.
const RESULTS: &str = "results.bin";

/// The directory of what the workloads send.
const WORKLOADS: &str = "workloads";

/// The file of what was done to the tables in a trial.
const TABLES: &str = "tables.json";

/// The file of a trial's turns.
const TURNS: &str = "turns.jsonl";

/// The file of what each of several generators saw in a trial.
const GENERATORS: &str = "generators.jsonl";

const TALLY: &str = "tally.jsonl";

/// The file of an imported run's conditions.
const STUDY: &str = "study.yaml";

/// The file of an import's trials that have figures only.
const TRIAL_ROWS: &str = "trials.jsonl";

/// The file of an import's stages of disks that have figures only.
const STAGE_ROWS: &str = "stages.jsonl";

/// Whether what is written is to survive a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Durability {
    /// It is on the disk before anything relies on it.
    Kept,
    /// It is handed to the operating system only.
    Scratch,
}

/// A run directory.
#[derive(Debug, Clone)]
pub struct RunDir {
    root: PathBuf,
    durability: Durability,
}

impl RunDir {
    /// Creates `<parent>/<run.id>` with its plan, the texts of the `files` that the plan names (their paths relative to
    /// the directory), and its identity.
    ///
    /// # Errors
    /// [`Error::Io`] when the directory exists already ([`Error::is_taken`]) or cannot be written.
    pub fn create(parent: &Path, run: &Run, plan_yaml: &str, files: &[(PathBuf, &str)]) -> Result<Self> {
        let plan = (PathBuf::from("plan.yaml"), plan_yaml);
        let files: Vec<_> = std::iter::once(&plan).chain(files).collect();
        Self::create_with(parent, run, &files)
    }

    /// Creates `<parent>/<run.id>` for measurements that no plan asked for: those of disks alone.
    ///
    /// # Errors
    /// As [`RunDir::create`].
    pub fn create_without_plan(parent: &Path, run: &Run) -> Result<Self> {
        Self::create_with(parent, run, &[])
    }

    fn create_with(parent: &Path, run: &Run, files: &[&(PathBuf, &str)]) -> Result<Self> {
        fs::create_dir_all(parent).map_err(Error::io_error_at("create", parent))?;
        let root = parent.join(&run.id);
        fs::create_dir(&root).map_err(Error::io_error_at("create", &root))?;
        let written = Self::write_first_files(&root, run, files);
        if written.is_err() {
            // What is no run yet is not to be taken for one; the first error is the one that tells.
            let _ = fs::remove_dir_all(&root);
        }
        written.map(|()| Self { root, durability: Durability::Kept })
    }

    fn write_first_files(root: &Path, run: &Run, files: &[&(PathBuf, &str)]) -> Result<()> {
        for name in ["targets", "trials"] {
            let path = root.join(name);
            fs::create_dir(&path).map_err(Error::io_error_at("create", &path))?;
        }
        for (path, text) in files {
            let path = root.join(path);
            let directory = path.parent().expect("a file of the run is in the run");
            fs::create_dir_all(directory).map_err(Error::io_error_at("create", directory))?;
            write_whole(&path, text.as_bytes())?;
        }
        // run.json comes last: a directory that has it is complete.
        write_json(&root.join("run.json"), run)
    }

    /// Creates `<parent>/<run.id>` for figures that another tool measured: there is no plan, but maybe a study's text.
    ///
    /// # Errors
    /// As those of [`RunDir::create`].
    pub fn create_imported(parent: &Path, run: &Run, study: Option<&str>) -> Result<Self> {
        let study = study.map(|text| (PathBuf::from(STUDY), text));
        Self::create_with(parent, run, &study.iter().collect::<Vec<_>>())
    }

    /// The same directory, of which trials and stages that are written from now on do not wait for the disk: one that
    /// is removed again, or of which all is made durable at its end ([`RunDir::sync_file_system`]).
    #[must_use]
    pub fn into_scratch(self) -> Self {
        Self { durability: Durability::Scratch, ..self }
    }

    /// Waits until everything that was written is on the disk.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn sync_file_system(&self) -> Result<()> {
        let synced = File::open(&self.root).and_then(|root| Ok(rustix::fs::syncfs(root)?));
        synced.map_err(Error::io_error_at("sync", &self.root))
    }

    /// Opens an existing run directory.
    ///
    /// # Errors
    /// [`Error::NotARun`] when there is no `run.json`.
    pub fn open(root: &Path) -> Result<Self> {
        if root.join("run.json").is_file() {
            Ok(Self { root: root.to_owned(), durability: Durability::Kept })
        } else {
            Err(Error::NotARun { path: root.to_owned() })
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Takes the lock that keeps a second pgdyno from writing into the same run; held until the file is dropped.
    ///
    /// # Errors
    /// [`Error::Io`] with `WouldBlock` when another process holds it, or when the run cannot be written to.
    pub fn lock_directory(&self) -> Result<File> {
        let path = self.root.join("run.json");
        // Nothing is written into it; a run that is read-only is found out here, before any server is started.
        let file = File::options().read(true).write(true).open(&path).map_err(Error::io_error_at("write", &path))?;
        file.try_lock().map_err(|error| match error {
            fs::TryLockError::Error(source) => Error::Io { action: "lock", path, source },
            fs::TryLockError::WouldBlock => Error::Io {
                action: "lock",
                path,
                source: std::io::Error::new(std::io::ErrorKind::WouldBlock, "another pgdyno is writing into this run"),
            },
        })?;
        Ok(file)
    }

    /// `run.json`.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn read_run(&self) -> Result<Run> {
        read_json(&self.root.join("run.json"), "the identity and the schedule of a run", run::FORMAT)
    }

    /// Removes the directory of a run in which nothing was measured: no trial was begun, and no disk. Whether it did.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn remove_if_unmeasured(&self) -> Result<bool> {
        let begun = !list_directory(&self.root.join("trials"))?.is_empty() || self.root.join("disk").exists();
        if begun {
            return Ok(false);
        }
        fs::remove_dir_all(&self.root).map_err(Error::io_error_at("remove", &self.root))?;
        if let Some(parent) = self.root.parent() {
            // A link that leads nowhere is no reason to hide why the run failed: readers fall back to the newest run.
            let _ = latest::leave_removed_run(parent);
        }
        Ok(true)
    }

    /// Takes the space that [`Self::write_failure`] needs, until what is returned is dropped: when the file system is
    /// full, the reason is written into it.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn hold_space_for_failure(&self) -> Result<SpaceForFailure> {
        let held = SpaceForFailure(self.root.join(failure::HELD_SPACE_FILE_NAME));
        // A file of zeros may be kept without any space.
        fs::write(&held.0, [b' '; failure::HELD_SPACE_BYTES]).map_err(Error::io_error_at("write", &held.0))?;
        Ok(held)
    }

    /// Writes why the run could not go on, in place of an earlier reason: into the space that is held for it, if there
    /// is some, which then needs no more.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_failure(&self, failure: &RunFailure) -> Result<()> {
        let (held, path) = (self.root.join(failure::HELD_SPACE_FILE_NAME), self.root.join(failure::FILE_NAME));
        let bytes = json_bytes(&path, failure)?;
        if !held.exists() {
            return write_whole(&path, &bytes);
        }
        let mut file = OpenOptions::new().write(true).open(&held).map_err(Error::io_error_at("write", &held))?;
        let written = file.write_all(&bytes).and_then(|()| file.set_len(bytes.len() as u64));
        written.and_then(|()| file.sync_all()).map_err(Error::io_error_at("write", &held))?;
        fs::rename(&held, &path).map_err(Error::io_error_at("rename", &held))
    }

    /// Why the run could not go on; absent where nothing broke, or it goes on.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn read_failure(&self) -> Result<Option<RunFailure>> {
        let path = self.root.join(failure::FILE_NAME);
        path.exists().then(|| read_json(&path, "why a run could not go on", failure::FORMAT)).transpose()
    }

    /// Removes the reason, of a run that goes on.
    ///
    /// # Errors
    /// [`Error::Io`]; that there is none is no error.
    pub fn clear_failure(&self) -> Result<()> {
        let path = self.root.join(failure::FILE_NAME);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io_error_at("remove", &path)(error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// `plan.yaml` as text.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn plan_yaml(&self) -> Result<String> {
        let path = self.root.join("plan.yaml");
        fs::read_to_string(&path).map_err(Error::io_error_at("read", &path))
    }

    /// Replaces `plan.yaml`, once the servers have said what only they know.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_plan(&self, plan_yaml: &str) -> Result<()> {
        write_whole(&self.root.join("plan.yaml"), plan_yaml.as_bytes())
    }

    /// Writes what the servers said of the statements of own scripts.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_asked(&self, asked: &AskedStatements) -> Result<()> {
        write_json(&self.root.join(asked::FILE_NAME), asked)
    }

    /// What the servers said of the statements of own scripts; absent where none were asked.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn asked_statements(&self) -> Result<Option<AskedStatements>> {
        let path = self.root.join(asked::FILE_NAME);
        path.exists()
            .then(|| {
                read_json(
                    &path,
                    "the answers of the servers about \
                                                statements",
                    asked::FORMAT,
                )
            })
            .transpose()
    }

    /// Writes what an upgrade would change.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_rehearsal(&self, rehearsal: &Rehearsal) -> Result<()> {
        write_json(&self.root.join(rehearsal::FILE_NAME), rehearsal)
    }

    /// What an upgrade would change; absent where none was rehearsed.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn read_rehearsal(&self) -> Result<Option<Rehearsal>> {
        let path = self.root.join(rehearsal::FILE_NAME);
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path, "the rehearsal of an upgrade", rehearsal::FORMAT).map(Some)
    }

    /// Whether a plan asked for the run.
    #[must_use]
    pub fn has_plan(&self) -> bool {
        self.root.join("plan.yaml").is_file()
    }

    /// `study.yaml` as text: the conditions of an imported run as their author wrote them; absent without any.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn study_yaml(&self) -> Result<Option<String>> {
        let path = self.root.join(STUDY);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io_error_at("read", &path)(error)),
        }
    }

    /// Writes where the load is sent from, when not from this machine.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_load_place(&self, facts: &LoadPlaceFacts) -> Result<()> {
        write_json(&self.root.join(GENERATOR), facts)
    }

    /// Where the load was sent from; absent where it was the machine that pgdyno ran on.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn load_place(&self) -> Result<Option<LoadPlaceFacts>> {
        let path = self.root.join(GENERATOR);
        path.exists().then(|| read_json(&path, "the facts of a generator", load_place::FORMAT)).transpose()
    }

    /// Writes the rounds of the tuning that this run ends.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_tuning(&self, tuning: &Tuning) -> Result<()> {
        write_json(&self.root.join(TUNING), tuning)
    }

    /// The rounds of the tuning that this run ends; absent where it ends none.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn read_tuning(&self) -> Result<Option<Tuning>> {
        let path = self.root.join(TUNING);
        path.exists().then(|| read_json(&path, "the rounds of a tuning", tuning::FORMAT)).transpose()
    }

    /// Appends that a page of the run was open; for whoever serves it, beside the measurement.
    ///
    /// # Errors
    /// [`Error::Io`], also when the directory is not there any more.
    pub fn append_viewed(&self, viewed: &Viewed) -> Result<()> {
        viewers::append_viewer(&self.root, viewed)
    }

    /// When a page of the run was open while it was measured; empty where nobody looked.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn read_viewers(&self) -> Result<Vec<Viewed>> {
        let path = self.root.join(viewers::FILE_NAME);
        if !path.exists() {
            return Ok(Vec::new());
        }
        read_lines(&path, &fs::read(&path).map_err(Error::io_error_at("read", &path))?)
    }

    /// Writes the facts of one target, replacing older ones.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_facts(&self, facts: &TargetFacts) -> Result<()> {
        write_json(&self.root.join("targets").join(json_file(&facts.name)), facts)
    }

    /// The facts of every target, by name.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn target_facts(&self) -> Result<BTreeMap<String, TargetFacts>> {
        let mut all = BTreeMap::new();
        for path in list_directory(&self.root.join("targets"))? {
            if path.extension().is_some_and(|e| e == "json") {
                let facts: TargetFacts = read_json(&path, "target facts", facts::FORMAT)?;
                all.insert(facts.name.clone(), facts);
            }
        }
        Ok(all)
    }

    /// Writes the statements of one workload, unless they are there: they are the same in every trial of it.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_workload(&self, statements: &WorkloadStatements) -> Result<()> {
        let dir = self.root.join(WORKLOADS);
        let path = dir.join(json_file(&statements.workload));
        if path.exists() {
            return Ok(());
        }
        fs::create_dir_all(&dir).map_err(Error::io_error_at("create", &dir))?;
        write_json(&path, statements)
    }

    /// The statements of every workload, by its name; of none in runs of before there were any.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn workload_statements(&self) -> Result<BTreeMap<String, WorkloadStatements>> {
        let dir = self.root.join(WORKLOADS);
        let mut all = BTreeMap::new();
        let paths = if dir.is_dir() { list_directory(&dir)? } else { Vec::new() };
        for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "json")) {
            let found: WorkloadStatements = read_json(path, "the statements of a workload", workload::FORMAT)?;
            all.insert(found.workload.clone(), found);
        }
        Ok(all)
    }

    /// Writes one stage of a disk, replacing an earlier attempt at it. `fio_json` is fio's own output, if there is any.
    ///
    /// # Errors
    /// See [`Error`]; then the stage is not there.
    pub fn write_disk_stage(&self, stage: &DiskStage, fio_json: Option<&[u8]>, seconds: &[DiskSecond]) -> Result<()> {
        let finished = self.disk_stage_dir(&stage.target, &stage.name);
        let partial = self.disk_stage_dir(&stage.target, &format!("{}.partial", stage.name));
        for dir in [&finished, &partial] {
            if dir.exists() {
                fs::remove_dir_all(dir).map_err(Error::io_error_at("remove", dir))?;
            }
        }
        fs::create_dir_all(&partial).map_err(Error::io_error_at("create", &partial))?;
        if let Some(bytes) = fio_json {
            self.durability.write_file(&partial.join("fio.json"), bytes)?;
        }
        self.durability.write_file(&partial.join(DISK_SECONDS), &lines_of(seconds, &partial)?)?;
        let path = partial.join("stage.json");
        self.durability.write_file(&path, &json_bytes(&path, stage)?)?;
        fs::rename(&partial, &finished).map_err(Error::io_error_at("rename", &partial))?;
        self.durability.sync_directory(finished.parent().expect("a stage is in the directory of its target"))
    }

    /// Every stage of every disk, by target and then in the order of their execution. Empty where none was measured.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn disk_stages(&self) -> Result<Vec<DiskStage>> {
        let root = self.root.join("disk");
        let mut stages: Vec<DiskStage> =
            rows::read_rows(&self.root.join(STAGE_ROWS), "a stage of a disk", disk::FORMAT)?;
        let targets = if root.is_dir() { list_directory(&root)? } else { Vec::new() };
        for target in targets {
            for stage in list_directory(&target)? {
                let path = stage.join("stage.json");
                if stage.extension().is_none_or(|extension| extension != "partial") && path.is_file() {
                    stages.push(read_json(&path, "a stage of a disk", disk::FORMAT)?);
                }
            }
        }
        stages.sort_by(|a, b| (&a.target, a.order, &a.name).cmp(&(&b.target, b.order, &b.name)));
        Ok(stages)
    }

    /// The series of one stage; empty where it has none.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn disk_seconds(&self, stage: &DiskStage) -> Result<Vec<DiskSecond>> {
        let directory = self.disk_stage_dir(&stage.target, &stage.name);
        if !directory.is_dir() && self.root.join(STAGE_ROWS).is_file() {
            return Ok(Vec::new());
        }
        let path = directory.join(DISK_SECONDS);
        let text = fs::read(&path).map_err(Error::io_error_at("read", &path))?;
        read_lines(&path, &text)
    }

    fn disk_stage_dir(&self, target: &str, stage: &str) -> PathBuf {
        self.root.join("disk").join(file_name(target)).join(stage)
    }

    /// Starts writing stages that have figures only.
    #[must_use]
    pub fn stage_rows(&self) -> RowsWriter<DiskStage> {
        RowsWriter::for_path(self.root.join(STAGE_ROWS))
    }

    /// Starts writing trials that have figures only.
    #[must_use]
    pub fn trial_rows(&self) -> RowsWriter<Trial> {
        RowsWriter::for_path(self.root.join(TRIAL_ROWS))
    }

    /// Starts writing a trial. `load_start` is instant zero of its intervals.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn begin_trial(&self, number: u32, load_start: Timestamp) -> Result<TrialWriter> {
        self.set_aside(number)?;
        let partial = self.partial_trial_dir(number);
        fs::create_dir(&partial).map_err(Error::io_error_at("create", &partial))?;
        let create = |name: &str| {
            let path = partial.join(name);
            File::create(&path).map(BufWriter::new).map_err(Error::io_error_at("create", &path))
        };
        let mut latency = create(latency_log::FILE_NAME)?;
        latency_log::write_header(&mut latency, load_start).map_err(Error::io_error_at("write", &partial))?;
        Ok(TrialWriter {
            intervals: create("intervals.jsonl")?,
            activity: create(ACTIVITY)?,
            turns: None,
            generators: None,
            latency,
            serializer: V2DeflateSerializer::new(),
            finished: self.trial_dir(number),
            partial,
            durability: self.durability,
        })
    }

    /// Every finished trial, by number.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn finished_trials(&self) -> Result<Vec<Trial>> {
        let mut trials = rows::read_rows(&self.root.join(TRIAL_ROWS), "a trial", trial::FORMAT)?;
        for path in self.finished_trial_directories()? {
            trials.push(read_json(&path.join("trial.json"), "a trial", trial::FORMAT)?);
        }
        trials.sort_by_key(|t: &Trial| t.number);
        Ok(trials)
    }

    /// How many trials have finished, of which none is read.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn finished_trial_count(&self) -> Result<usize> {
        Ok(rows::count_rows(&self.root.join(TRIAL_ROWS))? + self.finished_trial_directories()?.len())
    }

    /// Whether a trial has a directory with its series; one of an import that has figures only has none.
    #[must_use]
    pub fn has_series(&self, number: u32) -> bool {
        self.existing_trial_dir(number).is_dir() || !self.root.join(TRIAL_ROWS).is_file()
    }

    fn finished_trial_directories(&self) -> Result<Vec<PathBuf>> {
        let mut paths = list_directory(&self.root.join("trials"))?;
        // One under way, or set aside, has more than its number for a name.
        paths.retain(|path| path.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.parse::<u32>().is_ok()));
        Ok(paths)
    }

    /// The seconds of one trial, finished or not; a torn last line is left out.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_intervals(&self, number: u32) -> Result<Vec<TrialInterval>> {
        self.interval_lines(number)?.read_values()
    }

    /// The text of [`RunDir::trial_intervals`], for a reader of its own that borrows from it.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn interval_lines(&self, number: u32) -> Result<SeriesText> {
        let path = self.existing_trial_dir(number).join("intervals.jsonl");
        if !self.has_series(number) {
            return Ok(SeriesText { path, text: Vec::new() });
        }
        match fs::read(&path) {
            // It was committed a moment ago, by a rename.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let path = self.existing_trial_dir(number).join("intervals.jsonl");
                let text = fs::read(&path).map_err(Error::io_error_at("read", &path))?;
                Ok(SeriesText { path, text })
            }
            read => Ok(SeriesText { text: read.map_err(Error::io_error_at("read", &path))?, path }),
        }
    }

    /// What the sessions of one trial were seen doing, finished or not; a torn last line is left out. Empty where
    /// nothing was sampled, as in runs made before it was.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_activity(&self, number: u32) -> Result<Vec<SampledActivity>> {
        self.trial_series(number, ACTIVITY)
    }

    /// The turns of one trial's side, finished or not; a torn last line is left out. Empty where it was executed alone.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_turns(&self, number: u32) -> Result<Vec<Turn>> {
        self.trial_series(number, TURNS)
    }

    /// What each of several generators saw of one trial's load, second by second; empty where there was one.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_generators(&self, number: u32) -> Result<Vec<GeneratorSecond>> {
        self.trial_series(number, GENERATORS)
    }

    /// How many transactions had been acknowledged ten times a second of one trial's measurement; empty where the plan
    /// has no events.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_tally(&self, number: u32) -> Result<Vec<Tallied>> {
        self.trial_series(number, TALLY)
    }

    /// A series that a trial may have.
    fn trial_series<T: DeserializeOwned>(&self, number: u32, name: &str) -> Result<Vec<T>> {
        let path = self.existing_trial_dir(number).join(name);
        match fs::read(&path) {
            Ok(text) => read_lines(&path, &text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::io_error_at("read", &path)(error)),
        }
    }

    /// What the server's log said during one trial; absent where it was not looked at, as in runs made before it was
    /// and in trials that did not come to their end.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn server_log(&self, number: u32) -> Result<Option<ServerLog>> {
        let path = self.existing_trial_dir(number).join(LOG);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io_error_at("read", &path)(error)),
        };
        let first = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1);
        let origin = serde_json::from_slice(&text[..first]).map_err(|error| Error::Malformed {
            path: path.clone(),
            expected: "the server's log of a trial",
            detail: format!("line 1: {error}"),
        })?;
        Ok(Some(ServerLog { origin, entries: read_lines(&path, &text[first..])? }))
    }

    /// What the statements of one trial did; absent where it was not asked.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_statements(&self, number: u32) -> Result<Option<TrialStatements>> {
        self.of_trial(number, STATEMENTS, "the statements of a trial", statements::FORMAT)
    }

    /// How long the statements of one trial took its clients; absent where they were not timed.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn statement_latency(&self, number: u32) -> Result<Option<StatementLatencies>> {
        self.of_trial(number, STATEMENT_LATENCY, "the latency by statement of a trial", statement_latency::FORMAT)
    }

    /// What the executions of a captured load came to in one trial; absent where it was not noted.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_results(&self, number: u32) -> Result<Option<TrialResults>> {
        let path = self.existing_trial_dir(number).join(RESULTS);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::read(&path).map_err(Error::io_error_at("read", &path))?;
        match TrialResults::from_bytes(&bytes) {
            Ok(results) => Ok(Some(results)),
            Err(UnreadableResults::Newer(found)) => {
                Err(Error::NewerFormat { path, found, newest: execution_results::FORMAT })
            }
            Err(UnreadableResults::Malformed(detail)) => {
                Err(Error::Malformed { path, expected: "the results of a trial", detail })
            }
        }
    }

    /// What was done to the tables in one trial; absent where it was not asked.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_tables(&self, number: u32) -> Result<Option<TrialTables>> {
        self.of_trial(number, TABLES, "the tables of a trial", tables::FORMAT)
    }

    /// How the statements of one trial would be executed; absent where it was not asked.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_plans(&self, number: u32) -> Result<Option<Plans>> {
        self.of_trial(number, PLANS, "the plans of a trial", plans::FORMAT)
    }

    /// What the server's processes executed in one trial; absent where it was not to be sampled.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn trial_profile(&self, number: u32) -> Result<Option<Profile>> {
        self.of_trial(number, PROFILE, "the profile of a trial", profile::FORMAT)
    }

    /// Where the server's processes slept in one trial; absent where they were not to be looked at.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn off_cpu(&self, number: u32) -> Result<Option<OffCpu>> {
        self.of_trial(number, OFF_CPU, "the kernel's sleeping places of a trial", off_cpu::FORMAT)
    }

    /// A file of a trial that not every trial has.
    fn of_trial<T: DeserializeOwned>(
        &self,
        number: u32,
        name: &str,
        what: &'static str,
        newest: u32,
    ) -> Result<Option<T>> {
        let path = self.existing_trial_dir(number).join(name);
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path, what, newest).map(Some)
    }

    /// The latency log of one trial, finished or not.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn latency_log(&self, number: u32) -> Result<Vec<LoggedInterval>> {
        if !self.has_series(number) {
            return Ok(Vec::new());
        }
        latency_log::read_latency_log(&self.existing_trial_dir(number).join(latency_log::FILE_NAME))
    }

    /// Numbers of trials that were begun and never committed.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn unfinished_trials(&self) -> Result<Vec<u32>> {
        let mut numbers: Vec<u32> = list_directory(&self.root.join("trials"))?
            .iter()
            .filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".partial")?.parse().ok())
            .collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Moves what there is of a trial out of the way so that it can be executed again.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn set_aside(&self, number: u32) -> Result<()> {
        for dir in [self.trial_dir(number), self.partial_trial_dir(number)] {
            if dir.exists() {
                let free = (1..)
                    .map(|k| self.root.join("trials").join(format!("{number}.aside-{k}")))
                    .find(|path| !path.exists());
                let aside = free.expect("an unbounded range has a free number");
                fs::rename(&dir, &aside).map_err(Error::io_error_at("rename", &dir))?;
            }
        }
        Ok(())
    }

    fn trial_dir(&self, number: u32) -> PathBuf {
        self.root.join("trials").join(number.to_string())
    }

    fn partial_trial_dir(&self, number: u32) -> PathBuf {
        self.root.join("trials").join(format!("{number}.partial"))
    }

    fn existing_trial_dir(&self, number: u32) -> PathBuf {
        let finished = self.trial_dir(number);
        if finished.is_dir() { finished } else { self.partial_trial_dir(number) }
    }
}

/// A trial being written: append-only until [`TrialWriter::commit`].
pub struct TrialWriter {
    intervals: BufWriter<File>,
    activity: BufWriter<File>,
    /// Made with the first turn.
    turns: Option<BufWriter<File>>,
    /// Made with the first second of one of several generators.
    generators: Option<BufWriter<File>>,
    latency: BufWriter<File>,
    serializer: V2DeflateSerializer,
    partial: PathBuf,
    finished: PathBuf,
    durability: Durability,
}

impl TrialWriter {
    /// Appends one second and hands it to the operating system, so that it survives the death of this process.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn append_interval(
        &mut self,
        interval: &TrialInterval,
        histograms: &[(LatencySeries, &Histogram<u64>)],
    ) -> Result<()> {
        self.try_append(interval, histograms).map_err(Error::io_error_at("write", &self.partial))
    }

    fn try_append(
        &mut self,
        interval: &TrialInterval,
        histograms: &[(LatencySeries, &Histogram<u64>)],
    ) -> std::io::Result<()> {
        let start = Duration::from_micros(interval.start_us);
        let length = Duration::from_micros(interval.duration_us);
        for (series, histogram) in histograms {
            latency_log::write_interval(&mut self.latency, &mut self.serializer, series, start, length, histogram)?;
        }
        self.latency.flush()?;
        append_line(&mut self.intervals, interval)
    }

    /// Appends what the sessions were seen doing in one second.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn append_activity(&mut self, activity: &SampledActivity) -> Result<()> {
        append_line(&mut self.activity, activity).map_err(Error::io_error_at("write", &self.partial))
    }

    /// Appends one turn of the trial's side.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn append_turn(&mut self, turn: &Turn) -> Result<()> {
        let path = self.partial.join(TURNS);
        let file = match &mut self.turns {
            Some(file) => file,
            none => none.insert(File::create(&path).map(BufWriter::new).map_err(Error::io_error_at("create", &path))?),
        };
        append_line(file, turn).map_err(Error::io_error_at("write", &path))
    }

    /// Appends what one of several generators saw in a second.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn append_generator(&mut self, second: &GeneratorSecond) -> Result<()> {
        let path = self.partial.join(GENERATORS);
        let file = match &mut self.generators {
            Some(file) => file,
            none => none.insert(File::create(&path).map(BufWriter::new).map_err(Error::io_error_at("create", &path))?),
        };
        append_line(file, second).map_err(Error::io_error_at("write", &path))
    }

    /// Writes what the server's log said during the trial.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_log(&mut self, log: &ServerLog) -> Result<()> {
        let path = self.partial.join(LOG);
        let line =
            |value: serde_json::Result<String>| value.map_err(|error| Error::io_error_at("write", &path)(error.into()));
        let mut text = line(serde_json::to_string(&log.origin))?;
        for entry in &log.entries {
            text.push('\n');
            text.push_str(&line(serde_json::to_string(entry))?);
        }
        text.push('\n');
        write_whole(&path, text.as_bytes())
    }

    /// Writes how many transactions had been acknowledged when.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_tally(&mut self, tally: &[Tallied]) -> Result<()> {
        let path = self.partial.join(TALLY);
        write_whole(&path, &lines_of(tally, &path)?)
    }

    /// Writes what the statements of the trial did.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_statements(&mut self, statements: &TrialStatements) -> Result<()> {
        write_json(&self.partial.join(STATEMENTS), statements)
    }

    /// Writes what was done to the tables in the trial.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_tables(&mut self, tables: &TrialTables) -> Result<()> {
        write_json(&self.partial.join(TABLES), tables)
    }

    /// Writes how the statements of the trial would be executed.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_plans(&mut self, plans: &Plans) -> Result<()> {
        write_json(&self.partial.join(PLANS), plans)
    }

    /// Writes what the server's processes executed in the trial, in one line: it has many stacks.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_profile(&mut self, profile: &Profile) -> Result<()> {
        let path = self.partial.join(PROFILE);
        write_whole(&path, &lines_of(std::slice::from_ref(profile), &path)?)
    }

    /// Writes where the server's processes slept in the trial, in one line.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_off_cpu(&mut self, off_cpu: &OffCpu) -> Result<()> {
        let path = self.partial.join(OFF_CPU);
        write_whole(&path, &lines_of(std::slice::from_ref(off_cpu), &path)?)
    }

    /// Writes how long the statements of the trial took its clients.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_statement_latency(&mut self, statements: &StatementLatencies) -> Result<()> {
        write_json(&self.partial.join(STATEMENT_LATENCY), statements)
    }

    /// Writes what the executions of a captured load came to in the trial.
    ///
    /// # Errors
    /// [`Error::Io`], also when no space is left.
    pub fn write_results(&mut self, results: &TrialResults) -> Result<()> {
        let path = self.partial.join(RESULTS);
        let bytes = results.to_bytes().map_err(|error| Error::io_error_at("write", &path)(error.into()))?;
        write_whole(&path, &bytes)
    }

    /// Commits the trial: everything is on the disk before it appears under its final name.
    ///
    /// # Errors
    /// [`Error::Io`]; the partial directory stays as it is.
    pub fn commit(mut self, trial: &Trial) -> Result<()> {
        for file in [&mut self.intervals, &mut self.activity, &mut self.latency].into_iter().chain(&mut self.turns) {
            let mut written = file.flush();
            if self.durability == Durability::Kept {
                written = written.and_then(|()| file.get_ref().sync_all());
            }
            written.map_err(Error::io_error_at("write", &self.partial))?;
        }
        let path = self.partial.join("trial.json");
        self.durability.write_file(&path, &json_bytes(&path, trial)?)?;
        fs::rename(&self.partial, &self.finished).map_err(Error::io_error_at("rename", &self.partial))?;
        self.durability.sync_directory(self.finished.parent().expect("a trial directory has a parent"))
    }
}

fn append_line<T: Serialize>(file: &mut BufWriter<File>, value: &T) -> std::io::Result<()> {
    serde_json::to_writer(&mut *file, value)?;
    file.write_all(b"\n")?;
    file.flush()
}

/// What files of a target are called; in the name of a variant, `target/variant`, no slash may stand.
fn file_name(target: &str) -> String {
    target.replace('/', "@")
}

fn json_file(name: &str) -> String {
    format!("{}.json", file_name(name))
}

fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    write_whole(path, &json_bytes(path, value)?)
}

fn json_bytes<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|e| Error::io_error_at("write", path)(e.into()))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Space in the directory of a run, for the reason why it could not go on.
#[derive(Debug)]
pub struct SpaceForFailure(PathBuf);

impl Drop for SpaceForFailure {
    fn drop(&mut self) {
        // Left behind, it is written anew by who resumes the run.
        let _left = fs::remove_file(&self.0);
    }
}

impl Durability {
    fn write_file(self, path: &Path, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Kept => write_whole(path, bytes),
            Self::Scratch => fs::write(path, bytes).map_err(Error::io_error_at("write", path)),
        }
    }

    fn sync_directory(self, dir: &Path) -> Result<()> {
        match self {
            Self::Kept => sync_dir(dir),
            Self::Scratch => Ok(()),
        }
    }
}

fn lines_of<T: Serialize>(values: &[T], path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for value in values {
        serde_json::to_writer(&mut bytes, value).map_err(|e| Error::io_error_at("write", path)(e.into()))?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// Replaces a file so that a crash leaves either the old or the new content.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(Error::io_error_at("write", path))?;
    fs::rename(&temporary, path).map_err(Error::io_error_at("rename", path))?;
    sync_dir(path.parent().unwrap_or(Path::new(".")))
}

fn sync_dir(dir: &Path) -> Result<()> {
    File::open(dir).and_then(|d| d.sync_all()).map_err(Error::io_error_at("sync", dir))
}

fn list_directory(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).map_err(Error::io_error_at("list", dir))?;
    entries.map(|entry| entry.map(|e| e.path()).map_err(Error::io_error_at("list", dir))).collect()
}

fn read_json<T: DeserializeOwned>(path: &Path, expected: &'static str, newest: u32) -> Result<T> {
    let bytes = fs::read(path).map_err(Error::io_error_at("read", path))?;
    let malformed = |error: serde_json::Error| {
        let truncated = if error.is_eof() { "it is truncated: " } else { "" };
        Error::Malformed { path: path.to_owned(), expected, detail: format!("{truncated}{error}") }
    };
    rows::check_format(path, &bytes, newest, malformed)?;
    serde_json::from_slice(&bytes).map_err(malformed)
}

/// The text of a series, a JSON value to a line.
#[derive(Debug)]
pub struct SeriesText {
    path: PathBuf,
    text: Vec<u8>,
}

impl SeriesText {
    /// The values of the whole lines: a torn last one is left out.
    ///
    /// # Errors
    /// [`Error::Malformed`], with the line's number.
    pub fn read_values<'a, T: Deserialize<'a>>(&'a self) -> Result<Vec<T>> {
        read_lines(&self.path, &self.text)
    }
}

/// The values of whole lines; a torn last line is left out.
fn read_lines<'a, T: Deserialize<'a>>(path: &Path, text: &'a [u8]) -> Result<Vec<T>> {
    let whole = text.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let mut values = Vec::new();
    for (index, line) in text[..whole].split(|&b| b == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        values.push(serde_json::from_slice(line).map_err(|error| Error::Malformed {
            path: path.to_owned(),
            expected: "a line of a series",
            detail: format!("line {}: {error}", index + 1),
        })?);
    }
    Ok(values)
}
