//! The writer of a capture directory. What it has flushed is readable whatever becomes of the process.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::event::EventLine;
use super::{
    CaptureError, CaptureResult, CaptureSummary, CapturedEvent, CapturedStatement, EVENTS_DIRECTORY, STATEMENTS_FILE,
    SUMMARY_FILE, event_file_name,
};

/// Bytes of lines after which a file of events ends and the next begins.
const FILE_BYTES: usize = 256 << 20;
/// Bytes of lines after which what was written can be read.
const FLUSH_BYTES: usize = 1 << 20;
/// Fast, and within a few percent of the default's size on lines like these.
const LEVEL: i32 = 1;

/// Writes one capture directory.
pub struct CaptureWriter {
    path: PathBuf,
    statements: BufWriter<File>,
    statement_count: u64,
    events: Option<EventFile>,
    file_count: u64,
    event_count: u64,
    line: Vec<u8>,
}

struct EventFile {
    path: PathBuf,
    encoder: zstd::stream::write::Encoder<'static, File>,
    bytes: usize,
    unflushed: usize,
}

impl CaptureWriter {
    /// Makes the directory if need be and writes a first `capture.json`, which says that it is not complete. A
    /// directory that has files is refused.
    pub fn create_capture(path: &Path, summary: &CaptureSummary) -> CaptureResult<Self> {
        let events = path.join(EVENTS_DIRECTORY);
        if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(CaptureError::NotEmpty { path: path.to_owned() });
        }
        fs::create_dir_all(&events).map_err(|source| CaptureError::io_error("create", &events, source))?;
        write_summary(path, &CaptureSummary { complete: false, ..summary.clone() })?;
        let statements_path = path.join(STATEMENTS_FILE);
        let statements = File::create_new(&statements_path)
            .map_err(|source| CaptureError::io_error("create", &statements_path, source))?;
        Ok(Self {
            path: path.to_owned(),
            statements: BufWriter::new(statements),
            statement_count: 0,
            events: None,
            file_count: 0,
            event_count: 0,
            line: Vec::new(),
        })
    }

    /// The directory.
    #[must_use]
    pub fn directory_path(&self) -> &Path {
        &self.path
    }

    /// Statements written.
    #[must_use]
    pub fn statement_count(&self) -> u64 {
        self.statement_count
    }

    /// Events written.
    #[must_use]
    pub fn event_count(&self) -> u64 {
        self.event_count
    }

    /// Writes `capture.json` anew while the capture goes on, still incomplete.
    pub fn write_progress(&mut self, summary: &CaptureSummary) -> CaptureResult<()> {
        write_summary(&self.path, &CaptureSummary { complete: false, ..summary.clone() })
    }

    /// Appends a statement, gives it the next id, and returns that. It must be written before the first event with it.
    pub fn write_statement(&mut self, mut statement: CapturedStatement) -> CaptureResult<u64> {
        statement.id = self.statement_count;
        self.line.clear();
        write_line(&mut self.line, &statement, &self.path.join(STATEMENTS_FILE))?;
        if let Err(source) = self.statements.write_all(&self.line) {
            return Err(CaptureError::io_error("write", &self.path.join(STATEMENTS_FILE), source));
        }
        self.statement_count += 1;
        Ok(statement.id)
    }

    /// Appends an event.
    pub fn write_event(&mut self, event: CapturedEvent) -> CaptureResult<()> {
        let mut file = match self.events.take() {
            Some(file) if file.bytes < FILE_BYTES => file,
            Some(file) => {
                self.end_file(file)?;
                self.begin_file()?
            }
            None => self.begin_file()?,
        };
        self.line.clear();
        write_line(&mut self.line, &EventLine::from(event), &file.path)?;
        file.append_bytes(&self.line)?;
        self.event_count += 1;
        if file.unflushed >= FLUSH_BYTES {
            self.flush_statements()?;
            file.flush_bytes()?;
        }
        self.events = Some(file);
        Ok(())
    }

    /// Makes everything that was written readable.
    pub fn flush_all(&mut self) -> CaptureResult<()> {
        self.flush_statements()?;
        match &mut self.events {
            Some(file) => file.flush_bytes(),
            None => Ok(()),
        }
    }

    /// Ends the files and puts the complete `capture.json` in its place. Its counts of events and statements are the
    /// writer's.
    pub fn finish_capture(mut self, summary: &CaptureSummary) -> CaptureResult<CaptureSummary> {
        self.flush_statements()?;
        if let Some(file) = self.events.take() {
            self.end_file(file)?;
        }
        let summary = CaptureSummary {
            events: self.event_count,
            statements: self.statement_count,
            complete: true,
            ..summary.clone()
        };
        write_summary(&self.path, &summary)?;
        Ok(summary)
    }

    fn begin_file(&mut self) -> CaptureResult<EventFile> {
        let path = self.path.join(EVENTS_DIRECTORY).join(event_file_name(self.file_count));
        let file = File::create_new(&path).map_err(|source| CaptureError::io_error("create", &path, source))?;
        let encoder = zstd::stream::write::Encoder::new(file, LEVEL)
            .map_err(|source| CaptureError::io_error("compress into", &path, source))?;
        self.file_count += 1;
        Ok(EventFile { path, encoder, bytes: 0, unflushed: 0 })
    }

    fn end_file(&mut self, file: EventFile) -> CaptureResult<()> {
        self.flush_statements()?;
        let EventFile { path, encoder, .. } = file;
        encoder.finish().map_err(|source| CaptureError::io_error("write", &path, source))?;
        Ok(())
    }

    fn flush_statements(&mut self) -> CaptureResult<()> {
        let flushed = self.statements.flush();
        flushed.map_err(|source| CaptureError::io_error("write", &self.path.join(STATEMENTS_FILE), source))
    }
}

impl EventFile {
    fn append_bytes(&mut self, bytes: &[u8]) -> CaptureResult<()> {
        self.bytes += bytes.len();
        self.unflushed += bytes.len();
        self.encoder.write_all(bytes).map_err(|source| CaptureError::io_error("write", &self.path, source))
    }

    fn flush_bytes(&mut self) -> CaptureResult<()> {
        self.unflushed = 0;
        self.encoder.flush().map_err(|source| CaptureError::io_error("write", &self.path, source))
    }
}

/// Appends the value as one line of JSON.
fn write_line<T: serde::Serialize>(line: &mut Vec<u8>, value: &T, path: &Path) -> CaptureResult<()> {
    if let Err(error) = serde_json::to_writer(&mut *line, value) {
        return Err(CaptureError::io_error("write", path, error.into()));
    }
    line.push(b'\n');
    Ok(())
}

/// Replaces `capture.json` by a rename.
fn write_summary(directory: &Path, summary: &CaptureSummary) -> CaptureResult<()> {
    let path = directory.join(SUMMARY_FILE);
    let new_path = directory.join("capture.json.new");
    let mut bytes = match serde_json::to_vec_pretty(summary) {
        Ok(bytes) => bytes,
        Err(error) => return Err(CaptureError::io_error("write", &path, error.into())),
    };
    bytes.push(b'\n');
    fs::write(&new_path, bytes).map_err(|source| CaptureError::io_error("write", &new_path, source))?;
    fs::rename(&new_path, &path).map_err(|source| CaptureError::io_error("rename", &new_path, source))
}
