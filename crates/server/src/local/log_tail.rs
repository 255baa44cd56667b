//! The end of a server's log since its last start, for an error's detail.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Lines that are kept.
const LINES: usize = 12;

/// Bytes that are looked at, at most.
const BYTES: u64 = 16 * 1024;

/// The last lines from byte `start` on; the reason instead if the file cannot be read.
pub(super) fn read_last_lines(path: &Path, start: u64) -> String {
    let read = || {
        let mut file = File::open(path)?;
        let end = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(start.max(end.saturating_sub(BYTES))))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(last_lines(&String::from_utf8_lossy(&bytes)))
    };
    read().unwrap_or_else(|error| format!("its log {} cannot be read: {error}", path.display()))
}

/// The last lines of a text.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
