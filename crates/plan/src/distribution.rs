//! How sysbench chooses rows: the shape of a distribution with its parameters.

use work::{Distribution, Shape, WordChoice as _};

use super::document::{MappingEntry, Node, YamlValue};
use super::language::{
    At, Form, MappingRecord, Number, PlanReadingFindings, ValueDescription, Whole, Yaml, choice, record, spelled,
};
use super::units::Decimal;

spelled!(Shape);

choice! {
    /// The shapes that have parameters.
    enum Shaped = "one of `special`, `gaussian`, `pareto`, `zipfian` is required" {
        /// A given share of the draws from the middle of the table, the others bell-shaped.
        "special" => Special(Special),
        /// Bell-shaped over the whole table.
        "gaussian" => Gaussian(Gaussian),
        /// A share 1 − `h` of the draws falls into the first share `h` of the rows, recursively.
        "pareto" => Pareto(Pareto),
        /// The k-th row has a frequency proportional to k to the power of −`exponent`.
        "zipfian" => Zipfian(Zipfian),
    }
}

impl MappingRecord for Shaped {
    const TITLE: &'static str = "distribution";
    const DOC: &'static str = "A distribution with its parameters.";
}

record! {
    /// The parameters of `special`.
    struct Special = "special" {
        /// Number of random numbers that are averaged, as `--rand-spec-iter`. A higher number gives a narrower bell.
        key iter: u32 as Whole<1, 1_000> = Default("12"),
        /// Size of the middle in percent of the table, as `--rand-spec-pct`.
        key pct: u32 as Whole<0, 100> = Default("1"),
        /// Percentage of draws that fall into the middle, as `--rand-spec-res`.
        key res: u32 as Whole<0, 99> = Default("75"),
    }
}

record! {
    /// The parameter of `gaussian`.
    struct Gaussian = "gaussian" {
        /// Number of random numbers that are averaged, as `--rand-spec-iter`. A higher number gives a narrower bell.
        key iter: u32 as Whole<1, 1_000> = Default("12"),
    }
}

record! {
    /// The parameter of `pareto`.
    struct Pareto = "pareto" {
        /// The share `h`, as `--rand-pareto-h`.
        key h: Decimal as Number<1, 999> = Default("0.2"),
    }
}

record! {
    /// The parameter of `zipfian`.
    struct Zipfian = "zipfian" {
        /// The exponent, as `--rand-zipfian-exp` of sysbench versions after 1.0.
        key exponent: Decimal as Number<0, 10_000> = Default("0.8"),
    }
}

/// A word stands for the shape with the default of every parameter.
impl Form for Distribution {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let Node { span, value } = at.node;
        let of_word = match value {
            YamlValue::List(_) => {
                return at.report_wrong_value(findings, "which is not possible here", Self::replacement_hint());
            }
            YamlValue::Map(_) => None,
            YamlValue::Plain(_) | YamlValue::Quoted(_) => match Shape::read_value(findings, at)? {
                Shape::Uniform => return Some(Self::Uniform),
                shape => {
                    let none = Node { span: *span, value: YamlValue::Map(Vec::new()) };
                    let entry = MappingEntry { key: shape.as_word().to_owned(), key_span: *span, node: none };
                    Some(Node { span: *span, value: YamlValue::Map(vec![entry]) })
                }
            },
        };
        let shaped = Shaped::read_value(findings, &At { node: of_word.as_ref().unwrap_or(at.node), ..*at })?;
        Some(match shaped {
            Shaped::Special(Special { iter, pct, res }) => Self::Special { iter, pct, res },
            Shaped::Gaussian(Gaussian { iter }) => Self::Gaussian { iter },
            Shaped::Pareto(Pareto { h }) => Self::Pareto { h: h.as_f64() },
            Shaped::Zipfian(Zipfian { exponent }) => Self::Zipfian { exponent: exponent.as_f64() },
        })
    }

    /// Every parameter is written out.
    fn write_value(value: &Self) -> Yaml {
        let word = value.shape().as_word();
        Yaml::Scalar(match value {
            Self::Special { iter, pct, res } => format!("{{ {word}: {{ iter: {iter}, pct: {pct}, res: {res} }} }}"),
            Self::Uniform => word.to_owned(),
            Self::Gaussian { iter } => format!("{{ {word}: {{ iter: {iter} }} }}"),
            Self::Pareto { h } => format!("{{ {word}: {{ h: {h} }} }}"),
            Self::Zipfian { exponent } => format!("{{ {word}: {{ exponent: {exponent} }} }}"),
        })
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::any_of([Shape::describe_form(), Shaped::describe_form()])
    }
}
