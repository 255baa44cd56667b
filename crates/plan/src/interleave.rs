//! The two ways in which the sides of a comparison alternate.

use super::language::words;

words! {
    /// How the sides of a comparison alternate.
    Interleave {
        Slices = "slices", "the trials of all sides run together, and the sides send alternately, in short slices";
        Trials = "trials", "the trials of the sides run one after the other";
    }
}
