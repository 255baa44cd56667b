//! Sizes and times as other programs write them: PostgreSQL's settings, fio's output, tables of figures.
//!
//! They are read generously, for nobody can be asked to write them otherwise. What is left to their readers is what a
//! number without a unit means. A plan's own quantities (`units`) have one spelling each, and what a server would
//! refuse is `server`'s to know.

/// What a writer means by `kB` and `MB`; `k` and `KiB` are 1024 bytes to everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kilo {
    /// 1024 bytes: PostgreSQL, fio 2, and the options of every fio.
    Is1024,
    /// 1000 bytes: fio 3 and the makers of disks. `Mb`, which may be bits, is no unit.
    Is1000,
}

/// A size in bytes, such as `128MB`, `16 GiB` or `8k`; none without a unit.
#[must_use]
pub fn parse_size_bytes(text: &str, kilo: Kilo) -> Option<f64> {
    parse_quantity(text, |unit| bytes_of(unit, kilo))
}

/// A time in nanoseconds, such as `5min` or `200 usec`; none without a unit.
#[must_use]
pub fn parse_time_ns(text: &str) -> Option<f64> {
    parse_quantity(text, ns_of)
}

/// The value of a setting of PostgreSQL's that is a size, in bytes.
#[must_use]
pub fn setting_bytes(value: &str) -> Option<u64> {
    parse_size_bytes(value, Kilo::Is1024).map(|bytes| bytes as u64)
}

/// The value of a setting of PostgreSQL's that is a time, in seconds; a bare number is in seconds, as those of
/// `checkpoint_timeout` are.
#[must_use]
pub fn setting_seconds(value: &str) -> Option<f64> {
    value.trim().parse().ok().or_else(|| parse_time_ns(value).map(|ns| ns / 1e9))
}

/// Whether a setting is on, by the words that PostgreSQL and people write.
#[must_use]
pub fn setting_truth(value: &str) -> Option<bool> {
    match value.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// The bytes of one unit of size.
#[must_use]
pub fn bytes_of(unit: &str, kilo: Kilo) -> Option<f64> {
    let lower = unit.to_ascii_lowercase();
    let power = match lower.bytes().next()? {
        b'b' => return matches!(lower.as_str(), "b" | "byte" | "bytes").then_some(1.0),
        b'k' => 1,
        b'm' => 2,
        b'g' => 3,
        b't' => 4,
        _ => return None,
    };
    let may_be_bits = unit.ends_with('b') && unit.starts_with(|c: char| c.is_ascii_uppercase());
    match (&lower[1..], kilo) {
        ("" | "i" | "ib", _) | ("b", Kilo::Is1024) => Some(1024_f64.powi(power)),
        ("b", Kilo::Is1000) if !may_be_bits => Some(1000_f64.powi(power)),
        _ => None,
    }
}

/// The nanoseconds of one unit of time.
#[must_use]
pub fn ns_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" | "nsec" => 1.0,
        "us" | "µs" | "μs" | "usec" => 1e3,
        "ms" | "msec" | "millis" | "milliseconds" => 1e6,
        "s" | "sec" | "secs" | "second" | "seconds" => 1e9,
        "min" | "minutes" => 60e9,
        "h" => 3_600e9,
        "d" => 86_400e9,
        _ => return None,
    })
}

/// Splits a text behind its leading digits and decimal point.
pub(crate) fn split_number_and_unit(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

fn parse_quantity(text: &str, factor: impl FnOnce(&str) -> Option<f64>) -> Option<f64> {
    let (number, unit) = split_number_and_unit(text.trim());
    Some(number.parse::<f64>().ok()? * factor(unit.trim())?)
}

#[cfg(test)]
mod tests {
    use super::Kilo::{Is1000, Is1024};
    use super::*;

    #[test]
    fn a_kilobyte_is_what_its_writer_means_by_it() {
        for (text, of_1024, of_1000) in [
            ("128MB", Some(128 << 20), Some(128_000_000)),
            ("8kB", Some(8192), Some(8000)),
            ("10 GB", Some(10 << 30), Some(10_000_000_000)),
            ("2TB", Some(2 << 40), Some(2_000_000_000_000)),
            ("16GiB", Some(16 << 30), Some(16 << 30)),
            ("4KiB", Some(4096), Some(4096)),
            ("16Gi", Some(16 << 30), Some(16 << 30)),
            ("8k", Some(8192), Some(8192)),
            ("1.5M", Some(3 << 19), Some(3 << 19)),
            ("7 bytes", Some(7), Some(7)),
            ("512B", Some(512), Some(512)),
            ("16mb", Some(16 << 20), Some(16_000_000)),
            ("16Mb", Some(16 << 20), None),
            ("16", None, None),
            ("MB", None, None),
            ("-1MB", None, None),
            ("4k-64k", None, None),
            ("many", None, None),
            ("", None, None),
        ] {
            let read = |kilo| parse_size_bytes(text, kilo).map(|bytes| bytes as u64);
            assert_eq!((read(Is1024), read(Is1000)), (of_1024, of_1000), "{text}");
        }
    }

    #[test]
    fn a_time_is_read_as_servers_and_tools_write_it() {
        for (text, expected) in [
            ("5min", Some(300e9)),
            ("30 s", Some(30e9)),
            ("1h", Some(3_600e9)),
            ("1d", Some(86_400e9)),
            ("200us", Some(200e3)),
            ("1.5 msec", Some(1.5e6)),
            ("300", None),
            // A plan's minute, which is nobody else's.
            ("5m", None),
            ("on", None),
        ] {
            assert_eq!(parse_time_ns(text), expected, "{text}");
        }
        assert_eq!([setting_seconds("300"), setting_seconds("5min")], [Some(300.0); 2]);
    }

    #[test]
    fn where_the_load_ran_is_taken_from_a_plain_yes_or_no_only() {
        for (text, expected) in [
            ("yes", Some(true)),
            ("False", Some(false)),
            ("the server's own machine", None),
            ("not on a separate host", None),
        ] {
            assert_eq!(setting_truth(text), expected, "{text}");
        }
    }
}
