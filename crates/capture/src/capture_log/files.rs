//! The first look at a file of a log: its form, and its first time, by which files are put in order.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::Timestamp;

use super::{CaptureFailure, LogOptions};
use crate::log::form::{FormProblem, FormSample, LogForm, find_form};
use crate::log::syslog::SyslogCalendar;
use crate::log::timestamp::ZoneReader;
use crate::source::{RecordForm, RecordReader, open_log};

/// Lines in which a form is looked for.
const LINES: usize = 300;

/// A file of a log.
pub(super) struct LogInput {
    pub(super) path: PathBuf,
    pub(super) name: Rc<str>,
    pub(super) form: LogForm,
    /// The time of its first message.
    pub(super) first_us: i64,
    pub(super) bytes: u64,
}

/// Looks at a file.
pub(super) fn look_at_file(path: &Path, options: &LogOptions, zones: &ZoneReader) -> Result<LogInput, CaptureFailure> {
    let metadata = std::fs::metadata(path).map_err(|source| CaptureFailure::read_error(path, source))?;
    if metadata.is_dir() {
        return Err(CaptureFailure::read_error(path, std::io::ErrorKind::IsADirectory.into()));
    }
    let lines = first_records(path, RecordForm::Line)?;
    let records = first_records(path, RecordForm::Csv)?;
    // Times of syslog have no year: the last line is about as old as the file.
    let changed = metadata.modified().ok().and_then(|instant| Timestamp::try_from(instant).ok());
    let calendar = match (&options.zone, changed) {
        (Some(zone), Some(changed)) => {
            Some(SyslogCalendar { zone: zone.clone(), last: changed.to_zoned(zone.clone()).date() })
        }
        _ => None,
    };
    let sample = FormSample { lines: &lines, records: &records, prefix: options.line_prefix.as_deref(), calendar };
    let (form, first_us) = find_form(&sample, zones).map_err(|problem| form_failure(path, options, problem))?;
    if let Some(prefix) = form.line_prefix() {
        for (wanted, field, name) in [(&options.database, b"d", "database"), (&options.user, b"u", "user")] {
            if wanted.is_some() && !prefix.has_any_field(field) {
                let prefix = prefix.as_text().to_owned();
                return Err(CaptureFailure::PrefixWithoutName { path: path.to_owned(), prefix, name });
            }
        }
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    Ok(LogInput { path: path.to_owned(), name: name.into(), form, first_us, bytes: metadata.len() })
}

fn first_records(path: &Path, form: RecordForm) -> Result<Vec<Vec<u8>>, CaptureFailure> {
    let input = open_log(path).map_err(|source| CaptureFailure::read_error(path, source))?;
    // A file that is no CSV can be one record: what is beyond this is not looked at.
    let mut reader = RecordReader::with_form(std::io::Read::take(input, 4 << 20), form);
    let mut records = Vec::new();
    while records.len() < LINES {
        let record = reader.read_record().map_err(|source| CaptureFailure::read_error(path, source))?;
        let Some(record) = record else { break };
        if !record.bytes.is_empty() {
            records.push(record.bytes.to_vec());
        }
    }
    Ok(records)
}

fn form_failure(path: &Path, options: &LogOptions, problem: FormProblem) -> CaptureFailure {
    let path = path.to_owned();
    match problem {
        FormProblem::NoLog => CaptureFailure::NoLog { path },
        FormProblem::OtherPrefix => {
            CaptureFailure::OtherPrefix { path, prefix: options.line_prefix.clone().unwrap_or_default() }
        }
        FormProblem::PrefixWithoutSession(prefix) => CaptureFailure::PrefixWithoutSession { path, prefix },
        FormProblem::SyslogWithoutZone => CaptureFailure::SyslogWithoutZone { path },
        FormProblem::UnknownZone(zone) => CaptureFailure::UnknownZone { path, line: 0, zone },
    }
}
