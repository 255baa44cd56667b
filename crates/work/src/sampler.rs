//! The distributions from which sysbench draws keys (`--rand-type`), as in version 1.0.20,
//! and `zipfian` as in later ones.
//!
//! The shapes are sysbench's with all they have that is peculiar; the random bits under them are our own, so single
//! draws differ and their distributions do not, which a test holds against the real sysbench.

use crate::{Distribution, Random};

/// Draws from a distribution; what depends on its parameters alone has been computed.
#[derive(Debug, Clone, Copy)]
pub struct DistributionSampler(SamplerMethod);

#[derive(Debug, Clone, Copy)]
enum SamplerMethod {
    Uniform,
    Gaussian { iterations: u32 },
    Special { iterations: u32, bell: f64, middle: f64 },
    Pareto { power: f64 },
    Zipfian(Zipfian),
}

impl DistributionSampler {
    /// Ready to draw from it; its parameters have been checked.
    #[must_use]
    pub fn new(distribution: Distribution) -> DistributionSampler {
        DistributionSampler(match distribution {
            Distribution::Uniform => SamplerMethod::Uniform,
            Distribution::Gaussian { iter } => SamplerMethod::Gaussian { iterations: iter },
            Distribution::Special { iter, pct, res } => SamplerMethod::Special {
                iterations: iter,
                bell: f64::from(100 - res) / 100.0,
                middle: f64::from(pct) / 100.0,
            },
            Distribution::Pareto { h } => SamplerMethod::Pareto { power: h.ln() / (1.0 - h).ln() },
            Distribution::Zipfian { exponent } => SamplerMethod::Zipfian(Zipfian::new(exponent)),
        })
    }

    /// A number from `low` to `high`.
    #[inline]
    pub fn draw_number(&self, low: i64, high: i64, random: &mut Random) -> i64 {
        let width = (high - low) as f64;
        let above = match self.0 {
            SamplerMethod::Uniform => uniform_unit(random) * (width + 1.0),
            SamplerMethod::Gaussian { iterations } => mean_of_uniforms(iterations, random) * (width + 1.0),
            SamplerMethod::Special { iterations, bell, middle } => {
                let unit = uniform_unit(random);
                if unit < bell {
                    mean_of_uniforms(iterations, random) * width
                } else {
                    // The same number again, so that of the middle only the upper part is hit; so it is in sysbench.
                    let middle = width * middle;
                    unit * (middle + 1.0) + width / 2.0 - middle / 2.0
                }
            }
            SamplerMethod::Pareto { power } => uniform_unit(random).powf(power) * (width + 1.0),
            SamplerMethod::Zipfian(zipfian) => (zipfian.draw_rank(high - low + 1, random) - 1) as f64,
        };
        // Rounding, or a middle as wide as the range, can lead one beyond it.
        (low + above as i64).min(high)
    }
}

/// A number from 0 to 1, without 1.
fn uniform_unit(random: &mut Random) -> f64 {
    const TWO_TO_MINUS_53: f64 = 1.0 / 9_007_199_254_740_992.0;
    (random.next_bits() >> 11) as f64 * TWO_TO_MINUS_53
}

fn mean_of_uniforms(iterations: u32, random: &mut Random) -> f64 {
    (0..iterations).map(|_| uniform_unit(random)).sum::<f64>() / f64::from(iterations)
}

/// Ranks by rejection-inversion. Source: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates from
/// monotone discrete distributions", ACM TOMACS 6.3 (1996), with the integral of x^−e from 1 in the place of theirs,
/// which is defined for e = 1, too.
#[derive(Debug, Clone, Copy)]
struct Zipfian {
    exponent: f64,
    /// Where the area under the hat begins.
    first: f64,
    /// Below this distance to a rank no second look is needed.
    shortcut: f64,
}

impl Zipfian {
    fn new(exponent: f64) -> Zipfian {
        let mut zipfian = Zipfian { exponent, first: 0.0, shortcut: 0.0 };
        zipfian.first = zipfian.integral_up_to(1.5) - 1.0;
        zipfian.shortcut = 2.0 - zipfian.inverse_integral(zipfian.integral_up_to(2.5) - zipfian.density_at(2.0));
        zipfian
    }

    /// A rank from 1 to `ranks`.
    fn draw_rank(&self, ranks: i64, random: &mut Random) -> i64 {
        let last = self.integral_up_to(ranks as f64 + 0.5);
        loop {
            let area = last + uniform_unit(random) * (self.first - last);
            let x = self.inverse_integral(area);
            let rank = ((x + 0.5) as i64).clamp(1, ranks);
            let close = rank as f64 - x <= self.shortcut;
            if close || area >= self.integral_up_to(rank as f64 + 0.5) - self.density_at(rank as f64) {
                return rank;
            }
        }
    }

    /// x^−e.
    fn density_at(&self, x: f64) -> f64 {
        (-self.exponent * x.ln()).exp()
    }

    /// The integral of it from 1 to x: (x^(1−e) − 1) / (1−e), and ln x for e = 1.
    fn integral_up_to(&self, x: f64) -> f64 {
        let (log, power) = (x.ln(), 1.0 - self.exponent);
        if (power * log).abs() < 1e-12 { log } else { (power * log).exp_m1() / power }
    }

    /// The x whose area it is.
    fn inverse_integral(&self, area: f64) -> f64 {
        let power = 1.0 - self.exponent;
        // Rounding must not lead beyond what a logarithm takes.
        let scaled = (area * power).max(-1.0);
        if scaled.abs() < 1e-12 { area.exp() } else { (scaled.ln_1p() / power).exp() }
    }
}
