//! A captured load as scripts: each class of transactions (the same statements in the same order) is a script, and each
//! transaction of the class a row of its values. They are executed in the order in which they began, each with the
//! values that it had, and all that there is for scripts works on them.
//!
//! Made of a capture directory before a run, and kept in the run: `replay.json` says what the scripts are.

mod class;
mod executed_values;
mod inferred_results;
mod links;
mod made_values;
mod masked_values;
mod pauses;
mod picked_values;
mod sequence_trace;
mod sessions;
mod statement_shapes;
mod statement_view;
mod summary;
mod transactions;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use capture::directory::{CaptureReader, SUMMARY_FILE};
use capture::statement_view::STATEMENT_VIEW;
use load::{AtListEnd, TimedSessions, TransactionOrder, ValueRows, Weighted};
use problem::Problem;

use crate::script_files::{ReadFile, parse_script};
use class::TransactionClasses;
use links::CapturedLinks;
pub(crate) use masked_values::ComparedColumn;
use sessions::{OrderLine, sessions_of_lines};
pub use statement_view::read_statement_view;
pub use summary::{
    NotReplayed, REPLAY_FILE, ReplaySummary, ReplayedAmount, ReplayedScript, ReplayedStatement, TimedReplay,
};

/// When the transactions of a capture begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReplayTimes {
    /// When a client is free.
    Sampled,
    /// When they did, so many times as fast.
    Timed {
        /// What times and pauses are divided by.
        speed: f64,
    },
}

/// Scripts of a captured load.
#[derive(Debug, Clone)]
pub struct CapturedScripts {
    /// What they are, and what of the capture is not in them.
    pub summary: ReplaySummary,
    /// The files of a directory that has them: each with its name and its text, `replay.json` first.
    pub files: Vec<(String, String)>,
}

impl CapturedScripts {
    /// Makes the scripts of a capture directory.
    ///
    /// # Errors
    /// The directory cannot be read, or has no transaction that can be replayed.
    pub fn of_capture(directory: &Path, times: ReplayTimes) -> Result<Self, Problem> {
        let reader = CaptureReader::open_capture(directory).map_err(|error| unreadable_capture(directory, &error))?;
        let is_counted = reader.summary().sources.iter().any(|source| source.kind == STATEMENT_VIEW);
        if is_counted && times != ReplayTimes::Sampled {
            return Err(Problem::usage_error(format!("{} cannot be replayed at its times", directory.display()))
                .detail(format!("{STATEMENT_VIEW} has neither sessions nor times of statements"))
                .hint("use `replay: sampled`"));
        }
        let links = CapturedLinks::of_capture(&reader).map_err(|error| unreadable_capture(directory, &error))?;
        let mut classes = TransactionClasses::new(&reader, links, times);
        let mut events = reader.event_stream();
        for event in events.by_ref() {
            classes.add_event(event.map_err(|error| unreadable_capture(directory, &error))?);
        }
        classes.end_of_capture();
        let torn = events.torn_end().map(|torn| format!("{}: {}", torn.file.display(), torn.detail));
        let made = classes.into_scripts(torn);
        if made.summary.scripts.is_empty() {
            let reasons: Vec<String> = made.summary.not_replayed.iter().map(NotReplayed::in_words).collect();
            return Err(Problem::usage_error(format!(
                "the capture {} has no transaction to replay",
                directory.display()
            ))
            .detail(reasons.join("; "))
            .hint("`pgdyno capture describe` shows what it has"));
        }
        Ok(made)
    }

    /// Reads the scripts that an earlier run has made of a capture, or makes them of the capture itself.
    ///
    /// # Errors
    /// There is neither, it cannot be read, or it was made for other times.
    pub(crate) fn read_directory(
        directory: &Path,
        times: ReplayTimes,
        read_file: &ReadFile<'_>,
    ) -> Result<Self, Problem> {
        let Ok(bytes) = read_file(&directory.join(REPLAY_FILE)) else {
            if read_file(&directory.join(SUMMARY_FILE)).is_err() {
                return Err(Problem::usage_error(format!("{} is not a capture", directory.display()))
                    .detail(format!("it has neither {SUMMARY_FILE} nor {REPLAY_FILE}"))
                    .hint("`pgdyno capture --log FILE... --out DIRECTORY` makes one"));
            }
            return Self::of_capture(directory, times);
        };
        let path = directory.join(REPLAY_FILE);
        let unreadable = Problem::usage_error(format!("could not read {}", path.display()));
        let summary = match ReplaySummary::from_json(&bytes) {
            Ok(summary) => summary,
            Err(detail) => return Err(unreadable.detail(detail)),
        };
        let made_for = match &summary.timed {
            Some(timed) => ReplayTimes::Timed { speed: timed.speed },
            None => ReplayTimes::Sampled,
        };
        if made_for != times {
            return Err(Problem::usage_error(format!("{} is not for {}", path.display(), times.in_words()))
                .detail(format!("it was made for {}", made_for.in_words()))
                .hint("name the capture itself, or replay it as that run did"));
        }
        let mut files = vec![(REPLAY_FILE.to_owned(), summary.to_json())];
        let of_scripts = summary.scripts.iter().flat_map(|script| std::iter::once(&script.file).chain(&script.values));
        for name in of_scripts.chain([&summary.order]) {
            let bytes = read_file(&directory.join(name)).map_err(|error| {
                Problem::usage_error(format!("could not read {}", directory.join(name).display()))
                    .detail(error.to_string())
                    .hint(format!("{} names it", path.display()))
            })?;
            files.push((name.clone(), String::from_utf8_lossy(&bytes).into_owned()));
        }
        Ok(Self { summary, files })
    }

    /// The scripts with their values. Their statements are prepared once they are executed: a connection executes few
    /// of them.
    ///
    /// # Errors
    /// A script that does not parse, or values that cannot be read: files that were changed by hand.
    pub(crate) fn parsed_scripts(&self) -> Result<Vec<Weighted>, Problem> {
        let mut weighted = Vec::with_capacity(self.summary.scripts.len());
        for script in &self.summary.scripts {
            let text = self.text_of_file(&script.file);
            let mut parsed = parse_script(&script.file, text)?;
            if let Some(file) = &script.values {
                let rows = ValueRows::from_csv(self.text_of_file(file).as_bytes()).map_err(|error| {
                    Problem::usage_error(format!("could not read the values {file:?}")).detail(error.to_string())
                })?;
                parsed = parsed.with_values(file, &Arc::new(rows));
            }
            weighted.push(Weighted { script: parsed.prepared_when_executed(), weight: script.weight });
        }
        Ok(weighted)
    }

    /// The transactions in the order of the capture, or those of each session with their times.
    ///
    /// # Errors
    /// A file that was changed by hand.
    pub(crate) fn parsed_order(&self) -> Result<CapturedOrder, Problem> {
        let text = self.text_of_file(&self.summary.order);
        let unreadable = Problem::usage_error(format!("could not read {:?} of a replay", self.summary.order));
        let Some(timed) = &self.summary.timed else {
            let places: Result<Vec<u32>, _> = text.lines().map(str::parse).collect();
            let order = places.ok().and_then(|places| TransactionOrder::from_scripts(places, AtListEnd::Repeat));
            let order = order.ok_or_else(|| unreadable.detail("it is not a list of the places of scripts"))?;
            return Ok(CapturedOrder::Sampled(order));
        };
        let lines: Option<Vec<OrderLine>> = text.lines().map(OrderLine::from_text).collect();
        let sessions = lines.and_then(|lines| sessions_of_lines(&lines, timed.connections, &timed.window_ends_us));
        let sessions =
            sessions.ok_or_else(|| unreadable.detail("it is not a list of scripts, connections and times"))?;
        Ok(CapturedOrder::Timed(Arc::new(sessions)))
    }

    fn text_of_file(&self, name: &str) -> &str {
        self.files.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text)
    }

    /// Each file in a directory: its path and its text.
    pub fn files_in(&self, directory: &Path) -> impl Iterator<Item = (PathBuf, &str)> {
        self.files.iter().map(|(name, text)| (directory.join(name), text.as_str()))
    }
}

/// When which transaction of a capture is executed.
#[derive(Debug, Clone)]
pub(crate) enum CapturedOrder {
    /// One after the other.
    Sampled(TransactionOrder),
    /// At its time.
    Timed(Arc<TimedSessions>),
}

impl ReplayTimes {
    fn in_words(self) -> String {
        match self {
            Self::Sampled => "`replay: sampled`".to_owned(),
            Self::Timed { speed } => format!("`replay: timed` at speed {speed}"),
        }
    }
}

fn unreadable_capture(directory: &Path, error: &capture::directory::CaptureError) -> Problem {
    Problem::usage_error(format!("could not read the capture {}", directory.display())).detail(error.to_string())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_inferred_results;
