//! The mark by which pgdyno knows its own tables: a table comment, written in the transaction that makes the table.
//!
//! Anything that opens with the mark is ours, also what a later pgdyno wrote; whether it is what is needed is decided
//! by the kind of data, which says what it is in a few `key=value` pairs.

use std::fmt;

/// What the comment of each of our tables begins with.
pub(super) const PREFIX: &str = "pgdyno: ";

const FORMAT: u32 = 1;

/// How far the set-up had come when the mark was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SetUpState {
    /// Filled and keyed, but not yet vacuumed and analyzed.
    Filled,
    /// Done.
    Ready,
}

/// Whether a table with this comment is ours.
pub(super) fn is_on(comment: Option<&str>) -> bool {
    comment.is_some_and(|comment| comment.starts_with(PREFIX))
}

/// What pgdyno writes on a table of the data that `identity` describes.
pub(super) fn marker_text(identity: impl fmt::Display, state: SetUpState) -> String {
    let state = match state {
        SetUpState::Filled => "filled",
        SetUpState::Ready => "ready",
    };
    format!("{PREFIX}format={FORMAT} {identity} state={state}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_says_what_was_made() {
        let text = marker_text("schema=pgbench scale=7 fillfactor=100", SetUpState::Ready);
        assert_eq!(text, "pgdyno: format=1 schema=pgbench scale=7 fillfactor=100 state=ready");
        assert!(is_on(Some(&text)));
    }

    #[test]
    fn a_table_without_a_comment_or_with_another_is_not_ours() {
        for comment in [None, Some(""), Some("made for pgdyno: do not touch"), Some("pgdyno")] {
            assert!(!is_on(comment), "{comment:?}");
        }
    }
}
