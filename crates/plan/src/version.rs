//! The PostgreSQL version of a local server, as a plan gives it.

use std::fmt;

use catalog::{NEWEST_MAJOR, OLDEST_MAJOR, VERSIONS, version_with_number};
use serde_json::json;

use super::document::{YamlValue, is_number};
use super::language::{At, Form, PlanReadingFindings, ValueDescription, Yaml, parse_canonical_number, quote_text};

/// A PostgreSQL release, or the newest one of a major version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PostgresVersion {
    /// The major version, one of those that pgdyno knows.
    pub major: u32,
    /// The minor version; absent: the newest that can be had.
    pub minor: Option<u32>,
}

impl PostgresVersion {
    /// The oldest major version that pgdyno measures.
    pub const MAJOR_MIN: u32 = OLDEST_MAJOR;
    /// The newest major version that pgdyno knows.
    pub const MAJOR_MAX: u32 = NEWEST_MAJOR;
}

impl PostgresVersion {
    /// Whether Maven Central had embedded binaries of it when this pgdyno was released.
    #[must_use]
    pub fn has_embedded_binaries(self) -> bool {
        version_with_number(self.major).is_some_and(|version| version.has_embedded_binaries)
    }
}

fn newest_embedded_major() -> u32 {
    let embedded = VERSIONS.iter().rev().find(|version| version.has_embedded_binaries);
    embedded.map_or(NEWEST_MAJOR, |version| version.number)
}

impl fmt::Display for PostgresVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.minor {
            Some(minor) => write!(f, "{}.{minor}", self.major),
            None => write!(f, "{}", self.major),
        }
    }
}

impl Form for PostgresVersion {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let range = format!("{} to {}", Self::MAJOR_MIN, Self::MAJOR_MAX);
        let text = match &at.node.value {
            YamlValue::Plain(text) if is_number(text) && text.contains('.') => {
                let hint = format!("write it in quotes: \"{text}\"");
                return at.report_wrong_value(findings, "which other readers of YAML read as a decimal fraction", hint);
            }
            YamlValue::Plain(_) | YamlValue::Quoted(_) | YamlValue::List(_) | YamlValue::Map(_) => at.scalar_text(),
        };
        let (major, minor) = text.split_once('.').map_or((text, None), |(major, minor)| (major, Some(minor)));
        let version = parse_canonical_number(major).and_then(|major| match minor {
            None => Some(Self { major, minor: None }),
            Some(minor) => Some(Self { major, minor: Some(parse_canonical_number(minor)?) }),
        });
        let (why, hint) = match version {
            Some(v) if v.major < Self::MAJOR_MIN => ("which is not supported", format!("write a version from {range}")),
            Some(v) if v.major > Self::MAJOR_MAX => (
                "which this version of pgdyno does not know",
                format!("write a version from {range}, or specify installed binaries with `bin`"),
            ),
            Some(version) => return Some(version),
            None => ("not a version of PostgreSQL", format!("write {range}, or a release in quotes: \"17.5\"")),
        };
        at.report_wrong_value(findings, why, hint)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(if value.minor.is_none() { value.to_string() } else { quote_text(&value.to_string()) })
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            format!("`{}` to `{}`, or a release in quotes", Self::MAJOR_MIN, Self::MAJOR_MAX),
            // One that every machine can have.
            newest_embedded_major().to_string(),
            {
                let majors: Vec<String> = (Self::MAJOR_MIN..=Self::MAJOR_MAX).map(|major| major.to_string()).collect();
                let release = format!(r"^({})(\.(0|[1-9][0-9]*))?$", majors.join("|"));
                json!({ "anyOf": [
            { "type": "integer", "minimum": Self::MAJOR_MIN, "maximum": Self::MAJOR_MAX },
            { "type": "string", "pattern": release },
        ] })
            },
        )
    }
}
