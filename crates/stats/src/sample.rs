//! Description of one sample: centre and spread. Every function wants at least one value, the
//! spreads at least two; the callers have checked that.

/// Arithmetic mean.
pub(crate) fn sample_mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// Sample variance with the n − 1 divisor, in two passes (one pass loses digits when the spread is
/// small beside the mean).
pub(crate) fn sample_variance(sample: &[f64]) -> f64 {
    let centre = sample_mean(sample);
    let squares: f64 = sample.iter().map(|x| (x - centre).powi(2)).sum();
    squares / (sample.len() - 1) as f64
}

/// Sample standard deviation with the n − 1 divisor.
pub(crate) fn standard_deviation(sample: &[f64]) -> f64 {
    sample_variance(sample).sqrt()
}

/// Median; of an even number of values, the mean of the two in the middle.
pub(crate) fn sample_median(sample: &[f64]) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

/// Median absolute deviation from the median, not scaled to any distribution.
pub(crate) fn median_absolute_deviation(sample: &[f64]) -> f64 {
    let centre = sample_median(sample);
    let deviations: Vec<f64> = sample.iter().map(|x| (x - centre).abs()).collect();
    sample_median(&deviations)
}
