//! Figures by name as they stand in a line of JSON, in its order. A long run has tens of millions of them, so that
//! names are borrowed from the line: what is kept of them is decided by who reads them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

/// The entries of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedEntries<'a, T>(pub Vec<(Cow<'a, str>, T)>);

impl<T> NamedEntries<'_, T> {
    /// The entry of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(is, _)| is == name).map(|(_, entry)| entry)
    }
}

impl<T> Default for NamedEntries<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for NamedEntries<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamedEntriesVisitor(PhantomData))
    }
}

struct NamedEntriesVisitor<'a, T>(PhantomData<(&'a str, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for NamedEntriesVisitor<'a, T> {
    type Value = NamedEntries<'a, T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::with_capacity(map.size_hint().unwrap_or(16));
        while let Some(BorrowedName(name)) = map.next_key()? {
            entries.push((name, map.next_value()?));
        }
        Ok(NamedEntries(entries))
    }
}

/// A name that is borrowed unless it has escapes; serde borrows no `Cow` by itself.
#[derive(Deserialize)]
#[serde(transparent)]
struct BorrowedName<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order_and_a_name_with_escapes_is_read_as_it_is_meant() {
        let text = r#"{ "b": 1.5, "a\"c": 2 }"#;
        let read: NamedEntries<'_, f64> = serde_json::from_str(text).unwrap();
        assert_eq!(read.0, [("b".into(), 1.5), ("a\"c".into(), 2.0)]);
        assert!(matches!(read.0[0].0, Cow::Borrowed(_)));
        assert_eq!((read.get("a\"c"), read.get("x")), (Some(&2.0), None));
    }
}
