//! What belongs together among many: in time that grows with their number alone.

use std::collections::BTreeMap;

/// The items of each key, in the order in which the keys first appear.
pub(super) fn in_groups<Item, Key: Ord>(
    items: impl IntoIterator<Item = Item>,
    key: impl Fn(&Item) -> Key,
) -> Vec<Vec<Item>> {
    let mut places: BTreeMap<Key, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Item>> = Vec::new();
    for item in items {
        let at = *places.entry(key(&item)).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Vec::new());
        }
        groups[at].push(item);
    }
    groups
}
