//! The names of an imported run. Nothing says which of its words are names, so every word is one that sides, workloads,
//! jobs, columns and conditions are called by, unless it is of the language of benchmarks.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::known_words::is_known_word;
use super::names::Names;

/// Fields whose text an author, a file or a heading gave.
const NAMED: [&str; 10] =
    ["target", "workload", "baseline", "job", "jobname", "script", "column", "over", "cluster_name", "title"];

/// Objects whose keys and texts an author or a header of a table gave.
const NAMED_OBJECTS: [&str; 4] = ["labels", "figures", "conditions", "declared"];

/// Words of the author for the reader of a report, which stay, as those of a plan do.
const FOR_READER: [&str; 3] = ["author", "customer", "notes"];

/// Settings whose value is a text of whoever runs the server.
const TEXT_SETTINGS: [&str; 9] = [
    "cluster_name",
    "synchronous_standby_names",
    "primary_conninfo",
    "primary_slot_name",
    "search_path",
    "archive_command",
    "restore_command",
    "log_line_prefix",
    "listen_addresses",
];

/// Adds the names of all files of a run directory.
pub(super) fn add_names_of_import(names: &mut Names, directory: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            add_names_of_import(names, &path)?;
        } else if matches!(extension, "json" | "jsonl") {
            let text = fs::read_to_string(&path)?;
            let is_of_run = path.ends_with("run.json");
            for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
                // What is behind a line that was cut off is copied as text.
                let Ok(value) = value else { break };
                add_names_of_value(names, &value, is_of_run);
            }
        }
    }
    Ok(())
}

fn add_names_of_value(names: &mut Names, value: &Value, is_of_run: bool) {
    match value {
        Value::Object(entries) => {
            for (key, item) in entries {
                add_names_of_field(names, key, item, is_of_run);
                add_names_of_value(names, item, is_of_run);
            }
        }
        Value::Array(items) => {
            for item in items {
                add_names_of_value(names, item, is_of_run);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn add_names_of_field(names: &mut Names, key: &str, item: &Value, is_of_run: bool) {
    match (key, item) {
        ("file", Value::String(file)) => add_file(names, file),
        ("filename" | "directory" | "filename_format", Value::String(path)) => add_file(names, path),
        ("hostname" | "host", Value::String(host)) => names.add_host(host),
        ("name", Value::String(name)) if is_of_run => add_unknown_words(names, name),
        ("settings", Value::Object(settings)) => {
            for (setting, value) in settings {
                let value = value.as_str().unwrap_or_default();
                if TEXT_SETTINGS.contains(&setting.as_str()) {
                    names.add_hosts_of_text(value);
                    add_unknown_words(names, value);
                }
                if value.contains('/') {
                    names.add_text("path", value.trim_matches('\''));
                }
            }
        }
        (_, Value::Object(entries)) if NAMED_OBJECTS.contains(&key) => {
            for (name, value) in entries {
                if name.split(is_between_words).any(|word| !is_known_word(word)) {
                    names.add_text("column", name);
                }
                let text = value.as_str().unwrap_or_default();
                if !FOR_READER.contains(&name.as_str()) {
                    add_condition(names, name, text);
                }
            }
        }
        (_, Value::String(text)) if NAMED.contains(&key) => add_unknown_words(names, text),
        (_, Value::Array(items)) if NAMED.contains(&key) => {
            for item in items {
                add_unknown_words(names, item.as_str().unwrap_or_default());
            }
        }
        _ => {}
    }
}

fn add_condition(names: &mut Names, name: &str, text: &str) {
    if name.ends_with("host") || name.ends_with("hostname") {
        names.add_host(text);
    }
    if text.starts_with('/') {
        names.add_text("path", text);
    }
    add_unknown_words(names, text);
}

/// A file as it was given, and its name alone, which messages have.
fn add_file(names: &mut Names, file: &str) {
    names.add_text("file", file);
    if let Some(name) = Path::new(file).file_name().and_then(|name| name.to_str()) {
        names.add_text("file", name);
    }
}

/// Words of up to so many letters are no names.
const LETTERS_OF_NO_NAME: usize = 2;

fn add_unknown_words(names: &mut Names, text: &str) {
    for word in text.split(is_between_words) {
        if word.chars().filter(|c| c.is_alphabetic()).count() > LETTERS_OF_NO_NAME && !is_known_word(word) {
            names.add_name("name", word);
        }
    }
}

/// What parts the words of a name. An underscore does, too: the rest of `acme_orders` would not be found alone.
fn is_between_words(c: char) -> bool {
    !c.is_alphanumeric() && c != '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_of_no_benchmark_are_names() {
        let mut names = Names::default();
        let run = serde_json::json!({
            "name": "Acme checkout on vm",
            "imported": {
                "sources": [{ "file": "/home/jane/acme/results.csv", "notes": ["results.csv has 2 rows"] }],
                "targets": [{ "name": "vm-pg17", "settings": { "data_directory": "'/srv/Ärzte'", "work_mem": "64MB" },
                    "conditions": { "hardware.host": "db1.shop.example", "storage": "Zephyr NVMe 500GB" } }],
                "declared": { "author": "Jane Doe, Acme", "generator.duration_s": "60" },
            },
        });
        add_names_of_value(&mut names, &run, true);
        let trial = serde_json::json!({ "cell": { "target": "vm-pg17", "workload": "select-only checkout prepared" },
            "told": { "labels": { "tenant": "Globex" }, "figures": { "carts per hour": 5.0 } } });
        add_names_of_value(&mut names, &trial, false);
        for (text, expected) in [
            ("vm-pg17, select-only checkout prepared, 64MB", "vm-pg17, select-only name-"),
            ("results.csv has 2 rows of Globex", "file-2 has 2 rows of name-"),
            ("Jane Doe, Acme", "Jane Doe, name-"),
            ("/srv/Ärzte and db1.shop.example, Zephyr NVMe 500GB", "path-1 and host-1, name-"),
        ] {
            let redacted = names.replaced_in(text);
            assert!(redacted.starts_with(expected), "{text}: {redacted}");
        }
        let redacted = names.replaced_in("Acme Globex Zephyr CHECKOUT acme_orders");
        for planted in ["Acme ", "Globex", "Zephyr", "CHECKOUT"] {
            assert!(!redacted.contains(planted), "{redacted}");
        }
        assert!(names.replacement_of("carts per hour").is_some_and(|word| word.starts_with("column-")));
    }
}
