//! What became of a change that was to be undone.

/// What undoing a change came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reversal {
    /// It is as it was before.
    Restored,
    /// It was as before already: never made, or gone.
    NothingLeft,
    /// Somebody else has changed it since; it is left as it is.
    LeftAlone {
        /// What was found.
        found: String,
    },
}
