//! `docs/plan.md` holds the reference of every key, as the grammar has it.

use super::super::grammar::{Form, Key, PLAN, Presence};

const DOCS: &str = include_str!("../../../../docs/plan.md");

/// One row of the reference for each key below `path`.
fn rows(path: &str, keys: &'static [Key], rows: &mut Vec<String>) {
    for key in keys {
        let path = format!("{path}{}", key.name);
        let default = match key.presence {
            Presence::Required => "required".to_owned(),
            Presence::Default(text) => format!("`{text}`"),
            Presence::Empty => match key.form {
                Form::List { .. } => "`[]`".to_owned(),
                _ => "`{}`".to_owned(),
            },
            Presence::Absent(words) => words.to_owned(),
        };
        rows.push(format!("| `{path}` | {} | {default} | {} |", form(&key.form), key.doc));
        match &key.form {
            Form::Record(record) => self::rows(&format!("{path}."), record.keys, rows),
            Form::Named(Form::Record(record)) | Form::Targets(Form::Record(record)) => {
                self::rows(&format!("{path}.*."), record.keys, rows);
            }
            Form::Or { others, .. } => {
                for form in *others {
                    if let Form::Record(record) = form {
                        self::rows(&format!("{path}."), record.keys, rows);
                    }
                }
            }
            _ => {}
        }
    }
}

/// What a value may be, in words.
fn form(of: &Form) -> String {
    let words =
        |words: &[(&str, &str)]| words.iter().map(|(w, doc)| format!("`{w}` ({doc})")).collect::<Vec<_>>().join(", ");
    match of {
        Form::Text => "one line of text".to_owned(),
        Form::Path => "path".to_owned(),
        Form::Url => "connection string".to_owned(),
        Form::Identifier => "name".to_owned(),
        Form::TargetName => "name of a target".to_owned(),
        Form::Version => "`14` to `18`, or a release in quotes".to_owned(),
        Form::Bool => "`true` or `false`".to_owned(),
        Form::Whole { min, max } if *max == u64::MAX => format!("whole number from {min}"),
        Form::Whole { min, max } => format!("whole number, {min} to {max}"),
        Form::Duration { .. } => "duration: number with `ms`, `s`, `m` or `h`".to_owned(),
        Form::Percent => "percentage: number with `%`".to_owned(),
        Form::Rate => "rate: number with `/s`".to_owned(),
        Form::Cpus => "number of CPUs".to_owned(),
        Form::Decimal { min, max } => format!("number, {min} to {max}"),
        Form::Script => "path, and a weight after `@`".to_owned(),
        Form::Tries => "whole number from 1, or `unlimited`".to_owned(),
        Form::Variables => "mapping of variables to values".to_owned(),
        Form::Sequence(of) => format!("list, in order, of: {}", form(of)),
        Form::Or { scalar, others } => {
            std::iter::once(*scalar).chain(*others).map(form).collect::<Vec<_>>().join("; or ")
        }
        Form::WalSegmentSize => "size: number with `MB` or `GB`".to_owned(),
        Form::FileSize => "size: number with `MB`, `GB` or `TB`".to_owned(),
        Form::Bandwidth => "bandwidth: number with `kB/s`, `MB/s`, `GB/s`, `KiB/s`, `MiB/s` or `GiB/s`".to_owned(),
        Form::Word(of) => words(&of()),
        Form::WordOrSetting(of) => format!("{}, or the name of a setting", words(&of())),
        Form::Settings => "mapping of settings to values".to_owned(),
        Form::List { of, .. } => format!("list of: {}", form(of)),
        Form::Named(_) | Form::Targets(_) => "mapping of names".to_owned(),
        Form::Record(_) => "mapping".to_owned(),
    }
}

#[test]
fn the_reference_has_every_key_with_its_form_default_and_meaning() {
    let mut expected = Vec::new();
    rows("", PLAN.keys, &mut expected);
    let found: Vec<&str> = DOCS.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(found == expected, "put these rows into docs/plan.md:\n{}", expected.join("\n"));
}

#[test]
fn every_example_in_the_documentation_is_read() {
    let examples: Vec<&str> = DOCS
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|e| e.starts_with("name:"))
        .collect();
    assert!(!examples.is_empty(), "docs/plan.md shows a whole plan");
    for example in examples {
        super::plan(example);
    }
}
