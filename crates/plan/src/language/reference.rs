//! What the declarations say to editors, and to people in messages: the JSON Schema and examples.
//!
//! The schema holds what concerns one value or the keys of one mapping. What concerns several values at once
//! (`baseline` names a target, `at_most` is not below `at_least`) is beyond JSON Schema and checked by `parse` only.

use serde_json::{Map, Value as Json, json};

use super::super::document::{Node, YamlValue, is_bool, is_null, is_number};
use super::{Key, KeyPresence, Mapping, MappingRecord, default_value};

/// A mapping as a plan would have it: the keys that it has to have.
pub(super) fn example_mapping(mapping: &Mapping) -> String {
    let first = mapping.one_of().into_iter().next();
    let with_first =
        |key: &Key| mapping.dependent_key_pairs().any(|(with, name)| Some(with) == first && name == key.name);
    let shown = |key: &&Key| key.presence == KeyPresence::Required || first == Some(key.name) || with_first(key);
    let keys: Vec<String> =
        mapping.keys.iter().filter(shown).map(|key| format!("{}: {}", key.name, (key.about)().example)).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// The JSON Schema (2020-12) of a whole file.
pub(crate) fn json_schema<R: MappingRecord>(title: &str) -> Json {
    let mut schema = mapping_schema(&R::describe_mapping());
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(title);
    schema
}

/// What a mapping may be, for an editor.
pub(super) fn mapping_schema(mapping: &Mapping) -> Json {
    let Mapping { title: _, doc, keys } = mapping;
    let mut schema = json!({
        "type": "object",
        "description": doc,
        "additionalProperties": false,
        "properties": keys.iter().map(|key| (key.name.to_owned(), schema_of_key(key))).collect::<Map<_, _>>(),
    });
    let required: Vec<&str> =
        keys.iter().filter(|key| key.presence == KeyPresence::Required).map(|key| key.name).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let one_of = mapping.one_of();
    if !one_of.is_empty() {
        schema["oneOf"] = one_of.iter().map(|name| json!({ "required": [name] })).collect();
    }
    let pairs: Map<String, Json> =
        mapping.dependent_key_pairs().map(|(with, name)| (with.to_owned(), json!([name]))).collect();
    if !pairs.is_empty() {
        schema["dependentRequired"] = Json::Object(pairs);
    }
    schema
}

fn schema_of_key(key: &Key) -> Json {
    let mut schema = (key.about)().schema;
    schema["description"] = match key.presence {
        KeyPresence::Required | KeyPresence::Default(_) => json!(key.doc),
        KeyPresence::Open(words)
        | KeyPresence::Absent(words)
        | KeyPresence::OneOf(words)
        | KeyPresence::With(_, words)
        | KeyPresence::Needs(_, words) => json!(format!("{} Default: {words}.", key.doc)),
    };
    if let KeyPresence::Default(text) = key.presence {
        schema["default"] = json_of(&default_value(text));
    }
    schema
}

/// A value as an editor's reader of YAML hands it to a schema.
pub(crate) fn json_of(value: &YamlValue) -> Json {
    let of = |node: &Node| json_of(&node.value);
    match value {
        YamlValue::Plain(text) if is_null(text) => Json::Null,
        YamlValue::Plain(text) if is_bool(text) => text.eq_ignore_ascii_case("true").into(),
        YamlValue::Plain(text) if is_number(text) => {
            serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into())
        }
        YamlValue::Plain(text) | YamlValue::Quoted(text) => text.as_str().into(),
        YamlValue::List(items) => items.iter().map(of).collect(),
        YamlValue::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), of(&entry.node))).collect(),
    }
}
