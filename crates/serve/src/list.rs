//! The runs of a directory, newest first: what each asks, when it began, how far it came, and what it says.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use judge::compare::RunState;
use results::latest::is_latest_link;
use results::store::RunDir;
use serde::Serialize;

use crate::reports::{Trouble, judge_run};
use crate::stamp::Stamp;
use crate::writer;

/// One run, as far as its identity and the names of its files tell.
#[derive(Debug, Serialize)]
pub struct ListedRun {
    /// Name of its directory.
    pub id: String,
    /// What it asks, in the words of its plan.
    pub name: String,
    /// When it began, in UTC.
    pub started_at: String,
    /// Trials that have ended.
    pub trials: usize,
    /// Whether it is being measured.
    pub running: bool,
    /// Why it could not go on; absent where nothing broke.
    pub failed: Option<String>,
}

/// Every run below a directory that can be read, newest first.
#[must_use]
pub fn list_runs(parent: &Path) -> Vec<ListedRun> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut runs: Vec<ListedRun> = entries.filter_map(|entry| list_entry_of_run(&entry.path())).collect();
    runs.sort_by(|one, other| other.started_at.cmp(&one.started_at).then_with(|| other.id.cmp(&one.id)));
    runs
}

fn list_entry_of_run(path: &Path) -> Option<ListedRun> {
    if is_latest_link(path) {
        return None;
    }
    let dir = RunDir::open(path).ok()?;
    let run = dir.read_run().ok()?;
    // Who goes on with a run removes the reason first.
    let failure = dir.read_failure().ok().flatten();
    let running = failure.is_none() && writer::is_writing(path);
    Some(ListedRun {
        id: path.file_name()?.to_str()?.to_owned(),
        name: run.name,
        started_at: run.started_at.to_string(),
        trials: dir.finished_trial_count().unwrap_or(0),
        running,
        failed: failure.map(|failure| failure.reason),
    })
}

/// What a list says of a run beside its identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunAnswer {
    /// `complete`, `interrupted`, `unfinished`, `running` or `failed`.
    pub state: &'static str,
    /// The first sentence of its report; of a run that failed, why.
    pub headline: String,
}

/// The answer of a run as it is now.
///
/// # Errors
/// In words, when it cannot be read.
pub fn answer_of_run(run: &Path) -> Result<RunAnswer, String> {
    judged_answer(run).map_err(|trouble| trouble.to_string())
}

fn judged_answer(run: &Path) -> Result<RunAnswer, Trouble> {
    let (_, judgement) = judge_run(run)?;
    let failure = RunDir::open(run).and_then(|dir| dir.read_failure());
    // Who goes on with a run removes the reason first.
    if let Ok(Some(failure)) = failure {
        return Ok(RunAnswer { state: "failed", headline: failure.reason });
    }
    let state = if writer::is_writing(run) { RunState::Running } else { judgement.comparison.state };
    Ok(RunAnswer { state: state_word(state), headline: judgement.headline })
}

fn state_word(state: RunState) -> &'static str {
    match state {
        RunState::Complete => "complete",
        RunState::Interrupted => "interrupted",
        RunState::Running => "running",
        RunState::Unfinished => "unfinished",
    }
}

/// What runs say first, each judged again only when it has changed, and one at a time: a list that is looked at must
/// not take both CPUs from a measurement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Headlines {
    made: Arc<Mutex<HashMap<PathBuf, (Stamp, RunAnswer)>>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Headlines {
    /// The first sentence of a run's report as it is now.
    pub(crate) async fn headline_of_run(&self, run: PathBuf) -> Result<RunAnswer, Trouble> {
        let _one_at_a_time = self.turn.lock().await;
        let made = self.made.clone();
        let making = tokio::task::spawn_blocking(move || {
            let stamp = Stamp::of_run(&run).map_err(|_| Trouble::Gone)?;
            let known = made.lock().expect("nobody panics while holding it").get(&run).cloned();
            if let Some((_, answer)) = known.filter(|(of, _)| *of == stamp) {
                return Ok(answer);
            }
            let answer = judged_answer(&run)?;
            made.lock().expect("nobody panics while holding it").insert(run, (stamp, answer.clone()));
            Ok(answer)
        });
        making.await.map_err(|error| Trouble::Unreadable(error.to_string()))?
    }
}
