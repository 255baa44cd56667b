//! What is compared besides every target with the baseline: pairs of targets, and several ladders.

use std::marker::PhantomData;

use serde_json::json;

use super::document::{Node, YamlValue};
use super::language::{At, Form, PlanReadingFindings, TargetName, ValueDescription, Yaml};

/// Two targets that are compared with each other: `[pg18/sync, pg18]` asks what the first gains over the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedTargets {
    /// The target whose gain is asked.
    pub candidate: String,
    /// The target that it is compared with.
    pub baseline: String,
}

impl Form for ComparedTargets {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let hint = "write two targets, the one in question first: [candidate, baseline]";
        let YamlValue::List(items) = &at.node.value else {
            return at.report_wrong_value(findings, "not a pair of targets", hint);
        };
        let [candidate, baseline] = items.as_slice() else {
            return at.report_wrong_value(findings, "not two targets", hint);
        };
        let candidate = TargetName::read_value(findings, &At { node: candidate, ..*at });
        let baseline = TargetName::read_value(findings, &At { node: baseline, ..*at });
        Some(Self { candidate: candidate?, baseline: baseline? })
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::inline_list([&value.candidate, &value.baseline].into_iter().map(TargetName::write_value))
    }

    fn describe_form() -> ValueDescription {
        let ValueDescription { schema, .. } = TargetName::describe_form();
        let schema = json!({ "type": "array", "items": schema, "minItems": 2, "maxItems": 2, "uniqueItems": true });
        ValueDescription::new("pair of targets", "[candidate, baseline]", schema)
    }
}

/// A list, or a list of such lists; none of them is not written, and one is written as itself.
pub(crate) struct OneOrMoreLists<F>(PhantomData<F>);

impl<F: Form> Form for OneOrMoreLists<F> {
    type Value = Vec<F::Value>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        let Some(items) = lists_in_list(at.node) else {
            return F::read_value(findings, at).map(|only| vec![only]);
        };
        let mut values = Vec::new();
        for node in items {
            values.push(F::read_value(findings, &At { node, ..*at }));
        }
        values.into_iter().collect()
    }

    fn write_value(value: &Self::Value) -> Yaml {
        match value.as_slice() {
            [] => Yaml::Absent,
            [only] => F::write_value(only),
            several => Yaml::inline_list(several.iter().map(F::write_value)),
        }
    }

    fn describe_form() -> ValueDescription {
        let ValueDescription { words, example, schema, .. } = F::describe_form();
        let several = json!({ "type": "array", "items": schema, "minItems": 1 });
        ValueDescription::new(format!("{words}; or a list of them"), example, json!({ "anyOf": [schema, several] }))
    }

    fn value_when_absent() -> Option<Self::Value> {
        Some(Vec::new())
    }
}

/// The items of a list of which one at least is a list; of a plain list none.
pub(crate) fn lists_in_list(node: &Node) -> Option<&[Node]> {
    let YamlValue::List(items) = &node.value else { return None };
    let is_nested = items.iter().any(|item| matches!(item.value, YamlValue::List(_)));
    is_nested.then_some(items.as_slice())
}
