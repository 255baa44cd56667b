//! Lists and mappings of names of a person's choice.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;

use serde_json::{Value as Json, json};

use super::super::document::{MappingEntry, Span, YamlValue, is_null};
use super::super::error::{PlanFinding, value_for_message};
use super::mapping::{is_read, join_path};
use super::values::is_setting_name;
use super::{At, Form, MappingEntries, PlanReadingFindings, ValueDescription, Yaml, quote_text};

/// Values of one form, at least so many, none twice.
pub(crate) struct List<F, const MIN: usize, C = Vec<<F as Form>::Value>>(PhantomData<(F, C)>)
where
    F: Form;

impl<F: Form, const MIN: usize, C> Form for List<F, MIN, C>
where
    C: FromIterator<F::Value>,
    for<'c> &'c C: IntoIterator<Item = &'c F::Value>,
{
    type Value = C;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<C> {
        let items = match &at.node.value {
            YamlValue::List(items) => items.as_slice(),
            // One value is a list of one; nothing is none.
            YamlValue::Plain(text) if is_null(text) => {
                return at.report_wrong_value(findings, "not a list", Self::replacement_hint());
            }
            YamlValue::Plain(_) | YamlValue::Quoted(_) => std::slice::from_ref(at.node),
            YamlValue::Map(_) => return at.report_wrong_value(findings, "not a list", Self::replacement_hint()),
        };
        if items.len() < MIN {
            return at.report_wrong_value(findings, "too few", Self::replacement_hint());
        }
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let read = items.iter().filter_map(|node| {
            if let Some(text) = node.scalar_text()
                && let Some(first) = seen.get(text)
            {
                let message = format!("{}: {} is given twice", at.path, node.describe_value());
                let place = format!("it is first given in line {}, column {}", first.start.line, first.start.column);
                findings.push(PlanFinding::new(node.span, message).detail(place).hint("keep one of the two"));
                return None;
            }
            seen.extend(node.scalar_text().map(|text| (text, node.span)));
            F::read_value(findings, &At { node, ..*at })
        });
        Some(read.collect())
    }

    fn write_value(value: &C) -> Yaml {
        Yaml::inline_list(value.into_iter().map(F::write_value))
    }

    fn describe_form() -> ValueDescription {
        let ValueDescription { words, example, schema, .. } = F::describe_form();
        // Of numbers, two show that there may be several.
        let example = if example.parse::<f64>().is_ok() { "[2, 8]".to_owned() } else { format!("[{example}]") };
        let list = json!({ "type": "array", "items": schema, "uniqueItems": true, "minItems": MIN });
        let schema = json!({ "anyOf": [list, schema] });
        ValueDescription::new(format!("list of<br>{words}"), example, schema)
    }

    fn value_when_absent() -> Option<C> {
        Some(C::from_iter(None))
    }
}

/// Two values of one form or more, in an order that counts.
pub(crate) struct ValueSequence<F>(PhantomData<F>);

impl<F: Form> Form for ValueSequence<F> {
    type Value = Vec<F::Value>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        let hint = || Self::replacement_hint();
        match &at.node.value {
            YamlValue::List(items) if items.len() < 2 => {
                at.report_wrong_value(findings, "which needs at least two elements", hint())
            }
            YamlValue::List(items) => {
                let values = items.iter().map(|node| F::read_value(findings, &At { node, ..*at }));
                // All of them are read, whatever the first ones are.
                values.collect::<Vec<_>>().into_iter().collect()
            }
            YamlValue::Plain(_) | YamlValue::Quoted(_) | YamlValue::Map(_) => {
                at.report_wrong_value(findings, "not a list", hint())
            }
        }
    }

    fn write_value(value: &Self::Value) -> Yaml {
        if value.is_empty() { Yaml::Absent } else { Yaml::inline_list(value.iter().map(F::write_value)) }
    }

    fn describe_form() -> ValueDescription {
        let ValueDescription { words, example, schema, .. } = F::describe_form();
        let schema = json!({ "type": "array", "items": schema, "minItems": 2 });
        ValueDescription::new(format!("ordered list of<br>{words}"), format!("[{example}, {example}]"), schema)
    }

    fn value_when_absent() -> Option<Self::Value> {
        Some(Vec::new())
    }
}

/// Something that stands under a name of a person's choice.
pub(crate) trait HasName {
    fn name(&self) -> &str;
}

/// Names that a person chooses, at least one, to values of one form; a name has so many parts at most, with a `/`
/// between. What could not be read is left out.
pub(crate) struct NamedValues<F, const PARTS: usize = 1>(PhantomData<F>);

impl<F: Form<Value: HasName>, const PARTS: usize> Form for NamedValues<F, PARTS> {
    type Value = Vec<F::Value>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        let hint = || Self::replacement_hint();
        let YamlValue::Map(entries) = &at.node.value else {
            return at.report_wrong_value(findings, "not a mapping of names", hint());
        };
        if entries.is_empty() {
            return at.report_wrong_value(findings, "which is empty", hint());
        }
        let mut values = Vec::new();
        for MappingEntry { key, key_span, node } in entries {
            let before = findings.len();
            if key.split('/').count() > PARTS || !key.split('/').all(is_name) {
                let message = format!("{}: the name {} cannot be a file name", at.path, value_for_message(key));
                let hint =
                    "start with a letter or digit, followed by letters, digits, \"_\", \".\" and \"-\", 64 at most";
                findings.push(PlanFinding::new(*key_span, message).hint(hint).mark_as_read());
            }
            let value = F::read_value(findings, &At { node, path: &join_path(at.path, key), name: key, ..*at });
            values.extend(value.filter(|_| is_read(&findings[before..])));
        }
        Some(values)
    }

    fn write_value(value: &Self::Value) -> Yaml {
        Yaml::Map(value.iter().map(|value| (quote_text(value.name()), F::write_value(value))).collect())
    }

    fn describe_form() -> ValueDescription {
        const NAME: &str = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}";
        let ValueDescription { example, schema, below, .. } = F::describe_form();
        let more = if PARTS > 1 { format!("(/{NAME})?") } else { String::new() };
        let schema = json!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "pattern": format!("^{NAME}{more}$") },
            "additionalProperties": schema,
        });
        let about = ValueDescription::new("mapping of names", format!("{{ a-name: {example} }}"), schema);
        ValueDescription { below: below.into_iter().map(|(_, mapping)| ("*.", mapping)).collect(), ..about }
    }

    fn value_when_absent() -> Option<Self::Value> {
        Some(Vec::new())
    }
}

/// Several values that need not be there: none of them is not written.
pub(crate) struct OrNone<F>(PhantomData<F>);

impl<T, F: Form<Value = Vec<T>>> Form for OrNone<F> {
    type Value = Vec<T>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        F::read_value(findings, at)
    }

    fn write_value(value: &Self::Value) -> Yaml {
        if value.is_empty() { Yaml::Absent } else { F::write_value(value) }
    }

    fn describe_form() -> ValueDescription {
        F::describe_form()
    }

    fn value_when_absent() -> Option<Self::Value> {
        Some(Vec::new())
    }
}

/// Whether a name can stand in a file name on every file system.
fn is_name(text: &str) -> bool {
    const CHARS_MAX: usize = 64;
    text.len() <= CHARS_MAX
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// PostgreSQL settings by name, as text.
pub(crate) type SettingsByName = BTreeMap<String, String>;

/// Each scalar as its text; `hint` says what to write in place of anything else.
fn read_scalar_texts(
    findings: &mut PlanReadingFindings,
    at: &At<'_>,
    entries: &[MappingEntry],
    hint: &str,
) -> SettingsByName {
    let mut texts = SettingsByName::new();
    for MappingEntry { key, node, .. } in entries {
        match &node.value {
            YamlValue::Quoted(text) => drop(texts.insert(key.clone(), text.clone())),
            YamlValue::Plain(text) if !is_null(text) => drop(texts.insert(key.clone(), text.clone())),
            YamlValue::Plain(_) | YamlValue::List(_) | YamlValue::Map(_) => {
                let message = format!("{}: found {}, not a value", join_path(at.path, key), node.describe_value());
                findings.push(PlanFinding::new(node.span, message).hint(hint));
            }
        }
    }
    texts
}

fn yaml_of_texts(texts: &SettingsByName) -> Yaml {
    Yaml::Map(
        texts
            .iter()
            .map(|(name, value)| (quote_text(name), Yaml::Scalar(quote_text(value))))
            .collect::<MappingEntries>(),
    )
}

fn schema_of_texts(names: &str) -> Json {
    json!({
        "type": "object",
        "propertyNames": { "pattern": names },
        "additionalProperties": { "type": ["string", "number", "boolean"] },
    })
}

impl Form for SettingsByName {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let YamlValue::Map(entries) = &at.node.value else {
            return at.report_wrong_value(findings, "not a mapping of settings", Self::replacement_hint());
        };
        let mut seen: HashMap<String, &MappingEntry> = HashMap::new();
        for entry in entries {
            let (name, span) = (value_for_message(&entry.key), entry.key_span);
            let first = seen.insert(entry.key.to_lowercase(), entry);
            if !is_setting_name(&entry.key) {
                let hint = "write letters, digits and \"_\", with one \".\" for the setting of an extension";
                let message = format!("{}: {name} is not the name of a setting", at.path);
                findings.push(PlanFinding::new(span, message).hint(hint));
            } else if let Some(first) = first {
                let place = format!("it is first given in line {}", first.key_span.start.line);
                let message = format!("{}: the setting {name} is given twice", at.path);
                findings.push(PlanFinding::new(span, message).detail(place).hint("keep one of the two"));
            }
        }
        let hint = "write a text, a number, true or false; write several items as one text: \"a, b\"";
        Some(read_scalar_texts(findings, at, entries, hint))
    }

    fn write_value(value: &Self) -> Yaml {
        yaml_of_texts(value)
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "mapping of settings to values",
            "{ work_mem: 64MB }",
            schema_of_texts(r"^[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z_][A-Za-z0-9_$]*)*$"),
        )
    }

    fn value_when_absent() -> Option<Self> {
        Some(Self::new())
    }
}

/// Variables of scripts, by name.
pub(crate) struct VariablesForm;

impl Form for VariablesForm {
    type Value = BTreeMap<String, String>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        let YamlValue::Map(entries) = &at.node.value else {
            return at.report_wrong_value(findings, "not a mapping of variables", Self::replacement_hint());
        };
        for MappingEntry { key, key_span, .. } in entries {
            if key.is_empty() || !key.chars().all(|c| c.is_alphanumeric() || c == '_') {
                let message = format!("{}: {} is not the name of a variable", at.path, value_for_message(key));
                findings.push(PlanFinding::new(*key_span, message).hint("write letters, digits and \"_\""));
            }
        }
        Some(read_scalar_texts(findings, at, entries, "write a number, a text or true or false"))
    }

    fn write_value(value: &Self::Value) -> Yaml {
        yaml_of_texts(value)
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "mapping of variables to values",
            "{ customers: 1000 }",
            schema_of_texts(r"^[\p{L}\p{N}_]+$"),
        )
    }
}
