//! From which change on what does not decide counts all the same: costs and statements.

use serde_json::json;

use super::language::{At, Form, PlanReadingFindings, ValueDescription, Yaml, record};
use super::units::Percent;

record! {
    /// Threshold for secondary metrics.
    #[derive(Copy)]
    pub struct Margin = "a margin" {
        /// The smallest change worth acting on. If the whole interval is beyond it, the run fails (exit status 1).
        /// `off` disables these verdicts.
        key threshold: Threshold = Default("20%"),
    }
}

/// The smallest change worth acting on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threshold {
    /// This share.
    Share(Percent),
    /// There is none: nothing is judged.
    Off,
}

impl Threshold {
    const OFF: &'static str = "off";

    /// The share as a fraction; none where nothing is judged.
    #[must_use]
    pub fn as_fraction(self) -> Option<f64> {
        match self {
            Self::Share(share) => Some(share.as_fraction()),
            Self::Off => None,
        }
    }
}

impl Form for Threshold {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        match at.scalar_text() {
            Self::OFF => Some(Self::Off),
            _ => Percent::read_value(findings, at).map(Self::Share),
        }
    }

    fn write_value(value: &Self) -> Yaml {
        match value {
            Self::Share(share) => Percent::write_value(share),
            Self::Off => Yaml::Scalar(Self::OFF.to_owned()),
        }
    }

    fn describe_form() -> ValueDescription {
        let off = ValueDescription::new("`off`", Self::OFF, json!({ "const": Self::OFF }));
        ValueDescription::any_of([Percent::describe_form(), off])
    }
}
