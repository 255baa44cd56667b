//! `failed.json`: why a run could not go on. It is written when the measurement breaks and removed when it goes on; a
//! start that failed before its first trial leaves no directory.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The newest format of `failed.json`.
pub const FORMAT: u32 = 1;

/// The file, in the directory of the run.
pub(crate) const FILE_NAME: &str = "failed.json";

/// A file that takes the space of that one while the run goes on.
pub(crate) const HELD_SPACE_FILE_NAME: &str = "held-space";

/// Its size: one block of a file system.
pub(crate) const HELD_SPACE_BYTES: usize = 4096;

/// Why a run could not go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFailure {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// When it broke.
    pub failed_at: Timestamp,
    /// What could not be done, and what the system said, in one line.
    pub reason: String,
}
