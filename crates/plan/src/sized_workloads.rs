//! Several sizes of a workload's data → workloads of their own.
//!
//! `scale: [100, 300]` of a workload `read` is two workloads, `read/scale-100` and `read/scale-300`. The resolved plan
//! has those, so that schedule, comparison and reports know workloads only.

use super::cross_check;
use super::document::{MappingEntry, Node, YamlValue};
use super::language::{At, Form, NamedValues, PlanReadingFindings, ValueDescription, Yaml};
use super::mix;
use super::workload::Workload;

/// Where a workload can have several sizes: the keys that lead there, and what a name says of one.
const PLACES: [(&[&str], &str); 4] = [
    (&["scale"], "scale"),
    (&["sysbench", "table_size"], "rows"),
    (&["read-intensive", "table_size"], "rows"),
    (&["erp", "scale"], "scale"),
];

/// The workloads of a plan, each size of one a workload, and each of these that is cross-checked two.
pub(super) struct Workloads;

/// As they are once sizes are written out: a name may say one, and a generator.
type WrittenOut = NamedValues<Workload, 3>;

impl Form for Workloads {
    type Value = Vec<Workload>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Vec<Workload>> {
        let YamlValue::Map(entries) = &at.node.value else { return WrittenOut::read_value(findings, at) };
        let before = findings.len();
        let sized: Vec<_> = entries.iter().flat_map(written_out).collect();
        let entries = mix::write_out_members(findings, at.path, &sized);
        let value = YamlValue::Map(entries);
        let workloads = WrittenOut::read_value(findings, &At { node: &Node { span: at.node.span, value }, ..*at });
        // What one size of a workload has against it, the others have, too.
        let mut said: Vec<_> = Vec::new();
        let found = findings.split_off(before);
        for finding in found {
            let key = (finding.span, finding.hint.clone());
            if !said.contains(&key) {
                said.push(key);
                findings.push(finding);
            }
        }
        workloads.map(|workloads| cross_check::written_out(&workloads))
    }

    fn write_value(value: &Vec<Workload>) -> Yaml {
        WrittenOut::write_value(value)
    }

    fn describe_form() -> ValueDescription {
        WrittenOut::describe_form()
    }

    fn value_when_absent() -> Option<Vec<Workload>> {
        Some(Vec::new())
    }
}

/// A workload as it is written, or one for each of its sizes.
fn written_out(written: &MappingEntry) -> Vec<MappingEntry> {
    let several = PLACES.iter().find_map(|(path, word)| Some((path, word, rising_sizes(&written.node, path)?)));
    let Some((path, word, sizes)) = several else { return vec![written.clone()] };
    let of_one = |size: &Node| {
        let mut one = written.clone();
        one.key = format!("{}/{word}-{}", written.key, size.scalar_text().unwrap_or_default());
        if let Some(value) = node_at_path(&mut one.node, path) {
            *value = size.clone();
        }
        one
    };
    sizes.iter().map(of_one).collect()
}

/// The sizes at this place, if they are several in order.
fn rising_sizes<'n>(node: &'n Node, path: &[&str]) -> Option<&'n [Node]> {
    let value = path.iter().try_fold(node, |node, key| node.get(key).map(|entry| &entry.node))?;
    let YamlValue::List(items) = &value.value else { return None };
    let number = |item: &Node| match &item.value {
        YamlValue::Plain(text) => text.parse::<u64>().ok(),
        YamlValue::Quoted(_) | YamlValue::List(_) | YamlValue::Map(_) => None,
    };
    let sizes: Vec<u64> = items.iter().map(number).collect::<Option<_>>()?;
    (!sizes.is_empty() && sizes.is_sorted_by(|one, next| one < next)).then_some(items)
}

fn node_at_path<'n>(node: &'n mut Node, path: &[&str]) -> Option<&'n mut Node> {
    path.iter().try_fold(node, |node, key| match &mut node.value {
        YamlValue::Map(entries) => entries.iter_mut().find(|entry| entry.key == *key).map(|entry| &mut entry.node),
        YamlValue::Plain(_) | YamlValue::Quoted(_) | YamlValue::List(_) => None,
    })
}
