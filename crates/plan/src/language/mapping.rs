//! The keys of a mapping: which are unknown, missing or contradict each other, and what holds for one that is not
//! given.

use std::cell::LazyCell;

use super::super::document::{MappingEntry, Node, Span, YamlValue, is_null};
use super::super::error::{PlanFinding, value_for_message};
use super::{At, Form, Key, KeyPresence, Mapping, MappingRecord, PlanReadingFindings, default_value};
use work::nearest_candidate;

/// What is given in a mapping, by its keys.
pub(crate) struct MappingFields<'n> {
    /// The name under which the mapping stands, where names are chosen by the person.
    pub(crate) name: &'n str,
    /// Where it is in the plan, like `targets.vm.local`; empty for the plan itself.
    path: &'n str,
    homes: &'n KeyHomes,
    span: Span,
    given: Vec<&'n MappingEntry>,
    /// Whether an unknown key resembles one that there is.
    is_misspelt: bool,
}

pub(super) fn join_path(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Reads a mapping with fixed keys.
pub(super) fn read_mapping<R: MappingRecord>(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<R> {
    let before = findings.len();
    let fields = collect_fields(findings, at, &R::describe_mapping())?;
    let record = R::read_keys(findings, &fields)?;
    if is_read(&findings[before..]) {
        record.check_record(findings, &fields);
    }
    Some(record)
}

/// Whether there is a value, whatever is wrong with it.
pub(super) fn is_read(findings: &[PlanFinding]) -> bool {
    !findings.iter().any(|finding| finding.is_unread)
}

impl Mapping {
    /// The keys of which exactly one has to be given.
    pub(super) fn one_of(&self) -> Vec<&'static str> {
        let chosen = self.keys.iter().filter(|key| matches!(key.presence, KeyPresence::OneOf(_)));
        chosen.map(|key| key.name).collect()
    }

    /// The keys that have to be given with another one: the other one first.
    pub(super) fn dependent_key_pairs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.keys.iter().filter_map(|key| match key.presence {
            KeyPresence::With(first, _) => Some((first, key.name)),
            KeyPresence::Needs(needed, _) => Some((key.name, needed)),
            KeyPresence::Required
            | KeyPresence::Default(_)
            | KeyPresence::Open(_)
            | KeyPresence::Absent(_)
            | KeyPresence::OneOf(_) => None,
        })
    }
}

/// What is given; unknown, missing and contradicting keys are reported here.
fn collect_fields<'n>(findings: &mut PlanReadingFindings, at: &At<'n>, mapping: &Mapping) -> Option<MappingFields<'n>> {
    let At { node, path, name, homes } = *at;
    let place = if path.is_empty() { "the plan" } else { path };
    let YamlValue::Map(entries) = &node.value else {
        let hint = format!("write keys and values; the keys are {}", names_of(mapping));
        findings.push(
            PlanFinding::new(node.span, format!("{place}: found {}, not a mapping", node.describe_value())).hint(hint),
        );
        return None;
    };
    let (given, unknown): (Vec<&MappingEntry>, Vec<&MappingEntry>) =
        entries.iter().partition(|entry| mapping.keys.iter().any(|key| key.name == entry.key));
    for entry in &unknown {
        let message = format!("unknown key {} in {place}", value_for_message(&entry.key));
        let near = nearest_candidate(&entry.key, mapping.keys.iter().map(|key| key.name));
        let finding = PlanFinding::new(entry.key_span, message).hint(right_key(&entry.key, near, mapping, homes));
        findings.push(if near.is_some() { finding } else { finding.mark_as_read() });
    }
    // An unknown key that was probably meant to be a missing one has said enough.
    let missing = |name: &str| {
        given.iter().all(|entry| entry.key != name)
            && unknown.iter().all(|entry| nearest_candidate(&entry.key, [name]).is_none())
    };
    let head = Span::at_place(node.span.start.line, node.span.start.column);
    for key in mapping.keys.iter().filter(|key| key.presence == KeyPresence::Required && missing(key.name)) {
        let message = format!("{place} has no key \"{}\"", key.name);
        findings.push(PlanFinding::new(head, message).hint(format!("add {}", example_of_key(key))));
    }
    let examples = |names: &[&str]| -> String {
        let keys = names.iter().filter_map(|name| mapping.keys.iter().find(|key| key.name == *name));
        keys.map(example_of_key).collect::<Vec<_>>().join(" or ")
    };
    for (with, name) in mapping.dependent_key_pairs().filter(|(with, name)| !missing(with) && missing(name)) {
        let message = format!("{place} has no key \"{name}\", which \"{with}\" needs");
        findings.push(PlanFinding::new(head, message).hint(format!("add {}", examples(&[name]))));
    }
    let one_of = mapping.one_of();
    if !one_of.is_empty() && one_of.iter().all(|name| missing(name)) {
        let message = format!("{place} has none of the keys \"{}\"", one_of.join("\" or \""));
        findings.push(PlanFinding::new(head, message).hint(format!("add {}", examples(&one_of))));
    }
    let chosen: Vec<&&MappingEntry> = given.iter().filter(|entry| one_of.contains(&entry.key.as_str())).collect();
    if let [first, second, ..] = chosen[..] {
        let message = format!("{place} has both \"{}\" and \"{}\"", first.key, second.key);
        let detail = format!("\"{}\" is in line {}", first.key, first.key_span.start.line);
        findings.push(PlanFinding::new(second.key_span, message).detail(detail).hint("keep one of the two"));
    }
    let is_misspelt =
        unknown.iter().any(|entry| nearest_candidate(&entry.key, mapping.keys.iter().map(|key| key.name)).is_some());
    Some(MappingFields { name, path, homes, span: node.span, given, is_misspelt })
}

impl<'n> MappingFields<'n> {
    /// What is given under a key.
    pub(crate) fn entry_of_key(&self, name: &str) -> Option<&'n MappingEntry> {
        self.given.iter().copied().find(|entry| entry.key == name)
    }

    /// The keys that are given.
    pub(crate) fn given_keys(&self) -> impl Iterator<Item = &'n str> {
        self.given.iter().map(|entry| entry.key.as_str())
    }

    /// Reads what is given under a key, or what holds where nothing is.
    pub(crate) fn read_field<F: Form>(
        &self,
        findings: &mut PlanReadingFindings,
        name: &'static str,
        presence: KeyPresence,
    ) -> Option<F::Value> {
        let path = join_path(self.path, name);
        if let Some(MappingEntry { node, .. }) = self.entry_of_key(name) {
            if matches!(&node.value, YamlValue::Plain(text) if is_null(text)) {
                let optional = if presence == KeyPresence::Required { "" } else { ", or remove the key" };
                let hint = format!("write `{name}: {}`{optional}", F::describe_form().example);
                findings.push(PlanFinding::new(node.span, format!("{path}: found nothing")).hint(hint));
            } else if let Some(value) = F::read_value(findings, &At { node, path: &path, name: "", homes: self.homes })
            {
                return Some(value);
            }
        }
        let KeyPresence::Default(text) = presence else { return F::value_when_absent() };
        let node = Node { span: self.span, value: default_value(text) };
        F::read_value(findings, &At { node: &node, path: &path, name: "", homes: self.homes })
    }

    /// Reports a key that does not go with the others, unless one of them is misspelt: it may go with that one.
    pub(crate) fn report_misplaced(&self, findings: &mut PlanReadingFindings, name: &str, why: &str, hint: &str) {
        if self.is_misspelt {
            return;
        }
        findings.extend(self.finding_against_key(name, why, hint).map(PlanFinding::mark_as_read));
    }

    /// Reports a key without whose right value the mapping cannot be used.
    pub(crate) fn report_refused(&self, findings: &mut PlanReadingFindings, name: &str, why: &str, hint: &str) {
        findings.extend(self.finding_against_key(name, why, hint));
    }

    fn finding_against_key(&self, name: &str, why: &str, hint: &str) -> Option<PlanFinding> {
        let entry = self.entry_of_key(name)?;
        Some(PlanFinding::new(entry.key_span, format!("{}: {name} {why}", join_path(self.path, name))).hint(hint))
    }

    /// Reports a value below a key that does not go with the others.
    pub(crate) fn misplaced_below(
        &self,
        findings: &mut PlanReadingFindings,
        name: &str,
        key: &str,
        why: &str,
        hint: &str,
    ) {
        let Some(entry) = self.entry_of_key(name) else { return };
        let span = entry.node.get(key).map_or(entry.key_span, |entry| entry.node.span);
        let path = join_path(&join_path(self.path, name), key);
        findings.push(PlanFinding::new(span, format!("{path}: {why}")).hint(hint).mark_as_read());
    }
}

fn example_of_key(key: &Key) -> String {
    format!("`{}: {}`", key.name, (key.about)().example)
}

fn names_of(mapping: &Mapping) -> String {
    mapping.keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
}

/// What to write instead of an unknown key: the nearest key here, else where a key of this name belongs.
fn right_key(key: &str, near: Option<&str>, mapping: &Mapping, homes: &KeyHomes) -> String {
    if key == "<<" {
        return "merge keys are not part of YAML 1.2; repeat the keys, or share a whole value with &name and *name"
            .to_owned();
    }
    if let Some(near) = near {
        return format!("did you mean \"{near}\"?");
    }
    let keys = format!("the keys of {} are {}", mapping.title, names_of(mapping));
    match homes.iter().find(|(_, keys)| keys.contains(&key)) {
        Some((title, _)) => format!("\"{key}\" belongs to {title}; {keys}"),
        None => keys,
    }
}

/// A mapping: its title and the names of its keys.
type KeyHome = (&'static str, Vec<&'static str>);

/// Every mapping of a document, outermost first; gathered when an unknown key first asks where it belongs.
pub(crate) type KeyHomes = LazyCell<Vec<KeyHome>>;

/// The mappings of the document that a record is.
pub(crate) fn key_homes<R: MappingRecord>() -> KeyHomes {
    fn collect_key_homes(mapping: &Mapping, homes: &mut Vec<KeyHome>) {
        homes.push((mapping.title, mapping.keys.iter().map(|key| key.name).collect()));
        mapping.keys.iter().flat_map(|key| (key.about)().below).for_each(|(_, below)| collect_key_homes(&below, homes));
    }
    LazyCell::new(|| {
        let mut homes = Vec::new();
        collect_key_homes(&R::describe_mapping(), &mut homes);
        homes
    })
}
