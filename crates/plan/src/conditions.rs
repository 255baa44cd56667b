//! A YAML file of any keys as a flat list of conditions: what a study states has no grammar of its own.

use super::document::{self, Node, YamlValue};
use super::error::{PlanErrors, PlanFinding};

/// One condition: the keys that lead to it and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The keys, outermost first.
    pub keys: Vec<String>,
    /// The scalar, or the scalars of a list joined with commas.
    pub value: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Reads the conditions in the order of the file. `file` is its name, for the errors only.
///
/// # Errors
///
/// When it is not YAML, or no mapping.
pub fn parse_conditions(file: &str, text: &str) -> Result<Vec<Condition>, PlanErrors> {
    let mut findings = Vec::new();
    let root = document::read_document(text, &mut findings).map_err(|finding| findings.push(finding)).ok();
    let mut found = Vec::new();
    if let Some(root) = root {
        if !matches!(root.value, YamlValue::Map(_)) {
            let message = format!("a study is a mapping of conditions, found {}", root.describe_value());
            findings.push(PlanFinding::new(root.span, message));
        }
        collect_conditions(&root, &mut Vec::new(), &mut found);
    }
    if findings.is_empty() { Ok(found) } else { Err(PlanErrors::new(file, text, findings)) }
}

fn collect_conditions(node: &Node, keys: &mut Vec<String>, found: &mut Vec<Condition>) {
    let line = node.span.start.line;
    match &node.value {
        YamlValue::Plain(text) if document::is_null(text) => {}
        YamlValue::Plain(text) | YamlValue::Quoted(text) => {
            found.push(Condition { keys: keys.clone(), value: text.clone(), line });
        }
        YamlValue::List(items) => {
            let scalars: Option<Vec<&str>> = items.iter().map(scalar_text).collect();
            match scalars {
                Some(scalars) => {
                    found.push(Condition { keys: keys.clone(), value: scalars.join(", "), line });
                }
                None => items.iter().enumerate().for_each(|(index, item)| {
                    keys.push((index + 1).to_string());
                    collect_conditions(item, keys, found);
                    keys.pop();
                }),
            }
        }
        YamlValue::Map(entries) => entries.iter().for_each(|entry| {
            keys.push(entry.key.clone());
            collect_conditions(&entry.node, keys, found);
            keys.pop();
        }),
    }
}

fn scalar_text(node: &Node) -> Option<&str> {
    match &node.value {
        YamlValue::Plain(text) | YamlValue::Quoted(text) => Some(text),
        YamlValue::List(_) | YamlValue::Map(_) => None,
    }
}
