//! The events of a capture as a stream, in constant memory. The end of a capture that was killed may be torn: it ends
//! there, and the stream says so.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::{CaptureError, CaptureResult, CapturedEvent, EVENTS_DIRECTORY, EventAction, event_file_name};

const EXPECTED: &str = "events of a capture";

/// Where the events of a capture break off before their end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TornEnd {
    /// The file.
    pub file: PathBuf,
    /// The line that is not whole, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub detail: String,
}

/// The events of a capture in their order. After an error it ends.
pub struct EventStream {
    directory: PathBuf,
    is_complete: bool,
    statement_count: u64,
    open: Option<OpenFile>,
    next_file: u64,
    has_ended: bool,
    torn: Option<TornEnd>,
}

struct OpenFile {
    path: PathBuf,
    input: BufReader<zstd::stream::read::Decoder<'static, BufReader<File>>>,
    line: Vec<u8>,
    line_number: u64,
}

enum EventLineOutcome {
    Event(CapturedEvent),
    EndOfFile,
    Torn(String),
}

impl EventStream {
    pub(super) fn open_directory(directory: &Path, is_complete: bool, statement_count: u64) -> Self {
        Self {
            directory: directory.join(EVENTS_DIRECTORY),
            is_complete,
            statement_count,
            open: None,
            next_file: 0,
            has_ended: false,
            torn: None,
        }
    }

    /// Where the events break off; known once the stream has ended. `None` for a capture whose end is there.
    #[must_use]
    pub fn torn_end(&self) -> Option<&TornEnd> {
        self.torn.as_ref()
    }

    /// The next event, or none at the end.
    fn read_event(&mut self) -> CaptureResult<Option<CapturedEvent>> {
        loop {
            let Some(open) = &mut self.open else {
                match self.open_next()? {
                    Some(file) => self.open = Some(file),
                    None => return Ok(None),
                }
                continue;
            };
            match open.read_line(self.statement_count, self.is_complete)? {
                EventLineOutcome::Event(event) => return Ok(Some(event)),
                EventLineOutcome::EndOfFile => self.open = None,
                EventLineOutcome::Torn(detail) => {
                    self.torn = Some(TornEnd { file: open.path.clone(), line: open.line_number, detail });
                    return Ok(None);
                }
            }
        }
    }

    fn open_next(&mut self) -> CaptureResult<Option<OpenFile>> {
        let path = self.directory.join(event_file_name(self.next_file));
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(CaptureError::io_error("open", &path, source)),
        };
        self.next_file += 1;
        let decoder = zstd::stream::read::Decoder::new(file)
            .map_err(|source| CaptureError::io_error("decompress", &path, source))?;
        Ok(Some(OpenFile { path, input: BufReader::with_capacity(1 << 16, decoder), line: Vec::new(), line_number: 0 }))
    }
}

impl Iterator for EventStream {
    type Item = CaptureResult<CapturedEvent>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let outcome = self.read_event().transpose();
        self.has_ended = !matches!(outcome, Some(Ok(_)));
        outcome
    }
}

impl OpenFile {
    fn read_line(&mut self, statement_count: u64, is_complete: bool) -> CaptureResult<EventLineOutcome> {
        self.line.clear();
        self.line_number += 1;
        let read = self.input.read_until(b'\n', &mut self.line);
        let problem = match read {
            Ok(0) => return Ok(EventLineOutcome::EndOfFile),
            Ok(_) if self.line.last() == Some(&b'\n') => match self.parse_line(statement_count) {
                Ok(event) => return Ok(EventLineOutcome::Event(event)),
                Err(detail) => return Err(self.malformed_line(&detail)),
            },
            Ok(_) => "the line has no end".to_owned(),
            // Not a truncated stream but a system that cannot read, or bytes that no writer wrote.
            Err(source) if source.kind() != std::io::ErrorKind::UnexpectedEof => {
                return Err(CaptureError::io_error("decompress", &self.path, source));
            }
            Err(source) => source.to_string(),
        };
        if is_complete {
            return Err(self.malformed_line(&problem));
        }
        Ok(EventLineOutcome::Torn(problem))
    }

    fn parse_line(&self, statement_count: u64) -> Result<CapturedEvent, String> {
        let event: CapturedEvent = serde_json::from_slice(&self.line).map_err(|error| error.to_string())?;
        if let EventAction::Execute(execution) = &event.action
            && execution.statement >= statement_count
        {
            return Err(format!("no statement has the id {}", execution.statement));
        }
        Ok(event)
    }

    fn malformed_line(&self, detail: &str) -> CaptureError {
        CaptureError::malformed_file(&self.path, EXPECTED, format!("line {}: {detail}", self.line_number))
    }
}
