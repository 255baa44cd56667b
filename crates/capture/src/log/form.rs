//! Which form a file of a log has, found by its first lines.

use super::csvlog::read_csv_entry;
use super::jsonlog::{read_json_entry, read_wrapped_text};
use super::prefix::{LinePrefix, USUAL_PREFIXES};
use super::syslog::{SyslogCalendar, split_header};
use super::timestamp::ZoneReader;
use super::{EntryProblem, LogEntry};

/// The form of a log.
#[derive(Debug, Clone)]
pub(crate) enum LogForm {
    Csv,
    Json,
    /// Texts of stderr within lines of JSON.
    Wrapped(LinePrefix),
    Stderr(LinePrefix),
    Syslog(LinePrefix, Option<SyslogCalendar>),
}

impl LogForm {
    /// Its name in `capture.json`.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self {
            Self::Csv => "csvlog",
            Self::Json => "jsonlog",
            Self::Wrapped(_) => "stderr in JSON",
            Self::Stderr(_) => "stderr",
            Self::Syslog(..) => "syslog",
        }
    }

    /// The setting that its lines were read by.
    pub(crate) fn line_prefix(&self) -> Option<&LinePrefix> {
        match self {
            Self::Csv | Self::Json => None,
            Self::Wrapped(prefix) | Self::Stderr(prefix) | Self::Syslog(prefix, _) => Some(prefix),
        }
    }
}

/// Why the form of a file is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FormProblem {
    /// Nothing in it looks like a message of a server.
    NoLog,
    /// No line has the prefix that was given.
    OtherPrefix,
    /// The prefix does not say which session wrote a line, or when.
    PrefixWithoutSession(String),
    /// The times of syslog have no time zone.
    SyslogWithoutZone,
    /// The time zone of a line is not known.
    UnknownZone(String),
}

/// What the form is looked for in.
pub(crate) struct FormSample<'a> {
    /// The first lines.
    pub(crate) lines: &'a [Vec<u8>],
    /// The first records, if it is CSV.
    pub(crate) records: &'a [Vec<u8>],
    /// `log_line_prefix`, where it was given.
    pub(crate) prefix: Option<&'a str>,
    /// The calendar of syslog, where a time zone was given.
    pub(crate) calendar: Option<SyslogCalendar>,
}

/// Finds the form, and the time of the first message.
pub(crate) fn find_form(sample: &FormSample<'_>, zones: &ZoneReader) -> Result<(LogForm, i64), FormProblem> {
    if let Some(at_us) = first_instant(sample.records, zones, read_csv_entry)? {
        return Ok((LogForm::Csv, at_us));
    }
    if let Some(at_us) = first_instant(sample.lines, zones, read_json_entry)? {
        return Ok((LogForm::Json, at_us));
    }
    let mut wrapped = Vec::new();
    let mut headed = Vec::new();
    let mut has_old_times = false;
    for line in sample.lines {
        if line.starts_with(b"{") {
            if let Some(text) = read_wrapped_text(line) {
                wrapped.push((text.into_bytes(), None));
            }
        } else if let Some((header, rest)) = split_header(line, zones, sample.calendar.as_ref()) {
            has_old_times |= header.at_us.is_none();
            headed.push((rest.to_vec(), header.at_us));
        }
    }
    if !wrapped.is_empty() {
        let (prefix, at_us) = find_prefix(&wrapped, sample.prefix, false, zones)?;
        return Ok((LogForm::Wrapped(prefix), at_us));
    }
    let mut plain = Vec::new();
    for line in sample.lines {
        plain.push((line.clone(), None));
    }
    let found = find_prefix(&plain, sample.prefix, false, zones);
    if headed.len() * 2 > sample.lines.len() && !matches!(found, Ok(_) | Err(FormProblem::UnknownZone(_))) {
        return match find_prefix(&headed, sample.prefix, true, zones) {
            Ok((prefix, at_us)) => Ok((LogForm::Syslog(prefix, sample.calendar.clone()), at_us)),
            Err(FormProblem::PrefixWithoutSession(_)) if has_old_times => Err(FormProblem::SyslogWithoutZone),
            Err(problem) => Err(problem),
        };
    }
    let (prefix, at_us) = found?;
    Ok((LogForm::Stderr(prefix), at_us))
}

fn first_instant(
    records: &[Vec<u8>],
    zones: &ZoneReader,
    read_entry: for<'a> fn(&'a [u8], &ZoneReader) -> Result<LogEntry<'a>, EntryProblem>,
) -> Result<Option<i64>, FormProblem> {
    for record in records {
        match read_entry(record, zones) {
            Ok(entry) => return Ok(Some(entry.at_us)),
            Err(EntryProblem::UnknownZone(zone)) => return Err(FormProblem::UnknownZone(zone)),
            Err(EntryProblem::Malformed) => {}
        }
    }
    Ok(None)
}

/// The prefix that most lines have; among those the one of which the lines have most fields. Of two that are equal in
/// that, the one that is listed first, which is the shorter one.
fn find_prefix(
    lines: &[(Vec<u8>, Option<i64>)],
    given: Option<&str>,
    has_header: bool,
    zones: &ZoneReader,
) -> Result<(LinePrefix, i64), FormProblem> {
    let mut best: Option<(usize, usize, LinePrefix, Option<i64>)> = None;
    let candidates = match given {
        Some(given) => vec![given],
        None => [USUAL_PREFIXES, &["", "%q%u@%d ", "%m ", "%t ", "%u@%d ", "%t %u@%d ", "%m %u %d "]].concat(),
    };
    for setting in candidates {
        let prefix = LinePrefix::parse_setting(setting);
        let mut count = 0;
        let mut fields = 0;
        let mut first_us = None;
        for (line, header_us) in lines {
            match prefix.read_line(line, zones) {
                Some(Ok((values, _))) => {
                    count += 1;
                    fields += values.found;
                    first_us = first_us.or(values.at_us).or(*header_us);
                }
                Some(Err(EntryProblem::UnknownZone(zone))) => return Err(FormProblem::UnknownZone(zone)),
                Some(Err(EntryProblem::Malformed)) | None => {}
            }
        }
        if count > 0 && best.as_ref().is_none_or(|best| (best.0, best.1) < (count, fields)) {
            best = Some((count, fields, prefix, first_us));
        }
    }
    let Some((_, _, prefix, first_us)) = best else {
        return Err(if given.is_some() { FormProblem::OtherPrefix } else { FormProblem::NoLog });
    };
    let has_session = has_header || prefix.has_any_field(b"cp");
    match first_us {
        Some(at_us) if has_session => Ok((prefix, at_us)),
        _ => Err(FormProblem::PrefixWithoutSession(prefix.as_text().to_owned())),
    }
}
