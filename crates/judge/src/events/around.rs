//! The throughput around an event, on a grid of its own time, so that the trials can be drawn over one another.

use results::trial::Tallied;

/// The width of a piece of the curve, in seconds.
pub const STEP_S: f64 = 0.1;

/// So much is drawn before an event at most, in seconds.
const BEFORE_S: f64 = 10.0;

/// So much after it at least, as far as there is so much, in seconds.
const AFTER_S: f64 = 60.0;

/// So many times as much as until its gap ended: what follows belongs to it.
const TIMES_GAP: f64 = 3.0;

/// So much after it at most, in seconds.
const AFTER_MOST_S: f64 = 600.0;

/// A curve of which each piece is the mean over [`STEP_S`].
#[derive(Debug, Clone, PartialEq)]
pub struct EventCurve {
    /// The begin of the first piece, in seconds since the event was asked for; a multiple of the step.
    pub from_s: f64,
    /// Transactions acknowledged per second, piece by piece.
    pub per_s: Vec<f64>,
}

/// The curve around an instant, as far as transactions were counted; absent where that is no whole piece. `gap_s` is
/// the gap that decides, as in [`super::EventSeen`].
pub(super) fn throughput_curve_around(
    requested_us: u64,
    gap_s: Option<(f64, Option<f64>)>,
    tally: &[Tallied],
) -> Option<EventCurve> {
    let after_s = match gap_s {
        Some((_, Some(end_s))) => (TIMES_GAP * end_s).clamp(AFTER_S, AFTER_MOST_S),
        Some((_, None)) => AFTER_MOST_S,
        None => AFTER_S,
    };
    let at_s = |at: &Tallied| (at.at_us as f64 - requested_us as f64) / 1e6;
    let (first, last) = (at_s(tally.first()?), at_s(tally.last()?));
    // Towards zero, where the event is.
    let from = (first.max(-BEFORE_S) / STEP_S) as i64;
    let pieces = usize::try_from((last.min(after_s) / STEP_S) as i64 - from).ok().filter(|pieces| *pieces > 0)?;
    let mut counts = tally.windows(2).map(|pair| (at_s(&pair[0]), at_s(&pair[1]), pair));
    let mut pair = counts.next()?;
    let mut done_at = |s: f64| {
        while pair.1 < s {
            let Some(next) = counts.next() else { break };
            pair = next;
        }
        let (begin, end, [before, after]) = (pair.0, pair.1, [&pair.2[0], &pair.2[1]]);
        let share = if end > begin { ((s - begin) / (end - begin)).clamp(0.0, 1.0) } else { 1.0 };
        before.transactions as f64 + share * (after.transactions - before.transactions) as f64
    };
    let from_s = from as f64 * STEP_S;
    let done: Vec<f64> = (0..=pieces).map(|place| done_at(from_s + place as f64 * STEP_S)).collect();
    Some(EventCurve { from_s, per_s: done.windows(2).map(|pair| (pair[1] - pair[0]) / STEP_S).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_lies_on_a_grid_around_the_event_whatever_the_instants_of_the_counts() {
        // 100 a second, none from 1.03 s to 1.53 s; the event at 1.03 s.
        let tallied = |at_us: u64| {
            let worked_us = at_us - at_us.saturating_sub(1_030_000).min(500_000);
            Tallied { at_us, transactions: worked_us / 10_000 }
        };
        let tally: Vec<Tallied> = (0..=250).map(|place| tallied(place * 10_000)).collect();
        let curve = throughput_curve_around(1_030_000, None, &tally).expect("a curve");
        assert!((curve.from_s + 1.0).abs() < 1e-9, "{}", curve.from_s);
        let rounded: Vec<f64> = curve.per_s.iter().map(|per_s| per_s.round()).collect();
        assert_eq!(rounded, [[100.0; 10].as_slice(), &[0.0; 5], &[100.0; 9]].concat());
        assert_eq!(
            (throughput_curve_around(1_030_000, None, &tally[..1]), throughput_curve_around(1_030_000, None, &[])),
            (None, None)
        );
    }

    #[test]
    fn a_curve_goes_on_for_three_times_as_long_as_the_gap_took_to_end() {
        let tally: Vec<Tallied> =
            (0..=1000).map(|second| Tallied { at_us: second * 1_000_000, transactions: second }).collect();
        let check = |gap_s, expected: usize| {
            assert_eq!(throughput_curve_around(0, gap_s, &tally).expect("a curve").per_s.len(), expected, "{gap_s:?}");
        };
        check(None, 600);
        check(Some((1.0, Some(2.0))), 600);
        check(Some((1.0, Some(90.0))), 2700);
        check(Some((1.0, Some(500.0))), 6000);
        check(Some((1.0, None)), 6000);
    }
}
