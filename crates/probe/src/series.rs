//! The readings of one probe, one after the other: keeps the snapshot before and turns the next one into a [`Reading`].
//! Knows neither what is read nor how.

use std::fmt::Display;
use std::ops::Range;
use std::time::Instant;

use results::interval::Reading;

use crate::counter::ReadingValues;

/// The snapshot before and the instant at which it was complete.
#[derive(Debug)]
pub(crate) struct SnapshotSeries<S> {
    before: Option<(Instant, S)>,
}

impl<S> SnapshotSeries<S> {
    pub(crate) const fn new() -> Self {
        Self { before: None }
    }

    /// Forgets the snapshot before, so that the next reading starts a new series.
    pub(crate) fn forget_snapshot(&mut self) {
        self.before = None;
    }

    /// Whether the next reading has something to take the difference from.
    pub(crate) fn has_begun(&self) -> bool {
        self.before.is_some()
    }

    /// The reading that took this time and ended with `outcome`.
    ///
    /// After a failed attempt the snapshot before stays: the next reading covers both seconds and its `over_us` says
    /// so, hence nothing that was counted is lost. After a discontinuity (`difference` fails) the series starts anew.
    pub(crate) fn reading_from_outcome<E: Display, D: Display>(
        &mut self,
        time: Range<Instant>,
        outcome: Result<S, E>,
        difference: impl FnOnce(&S, &S) -> Result<ReadingValues, D>,
    ) -> Reading {
        let took_us = elapsed_microseconds(time.start, time.end);
        let after = match outcome {
            Ok(after) => after,
            Err(reason) => return Reading::Gap { took_us, gap: reason.to_string() },
        };
        let reading = match &self.before {
            None => Reading::Gap { took_us, gap: "first reading: no earlier reading to subtract".to_owned() },
            Some((instant, before)) => match difference(before, &after) {
                Ok(values) => Reading::Values { took_us, over_us: elapsed_microseconds(*instant, time.end), values },
                Err(discontinuity) => Reading::Gap { took_us, gap: discontinuity.to_string() },
            },
        };
        self.before = Some((time.end, after));
        reading
    }
}

fn elapsed_microseconds(from: Instant, to: Instant) -> u64 {
    u64::try_from(to.duration_since(from).as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Backwards, counter_increase};

    fn read(series: &mut SnapshotSeries<u64>, outcome: Result<u64, &str>) -> Result<f64, String> {
        let difference = |before: &u64, after: &u64| -> Result<ReadingValues, Backwards> {
            Ok(ReadingValues::from([("ticks".to_owned(), counter_increase("ticks", *before, *after)?)]))
        };
        let now = Instant::now();
        match series.reading_from_outcome(now..now, outcome, difference) {
            Reading::Values { values, .. } => Ok(values["ticks"]),
            Reading::Gap { gap, .. } => Err(gap),
        }
    }

    #[test]
    fn the_first_reading_is_a_gap_and_the_second_a_difference() {
        let mut series = SnapshotSeries::new();
        assert_eq!(read(&mut series, Ok(5)), Err("first reading: no earlier reading to subtract".to_owned()));
        assert_eq!(read(&mut series, Ok(8)), Ok(3.0));
    }

    #[test]
    fn a_failed_reading_is_a_gap_and_the_next_one_covers_both_seconds() {
        let mut series = SnapshotSeries::new();
        let _ = read(&mut series, Ok(5));
        assert_eq!(read(&mut series, Err("no such file")), Err("no such file".to_owned()));
        assert_eq!(read(&mut series, Ok(9)), Ok(4.0));
    }

    #[test]
    fn after_a_discontinuity_the_series_starts_anew() {
        let mut series = SnapshotSeries::new();
        let _ = read(&mut series, Ok(5));
        assert_eq!(read(&mut series, Ok(2)), Err("the counter ticks decreased from 5 to 2".to_owned()));
        assert_eq!(read(&mut series, Ok(3)), Ok(1.0));
    }

    #[test]
    fn a_forgotten_series_has_nothing_to_take_the_difference_from() {
        let mut series = SnapshotSeries::new();
        let _ = read(&mut series, Ok(5));
        series.forget_snapshot();
        assert!(read(&mut series, Ok(6)).is_err());
    }
}
