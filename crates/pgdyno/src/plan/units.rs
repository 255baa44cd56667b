//! The quantities of a plan as people write them: durations (`10s`), percentages (`3%`), memory sizes (`64MB`).
//!
//! Every text that is accepted has one value, and every value is written back as the shortest text of it. A number
//! without its unit is refused: a plan that says `60` has said neither seconds nor milliseconds.

use std::fmt;
use std::time::Duration;

/// What a quantity should have looked like: the second half of an error message, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// Why it is not a quantity, to stand after "… is".
    pub(super) why: String,
    /// What to write instead.
    pub(super) hint: String,
}

/// The units of a duration, largest first, with their milliseconds.
const DURATION_UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Spellings that people try for the units of a duration.
const DURATION_SPELLINGS: [(&str, &[&str]); 4] = [
    ("h", &["H", "hr", "hrs", "hour", "hours"]),
    ("m", &["M", "min", "mins", "minute", "minutes"]),
    ("s", &["S", "sec", "secs", "second", "seconds"]),
    ("ms", &["MS", "msec", "msecs", "millis", "millisecond", "milliseconds"]),
];

/// The longest duration of a phase: a week.
const DURATION_MS_MAX: u64 = 7 * 24 * 3_600_000;

/// Reads `500ms`, `10s`, `1.5s`, `2m`, `1h`: a whole number of milliseconds, at most a week.
pub(super) fn parse_duration(text: &str) -> Result<Duration, Unreadable> {
    let (number, unit) = split_unit(text);
    let Some((unit, unit_ms)) = DURATION_UNITS.into_iter().find(|(name, _)| *name == unit) else {
        return Err(wrong_duration_unit(number, unit));
    };
    let Some(thousandths) = parse_thousandths(number) else {
        return Err(Unreadable {
            why: "not a duration".to_owned(),
            hint: "write a number and its unit without a space, like 500ms, 10s, 2m or 1h".to_owned(),
        });
    };
    match thousandths.checked_mul(unit_ms) {
        Some(scaled) if scaled % 1_000 != 0 => Err(Unreadable {
            why: "not a whole number of milliseconds".to_owned(),
            hint: format!("write it in a smaller unit than {unit}"),
        }),
        Some(scaled) if scaled / 1_000 <= DURATION_MS_MAX => Ok(Duration::from_millis(scaled / 1_000)),
        _ => Err(Unreadable { why: "longer than a week".to_owned(), hint: "write at most 168h".to_owned() }),
    }
}

fn wrong_duration_unit(number: &str, unit: &str) -> Unreadable {
    let trimmed = unit.trim_start();
    let meant = DURATION_SPELLINGS
        .into_iter()
        .find(|(name, spellings)| *name == trimmed || spellings.contains(&trimmed))
        .map(|(name, _)| name);
    let is_number = parse_thousandths(number).is_some();
    match meant {
        Some(meant) if is_number => {
            Unreadable { why: "not a duration".to_owned(), hint: format!("write {number}{meant}") }
        }
        _ if unit.is_empty() && is_number => Unreadable {
            why: "a number without its unit".to_owned(),
            hint: format!("write {number}s for seconds or {number}ms for milliseconds; m and h are minutes and hours"),
        },
        _ => Unreadable {
            why: "not a duration".to_owned(),
            hint: "write a number and one of the units ms, s, m, h, like 10s".to_owned(),
        },
    }
}

/// The shortest exact text of a duration in one unit; what is finer than a millisecond is left out.
pub fn format_duration(duration: Duration) -> String {
    let ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    if ms == 0 {
        return "0s".to_owned();
    }
    DURATION_UNITS
        .into_iter()
        .find(|(_, unit_ms)| ms % unit_ms == 0)
        .map_or_else(|| format!("{ms}ms"), |(unit, unit_ms)| format!("{}{unit}", ms / unit_ms))
}

/// A share above 0 % and up to 100 %, exact to a ten-thousandth of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent {
    parts_per_million: u32,
}

impl Percent {
    /// So many millionths; none when that is zero or more than the whole.
    #[must_use]
    pub fn from_parts_per_million(parts_per_million: u32) -> Option<Self> {
        (1..=1_000_000).contains(&parts_per_million).then_some(Self { parts_per_million })
    }

    /// The share as a fraction: 0.03 for 3 %.
    #[must_use]
    pub fn fraction(self) -> f64 {
        f64::from(self.parts_per_million) / 1e6
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.parts_per_million / 10_000, self.parts_per_million % 10_000);
        if rest == 0 {
            return write!(f, "{whole}%");
        }
        write!(f, "{whole}.{}%", format!("{rest:04}").trim_end_matches('0'))
    }
}

/// Reads `3%`, `0.5%`: above 0 %, up to 100 %, at most four decimals.
pub(super) fn parse_percent(text: &str) -> Result<Percent, Unreadable> {
    let (number, unit) = split_unit(text);
    let parts = parse_decimal(number, 4);
    match (parts, unit) {
        (Some(parts), "%") => u32::try_from(parts).ok().and_then(Percent::from_parts_per_million).ok_or(Unreadable {
            why: "not above 0% and up to 100%".to_owned(),
            hint: "write a percentage like 3%".to_owned(),
        }),
        (Some(_), "") => Err(Unreadable {
            why: "a number without its unit".to_owned(),
            hint: format!("write {number}% for {number} percent"),
        }),
        (Some(_), unit) if unit.trim_start() == "%" => {
            Err(Unreadable { why: "not a percentage".to_owned(), hint: format!("write {number}% without a space") })
        }
        _ => Err(Unreadable {
            why: "not a percentage".to_owned(),
            hint: "write a number with at most four decimals and a percent sign, like 3% or 0.5%".to_owned(),
        }),
    }
}

/// The size of a WAL segment: a power of two from 1 MB to 1 GB, as initdb takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WalSegmentSize {
    megabytes: u32,
}

impl WalSegmentSize {
    /// So many megabytes (2²⁰ bytes); none when initdb would refuse them.
    #[must_use]
    pub fn from_megabytes(megabytes: u32) -> Option<Self> {
        (megabytes.is_power_of_two() && megabytes <= 1024).then_some(Self { megabytes })
    }

    /// In megabytes (2²⁰ bytes), the unit of `initdb --wal-segsize`.
    #[must_use]
    pub fn megabytes(self) -> u32 {
        self.megabytes
    }
}

impl fmt::Display for WalSegmentSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}MB", self.megabytes)
    }
}

/// Reads `64MB` or `1GB`.
pub(super) fn parse_wal_segment_size(text: &str) -> Result<WalSegmentSize, Unreadable> {
    let (number, unit) = split_unit(text);
    let megabytes = match (number.parse::<u32>(), unit) {
        (Ok(megabytes), "MB") => Some(megabytes),
        (Ok(1), "GB") => Some(1024),
        _ => None,
    };
    megabytes.and_then(WalSegmentSize::from_megabytes).ok_or_else(|| Unreadable {
        why: "not a size that initdb takes for WAL segments".to_owned(),
        hint: "write a power of two from 1MB to 1GB, like 64MB".to_owned(),
    })
}

/// Splits a text behind its leading digits and decimal point.
fn split_unit(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

fn parse_thousandths(number: &str) -> Option<u64> {
    parse_decimal(number, 3)
}

/// Reads `12` or `12.5` as a whole number of the `decimals`-th decimal place; none when it is neither or finer.
fn parse_decimal(number: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (number, ""),
    };
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) || fraction.len() > decimals {
        return None;
    }
    // Of digits alone, only too many cannot be read.
    Some(format!("{whole}{fraction:0<decimals$}").parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_duration_is_a_number_and_its_unit() {
        for (text, ms) in
            [("500ms", 500), ("10s", 10_000), ("1.5s", 1_500), ("2m", 120_000), ("1h", 3_600_000), ("0s", 0)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_duration_is_refused_with_the_text_to_write_instead() {
        for (text, hint) in [
            ("10", "write 10s for seconds or 10ms"),
            ("10 s", "write 10s"),
            ("10sec", "write 10s"),
            ("2 minutes", "write 2m"),
            ("10%", "one of the units"),
            ("ten seconds", "one of the units"),
            ("-1s", "one of the units"),
            ("", "one of the units"),
            ("s", "without a space, like"),
            ("1.2.3s", "without a space, like"),
            ("1.s", "without a space, like"),
            ("0.5ms", "smaller unit than ms"),
            ("169h", "at most 168h"),
            ("99999999999999999h", "at most 168h"),
            ("999999999999999999999999h", "at most 168h"),
        ] {
            let found = parse_duration(text).expect_err(text);
            assert!(found.hint.contains(hint), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_percentage_keeps_four_decimals_and_needs_its_sign() {
        assert_eq!(parse_percent("3%").map(Percent::fraction), Ok(0.03));
        assert_eq!(parse_percent("0.0001%").map(Percent::fraction), Ok(0.000_001));
        assert_eq!(parse_percent("100%").map(Percent::fraction), Ok(1.0));
        for (text, hint) in [
            ("3", "write 3% for 3 percent"),
            ("3 %", "write 3% without a space"),
            ("0%", "like 3%"),
            ("101%", "like 3%"),
            ("-3%", "at most four decimals"),
            ("0.00001%", "at most four decimals"),
            ("3s", "percent sign"),
        ] {
            let found = parse_percent(text).expect_err(text);
            assert!(found.hint.contains(hint), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_wal_segment_is_a_power_of_two_from_one_megabyte_to_one_gigabyte() {
        assert_eq!(parse_wal_segment_size("64MB").map(WalSegmentSize::megabytes), Ok(64));
        assert_eq!(parse_wal_segment_size("1GB").map(WalSegmentSize::megabytes), Ok(1024));
        for text in ["64", "3MB", "0MB", "2GB", "64 MB", "64mb", "2048MB"] {
            assert!(parse_wal_segment_size(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_quantity_reads_back_as_itself(ms in 0..=DURATION_MS_MAX, ppm in 1..=1_000_000_u32, exponent in 0..=10_u32) {
            let duration = Duration::from_millis(ms);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
            let percent = Percent::from_parts_per_million(ppm).expect("in range");
            prop_assert_eq!(parse_percent(&percent.to_string()), Ok(percent));
            let size = WalSegmentSize::from_megabytes(1 << exponent).expect("a power of two");
            prop_assert_eq!(parse_wal_segment_size(&size.to_string()), Ok(size));
        }
    }
}
