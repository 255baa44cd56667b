//! `restore`: what runs that were killed have left changed on this machine is undone;
//! and `run` says that there is some.
//!
//! What a living pgdyno has changed is not touched, nor is what somebody else has changed since.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use server::Environment;
use server::journal::{self, FoundJournals, JournalError, Leftovers, Reversal, Settled};

use super::run::own_executable;
use super::{Manner, documents};
use crate::cli::RestoreArgs;
use measure::progress::print_to_stderr;
use problem::{CommandStatus, Problem};

/// Undoes, or lists, what is left.
pub(super) fn run_restore_command(arguments: &RestoreArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let FoundJournals { left, unreadable } = journal::find_leftovers(&journal_directory(&own_executable())?)?;
    let (told, changes, failed) = if arguments.dry_run {
        let changes = left.iter().rev().flat_map(Leftovers::changes_to_undo);
        let told: Vec<RestoredChange> =
            changes.map(|change| RestoredChange::new("would be undone", change.to_string(), "")).collect();
        (told, 0, 0)
    } else {
        // The newest first: it may rest on what an older one made, such as a server's data on a mount.
        let settled: Vec<Settled> = left.into_iter().rev().flat_map(Leftovers::undo_changes).collect();
        let failed = settled.iter().filter(|settled| settled.outcome.is_err()).count();
        (settled.iter().map(describe_settled_change).collect(), settled.len(), failed)
    };
    let printed = documents::print_bytes(restore_report_text(&told, manner, unreadable.is_empty()).as_bytes());
    let mut unreadable = unreadable.into_iter();
    let problem = if failed > 0 {
        let problem = Problem::could_not_measure(format!("could not undo {failed} of {changes} changes"));
        let hint = "stop all processes that use them, then run `pgdyno restore` as the user who ran pgdyno";
        Some(problem.detail("the changes stay in the journal").hint(hint))
    } else {
        unreadable.next().map(Problem::from)
    };
    for error in unreadable {
        print_to_stderr(&journal_warning(&error));
    }
    problem.map_or(printed, Err)
}

/// Says at the start of a run what an earlier one has left.
pub(super) fn tell_of_leftovers(executable: &Path) {
    let Ok(directory) = journal_directory(executable) else { return };
    // The run itself may well need no journal.
    let FoundJournals { left, unreadable } = match journal::find_leftovers(&directory) {
        Ok(found) => found,
        Err(error) => FoundJournals { left: Vec::new(), unreadable: vec![error] },
    };
    for error in &unreadable {
        print_to_stderr(&journal_warning(error));
    }
    let Some(first) = left.first() else { return };
    let changes: usize = left.iter().map(|left| left.changes_to_undo().count()).sum();
    let example = first.changes_to_undo().next().map_or(String::new(), |change| format!(", such as {change}"));
    print_to_stderr(&format!(
        "warning: a killed pgdyno left {} on this machine{example}\nhint: `pgdyno restore` undoes them",
        journal::in_words(changes)
    ));
}

/// A journal that cannot be read, in words.
fn journal_warning(error: &JournalError) -> String {
    let hint = error.hint().map_or(String::new(), |hint| format!("\nhint: {hint}"));
    format!("warning: {error}{}{hint}", error.detail().map_or(String::new(), |said| format!(": {said}")))
}

fn journal_directory(executable: &Path) -> Result<PathBuf, JournalError> {
    journal::journal_directory(&Environment::of_this_process(executable.to_owned()))
}

/// One change in words.
struct RestoredChange {
    outcome: &'static str,
    change: String,
    why: String,
}

impl RestoredChange {
    fn new(outcome: &'static str, change: String, why: impl Into<String>) -> Self {
        Self { outcome, change, why: why.into() }
    }
}

fn describe_settled_change(settled: &Settled) -> RestoredChange {
    let change = settled.change.to_string();
    match &settled.outcome {
        Ok(Reversal::Restored) => RestoredChange::new("undone", change, ""),
        Ok(Reversal::NothingLeft) => RestoredChange::new("was as before", change, ""),
        Ok(Reversal::LeftAlone { found }) => {
            RestoredChange::new("left alone", change, format!("another user or program has changed it: {found}"))
        }
        Err(error) => {
            RestoredChange::new("could not be undone", change, error.detail().unwrap_or_else(|| error.to_string()))
        }
    }
}

/// What was done, for people or programs; `complete` unless there are journals that could not be read.
fn restore_report_text(told: &[RestoredChange], manner: Manner, complete: bool) -> String {
    if manner.json {
        let of = |told: &RestoredChange| -> Value {
            let why = Some(&told.why).filter(|why| !why.is_empty());
            json!({ "outcome": told.outcome, "change": told.change, "why": why })
        };
        return format!("{:#}\n", Value::Array(told.iter().map(of).collect()));
    }
    if told.is_empty() && complete {
        return "nothing is left to restore\n".to_owned();
    }
    let line = |RestoredChange { outcome, change, why }: &RestoredChange| {
        let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
        format!("{outcome}: {change}{why}\n")
    };
    told.iter().map(line).collect()
}
