//! The verdict on a comparison or a metric.

use judge::compare::Conclusion;
use schemars::JsonSchema;
use serde::Serialize;
use stats::verdict::Verdict;

/// The verdict on a comparison or a metric. The last two values are verdicts on comparisons only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum VerdictData {
    Improved,
    Regressed,
    Equivalent,
    /// A loss of more than the practical threshold is excluded; whether there is a gain is open.
    #[serde(rename = "not worse")]
    NotWorse,
    /// A gain of more than the practical threshold is excluded; whether there is a loss is open.
    #[serde(rename = "not better")]
    NotBetter,
    #[serde(rename = "not enough data")]
    NotEnoughData,
    /// There is no verdict yet: the run is being measured.
    #[serde(rename = "so far")]
    SoFar,
    /// The candidate completes practically nothing of what the baseline completes.
    Broken,
    /// Neither side completes anything.
    #[serde(rename = "does not work")]
    DoesNotWork,
}

impl From<&Conclusion> for VerdictData {
    fn from(conclusion: &Conclusion) -> Self {
        match conclusion {
            Conclusion::Broken => Self::Broken,
            Conclusion::DoesNotWork => Self::DoesNotWork,
            Conclusion::Verdict(verdict) => verdict.into(),
        }
    }
}

impl From<&Verdict> for VerdictData {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Improved => Self::Improved,
            Verdict::Regressed => Self::Regressed,
            Verdict::Equivalent => Self::Equivalent,
            Verdict::NotWorse => Self::NotWorse,
            Verdict::NotBetter => Self::NotBetter,
            Verdict::NotEnoughData { .. } => Self::NotEnoughData,
            Verdict::SoFar => Self::SoFar,
        }
    }
}
