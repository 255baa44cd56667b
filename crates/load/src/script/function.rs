//! The functions of expressions: names, numbers of arguments, values.

use super::distribution::Range;
use super::evaluation_error::EvaluationError;
use super::operator::Operator;
use super::value::Value;
use super::{double::DoubleText, hash};
use std::io::Write;
use std::ops::RangeInclusive;
use work::Random;

/// pgbench's limit on the arguments of a function.
pub(crate) const MAX_ARGUMENTS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
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
pub(crate) const NAMES: [(&str, Function); 21] = [
    ("abs", Function::Abs),
    ("debug", Function::Debug),
    ("double", Function::Double),
    ("exp", Function::Exp),
    ("greatest", Function::Greatest),
    ("hash", Function::HashMurmur2),
    ("hash_fnv1a", Function::HashFnv1a),
    ("hash_murmur2", Function::HashMurmur2),
    ("int", Function::Int),
    ("least", Function::Least),
    ("ln", Function::Ln),
    ("mod", Function::Mod),
    ("permute", Function::Permute),
    ("pi", Function::Pi),
    ("pow", Function::Pow),
    ("power", Function::Pow),
    ("random", Function::Random),
    ("random_exponential", Function::RandomExponential),
    ("random_gaussian", Function::RandomGaussian),
    ("random_zipfian", Function::RandomZipfian),
    ("sqrt", Function::Sqrt),
];

impl Function {
    /// The function called `name`, in upper or lower case.
    pub(crate) fn named(name: &str) -> Option<Function> {
        NAMES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, function)| function)
    }

    /// How many arguments it takes.
    pub(crate) fn arguments(self) -> RangeInclusive<usize> {
        match self {
            Function::Pi => 0..=0,
            Function::Abs
            | Function::Debug
            | Function::Double
            | Function::Exp
            | Function::Int
            | Function::Ln
            | Function::Sqrt => 1..=1,
            Function::Mod | Function::Pow | Function::Random => 2..=2,
            Function::RandomExponential | Function::RandomGaussian | Function::RandomZipfian => 3..=3,
            Function::HashFnv1a | Function::HashMurmur2 => 1..=2,
            Function::Permute => 2..=3,
            Function::Greatest | Function::Least => 1..=MAX_ARGUMENTS,
        }
    }

    /// Whether its last argument, if it is not given, is the variable `default_seed`.
    pub(crate) fn takes_seed(self) -> bool {
        matches!(self, Function::HashFnv1a | Function::HashMurmur2 | Function::Permute)
    }

    /// Whether equal arguments give equal values, and nothing else happens.
    pub(crate) fn is_pure(self) -> bool {
        match self {
            Function::Debug
            | Function::Random
            | Function::RandomExponential
            | Function::RandomGaussian
            | Function::RandomZipfian => false,
            Function::Abs
            | Function::Double
            | Function::Exp
            | Function::Greatest
            | Function::HashFnv1a
            | Function::HashMurmur2
            | Function::Int
            | Function::Least
            | Function::Ln
            | Function::Mod
            | Function::Permute
            | Function::Pi
            | Function::Pow
            | Function::Sqrt => true,
        }
    }

    /// Its value; NULL if any argument is. There are as many arguments as it takes.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub(crate) fn call(self, arguments: &[Value], random: &mut Random) -> Result<Value, EvaluationError> {
        if arguments.iter().any(|argument| argument.is_null()) && self != Function::Debug {
            return Ok(Value::Null);
        }
        let integer = |number: usize| arguments[number].integer();
        let double = |number: usize| arguments[number].double();
        let range = || Range::new(integer(0)?, integer(1)?);
        Ok(match self {
            Function::Random => Value::Integer(range()?.uniform(random)),
            Function::RandomExponential => Value::Integer(range()?.exponential(double(2)?, random)?),
            Function::RandomGaussian => Value::Integer(range()?.gaussian(double(2)?, random)?),
            Function::RandomZipfian => Value::Integer(range()?.zipfian(double(2)?, random)?),
            Function::HashFnv1a => Value::Integer(hash::fnv1a(integer(0)?, integer(1)?)),
            Function::HashMurmur2 => Value::Integer(hash::murmur2(integer(0)?, integer(1)?)),
            Function::Permute => Value::Integer(hash::permute(integer(0)?, integer(1)?, integer(2)?)?),
            Function::Mod => return Operator::Modulo.apply(arguments[0], arguments[1]),
            Function::Abs => absolute(arguments[0])?,
            Function::Int => Value::Integer(integer(0)?),
            Function::Double => Value::Double(double(0)?),
            Function::Exp => Value::Double(double(0)?.exp()),
            Function::Ln => Value::Double(double(0)?.ln()),
            Function::Sqrt => Value::Double(double(0)?.sqrt()),
            Function::Pow => Value::Double(double(0)?.powf(double(1)?)),
            Function::Pi => Value::Double(std::f64::consts::PI),
            Function::Greatest => extremum(arguments, |a, b| a > b, |a, b| a > b)?,
            Function::Least => extremum(arguments, |a, b| a < b, |a, b| a < b)?,
            Function::Debug => {
                debug(arguments[0]);
                arguments[0]
            }
        })
    }
}

/// The smallest integer is its own absolute value, as in pgbench.
fn absolute(value: Value) -> Result<Value, EvaluationError> {
    match value {
        Value::Integer(value) => Ok(Value::Integer(value.wrapping_abs())),
        Value::Null | Value::Boolean(_) | Value::Double(_) => {
            let value = value.double()?;
            Ok(Value::Double(if value < 0.0 { -value } else { value }))
        }
    }
}

/// The first argument that none after it beats; a double if any argument is one.
fn extremum(
    arguments: &[Value],
    integer_beats: fn(i64, i64) -> bool,
    double_beats: fn(f64, f64) -> bool,
) -> Result<Value, EvaluationError> {
    if arguments.iter().any(|argument| matches!(argument, Value::Double(_))) {
        let mut best = arguments[0].double()?;
        for argument in &arguments[1..] {
            let value = argument.double()?;
            // Written so that not-a-number is replaced, as by C's macros.
            best = if double_beats(best, value) { best } else { value };
        }
        return Ok(Value::Double(best));
    }
    let mut best = arguments[0].integer()?;
    for argument in &arguments[1..] {
        let value = argument.integer()?;
        best = if integer_beats(best, value) { best } else { value };
    }
    Ok(Value::Integer(best))
}

/// What the function `debug` is there for: tells a person who tries a script out what it computes.
#[cold]
fn debug(value: Value) {
    let mut errors = std::io::stderr().lock();
    let _nobody_reads_it = match value {
        Value::Null => writeln!(errors, "debug: null"),
        Value::Boolean(value) => writeln!(errors, "debug: boolean {value}"),
        Value::Integer(value) => writeln!(errors, "debug: int {value}"),
        Value::Double(value) => {
            let mut text = DoubleText::new();
            writeln!(errors, "debug: double {}", String::from_utf8_lossy(text.format(value)))
        }
    };
}
