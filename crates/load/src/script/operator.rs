//! The binary operators of expressions that evaluate both operands. Integers stay integers, and what does not fit 64
//! bits is an error; if either operand is a double the other becomes one.

use super::evaluation_error::EvaluationError;
use super::value::ScriptValue;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    /// Truncates towards zero if both are integers.
    Divide,
    /// Of integers only: doubles are rounded first.
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

impl Operator {
    /// The value of the operation; NULL if either operand is.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub(crate) fn apply(self, left: ScriptValue, right: ScriptValue) -> Result<ScriptValue, EvaluationError> {
        if let (ScriptValue::Integer(left), ScriptValue::Integer(right)) = (left, right) {
            return self.of_integers(left, right);
        }
        self.of_others(left, right)
    }

    fn of_others(self, left: ScriptValue, right: ScriptValue) -> Result<ScriptValue, EvaluationError> {
        if left.is_null() || right.is_null() {
            return Ok(ScriptValue::Null);
        }
        let some_double = matches!(left, ScriptValue::Double(_)) || matches!(right, ScriptValue::Double(_));
        match self {
            Operator::Modulo
            | Operator::BitAnd
            | Operator::BitOr
            | Operator::BitXor
            | Operator::ShiftLeft
            | Operator::ShiftRight => self.of_integers(left.to_integer()?, right.to_integer()?),
            _ if some_double => self.of_doubles(left.to_double()?, right.to_double()?),
            _ => self.of_integers(left.to_integer()?, right.to_integer()?),
        }
    }

    #[inline]
    fn of_integers(self, left: i64, right: i64) -> Result<ScriptValue, EvaluationError> {
        let result = match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide | Operator::Modulo if right == 0 => return Err(EvaluationError::DivisionByZero),
            Operator::Divide => left.checked_div(right),
            // The smallest integer modulo -1 is 0, although the division behind it overflows.
            Operator::Modulo => Some(left.wrapping_rem(right)),
            Operator::BitAnd => Some(left & right),
            Operator::BitOr => Some(left | right),
            Operator::BitXor => Some(left ^ right),
            // As the hardware does it that pgbench runs on: by the lowest six bits.
            Operator::ShiftLeft => Some(left.wrapping_shl(right as u32)),
            Operator::ShiftRight => Some(left.wrapping_shr(right as u32)),
            Operator::Equal => return Ok(ScriptValue::Boolean(left == right)),
            Operator::NotEqual => return Ok(ScriptValue::Boolean(left != right)),
            Operator::Less => return Ok(ScriptValue::Boolean(left < right)),
            Operator::LessOrEqual => return Ok(ScriptValue::Boolean(left <= right)),
        };
        result.map(ScriptValue::Integer).ok_or(EvaluationError::OutOfRange)
    }

    #[expect(clippy::float_cmp, reason = "the language compares exactly")]
    fn of_doubles(self, left: f64, right: f64) -> Result<ScriptValue, EvaluationError> {
        Ok(match self {
            Operator::Add => ScriptValue::Double(left + right),
            Operator::Subtract => ScriptValue::Double(left - right),
            Operator::Multiply => ScriptValue::Double(left * right),
            Operator::Divide => ScriptValue::Double(left / right),
            Operator::Equal => ScriptValue::Boolean(left == right),
            Operator::NotEqual => ScriptValue::Boolean(left != right),
            Operator::Less => ScriptValue::Boolean(left < right),
            Operator::LessOrEqual => ScriptValue::Boolean(left <= right),
            Operator::Modulo
            | Operator::BitAnd
            | Operator::BitOr
            | Operator::BitXor
            | Operator::ShiftLeft
            | Operator::ShiftRight => {
                return self
                    .of_integers(ScriptValue::Double(left).to_integer()?, ScriptValue::Double(right).to_integer()?);
            }
        })
    }
}
