//! The Universal Scalability Law fitted to one ladder: X(N) = λN / (1 + σ(N − 1) + κN(N − 1)).
//!
//! λ is the throughput of one client, σ the share that clients do one after another (contention), κ
//! the cost of agreeing with one another (coherency) (Gunther, "Guerrilla Capacity Planning", 2007,
//! chapter 4). A description of the ladder, not an explanation, and no licence to extrapolate.
//!
//! The fit minimises the sum of squares of the *relative* residuals 1 − X / X̂(N), because the noise
//! of a throughput is a share of it. With a = 1/λ, b = σ/λ, c = κ/λ that is linear,
//! X/N · (a + b(N − 1) + cN(N − 1)) ≈ 1, so the exact minimum under σ, κ ≥ 0 is the best of the four
//! fits with b or c free or 0. The intervals are from resampling whole blocks.

use thiserror::Error;

use crate::ladder::CompleteLadder;
use crate::{ConfidenceLevel, Estimate, least_squares, resample};

/// The law fitted to a ladder. Every n is the number of blocks; every interval is 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UslFit {
    /// λ: throughput of one client, in the unit of the ladder's figures.
    pub lambda: Estimate,
    /// σ ≥ 0: contention.
    pub sigma: Estimate,
    /// κ ≥ 0: coherency.
    pub kappa: Estimate,
}

/// Why the law cannot be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UslError {
    /// Three unknowns need three numbers of clients.
    #[error("{found} numbers of clients: the scalability law needs at least 3")]
    TooFewRungs {
        /// How many the ladder has.
        found: usize,
    },
    /// The figures fall in a way that no λ > 0 describes.
    #[error("no positive throughput of one client fits the ladder")]
    NoFit,
}

impl UslFit {
    /// The fitted curve at `clients` (the points of the estimates), to be drawn within the ladder.
    #[must_use]
    pub fn throughput_at(&self, clients: f64) -> f64 {
        let n = clients;
        self.lambda.point * n / (1.0 + self.sigma.point * (n - 1.0) + self.kappa.point * n * (n - 1.0))
    }

    /// Where the fitted curve peaks: N* = √((1 − σ) / κ); `None` when it never does (κ = 0) or falls
    /// from the start (σ ≥ 1).
    #[must_use]
    pub fn peak_clients(&self) -> Option<f64> {
        let (sigma, kappa) = (self.sigma.point, self.kappa.point);
        (kappa > 0.0 && sigma < 1.0).then(|| ((1.0 - sigma) / kappa).sqrt())
    }
}

/// Fits the law to a ladder.
///
/// # Errors
/// [`UslError`].
pub fn fit_scalability_law(ladder: &CompleteLadder, seed: u64) -> Result<UslFit, UslError> {
    let found = ladder.client_counts().len();
    if found < 3 {
        return Err(UslError::TooFewRungs { found });
    }
    let at = |drawn: &[usize]| best_parameters(ladder.client_counts(), &ladder.rung_means(drawn));
    let point = at(&ladder.all_blocks()).ok_or(UslError::NoFit)?;
    let blocks = ladder.block_count();
    let resampled: Vec<UslParameters> =
        resample::over_blocks(blocks, seed, at).into_iter().collect::<Option<_>>().ok_or(UslError::NoFit)?;
    let parameters: [fn(&UslParameters) -> f64; 3] = [|p| p.lambda, |p| p.sigma, |p| p.kappa];
    let [lambda, sigma, kappa] = parameters.map(|of| {
        let values: Vec<f64> = resampled.iter().map(of).collect();
        let estimate = resample::estimate_from_resamples(of(&point), &values, blocks, ConfidenceLevel::NINETY_FIVE);
        // No parameter can be negative, so no interval says that it might be.
        estimate.map(|x| x.max(0.0))
    });
    Ok(UslFit { lambda, sigma, kappa })
}

#[derive(Debug, Clone, Copy)]
struct UslParameters {
    lambda: f64,
    sigma: f64,
    kappa: f64,
}

/// The best of the four fits with b and c free or 0, among those with b, c ≥ 0.
fn best_parameters(clients: &[u32], rung_means: &[f64]) -> Option<UslParameters> {
    let (mut serial, mut contention, mut coherency) = (Vec::new(), Vec::new(), Vec::new());
    for (clients, log) in clients.iter().zip(rung_means) {
        let n = f64::from(*clients);
        serial.push(log.exp() / n);
        contention.push(log.exp() / n * (n - 1.0));
        coherency.push(log.exp() / n * (n * (n - 1.0)));
    }
    let fits =
        [(true, true), (true, false), (false, true), (false, false)].into_iter().filter_map(|(free_b, free_c)| {
            let mut columns = vec![serial.clone()];
            columns.extend(free_b.then(|| contention.clone()));
            columns.extend(free_c.then(|| coherency.clone()));
            let x = least_squares::solve_least_squares(&columns, &vec![1.0; clients.len()])?;
            let b = if free_b { x[1] } else { 0.0 };
            let c = if free_c { x[x.len() - 1] } else { 0.0 };
            let residual: f64 = (0..clients.len())
                .map(|i| (1.0 - x[0] * serial[i] - b * contention[i] - c * coherency[i]).powi(2))
                .sum();
            (x[0] > 0.0 && b >= 0.0 && c >= 0.0).then_some((residual, x[0], b, c))
        });
    fits.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, a, b, c)| UslParameters {
        lambda: 1.0 / a,
        sigma: b / a,
        kappa: c / a,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::tests::ladder_from_rows;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand_chacha::ChaCha8Rng;

    const CLIENTS: [u32; 6] = [1, 4, 8, 16, 32, 64];

    fn law(lambda: f64, sigma: f64, kappa: f64, n: f64) -> f64 {
        lambda * n / (1.0 + sigma * (n - 1.0) + kappa * n * (n - 1.0))
    }

    fn noisy(parameters: (f64, f64, f64), noise: f64, blocks: usize, seed: u64) -> CompleteLadder {
        let (lambda, sigma, kappa) = parameters;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let normal = crate::level::standard_normal();
        let rows: Vec<Vec<f64>> = (0..blocks)
            .map(|_| {
                CLIENTS
                    .map(|n| {
                        let e: f64 = noise * normal.sample(&mut rng);
                        law(lambda, sigma, kappa, f64::from(n)) * e.exp()
                    })
                    .to_vec()
            })
            .collect();
        ladder_from_rows(&CLIENTS, &rows).unwrap()
    }

    #[test]
    fn three_numbers_of_clients_are_needed() {
        let two = ladder_from_rows(&[1, 2], &[vec![1.0, 2.0], vec![1.0, 2.0]]).unwrap();
        assert_eq!(fit_scalability_law(&two, 1), Err(UslError::TooFewRungs { found: 2 }));
    }

    #[test]
    fn a_ladder_that_rises_faster_than_its_clients_has_no_negative_contention() {
        let rows = [vec![1.0, 2.5, 6.0], vec![1.0, 2.4, 6.1]];
        let fitted = fit_scalability_law(&ladder_from_rows(&[1, 2, 4], &rows).unwrap(), 1).unwrap();
        assert_eq!((fitted.sigma.point, fitted.kappa.point), (0.0, 0.0));
        assert_eq!(fitted.peak_clients(), None);
    }

    #[test]
    fn the_intervals_cover_the_parameters_that_made_the_data() {
        let truth = (1000.0, 0.05, 0.0005);
        let runs = 100;
        let mut covered = [0_usize; 3];
        for seed in 0..runs {
            let fitted = fit_scalability_law(&noisy(truth, 0.02, 5, seed), seed).unwrap();
            for (count, (estimate, value)) in
                covered.iter_mut().zip([(fitted.lambda, truth.0), (fitted.sigma, truth.1), (fitted.kappa, truth.2)])
            {
                *count += usize::from(estimate.interval.contains(value));
            }
        }
        // 0.95 less four binomial standard errors (0.022).
        let least = 0.86 * runs as f64;
        assert!(covered.iter().all(|c| *c as f64 >= least), "{covered:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn parameters_are_recovered_from_a_ladder_without_noise(
            lambda in 1.0..1e5, sigma in 0.0..0.5, kappa in 0.0..0.01,
        ) {
            let fitted = fit_scalability_law(&noisy((lambda, sigma, kappa), 0.0, 2, 0), 1).unwrap();
            prop_assert!((fitted.lambda.point / lambda - 1.0).abs() < 1e-6);
            prop_assert!((fitted.sigma.point - sigma).abs() < 1e-6);
            prop_assert!((fitted.kappa.point - kappa).abs() < 1e-8);
            prop_assert!((fitted.throughput_at(16.0) / law(lambda, sigma, kappa, 16.0) - 1.0).abs() < 1e-6);
        }
    }
}
