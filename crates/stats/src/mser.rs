//! How much of the beginning of a series does not belong to the rest: MSER-5.
//!
//! The marginal standard error rule (White 1997, Simulation 69:323; batches of five: White, Cobb and
//! Spratt 2000, Proc. WSC 755) leaves out as many batches at the start as make the standard error of
//! the mean of the rest smallest. With a dozen batches the smallest is often so by luck, so here the
//! earliest point is taken that comes near it ([`TOLERANCE`]). Whether what was left out matters is
//! asked by [`crate::steady`].

use crate::sample;

/// Observations per batch.
pub const BATCH: usize = 5;

/// A squared standard error within this factor of the least counts as the least.
pub const TOLERANCE: f64 = 3.0;

/// How many observations at the start the rule would leave out: a multiple of [`BATCH`], at most
/// half the series. A remainder that fills no batch is left aside at the end. 0 for a series of
/// fewer than four batches.
#[must_use]
pub fn mser_truncation(series: &[f64]) -> usize {
    let batches: Vec<f64> = series.chunks_exact(BATCH).map(sample::sample_mean).collect();
    if batches.len() < 4 {
        return 0;
    }
    let errors: Vec<f64> = (0..=batches.len() / 2)
        .map(|left_out| {
            let rest = &batches[left_out..];
            sample::sample_variance(rest) * (rest.len() - 1) as f64 / (rest.len() as f64).powi(2)
        })
        .collect();
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let earliest = errors.iter().position(|error| *error <= least * TOLERANCE);
    earliest.map_or(0, |left_out| left_out * BATCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;

    #[test]
    fn a_slow_start_is_left_out() {
        let mut series = noisy_series(60, 0.0, 1.0, 2);
        for (t, y) in series.iter_mut().take(10).enumerate() {
            *y -= 50.0 - 5.0 * t as f64;
        }
        assert_eq!(mser_truncation(&series), 10);
    }

    #[test]
    fn never_more_than_half_is_left_out() {
        let rising: Vec<f64> = (0..60).map(f64::from).collect();
        assert!(mser_truncation(&rising) <= 30);
        assert_eq!(mser_truncation(&rising[..19]), 0);
    }

    #[test]
    fn a_constant_series_keeps_its_beginning() {
        assert_eq!(mser_truncation(&[3.0; 40]), 0);
    }
}
