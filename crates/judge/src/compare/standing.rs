//! What of the pairs' verdicts stands in the family of all of them. Headline and exit status both follow from this and
//! from nothing else, so that they cannot say different things.
//!
//! A loss or a gain stands only where the pair's own verdict and the family (Holm) agree: a verdict that falls in the
//! family leaves its pair undecided.

use stats::holm;
use stats::verdict::Verdict;

use super::pair::PairJudgement;

/// What is known of a pair beside all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The candidate is worse.
    Loss,
    /// The candidate is better.
    Gain,
    /// The difference is smaller than the practical threshold.
    Equivalent,
    /// Nothing is sure.
    Undecided,
}

/// Each pair's standing, in the order given.
pub fn standings(pairs: &[PairJudgement]) -> Vec<Standing> {
    let family: Vec<(Verdict, f64)> = pairs.iter().map(|pair| (pair.verdict(), pair.p_value.unwrap_or(1.0))).collect();
    let (losses, gains) = (holm::regressions(&family), holm::improvements(&family));
    let standing = |(index, (verdict, _)): (usize, &(Verdict, f64))| match verdict {
        Verdict::Regressed if losses.contains(&index) => Standing::Loss,
        Verdict::Improved if gains.contains(&index) => Standing::Gain,
        Verdict::Equivalent => Standing::Equivalent,
        Verdict::Regressed | Verdict::Improved | Verdict::NotEnoughData { .. } | Verdict::SoFar => Standing::Undecided,
    };
    family.iter().enumerate().map(standing).collect()
}
