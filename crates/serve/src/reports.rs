//! The reports of runs as the viewer takes them: made when somebody asks, again only when the run has changed, one at a
//! time for each run, and away from the threads that answer.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use judge::compare::RunQuestion;
use judge::observed::{Observed, ReadError};
use judge::{Incomparable, Judgement};
use report::ReportData;
use results::store::RunDir;

use crate::stamp::Stamp;
use crate::writer;

/// So many are kept at a time.
const KEPT: usize = 8;

/// A report.
#[derive(Debug, Clone)]
pub(crate) struct RenderedReport {
    /// Of what.
    pub(crate) stamp: Stamp,
    /// The JSON that `report.html` holds.
    pub(crate) json: Bytes,
}

/// Why there is none.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// There is no such run directory (any more).
    Gone,
    /// It cannot be read or understood.
    Unreadable(String),
    /// Two runs that cannot be compared, or not yet.
    Incomparable(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("the run directory does not exist"),
            Self::Unreadable(error) | Self::Incomparable(error) => f.write_str(error),
        }
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Self {
        Self::Unreadable(error.to_string())
    }
}

impl From<Incomparable> for Trouble {
    fn from(error: Incomparable) -> Self {
        Self::Incomparable(error.to_string())
    }
}

/// A report that is made by whoever holds it.
type ReportPlace = Arc<tokio::sync::Mutex<Option<RenderedReport>>>;

/// The reports that were made last.
#[derive(Debug, Default)]
pub(crate) struct Reports(Mutex<BTreeMap<PathBuf, ReportPlace>>);

impl Reports {
    /// The report of a run as it is now.
    pub(crate) async fn report_of_run(&self, run: &Path) -> Result<RenderedReport, Trouble> {
        let place = self.cache_entry_of_run(run);
        let mut made = place.lock().await;
        let (run, last) = (run.to_owned(), made.clone());
        let making = tokio::task::spawn_blocking(move || {
            let stamp = Stamp::of_run(&run).map_err(|_| Trouble::Gone)?;
            match last.filter(|made| made.stamp == stamp) {
                Some(made) => Ok(made),
                None => make_report(&run, stamp),
            }
        });
        let fresh = making.await.map_err(|error| Trouble::Unreadable(error.to_string()))??;
        Ok(made.insert(fresh).clone())
    }

    fn cache_entry_of_run(&self, run: &Path) -> ReportPlace {
        let mut places = self.0.lock().expect("nobody panics while holding it");
        if places.len() >= KEPT && !places.contains_key(run) {
            places.clear();
        }
        places.entry(run.to_owned()).or_default().clone()
    }
}

/// The judgement on a run, which holds back its verdicts while it is being measured.
pub(crate) fn judge_run(run: &Path) -> Result<(Observed, Judgement), Trouble> {
    let is_writing = writer::is_writing(run);
    let observed = read_observed_run(run)?;
    let judgement = if is_writing { judge::judge_so_far(&observed) } else { judge::judge_run(&observed) };
    Ok((observed, judgement))
}

/// The report of two runs that were made separately, the baseline target of each, as `compare` makes it. A run that is
/// being measured is compared when it has ended: there is no stopping rule of such a comparison to wait for.
pub(crate) fn compare_runs(baseline: &Path, candidate: &Path) -> Result<Bytes, Trouble> {
    if baseline == candidate {
        return Err(Trouble::Incomparable("a run cannot be compared with itself".to_owned()));
    }
    if let Some(run) = [baseline, candidate].into_iter().find(|run| writer::is_writing(run)) {
        let name = run.file_name().unwrap_or_default().display();
        return Err(Trouble::Incomparable(format!("{name} is being measured: compare it when it has ended")));
    }
    let (baseline, candidate) = (read_observed_run(baseline)?, read_observed_run(candidate)?);
    let question = RunQuestion::of_run(&baseline);
    let (observed, judgement) = judge::judge_separate(baseline, candidate, question)?;
    Ok(report_as_json(&report::build_report(&observed, &judgement)))
}

fn read_observed_run(run: &Path) -> Result<Observed, Trouble> {
    let read = || Observed::read(&RunDir::open(run)?);
    read().map_err(|error| if run.join("run.json").exists() { error.into() } else { Trouble::Gone })
}

fn make_report(run: &Path, stamp: Stamp) -> Result<RenderedReport, Trouble> {
    let (observed, judgement) = judge_run(run)?;
    Ok(RenderedReport { stamp, json: report_as_json(&report::build_report(&observed, &judgement)) })
}

/// The data of a report as JSON.
pub(crate) fn report_as_json(data: &ReportData) -> Bytes {
    serde_json::to_vec(data).expect("plain data always serialises").into()
}
