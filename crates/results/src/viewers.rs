//! `viewers.jsonl`: one line for each stretch of time for which a page of the run was open while it was measured.
//!
//! The measurement does not write it: those do that serve the page, each a process of its own, and several may; so it
//! is no part of a trial. Absent where nobody looked. A page that stays open has a line every few seconds, so that what
//! a server could not write before it was killed is short.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The file, in the directory of the run.
pub(crate) const FILE_NAME: &str = "viewers.jsonl";

/// A stretch of time for which one page was open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewed {
    /// Its beginning.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
    /// Where the browser is, as far as its connection tells.
    pub whence: Whence,
}

/// Where a browser is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whence {
    /// On the machine that serves the page; or wherever a port is forwarded from, as by `ssh -L`.
    Here,
    /// On another one.
    Elsewhere,
}

/// Appends a line; nothing is made where the directory is not there (any more).
pub(crate) fn append_viewer(run: &Path, viewed: &Viewed) -> Result<()> {
    let path = run.join(FILE_NAME);
    let mut line = serde_json::to_vec(viewed).map_err(|error| Error::io_error_at("write", &path)(error.into()))?;
    line.push(b'\n');
    let file = File::options().append(true).create(true).open(&path);
    // In one call, so that the lines of several servers stay whole.
    file.and_then(|mut file| file.write_all(&line)).map_err(Error::io_error_at("write", &path))
}
