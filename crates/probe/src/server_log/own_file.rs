//! The log of a server that pgdyno started: one file on this machine, which only grows.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::LogText;

/// A file and where it ended.
pub(super) struct OwnFile {
    path: PathBuf,
    from: u64,
}

impl OwnFile {
    pub(super) fn at_its_end(path: &Path) -> Result<Self, String> {
        let metadata = path.metadata().map_err(|error| unreadable_log_message(path, &error))?;
        Ok(Self { path: path.to_owned(), from: metadata.len() })
    }

    /// What has come since, at most this many bytes of it.
    pub(super) fn read_new_text(&self, at_most: u64) -> Result<LogText, String> {
        let read = || {
            let mut file = File::open(&self.path)?;
            let end = file.seek(SeekFrom::End(0))?;
            file.seek(SeekFrom::Start(self.from))?;
            let mut bytes = Vec::new();
            file.take(at_most).read_to_end(&mut bytes)?;
            let cut = (end > self.from + at_most).then_some("the end was not read");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(LogText { text, written: end.saturating_sub(self.from), cut })
        };
        read().map_err(|error| unreadable_log_message(&self.path, &error))
    }
}

fn unreadable_log_message(path: &Path, error: &std::io::Error) -> String {
    format!("the server's log {} cannot be read: {error}", path.display())
}
