//! What of the pairs' verdicts stands in the family of all of them. Headline and exit status both follow from this and
//! from nothing else, so that they cannot say different things.
//!
//! A loss or a gain stands only where the pair's own verdict and the family (Holm) agree: a verdict that falls in the
//! family leaves its pair undecided. Failures are a figure of their own beside it, with a family of their own (see
//! [`crate::failures`]); a side that fails more is worse, however fast the rest of its transactions is.

use stats::holm;
use stats::verdict::Verdict;

use super::pair::PairJudgement;
use crate::failures::FailureVerdict;

/// What is known of a pair beside all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairStanding {
    /// The candidate is worse.
    Loss,
    /// The candidate is better.
    Gain,
    /// The difference is smaller than the practical threshold.
    Equivalent,
    /// A loss of more than the practical threshold is excluded; whether there is a gain is open.
    NoLoss,
    /// Nothing is sure.
    Undecided,
    /// Neither side completes anything of the workload, so that there is nothing to compare.
    DoesNotWork,
}

/// Each pair's standing, in the order given.
pub fn standings_of_pairs(pairs: &[PairJudgement]) -> Vec<PairStanding> {
    let family: Vec<(Verdict, f64)> = pairs.iter().map(|pair| (pair.verdict(), pair.p_value.unwrap_or(1.0))).collect();
    let (losses, gains) = (holm::family_regressions(&family), holm::family_improvements(&family));
    let mut standings = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        let of_figures = match pair.verdict() {
            Verdict::Regressed if losses.contains(&index) => PairStanding::Loss,
            Verdict::Improved if gains.contains(&index) => PairStanding::Gain,
            Verdict::Equivalent => PairStanding::Equivalent,
            Verdict::NotWorse => PairStanding::NoLoss,
            Verdict::Regressed
            | Verdict::Improved
            | Verdict::NotBetter
            | Verdict::NotEnoughData { .. }
            | Verdict::SoFar => PairStanding::Undecided,
        };
        standings.push(with_failures(pair.failure_verdict(), of_figures));
    }
    standings
}

/// What stands of a pair whose figures and whose failures say these: the worse of the two, and a gain where only one of
/// them is better.
fn with_failures(failures: FailureVerdict, of_figures: PairStanding) -> PairStanding {
    match failures {
        FailureVerdict::Broken | FailureVerdict::More => PairStanding::Loss,
        FailureVerdict::NeitherWorks => PairStanding::DoesNotWork,
        FailureVerdict::BaselineBroken | FailureVerdict::Fewer if of_figures != PairStanding::Loss => {
            PairStanding::Gain
        }
        FailureVerdict::BaselineBroken | FailureVerdict::Fewer | FailureVerdict::NoSureDifference => of_figures,
    }
}
