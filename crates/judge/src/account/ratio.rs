//! Ratios of quantities of which one side may have none.

/// A quantity below this share of the other side's is as good as none: so much of the larger is added to both sides of
/// a block, and nothing beside something is a ratio of about fifty and not of infinity, whichever side it is.
const AS_GOOD_AS_NONE: f64 = 0.02;

/// The logarithm of the ratio of two quantities, none of them below 0; nothing on both sides is alike.
pub(crate) fn log_ratio(one: f64, other: f64) -> f64 {
    let none = AS_GOOD_AS_NONE * one.max(other);
    if none > 0.0 { (one + none).ln() - (other + none).ln() } else { 0.0 }
}

/// Whether one of two quantities is as good as none beside the other.
pub(crate) fn is_as_good_as_none(one: f64, other: f64) -> bool {
    one.min(other) <= AS_GOOD_AS_NONE * one.max(other)
}
