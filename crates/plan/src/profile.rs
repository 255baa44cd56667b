//! How often what the server executes is sampled.

use std::num::NonZero;

use serde_json::json;

use super::language::{At, Form, PlanReadingFindings, ValueDescription, Whole, Yaml};

/// The most samples per second of CPU time.
const MOST_HZ: u64 = 999;

/// How often what the server executes is sampled: so many times per second of CPU time, or never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfileFrequency {
    /// No samples are taken.
    Off,
    /// Samples per second of CPU time.
    Hz(NonZero<u32>),
}

impl ProfileFrequency {
    const OFF: &'static str = "off";

    /// Samples per second of CPU time; none where it is off.
    #[must_use]
    pub fn samples_per_s(self) -> Option<u32> {
        match self {
            Self::Off => None,
            Self::Hz(hz) => Some(hz.get()),
        }
    }
}

impl Form for ProfileFrequency {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        match at.scalar_text() {
            Self::OFF => Some(Self::Off),
            _ => Whole::<1, MOST_HZ>::read_value(findings, at).and_then(NonZero::new).map(Self::Hz),
        }
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(value.samples_per_s().map_or_else(|| Self::OFF.to_owned(), |hz| hz.to_string()))
    }

    fn describe_form() -> ValueDescription {
        let off = ValueDescription::new("`off`", Self::OFF, json!({ "const": Self::OFF }));
        ValueDescription::any_of([Whole::<1, MOST_HZ>::describe_form(), off])
    }
}
