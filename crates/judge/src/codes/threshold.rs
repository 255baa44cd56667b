//! The numbers of a code: which figures a rule compares with which bounds.

use crate::units;

/// A bound that a figure must reach, exceed or stay below for a rule to report. Its value is the constant that the
/// rule itself uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleThreshold {
    /// What is compared, in a few words.
    pub what: &'static str,
    /// On which side of the bound the figure must lie.
    pub kind: ThresholdKind,
    /// The bound.
    pub value: f64,
    /// The unit of the bound.
    pub unit: ThresholdUnit,
}

/// On which side of a bound a figure must lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThresholdKind {
    /// It is the bound or more.
    AtLeast,
    /// It is more than the bound.
    MoreThan,
    /// It is the bound or less.
    AtMost,
    /// It is less than the bound.
    LessThan,
}

/// The unit of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThresholdUnit {
    /// A share, of which 1 is the whole; printed in percent.
    Share,
    /// A factor.
    Times,
    /// A time in milliseconds.
    Milliseconds,
    /// A time in seconds.
    Seconds,
    /// A number of things, or a number without a unit.
    Count,
    /// A rate.
    PerSecond,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
}

impl RuleThreshold {
    /// A figure that must be the bound or more.
    pub const fn at_least(what: &'static str, value: f64, unit: ThresholdUnit) -> Self {
        Self { what, kind: ThresholdKind::AtLeast, value, unit }
    }

    /// A figure that must be more than the bound.
    pub const fn more_than(what: &'static str, value: f64, unit: ThresholdUnit) -> Self {
        Self { what, kind: ThresholdKind::MoreThan, value, unit }
    }

    /// A figure that must be the bound or less.
    pub const fn at_most(what: &'static str, value: f64, unit: ThresholdUnit) -> Self {
        Self { what, kind: ThresholdKind::AtMost, value, unit }
    }

    /// A figure that must be less than the bound.
    pub const fn less_than(what: &'static str, value: f64, unit: ThresholdUnit) -> Self {
        Self { what, kind: ThresholdKind::LessThan, value, unit }
    }

    /// What is compared and the bound, such as `throttled periods: at least 5 %`.
    pub fn in_words(&self) -> String {
        format!("{}: {} {}", self.what, self.kind.in_words(), self.bound_in_words())
    }

    /// The bound with its unit, such as `5 %`.
    fn bound_in_words(&self) -> String {
        let value = self.value;
        match self.unit {
            ThresholdUnit::Share => format!("{} %", without_rounding_error(value * 100.0)),
            ThresholdUnit::Times => format!("{} times", without_rounding_error(value)),
            ThresholdUnit::Milliseconds if value < 0.1 => format!("{} µs", without_rounding_error(value * 1e3)),
            ThresholdUnit::Milliseconds => format!("{} ms", without_rounding_error(value)),
            ThresholdUnit::Seconds => format!("{} s", without_rounding_error(value)),
            ThresholdUnit::Count => format!("{}", without_rounding_error(value)),
            ThresholdUnit::PerSecond => format!("{} per second", without_rounding_error(value)),
            ThresholdUnit::Bytes => units::format_bytes(value),
            ThresholdUnit::BytesPerSecond => format!("{} MB/s", without_rounding_error(value / 1e6)),
        }
    }
}

impl ThresholdKind {
    /// It in words, such as `at least`.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::AtLeast => "at least",
            Self::MoreThan => "more than",
            Self::AtMost => "at most",
            Self::LessThan => "less than",
        }
    }
}

impl ThresholdUnit {
    /// Its name in JSON.
    pub fn json_name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Times => "times",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Count => "count",
            Self::PerSecond => "per_s",
            Self::Bytes => "bytes",
            Self::BytesPerSecond => "bytes_per_s",
        }
    }
}

/// A number with the digits that it was written with: a bound is no measurement, so 0.07 is 7 %, and not
/// 7.000000000000001 %.
fn without_rounding_error(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threshold_is_said_with_the_digits_and_the_unit_that_it_was_written_with() {
        for (value, unit, expected) in [
            (0.07, ThresholdUnit::Share, "7 %"),
            (0.0005, ThresholdUnit::Share, "0.05 %"),
            (1.0 - 0.8, ThresholdUnit::Share, "20 %"),
            (10.0, ThresholdUnit::Times, "10 times"),
            (0.005, ThresholdUnit::Milliseconds, "5 µs"),
            (0.5, ThresholdUnit::Milliseconds, "0.5 ms"),
            (30.0, ThresholdUnit::Seconds, "30 s"),
            (1000.0, ThresholdUnit::Count, "1000"),
            (20.0, ThresholdUnit::PerSecond, "20 per second"),
            (262_144.0, ThresholdUnit::Bytes, "256 KiB"),
            (1e6, ThresholdUnit::BytesPerSecond, "1 MB/s"),
        ] {
            assert_eq!(RuleThreshold::at_least("it", value, unit).in_words(), format!("it: at least {expected}"));
        }
        let below = RuleThreshold::less_than("idle time", 0.1, ThresholdUnit::Share);
        assert_eq!(below.in_words(), "idle time: less than 10 %");
    }
}
