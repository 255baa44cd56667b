//! The mark by which pgdyno knows its own tables: a table comment, written in the transaction that makes the table.
//!
//! Anything that opens with the mark is ours, also what a later pgdyno wrote; whether it is what is needed is another
//! question ([`super::fit`]).

use std::fmt;

use super::PgbenchData;

const PREFIX: &str = "pgdyno: ";
const FORMAT: u32 = 1;

/// How far the set-up had come when the mark was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Filled and keyed, but not yet vacuumed and analyzed.
    Filled,
    /// Done.
    Ready,
}

/// What pgdyno writes on each of its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marker {
    scale: u32,
    fillfactor: u8,
    state: State,
}

impl Marker {
    pub(super) fn new(data: &PgbenchData, state: State) -> Self {
        Self { scale: data.scale().get(), fillfactor: data.fillfactor(), state }
    }

    /// Whether a table with this comment is ours.
    pub(super) fn is_on(comment: Option<&str>) -> bool {
        comment.is_some_and(|comment| comment.starts_with(PREFIX))
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Filled => "filled",
            State::Ready => "ready",
        };
        write!(
            f,
            "{PREFIX}format={FORMAT} schema=pgbench scale={} fillfactor={} state={state}",
            self.scale, self.fillfactor
        )
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn the_mark_says_what_was_made() {
        let data = PgbenchData::new(NonZeroU32::new(7).expect("not zero")).expect("a valid scale");
        let text = Marker::new(&data, State::Ready).to_string();
        assert_eq!(text, "pgdyno: format=1 schema=pgbench scale=7 fillfactor=100 state=ready");
        assert!(Marker::is_on(Some(&text)));
    }

    #[test]
    fn a_table_without_a_comment_or_with_another_is_not_ours() {
        for comment in [None, Some(""), Some("made for pgdyno: do not touch"), Some("pgdyno")] {
            assert!(!Marker::is_on(comment), "{comment:?}");
        }
    }
}
