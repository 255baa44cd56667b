//! How far figures that somebody told may be from those that were measured: half a unit of their last place, as far
//! as the figures of one source show which that is.

use std::collections::BTreeSet;

use results::shared::LatestValues;

use super::material::{Rounding, StatedDiskStage, TrialAccount};

/// Figures are told to a billionth at best; what is beyond are the last bits of a binary fraction.
const PLACES_AT_MOST: i32 = 9;

/// From so many unlike figures on, zeros that all of them end with are those of rounding, and not of chance.
const ZEROS_FROM: usize = 3;

/// Half a unit of the last place that any of these figures of one source has: 0.5 of 2, 3 and 12, and 0.05 of 2, 3.5
/// and 12. Zero where there are none.
pub(super) fn half_a_unit(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut unlike: Vec<f64> = Vec::with_capacity(ZEROS_FROM);
    let mut least: Option<i32> = None;
    for figure in figures.into_iter().filter(|figure| figure.is_finite() && *figure != 0.0) {
        if unlike.len() < ZEROS_FROM && !unlike.contains(&figure) {
            unlike.push(figure);
        }
        let place = last_place(figure);
        least = Some(least.map_or(place, |least| least.min(place)));
    }
    let place = least.map(|place| if unlike.len() < ZEROS_FROM { place.min(0) } else { place });
    place.map_or(0.0, |place| 0.5 * 10_f64.powi(place))
}

/// Enters how far the figures of trials may be from what was measured, as those of each side show.
pub(super) fn of_trials(trials: &mut [TrialAccount]) {
    let sides: BTreeSet<String> = trials.iter().map(|trial| trial.side.clone()).collect();
    for side in sides {
        let here = || trials.iter().filter(|trial| trial.side == side);
        let throughput = half_a_unit(here().filter_map(|trial| trial.throughput_per_s));
        let latency = half_a_unit(here().filter_map(|trial| trial.latency_ms_mean));
        let mut latest = LatestValues::default();
        for trial in trials.iter_mut().filter(|trial| trial.side == side) {
            (trial.throughput_rounding, trial.latency_ms_rounding) = (throughput, latency);
            // Those that were of one detail have one again.
            latest.share_value(&mut trial.detail);
        }
    }
}

/// Units in which bandwidths are told, in bytes per second.
const BANDWIDTH_UNITS: [f64; 6] = [1e3, 1024.0, 1e6, 1_048_576.0, 1e9, 1_073_741_824.0];

/// A unit of the last place of bandwidths, in the unit in which they have the fewest digits.
fn unit_of_bandwidths(bytes_per_s: &[f64]) -> f64 {
    let units = BANDWIDTH_UNITS.iter().map(|unit| 2.0 * unit * half_a_unit(bytes_per_s.iter().map(|rate| rate / unit)));
    units.fold(0.0, f64::max)
}

/// Enters how far the figures of storage jobs may be from what was measured, as those of each side show: a whole unit
/// of their last place, since people cut figures as well as round them.
pub(super) fn of_stages(stages: &mut [StatedDiskStage]) {
    let sides: BTreeSet<String> = stages.iter().map(|stage| stage.side.clone()).collect();
    for side in sides {
        let here = || stages.iter().filter(|stage| stage.side == side).flat_map(StatedDiskStage::read_and_write_flows);
        let iops = 2.0 * half_a_unit(here().map(|flow| flow.iops));
        let bytes_per_s = unit_of_bandwidths(&here().filter_map(|flow| flow.bytes_per_s).collect::<Vec<f64>>());
        let latency = 2.0 * half_a_unit(here().filter_map(|flow| flow.latency_ms_mean));
        for stage in stages.iter_mut().filter(|stage| stage.side == side) {
            for flow in stage.reads.iter_mut().chain(&mut stage.writes) {
                flow.rounding = Rounding {
                    iops: share_of_figure(iops, Some(flow.iops)),
                    bytes_per_s: share_of_figure(bytes_per_s, flow.bytes_per_s),
                    latency: share_of_figure(latency, flow.latency_ms_mean),
                };
            }
        }
    }
}

fn share_of_figure(unit: f64, figure: Option<f64>) -> f64 {
    figure.filter(|figure| *figure > 0.0).map_or(0.0, |figure| unit / figure)
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
    fn a_unit_of_bandwidths_is_one_of_the_unit_in_which_they_are_told() {
        for (rates, expected) in [
            (&[33e6, 127e6][..], 1e6),
            (&[33.0 * 1_048_576.0, 127.0 * 1_048_576.0], 1_048_576.0),
            (&[1.5e9, 2.25e9], 1e7),
            (&[], 0.0),
        ] {
            let found = unit_of_bandwidths(rates);
            assert!((found - expected).abs() <= 1e-6 * expected, "{rates:?}: {found}");
        }
    }

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
