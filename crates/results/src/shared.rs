//! Values that many objects have in common, and take room once.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that others may have, too. It is copied before it is changed.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shared<T>(Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

/// So many values are known at a time. Rows of a table that have one in common mostly stand close to each other, or
/// take turns with a few others.
const KNOWN_AT_MOST: usize = 128;

/// The latest values of objects that are made one after the other.
#[derive(Debug)]
pub struct LatestValues<T> {
    known: VecDeque<Shared<T>>,
    /// The one that was found last.
    last: usize,
}

impl<T> Default for LatestValues<T> {
    fn default() -> Self {
        Self { known: VecDeque::new(), last: 0 }
    }
}

impl<T: PartialEq> LatestValues<T> {
    /// Takes an equal value that is known in place of an own one.
    pub fn share_value(&mut self, own: &mut Shared<T>) {
        let count = self.known.len();
        for step in 0..count {
            let at = (self.last + step) % count;
            let known = &self.known[at];
            if Arc::ptr_eq(&known.0, &own.0) || known.0 == own.0 {
                *own = known.clone();
                self.last = at;
                return;
            }
        }
        if count == KNOWN_AT_MOST {
            self.known.pop_front();
        }
        self.known.push_back(own.clone());
        self.last = self.known.len() - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_take_room_once_until_one_is_changed() {
        let mut latest = LatestValues::default();
        let mut all: Vec<Shared<String>> = Vec::new();
        for row in 0..1000 {
            let mut own = Shared::from((row % 100).to_string());
            latest.share_value(&mut own);
            all.push(own);
        }
        assert!(Arc::ptr_eq(&all[7].0, &all[907].0));
        all[7].push('a');
        assert_eq!((all[7].as_str(), all[907].as_str()), ("7a", "7"));
    }
}
