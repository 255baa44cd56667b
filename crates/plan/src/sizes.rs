//! The size of a workload's data, as a plan gives it, and how many clients it may have.

use serde_json::json;

use super::document::YamlValue;
use super::language::{At, Form, List, PlanReadingFindings, ValueDescription, Whole, Yaml};

/// The most clients: what PostgreSQL takes for max_connections.
pub(crate) const CLIENTS_MAX: u64 = 262_143;

/// A size of data: a whole number in these limits, or a rising list of them, each of which is a workload of its own.
pub(crate) struct Sizes<const MIN: u64, const MAX: u64>;

impl<const MIN: u64, const MAX: u64> Form for Sizes<MIN, MAX> {
    type Value = u32;

    /// A list that stands here is none of sizes: one that is has been written out by `Workloads`.
    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<u32> {
        let YamlValue::List(_) = at.node.value else { return Whole::<MIN, MAX>::read_value(findings, at) };
        let before = findings.len();
        List::<Whole<MIN, MAX>, 1>::read_value(findings, at)?;
        if findings.len() > before {
            return None;
        }
        at.report_wrong_value(findings, "which is not in ascending order", "write the smallest size first")
    }

    fn write_value(value: &u32) -> Yaml {
        Whole::<MIN, MAX>::write_value(value)
    }

    fn describe_form() -> ValueDescription {
        let ValueDescription { words, example, schema, .. } = Whole::<MIN, MAX>::describe_form();
        let list = json!({ "type": "array", "items": schema, "uniqueItems": true, "minItems": 1 });
        ValueDescription::new(
            format!("{words}; or an ascending list of them"),
            example,
            json!({ "anyOf": [schema, list] }),
        )
    }
}
