//! Which object of one side is which of the other.

use results::catalog::{CatalogObject, CatalogPart};

/// An object on both sides, or on one.
pub(super) struct ObjectPair<'a> {
    /// The object, whichever side has it. Where both do, the one whose name comes first, so that it is the same object
    /// with the sides swapped.
    pub(super) object: &'a CatalogObject,
    pub(super) here: Option<&'a CatalogObject>,
    pub(super) there: Option<&'a CatalogObject>,
    /// Whether they have only their name in common.
    pub(super) is_made_differently: bool,
}

impl<'a> ObjectPair<'a> {
    fn of_both(here: &'a CatalogObject, there: &'a CatalogObject) -> Self {
        let object = if here.name <= there.name { here } else { there };
        Self { object, here: Some(here), there: Some(there), is_made_differently: false }
    }
}

/// The objects of a part, each beside that of the other side.
pub(super) fn pairs_of_part<'a>(
    part: CatalogPart,
    here: &[&'a CatalogObject],
    there: &[&'a CatalogObject],
    same_version: bool,
) -> Vec<ObjectPair<'a>> {
    let mut pairs = Vec::new();
    let (here, there) =
        take_pairs(here, there, &mut pairs, |one, other| is_same_object(part, one, other, same_version));
    let is_made_differently = has_names_of_its_own(part);
    let first = pairs.len();
    let (here, there) = take_pairs(&here, &there, &mut pairs, |one, other| {
        is_made_differently && one.table == other.table && one.name == other.name
    });
    for pair in &mut pairs[first..] {
        pair.is_made_differently = true;
    }
    for object in here {
        pairs.push(ObjectPair { object, here: Some(object), there: None, is_made_differently: false });
    }
    for object in there {
        pairs.push(ObjectPair { object, here: None, there: Some(object), is_made_differently: false });
    }
    pairs
}

/// Moves those that are the same into pairs, each once, and returns those that are left.
fn take_pairs<'a>(
    here: &[&'a CatalogObject],
    there: &[&'a CatalogObject],
    pairs: &mut Vec<ObjectPair<'a>>,
    is_same: impl Fn(&CatalogObject, &CatalogObject) -> bool,
) -> (Vec<&'a CatalogObject>, Vec<&'a CatalogObject>) {
    let mut theirs = there.to_vec();
    let mut left = Vec::new();
    for object in here {
        match theirs.iter().position(|other| is_same(object, other)) {
            Some(place) => {
                let other = theirs.remove(place);
                pairs.push(ObjectPair::of_both(object, other));
            }
            None => left.push(*object),
        }
    }
    (left, theirs)
}

fn is_same_object(part: CatalogPart, one: &CatalogObject, other: &CatalogObject, same_version: bool) -> bool {
    match part {
        // Wherever a setting comes from, sessions begin with its value.
        CatalogPart::Settings => one.name == other.name,
        _ if has_names_of_its_own(part) => {
            let definitions = [one, other].map(|object| object.definition.as_deref().unwrap_or(""));
            one.table == other.table && is_said_alike(definitions[0], definitions[1], same_version)
        }
        _ => one.table == other.table && one.name == other.name,
    }
}

/// Whether the definition tells which object it is, and the name is only what somebody called it.
fn has_names_of_its_own(part: CatalogPart) -> bool {
    match part {
        CatalogPart::Indexes
        | CatalogPart::ExtendedStatistics
        | CatalogPart::Policies
        | CatalogPart::Triggers
        | CatalogPart::Constraints
        | CatalogPart::EventTriggers => true,
        CatalogPart::Tables
        | CatalogPart::Columns
        | CatalogPart::Views
        | CatalogPart::Functions
        | CatalogPart::ForeignServers
        | CatalogPart::Settings => false,
    }
}

/// Whether two texts of the server say the same. Another version may write more or fewer brackets, spaces and schemas.
pub(super) fn is_said_alike(one: &str, other: &str, same_version: bool) -> bool {
    one == other || (!same_version && bare_text(one) == bare_text(other))
}

fn bare_text(text: &str) -> String {
    text.chars().filter(|letter| !matches!(letter, '(' | ')' | ' ')).collect()
}
