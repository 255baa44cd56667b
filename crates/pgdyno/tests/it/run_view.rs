//! A run directory as a test looks at it: through pgdyno's own reader, and as plain files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use judge::caveats::Caveat;
use judge::observed::Observed;
use results::run::Run;
use results::store::RunDir;
use results::trial::{Trial, TrialOutcome};

/// A run directory.
pub struct RunView {
    dir: RunDir,
}

impl RunView {
    /// Opens one.
    #[track_caller]
    pub fn open(path: &Path) -> Self {
        Self { dir: RunDir::open(path).unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// pgdyno's own reader.
    pub fn dir(&self) -> &RunDir {
        &self.dir
    }

    /// Its identity and schedule.
    pub fn run(&self) -> Run {
        self.dir.read_run().expect("run.json")
    }

    /// Its committed trials.
    pub fn trials(&self) -> Vec<Trial> {
        self.dir.finished_trials().expect("trials")
    }

    /// What its report holds against a trial.
    pub fn caveats(&self, trial: u32) -> Vec<Caveat> {
        let observed = Observed::read(&self.dir).expect("a run");
        judge::caveats::of_run(&observed).remove(&trial).unwrap_or_default()
    }

    /// Numbers of the trials that ran to their end.
    pub fn completed(&self) -> Vec<u32> {
        self.trials()
            .iter()
            .filter(|trial| trial.outcome == TrialOutcome::Completed)
            .map(|trial| trial.number)
            .collect()
    }

    /// Whether a trial has written seconds while it is under way.
    pub fn has_seconds(path: &Path, trial: u32, at_least: usize) -> bool {
        let text = fs::read_to_string(path.join(format!("trials/{trial}.partial/intervals.jsonl"))).unwrap_or_default();
        text.matches('\n').count() >= at_least
    }

    /// Every file below a directory of the run: path, time of its last change, content.
    pub fn files(&self, below: &str) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
        let mut files = BTreeMap::new();
        collect(&self.path().join(below), &mut files);
        files
    }

    /// The names in a directory of the run, in order.
    pub fn names(&self, of: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(of)).expect("listed");
        let mut names: Vec<_> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, (SystemTime, Vec<u8>)>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("listed") {
            collect(&entry.expect("an entry").path(), files);
        }
    } else {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified()).expect("metadata");
        files.insert(path.to_owned(), (changed, fs::read(path).expect("read")));
    }
}
