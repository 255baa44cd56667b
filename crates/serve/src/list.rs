//! The runs of a directory, newest first: what each asks, when it began, and what it says.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use results::store::RunDir;
use serde::Serialize;

use crate::reports::{Trouble, judge_run};
use crate::stamp::Stamp;
use crate::writer;

/// One run, as far as its identity and the names of its files tell.
#[derive(Debug, Serialize)]
pub(crate) struct ListedRun {
    /// Name of its directory.
    id: String,
    /// What it asks, in the words of its plan.
    name: String,
    /// When it began, in UTC.
    started_at: String,
    /// Trials that have ended.
    trials: usize,
    /// Whether it is being measured.
    running: bool,
}

/// Every run below a directory that can be read, newest first.
pub(crate) fn list_runs(parent: &Path) -> Vec<ListedRun> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut runs: Vec<ListedRun> = entries.filter_map(|entry| list_entry_of_run(&entry.path())).collect();
    runs.sort_by(|one, other| other.started_at.cmp(&one.started_at).then_with(|| other.id.cmp(&one.id)));
    runs
}

fn list_entry_of_run(path: &Path) -> Option<ListedRun> {
    let run = RunDir::open(path).ok()?.read_run().ok()?;
    let trials = fs::read_dir(path.join("trials")).into_iter().flatten().flatten();
    // One under way, or set aside, has more than its number for a name.
    let has_ended = |name: std::ffi::OsString| name.to_str().is_some_and(|name| name.parse::<u32>().is_ok());
    Some(ListedRun {
        id: path.file_name()?.to_str()?.to_owned(),
        name: run.name,
        started_at: run.started_at.to_string(),
        trials: trials.filter(|entry| has_ended(entry.file_name())).count(),
        running: writer::is_writing(path),
    })
}

/// What runs say first, each judged again only when it has changed, and one at a time: a list that is looked at must
/// not take both CPUs from a measurement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Headlines {
    made: Arc<Mutex<HashMap<PathBuf, (Stamp, String)>>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Headlines {
    /// The first sentence of a run's report as it is now.
    pub(crate) async fn headline_of_run(&self, run: PathBuf) -> Result<String, Trouble> {
        let _one_at_a_time = self.turn.lock().await;
        let made = self.made.clone();
        let making = tokio::task::spawn_blocking(move || {
            let stamp = Stamp::of_run(&run).map_err(|_| Trouble::Gone)?;
            let known = made.lock().expect("nobody panics while holding it").get(&run).cloned();
            if let Some((_, headline)) = known.filter(|(of, _)| *of == stamp) {
                return Ok(headline);
            }
            let (_, judgement) = judge_run(&run)?;
            let headline = judgement.headline;
            made.lock().expect("nobody panics while holding it").insert(run, (stamp, headline.clone()));
            Ok(headline)
        });
        making.await.map_err(|error| Trouble::Unreadable(error.to_string()))?
    }
}
