//! Logs made into a capture directory.

mod failure;
mod files;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::tz::TimeZone;

pub use failure::CaptureFailure;

use crate::assemble::{SessionAssembler, SessionFilter};
use crate::directory::{CaptureSource, CaptureSourceFile, CaptureSummary, CaptureWriter};
use crate::log::csvlog::read_csv_entry;
use crate::log::form::LogForm;
use crate::log::jsonlog::{read_json_entry, read_wrapped_text};
use crate::log::prefix::LinePrefix;
use crate::log::stderr::{LineGrouper, LineHeader, LineOutcome, LineStart};
use crate::log::syslog::{SyslogCalendar, split_header};
use crate::log::timestamp::ZoneReader;
use crate::log::{EntryProblem, LogEntry};
use crate::losses::{LossPlace, LossReason};
use crate::mask::ValueMask;
use crate::source::{RawRecord, RecordForm, RecordReader, open_log};
use files::{LogInput, look_at_file};

/// What is to be captured, and how.
#[derive(Debug, Clone, Default)]
pub struct LogOptions {
    /// The files, in any order.
    pub files: Vec<PathBuf>,
    /// Sessions of this database only.
    pub database: Option<String>,
    /// Sessions of this user only.
    pub user: Option<String>,
    /// `log_line_prefix` of a log that has one; else the usual ones are tried.
    pub line_prefix: Option<String>,
    /// `log_timezone`, where its abbreviation does not say it.
    pub zone: Option<TimeZone>,
}

/// Reads the logs, in the order of their times, and writes the capture directory.
pub fn capture_logs(options: &LogOptions, mask: ValueMask, directory: &Path) -> Result<CaptureSummary, CaptureFailure> {
    let zones = ZoneReader::with_zone(options.zone.clone());
    let mut inputs = Vec::new();
    for path in &options.files {
        inputs.push(look_at_file(path, options, &zones)?);
    }
    inputs.sort_by_key(|input| input.first_us);
    let summary = CaptureSummary::new_incomplete(list_sources(&inputs), mask.mask_mode());
    let writer = CaptureWriter::create_capture(directory, &summary)?;
    let filter = SessionFilter { database: options.database.clone(), user: options.user.clone() };
    let mut capture = LogCapture { zones, assembler: SessionAssembler::with_writer(writer, mask, filter), summary };
    for input in &inputs {
        capture.read_file(input)?;
    }
    Ok(capture.assembler.finish_log(&capture.summary)?)
}

/// One source for each form.
fn list_sources(inputs: &[LogInput]) -> Vec<CaptureSource> {
    let mut sources: Vec<CaptureSource> = Vec::new();
    for input in inputs {
        let file = CaptureSourceFile { name: input.name.to_string(), bytes: input.bytes };
        let kind = input.form.kind_name();
        match sources.iter_mut().find(|source| source.kind == kind) {
            Some(source) => source.files.push(file),
            None => sources.push(CaptureSource { kind: kind.to_owned(), files: vec![file] }),
        }
    }
    sources
}

struct LogCapture {
    zones: ZoneReader,
    assembler: SessionAssembler,
    summary: CaptureSummary,
}

type EntryReader = for<'a> fn(&'a [u8], &ZoneReader) -> Result<LogEntry<'a>, EntryProblem>;

impl LogCapture {
    fn read_file(&mut self, input: &LogInput) -> Result<(), CaptureFailure> {
        match &input.form {
            LogForm::Csv => self.read_records(input, RecordForm::Csv, read_csv_entry),
            LogForm::Json => self.read_records(input, RecordForm::Line, read_json_entry),
            LogForm::Stderr(prefix) => self.read_lines(input, prefix, None),
            LogForm::Syslog(prefix, calendar) => self.read_lines(input, prefix, Some(calendar.as_ref())),
            LogForm::Wrapped(prefix) => self.read_wrapped(input, prefix),
        }
    }

    /// A form whose records are messages.
    fn read_records(
        &mut self,
        input: &LogInput,
        form: RecordForm,
        read_entry: EntryReader,
    ) -> Result<(), CaptureFailure> {
        let mut records = open_records(input, form)?;
        let mut place = LossPlace { file: Rc::clone(&input.name), line: 0 };
        while let Some(RawRecord { bytes, line, is_torn }) = next_record(&mut records, input)? {
            if bytes.is_empty() {
                continue;
            }
            place.line = line;
            match read_entry(bytes, &self.zones) {
                // A last line of JSON without a newline is whole if it can be read.
                Ok(entry) if !is_torn || form == RecordForm::Line => self.take_entry(&entry, &place)?,
                Err(EntryProblem::UnknownZone(zone)) => return Err(unknown_zone(input, line, zone)),
                Ok(_) | Err(EntryProblem::Malformed) => {
                    let resume = start_of_next_message(bytes);
                    self.count_bad_line(is_torn && resume.is_none(), &place);
                    if let Some(offset) = resume {
                        records.resume_within(offset);
                    }
                }
            }
        }
        self.note_cut(records.is_cut(), &place);
        Ok(())
    }

    /// A form whose messages are lines: of stderr, or of syslog with its headers.
    fn read_lines(
        &mut self,
        input: &LogInput,
        prefix: &LinePrefix,
        syslog: Option<Option<&SyslogCalendar>>,
    ) -> Result<(), CaptureFailure> {
        let mut records = open_records(input, RecordForm::Line)?;
        let mut grouper = LineGrouper::with_prefix(prefix.clone());
        let mut place = LossPlace { file: Rc::clone(&input.name), line: 0 };
        while let Some(RawRecord { bytes, line, is_torn }) = next_record(&mut records, input)? {
            place.line = line;
            if bytes.is_empty() {
                continue;
            }
            let (header, text) = match syslog {
                None => (LineHeader::default(), bytes),
                Some(calendar) => match split_header(bytes, &self.zones, calendar) {
                    Some(split) => split,
                    None => {
                        self.count_bad_line(is_torn, &place);
                        continue;
                    }
                },
            };
            self.group_line(&mut grouper, text, header, &place, input)?;
        }
        self.note_cut(records.is_cut(), &place);
        self.take_last(&mut grouper)
    }

    /// Lines of stderr that a cloud has wrapped in JSON: each has a message, or one part of it.
    fn read_wrapped(&mut self, input: &LogInput, prefix: &LinePrefix) -> Result<(), CaptureFailure> {
        let mut records = open_records(input, RecordForm::Line)?;
        let mut grouper = LineGrouper::with_prefix(prefix.clone());
        let mut place = LossPlace { file: Rc::clone(&input.name), line: 0 };
        while let Some(RawRecord { bytes, line, is_torn }) = next_record(&mut records, input)? {
            if bytes.is_empty() {
                continue;
            }
            place.line = line;
            let Some(text) = read_wrapped_text(bytes) else {
                self.count_bad_line(is_torn, &place);
                continue;
            };
            for (number, text) in text.trim_end_matches('\n').split('\n').enumerate() {
                let text = text.as_bytes();
                // Lines after the first have lost their tab in some exports.
                let is_prefixed = number == 0 || prefix.read_line(text, &self.zones).is_some();
                let start =
                    if is_prefixed || text.starts_with(b"\t") { LineStart::Whole } else { LineStart::AfterNewline };
                self.group_line(&mut grouper, text, LineHeader { start, ..LineHeader::default() }, &place, input)?;
            }
        }
        self.note_cut(records.is_cut(), &place);
        self.take_last(&mut grouper)
    }

    fn group_line(
        &mut self,
        grouper: &mut LineGrouper,
        text: &[u8],
        header: LineHeader,
        place: &LossPlace,
        input: &LogInput,
    ) -> Result<(), CaptureFailure> {
        match grouper.take_line(text, header, place, &self.zones) {
            LineOutcome::Begun(Some(begun)) => self.take_entry(&begun.0, &begun.1)?,
            LineOutcome::Begun(None) | LineOutcome::Taken => {}
            LineOutcome::Problem(EntryProblem::Malformed) => self.count_bad_line(false, place),
            LineOutcome::Problem(EntryProblem::UnknownZone(zone)) => return Err(unknown_zone(input, place.line, zone)),
        }
        Ok(())
    }

    fn take_last(&mut self, grouper: &mut LineGrouper) -> Result<(), CaptureFailure> {
        match grouper.take_last() {
            Some((entry, begin)) => self.take_entry(&entry, &begin),
            None => Ok(()),
        }
    }

    fn take_entry(&mut self, entry: &LogEntry<'_>, place: &LossPlace) -> Result<(), CaptureFailure> {
        let is_first = !self.assembler.has_begun();
        self.assembler.take_entry(entry, place)?;
        if is_first {
            self.assembler.write_progress(&self.summary)?;
        }
        Ok(())
    }

    fn count_bad_line(&mut self, is_torn: bool, place: &LossPlace) {
        let reason = if is_torn { LossReason::TornLine } else { LossReason::LineMalformed };
        self.assembler.losses.add_one(reason, place);
    }

    fn note_cut(&mut self, is_cut: bool, place: &LossPlace) {
        if is_cut {
            self.assembler.losses.add_one(LossReason::FileCut, place);
        }
    }
}

type OpenRecords = RecordReader<Box<dyn std::io::Read>>;

fn open_records(input: &LogInput, form: RecordForm) -> Result<OpenRecords, CaptureFailure> {
    let stream = open_log(&input.path).map_err(|source| CaptureFailure::read_error(&input.path, source))?;
    Ok(RecordReader::with_form(stream, form))
}

fn next_record<'a>(records: &'a mut OpenRecords, input: &LogInput) -> Result<Option<RawRecord<'a>>, CaptureFailure> {
    records.read_record().map_err(|source| CaptureFailure::read_error(&input.path, source))
}

fn unknown_zone(input: &LogInput, line: u64, zone: String) -> CaptureFailure {
    CaptureFailure::UnknownZone { path: input.path.clone(), line, zone }
}

/// Where in a record that is none the next message may begin: after a newline, with a date.
fn start_of_next_message(bytes: &[u8]) -> Option<usize> {
    for newline in memchr::memchr_iter(b'\n', bytes) {
        let rest = &bytes[newline + 1..];
        let is_date = rest.len() > 20
            && rest[4] == b'-'
            && rest[7] == b'-'
            && rest[13] == b':'
            && rest[..4].iter().all(u8::is_ascii_digit);
        if is_date {
            return Some(newline + 1);
        }
    }
    None
}
