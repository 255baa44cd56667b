//! The ways in which the sides of a comparison alternate.

use super::language::words;

words! {
    /// How the sides of a comparison alternate.
    Interleave {
        Slices = "slices", "the trials of all sides run together, and the sides send alternately, in short slices";
        FrozenSlices = "frozen-slices", "as `slices`, and the servers of the other sides stand still (SIGSTOP) meanwhile; for `local` targets";
        Trials = "trials", "the trials of the sides run one after the other";
    }
}

impl Interleave {
    /// Whether the sides alternate within their trials.
    #[must_use]
    pub fn is_by_slices(self) -> bool {
        match self {
            Self::Slices | Self::FrozenSlices => true,
            Self::Trials => false,
        }
    }
}
