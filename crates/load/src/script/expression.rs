//! The expressions of `\set`: their shape and their value. Integers only so far; overflow and division by zero are
//! errors, as in pgbench, and division truncates towards zero.

use crate::random::Random;
use thiserror::Error;

/// An expression whose variables are of type `V`: names as parsed, slots once compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression<V> {
    Integer(i64),
    Variable(V),
    Negate(Box<Expression<V>>),
    Binary(Operator, Box<Expression<V>>, Box<Expression<V>>),
    /// `random(lower, upper)`: uniform, both ends included.
    Random(Box<Expression<V>>, Box<Expression<V>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// The place of a variable among all variables of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot(pub(crate) usize);

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// The result does not fit 64 bits.
    #[error("integer out of range")]
    OutOfRange,
    /// Division or modulo by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// `random(lower, upper)` with lower above upper.
    #[error("empty range given to random")]
    EmptyRange,
    /// `random(lower, upper)` whose width does not fit 64 bits.
    #[error("random range is too large")]
    RangeTooLarge,
}

impl<V> Expression<V> {
    /// The same expression with its variables replaced.
    ///
    /// # Errors
    /// The first that `replace` returns.
    pub(crate) fn resolve<W, E>(&self, replace: &mut impl FnMut(&V) -> Result<W, E>) -> Result<Expression<W>, E> {
        Ok(match self {
            Expression::Integer(value) => Expression::Integer(*value),
            Expression::Variable(variable) => Expression::Variable(replace(variable)?),
            Expression::Negate(inner) => Expression::Negate(Box::new(inner.resolve(replace)?)),
            Expression::Binary(operator, left, right) => {
                Expression::Binary(*operator, Box::new(left.resolve(replace)?), Box::new(right.resolve(replace)?))
            }
            Expression::Random(lower, upper) => {
                Expression::Random(Box::new(lower.resolve(replace)?), Box::new(upper.resolve(replace)?))
            }
        })
    }
}

impl Expression<Slot> {
    /// The value, given the variables' values. Operands are evaluated from left to right, because drawing a random
    /// number has an effect.
    ///
    /// # Errors
    /// When there is no value.
    pub(crate) fn evaluate(&self, variables: &[i64], random: &mut Random) -> Result<i64, EvaluationError> {
        match self {
            Expression::Integer(value) => Ok(*value),
            Expression::Variable(Slot(slot)) => Ok(variables[*slot]),
            Expression::Negate(inner) => {
                inner.evaluate(variables, random)?.checked_neg().ok_or(EvaluationError::OutOfRange)
            }
            Expression::Binary(operator, left, right) => {
                let left = left.evaluate(variables, random)?;
                operator.apply(left, right.evaluate(variables, random)?)
            }
            Expression::Random(lower, upper) => {
                let lower = lower.evaluate(variables, random)?;
                draw(lower, upper.evaluate(variables, random)?, random)
            }
        }
    }
}

impl Operator {
    fn apply(self, left: i64, right: i64) -> Result<i64, EvaluationError> {
        let result = match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide | Operator::Modulo if right == 0 => return Err(EvaluationError::DivisionByZero),
            Operator::Divide => left.checked_div(right),
            // The smallest integer modulo -1 is 0, although the division behind it overflows.
            Operator::Modulo => Some(left.wrapping_rem(right)),
        };
        result.ok_or(EvaluationError::OutOfRange)
    }
}

fn draw(lower: i64, upper: i64, random: &mut Random) -> Result<i64, EvaluationError> {
    if lower > upper {
        return Err(EvaluationError::EmptyRange);
    }
    let width = upper.checked_sub(lower).ok_or(EvaluationError::RangeTooLarge)?;
    Ok(lower + random.up_to(width as u64) as i64)
}
