//! The offered rate over time, in straight pieces: how many arrivals are expected up to an instant, and the other way
//! round. Pure. Instants are seconds since the begin of the load.

use crate::engine::clock::NEVER;
use crate::engine::timetable::Timetable;
use crate::pace::OfferedRate;

/// The offered rate of a job.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RateCurve {
    pieces: Vec<RatePiece>,
}

/// A time in which the rate changes evenly.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RatePiece {
    start_s: f64,
    /// How long it is; infinite if the end of the load is not known.
    duration_s: f64,
    /// Arrivals per second at its begin.
    rate: f64,
    /// By how much that grows in a second.
    slope: f64,
    /// Arrivals that are expected before its begin and before its end.
    expected: (f64, f64),
}

impl RateCurve {
    /// The rate of a job with these phases.
    pub(crate) fn from_rate(rate: &OfferedRate, timetable: &Timetable) -> RateCurve {
        let [warm_up_s, measure_s] = [timetable.warm_up_ns, timetable.measure_ns]
            .map(|ns| if ns == NEVER { f64::INFINITY } else { ns as f64 / 1e9 });
        let mut curve = RateCurve { pieces: Vec::new() };
        match rate {
            OfferedRate::Constant(rate) => curve.push_piece(warm_up_s + measure_s, *rate, *rate),
            OfferedRate::Ramp { from, to } => curve.push_piece(warm_up_s + measure_s, *from, *to),
            OfferedRate::Steps(rates) => {
                curve.push_piece(warm_up_s, rates[0], rates[0]);
                rates.iter().for_each(|&rate| curve.push_piece(measure_s / rates.len() as f64, rate, rate));
            }
        }
        curve
    }

    fn push_piece(&mut self, duration_s: f64, from: f64, to: f64) {
        let (start_s, before) = self.pieces.last().map_or((0.0, 0.0), |last| (last.end_s(), last.expected.1));
        // No arrivals in no time, also where that is infinite.
        let expected = if from + to == 0.0 { 0.0 } else { (from + to) / 2.0 * duration_s };
        let slope = if from == to { 0.0 } else { (to - from) / duration_s };
        if duration_s > 0.0 {
            self.pieces.push(RatePiece {
                start_s,
                duration_s,
                rate: from,
                slope,
                expected: (before, before + expected),
            });
        }
    }

    /// When so many arrivals are expected to have come, if they are to come at all. `piece` is where to begin to look;
    /// to be kept for the next call with a number that is not smaller.
    pub(crate) fn reached_s(&self, arrivals: f64, piece: &mut usize) -> Option<f64> {
        while arrivals >= self.pieces.get(*piece)?.expected.1 {
            *piece += 1;
        }
        Some(self.pieces[*piece].reached_s(arrivals))
    }
}

impl RatePiece {
    fn end_s(&self) -> f64 {
        self.start_s + self.duration_s
    }

    /// With n arrivals into the piece, rate r and slope s: n = r t + s t² / 2, solved for t in the form that loses no
    /// digits when s is small.
    fn reached_s(&self, arrivals: f64) -> f64 {
        let n = arrivals - self.expected.0;
        if n <= 0.0 {
            return self.start_s;
        }
        let root = (self.rate * self.rate + 2.0 * self.slope * n).max(0.0).sqrt();
        self.start_s + (2.0 * n / (self.rate + root)).min(self.duration_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn curve(rate: &OfferedRate, warm_up_s: u64, measure_s: u64) -> RateCurve {
        let second = crate::engine::clock::SECOND_NS;
        let timetable = Timetable { start_ns: 5, warm_up_ns: warm_up_s * second, measure_ns: measure_s * second };
        RateCurve::from_rate(rate, &timetable)
    }

    #[test]
    fn steps_divide_the_measurement_and_the_warm_up_has_the_first() {
        let steps = curve(&OfferedRate::Steps(vec![10.0, 0.0, 20.0]), 2, 6);
        let at = |arrivals| steps.reached_s(arrivals, &mut 0);
        // 20 in the warm-up, 20 in the first step, none from 4 s to 6 s, 40 from 6 s to 8 s.
        assert_eq!([at(0.0), at(20.0), at(39.0)], [Some(0.0), Some(2.0), Some(3.9)]);
        assert_eq!([at(40.0), at(60.0), at(80.0)], [Some(6.0), Some(7.0), None]);
    }

    #[test]
    fn a_ramp_from_nothing_reaches_half_of_its_arrivals_at_the_root_of_a_half() {
        let ramp = curve(&OfferedRate::Ramp { from: 0.0, to: 100.0 }, 0, 10);
        let half = ramp.reached_s(250.0, &mut 0).expect("there are 500");
        assert!((half - 10.0 * 0.5f64.sqrt()).abs() < 1e-9, "{half}");
        assert_eq!(ramp.reached_s(0.0, &mut 0), Some(0.0));
    }

    #[test]
    fn a_constant_rate_goes_on_when_the_end_is_not_known() {
        let timetable = Timetable { start_ns: 0, warm_up_ns: 0, measure_ns: NEVER };
        let constant = RateCurve::from_rate(&OfferedRate::Constant(100.0), &timetable);
        assert_eq!(constant.reached_s(1e6, &mut 0), Some(1e4));
    }

    proptest! {
        #[test]
        fn the_integral_of_a_ramp_up_to_an_arrival_is_its_number(
            from in 0.0f64..1e5, to in 0.0f64..1e5, warm_up in 0u64..100, measure in 1u64..100, part in 0.0f64..1.0,
        ) {
            let whole_s = (warm_up + measure) as f64;
            let ramp = curve(&OfferedRate::Ramp { from, to }, warm_up, measure);
            let n = part * (from + to) / 2.0 * whole_s;
            prop_assume!(from + to > 1.0);
            let t = ramp.reached_s(n, &mut 0).expect("before the end");
            let integral = from * t + (to - from) / whole_s * t * t / 2.0;
            prop_assert!((integral - n).abs() <= 1e-6 * n + 1e-6, "{} {}", integral, n);
        }

        #[test]
        fn later_arrivals_do_not_come_earlier(
            rates in prop::collection::vec(prop_oneof![Just(0.0), 0.0f64..1e4], 1..6), measure in 1u64..20,
        ) {
            prop_assume!(rates.iter().any(|&rate| rate > 0.0));
            let steps = curve(&OfferedRate::Steps(rates), 1, measure);
            let mut piece = 0;
            let found: Vec<f64> =
                (0..1000).map_while(|n| steps.reached_s(f64::from(n) * 7.3, &mut piece)).collect();
            prop_assert!(found.is_sorted());
        }
    }
}
