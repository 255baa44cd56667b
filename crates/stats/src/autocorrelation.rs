//! How much a series of seconds remembers.
//!
//! A jump or a drift looks like memory, and memory looks like jumps and drifts. So the noise is judged
//! around the best fit of up to three levels: that follows a jump, a dip and the greater part of a
//! drift, and what it wrongly takes from noise that merely remembers is given back by a margin.

use crate::sample;

/// The shortest level that is followed.
const SHORTEST_LEVEL: usize = 5;

/// Cuts of a long series are sought on a grid of this many points: their number grows with the square.
const MOST_POINTS: usize = 300;

/// ρ is judged to the safe side by this many times 1/√n beyond the bias of its estimate: to think a
/// memory too short raises false alarms, to think it too long only costs some power. Chosen by
/// simulation (`examples/steady_alarms.rs`).
const RHO_MARGIN: f64 = 2.0;

/// A series whose memory is longer than this cannot be told from one that wanders.
const RHO_MOST: f64 = 0.95;

/// Stationary first-order noise around a level: y_t = ρ·y_{t−1} + innovation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Noise {
    /// Correlation of neighbours, 0 to 0.95; alternating noise counts as 0.
    pub(crate) rho: f64,
    /// Variance of one observation.
    pub(crate) variance: f64,
}

impl Noise {
    /// The noise of a series of finite values, its memory judged to the safe side; none when it is shorter than three.
    pub(crate) fn conservative_noise(series: &[f64]) -> Noise {
        Self::with_margin(series, RHO_MARGIN)
    }

    /// The noise of a series beside a line of this slope (per observation). Without the line a drift passes for memory.
    /// The line takes from the memory what one more mean takes.
    pub(crate) fn conservative_noise_beside_line(series: &[f64], slope: f64) -> Noise {
        let level: Vec<f64> = series.iter().enumerate().map(|(at, y)| y - slope * at as f64).collect();
        let noise = Self::conservative_noise(&level);
        let bias = (1.0 + 3.0 * noise.rho) / series.len().max(1) as f64;
        Noise { rho: (noise.rho + bias).min(RHO_MOST), ..noise }
    }

    /// The noise as it most plausibly is: for a few values the margin of [`of`](Self::conservative_noise) would be all
    /// that is seen.
    pub(crate) fn plausible_noise(series: &[f64]) -> Noise {
        Self::with_margin(series, 0.0)
    }

    /// `margin` times 1/√n is added to the estimate of ρ.
    fn with_margin(series: &[f64], margin: f64) -> Noise {
        let (residuals, levels) = around_levels(series);
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        if squares <= 0.0 || series.len() <= levels {
            return Noise { rho: 0.0, variance: 0.0 };
        }
        let n = series.len() as f64;
        let products: f64 = residuals.windows(2).map(|w| w[0] * w[1]).sum();
        let sample_rho = products / squares;
        // Each mean taken from the data lowers the sample autocorrelation by (1 + 3ρ) / n (Marriott
        // and Pope 1954, Biometrika 41:390, for one mean).
        let bias = levels as f64 * (1.0 + 3.0 * sample_rho.max(0.0)) / n;
        let rho = (sample_rho + bias + margin / n.sqrt()).clamp(0.0, RHO_MOST);
        Noise { rho, variance: squares / (n - levels as f64) }
    }

    /// The variance of a mean of n observations is this over n, for n large beside the memory:
    /// variance·(1 + ρ) / (1 − ρ).
    pub(crate) fn long_run_variance(&self) -> f64 {
        self.variance * self.variance_inflation()
    }

    /// How many observations count as one: (1 + ρ) / (1 − ρ).
    pub(crate) fn variance_inflation(&self) -> f64 {
        (1.0 + self.rho) / (1.0 - self.rho)
    }
}

/// What is left of a series around its best fit by up to three levels, and how many levels those are.
fn around_levels(series: &[f64]) -> (Vec<f64>, usize) {
    let n = series.len();
    let (first, second) = best_cuts(series);
    let levels = [0..first, first..second, second..n];
    let mut residuals = Vec::with_capacity(n);
    let mut count = 0;
    for level in levels {
        if level.is_empty() {
            continue;
        }
        let mean = sample::sample_mean(&series[level.clone()]);
        residuals.extend(series[level].iter().map(|y| y - mean));
        count += 1;
    }
    (residuals, count)
}

fn weight_of_part(sums: &[f64], from: usize, to: usize) -> f64 {
    (sums[to] - sums[from]).powi(2) / (to - from) as f64
}

/// The two cuts that leave the smallest sum of squares around three means; (0, 0), which cuts nothing,
/// for a series too short for three levels.
fn best_cuts(series: &[f64]) -> (usize, usize) {
    let n = series.len();
    let centre = if n == 0 { 0.0 } else { sample::sample_mean(series) };
    let mut sums = vec![0.0];
    for y in series {
        sums.push(sums[sums.len() - 1] + (y - centre));
    }
    // The squares are the same for every cut, so the largest Σ (sum of level)² / length wins.
    let mut best = (f64::NEG_INFINITY, (0, 0));
    let step = n.div_ceil(MOST_POINTS).max(1);
    for second in (2 * SHORTEST_LEVEL..=n.saturating_sub(SHORTEST_LEVEL)).step_by(step) {
        let last = weight_of_part(&sums, second, n);
        for first in (SHORTEST_LEVEL..=second - SHORTEST_LEVEL).step_by(step) {
            let explained = weight_of_part(&sums, 0, first) + weight_of_part(&sums, first, second) + last;
            if explained > best.0 {
                best = (explained, (first, second));
            }
        }
    }
    best.1
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand_chacha::ChaCha8Rng;

    /// A series of `n` around 100 with first-order noise of standard deviation `sd`.
    pub(crate) fn noisy_series(n: usize, rho: f64, sd: f64, seed: u64) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let normal = crate::level::standard_normal();
        let mut noise: f64 = sd * normal.sample(&mut rng);
        (0..n)
            .map(|_| {
                let innovation = sd * (1.0 - rho * rho).sqrt();
                noise = rho * noise + innovation * normal.sample(&mut rng);
                100.0 + noise
            })
            .collect()
    }

    #[test]
    fn memory_and_variance_are_recovered() {
        for rho in [0.0, 0.4, 0.8] {
            let noise = Noise::conservative_noise(&noisy_series(20_000, rho, 3.0, 5));
            assert!((noise.rho - rho).abs() < 0.05, "{noise:?}");
            assert!((noise.variance / 9.0 - 1.0).abs() < 0.12, "{noise:?}");
        }
    }

    #[test]
    fn a_jump_does_not_pass_for_noise() {
        let calm = noisy_series(60, 0.0, 1.0, 1);
        let jumping: Vec<f64> = calm.iter().enumerate().map(|(t, y)| if t < 30 { *y } else { y + 50.0 }).collect();
        let (calm, jumping) = (Noise::conservative_noise(&calm), Noise::conservative_noise(&jumping));
        assert!(jumping.long_run_variance() < 2.0 * calm.long_run_variance());
    }

    #[test]
    fn a_constant_series_has_no_noise() {
        assert_eq!(Noise::conservative_noise(&[7.0; 20]).long_run_variance(), 0.0);
    }
}
