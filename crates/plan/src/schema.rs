//! The JSON Schema of a plan, made from the grammar, so that editors complete exactly what the reader takes.
//!
//! It holds what concerns one value or the keys of one mapping. What concerns several values at once (`baseline` names
//! a target, `at_most` is not below `at_least`) is beyond JSON Schema and checked by `parse` only.

use serde_json::{Map, Value, json};

use super::grammar::{Form, Key, PLAN, Presence, Record};
use super::model::Version;

/// The schema, in JSON Schema 2020-12.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("pgdyno plan"));
    schema.extend(record(&PLAN));
    Value::Object(schema)
}

fn record(record: &Record) -> Map<String, Value> {
    let mut schema = object(json!({
        "type": "object",
        "description": record.doc,
        "additionalProperties": false,
        "properties": record.keys.iter().map(|k| (k.name.to_owned(), key(k))).collect::<Map<_, _>>(),
    }));
    let required: Vec<&str> = record.keys.iter().filter(|k| k.presence == Presence::Required).map(|k| k.name).collect();
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    if !record.one_of.is_empty() {
        let choices: Vec<Value> = record.one_of.iter().map(|name| json!({ "required": [name] })).collect();
        schema.insert("oneOf".to_owned(), json!(choices));
    }
    if !record.with.is_empty() {
        let needed: Map<String, Value> =
            record.with.iter().map(|(with, name)| ((*with).to_owned(), json!([name]))).collect();
        schema.insert("dependentRequired".to_owned(), Value::Object(needed));
    }
    schema
}

fn key(key: &Key) -> Value {
    let mut schema = form(&key.form);
    let absent = match key.presence {
        Presence::Absent(words) => format!(" Default: {words}."),
        Presence::Required | Presence::Default(_) | Presence::Empty => String::new(),
    };
    schema.insert("description".to_owned(), json!(format!("{}{absent}", key.doc)));
    if let Presence::Default(text) = key.presence {
        let default = match key.form {
            Form::Bool => json!(text == "true"),
            Form::Whole { .. } | Form::Tries => {
                json!(text.parse::<u64>().expect("the default of a whole number is one"))
            }
            Form::Decimal { .. } => json!(text.parse::<f64>().expect("the default of a number is one")),
            _ => json!(text),
        };
        schema.insert("default".to_owned(), default);
    }
    Value::Object(schema)
}

fn form(of: &Form) -> Map<String, Value> {
    object(match of {
        Form::Text => json!({ "type": "string", "minLength": 1, "maxLength": 200 }),
        Form::Path => json!({ "type": "string", "minLength": 1, "pattern": "^[^~]" }),
        Form::Url => json!({ "type": "string", "pattern": "^postgres(ql)?://|^[^:]*=" }),
        Form::Identifier => json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_.@-]*$" }),
        Form::TargetName => json!({ "type": ["string", "number"] }),
        Form::Version => json!({ "anyOf": [
            { "type": "integer", "minimum": Version::MAJOR_MIN, "maximum": Version::MAJOR_MAX },
            { "type": "string", "pattern": version_pattern() },
        ] }),
        Form::Bool => json!({ "type": "boolean" }),
        Form::Whole { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Form::Duration { .. } => json!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,3})?(ms|s|m|h)$" }),
        Form::Percent => json!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,4})?%$" }),
        Form::Rate => json!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,3})?/s$" }),
        Form::Cpus => json!({ "type": "number", "minimum": 0.01, "maximum": 1024 }),
        Form::Decimal { min, max } => json!({ "type": "number", "minimum": min.number(), "maximum": max.number() }),
        Form::Script => json!({ "type": "string", "minLength": 1, "pattern": "^[^~]" }),
        Form::Tries => {
            json!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": u32::MAX }, { "const": "unlimited" }] })
        }
        Form::Variables => json!({
            "type": "object",
            "propertyNames": { "pattern": r"^[\p{L}\p{N}_]+$" },
            "additionalProperties": { "type": ["string", "number", "boolean"] },
        }),
        Form::Sequence(of) => json!({ "type": "array", "items": form(of), "minItems": 2 }),
        Form::Or { scalar, others } => {
            let forms: Vec<Value> = std::iter::once(*scalar).chain(*others).map(|of| Value::Object(form(of))).collect();
            json!({ "anyOf": forms })
        }
        Form::WalSegmentSize => json!({ "type": "string", "pattern": "^((1|2|4|8|16|32|64|128|256|512|1024)MB|1GB)$" }),
        Form::FileSize => json!({ "type": "string", "pattern": "^[0-9]+(MB|GB|TB|MiB|GiB|TiB)$" }),
        Form::Bandwidth => json!({ "type": "string", "pattern": "^[0-9]+(kB|MB|GB|KiB|MiB|GiB)/s$" }),
        Form::Word(words) => choices(&words()),
        Form::WordOrSetting(words) => json!({ "anyOf": [
            choices(&words()),
            { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_.$]*$", "description": "a PostgreSQL setting" },
        ] }),
        Form::Settings => json!({
            "type": "object",
            "propertyNames": { "pattern": r"^[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z_][A-Za-z0-9_$]*)*$" },
            "additionalProperties": { "type": ["string", "number", "boolean"] },
        }),
        Form::List { of, may_be_empty } => json!({
            "type": "array",
            "items": form(of),
            "uniqueItems": true,
            "minItems": u8::from(!may_be_empty),
        }),
        Form::Named(of) => json!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$" },
            "additionalProperties": form(of),
        }),
        Form::Targets(of) => json!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}(/[A-Za-z0-9][A-Za-z0-9_.-]{0,63})?$" },
            "additionalProperties": form(of),
        }),
        Form::Record(of) => return record(of),
    })
}

/// Words with their meanings: `oneOf` constants, so that an editor shows the meaning beside the word.
fn choices(words: &[(&str, &str)]) -> Value {
    let choices: Vec<Value> = words.iter().map(|(word, doc)| json!({ "const": word, "description": doc })).collect();
    json!({ "oneOf": choices })
}

fn version_pattern() -> String {
    let majors: Vec<String> = (Version::MAJOR_MIN..=Version::MAJOR_MAX).map(|major| major.to_string()).collect();
    format!(r"^({})(\.(0|[1-9][0-9]*))?$", majors.join("|"))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            unreachable!("a schema is an object")
        }
    }
}
