//! What a plan requires of what follows its events, held against what was seen.

use plan::EventLimits;

use super::{Commits, EventFigure, EventOver, FigureOver};
use crate::required::Compliance;

/// One requirement, and whether it is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Required {
    /// What is limited, and how.
    pub limit: Limit,
    /// Whether it is kept.
    pub ruling: Compliance,
}

/// A limit of what follows an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// A figure must stay below this, in seconds.
    Below(EventFigure, f64),
    /// The trials of a cell may lose so many acknowledged commits together.
    Lost(u64),
}

/// What is required of an event in one cell, in the order in which the figures are told.
pub(super) fn judge_event_limits(limits: &EventLimits, over: &EventOver) -> Vec<Required> {
    let EventLimits { write_gap, read_gap, error_window, throughput_back, p99_back, lost } = *limits;
    let times = [
        (EventFigure::WriteGap, write_gap),
        (EventFigure::ReadGap, read_gap),
        (EventFigure::ErrorWindow, error_window),
        (EventFigure::ThroughputBack, throughput_back),
        (EventFigure::P99Back, p99_back),
    ];
    let below = times.into_iter().filter_map(|(figure, limit)| {
        let limit_s = limit?.as_secs_f64();
        let ruling =
            over.figure_over_trials(figure).map_or(Compliance::NotEnoughData, |told| judge_upper_limit(told, limit_s));
        Some(Required { limit: Limit::Below(figure, limit_s), ruling })
    });
    let lost = lost.map(|allowed| Required {
        limit: Limit::Lost(allowed),
        ruling: match over.commits {
            None => Compliance::NotEnoughData,
            Some(Commits { lost, .. }) if lost > allowed => Compliance::Broken,
            Some(_) => Compliance::Kept,
        },
    });
    below.chain(lost).collect()
}

/// One trial has no interval, and says nothing of how much another would differ.
fn judge_upper_limit(told: &FigureOver, limit_s: f64) -> Compliance {
    match (told.estimate, told.open) {
        (_, 1..) => Compliance::Broken,
        (Some(estimate), 0) => Compliance::with_upper_limit(&estimate, limit_s),
        // Too short to be told in each of several trials: shorter than any limit can be.
        (None, 0) if told.short == told.of && told.of > 1 => Compliance::Kept,
        (None, 0) => Compliance::NotEnoughData,
    }
}

#[cfg(test)]
mod tests {
    use stats::ClosedInterval;

    use super::*;

    fn told(interval: Option<[f64; 2]>, short: usize, open: usize) -> FigureOver {
        let estimate = interval.map(|[low, high]| stats::Estimate {
            point: f64::midpoint(low, high),
            interval: ClosedInterval { low, high },
            n: 3,
        });
        FigureOver {
            figure: EventFigure::WriteGap,
            mean: estimate.map(|estimate| estimate.point),
            estimate,
            short,
            open,
            of: 3,
        }
    }

    #[test]
    fn a_limit_is_kept_or_broken_by_the_whole_interval_and_otherwise_open() {
        let cases = [
            (told(Some([1.0, 9.9]), 0, 0), Compliance::Kept),
            (told(Some([1.0, 10.0]), 0, 0), Compliance::NotEnoughData),
            (told(Some([10.0, 12.0]), 0, 0), Compliance::Broken),
            (told(None, 0, 1), Compliance::Broken),
            (told(None, 3, 0), Compliance::Kept),
            (told(None, 0, 0), Compliance::NotEnoughData),
        ];
        for (told, expected) in cases {
            assert_eq!(judge_upper_limit(&told, 10.0), expected, "{told:?}");
        }
    }
}
