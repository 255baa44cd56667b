//! The value of an expression. Operands are evaluated from left to right (those of `>` and `>=` from right to left, as
//! in pgbench), because drawing a random number has an effect. Allocates nothing.

use super::evaluation_error::EvaluationError;
use super::expression::Expression;
use super::function::{MAX_ARGUMENTS, ScriptFunction};
use super::value::ScriptValue;
use super::variables::{ClientVariables, VariableSlot};
use work::Random;

impl Expression<VariableSlot> {
    /// The value, given the variables' values.
    ///
    /// # Errors
    /// When there is no value.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        variables: &ClientVariables,
        random: &mut Random,
    ) -> Result<ScriptValue, EvaluationError> {
        match self {
            Expression::Constant(value) => Ok(*value),
            Expression::Uniform(range) => Ok(ScriptValue::Integer(range.draw_uniform(random))),
            Expression::Variable(slot) => variables.variable_value(*slot),
            Expression::Binary(operator, left, right) => {
                let left = left.evaluate(variables, random)?;
                operator.apply(left, right.evaluate(variables, random)?)
            }
            Expression::Call(function, arguments) => evaluate_call(*function, arguments, variables, random),
            Expression::Not(inner) => match inner.evaluate(variables, random)? {
                ScriptValue::Null => Ok(ScriptValue::Null),
                value => value.to_boolean().map(|value| ScriptValue::Boolean(!value)),
            },
            Expression::Is(inner, wanted) => Ok(ScriptValue::Boolean(inner.evaluate(variables, random)? == *wanted)),
            Expression::And(left, right) => evaluate_logical(false, left, right, variables, random),
            Expression::Or(left, right) => evaluate_logical(true, left, right, variables, random),
            Expression::Case(case) => {
                for (when, then) in &case.branches {
                    if when.evaluate(variables, random)?.is_truthy() {
                        return then.evaluate(variables, random);
                    }
                }
                case.otherwise.evaluate(variables, random)
            }
        }
    }
}

/// AND and OR. If the left operand has the value that is `decisive`, it decides; if it is NULL, so is the result.
fn evaluate_logical(
    decisive: bool,
    left: &Expression<VariableSlot>,
    right: &Expression<VariableSlot>,
    variables: &ClientVariables,
    random: &mut Random,
) -> Result<ScriptValue, EvaluationError> {
    let left = left.evaluate(variables, random)?;
    if left.is_null() || left.to_boolean()? == decisive {
        return Ok(left);
    }
    let right = right.evaluate(variables, random)?;
    if right.is_null() { Ok(right) } else { right.to_boolean().map(ScriptValue::Boolean) }
}

#[inline]
fn evaluate_call(
    function: ScriptFunction,
    arguments: &[Expression<VariableSlot>],
    variables: &ClientVariables,
    random: &mut Random,
) -> Result<ScriptValue, EvaluationError> {
    if let [first, second] = arguments {
        let first = first.evaluate(variables, random)?;
        return function.call_function(&[first, second.evaluate(variables, random)?], random);
    }
    let mut values = [ScriptValue::Null; MAX_ARGUMENTS];
    for (value, argument) in values.iter_mut().zip(arguments) {
        *value = argument.evaluate(variables, random)?;
    }
    function.call_function(&values[..arguments.len()], random)
}
