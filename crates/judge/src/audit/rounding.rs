//! How far figures that somebody told may be from those that were measured: half a unit of their last place, as far
//! as the figures of one source show which that is.

use std::collections::BTreeSet;

use super::material::{Rounding, StatedDiskFlow, StatedDiskStage, TrialAccount};

/// Figures are told to a billionth at best; what is beyond are the last bits of a binary fraction.
const PLACES_AT_MOST: i32 = 9;

/// From so many unlike figures on, zeros that all of them end with are those of rounding, and not of chance.
const ZEROS_FROM: usize = 3;

/// Half a unit of the last place that any of these figures of one source has: 0.5 of 2, 3 and 12, and 0.05 of 2, 3.5
/// and 12. Zero where there are none.
pub(super) fn half_a_unit(figures: impl IntoIterator<Item = f64>) -> f64 {
    let figures: Vec<f64> = figures.into_iter().filter(|figure| figure.is_finite() && *figure != 0.0).collect();
    let unlike: BTreeSet<u64> = figures.iter().map(|figure| figure.to_bits()).collect();
    let places = figures.iter().map(|figure| last_place(*figure));
    let place = places.min().map(|place| if unlike.len() < ZEROS_FROM { place.min(0) } else { place });
    place.map_or(0.0, |place| 0.5 * 10_f64.powi(place))
}

/// Enters how far the figures of trials may be from what was measured, as those of each side show.
pub(super) fn of_trials(trials: &mut [TrialAccount]) {
    let sides: BTreeSet<String> = trials.iter().map(|trial| trial.side.clone()).collect();
    for side in sides {
        let here = || trials.iter().filter(|trial| trial.side == side);
        let throughput = half_a_unit(here().filter_map(|trial| trial.throughput_per_s));
        let latency = half_a_unit(here().filter_map(|trial| trial.latency_ms_mean));
        for trial in trials.iter_mut().filter(|trial| trial.side == side) {
            (trial.throughput_rounding, trial.latency_ms_rounding) = (throughput, latency);
        }
    }
}

/// Enters how far the figures of storage jobs may be from what was measured, as those of each side show.
pub(super) fn of_stages(stages: &mut [StatedDiskStage]) {
    let sides: BTreeSet<String> = stages.iter().map(|stage| stage.side.clone()).collect();
    for side in sides {
        let here = || stages.iter().filter(|stage| stage.side == side).flat_map(StatedDiskStage::read_and_write_flows);
        let half = |figure: fn(&StatedDiskFlow) -> Option<f64>| half_a_unit(here().filter_map(figure));
        let iops = half(|flow| Some(flow.iops));
        let bytes_per_s = half(|flow| flow.bytes_per_s.map(|bytes| bytes / 1e6));
        let latency = half(|flow| flow.latency_ms_mean);
        for stage in stages.iter_mut().filter(|stage| stage.side == side) {
            for flow in stage.reads.iter_mut().chain(&mut stage.writes) {
                let share = |half: f64, of: Option<f64>| of.filter(|of| *of > 0.0).map_or(0.0, |of| half / of);
                flow.rounding = Rounding {
                    iops: share(iops, Some(flow.iops)),
                    bytes_per_s: share(bytes_per_s, flow.bytes_per_s.map(|bytes| bytes / 1e6)),
                    latency: share(latency, flow.latency_ms_mean),
                };
            }
        }
    }
}

/// The power of ten of a figure's last digit that is not zero.
fn last_place(figure: f64) -> i32 {
    let text = format!("{figure:.*}", PLACES_AT_MOST as usize);
    let significant = text.trim_end_matches('0');
    match significant.split_once('.') {
        Some((_, "")) | None => {
            let whole = significant.trim_end_matches('.');
            (whole.len() - whole.trim_end_matches('0').len()) as i32
        }
        Some((_, fraction)) => -(fraction.len() as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finest_digit_of_all_tells_what_was_rounded() {
        for (figures, expected) in [
            (&[2.0, 3.0, 12.0][..], 0.5),
            (&[2.0, 3.5, 12.0], 0.05),
            (&[8.9e6 / 1e6], 0.05),
            (&[0.12, 0.13], 0.005),
            // Three that end with zeros are rounded to tens; one or two may do so by chance.
            (&[20.0, 40.0, 110.0], 5.0),
            (&[20.0, 40.0], 0.5),
            (&[20.0, 20.0, 20.0], 0.5),
            (&[1000.0 / 3.0], 0.5e-9),
            (&[], 0.0),
            (&[f64::NAN, 0.0], 0.0),
        ] {
            let found = half_a_unit(figures.iter().copied());
            assert!((found - expected).abs() < 1e-12, "{figures:?}: {found}");
        }
    }
}
