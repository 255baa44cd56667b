//! The reference of the plan's keys as Markdown: a section for each record, however many keys lead to it.

use std::fmt::Write as _;

use super::{Key, KeyPresence, Mapping, MappingRecord, ValueDescription};

/// Keys that a record has in common with an earlier one are not repeated, if there are so many of them.
const COMMON_AT_LEAST: usize = 3;

/// A record with the keys that lead to it.
struct ManualSection {
    paths: Vec<String>,
    mapping: Mapping,
}

/// The reference of everything below a record: `root` is what the record itself is called.
pub(crate) fn record_reference<R: MappingRecord>(root: &str) -> String {
    let mut sections = Vec::new();
    collect_sections("", R::describe_mapping(), &mut sections);
    let mut text = format!("## {root}\n");
    for (index, section) in sections.iter().enumerate() {
        if index > 0 {
            writeln!(text, "\n## `{}`", section.paths[0]).unwrap();
        }
        writeln!(text, "\n{}", section.mapping.doc).unwrap();
        if section.paths.len() > 1 {
            let others: Vec<String> = section.paths[1..].iter().map(|path| format!("`{path}`")).collect();
            writeln!(text, "\nAlso: {}.", others.join(", ")).unwrap();
        }
        write_keys(section, &sections, index, &mut text);
    }
    text
}

/// Adds a record and those below it, outermost first; one that is known already gets one more path.
fn collect_sections(path: &str, mapping: Mapping, to: &mut Vec<ManualSection>) {
    if let Some(known) = to.iter_mut().find(|section| is_same(&section.mapping, &mapping)) {
        known.paths.push(path.to_owned());
        return;
    }
    let mut below = Vec::new();
    for key in &mapping.keys {
        let at = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        for (through, mapping) in (key.about)().below {
            below.push((format!("{at}.{through}").trim_end_matches('.').to_owned(), mapping));
        }
    }
    to.push(ManualSection { paths: vec![path.to_owned()], mapping });
    for (path, mapping) in below {
        collect_sections(&path, mapping, to);
    }
}

fn is_same(one: &Mapping, other: &Mapping) -> bool {
    one.keys.len() == other.keys.len() && one.keys.iter().zip(&other.keys).all(|(one, other)| is_same_key(one, other))
}

fn is_same_key(one: &Key, other: &Key) -> bool {
    let (about_one, about_other) = ((one.about)(), (other.about)());
    one.name == other.name
        && one.doc == other.doc
        && one.presence == other.presence
        && about_one.words == about_other.words
}

/// The keys of a mapping that another one has, too, and those that are its own.
fn common_and_own_keys<'m>(mapping: &'m Mapping, other: &Mapping) -> (Vec<&'m Key>, Vec<&'m Key>) {
    let (mut common, mut own) = (Vec::new(), Vec::new());
    for key in &mapping.keys {
        if other.keys.iter().any(|known| is_same_key(known, key)) {
            common.push(key);
        } else {
            own.push(key);
        }
    }
    (common, own)
}

/// The table of the keys of a section; those that an earlier section has, too, are named below it.
fn write_keys(section: &ManualSection, sections: &[ManualSection], index: usize, to: &mut String) {
    let mut own: Vec<&Key> = section.mapping.keys.iter().collect();
    let mut common: Vec<&Key> = Vec::new();
    let mut common_with = "";
    for earlier in &sections[..index] {
        let (shared, others) = common_and_own_keys(&section.mapping, &earlier.mapping);
        if shared.len() >= COMMON_AT_LEAST && shared.len() >= common.len() {
            (common, own) = (shared, others);
            common_with = &earlier.paths[0];
        }
    }
    if !own.is_empty() {
        to.push_str("\n| key | value | default | meaning |\n|---|---|---|---|\n");
    }
    for key in own {
        to.push_str(&key_row(key, &section.paths[0], sections));
    }
    if !common.is_empty() {
        let names: Vec<String> = common.iter().map(|key| format!("`{}`", key.name)).collect();
        writeln!(to, "\nAs in [`{common_with}`](#{}): {}.", heading_anchor(common_with), names.join(", ")).unwrap();
    }
}

fn key_row(key: &Key, path: &str, sections: &[ManualSection]) -> String {
    let default = match key.presence {
        KeyPresence::Required => "required".to_owned(),
        KeyPresence::Default(text) => format!("`{text}`"),
        KeyPresence::Open(words)
        | KeyPresence::Absent(words)
        | KeyPresence::OneOf(words)
        | KeyPresence::With(_, words)
        | KeyPresence::Needs(_, words) => words.to_owned(),
    };
    let ValueDescription { words, below, .. } = (key.about)();
    let mut value = words;
    let at = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
    for (_, mapping) in below {
        let home = sections.iter().find(|section| is_same(&section.mapping, &mapping));
        let home = home.unwrap_or_else(|| panic!("{at} has a section"));
        write!(value, "<br>[keys](#{})", heading_anchor(&home.paths[0])).unwrap();
    }
    format!("| `{}` | {value} | {default} | {} |\n", key.name, key.doc)
}

/// The name by which a heading is linked to, as GitHub and mdBook make it.
fn heading_anchor(path: &str) -> String {
    path.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect::<String>().to_lowercase()
}
