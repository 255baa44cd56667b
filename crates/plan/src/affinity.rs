//! Where a pod may be beside other pods and nodes, in Kubernetes' own words: what pgdyno hands on as it stands.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::document::MappingEntry;
use super::language::{At, Form, MappingEntries, PlanReadingFindings, ValueDescription, Yaml, quote_text};

/// The kinds of it, as the specification of a pod calls them.
const KINDS: [&str; 3] = ["nodeAffinity", "podAffinity", "podAntiAffinity"];

/// The rules of each kind, by its name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Affinity(pub BTreeMap<String, Json>);

impl Affinity {
    /// As a pod has it; none where there are no rules.
    pub(crate) fn of_pod(&self) -> Option<Json> {
        (!self.0.is_empty()).then(|| json!(self.0))
    }

    /// As a cluster of CloudNativePG has it, which has rules of its own between its pods.
    pub(crate) fn of_cluster(&self) -> impl Iterator<Item = (String, Json)> {
        let name = |kind: &str| match kind {
            "podAffinity" => "additionalPodAffinity".to_owned(),
            "podAntiAffinity" => "additionalPodAntiAffinity".to_owned(),
            kind => kind.to_owned(),
        };
        self.0.iter().map(move |(kind, rules)| (name(kind), rules.clone()))
    }
}

impl Form for Affinity {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let entries = at.node.mapping_entries();
        if entries.is_empty() || entries.iter().any(|MappingEntry { key, .. }| !KINDS.contains(&key.as_str())) {
            let hint = "write one or more of `nodeAffinity`, `podAffinity` and `podAntiAffinity`, as a pod has them";
            return at.report_wrong_value(findings, "not an affinity rule of Kubernetes", hint);
        }
        Some(Self(entries.iter().map(|MappingEntry { key, node, .. }| (key.clone(), node.to_json())).collect()))
    }

    fn write_value(Self(kinds): &Self) -> Yaml {
        // What is JSON is YAML on one line.
        let entries: MappingEntries =
            kinds.iter().map(|(kind, rules)| (quote_text(kind), Yaml::Scalar(rules.to_string()))).collect();
        if entries.is_empty() { Yaml::Absent } else { Yaml::Map(entries) }
    }

    fn describe_form() -> ValueDescription {
        let of_kind = json!({ "type": "object" });
        let kinds: BTreeMap<&str, &Json> = KINDS.into_iter().map(|kind| (kind, &of_kind)).collect();
        let schema = json!({ "type": "object", "properties": kinds, "additionalProperties": false });
        ValueDescription::new("affinity of a pod, as in Kubernetes", "{ nodeAffinity: { … } }", schema)
    }

    fn value_when_absent() -> Option<Self> {
        Some(Self::default())
    }
}
