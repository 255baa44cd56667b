//! What a target costs: a price that a person has looked up, with its day and what it includes. pgdyno knows no prices.

use std::fmt;

use jiff::civil::Date;
use serde_json::json;

use super::language::{At, Form, PlanReadingFindings, TextForm, ValueDescription, Yaml, quote_text, record};
use super::units::parse_decimal;

record! {
    /// The price of a target.
    pub struct Cost = "cost" {
        /// Price per hour of everything listed in `includes`, with at most six decimals.
        key per_hour: MoneyAmount,
        /// Currency code (ISO 4217). All targets of a plan must have the same currency; pgdyno does not convert.
        key currency: Currency,
        /// Date of the price: `2026-11-01`.
        key as_of: Date,
        /// What the price includes, such as `"vm, disk"`. Printed beside every price.
        key includes: String as TextForm,
    }
}

/// An amount of money, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoneyAmount {
    millionths: u64,
}

impl MoneyAmount {
    /// More than any machine costs in an hour.
    const MILLIONTHS_MAX: u64 = 1_000_000 * 1_000_000;

    /// The amount.
    #[must_use]
    pub fn amount(self) -> f64 {
        self.millionths as f64 / 1e6
    }
}

impl fmt::Display for MoneyAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Cents are written out, also where they are none.
        let text = format!("{}.{:06}", self.millionths / 1_000_000, self.millionths % 1_000_000);
        let end = text.trim_end_matches('0').len().max(text.len() - 4);
        f.write_str(&text[..end])
    }
}

impl Form for MoneyAmount {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let hint = "write the price of an hour, such as 0.40, with at most six decimals";
        match parse_decimal(at.scalar_text(), 6) {
            Some(0) => {
                at.report_wrong_value(findings, "which is not a price", "remove `cost` from a target without a price")
            }
            Some(millionths) if millionths <= Self::MILLIONTHS_MAX => Some(Self { millionths }),
            Some(_) => at.report_wrong_value(findings, "out of range", hint),
            None => at.report_wrong_value(findings, "not a price", hint),
        }
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(value.to_string())
    }

    fn describe_form() -> ValueDescription {
        let schema = json!({ "anyOf": [
            { "type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000 },
            { "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,6})?$" },
        ] });
        ValueDescription::new("price: number, at most six decimals", "0.40", schema)
    }
}

/// A currency, by its three letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Currency([u8; 3]);

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

impl Form for Currency {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        match <[u8; 3]>::try_from(at.scalar_text().as_bytes()) {
            Ok(letters) if letters.iter().all(u8::is_ascii_uppercase) => Some(Self(letters)),
            _ => at.report_wrong_value(findings, "not a currency", "write three capital letters, such as EUR"),
        }
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.to_string()))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new("three capital letters", "EUR", json!({ "type": "string", "pattern": "^[A-Z]{3}$" }))
    }
}

/// A day, written as `2026-11-01`.
impl Form for Date {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let text = at.scalar_text();
        let day = text.parse::<Self>().ok().filter(|day| day.to_string() == text);
        day.or_else(|| at.report_wrong_value(findings, "not a day", Self::replacement_hint()))
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.to_string()))
    }

    fn describe_form() -> ValueDescription {
        let schema = json!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });
        ValueDescription::new("day: year, month and day", "2026-11-01", schema)
    }
}
