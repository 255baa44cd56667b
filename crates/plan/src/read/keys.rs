//! The keys of a mapping: which are unknown, missing or contradict each other,
//! and what holds for one that is not given.

use super::super::document::{Entry, Node, Span, Value, is_null};
use super::super::error::{Finding, shown};
use super::super::grammar::{Form, Key, PLAN, Presence, Record, example};
use super::super::nearest::nearest;
use super::{At, Fields, Reader};

impl Reader<'_> {
    pub(super) fn record<'n>(&mut self, at: &At<'n>) -> Option<Fields<'n>> {
        let Form::Record(record) = at.form else { unreachable!("{} is a record in the grammar", at.path) };
        self.fields(at.node, record, at.path.to_owned())
    }

    /// The keys of a mapping: unknown, missing and contradicting ones are reported here.
    pub(super) fn fields<'n>(&mut self, node: &'n Node, record: &'static Record, path: String) -> Option<Fields<'n>> {
        let place = if path.is_empty() { "the plan" } else { &path };
        let Value::Map(entries) = &node.value else {
            self.report(
                Finding::new(node.span, format!("{place}: found {}, not a mapping", node.found()))
                    .hint(format!("write keys and values; the keys are {}", names_of(record))),
            );
            return None;
        };
        let (given, unknown): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|entry| record.key(&entry.key).is_some());
        for entry in &unknown {
            let message = format!("unknown key {} in {place}", shown(&entry.key));
            self.report(Finding::new(entry.key_span, message).hint(right_key(&entry.key, record)));
        }
        // An unknown key that was probably meant to be a missing one has said enough.
        let missing = |name: &str| {
            given.iter().all(|entry| entry.key != name)
                && unknown.iter().all(|entry| nearest(&entry.key, [name]).is_none())
        };
        for key in record.keys.iter().filter(|key| key.presence == Presence::Required && missing(key.name)) {
            let hint = format!("add `{}: {}`", key.name, example(&key.form));
            self.report(Finding::new(head(node.span), format!("{place} has no key \"{}\"", key.name)).hint(hint));
        }
        for (with, name) in record.with.iter().filter(|(with, name)| !missing(with) && missing(name)) {
            let message = format!("{place} has no key \"{name}\", which \"{with}\" needs");
            self.report(Finding::new(head(node.span), message).hint(format!("add {}", key_example(record, name))));
        }
        if !record.one_of.is_empty() && record.one_of.iter().all(|name| missing(name)) {
            let choice = record.one_of.join("\" or \"");
            let hints: Vec<String> = record.one_of.iter().map(|name| key_example(record, name)).collect();
            self.report(
                Finding::new(head(node.span), format!("{place} has neither key: \"{choice}\" is needed"))
                    .hint(format!("add {}", hints.join(" or "))),
            );
        }
        let chosen: Vec<&Entry> =
            given.iter().copied().filter(|entry| record.one_of.contains(&entry.key.as_str())).collect();
        if let [first, second, ..] = chosen[..] {
            self.report(
                Finding::new(second.key_span, format!("{place} has both \"{}\" and \"{}\"", first.key, second.key))
                    .detail(format!("\"{}\" is in line {}", first.key, first.key_span.start.line))
                    .hint("keep one of the two"),
            );
        }
        Some(Fields { record, path, span: node.span, given })
    }

    /// Reads what is given, or the default.
    pub(super) fn value<T>(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        read: impl FnOnce(&mut Self, &At<'_>) -> Option<T>,
    ) -> Option<T> {
        let key = key_of(fields, name);
        let default = match key.presence {
            Presence::Default(text) => Value::Plain(text.to_owned()),
            Presence::Empty if matches!(key.form, Form::List { .. }) => Value::List(Vec::new()),
            Presence::Empty => Value::Map(Vec::new()),
            Presence::Required | Presence::Absent(_) => {
                let entry = fields.given.iter().find(|entry| entry.key == name)?;
                return self.present(fields, key, &entry.node, read);
            }
        };
        let default = Node { span: fields.span, value: default };
        let node = fields.given.iter().find(|entry| entry.key == name).map_or(&default, |entry| &entry.node);
        self.present(fields, key, node, read)
    }

    /// Reads what is given: `Some(None)` when nothing is, `None` when it is wrong.
    pub(super) fn optional<T>(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        read: impl FnOnce(&mut Self, &At<'_>) -> Option<T>,
    ) -> Option<Option<T>> {
        let key = key_of(fields, name);
        match fields.given.iter().find(|entry| entry.key == name) {
            Some(entry) => self.present(fields, key, &entry.node, read).map(Some),
            None => Some(None),
        }
    }

    pub(super) fn present<T>(
        &mut self,
        fields: &Fields<'_>,
        key: &'static Key,
        node: &Node,
        read: impl FnOnce(&mut Self, &At<'_>) -> Option<T>,
    ) -> Option<T> {
        let path = fields.path_of(key.name);
        if matches!(&node.value, Value::Plain(text) if is_null(text)) {
            let optional = if key.presence == Presence::Required { "" } else { ", or remove the key" };
            self.report(Finding::new(node.span, format!("{path}: found nothing")).hint(format!(
                "write `{}: {}`{optional}",
                key.name,
                example(&key.form)
            )));
            return None;
        }
        read(self, &At { node, path: &path, form: &key.form })
    }
}

fn key_of(fields: &Fields<'_>, name: &str) -> &'static Key {
    fields.record.key(name).unwrap_or_else(|| unreachable!("{} has a key {name} in the grammar", fields.record.title))
}

fn key_example(record: &Record, name: &str) -> String {
    record.key(name).map_or_else(String::new, |key| format!("`{name}: {}`", example(&key.form)))
}

/// The place of a mapping: its first line only, since carets under all of it say nothing.
fn head(span: Span) -> Span {
    Span::at(span.start.line, span.start.column)
}

fn names_of(record: &Record) -> String {
    record.keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
}

/// What to write instead of an unknown key: the nearest key here, else where a key of this name belongs.
fn right_key(key: &str, record: &'static Record) -> String {
    if key == "<<" {
        return "merge keys are not part of YAML 1.2; repeat the keys, or share a whole value with &name and *name"
            .to_owned();
    }
    if let Some(near) = nearest(key, record.keys.iter().map(|key| key.name)) {
        return format!("did you mean \"{near}\"?");
    }
    let elsewhere = every_record().into_iter().find(|other| other.key(key).is_some());
    let keys = format!("the keys of {} are {}", record.title, names_of(record));
    match elsewhere {
        Some(other) => format!("\"{key}\" belongs to {}; {keys}", other.title),
        None => keys,
    }
}

/// Every record of the grammar, outermost first.
fn every_record() -> Vec<&'static Record> {
    pub(super) fn below(form: &'static Form, records: &mut Vec<&'static Record>) {
        match form {
            Form::Record(record) => {
                records.push(record);
                record.keys.iter().for_each(|key| below(&key.form, records));
            }
            Form::Named(of) | Form::Targets(of) | Form::List { of, .. } => below(of, records),
            Form::Or { others, .. } => others.iter().for_each(|of| below(of, records)),
            _ => {}
        }
    }
    let mut records = vec![&PLAN];
    PLAN.keys.iter().for_each(|key| below(&key.form, &mut records));
    records
}
