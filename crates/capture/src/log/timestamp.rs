//! Instants as servers write them: a civil time and the abbreviation of a time zone.

use std::cell::RefCell;

use jiff::civil;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};

use super::EntryProblem;

/// Abbreviations that mean one offset wherever they are used, in minutes east of Greenwich. Others mean several (IST,
/// CST, EST, BST, ...) and need the name of the time zone.
const ABBREVIATIONS: &[(&str, i32)] = &[
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("UCT", 0),
    ("WET", 0),
    ("WEST", 60),
    ("CET", 60),
    ("CEST", 120),
    ("EET", 120),
    ("EEST", 180),
    ("MSK", 180),
    ("JST", 540),
    ("KST", 540),
    ("NZST", 720),
    ("NZDT", 780),
    ("AEST", 600),
    ("AEDT", 660),
    ("AWST", 480),
    ("HST", -600),
    ("PKT", 300),
    ("SAST", 120),
    ("WIB", 420),
];

/// Reads instants; remembers the last offset, since a log has few.
#[derive(Debug, Default)]
pub(crate) struct ZoneReader {
    given: Option<TimeZone>,
    last: RefCell<Option<LastOffset>>,
}

#[derive(Debug)]
struct LastOffset {
    /// Year to hour, as written; empty for an offset that is always the same.
    hour: Vec<u8>,
    zone: Vec<u8>,
    offset_s: i64,
}

/// The parts of a civil time.
#[derive(Debug, Clone, Copy)]
struct CivilParts {
    year: i16,
    month: i8,
    day: i8,
    hour: i8,
    minute: i8,
    second: i8,
    us: i64,
}

impl ZoneReader {
    /// A reader of instants of this time zone, or of any whose abbreviation is known.
    pub(crate) fn with_zone(given: Option<TimeZone>) -> Self {
        Self { given, last: RefCell::new(None) }
    }

    /// Reads `2026-11-29 12:00:00.123 UTC`, fraction and zone being optional, into microseconds since 1970.
    pub(crate) fn parse_instant(&self, text: &[u8]) -> Result<i64, EntryProblem> {
        let (parts, rest) = parse_civil(text).ok_or(EntryProblem::Malformed)?;
        let zone = rest.trim_ascii_start();
        // More than a word: this is no time, but a line that begins with one.
        if zone.iter().any(u8::is_ascii_whitespace) {
            return Err(EntryProblem::Malformed);
        }
        let offset_s = self.offset_of(&text[..13], parts, zone)?;
        Ok(civil_us(parts) - offset_s * 1_000_000)
    }

    fn offset_of(&self, hour: &[u8], parts: CivilParts, zone: &[u8]) -> Result<i64, EntryProblem> {
        if let Some(last) = self.last.borrow().as_ref()
            && last.zone == zone
            && (last.hour.is_empty() || last.hour == hour)
        {
            return Ok(last.offset_s);
        }
        let (offset_s, hour) = match &self.given {
            Some(given) if !matches!(zone, b"UTC" | b"GMT") => (offset_in_zone(given, parts, zone)?, hour.to_vec()),
            _ => (offset_of_abbreviation(zone)?, Vec::new()),
        };
        *self.last.borrow_mut() = Some(LastOffset { hour, zone: zone.to_vec(), offset_s });
        Ok(offset_s)
    }
}

/// Reads `2026-11-29 12:00:00[.123]`, and gives what is after it.
fn parse_civil(text: &[u8]) -> Option<(CivilParts, &[u8])> {
    if text.len() < 19 || text[4] != b'-' || text[7] != b'-' || text[13] != b':' || text[16] != b':' {
        return None;
    }
    if text[10] != b' ' && text[10] != b'T' {
        return None;
    }
    let mut parts = CivilParts {
        year: i16::try_from(read_digits(&text[0..4])?).ok()?,
        month: i8::try_from(read_digits(&text[5..7])?).ok()?,
        day: i8::try_from(read_digits(&text[8..10])?).ok()?,
        hour: i8::try_from(read_digits(&text[11..13])?).ok()?,
        minute: i8::try_from(read_digits(&text[14..16])?).ok()?,
        second: i8::try_from(read_digits(&text[17..19])?).ok()?,
        us: 0,
    };
    let in_range = (1..=12).contains(&parts.month) && (1..=31).contains(&parts.day);
    if !in_range || parts.hour > 24 || parts.minute > 59 || parts.second > 60 {
        return None;
    }
    let mut rest = &text[19..];
    if rest.first() == Some(&b'.') {
        let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        for place in 0..6 {
            let digit = if place < digits { i64::from(rest[1 + place] - b'0') } else { 0 };
            parts.us = parts.us * 10 + digit;
        }
        rest = &rest[1 + digits..];
    }
    Some((parts, rest))
}

fn read_digits(text: &[u8]) -> Option<u32> {
    let mut number = 0;
    for byte in text {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + u32::from(byte - b'0');
    }
    Some(number)
}

/// Microseconds since 1970 as if the civil time were UTC, by the days from civil algorithm.
fn civil_us(parts: CivilParts) -> i64 {
    let month = i64::from(parts.month);
    let year = i64::from(parts.year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + i64::from(parts.day) - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    let seconds = i64::from(parts.hour) * 3600 + i64::from(parts.minute) * 60 + i64::from(parts.second);
    (days * 86_400 + seconds) * 1_000_000 + parts.us
}

/// The offset of an abbreviation or of a number such as `+03` or `-0330`, in seconds east of Greenwich.
fn offset_of_abbreviation(zone: &[u8]) -> Result<i64, EntryProblem> {
    let unknown = EntryProblem::UnknownZone(String::from_utf8_lossy(zone).into_owned());
    if let [sign @ (b'+' | b'-'), digits @ ..] = zone {
        let digits: Vec<u8> = digits.iter().copied().filter(|byte| *byte != b':').collect();
        let hours = digits.get(..2).and_then(read_digits);
        let minutes = if digits.len() > 2 { digits.get(2..4).and_then(read_digits) } else { Some(0) };
        let (Some(hours), Some(minutes)) = (hours, minutes) else { return Err(unknown) };
        let offset_s = i64::from(hours) * 3600 + i64::from(minutes) * 60;
        return Ok(if *sign == b'-' { -offset_s } else { offset_s });
    }
    for (abbreviation, minutes) in ABBREVIATIONS {
        if abbreviation.as_bytes() == zone {
            return Ok(i64::from(*minutes) * 60);
        }
    }
    Err(unknown)
}

/// The offset that a time zone has at a civil time. In the hour that comes twice the abbreviation decides.
fn offset_in_zone(given: &TimeZone, parts: CivilParts, zone: &[u8]) -> Result<i64, EntryProblem> {
    let time = civil::DateTime::new(
        parts.year,
        parts.month,
        parts.day,
        parts.hour.min(23),
        parts.minute,
        parts.second.min(59),
        0,
    )
    .map_err(|_| EntryProblem::Malformed)?;
    let offset = match given.to_ambiguous_zoned(time).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset,
        AmbiguousOffset::Gap { before, .. } => before,
        AmbiguousOffset::Fold { before, after } => offset_by_name(given, time, [before, after], zone),
    };
    Ok(i64::from(offset.seconds()))
}

fn offset_by_name(given: &TimeZone, time: civil::DateTime, offsets: [Offset; 2], zone: &[u8]) -> Offset {
    for offset in offsets {
        if let Ok(instant) = offset.to_timestamp(time)
            && given.to_offset_info(instant).abbreviation().as_bytes() == zone
        {
            return offset;
        }
    }
    offsets[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(text: &str) -> String {
        let us = ZoneReader::default().parse_instant(text.as_bytes()).unwrap();
        jiff::Timestamp::from_microsecond(us).unwrap().to_string()
    }

    #[test]
    fn instants_are_read_with_fraction_and_zone() {
        let cases = [
            ("2026-11-29 12:00:00.123 UTC", "2026-11-29T12:00:00.123Z"),
            ("2024-02-29 00:30:00 CET", "2024-02-28T23:30:00Z"),
            ("2026-07-01 12:00:00.5 CEST", "2026-07-01T10:00:00.5Z"),
            ("2026-07-01 12:00:00 -0330", "2026-07-01T15:30:00Z"),
            ("2026-07-01T12:00:00.123456+05:30", "2026-07-01T06:30:00.123456Z"),
            ("1969-12-31 23:59:59.999 GMT", "1969-12-31T23:59:59.999Z"),
        ];
        for (text, expected) in cases {
            assert_eq!(instant(text), expected);
        }
    }

    #[test]
    fn a_line_that_begins_with_a_time_is_no_time() {
        let line = b"2026-11-29 12:00:00.123 UTC [3408] postgres@shop LOG:  statement: SELECT 1";
        assert_eq!(ZoneReader::default().parse_instant(line), Err(EntryProblem::Malformed));
    }

    #[test]
    fn an_abbreviation_with_several_meanings_is_refused_by_name() {
        let outcome = ZoneReader::default().parse_instant(b"2026-11-29 12:00:00.123 IST");
        assert_eq!(outcome, Err(EntryProblem::UnknownZone("IST".to_owned())));
        for text in ["2026-11-29", "2026-13-29 12:00:00 UTC", "x", "2026-11-29 12:00:0a UTC"] {
            assert_eq!(ZoneReader::default().parse_instant(text.as_bytes()), Err(EntryProblem::Malformed), "{text}");
        }
    }

    #[test]
    fn a_time_zone_that_is_given_decides_by_the_abbreviation_where_an_hour_comes_twice() {
        let reader = ZoneReader::with_zone(Some(TimeZone::get("Europe/Berlin").unwrap()));
        let first = reader.parse_instant(b"2026-10-25 02:30:00 CEST").unwrap();
        let second = reader.parse_instant(b"2026-10-25 02:30:00 CET").unwrap();
        assert_eq!(second - first, 3_600_000_000);
        let reader = ZoneReader::with_zone(Some(TimeZone::get("Asia/Kolkata").unwrap()));
        let kolkata = reader.parse_instant(b"2026-11-29 12:00:00 IST").unwrap();
        assert_eq!(kolkata, ZoneReader::default().parse_instant(b"2026-11-29 06:30:00 UTC").unwrap());
    }
}
