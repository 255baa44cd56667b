//! The name of an object of Kubernetes, as a plan gives it.

use serde_json::json;

use super::language::{At, Form, PlanReadingFindings, ValueDescription, Yaml, quote_text, read_text};

/// The name of an object of Kubernetes: lower-case letters, digits, `-` and `.`, at most 63.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectName(pub String);

impl Form for ObjectName {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let why = "not the name of a Kubernetes object";
        let hint = "write lower-case letters, digits, `-` and `.`, at most 63 characters";
        read_text(findings, at, is_object_name, why, hint).map(Self)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.0))
    }

    fn describe_form() -> ValueDescription {
        let schema = json!({ "type": "string", "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$", "maxLength": 63 });
        ValueDescription::new("name of an object", "db-stage", schema)
    }
}

/// Letters and digits at both ends, these with `-` and `.` between them.
fn is_object_name(text: &str) -> bool {
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= 63
        && text.starts_with(is_end)
        && text.ends_with(is_end)
        && text.chars().all(|c| is_end(c) || c == '-' || c == '.')
}
