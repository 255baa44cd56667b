//! The quantities of a plan as people write them: durations (`10s`), percentages (`3%`), rates (`500/s`), memory sizes
//! (`64MB`), bandwidths (`400MB/s`).
//!
//! Every text that is accepted has one value, and every value is written back as the shortest text of it. A number
//! without its unit is refused: a plan that says `60` has said neither seconds nor milliseconds.

use std::fmt;
use std::time::Duration;

use super::quantity;

/// What a quantity should have looked like: the second half of an error message, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableQuantity {
    /// Why it is not a quantity, to stand after "… is".
    pub why: String,
    /// What to write instead.
    pub hint: String,
}

impl fmt::Display for UnreadableQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.why, self.hint)
    }
}

impl std::error::Error for UnreadableQuantity {}

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
pub fn parse_duration(text: &str) -> Result<Duration, UnreadableQuantity> {
    let (number, unit) = quantity::split_number_and_unit(text);
    let Some((unit, unit_ms)) = DURATION_UNITS.into_iter().find(|(name, _)| *name == unit) else {
        return Err(wrong_duration_unit(number, unit));
    };
    let Some(thousandths) = parse_thousandths(number) else {
        return Err(UnreadableQuantity {
            why: "not a duration".to_owned(),
            hint: "write a number and its unit without a space, like 500ms, 10s, 2m or 1h".to_owned(),
        });
    };
    match thousandths.checked_mul(unit_ms) {
        Some(scaled) if scaled % 1_000 != 0 => Err(UnreadableQuantity {
            why: "not a whole number of milliseconds".to_owned(),
            hint: format!("write it in a smaller unit than {unit}"),
        }),
        Some(scaled) if scaled / 1_000 <= DURATION_MS_MAX => Ok(Duration::from_millis(scaled / 1_000)),
        _ => Err(UnreadableQuantity { why: "longer than a week".to_owned(), hint: "write at most 168h".to_owned() }),
    }
}

fn wrong_duration_unit(number: &str, unit: &str) -> UnreadableQuantity {
    let trimmed = unit.trim_start();
    let meant = DURATION_SPELLINGS
        .into_iter()
        .find(|(name, spellings)| *name == trimmed || spellings.contains(&trimmed))
        .map(|(name, _)| name);
    let is_number = parse_thousandths(number).is_some();
    match meant {
        Some(meant) if is_number => {
            UnreadableQuantity { why: "not a duration".to_owned(), hint: format!("write {number}{meant}") }
        }
        _ if unit.is_empty() && is_number => UnreadableQuantity {
            why: "a number without its unit".to_owned(),
            hint: format!("write {number}s for seconds or {number}ms for milliseconds; m and h are minutes and hours"),
        },
        _ => UnreadableQuantity {
            why: "not a duration".to_owned(),
            hint: "write a number and one of the units ms, s, m, h, like 10s".to_owned(),
        },
    }
}

/// The shortest exact text of a duration in one unit; what is finer than a millisecond is left out.
pub(crate) fn format_duration(duration: Duration) -> String {
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
    pub fn as_fraction(self) -> f64 {
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
pub(crate) fn parse_percent(text: &str) -> Result<Percent, UnreadableQuantity> {
    let (number, unit) = quantity::split_number_and_unit(text);
    let parts = parse_decimal(number, 4);
    match (parts, unit) {
        (Some(parts), "%") => {
            u32::try_from(parts).ok().and_then(Percent::from_parts_per_million).ok_or(UnreadableQuantity {
                why: "not above 0% and up to 100%".to_owned(),
                hint: "write a percentage like 3%".to_owned(),
            })
        }
        (Some(_), "") => Err(UnreadableQuantity {
            why: "a number without its unit".to_owned(),
            hint: format!("write {number}% for {number} percent"),
        }),
        (Some(_), unit) if unit.trim_start() == "%" => Err(UnreadableQuantity {
            why: "not a percentage".to_owned(),
            hint: format!("write {number}% without a space"),
        }),
        _ => Err(UnreadableQuantity {
            why: "not a percentage".to_owned(),
            hint: "write a number with at most four decimals and a percent sign, like 3% or 0.5%".to_owned(),
        }),
    }
}

/// Transactions per second, exact to a thousandth, above 0 and at most ten million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PerSecond {
    thousandths: u64,
}

impl PerSecond {
    /// So many thousandths of a transaction per second; none when out of range.
    #[must_use]
    pub fn from_thousandths(thousandths: u64) -> Option<Self> {
        (1..=10_000_000_000).contains(&thousandths).then_some(Self { thousandths })
    }

    /// So many transactions per second, to the nearest thousandth; none when out of range.
    #[must_use]
    pub fn from_rounded_per_s(per_s: f64) -> Option<Self> {
        Self::from_thousandths((per_s * 1e3).round() as u64)
    }

    /// Transactions per second.
    #[must_use]
    pub fn per_s(self) -> f64 {
        self.thousandths as f64 / 1e3
    }
}

impl fmt::Display for PerSecond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.thousandths / 1_000, self.thousandths % 1_000);
        if rest == 0 {
            return write!(f, "{whole}/s");
        }
        write!(f, "{whole}.{}/s", format!("{rest:03}").trim_end_matches('0'))
    }
}

/// Reads `500/s`, `0.5/s`: above 0, at most ten million, at most three decimals.
pub(crate) fn parse_per_second(text: &str) -> Result<PerSecond, UnreadableQuantity> {
    let (number, unit) = quantity::split_number_and_unit(text);
    let is_per_second =
        matches!(unit.trim().replace(' ', "").as_str(), "/s" | "/sec" | "/second" | "tps" | "persecond");
    match (parse_thousandths(number), unit) {
        (Some(thousandths), "/s") => PerSecond::from_thousandths(thousandths).ok_or(UnreadableQuantity {
            why: "out of range".to_owned(),
            hint: "write a rate above 0/s and up to 10000000/s".to_owned(),
        }),
        (Some(_), "") => Err(UnreadableQuantity {
            why: "a number without its unit".to_owned(),
            hint: format!("write {number}/s for {number} transactions per second"),
        }),
        (Some(_), _) if is_per_second => {
            Err(UnreadableQuantity { why: "not a rate".to_owned(), hint: format!("write {number}/s") })
        }
        _ => Err(UnreadableQuantity {
            why: "not a rate".to_owned(),
            hint: "write a number with at most three decimals and /s, like 500/s".to_owned(),
        }),
    }
}

/// A number of CPUs, exact to a thousandth, above 0 and at most 1024.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cpus {
    thousandths: u64,
}

impl Cpus {
    /// So many thousandths of a CPU; none below a hundredth, which is the least that the kernel grants, or above 1024.
    #[must_use]
    pub fn from_thousandths(thousandths: u64) -> Option<Self> {
        (10..=1_024_000).contains(&thousandths).then_some(Self { thousandths })
    }

    /// CPUs.
    #[must_use]
    pub fn cpu_count(self) -> f64 {
        self.thousandths as f64 / 1e3
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.cpu_count())
    }
}

/// Reads `2`, `1.5`, `0.25`: from 0.01 to 1024, at most three decimals.
pub(crate) fn parse_cpus(text: &str) -> Result<Cpus, UnreadableQuantity> {
    parse_thousandths(text).and_then(Cpus::from_thousandths).ok_or(UnreadableQuantity {
        why: "not a number of CPUs".to_owned(),
        hint: "write a number from 0.01 to 1024 with at most three decimals, like 1.5".to_owned(),
    })
}

/// A number without a unit, exact to a thousandth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    thousandths: u32,
}

impl Decimal {
    /// So many thousandths.
    #[must_use]
    pub(crate) const fn from_thousandths(thousandths: u32) -> Self {
        Self { thousandths }
    }

    /// The number.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.thousandths) / 1e3
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_f64())
    }
}

/// Reads `1`, `0.2`, `0.805`: at most three decimals.
pub(super) fn parse_decimal_number(text: &str) -> Option<Decimal> {
    parse_thousandths(text).and_then(|thousandths| u32::try_from(thousandths).ok()).map(Decimal::from_thousandths)
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
    pub fn size_megabytes(self) -> u32 {
        self.megabytes
    }
}

impl fmt::Display for WalSegmentSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}MB", self.megabytes)
    }
}

/// Reads `64MB` or `1GB`.
pub(crate) fn parse_wal_segment_size(text: &str) -> Result<WalSegmentSize, UnreadableQuantity> {
    let (number, unit) = quantity::split_number_and_unit(text);
    let megabytes = match (number.parse::<u32>(), unit) {
        (Ok(megabytes), "MB") => Some(megabytes),
        (Ok(1), "GB") => Some(1024),
        _ => None,
    };
    megabytes.and_then(WalSegmentSize::from_megabytes).ok_or_else(|| UnreadableQuantity {
        why: "not a valid size of WAL segments".to_owned(),
        hint: "write a power of two from 1MB to 1GB, like 64MB".to_owned(),
    })
}

/// The size of a file: whole megabytes (2²⁰ bytes), from 1 MB to 1 PB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileSize {
    megabytes: u64,
}

impl FileSize {
    /// So many megabytes (2²⁰ bytes); none when out of range.
    #[must_use]
    pub fn from_megabytes(megabytes: u64) -> Option<Self> {
        (1..=1 << 30).contains(&megabytes).then_some(Self { megabytes })
    }

    /// In bytes.
    #[must_use]
    pub fn size_bytes(self) -> u64 {
        self.megabytes << 20
    }
}

impl fmt::Display for FileSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.megabytes {
            megabytes if megabytes % 1024 == 0 => write!(f, "{}GB", megabytes / 1024),
            megabytes => write!(f, "{megabytes}MB"),
        }
    }
}

/// Reads `500MB`, `64GB`, `2TB`, in powers of 1024 as PostgreSQL does.
pub(crate) fn parse_file_size(text: &str) -> Result<FileSize, UnreadableQuantity> {
    let (number, unit) = quantity::split_number_and_unit(text);
    let unit_megabytes = match unit {
        "MB" | "MiB" => Some(1),
        "GB" | "GiB" => Some(1024),
        "TB" | "TiB" => Some(1024 * 1024),
        _ => None,
    };
    let megabytes = number.parse::<u64>().ok().zip(unit_megabytes).and_then(|(number, unit)| number.checked_mul(unit));
    megabytes.and_then(FileSize::from_megabytes).ok_or_else(|| UnreadableQuantity {
        why: "not a file size".to_owned(),
        hint: "write a whole number and MB, GB or TB, like 500MB or 64GB".to_owned(),
    })
}

/// Bytes per second, as the providers of disks state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bandwidth {
    bytes_per_s: u64,
}

/// The units of a bandwidth, the decimal ones first.
const BANDWIDTH_UNITS: [(&str, u64); 6] = [
    ("GB/s", 1_000_000_000),
    ("MB/s", 1_000_000),
    ("kB/s", 1_000),
    ("GiB/s", 1 << 30),
    ("MiB/s", 1 << 20),
    ("KiB/s", 1 << 10),
];

impl Bandwidth {
    /// So many bytes per second; none for less than 1 kB/s or for what is not a whole number of kB or KiB.
    #[must_use]
    pub fn from_bytes_per_s(bytes_per_s: u64) -> Option<Self> {
        let is_whole = bytes_per_s.is_multiple_of(1000) || bytes_per_s.is_multiple_of(1024);
        (bytes_per_s >= 1000 && is_whole).then_some(Self { bytes_per_s })
    }

    /// In bytes per second.
    #[must_use]
    pub fn bytes_per_s(self) -> u64 {
        self.bytes_per_s
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = BANDWIDTH_UNITS.into_iter().filter(|(_, bytes)| self.bytes_per_s.is_multiple_of(*bytes));
        let (unit, bytes) = whole.max_by_key(|(_, bytes)| *bytes).unwrap_or(("kB/s", 1000));
        write!(f, "{}{unit}", self.bytes_per_s / bytes)
    }
}

/// Reads `400MB/s` (10⁶ bytes), `125MiB/s` (2²⁰ bytes).
pub(crate) fn parse_bandwidth(text: &str) -> Result<Bandwidth, UnreadableQuantity> {
    let (number, unit) = quantity::split_number_and_unit(text);
    let bytes = BANDWIDTH_UNITS.into_iter().find(|(name, _)| *name == unit).map(|(_, bytes)| bytes);
    let rate = number.parse::<u64>().ok().zip(bytes).and_then(|(number, bytes)| number.checked_mul(bytes));
    rate.and_then(Bandwidth::from_bytes_per_s).ok_or_else(|| UnreadableQuantity {
        why: "not a bandwidth".to_owned(),
        hint: "write a whole number and kB/s, MB/s or GB/s (or KiB/s, MiB/s, GiB/s), like 400MB/s".to_owned(),
    })
}

fn parse_thousandths(number: &str) -> Option<u64> {
    parse_decimal(number, 3)
}

/// Reads `12` or `12.5` as a whole number of the `decimals`-th decimal place; none when it is neither or finer.
pub(super) fn parse_decimal(number: &str, decimals: usize) -> Option<u64> {
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
        assert_eq!(parse_percent("3%").map(Percent::as_fraction), Ok(0.03));
        assert_eq!(parse_percent("0.0001%").map(Percent::as_fraction), Ok(0.000_001));
        assert_eq!(parse_percent("100%").map(Percent::as_fraction), Ok(1.0));
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
    fn a_rate_keeps_three_decimals_and_says_per_second() {
        for (text, per_s) in [("500/s", 500.0), ("0.5/s", 0.5), ("0.001/s", 0.001), ("10000000/s", 1e7)] {
            assert_eq!(parse_per_second(text).map(PerSecond::per_s), Ok(per_s), "{text}");
        }
        for (text, hint) in [
            ("500", "write 500/s for 500"),
            ("500 /s", "write 500/s"),
            ("500 tps", "write 500/s"),
            ("0/s", "above 0/s"),
            ("20000000/s", "up to 10000000/s"),
            ("0.0001/s", "three decimals"),
            ("30/min", "like 500/s"),
            ("fast", "like 500/s"),
        ] {
            let found = parse_per_second(text).expect_err(text);
            assert!(found.hint.contains(hint), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_wal_segment_is_a_power_of_two_from_one_megabyte_to_one_gigabyte() {
        assert_eq!(parse_wal_segment_size("64MB").map(WalSegmentSize::size_megabytes), Ok(64));
        assert_eq!(parse_wal_segment_size("1GB").map(WalSegmentSize::size_megabytes), Ok(1024));
        for text in ["64", "3MB", "0MB", "2GB", "64 MB", "64mb", "2048MB"] {
            assert!(parse_wal_segment_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024_and_bandwidths_say_which_they_are() {
        for (text, bytes) in [("500MB", 500 << 20), ("64GB", 64 << 30), ("1TB", 1 << 40), ("2GiB", 2 << 30)] {
            assert_eq!(parse_file_size(text).map(FileSize::size_bytes), Ok(bytes), "{text}");
        }
        for (text, bytes) in [("400MB/s", 400_000_000), ("125MiB/s", 125 << 20), ("1GB/s", 1_000_000_000)] {
            assert_eq!(parse_bandwidth(text).map(Bandwidth::bytes_per_s), Ok(bytes), "{text}");
        }
        for text in ["500", "0MB", "1.5GB", "64 GB", "64gb", "2PB", "99999999999999TB"] {
            assert!(parse_file_size(text).is_err(), "{text}");
        }
        for text in ["400", "400MB", "400Mbit/s", "0MB/s", "-1MB/s", "99999999999999GB/s"] {
            assert!(parse_bandwidth(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_size_or_bandwidth_reads_back_as_itself(megabytes in 1..=1_u64 << 30, rate in 1..=1_000_000_u64, unit in 0..BANDWIDTH_UNITS.len()) {
            let size = FileSize::from_megabytes(megabytes).expect("in range");
            prop_assert_eq!(parse_file_size(&size.to_string()), Ok(size));
            let rate = Bandwidth::from_bytes_per_s(rate * BANDWIDTH_UNITS[unit].1).expect("whole");
            prop_assert_eq!(parse_bandwidth(&rate.to_string()), Ok(rate));
        }

        #[test]
        fn a_written_quantity_reads_back_as_itself(ms in 0..=DURATION_MS_MAX, ppm in 1..=1_000_000_u32, exponent in 0..=10_u32, rate in 1..=10_000_000_000_u64) {
            let duration = Duration::from_millis(ms);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
            let percent = Percent::from_parts_per_million(ppm).expect("in range");
            prop_assert_eq!(parse_percent(&percent.to_string()), Ok(percent));
            let rate = PerSecond::from_thousandths(rate).expect("in range");
            prop_assert_eq!(parse_per_second(&rate.to_string()), Ok(rate));
            let size = WalSegmentSize::from_megabytes(1 << exponent).expect("a power of two");
            prop_assert_eq!(parse_wal_segment_size(&size.to_string()), Ok(size));
        }
    }
}
