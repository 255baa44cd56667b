//! `csvlog`: 23 columns before PostgreSQL 13, 24 in 13, 26 since 14. A record may span lines, within quotes.

use std::borrow::Cow;

use super::timestamp::ZoneReader;
use super::{EntryProblem, LogEntry, LogLevel, LogSessionId};

/// Columns that every version has.
const COLUMNS_AT_LEAST: usize = 23;
const COLUMNS_AT_MOST: usize = 40;

/// Reads one record.
pub(crate) fn read_csv_entry<'a>(record: &'a [u8], zones: &ZoneReader) -> Result<LogEntry<'a>, EntryProblem> {
    let mut fields: [&[u8]; COLUMNS_AT_MOST] = [b""; COLUMNS_AT_MOST];
    let count = split_fields(record, &mut fields).ok_or(EntryProblem::Malformed)?;
    if count < COLUMNS_AT_LEAST {
        return Err(EntryProblem::Malformed);
    }
    let at_us = zones.parse_instant(fields[0])?;
    let session = LogSessionId::parse_hex(fields[5]).ok_or(EntryProblem::Malformed)?;
    Ok(LogEntry {
        at_us,
        session,
        session_line: std::str::from_utf8(fields[6]).ok().and_then(|text| text.parse().ok()),
        last_line: None,
        level: LogLevel::parse_word(fields[11]),
        user: unquote_field(fields[1]),
        database: unquote_field(fields[2]),
        application: unquote_field(fields[22]),
        transaction: Cow::Borrowed(fields[9]),
        sqlstate: Cow::Borrowed(fields[12]),
        message: unquote_field(fields[13]),
        detail: unquote_field(fields[14]),
        context: unquote_field(fields[18]),
        query: unquote_field(fields[19]),
    })
}

/// The fields of a record, quotes included; `None` where a quote does not end or there are too many fields.
fn split_fields<'a>(record: &'a [u8], fields: &mut [&'a [u8]; COLUMNS_AT_MOST]) -> Option<usize> {
    let mut count = 0;
    let mut at = 0;
    loop {
        if count == COLUMNS_AT_MOST {
            return None;
        }
        let start = at;
        if record.get(at) == Some(&b'"') {
            at = end_of_quoted(record, at)?;
            if at < record.len() && record[at] != b',' {
                return None;
            }
        } else {
            at += memchr::memchr(b',', &record[at..]).unwrap_or(record.len() - at);
        }
        fields[count] = &record[start..at];
        count += 1;
        if at >= record.len() {
            return Some(count);
        }
        at += 1;
    }
}

/// Where the field that begins with a quote at this place ends.
fn end_of_quoted(record: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr(b'"', &record[at..])?;
        if record.get(at + 1) != Some(&b'"') {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// A field without its quotes.
fn unquote_field(field: &[u8]) -> Cow<'_, [u8]> {
    let [b'"', inner @ .., b'"'] = field else { return Cow::Borrowed(field) };
    if memchr::memchr(b'"', inner).is_none() {
        return Cow::Borrowed(inner);
    }
    let mut text = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(quote) = memchr::memchr(b'"', rest) {
        text.extend_from_slice(&rest[..=quote]);
        rest = rest.get(quote + 2..).unwrap_or_default();
    }
    text.extend_from_slice(rest);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = concat!(
        "2026-11-29 12:00:00.123 UTC,\"bob\",\"shop\",4242,\"127.0.0.1:5000\",692ae2a0.1092,3,\"SELECT\",",
        "2026-11-29 11:59:00 UTC,4/17,0,LOG,00000,\"duration: 0.1 ms  statement: SELECT \"\"a\"\",\n'x'\",\"d\",,,,\"c\",",
        "\"q\",,,\"app\",\"client backend\",,0"
    );

    #[test]
    fn a_record_with_quotes_commas_and_newlines_is_read() {
        let zones = ZoneReader::default();
        let entry = read_csv_entry(RECORD.as_bytes(), &zones).unwrap();
        assert_eq!(entry.session, LogSessionId { start_s: 0x692a_e2a0, pid: 0x1092 });
        assert_eq!((entry.session_line, entry.level), (Some(3), LogLevel::Log));
        assert_eq!(entry.message, b"duration: 0.1 ms  statement: SELECT \"a\",\n'x'".as_slice());
        assert_eq!((&*entry.user, &*entry.database, &*entry.application), (&b"bob"[..], &b"shop"[..], &b"app"[..]));
        assert_eq!((&*entry.detail, &*entry.context, &*entry.query), (&b"d"[..], &b"c"[..], &b"q"[..]));
        assert_eq!(&*entry.transaction, b"4/17");
    }

    #[test]
    fn columns_of_older_versions_suffice_and_torn_records_do_not() {
        let zones = ZoneReader::default();
        let of_12 = RECORD.strip_suffix(",\"client backend\",,0").unwrap();
        assert_eq!(&*read_csv_entry(of_12.as_bytes(), &zones).unwrap().application, b"app");
        for cut in 0..of_12.len() - 5 {
            if let Ok(entry) = read_csv_entry(&of_12.as_bytes()[..cut], &zones) {
                panic!("{cut}: {entry:?}");
            }
        }
    }
}
