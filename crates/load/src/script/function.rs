//! The functions of expressions: names, numbers of arguments, values.

use super::distribution::Range;
use super::evaluation_error::EvaluationError;
use super::operator::Operator;
use super::value::ScriptValue;
use super::{double::DoubleText, hash};
use std::io::Write;
use std::ops::RangeInclusive;
use work::Random;

/// pgbench's limit on the arguments of a function.
pub(crate) const MAX_ARGUMENTS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScriptFunction {
    Abs,
    Debug,
    Double,
    Exp,
    Greatest,
    HashFnv1a,
    HashMurmur2,
    Int,
    Least,
    Ln,
    Mod,
    Permute,
    Pi,
    Pow,
    Random,
    RandomExponential,
    RandomGaussian,
    RandomZipfian,
    Sqrt,
}

/// Every name with its function.
pub(crate) const NAMES: [(&str, ScriptFunction); 21] = [
    ("abs", ScriptFunction::Abs),
    ("debug", ScriptFunction::Debug),
    ("double", ScriptFunction::Double),
    ("exp", ScriptFunction::Exp),
    ("greatest", ScriptFunction::Greatest),
    ("hash", ScriptFunction::HashMurmur2),
    ("hash_fnv1a", ScriptFunction::HashFnv1a),
    ("hash_murmur2", ScriptFunction::HashMurmur2),
    ("int", ScriptFunction::Int),
    ("least", ScriptFunction::Least),
    ("ln", ScriptFunction::Ln),
    ("mod", ScriptFunction::Mod),
    ("permute", ScriptFunction::Permute),
    ("pi", ScriptFunction::Pi),
    ("pow", ScriptFunction::Pow),
    ("power", ScriptFunction::Pow),
    ("random", ScriptFunction::Random),
    ("random_exponential", ScriptFunction::RandomExponential),
    ("random_gaussian", ScriptFunction::RandomGaussian),
    ("random_zipfian", ScriptFunction::RandomZipfian),
    ("sqrt", ScriptFunction::Sqrt),
];

impl ScriptFunction {
    /// The function called `name`, in upper or lower case.
    pub(crate) fn from_name(name: &str) -> Option<ScriptFunction> {
        NAMES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, function)| function)
    }

    /// How many arguments it takes.
    pub(crate) fn argument_count(self) -> RangeInclusive<usize> {
        match self {
            ScriptFunction::Pi => 0..=0,
            ScriptFunction::Abs
            | ScriptFunction::Debug
            | ScriptFunction::Double
            | ScriptFunction::Exp
            | ScriptFunction::Int
            | ScriptFunction::Ln
            | ScriptFunction::Sqrt => 1..=1,
            ScriptFunction::Mod | ScriptFunction::Pow | ScriptFunction::Random => 2..=2,
            ScriptFunction::RandomExponential | ScriptFunction::RandomGaussian | ScriptFunction::RandomZipfian => 3..=3,
            ScriptFunction::HashFnv1a | ScriptFunction::HashMurmur2 => 1..=2,
            ScriptFunction::Permute => 2..=3,
            ScriptFunction::Greatest | ScriptFunction::Least => 1..=MAX_ARGUMENTS,
        }
    }

    /// Whether its last argument, if it is not given, is the variable `default_seed`.
    pub(crate) fn takes_seed(self) -> bool {
        matches!(self, ScriptFunction::HashFnv1a | ScriptFunction::HashMurmur2 | ScriptFunction::Permute)
    }

    /// Whether equal arguments give equal values, and nothing else happens.
    pub(crate) fn is_pure(self) -> bool {
        match self {
            ScriptFunction::Debug
            | ScriptFunction::Random
            | ScriptFunction::RandomExponential
            | ScriptFunction::RandomGaussian
            | ScriptFunction::RandomZipfian => false,
            ScriptFunction::Abs
            | ScriptFunction::Double
            | ScriptFunction::Exp
            | ScriptFunction::Greatest
            | ScriptFunction::HashFnv1a
            | ScriptFunction::HashMurmur2
            | ScriptFunction::Int
            | ScriptFunction::Least
            | ScriptFunction::Ln
            | ScriptFunction::Mod
            | ScriptFunction::Permute
            | ScriptFunction::Pi
            | ScriptFunction::Pow
            | ScriptFunction::Sqrt => true,
        }
    }

    /// Its value; NULL if any argument is. There are as many arguments as it takes.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub(crate) fn call_function(
        self,
        arguments: &[ScriptValue],
        random: &mut Random,
    ) -> Result<ScriptValue, EvaluationError> {
        if arguments.iter().any(|argument| argument.is_null()) && self != ScriptFunction::Debug {
            return Ok(ScriptValue::Null);
        }
        let integer = |number: usize| arguments[number].to_integer();
        let double = |number: usize| arguments[number].to_double();
        let range = || Range::new(integer(0)?, integer(1)?);
        Ok(match self {
            ScriptFunction::Random => ScriptValue::Integer(range()?.draw_uniform(random)),
            ScriptFunction::RandomExponential => ScriptValue::Integer(range()?.draw_exponential(double(2)?, random)?),
            ScriptFunction::RandomGaussian => ScriptValue::Integer(range()?.draw_gaussian(double(2)?, random)?),
            ScriptFunction::RandomZipfian => ScriptValue::Integer(range()?.draw_zipfian(double(2)?, random)?),
            ScriptFunction::HashFnv1a => ScriptValue::Integer(hash::hash_fnv1a(integer(0)?, integer(1)?)),
            ScriptFunction::HashMurmur2 => ScriptValue::Integer(hash::hash_murmur2(integer(0)?, integer(1)?)),
            ScriptFunction::Permute => {
                ScriptValue::Integer(hash::permute_value(integer(0)?, integer(1)?, integer(2)?)?)
            }
            ScriptFunction::Mod => return Operator::Modulo.apply(arguments[0], arguments[1]),
            ScriptFunction::Abs => absolute_value(arguments[0])?,
            ScriptFunction::Int => ScriptValue::Integer(integer(0)?),
            ScriptFunction::Double => ScriptValue::Double(double(0)?),
            ScriptFunction::Exp => ScriptValue::Double(double(0)?.exp()),
            ScriptFunction::Ln => ScriptValue::Double(double(0)?.ln()),
            ScriptFunction::Sqrt => ScriptValue::Double(double(0)?.sqrt()),
            ScriptFunction::Pow => ScriptValue::Double(double(0)?.powf(double(1)?)),
            ScriptFunction::Pi => ScriptValue::Double(std::f64::consts::PI),
            ScriptFunction::Greatest => extreme_argument(arguments, |a, b| a > b, |a, b| a > b)?,
            ScriptFunction::Least => extreme_argument(arguments, |a, b| a < b, |a, b| a < b)?,
            ScriptFunction::Debug => {
                print_debug_value(arguments[0]);
                arguments[0]
            }
        })
    }
}

/// The smallest integer is its own absolute value, as in pgbench.
fn absolute_value(value: ScriptValue) -> Result<ScriptValue, EvaluationError> {
    match value {
        ScriptValue::Integer(value) => Ok(ScriptValue::Integer(value.wrapping_abs())),
        ScriptValue::Null | ScriptValue::Boolean(_) | ScriptValue::Double(_) => {
            let value = value.to_double()?;
            Ok(ScriptValue::Double(if value < 0.0 { -value } else { value }))
        }
    }
}

/// The first argument that none after it beats; a double if any argument is one.
fn extreme_argument(
    arguments: &[ScriptValue],
    integer_beats: fn(i64, i64) -> bool,
    double_beats: fn(f64, f64) -> bool,
) -> Result<ScriptValue, EvaluationError> {
    if arguments.iter().any(|argument| matches!(argument, ScriptValue::Double(_))) {
        let mut best = arguments[0].to_double()?;
        for argument in &arguments[1..] {
            let value = argument.to_double()?;
            // Written so that not-a-number is replaced, as by C's macros.
            best = if double_beats(best, value) { best } else { value };
        }
        return Ok(ScriptValue::Double(best));
    }
    let mut best = arguments[0].to_integer()?;
    for argument in &arguments[1..] {
        let value = argument.to_integer()?;
        best = if integer_beats(best, value) { best } else { value };
    }
    Ok(ScriptValue::Integer(best))
}

/// What the function `debug` is there for: tells a person who tries a script out what it computes.
#[cold]
fn print_debug_value(value: ScriptValue) {
    let mut errors = std::io::stderr().lock();
    let _nobody_reads_it = match value {
        ScriptValue::Null => writeln!(errors, "debug: null"),
        ScriptValue::Boolean(value) => writeln!(errors, "debug: boolean {value}"),
        ScriptValue::Integer(value) => writeln!(errors, "debug: int {value}"),
        ScriptValue::Double(value) => {
            let mut text = DoubleText::new();
            writeln!(errors, "debug: double {}", String::from_utf8_lossy(text.format_double(value)))
        }
    };
}
