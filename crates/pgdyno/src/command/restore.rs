//! `restore`: what runs that were killed have left changed on this machine is undone; and `run` says that there is some.
//!
//! What a living pgdyno has changed is not touched, nor is what somebody else has changed since.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use target::Environment;
use target::journal::{self, JournalError, Leftovers, Settled, Undone};

use super::Manner;
use super::run::own_executable;
use crate::cli::RestoreArgs;
use crate::problem::{Problem, Status};
use crate::progress::say;

/// Undoes, or lists, what is left.
pub(super) fn restore(arguments: &RestoreArgs, manner: Manner) -> Result<Status, Problem> {
    let found = journal::leftovers(&directory(&own_executable())?)?;
    if arguments.dry_run {
        let changes = found.iter().flat_map(Leftovers::changes);
        let told: Vec<Told> = changes.map(|change| Told::new("would be undone", change.to_string(), "")).collect();
        print(&told, manner);
        return Ok(Status::Done);
    }
    let settled: Vec<Settled> = found.into_iter().flat_map(Leftovers::undo).collect();
    let failed = settled.iter().filter(|settled| settled.outcome.is_err()).count();
    print(&settled.iter().map(told).collect::<Vec<_>>(), manner);
    if failed == 0 {
        return Ok(Status::Done);
    }
    Err(Problem::could_not_measure(format!("could not undo {failed} of {} changes", settled.len()))
        .detail("they stay in the journal")
        .hint("run `pgdyno restore` as the user who ran pgdyno, when nothing uses them any more"))
}

/// Says at the start of a run what an earlier one has left.
pub(super) fn tell_of_leftovers(executable: &Path) {
    let Ok(directory) = directory(executable) else { return };
    let text = match journal::leftovers(&directory) {
        Ok(found) => {
            let Some(first) = found.first() else { return };
            let changes: usize = found.iter().map(|left| left.changes().count()).sum();
            let example = first.changes().next().map_or(String::new(), |change| format!(", such as {change}"));
            let things = if changes == 1 { "1 change".to_owned() } else { format!("{changes} changes") };
            format!("a pgdyno that was killed has left {things} on this machine{example}")
        }
        // The run itself may well need no journal.
        Err(error) => error.to_string(),
    };
    say(&format!("warning: {text}\nhint: `pgdyno restore` undoes them"));
}

fn directory(executable: &Path) -> Result<PathBuf, JournalError> {
    journal::directory(&Environment::current(executable.to_owned()))
}

/// One change in words.
struct Told {
    outcome: &'static str,
    change: String,
    why: String,
}

impl Told {
    fn new(outcome: &'static str, change: String, why: impl Into<String>) -> Self {
        Self { outcome, change, why: why.into() }
    }
}

fn told(settled: &Settled) -> Told {
    let change = settled.change.to_string();
    match &settled.outcome {
        Ok(Undone::Restored) => Told::new("undone", change, ""),
        Ok(Undone::NothingLeft) => Told::new("was as before", change, ""),
        Ok(Undone::LeftAlone { found }) => {
            Told::new("left alone", change, format!("somebody else has changed it: {found}"))
        }
        Err(error) => Told::new("could not be undone", change, error.detail().unwrap_or_else(|| error.to_string())),
    }
}

fn print(told: &[Told], manner: Manner) {
    if manner.json {
        let of = |told: &Told| -> Value {
            let why = Some(&told.why).filter(|why| !why.is_empty());
            json!({ "outcome": told.outcome, "change": told.change, "why": why })
        };
        println!("{:#}", Value::Array(told.iter().map(of).collect()));
        return;
    }
    if told.is_empty() {
        println!("nothing is left to restore");
    }
    for Told { outcome, change, why } in told {
        let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
        println!("{outcome}: {change}{why}");
    }
}
