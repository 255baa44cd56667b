//! When which second begins and ends: pure arithmetic on the instants that a job was given.
//!
//! A phase is cut into seconds from its own start; its last one is shorter if the phase is no whole number of seconds.
//! Intervals are numbered through both phases.

use crate::engine::clock::{NEVER, SECOND_NS, duration_to_ns};
use crate::extent::JobExtent;
use crate::job::EngineJob;
use crate::report::LoadPhase;

/// The phases of a run that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timetable {
    pub(crate) start_ns: u64,
    /// `NEVER` if it is under way and its end is not known.
    pub(crate) warm_up_ns: u64,
    /// `NEVER` if the end is not known from the start.
    pub(crate) measure_ns: u64,
}

/// One second of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PhaseInterval {
    pub(crate) phase: LoadPhase,
    /// Within the phase, from 0.
    pub(crate) index: u32,
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
}

impl Timetable {
    /// The phases of a job whose load begins at `start_ns`.
    pub(crate) fn from_job(job: &EngineJob, start_ns: u64) -> Timetable {
        let measure_ns = match job.measure {
            JobExtent::Time(time) => duration_to_ns(time),
            JobExtent::Transactions(_) => NEVER,
        };
        Timetable { start_ns, warm_up_ns: duration_to_ns(job.warm_up), measure_ns }
    }

    /// The phases of a load that begins at `start_ns` with `first`, and of which it is not known when they end.
    pub(crate) fn with_unknown_end(start_ns: u64, first: LoadPhase) -> Timetable {
        let warm_up_ns = match first {
            LoadPhase::WarmUp => NEVER,
            LoadPhase::Measure => 0,
        };
        Timetable { start_ns, warm_up_ns, measure_ns: NEVER }
    }

    /// When the measurement phase begins; `NEVER` if that is not known.
    pub(crate) fn measure_start_ns(&self) -> u64 {
        self.start_ns.saturating_add(self.warm_up_ns)
    }

    /// When it ends, unless the run is stopped earlier; `NEVER` if that is not known.
    pub(crate) fn end_ns(&self) -> u64 {
        self.measure_start_ns().saturating_add(self.measure_ns)
    }

    /// The interval with that number; `None` after the last one.
    pub(crate) fn interval_by_number(&self, number: u32) -> Option<PhaseInterval> {
        let of_warm_up = u32::try_from(self.warm_up_ns.div_ceil(SECOND_NS)).unwrap_or(u32::MAX);
        let (phase, index, phase_start_ns, phase_ns) = match number.checked_sub(of_warm_up) {
            None => (LoadPhase::WarmUp, number, self.start_ns, self.warm_up_ns),
            Some(index) => (LoadPhase::Measure, index, self.measure_start_ns(), self.measure_ns),
        };
        let offset_ns = u64::from(index) * SECOND_NS;
        let left_ns = phase_ns.checked_sub(offset_ns).filter(|&left| left > 0)?;
        let start_ns = phase_start_ns + offset_ns;
        Some(PhaseInterval { phase, index, start_ns, end_ns: start_ns + left_ns.min(SECOND_NS) })
    }

    /// The end of the interval that is under way at `now_ns`.
    pub(crate) fn end_of_second(&self, now_ns: u64) -> u64 {
        (0..)
            .map_while(|number| self.interval_by_number(number))
            .map(|interval| interval.end_ns)
            .find(|&end| end > now_ns)
            .unwrap_or(self.end_ns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: u64 = 1_000_000;

    fn cut(warm_up_ms: u64, measure_ms: u64) -> Vec<(LoadPhase, u32, u64, u64)> {
        let timetable = Timetable { start_ns: 0, warm_up_ns: warm_up_ms * MS, measure_ns: measure_ms * MS };
        let intervals = (0..).map_while(|number| timetable.interval_by_number(number));
        intervals.map(|i| (i.phase, i.index, i.start_ns / MS, i.end_ns / MS)).collect()
    }

    #[test]
    fn a_warm_up_whose_end_becomes_known_keeps_the_seconds_that_are_over() {
        let unknown = Timetable::with_unknown_end(0, LoadPhase::WarmUp);
        assert_eq!(unknown.interval_by_number(3).map(|i| (i.phase, i.end_ns)), Some((LoadPhase::WarmUp, 4_000 * MS)));
        assert_eq!((unknown.measure_start_ns(), unknown.end_ns()), (NEVER, NEVER));
        for (warm_up_ms, expected) in [(2_500, (LoadPhase::WarmUp, 2, 2_500)), (2_000, (LoadPhase::Measure, 0, 3_000))]
        {
            let known = Timetable { warm_up_ns: warm_up_ms * MS, ..unknown };
            assert_eq!(known.interval_by_number(1), unknown.interval_by_number(1));
            let third = known.interval_by_number(2).map(|i| (i.phase, i.index, i.end_ns / MS));
            assert_eq!(third, Some(expected), "{warm_up_ms}");
        }
    }

    #[test]
    fn each_phase_is_cut_into_seconds_from_its_own_start() {
        use LoadPhase::{Measure, WarmUp};
        assert_eq!(
            cut(1500, 2000),
            [(WarmUp, 0, 0, 1000), (WarmUp, 1, 1000, 1500), (Measure, 0, 1500, 2500), (Measure, 1, 2500, 3500)]
        );
        assert_eq!(cut(0, 700), [(Measure, 0, 0, 700)]);
    }

    proptest! {
        #[test]
        fn the_intervals_cover_the_run_without_gap_or_overlap(start: u32, warm_up in 0u64..5_000, measure in 1u64..5_000) {
            let timetable = Timetable {
                start_ns: u64::from(start), warm_up_ns: warm_up * MS, measure_ns: measure * MS,
            };
            let mut at = timetable.start_ns;
            for interval in (0..).map_while(|number| timetable.interval_by_number(number)) {
                prop_assert_eq!(interval.start_ns, at);
                prop_assert!(interval.end_ns > at);
                prop_assert_eq!(timetable.end_of_second(at), interval.end_ns);
                at = interval.end_ns;
            }
            prop_assert_eq!(at, timetable.end_ns());
        }
    }
}
