//! What differs between two versions beside plans: objections of pg_upgrade, extensions, settings, defaults and
//! functions. Pure.

use catalog::{SettingChange, settings_changed_between};
use results::rehearsal::RehearsedTarget;

/// What a person has to look at before an upgrade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChecklistEntry {
    /// What it is about.
    pub subject: ChecklistSubject,
    /// What differs.
    pub text: String,
}

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChecklistSubject {
    /// What `pg_upgrade --check` objects to.
    PgUpgrade,
    /// A function of PostgreSQL that captured statements name.
    Function,
    /// An extension of the restored database.
    Extension,
    /// A setting that is gone or has another name.
    Setting,
    /// A setting with another default.
    Default,
}

/// What differs between two targets, by subject.
pub(super) fn checklist_of_pair(baseline: &RehearsedTarget, candidate: &RehearsedTarget) -> Vec<ChecklistEntry> {
    let mut entries = Vec::new();
    for objection in &candidate.pg_upgrade_objections {
        entries.push(ChecklistEntry { subject: ChecklistSubject::PgUpgrade, text: objection.clone() });
    }
    differing_functions(baseline, candidate, &mut entries);
    differing_extensions(baseline, candidate, &mut entries);
    differing_settings(baseline.version_num / 10_000, candidate.version_num / 10_000, &mut entries);
    entries.sort_by_key(|entry| entry.subject);
    entries
}

fn differing_functions(baseline: &RehearsedTarget, candidate: &RehearsedTarget, entries: &mut Vec<ChecklistEntry>) {
    for (signature, properties) in &baseline.functions {
        let text = match candidate.functions.get(signature) {
            None => format!("{signature} is gone{}", other_signatures(candidate, signature)),
            Some(now) if now != properties => format!("{signature}: {properties}; now {now}"),
            Some(_) => continue,
        };
        entries.push(ChecklistEntry { subject: ChecklistSubject::Function, text });
    }
}

/// The functions of the same name.
fn other_signatures(candidate: &RehearsedTarget, signature: &str) -> String {
    let name = signature.split('(').next().unwrap_or_default();
    let mut others = Vec::new();
    for other in candidate.functions.keys() {
        if other.split('(').next() == Some(name) {
            others.push(other.as_str());
        }
    }
    if others.is_empty() { String::new() } else { format!("; there is {}", others.join(", ")) }
}

fn differing_extensions(baseline: &RehearsedTarget, candidate: &RehearsedTarget, entries: &mut Vec<ChecklistEntry>) {
    for (name, version) in &baseline.extensions {
        let text = match candidate.extensions.get(name) {
            None => format!("{name} {version} is not there"),
            Some(now) if now != version => {
                format!("{name}: {version} becomes {now}; after pg_upgrade, ALTER EXTENSION {name} UPDATE")
            }
            Some(_) => continue,
        };
        entries.push(ChecklistEntry { subject: ChecklistSubject::Extension, text });
    }
}

fn differing_settings(from: u32, to: u32, entries: &mut Vec<ChecklistEntry>) {
    for changed in settings_changed_between(from, to) {
        let name = changed.name;
        let (subject, text) = match changed.change {
            SettingChange::Removed => {
                (ChecklistSubject::Setting, format!("{name} is gone; remove it from the configuration"))
            }
            SettingChange::Renamed { to } => (ChecklistSubject::Setting, format!("{name} is now {to}")),
            SettingChange::DefaultChanged { from, to, unit } => (
                ChecklistSubject::Default,
                format!("{name}: {} → {}", value_with_unit(from, unit), value_with_unit(to, unit)),
            ),
        };
        entries.push(ChecklistEntry { subject, text });
    }
}

/// A value in `8kB` is a number of such blocks.
fn value_with_unit(value: &str, unit: &str) -> String {
    if value.is_empty() {
        return "empty".to_owned();
    }
    if unit.is_empty() {
        return value.to_owned();
    }
    if unit.starts_with(|c: char| c.is_ascii_digit()) {
        format!("{value} × {unit}")
    } else {
        format!("{value} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn target(version_num: u32, functions: &[(&str, &str)], extensions: &[(&str, &str)]) -> RehearsedTarget {
        let owned = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        RehearsedTarget {
            target: format!("pg{}", version_num / 10_000),
            version_num,
            steps: Vec::new(),
            extensions: owned(extensions),
            functions: owned(functions),
            pg_upgrade_gap: None,
            pg_upgrade_objections: Vec::new(),
            states: Vec::new(),
        }
    }

    #[test]
    fn functions_and_extensions_that_differ_are_named() {
        let before = target(
            170_001,
            &[("f()", "returns int, stable"), ("g(a integer)", "returns int"), ("h()", "returns int, stable")],
            &[("hstore", "1.8"), ("old", "1"), ("same", "2")],
        );
        let after = target(
            170_002,
            &[("g(a bigint)", "returns int"), ("h()", "returns int, volatile")],
            &[("hstore", "1.9"), ("same", "2")],
        );
        let texts: Vec<String> = checklist_of_pair(&before, &after).into_iter().map(|entry| entry.text).collect();
        let expected = [
            "f() is gone",
            "g(a integer) is gone; there is g(a bigint)",
            "h(): returns int, stable; now returns int, volatile",
            "hstore: 1.8 becomes 1.9; after pg_upgrade, ALTER EXTENSION hstore UPDATE",
            "old 1 is not there",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn settings_are_those_of_the_two_versions() {
        let entries = checklist_of_pair(&target(140_019, &[], &[]), &target(180_001, &[], &[]));
        for (subject, text) in [
            (ChecklistSubject::Setting, "stats_temp_directory is gone; remove it from the configuration"),
            (ChecklistSubject::Setting, "force_parallel_mode is now debug_parallel_query"),
            (ChecklistSubject::Default, "effective_io_concurrency: 1 → 16"),
        ] {
            let entry = ChecklistEntry { subject, text: text.to_owned() };
            assert!(entries.contains(&entry), "{text}: {entries:?}");
        }
    }
}
