//! A plan as the text of a plan file with every default written out: the `plan.yaml` of a run.
//!
//! Reading it gives an equal plan, except that passwords are left out. What stays open (a temporary data directory, the
//! checksums of the version) stands as a comment.

use std::collections::BTreeMap;

use super::{Form, KeyPresence, MappingKeys};

/// A value as it is written.
pub(crate) enum Yaml {
    /// Nothing is given.
    Absent,
    /// Nothing is given, and these words say what holds.
    Open(&'static str),
    /// On one line, as it stands.
    Scalar(String),
    /// A mapping, its keys as they stand.
    Map(MappingEntries),
}

/// The keys of a mapping and their values.
pub(crate) type MappingEntries = Vec<(String, Yaml)>;

impl Yaml {
    /// Values on one line.
    pub(crate) fn inline_list(items: impl Iterator<Item = Self>) -> Self {
        let items = items.map(|item| match item {
            Self::Scalar(text) => text,
            Self::Absent | Self::Open(_) | Self::Map(_) => unreachable!("lists are written of scalars"),
        });
        Self::Scalar(format!("[{}]", items.collect::<Vec<_>>().join(", ")))
    }

    /// Whether a mapping of it has a key.
    fn is_given(&self) -> bool {
        !matches!(self, Self::Absent | Self::Open(_))
    }

    /// The lines of a mapping, each with this indentation.
    fn write_mapping_lines(entries: &MappingEntries, indent: usize, text: &mut String) {
        for (key, value) in entries {
            let line = match value {
                Self::Absent => continue,
                Self::Open(words) => format!("# {key}: {words}"),
                Self::Scalar(value) => format!("{key}: {value}"),
                Self::Map(entries) if entries.iter().any(|(_, value)| value.is_given()) => format!("{key}:"),
                Self::Map(_) => format!("{key}: {{}}"),
            };
            text.push_str(&format!("{:indent$}{line}\n", ""));
            if let Self::Map(entries) = value {
                Self::write_mapping_lines(entries, indent + 2, text);
            }
        }
    }

    /// The values that are given, each by its keys from the outermost on.
    pub(crate) fn flatten_values(self, key: &str, to: &mut BTreeMap<String, String>) {
        match self {
            Self::Absent | Self::Open(_) => {}
            Self::Scalar(value) => drop(to.insert(key.to_owned(), value)),
            Self::Map(entries) => {
                entries.into_iter().for_each(|(name, value)| value.flatten_values(&format!("{key}.{name}"), to));
            }
        }
    }

    /// The text of a whole file.
    pub(crate) fn into_text(self) -> String {
        let mut text = String::new();
        if let Self::Map(entries) = self {
            Self::write_mapping_lines(&entries, 0, &mut text);
        }
        text
    }
}

/// A mapping with fixed keys.
pub(super) fn mapping_from_keys<K: MappingKeys>(keys: &K) -> Yaml {
    let mut entries = MappingEntries::new();
    keys.write_keys(&mut entries);
    Yaml::Map(entries)
}

/// Adds a key to a mapping.
pub(crate) fn put_field<F: Form>(to: &mut MappingEntries, name: &str, presence: KeyPresence, value: &F::Value) {
    let value = match (F::write_value(value), presence) {
        (Yaml::Absent, KeyPresence::Open(words)) => Yaml::Open(words),
        (Yaml::Map(none), KeyPresence::Absent(_)) if none.is_empty() => Yaml::Absent,
        // A mapping of which nothing is said goes without saying.
        (Yaml::Map(keys), KeyPresence::Default(_)) if !keys.is_empty() && !keys.iter().any(|(_, of)| of.is_given()) => {
            Yaml::Absent
        }
        (value, _) => value,
    };
    to.push((name.to_owned(), value));
}

/// A text in YAML's double quotes, in which no text is taken for anything else.
pub(crate) fn quote_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // Not printable in YAML, or taken for the end of a line or for a byte order mark.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') => {
                quoted.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
