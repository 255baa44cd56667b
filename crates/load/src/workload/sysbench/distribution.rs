//! The distributions from which sysbench draws keys (`--rand-type`), as in version 1.0.20,
//! and `zipfian` as in later ones.
//!
//! The shapes are sysbench's with all they have that is peculiar; the random bits under them are our own, so single
//! draws differ and their distributions do not, which a test holds against the real sysbench.

use std::fmt;

use super::OptionError;
use crate::random::Random;

/// How keys are spread over a range. Its parameters are checked when it is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distribution(Shape);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Uniform,
    Gaussian { iterations: u32 },
    Special { iterations: u32, percent: u32, hits: u32 },
    Pareto { h: f64 },
    Zipfian { exponent: f64 },
}

/// Parameters are finite numbers, never not-a-number.
impl Eq for Distribution {}

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution(Shape::Special { iterations: 12, percent: 1, hits: 75 })
    }
}

impl Distribution {
    /// The names that [`named`](Self::named) knows.
    pub const NAMES: [&str; 5] = ["special", "uniform", "gaussian", "pareto", "zipfian"];

    /// Every key is as likely as any other; the default of sysbench's later versions.
    pub const UNIFORM: Distribution = Distribution(Shape::Uniform);

    /// The distribution of that name with sysbench's default parameters.
    pub fn named(name: &str) -> Option<Distribution> {
        Some(match name {
            "special" => Distribution::default(),
            "uniform" => Distribution::UNIFORM,
            "gaussian" => Distribution(Shape::Gaussian { iterations: 12 }),
            "pareto" => Distribution(Shape::Pareto { h: 0.2 }),
            "zipfian" => Distribution(Shape::Zipfian { exponent: 0.8 }),
            _ => return None,
        })
    }

    /// What sysbench calls it.
    pub fn name(&self) -> &'static str {
        match self.0 {
            Shape::Special { .. } => "special",
            Shape::Uniform => "uniform",
            Shape::Gaussian { .. } => "gaussian",
            Shape::Pareto { .. } => "pareto",
            Shape::Zipfian { .. } => "zipfian",
        }
    }

    /// The mean of so many uniform numbers (`--rand-spec-iter`).
    ///
    /// # Errors
    /// For none.
    pub fn gaussian(iterations: u32) -> Result<Distribution, OptionError> {
        at_least_one("rand-spec-iter", iterations)?;
        Ok(Distribution(Shape::Gaussian { iterations }))
    }

    /// `hits` percent of the draws (`--rand-spec-res`, 75) fall into the middle `percent` of the range
    /// (`--rand-spec-pct`, 1), the others are the mean of `iterations` uniform numbers (`--rand-spec-iter`, 12).
    ///
    /// # Errors
    /// For no iterations, more than 100 % of the range, or 100 % of the draws and more.
    pub fn special(iterations: u32, percent: u32, hits: u32) -> Result<Distribution, OptionError> {
        at_least_one("rand-spec-iter", iterations)?;
        if percent > 100 {
            return Err(OptionError::new("rand-spec-pct", percent, "it is a percentage of the range, at most 100"));
        }
        if hits > 99 {
            return Err(OptionError::new("rand-spec-res", hits, "it is a percentage of the draws, at most 99"));
        }
        Ok(Distribution(Shape::Special { iterations, percent, hits }))
    }

    /// A share of 1 − `h` of the draws falls into the lowest `h` of the range,
    /// and so on in it (`--rand-pareto-h`, 0.2).
    ///
    /// # Errors
    /// For what is not between 0 and 1.
    pub fn pareto(h: f64) -> Result<Distribution, OptionError> {
        if h > 0.0 && h < 1.0 {
            Ok(Distribution(Shape::Pareto { h }))
        } else {
            Err(OptionError::new("rand-pareto-h", h, "it has to be between 0 and 1"))
        }
    }

    /// The key of rank r is as likely as r to the power of −`exponent` (`--rand-zipfian-exp`, 0.8).
    ///
    /// # Errors
    /// For a negative exponent, or none.
    pub fn zipfian(exponent: f64) -> Result<Distribution, OptionError> {
        if exponent >= 0.0 && exponent.is_finite() {
            Ok(Distribution(Shape::Zipfian { exponent }))
        } else {
            Err(OptionError::new("rand-zipfian-exp", exponent, "it has to be 0 or more"))
        }
    }
}

fn at_least_one(option: &'static str, iterations: u32) -> Result<(), OptionError> {
    if iterations == 0 { Err(OptionError::new(option, iterations, "it has to be at least 1")) } else { Ok(()) }
}

/// Name and parameters, such as `special(12,1,75)`.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.0 {
            Shape::Uniform => Ok(()),
            Shape::Gaussian { iterations } => write!(f, "({iterations})"),
            Shape::Special { iterations, percent, hits } => write!(f, "({iterations},{percent},{hits})"),
            Shape::Pareto { h } => write!(f, "({h})"),
            Shape::Zipfian { exponent } => write!(f, "({exponent})"),
        }
    }
}

/// Draws from a distribution; what depends on its parameters alone has been computed.
#[derive(Debug, Clone, Copy)]
pub struct Sampler(Ready);

#[derive(Debug, Clone, Copy)]
enum Ready {
    Uniform,
    Gaussian { iterations: u32 },
    Special { iterations: u32, bell: f64, middle: f64 },
    Pareto { power: f64 },
    Zipfian(Zipfian),
}

impl Sampler {
    /// Ready to draw from it.
    pub fn new(distribution: Distribution) -> Sampler {
        Sampler(match distribution.0 {
            Shape::Uniform => Ready::Uniform,
            Shape::Gaussian { iterations } => Ready::Gaussian { iterations },
            Shape::Special { iterations, percent, hits } => {
                Ready::Special { iterations, bell: f64::from(100 - hits) / 100.0, middle: f64::from(percent) / 100.0 }
            }
            Shape::Pareto { h } => Ready::Pareto { power: h.ln() / (1.0 - h).ln() },
            Shape::Zipfian { exponent } => Ready::Zipfian(Zipfian::new(exponent)),
        })
    }

    /// A number from `low` to `high`.
    #[inline]
    pub fn draw(&self, low: i64, high: i64, random: &mut Random) -> i64 {
        let width = (high - low) as f64;
        let above = match self.0 {
            Ready::Uniform => unit(random) * (width + 1.0),
            Ready::Gaussian { iterations } => mean(iterations, random) * (width + 1.0),
            Ready::Special { iterations, bell, middle } => {
                let unit = unit(random);
                if unit < bell {
                    mean(iterations, random) * width
                } else {
                    // The same number again, so that of the middle only the upper part is hit; so it is in sysbench.
                    let middle = width * middle;
                    unit * (middle + 1.0) + width / 2.0 - middle / 2.0
                }
            }
            Ready::Pareto { power } => unit(random).powf(power) * (width + 1.0),
            Ready::Zipfian(zipfian) => (zipfian.rank(high - low + 1, random) - 1) as f64,
        };
        // Rounding, or a middle as wide as the range, can lead one beyond it.
        (low + above as i64).min(high)
    }
}

/// A number from 0 to 1, without 1.
fn unit(random: &mut Random) -> f64 {
    const TWO_TO_MINUS_53: f64 = 1.0 / 9_007_199_254_740_992.0;
    (random.next() >> 11) as f64 * TWO_TO_MINUS_53
}

fn mean(iterations: u32, random: &mut Random) -> f64 {
    (0..iterations).map(|_| unit(random)).sum::<f64>() / f64::from(iterations)
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
        zipfian.first = zipfian.area(1.5) - 1.0;
        zipfian.shortcut = 2.0 - zipfian.inverse(zipfian.area(2.5) - zipfian.height(2.0));
        zipfian
    }

    /// A rank from 1 to `ranks`.
    fn rank(&self, ranks: i64, random: &mut Random) -> i64 {
        let last = self.area(ranks as f64 + 0.5);
        loop {
            let area = last + unit(random) * (self.first - last);
            let x = self.inverse(area);
            let rank = ((x + 0.5) as i64).clamp(1, ranks);
            let close = rank as f64 - x <= self.shortcut;
            if close || area >= self.area(rank as f64 + 0.5) - self.height(rank as f64) {
                return rank;
            }
        }
    }

    /// x^−e.
    fn height(&self, x: f64) -> f64 {
        (-self.exponent * x.ln()).exp()
    }

    /// The integral of it from 1 to x: (x^(1−e) − 1) / (1−e), and ln x for e = 1.
    fn area(&self, x: f64) -> f64 {
        let (log, power) = (x.ln(), 1.0 - self.exponent);
        if (power * log).abs() < 1e-12 { log } else { (power * log).exp_m1() / power }
    }

    /// The x whose area it is.
    fn inverse(&self, area: f64) -> f64 {
        let power = 1.0 - self.exponent;
        // Rounding must not lead beyond what a logarithm takes.
        let scaled = (area * power).max(-1.0);
        if scaled.abs() < 1e-12 { area.exp() } else { (scaled.ln_1p() / power).exp() }
    }
}
