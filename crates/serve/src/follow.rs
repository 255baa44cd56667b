//! What has become of a run since it was last looked at: where it is, its seconds, its end.
//!
//! Whoever looks has one of these. It reads what was appended and keeps no history, so that a page which connects
//! again, to this server or to the next, is told of everything after the second that it has seen last.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use plan::Plan;
use report::live::{LiveSecondData, NowData};
use results::run::Run;
use results::store::RunDir;

use crate::reports::Trouble;
use crate::stamp::Stamp;
use crate::trial_tail::{TrialTail, load_start};
use crate::writer;

/// So much of what was before is told to a page that is opened late.
const HISTORY_S: f64 = 3600.0;
/// So much of what it has seen last is told again to a page that connects again: sides that take turns write their
/// seconds one after the other. The page knows a second by its trial and number.
const OVERLAP_S: f64 = 2.0;

/// What is to be told.
#[derive(Debug, PartialEq)]
pub(crate) enum News {
    /// Where the run is.
    Now(Box<NowData>),
    /// Seconds that have ended, the latest last.
    Seconds(Vec<LiveSecondData>),
    /// The run is at rest.
    End,
    /// What keeps it from being read; it may go over.
    Trouble(String),
    /// The directory is gone.
    Gone,
}

/// A run that is looked at.
#[derive(Debug)]
pub(crate) struct Follow {
    path: PathBuf,
    /// Instant in seconds since 1970 up to which the page has seen the seconds.
    seen_s: f64,
    identity: Option<(Run, Option<Plan>)>,
    seen: Option<(Stamp, Vec<u32>)>,
    tails: BTreeMap<u32, TrialTail>,
    trouble: Option<String>,
}

impl Follow {
    /// After the second that ended at `seen_s`; `None`: from the last hour on.
    pub(crate) fn new(path: PathBuf, seen_s: Option<f64>) -> Self {
        let seen_s = seen_s.map_or(f64::NEG_INFINITY, |seen_s| seen_s - OVERLAP_S);
        Self { path, seen_s, identity: None, seen: None, tails: BTreeMap::new(), trouble: None }
    }

    /// What is new. After [`News::End`] and [`News::Gone`] nothing is.
    pub(crate) fn poll_news(&mut self) -> Vec<News> {
        // Asked before anything is read: what the writer wrote last is read after it has gone.
        let is_writing = writer::is_writing(&self.path);
        let mut news = Vec::new();
        match self.read_news(&mut news) {
            Ok(()) => self.trouble = None,
            Err(Trouble::Gone) => news.push(News::Gone),
            // Once is enough, for as long as it is the same.
            Err(Trouble::Unreadable(error) | Trouble::Incomparable(error)) => {
                if self.trouble.as_ref() != Some(&error) {
                    self.trouble = Some(error.clone());
                    news.push(News::Trouble(error));
                }
            }
        }
        if !is_writing && !news.contains(&News::Gone) {
            news.push(News::End);
        }
        news
    }

    /// Which run it is, once that could be read.
    pub(crate) fn run_identity(&self) -> Option<&Run> {
        self.identity.as_ref().map(|(run, _plan)| run)
    }

    fn read_news(&mut self, news: &mut Vec<News>) -> Result<(), Trouble> {
        let stamp = Stamp::of_run(&self.path).map_err(|_| Trouble::Gone)?;
        let dir = RunDir::open(&self.path).map_err(|_| Trouble::Gone)?;
        let under_way = dir.unfinished_trials().map_err(unreadable_run)?;
        if self.identity.is_none() {
            self.identity = Some(read_run_identity(&dir)?);
            self.open_history()?;
        }
        if self.seen.as_ref() != Some(&(stamp, under_way.clone())) {
            let (run, plan) = self.identity.as_ref().expect("it was read above");
            let trials = dir.finished_trials().map_err(unreadable_run)?;
            let now = NowData::from_trials(stamp.to_string(), run, plan.as_ref(), &trials, &under_way);
            news.push(News::Now(Box::new(now)));
            self.seen = Some((stamp, under_way.clone()));
        }
        self.read_seconds(&under_way, news)
    }

    fn read_seconds(&mut self, under_way: &[u32], news: &mut Vec<News>) -> Result<(), Trouble> {
        for number in under_way {
            if !self.tails.contains_key(number) {
                // It has only begun where its files are not there yet.
                let opened = self.open_trial_tail(*number, "partial").ok();
                self.tails.extend(opened.map(|tail| (*number, tail)));
            }
        }
        let mut seconds = Vec::new();
        for (number, tail) in &mut self.tails {
            seconds.extend(tail.read_new_seconds(!under_way.contains(number)).map_err(unreadable_run)?);
        }
        self.tails.retain(|number, _| under_way.contains(number));
        seconds.retain(|second| second.at_s > self.seen_s);
        seconds.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        if !seconds.is_empty() {
            news.push(News::Seconds(seconds));
        }
        Ok(())
    }

    /// Finished trials of the last hour before the latest, or after what the page has seen.
    fn open_history(&mut self) -> Result<(), Trouble> {
        let trials = self.path.join("trials");
        let starts = |name: &str| load_start(&trials.join(name)).ok().map(|start| start.as_millisecond() as f64 / 1e3);
        let entries = trials.read_dir().map_err(unreadable_run)?.flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let begun: Vec<(String, f64)> = names.filter_map(|name| Some((name.clone(), starts(&name)?))).collect();
        let latest = begun.iter().map(|(_, start_s)| *start_s).fold(f64::NEG_INFINITY, f64::max);
        self.seen_s = self.seen_s.max(latest - HISTORY_S);
        for (name, start_s) in begun {
            // How long a trial lasts is not known; one that began an hour before what was seen last has ended by then.
            if let Ok(number) = name.parse::<u32>()
                && start_s > self.seen_s - HISTORY_S
            {
                self.tails.insert(number, self.open_trial_tail(number, "").map_err(unreadable_run)?);
            }
        }
        Ok(())
    }

    fn open_trial_tail(&self, number: u32, extension: &str) -> io::Result<TrialTail> {
        let (run, _) = self.identity.as_ref().expect("it is read before trials are");
        let target = run.schedule.trials.iter().find(|scheduled| scheduled.number == number);
        let target = target.map_or(String::new(), |scheduled| scheduled.cell.target.clone());
        let directory = self.path.join("trials").join(number.to_string()).with_extension(extension);
        TrialTail::open_trial(&directory, number, target)
    }
}

fn read_run_identity(dir: &RunDir) -> Result<(Run, Option<Plan>), Trouble> {
    let run = dir.read_run().map_err(unreadable_run)?;
    if !dir.has_plan() {
        return Ok((run, None));
    }
    let text = dir.plan_yaml().map_err(unreadable_run)?;
    let plan = plan::parse_of_run("plan.yaml", text.as_bytes()).map_err(unreadable_run)?;
    Ok((run, Some(plan)))
}

fn unreadable_run(error: impl std::fmt::Display) -> Trouble {
    Trouble::Unreadable(error.to_string())
}
