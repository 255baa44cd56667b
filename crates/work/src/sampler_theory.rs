//! Every distribution by χ² against what its definition says.

use crate::{Distribution, DistributionSampler, Random};

const DRAWS: usize = 200_000;

/// The probability that the mean of twelve uniform numbers is below x (Bates).
fn bates_probability(x: f64) -> f64 {
    let (mut sum, mut binomial, mut sign) = (0.0, 1.0, 1.0);
    for k in 0..=12 {
        let above = 12.0 * x - f64::from(k);
        if above > 0.0 {
            sum += sign * binomial * above.powi(12);
        }
        binomial *= f64::from(12 - k) / f64::from(k + 1);
        sign = -sign;
    }
    (sum / 479_001_600.0).clamp(0.0, 1.0)
}

/// Draws from 1 to `n` and compares with the probabilities of each number.
fn check_frequencies(distribution: Distribution, n: usize, probability: impl Fn(usize) -> f64) {
    let sampler = DistributionSampler::new(distribution);
    let mut random = Random::new(5);
    let mut seen = vec![0u32; n + 1];
    for _ in 0..DRAWS {
        seen[usize::try_from(sampler.draw_number(1, n as i64, &mut random)).expect("not negative")] += 1;
    }
    assert_eq!(seen[0], 0);
    let expected: Vec<f64> = (1..=n).map(|number| probability(number) * DRAWS as f64).collect();
    let total: f64 = expected.iter().sum();
    assert!((total / DRAWS as f64 - 1.0).abs() < 1e-6, "{distribution}: the probabilities sum up to {total}");
    let (mut sum, mut cells, mut cell) = (0.0, 0.0f64, (0.0, 0.0));
    for (seen, expected) in seen[1..].iter().zip(expected) {
        cell = (cell.0 + f64::from(*seen), cell.1 + expected);
        if cell.1 >= 20.0 {
            sum += (cell.0 - cell.1).powi(2) / cell.1;
            cells += 1.0;
            cell = (0.0, 0.0);
        }
    }
    let freedom = cells - 1.0;
    assert!(sum <= freedom + 4.0 * (2.0 * freedom).sqrt(), "{distribution} of {n}: {sum} with {freedom} degrees");
}

#[test]
fn uniform_numbers_are_equally_likely() {
    for n in [1, 2, 7, 1000] {
        check_frequencies(Distribution::Uniform, n, |_| 1.0 / n as f64);
    }
}

#[test]
fn gaussian_numbers_are_means_of_twelve_uniform_ones() {
    let n = 500;
    let below = |number: usize| bates_probability(number as f64 / n as f64);
    check_frequencies(Distribution::Gaussian { iter: 12 }, n, |number| below(number) - below(number - 1));
}

#[test]
fn three_quarters_of_special_numbers_are_in_the_middle_and_the_others_a_bell() {
    let n = 1000;
    let width = n as f64 - 1.0;
    let bell = |number: usize| bates_probability((number as f64 / width).min(1.0));
    let (middle, start) = (width * 0.01, width / 2.0 - width * 0.005);
    // Where the uniform number, from 0.25 to 1, leads to less than this number.
    let below = |number: usize| ((number as f64 - start) / (middle + 1.0)).clamp(0.25, 1.0);
    check_frequencies(Distribution::default(), n, |number| {
        0.25 * (bell(number) - bell(number - 1)) + below(number) - below(number - 1)
    });
}

#[test]
fn pareto_numbers_are_low_in_the_given_proportion() {
    let n = 1000;
    let h = 0.2f64;
    let power = (1.0 - h).ln() / h.ln();
    let below = |number: usize| (number as f64 / n as f64).powf(power);
    assert!((below(200) - 0.8).abs() < 1e-9, "80 % in the lowest 20 %");
    check_frequencies(Distribution::Pareto { h }, n, |number| below(number) - below(number - 1));
}

#[test]
fn zipfian_numbers_are_as_likely_as_the_power_of_their_rank() {
    for exponent in [0.0, 0.8, 1.0, 1.0 + 1e-13, 2.5] {
        let n = 300;
        let all: f64 = (1..=n).map(|rank| (rank as f64).powf(-exponent)).sum();
        check_frequencies(Distribution::Zipfian { exponent }, n, |rank| (rank as f64).powf(-exponent) / all);
    }
}
