//! The reader of a capture directory.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{
    CAPTURE_FORMAT, CAPTURE_VERSION, CaptureError, CaptureResult, CaptureSummary, CapturedStatement, EventStream,
    STATEMENTS_FILE, SUMMARY_FILE,
};

/// An open capture directory: its summary and its statements are in memory, its events are read as they are asked for.
#[derive(Debug)]
pub struct CaptureReader {
    path: PathBuf,
    summary: CaptureSummary,
    statements: Vec<CapturedStatement>,
    statements_torn: bool,
}

/// What every version of the format has.
#[derive(Deserialize)]
struct FormatLine {
    format: String,
    version: u32,
}

impl CaptureReader {
    /// Reads summary and statements. A version of the format that this pgdyno does not know is refused.
    pub fn open_capture(path: &Path) -> CaptureResult<Self> {
        let summary = read_summary(path)?;
        let (statements, statements_torn) = read_statements(&path.join(STATEMENTS_FILE), summary.complete)?;
        Ok(Self { path: path.to_owned(), summary, statements, statements_torn })
    }

    /// The directory.
    #[must_use]
    pub fn directory_path(&self) -> &Path {
        &self.path
    }

    /// `capture.json`.
    #[must_use]
    pub fn summary(&self) -> &CaptureSummary {
        &self.summary
    }

    /// The statements: the place is the id.
    #[must_use]
    pub fn statements(&self) -> &[CapturedStatement] {
        &self.statements
    }

    /// The statement with this id.
    #[must_use]
    pub fn statement_by_id(&self, id: u64) -> Option<&CapturedStatement> {
        self.statements.get(usize::try_from(id).ok()?)
    }

    /// Whether the last line of the statements was torn, which happens only to a capture that was killed.
    #[must_use]
    pub fn are_statements_torn(&self) -> bool {
        self.statements_torn
    }

    /// The events from the first on, in constant memory.
    #[must_use]
    pub fn event_stream(&self) -> EventStream {
        EventStream::open_directory(&self.path, self.summary.complete, self.statements.len() as u64)
    }
}

fn read_summary(directory: &Path) -> CaptureResult<CaptureSummary> {
    let path = directory.join(SUMMARY_FILE);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(source) if matches!(source.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Err(CaptureError::NotACapture { path: directory.to_owned() });
        }
        Err(source) => return Err(CaptureError::io_error("read", &path, source)),
    };
    let expected = "the summary of a capture";
    let line: FormatLine = serde_json::from_slice(&bytes)
        .map_err(|error| CaptureError::malformed_file(&path, expected, error.to_string()))?;
    if line.format != CAPTURE_FORMAT {
        let detail = format!("its format is \"{}\", not \"{CAPTURE_FORMAT}\"", line.format);
        return Err(CaptureError::malformed_file(&path, expected, detail));
    }
    if line.version != CAPTURE_VERSION {
        return Err(CaptureError::UnknownVersion { path, found: line.version, known: CAPTURE_VERSION });
    }
    serde_json::from_slice(&bytes).map_err(|error| CaptureError::malformed_file(&path, expected, error.to_string()))
}

/// The statements, and whether the last line was torn. Only a capture that was not complete may have such a line.
fn read_statements(path: &Path, is_complete: bool) -> CaptureResult<(Vec<CapturedStatement>, bool)> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(source) if source.kind() == std::io::ErrorKind::NotFound && !is_complete => return Ok((Vec::new(), true)),
        Err(source) => return Err(CaptureError::io_error("open", path, source)),
    };
    let mut input = BufReader::new(file);
    let mut statements: Vec<CapturedStatement> = Vec::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        let length =
            input.read_until(b'\n', &mut line).map_err(|source| CaptureError::io_error("read", path, source))?;
        if length == 0 {
            return Ok((statements, false));
        }
        if line.last() != Some(&b'\n') && !is_complete {
            return Ok((statements, true));
        }
        let number = statements.len() + 1;
        let statement: CapturedStatement = serde_json::from_slice(&line).map_err(|error| {
            CaptureError::malformed_file(path, "statements of a capture", format!("line {number}: {error}"))
        })?;
        if statement.id != statements.len() as u64 {
            let detail = format!("line {number}: id {} instead of {}", statement.id, statements.len());
            return Err(CaptureError::malformed_file(path, "statements of a capture", detail));
        }
        statements.push(statement);
    }
}
