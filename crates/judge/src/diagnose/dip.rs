//! Whether the throughput is lower while something goes on than otherwise in the same trials.

use super::case::DiagnosisCase;
use super::finding::{EvidenceFigure, FigureAmount, FindingCost, figure};
use super::seconds::Moment;
use crate::codes::{RuleThreshold, ThresholdUnit};

/// Seconds that there must be of either kind.
const SECONDS: usize = 3;

/// The difference of the means must be at least so many times its standard error: seconds are not independent of their
/// neighbours, hence more than the two of a test that takes them to be.
const STANDARD_ERRORS: f64 = 4.0;

/// A throughput that is lower while something goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dip {
    /// Mean throughput while it goes on, in transactions per second.
    pub inside_tps: f64,
    /// Mean throughput otherwise.
    pub outside_tps: f64,
    /// Share of the throughput of the whole time that it costs, 0 to 1.
    pub lost: f64,
}

impl Dip {
    /// The least share of the throughput that must be missing for the dip itself to be what is found.
    pub(super) const DEEP: f64 = 0.1;

    /// What a dip that is found by itself has to be, for the codes of the rules that look for one.
    pub(super) const THRESHOLDS: &'static [RuleThreshold] = &[
        RuleThreshold::at_least("drop of the throughput", Self::DEEP, ThresholdUnit::Share),
        RuleThreshold::at_least("drop, relative to its standard error", STANDARD_ERRORS, ThresholdUnit::Times),
        RuleThreshold::at_least("seconds of either kind", SECONDS as f64, ThresholdUnit::Count),
    ];

    /// What was found. `meanwhile` says what goes on, for the end of a sentence: `vacuum runs`.
    pub(super) fn title_of_dip(&self, meanwhile: &str) -> String {
        let depth = (1.0 - self.inside_tps / self.outside_tps) * 100.0;
        format!("throughput is {depth:.0} % lower while {meanwhile}")
    }

    /// Both throughputs.
    pub(super) fn throughput_figures(&self, meanwhile: &str) -> Vec<EvidenceFigure> {
        vec![
            figure(format!("throughput while {meanwhile}"), FigureAmount::Tps(self.inside_tps)),
            figure("throughput otherwise", FigureAmount::Tps(self.outside_tps)),
        ]
    }

    /// What it costs of the throughput of the whole time.
    pub(super) fn throughput_cost(&self) -> FindingCost {
        FindingCost::Throughput { share: self.lost }
    }
}

/// The dip in the seconds in which it goes on, if it is at least `from` (a share) deep and more than noise. `goes_on`
/// is absent of seconds that are neither: it began or ended in them.
pub(super) fn find_throughput_dip(
    case: &DiagnosisCase<'_>,
    from: f64,
    goes_on: impl Fn(&Moment<'_>) -> Option<bool>,
) -> Option<Dip> {
    let known = case.all_seconds().filter_map(|second| Some((goes_on(&second)?, second.throughput_per_s()?)));
    let (inside, outside): (Vec<_>, Vec<_>) = known.partition(|(goes_on, _)| *goes_on);
    let [inside, outside] = [inside, outside].map(|of| of.into_iter().map(|(_, tps)| tps).collect::<Vec<_>>());
    if inside.len() < SECONDS || outside.len() < SECONDS {
        return None;
    }
    let (inside_tps, inside_error) = mean_and_error(&inside);
    let (outside_tps, outside_error) = mean_and_error(&outside);
    let deep = outside_tps > 0.0 && inside_tps <= (1.0 - from) * outside_tps;
    if !deep || outside_tps - inside_tps < STANDARD_ERRORS * inside_error.hypot(outside_error) {
        return None;
    }
    let share_of_time = inside.len() as f64 / (inside.len() + outside.len()) as f64;
    Some(Dip { inside_tps, outside_tps, lost: (1.0 - inside_tps / outside_tps) * share_of_time })
}

fn mean_and_error(tps: &[f64]) -> (f64, f64) {
    let n = tps.len() as f64;
    let mean = tps.iter().sum::<f64>() / n;
    let squares = tps.iter().map(|tps| (tps - mean).powi(2)).sum::<f64>();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// Whether a second lies, for the larger part, in one of these stretches of time.
pub(super) fn lies_in(moment: &Moment<'_>, stretches: &[(u32, f64, f64)]) -> bool {
    let middle = (moment.start_s() + moment.end_s()) / 2.0;
    stretches.iter().any(|(trial, from, to)| *trial == moment.trial_number() && (*from..=*to).contains(&middle))
}
