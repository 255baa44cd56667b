//! What owners that died have left: found by their journals, whose locks nobody holds any more.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rustix::fs::FlockOperation;

use super::change::MachineChange;
use super::entries::{self, Contents, JournalLine};
use super::reversal::Reversal;
use super::{EXTENSION, JournalError};

/// A change and what undoing it came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The change.
    pub change: MachineChange,
    /// What undoing it came to; an error leaves it in the journal.
    pub outcome: Result<Reversal, JournalError>,
}

/// What one dead owner has left. Nobody else can undo it as long as this lives.
#[derive(Debug)]
pub struct Leftovers {
    /// Process id of the owner, in its own namespace.
    pub pid: u32,
    /// When its journal began.
    pub began_at: Timestamp,
    contents: Contents,
    path: PathBuf,
    file: File,
}

/// Undoes a change, unless a later one that may rest on it could not be undone: an image must not go from under its mount.
pub(super) fn unless_bearing(
    later: &[Settled],
    change: &MachineChange,
    undo: impl FnOnce() -> Result<Reversal, JournalError>,
) -> Result<Reversal, JournalError> {
    let bears = later.iter().any(|settled| settled.change.may_bear_others() && settled.outcome.is_err());
    if bears && change.may_bear_others() { Err(JournalError::Bears { change: change.to_string() }) } else { undo() }
}

/// What was found in a directory of journals.
#[derive(Debug, Default)]
pub struct FoundJournals {
    /// What dead owners have left, the oldest first.
    pub left: Vec<Leftovers>,
    /// Journals that cannot be read, by which the others are not held up.
    pub unreadable: Vec<JournalError>,
}

/// What the dead owners of the journals in a directory have left; a directory that is absent has none. Journals without
/// anything left are removed.
///
/// # Errors
/// The directory cannot be read.
pub fn find_leftovers(directory: &Path) -> Result<FoundJournals, JournalError> {
    let mut found = FoundJournals::default();
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(JournalError::system_call_failed("read", directory)(error)),
    };
    let journals = entries.flatten().map(|entry| entry.path());
    let journals = journals.filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    for path in journals {
        match of_journal(&path) {
            Ok(left) => found.left.extend(left),
            Err(error) => found.unreadable.push(error),
        }
    }
    found.left.sort_by_key(|left| left.began_at);
    Ok(found)
}

fn of_journal(path: &Path) -> Result<Option<Leftovers>, JournalError> {
    let failed = |error: io::Error| JournalError::system_call_failed("read", path)(error);
    let mut file = match OpenOptions::new().read(true).append(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        // Its owner lives, or somebody else is restoring.
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(failed(error.into())),
    }
    // Its owner removed it between the two.
    if file.metadata().map_err(failed)?.nlink() == 0 {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let contents = entries::parse_journal(&String::from_utf8_lossy(&bytes))
        .map_err(|(line, said)| JournalError::Unreadable { path: path.to_owned(), line, said })?;
    if contents.open.is_empty() {
        return fs::remove_file(path).map_err(failed).map(|()| None);
    }
    // A torn last line must not run into what is written after it.
    if bytes.last() != Some(&b'\n') {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end as u64 + 1);
        file.set_len(whole).map_err(failed)?;
    }
    let (pid, began_at) = (contents.header.pid, contents.header.began_at);
    Ok(Some(Leftovers { pid, began_at, contents, path: path.to_owned(), file }))
}

impl Leftovers {
    /// The changes, newest first: the order in which they are undone.
    pub fn changes_to_undo(&self) -> impl Iterator<Item = &MachineChange> {
        self.contents.open.iter().rev().map(|entry| &entry.change)
    }

    /// Undoes them; what cannot be undone stays in the journal.
    #[must_use]
    pub fn undo_changes(mut self) -> Vec<Settled> {
        let mut settled = Vec::new();
        let rebooted = !self.contents.header.is_of_this_boot();
        let open = std::mem::take(&mut self.contents.open);
        for entry in open.into_iter().rev() {
            let gone = rebooted && entry.change.ends_with_the_kernel();
            let outcome = unless_bearing(&settled, &entry.change, || {
                let undone = if gone { Reversal::NothingLeft } else { entry.change.undo_change()? };
                self.record_undone(entry.number).map(|()| undone)
            });
            settled.push(Settled { change: entry.change, outcome });
        }
        if settled.iter().all(|settled| settled.outcome.is_ok()) {
            // Left behind, it lists changes that are undone, which harms nobody.
            let _ = fs::remove_file(&self.path);
        }
        settled
    }

    fn record_undone(&mut self, number: u32) -> Result<(), JournalError> {
        let text = JournalLine::Undone { number }.to_text();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(JournalError::system_call_failed("write", &self.path))
    }
}
