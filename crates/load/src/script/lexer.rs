//! The words of expressions: text to tokens.

use super::error::ScriptProblem;
use super::sql::variable_at;
use super::value;

/// A token of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ExpressionToken<'a> {
    Integer(i64),
    /// 9223372036854775808, which is an integer only after a minus sign.
    TwoTo63,
    Double(f64),
    Variable(&'a str),
    /// A keyword or a function's name.
    Word(&'a str),
    /// One of the language's operators or punctuation marks.
    Symbol(&'static str),
}

/// Longer ones first.
const SYMBOLS: [&str; 21] =
    ["<>", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "=", "<", ">", "|", "&", "#", "~", "(", ")", ","];

/// The token at the very start of `text`, which is neither white space nor empty, and its length. `offset` is the place
/// of `text` in the script.
///
/// # Errors
/// When no token begins like this.
pub(crate) fn read_token(text: &str, offset: usize) -> Result<(ExpressionToken<'_>, usize), ScriptProblem> {
    if let Some(name) = variable_at(text) {
        return Ok((ExpressionToken::Variable(name), 1 + name.len()));
    }
    if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| text.starts_with(symbol)) {
        return Ok((ExpressionToken::Symbol(symbol), symbol.len()));
    }
    let length = number_length(text);
    if length > 0 {
        return read_number(&text[..length], offset).map(|token| (token, length));
    }
    let word_end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    if word_end > 0 {
        return Ok((ExpressionToken::Word(&text[..word_end]), word_end));
    }
    let found: String = text.chars().take(1).collect();
    let problem = ScriptProblem::new(offset, format!("unexpected character \"{found}\""));
    Err(if found == ":" {
        problem.with_hint("the name of a variable follows the colon and starts with a letter")
    } else {
        problem
    })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// Digits, possibly a fraction, possibly an exponent; 0 if `text` begins with no number.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return 0;
        }
        end += 1 + fraction;
    }
    if end > 0 && matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = bytes.get(end + 1 + sign..).map_or(0, |_| digits(end + 1 + sign));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

fn read_number(text: &str, offset: usize) -> Result<ExpressionToken<'static>, ScriptProblem> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return match text.parse::<u64>() {
            Ok(value) if value < 1 << 63 => Ok(ExpressionToken::Integer(value as i64)),
            Ok(value) if value == 1 << 63 => Ok(ExpressionToken::TwoTo63),
            Ok(_) | Err(_) => Err(too_large(text, offset)),
        };
    }
    value::parse_double(text)
        .map(ExpressionToken::Double)
        .ok_or_else(|| ScriptProblem::new(offset, format!("double constant overflow ({text})")))
}

/// What is said of an integer that does not fit 64 bits.
pub(crate) fn too_large(text: &str, offset: usize) -> ScriptProblem {
    ScriptProblem::new(offset, format!("bigint constant overflow ({text})")).with_hint("integers have 64 bits")
}
