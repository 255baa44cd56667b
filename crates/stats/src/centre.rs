//! The centre and the range of a sample that may be empty.

use std::borrow::Borrow;

use crate::sample;

/// Arithmetic mean; `None` of nothing.
#[must_use]
pub fn arithmetic_mean<F: Borrow<f64>>(figures: impl IntoIterator<Item = F>) -> Option<f64> {
    let figures: Vec<f64> = figures.into_iter().map(|figure| *figure.borrow()).collect();
    if figures.is_empty() { None } else { Some(sample::sample_mean(&figures)) }
}

/// Median; of an even number of values, the mean of the two in the middle. `None` of nothing.
#[must_use]
pub fn median_of_figures(figures: &[f64]) -> Option<f64> {
    if figures.is_empty() { None } else { Some(sample::sample_median(figures)) }
}

/// The smallest and the largest; `None` of nothing.
#[must_use]
pub fn range_of_figures(figures: &[f64]) -> Option<[f64; 2]> {
    let first = *figures.first()?;
    Some(figures.iter().fold([first, first], |[least, most], figure| [least.min(*figure), most.max(*figure)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centre_of_nothing_is_unknown_and_that_of_figures_lies_among_them() {
        assert_eq!((arithmetic_mean([0.0; 0]), median_of_figures(&[])), (None, None));
        assert_eq!((arithmetic_mean([1.0, 2.0, 6.0]), median_of_figures(&[6.0, 1.0, 2.0])), (Some(3.0), Some(2.0)));
        assert_eq!(median_of_figures(&[4.0, 1.0]), Some(2.5));
        assert_eq!((range_of_figures(&[2.0, 1.0, 6.0]), range_of_figures(&[])), (Some([1.0, 6.0]), None));
    }
}
