//! The values of pgbench's expressions, and how one type becomes another.

use super::evaluation_error::EvaluationError;

/// What an expression can be worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ScriptValue {
    Null,
    Boolean(bool),
    Integer(i64),
    Double(f64),
}

impl ScriptValue {
    /// Whether a condition with this value holds: numbers other than zero do, NULL does not.
    pub(crate) fn is_truthy(self) -> bool {
        match self {
            ScriptValue::Null => false,
            ScriptValue::Boolean(value) => value,
            ScriptValue::Integer(value) => value != 0,
            ScriptValue::Double(value) => value != 0.0,
        }
    }

    pub(crate) fn is_null(self) -> bool {
        matches!(self, ScriptValue::Null)
    }

    /// As a boolean, which only a boolean is.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn to_boolean(self) -> Result<bool, EvaluationError> {
        match self {
            ScriptValue::Boolean(value) => Ok(value),
            ScriptValue::Null | ScriptValue::Integer(_) | ScriptValue::Double(_) => Err(self.is_no("boolean")),
        }
    }

    /// As an integer; a double is rounded to the nearest, halves to the even one.
    ///
    /// # Errors
    /// When it is no number, or too large.
    #[inline]
    pub(crate) fn to_integer(self) -> Result<i64, EvaluationError> {
        match self {
            ScriptValue::Integer(value) => Ok(value),
            ScriptValue::Double(value) => {
                let rounded = value.round_ties_even();
                // The bounds are powers of two and thus exact; not-a-number is in no range.
                let fits = (-TWO_TO_63..TWO_TO_63).contains(&rounded);
                if fits { Ok(rounded as i64) } else { Err(EvaluationError::DoubleToInteger(rounded)) }
            }
            ScriptValue::Null | ScriptValue::Boolean(_) => Err(self.is_no("int")),
        }
    }

    /// As a double.
    ///
    /// # Errors
    /// When it is no number.
    pub(crate) fn to_double(self) -> Result<f64, EvaluationError> {
        match self {
            ScriptValue::Double(value) => Ok(value),
            ScriptValue::Integer(value) => Ok(value as f64),
            ScriptValue::Null | ScriptValue::Boolean(_) => Err(self.is_no("double")),
        }
    }

    fn is_no(self, wanted: &'static str) -> EvaluationError {
        let found = match self {
            ScriptValue::Null => "null",
            ScriptValue::Boolean(_) => "boolean",
            ScriptValue::Integer(_) => "int",
            ScriptValue::Double(_) => "double",
        };
        EvaluationError::Type { found, wanted }
    }

    /// The value that a variable's text stands for in an expression; `None`: for none. Texts come from `\gset`, from
    /// the command line and from generators.
    pub(crate) fn of_text(text: &[u8]) -> Option<ScriptValue> {
        let text = std::str::from_utf8(text).ok()?;
        let begins = |word: &str| word.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        if text.is_empty() {
            None
        } else if text.eq_ignore_ascii_case("null") {
            Some(ScriptValue::Null)
        } else if begins("true") || begins("yes") || text.eq_ignore_ascii_case("on") {
            Some(ScriptValue::Boolean(true))
        } else if begins("false") || begins("no") || (begins("off") && text.len() > 1) {
            Some(ScriptValue::Boolean(false))
        } else {
            parse_number(text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b'))
        }
    }
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// What looks like an integer has to be one.
fn parse_number(text: &str) -> Option<ScriptValue> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().map(ScriptValue::Integer);
    }
    parse_double(text).map(ScriptValue::Double)
}

/// A double, as C's `strtod` reads it; none if it is too large, or so small that it loses digits.
pub(crate) fn parse_double(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mantissa = digits.split(['e', 'E']).next().unwrap_or(digits);
    let overflown = value.is_infinite() && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let vanished = value == 0.0 && mantissa.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    (!overflown && !vanished && !value.is_subnormal()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_for_the_values_that_pgbench_reads_in_them() {
        let cases = [
            ("", None),
            ("NuLL", Some(ScriptValue::Null)),
            ("t", Some(ScriptValue::Boolean(true))),
            ("YE", Some(ScriptValue::Boolean(true))),
            ("on", Some(ScriptValue::Boolean(true))),
            ("fals", Some(ScriptValue::Boolean(false))),
            ("n", Some(ScriptValue::Boolean(false))),
            ("of", Some(ScriptValue::Boolean(false))),
            ("o", None),
            ("truer", None),
            (" +12", Some(ScriptValue::Integer(12))),
            ("-9223372036854775808", Some(ScriptValue::Integer(i64::MIN))),
            ("9223372036854775808", None),
            ("1.5e3", Some(ScriptValue::Double(1500.0))),
            ("1e999", None),
            ("1e-999", None),
            ("0e5", Some(ScriptValue::Double(0.0))),
            ("inf", Some(ScriptValue::Double(f64::INFINITY))),
            ("12x", None),
            ("-", None),
        ];
        for (text, expected) in cases {
            assert_eq!(ScriptValue::of_text(text.as_bytes()), expected, "{text}");
        }
    }
}
