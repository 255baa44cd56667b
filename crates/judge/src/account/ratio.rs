//! Ratios of quantities of which one side may have none.

/// A quantity below this share of the other side's is as good as none: so much of the larger is added to both sides of
/// a block, and nothing beside something is a ratio of about fifty and not of infinity, whichever side it is.
const AS_GOOD_AS_NONE: f64 = 0.02;

/// The logarithm of the ratio of two quantities, none of them below 0; nothing on both sides is alike.
pub(crate) fn log_ratio(one: f64, other: f64) -> f64 {
    let none = AS_GOOD_AS_NONE * one.max(other);
    if none > 0.0 { (one + none).ln() - (other + none).ln() } else { 0.0 }
}

/// The logarithms of the ratios of two quantities, block by block; as they are where every block has a ratio.
pub(crate) fn log_ratios(blocks: &[[f64; 2]]) -> Vec<f64> {
    let has_ratio = have_ratio(blocks);
    let mut logs = Vec::with_capacity(blocks.len());
    for [one, other] in blocks {
        // As a difference, which swapping the sides only gives another sign.
        logs.push(if has_ratio { one.ln() - other.ln() } else { log_ratio(*one, *other) });
    }
    logs
}

/// Whether both sides have enough of it in every block for a ratio.
pub(crate) fn have_ratio(blocks: &[[f64; 2]]) -> bool {
    blocks.iter().all(|[one, other]| !is_as_good_as_none(*one, *other))
}

/// Whether one of two quantities is as good as none beside the other.
pub(crate) fn is_as_good_as_none(one: f64, other: f64) -> bool {
    one.min(other) <= AS_GOOD_AS_NONE * one.max(other)
}
