//! What a format of another program's output is: how a file is recognised, and the figures that are read from it.

use results::told::{StatedFigures, ToldStorage};

/// A format of the output of another program. Those that are known stand in [`OUTPUT_FORMATS`](crate::formats).
pub trait OutputFormat: Sync {
    /// The program that writes it.
    fn program_name(&self) -> &'static str;

    /// Whether a file that begins like this is in this format.
    fn is_format_of(&self, head: &str) -> bool;

    /// Reads a whole file.
    ///
    /// # Errors
    /// At the first line that is not as the program writes it.
    fn read_figures(&self, text: &str) -> Result<OutputFigures, UnreadableLine>;
}

/// What one file tells. What it does not tell is absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutputFigures {
    /// The program's version.
    pub program_version: Option<String>,
    /// What had to be interpreted.
    pub notes: Vec<String>,
    /// Runs of a database benchmark.
    pub runs: Vec<RunFigures>,
    /// Jobs of a storage benchmark.
    pub storage_jobs: Vec<StorageJob>,
}

/// One run of a database benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFigures {
    /// The line at which it stands, from 1.
    pub line: usize,
    /// The target, where the file names it.
    pub target: Option<String>,
    pub workload: Option<String>,
    pub clients: Option<u32>,
    /// The version of PostgreSQL.
    pub server_version: Option<String>,
    /// When it began, in seconds since 1970.
    pub started_s: Option<f64>,
    /// Why it did not end as it should.
    pub aborted: Option<String>,
    /// Its figures.
    pub told: StatedFigures,
}

/// One job of a storage benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StorageJob {
    /// The line at which it stands, from 1.
    pub line: usize,
    /// The heading above it, which names its target.
    pub heading: Option<String>,
    /// Its figures, without target and source.
    pub told: ToldStorage,
}

/// A line that is not as the program writes it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct UnreadableLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}
