//! What pgdyno changes on a machine, written down before it is changed, so that it is undone also after a crash.
//!
//! Promises: a change is on disk, with the value of before, when it begins; what a [`Journal`] made it undoes, newest
//! first, at the latest when it is dropped; what an owner that died has left is undone by [`leftovers`]. Undoing twice
//! is undoing once. What somebody else has changed meanwhile is left as it is, and said.
//!
//! A journal is a file of one JSON document a line; its owner holds a lock on it, which the kernel gives back when the
//! owner dies in whatever way. A last line that was torn belongs to a change that was not begun.

mod block_device;
mod change;
mod entries;
mod error;
mod kernel_value;
mod leftovers;
mod program;
mod reversal;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::FlockOperation;

use crate::environment::Environment;
use entries::{JournalEntry, JournalHeader, JournalLine};

pub use change::MachineChange;
pub use error::JournalError;
pub use leftovers::{FoundJournals, Leftovers, Settled, find_leftovers};
pub(crate) use program::run_program;
pub use reversal::Reversal;

/// How the name of a journal ends.
const EXTENSION: &str = "jsonl";

/// The directory of the journals.
///
/// # Errors
/// As [`state_directory`].
pub fn journal_directory(environment: &Environment) -> Result<PathBuf, JournalError> {
    Ok(state_directory(environment)?.join("journal"))
}

/// The directory of what pgdyno keeps from one process to the next: `$XDG_STATE_HOME/pgdyno` if that is set, else
/// `/var/lib/pgdyno` for root, else `~/.local/state/pgdyno`.
///
/// # Errors
/// There is no such variable and no home.
pub fn state_directory(environment: &Environment) -> Result<PathBuf, JournalError> {
    Ok(match (environment.nonempty_variable("XDG_STATE_HOME"), environment.nonempty_variable("HOME")) {
        (Some(state), _) => Path::new(state).join("pgdyno"),
        (None, _) if environment.is_root() => PathBuf::from("/var/lib/pgdyno"),
        (None, Some(home)) => Path::new(home).join(".local/state/pgdyno"),
        (None, None) => return Err(JournalError::NoDirectory),
    })
}

/// Changes that this process has made and not undone.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// How many changes of this process's journals are made and not undone: what is left if it ends at once.
#[must_use]
pub fn open_here() -> usize {
    OPEN.load(Ordering::Relaxed)
}

/// So many changes, for a person.
#[must_use]
pub fn in_words(changes: usize) -> String {
    if changes == 1 { "1 change".to_owned() } else { format!("{changes} changes") }
}

/// A change that has been made and can be undone by its journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournaledChange(u32);

/// The changes of one owner. Dropping it undoes all that is left; [`Journal::undo_all`] also tells how that went.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Locked for as long as the owner lives.
    file: File,
    /// What is made and not undone, oldest first.
    open: Vec<(JournaledChange, MachineChange)>,
    next: u32,
    /// Whether others undo what is left.
    is_left: bool,
}

impl Journal {
    /// Begins a journal in a directory, which is made if it is absent.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin_journal(directory: &Path) -> Result<Self, JournalError> {
        fs::create_dir_all(directory).map_err(JournalError::system_call_failed("create", directory))?;
        let failed = |error: io::Error| JournalError::system_call_failed("write", directory)(error);
        // Locked and headed before it has a name that anybody looks for.
        let unnamed = tempfile::Builder::new().suffix(".new").tempfile_in(directory).map_err(failed)?;
        rustix::fs::flock(unnamed.as_file(), FlockOperation::NonBlockingLockExclusive)
            .map_err(|error| failed(error.into()))?;
        let header = JournalLine::Header(JournalHeader::of_this_process()).to_text();
        unnamed.as_file().write_all(header.as_bytes()).and_then(|()| unnamed.as_file().sync_data()).map_err(failed)?;
        let path = unnamed.path().with_extension(EXTENSION);
        let file = unnamed.persist_noclobber(&path).map_err(|error| failed(error.error))?;
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(failed)?;
        Ok(Self { path, file, open: Vec::new(), next: 0, is_left: false })
    }

    /// Writes a change down, then makes it. If it cannot be made, nothing of it is left.
    ///
    /// # Errors
    /// It cannot be written down (then nothing is made) or cannot be made.
    pub fn make_change(&mut self, change: &MachineChange) -> Result<JournaledChange, JournalError> {
        // Looked at before it is written down: what is there already must never be taken for what was made.
        change.check_not_made()?;
        let made = self.announce_change(change)?;
        if let Err(error) = change.make_change() {
            // The cause is the news; struck or not, there is nothing to undo.
            let _ = self.strike_change(made);
            return Err(error);
        }
        Ok(made)
    }

    /// Writes a change down before it is made.
    fn announce_change(&mut self, change: &MachineChange) -> Result<JournaledChange, JournalError> {
        let made = JournaledChange(self.next);
        self.append_line(&JournalLine::Made(JournalEntry { number: made.0, change: change.clone() }))?;
        self.next += 1;
        self.open.push((made, change.clone()));
        OPEN.fetch_add(1, Ordering::Relaxed);
        Ok(made)
    }

    /// Undoes one change; one that is undone already is no error.
    ///
    /// # Errors
    /// It cannot be undone, now; it stays in the journal.
    pub fn undo_change(&mut self, made: JournaledChange) -> Result<Reversal, JournalError> {
        let Some(at) = self.open.iter().position(|(open, _)| *open == made) else { return Ok(Reversal::NothingLeft) };
        let undone = self.open[at].1.undo_change()?;
        self.strike_change(made).map(|()| undone)
    }

    /// Takes a change for undone that has been by other means.
    ///
    /// # Errors
    /// That cannot be written down.
    pub fn forget_change(&mut self, made: JournaledChange) -> Result<(), JournalError> {
        self.strike_change(made)
    }

    fn strike_change(&mut self, made: JournaledChange) -> Result<(), JournalError> {
        self.append_line(&JournalLine::Undone { number: made.0 })?;
        let before = self.open.len();
        self.open.retain(|(open, _)| *open != made);
        OPEN.fetch_sub(before - self.open.len(), Ordering::Relaxed);
        Ok(())
    }

    /// Undoes all that is left, newest first, and tells what could not be undone or was left alone.
    #[must_use]
    pub fn close_and_undo(mut self) -> Vec<Settled> {
        self.undo_all()
    }

    /// Undoes nothing, and forgets what was made: it turned out to be somebody else's.
    pub fn abandon_changes(mut self) {
        OPEN.fetch_sub(self.open.len(), Ordering::Relaxed);
        self.open.clear();
        // What is left is an empty list of changes, which harms nobody.
        let _ = fs::remove_file(&self.path);
    }

    /// Undoes nothing, and leaves what was made to the next `restore`.
    pub fn leave_to_restore(mut self) {
        self.is_left = true;
    }

    fn undo_all(&mut self) -> Vec<Settled> {
        let mut settled = Vec::new();
        for (made, change) in self.open.clone().into_iter().rev() {
            let outcome = leftovers::unless_bearing(&settled, &change, || self.undo_change(made));
            settled.push(Settled { change, outcome });
        }
        if self.open.is_empty() {
            // What is left is an empty list of changes, which harms nobody.
            let _ = fs::remove_file(&self.path);
        }
        settled
    }

    fn append_line(&mut self, line: &JournalLine) -> Result<(), JournalError> {
        let text = line.to_text();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(JournalError::system_call_failed("write", &self.path))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.is_left {
            return;
        }
        // Whoever wants to know closes it.
        let _ = self.undo_all();
    }
}

#[cfg(test)]
mod tests;
