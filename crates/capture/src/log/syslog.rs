//! syslog: a header with a time and a process before what PostgreSQL wrote, and long messages in several lines, which
//! `[n-m]` counts.

use jiff::civil;
use jiff::tz::TimeZone;

use super::stderr::{LineHeader, LineStart};
use super::timestamp::ZoneReader;

const MONTHS: &[&str] = &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What a header of the old form lacks.
#[derive(Debug, Clone)]
pub(crate) struct SyslogCalendar {
    /// The time zone of its times.
    pub(crate) zone: TimeZone,
    /// The day of the last line: a month after it is of the year before.
    pub(crate) last: civil::Date,
}

/// The header of a line, and what PostgreSQL wrote.
pub(crate) fn split_header<'a>(
    line: &'a [u8],
    zones: &ZoneReader,
    calendar: Option<&SyslogCalendar>,
) -> Option<(LineHeader, &'a [u8])> {
    // `ident[pid]: ` stands before the message, within the first words.
    let marker = memchr::memmem::find(&line[..line.len().min(300)], b"]: ")?;
    let open = line[..marker].iter().rposition(|byte| *byte == b'[')?;
    let pid: u32 = std::str::from_utf8(&line[open + 1..marker]).ok()?.parse().ok()?;
    let rest = &line[marker + 3..];
    let at_us = header_instant(line, zones, calendar);
    let (is_first, rest) = split_sequence(rest);
    // A newline of a message is followed by a tab, which rsyslog writes as #011.
    if let Some(text) = rest.strip_prefix(b"#011").or_else(|| rest.strip_prefix(b"\t")) {
        return Some((LineHeader { at_us, pid: Some(pid), start: LineStart::AfterNewline }, text));
    }
    let start = if is_first { LineStart::Whole } else { LineStart::MaybeSplit };
    Some((LineHeader { at_us, pid: Some(pid), start }, rest))
}

/// `[5-1] `: whether it is the first chunk of its message, and what follows.
fn split_sequence(rest: &[u8]) -> (bool, &[u8]) {
    let Some(inner) = rest.strip_prefix(b"[") else { return (true, rest) };
    let Some(close) = memchr::memchr(b']', &inner[..inner.len().min(24)]) else { return (true, rest) };
    let Some(dash) = memchr::memchr(b'-', &inner[..close]) else { return (true, rest) };
    let is_number = inner[..dash].iter().chain(&inner[dash + 1..close]).all(u8::is_ascii_digit);
    if !is_number {
        return (true, rest);
    }
    let after = &inner[close + 1..];
    (&inner[dash + 1..close] == b"1", after.strip_prefix(b" ").unwrap_or(after))
}

fn header_instant(line: &[u8], zones: &ZoneReader, calendar: Option<&SyslogCalendar>) -> Option<i64> {
    let mut begin = line;
    if begin.starts_with(b"<") {
        begin = &begin[memchr::memchr(b'>', &begin[..begin.len().min(8)])? + 1..];
        begin = begin.strip_prefix(b"1 ").unwrap_or(begin);
    }
    let end = memchr::memchr(b' ', begin)?;
    if let Ok(at_us) = zones.parse_instant(&begin[..end]) {
        return Some(at_us);
    }
    old_form_instant(begin, calendar?)
}

/// `Nov 29 12:00:00`.
fn old_form_instant(begin: &[u8], calendar: &SyslogCalendar) -> Option<i64> {
    let text = std::str::from_utf8(begin.get(..15)?).ok()?;
    let month = i8::try_from(MONTHS.iter().position(|name| text.starts_with(name))? + 1).ok()?;
    let day: i8 = text[4..6].trim().parse().ok()?;
    let time: civil::Time = text[7..15].parse().ok()?;
    let is_of_year_before = (month, day) > (calendar.last.month(), calendar.last.day());
    let year = calendar.last.year() - i16::from(is_of_year_before);
    let date = civil::Date::new(year, month, day).ok()?;
    let zoned = date.to_datetime(time).to_zoned(calendar.zone.clone()).ok()?;
    Some(zoned.timestamp().as_microsecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_old_and_new_form_are_split_off() {
        let zones = ZoneReader::default();
        let new = b"2026-11-29T12:00:00.5+00:00 host postgres[42]: [5-1] LOG:  x";
        let (header, rest) = split_header(new, &zones, None).unwrap();
        assert_eq!((header.pid, header.start, rest), (Some(42), LineStart::Whole, &b"LOG:  x"[..]));
        assert_eq!(header.at_us, Some(1_795_953_600_500_000));
        let last = civil::date(2027, 1, 3);
        let calendar = SyslogCalendar { zone: TimeZone::UTC, last };
        let old = b"<134>Nov 29 12:00:00 host postgres[42]: [5-2] #011FROM t";
        let (header, rest) = split_header(old, &zones, Some(&calendar)).unwrap();
        assert_eq!((header.start, rest), (LineStart::AfterNewline, &b"FROM t"[..]));
        assert_eq!(header.at_us, Some(1_795_953_600_000_000));
        let split = split_header(b"Nov  9 12:00:00 h postgres[42]: [5-3]  x", &zones, Some(&calendar)).unwrap();
        assert_eq!((split.0.start, split.1), (LineStart::MaybeSplit, &b" x"[..]));
        assert!(split_header(b"Nov  9 12:00:00 h cron: x", &zones, Some(&calendar)).is_none());
    }
}
