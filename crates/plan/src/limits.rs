//! Limits as a plan writes them: `"< 10s"`, `"> 5000/s"`, `"< 0.1%"`.

use std::time::Duration;

use serde_json::json;

use super::language::{At, Form, PlanReadingFindings, ValueDescription, Yaml, quote_text, read_quantity, record};
use super::units::{self, PerSecond, Percent, UnreadableQuantity};

record! {
    /// Limits on the results of a workload, in every cell.
    #[derive(Copy, Default)]
    pub struct WorkloadLimits = "limits of a workload" {
        /// Completed transactions per second; with `capacity`, the capacity.
        key throughput: Option<PerSecond> as Option<ExceededRateForm> = Absent("no limit"),
        /// Mean latency.
        key mean: Option<Duration> as Option<Below<0>> = Absent("no limit"),
        /// Median latency.
        key p50: Option<Duration> as Option<Below<0>> = Absent("no limit"),
        /// 95th percentile of the latency.
        key p95: Option<Duration> as Option<Below<0>> = Absent("no limit"),
        /// 99th percentile of the latency.
        key p99: Option<Duration> as Option<Below<0>> = Absent("no limit"),
        /// 99.9th percentile of the latency.
        key p999: Option<Duration> as Option<Below<0>> = Absent("no limit"),
        /// Share of failed transactions, including those whose connection was lost.
        key failures: Option<Percent> as Option<BelowShare> = Absent("no limit"),
        /// Database time of a `captured` load, compared with the baseline.
        key database_time: Option<Percent> as Option<NoSlowerForm> = Absent("no limit"),
        /// Mean time of each statement of a `captured` load, compared with the baseline. It also replaces
        /// `statements.threshold` for this workload.
        key statements: Option<Percent> as Option<NoSlowerForm> = Absent("no limit"),
    }
}

/// A duration that must not be reached; one below so many milliseconds cannot be told from nothing.
pub(crate) struct Below<const LEAST_MS: u64>;

impl<const LEAST_MS: u64> Form for Below<LEAST_MS> {
    type Value = Duration;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Duration> {
        read_quantity(findings, at, |text| {
            let limit = read_limit(text, '<', "10s", units::parse_duration)?;
            let least = Duration::from_millis(LEAST_MS);
            if limit < least {
                let why = "too short to be distinguished from the time between transactions".to_owned();
                return Err(UnreadableQuantity {
                    why,
                    hint: format!("write `< {}` or more", units::format_duration(least)),
                });
            }
            Ok(limit)
        })
    }

    fn write_value(value: &Duration) -> Yaml {
        Yaml::Scalar(quote_text(&format!("< {}", units::format_duration(*value))))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "limit: `<` and a number with `ms`, `s`, `m` or `h`",
            "\"< 10s\"",
            json!({ "type": "string", "pattern": r"^<\s*[0-9]+(\.[0-9]{1,3})?(ms|s|m|h)$" }),
        )
    }
}

/// A share that must not be reached.
pub(crate) struct BelowShare;

impl Form for BelowShare {
    type Value = Percent;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Percent> {
        read_quantity(findings, at, |text| {
            read_limit(text, '<', "0.1%", |limit| match limit.trim_end_matches('%').trim().parse() {
                Ok(0.0) => Err(UnreadableQuantity {
                    why: "a limit that no measurement can show to be kept".to_owned(),
                    hint: "write a small share, such as 0.01%".to_owned(),
                }),
                Ok(_) | Err(_) => units::parse_percent(limit),
            })
        })
    }

    fn write_value(value: &Percent) -> Yaml {
        Yaml::Scalar(quote_text(&format!("< {value}")))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "limit: `<` and a percentage",
            "\"< 0.1%\"",
            json!({ "type": "string", "pattern": r"^<\s*[0-9]+(\.[0-9]{1,4})?%$" }),
        )
    }
}

/// By how much something may be slower than on the baseline.
pub(crate) struct NoSlowerForm;

/// What stands before the percentage.
const NO_SLOWER: &str = "no slower than";

impl Form for NoSlowerForm {
    type Value = Percent;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Percent> {
        read_quantity(findings, at, |text| match text.strip_prefix(NO_SLOWER) {
            Some(limit) => units::parse_percent(limit.trim()).map_err(|UnreadableQuantity { why, hint }| {
                UnreadableQuantity { why, hint: format!("after `{NO_SLOWER}`, {hint}") }
            }),
            None => {
                let amount = text.trim_start_matches(['<', '>', '=', '+', ' ']);
                let amount = if units::parse_percent(amount).is_ok() { amount } else { "20%" };
                let hint = format!("write `{NO_SLOWER} {amount}`");
                Err(UnreadableQuantity { why: "not a limit on a change".to_owned(), hint })
            }
        })
    }

    fn write_value(value: &Percent) -> Yaml {
        Yaml::Scalar(quote_text(&format!("{NO_SLOWER} {value}")))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "limit: `no slower than` and a percentage",
            "\"no slower than 20%\"",
            json!({ "type": "string", "pattern": r"^no slower than\s*[0-9]+(\.[0-9]{1,4})?%$" }),
        )
    }
}

/// A rate that must be exceeded.
pub(crate) struct ExceededRateForm;

impl Form for ExceededRateForm {
    type Value = PerSecond;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<PerSecond> {
        read_quantity(findings, at, |text| read_limit(text, '>', "5000/s", units::parse_per_second))
    }

    fn write_value(value: &PerSecond) -> Yaml {
        Yaml::Scalar(quote_text(&format!("> {value}")))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "limit: `>` and a number with `/s`",
            "\"> 5000/s\"",
            json!({ "type": "string", "pattern": r"^>\s*[0-9]+(\.[0-9]{1,3})?/s$" }),
        )
    }
}

/// A limit: its sign, and an amount behind it.
fn read_limit<T>(
    text: &str,
    sign: char,
    example: &str,
    parse: impl Fn(&str) -> Result<T, UnreadableQuantity>,
) -> Result<T, UnreadableQuantity> {
    let amount = text.trim_start_matches(['<', '>', '=', ' ']);
    if text.strip_prefix(sign).is_none_or(|behind| behind.trim_start().len() != amount.len()) {
        let amount = if amount.is_empty() { example } else { amount };
        let hint = match parse(amount) {
            Ok(_) => format!("write `{sign} {amount}`"),
            Err(error) => behind_sign(&error.hint, sign),
        };
        return Err(UnreadableQuantity { why: "not a limit".to_owned(), hint });
    }
    parse(amount).map_err(|UnreadableQuantity { why, hint }| UnreadableQuantity { why, hint: behind_sign(&hint, sign) })
}

/// The hint on an amount, which has a sign before it in a limit.
fn behind_sign(hint: &str, sign: char) -> String {
    format!("after `{sign}`, {hint}")
}
