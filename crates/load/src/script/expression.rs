//! The expressions of `\set`, `\if` and `\elif`: their shape. `evaluate` gives them their values.

use super::distribution::Range;
use super::function::ScriptFunction;
use super::operator::Operator;
use super::value::ScriptValue;

/// An expression whose variables are of type `V`: names as parsed, slots once compiled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression<V> {
    Constant(ScriptValue),
    Variable(V),
    Binary(Operator, Box<Expression<V>>, Box<Expression<V>>),
    Not(Box<Expression<V>>),
    /// Whether the value is exactly this one, which is NULL or a boolean.
    Is(Box<Expression<V>>, ScriptValue),
    /// The right operand is only evaluated if the left one does not decide.
    And(Box<Expression<V>>, Box<Expression<V>>),
    Or(Box<Expression<V>>, Box<Expression<V>>),
    Call(ScriptFunction, Box<[Expression<V>]>),
    /// `random` with bounds that never change.
    Uniform(Range),
    Case(Box<CaseExpression<V>>),
}

/// `CASE WHEN ... THEN ... ELSE ... END`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CaseExpression<V> {
    /// Conditions with their results; the first condition that holds counts.
    pub(crate) branches: Vec<(Expression<V>, Expression<V>)>,
    /// NULL if not given.
    pub(crate) otherwise: Expression<V>,
}

impl<V> Expression<V> {
    /// The same expression with its variables replaced.
    ///
    /// # Errors
    /// The first that `replace` returns.
    pub(crate) fn resolve_variables<W, E>(
        &self,
        replace: &mut impl FnMut(&V) -> Result<W, E>,
    ) -> Result<Expression<W>, E> {
        let mut boxed = |inner: &Expression<V>| inner.resolve_variables(replace).map(Box::new);
        Ok(match self {
            Expression::Constant(value) => Expression::Constant(*value),
            Expression::Uniform(range) => Expression::Uniform(*range),
            Expression::Variable(variable) => Expression::Variable(replace(variable)?),
            Expression::Binary(operator, left, right) => Expression::Binary(*operator, boxed(left)?, boxed(right)?),
            Expression::Not(inner) => Expression::Not(boxed(inner)?),
            Expression::Is(inner, value) => Expression::Is(boxed(inner)?, *value),
            Expression::And(left, right) => Expression::And(boxed(left)?, boxed(right)?),
            Expression::Or(left, right) => Expression::Or(boxed(left)?, boxed(right)?),
            Expression::Call(function, arguments) => {
                let arguments: Result<_, E> =
                    arguments.iter().map(|argument| argument.resolve_variables(replace)).collect();
                Expression::Call(*function, arguments?)
            }
            Expression::Case(case) => {
                let branches: Result<_, E> = case
                    .branches
                    .iter()
                    .map(|(when, then)| Ok((when.resolve_variables(replace)?, then.resolve_variables(replace)?)))
                    .collect();
                Expression::Case(Box::new(CaseExpression {
                    branches: branches?,
                    otherwise: case.otherwise.resolve_variables(replace)?,
                }))
            }
        })
    }
}
