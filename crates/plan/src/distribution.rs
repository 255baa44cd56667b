//! How sysbench chooses rows: the shape of a distribution with its parameters.

use std::fmt;

use super::model::Word;
use super::units::Decimal;
use super::workload::Shape;

/// A distribution of sysbench. The parameters are within the limits of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// `special`: `res` of 100 draws from the middle `pct` percent, the others from a bell.
    Special {
        /// Random numbers of which the mean is taken.
        iter: u32,
        /// The middle, in percent of the table.
        pct: u32,
        /// How many of 100 draws fall into it.
        res: u32,
    },
    /// `uniform`: each row alike.
    Uniform,
    /// `gaussian`: a bell.
    Gaussian {
        /// Random numbers of which the mean is taken.
        iter: u32,
    },
    /// `pareto`: 1 − `h` of the draws from the first `h` of the rows.
    Pareto {
        /// The share.
        h: Decimal,
    },
    /// `zipfian`: the k-th row as often as k to the power of −`exponent`.
    Zipfian { exponent: Decimal },
}

impl Distribution {
    /// Its shape, without the parameters.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self {
            Self::Special { .. } => Shape::Special,
            Self::Uniform => Shape::Uniform,
            Self::Gaussian { .. } => Shape::Gaussian,
            Self::Pareto { .. } => Shape::Pareto,
            Self::Zipfian { .. } => Shape::Zipfian,
        }
    }
}

/// As a plan writes it, every parameter written out.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.shape().word();
        match self {
            Self::Special { iter, pct, res } => write!(f, "{{ {word}: {{ iter: {iter}, pct: {pct}, res: {res} }} }}"),
            Self::Uniform => f.write_str(word),
            Self::Gaussian { iter } => write!(f, "{{ {word}: {{ iter: {iter} }} }}"),
            Self::Pareto { h } => write!(f, "{{ {word}: {{ h: {h} }} }}"),
            Self::Zipfian { exponent } => write!(f, "{{ {word}: {{ exponent: {exponent} }} }}"),
        }
    }
}
