//! Text to expression, by precedence climbing. From loosest to tightest: OR; AND; NOT; IS, ISNULL, NOTNULL;
//! comparisons, which do not associate; `| & # << >> ~`; `+ -`; `* / %`; signs.

use super::error::ScriptProblem;
use super::expression::{CaseExpression, Expression};
use super::function::{NAMES, ScriptFunction};
use super::lexer::{self, ExpressionToken};
use super::operator::Operator;
use super::value::ScriptValue;
use work::nearest_candidate;

/// Deeper nesting is refused, so that neither parsing nor evaluating can exhaust the stack.
const MAX_DEPTH: u32 = 100;

/// A variable in an expression, and where it stands in the script.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VariableName {
    pub(crate) name: String,
    pub(crate) offset: usize,
}

/// Levels of precedence; what an operand consists of binds at least as tightly.
mod level {
    pub(super) const OR: u8 = 0;
    pub(super) const AND: u8 = 1;
    pub(super) const NOT: u8 = 2;
    pub(super) const IS: u8 = 3;
    pub(super) const COMPARISON: u8 = 4;
    pub(super) const BITS: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const SIGN: u8 = 8;
}

/// Parses all of `text`, which starts at `base` of the script.
///
/// # Errors
/// The first problem, with its place.
pub(crate) fn parse_expression(text: &str, base: usize) -> Result<Expression<VariableName>, ScriptProblem> {
    let mut parser = Parser { text, base, at: 0, depth: 0 };
    let expression = parser.parse_with_precedence(level::OR)?;
    match parser.peek_token()? {
        None => Ok(expression),
        Some(_) => Err(parser.unexpected_token("an operator or the end of the line")),
    }
}

struct Parser<'a> {
    text: &'a str,
    base: usize,
    at: usize,
    depth: u32,
}

type Parsed = Result<Expression<VariableName>, ScriptProblem>;

impl<'a> Parser<'a> {
    /// An expression of operators that bind at least as tightly as `loosest`.
    fn parse_with_precedence(&mut self, loosest: u8) -> Parsed {
        let depth = self.depth;
        self.increase_depth()?;
        let mut left = self.parse_operand()?;
        let mut compared = false;
        while let Some(token) = self.peek_token()? {
            let Some((level, infix)) = infix_operator(token) else { break };
            if level < loosest {
                break;
            }
            if compared && level == level::COMPARISON {
                return Err(self.problem_here("comparisons cannot be chained").with_hint("use AND, or parentheses"));
            }
            compared = level == level::COMPARISON;
            self.skip_token()?;
            // Each operator makes the tree one deeper on its left.
            self.increase_depth()?;
            left = match infix {
                Infix::Postfix(wanted, negated) => self.parse_is_test(left, wanted, negated)?,
                Infix::Logical(build) => build(Box::new(left), Box::new(self.parse_with_precedence(level + 1)?)),
                Infix::Operator(operator, swapped) => {
                    let right = Box::new(self.parse_with_precedence(level + 1)?);
                    let (first, second) = if swapped { (right, Box::new(left)) } else { (Box::new(left), right) };
                    Expression::Binary(operator, first, second)
                }
            };
        }
        self.depth = depth;
        Ok(left)
    }

    /// What follows IS, ISNULL or NOTNULL.
    fn parse_is_test(&mut self, left: Expression<VariableName>, wanted: Option<ScriptValue>, negated: bool) -> Parsed {
        let (wanted, negated) = match wanted {
            Some(wanted) => (wanted, negated),
            None => {
                let negated = self.take_keyword("not")?;
                let wanted = match self.peek_token()? {
                    Some(ExpressionToken::Word(word)) => constant_keyword(word),
                    _ => None,
                };
                let Some(wanted) = wanted else { return Err(self.unexpected_token("NULL, TRUE, FALSE or NOT")) };
                self.skip_token()?;
                (wanted, negated)
            }
        };
        let is = Expression::Is(Box::new(left), wanted);
        Ok(if negated { Expression::Not(Box::new(is)) } else { is })
    }

    fn parse_operand(&mut self) -> Parsed {
        const EXPECTED: &str = "a number, a variable or a function";
        let Some(token) = self.peek_token()? else { return Err(self.unexpected_token(EXPECTED)) };
        let start = self.at;
        self.skip_token()?;
        match token {
            ExpressionToken::Integer(value) => Ok(Expression::Constant(ScriptValue::Integer(value))),
            ExpressionToken::Double(value) => Ok(Expression::Constant(ScriptValue::Double(value))),
            ExpressionToken::TwoTo63 => Err(lexer::too_large("9223372036854775808", self.base + start)),
            ExpressionToken::Variable(name) => {
                Ok(Expression::Variable(VariableName { name: name.to_owned(), offset: self.base + start }))
            }
            ExpressionToken::Symbol("(") => {
                let inner = self.parse_with_precedence(level::OR)?;
                self.expect_symbol(")")?;
                Ok(inner)
            }
            ExpressionToken::Symbol("+") => self.parse_with_precedence(level::SIGN),
            ExpressionToken::Symbol("-") => self.parse_negated(),
            ExpressionToken::Symbol("~") => {
                let inner = self.parse_with_precedence(level::BITS + 1)?;
                let ones = Expression::Constant(ScriptValue::Integer(-1));
                Ok(Expression::Binary(Operator::BitXor, Box::new(ones), Box::new(inner)))
            }
            ExpressionToken::Symbol(_) => {
                self.at = start;
                Err(self.unexpected_token(EXPECTED))
            }
            ExpressionToken::Word(word) if word.eq_ignore_ascii_case("not") => {
                self.parse_with_precedence(level::NOT).map(|inner| Expression::Not(Box::new(inner)))
            }
            ExpressionToken::Word(word) if word.eq_ignore_ascii_case("case") => self.parse_case(),
            ExpressionToken::Word(word) => match constant_keyword(word) {
                Some(value) => Ok(Expression::Constant(value)),
                None => self.parse_call(word, start),
            },
        }
    }

    /// The minus sign subtracts from zero, as in pgbench; so minus 0.0 is 0.0.
    fn parse_negated(&mut self) -> Parsed {
        if self.peek_token()? == Some(ExpressionToken::TwoTo63) {
            self.skip_token()?;
            return Ok(Expression::Constant(ScriptValue::Integer(i64::MIN)));
        }
        let zero = Expression::Constant(ScriptValue::Integer(0));
        let inner = self.parse_with_precedence(level::SIGN)?;
        Ok(match inner {
            Expression::Constant(ScriptValue::Integer(value)) if value >= 0 => {
                Expression::Constant(ScriptValue::Integer(-value))
            }
            inner => Expression::Binary(Operator::Subtract, Box::new(zero), Box::new(inner)),
        })
    }

    fn parse_call(&mut self, name: &str, start: usize) -> Parsed {
        let offset = self.base + start;
        let Some(function) = ScriptFunction::from_name(name) else {
            let problem = ScriptProblem::new(offset, format!("unexpected function name ({name})"));
            let known = NAMES.iter().map(|(known, _)| *known);
            let hint = match nearest_candidate(name, known.clone()) {
                Some(known) => format!("did you mean {known}?"),
                None => format!("the functions are {}", known.collect::<Vec<_>>().join(", ")),
            };
            return Err(problem.with_hint(hint));
        };
        self.expect_symbol("(")?;
        let mut arguments = Vec::new();
        if self.peek_token()? != Some(ExpressionToken::Symbol(")")) {
            arguments.push(self.parse_with_precedence(level::OR)?);
            while self.peek_token()? == Some(ExpressionToken::Symbol(",")) {
                self.skip_token()?;
                arguments.push(self.parse_with_precedence(level::OR)?);
            }
        }
        self.expect_symbol(")")?;
        let takes = function.argument_count();
        if !takes.contains(&arguments.len()) {
            let problem = ScriptProblem::new(offset, format!("unexpected number of arguments ({name})"));
            let (least, most) = (takes.start(), takes.end());
            let takes = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            return Err(problem.with_hint(format!("{name} takes {takes}, not {}", arguments.len())));
        }
        if function.takes_seed() && arguments.len() < *takes.end() {
            arguments.push(Expression::Variable(VariableName { name: "default_seed".to_owned(), offset }));
        }
        Ok(Expression::Call(function, arguments.into()))
    }

    fn parse_case(&mut self) -> Parsed {
        let mut branches = Vec::new();
        while self.take_keyword("when")? {
            let when = self.parse_with_precedence(level::OR)?;
            if !self.take_keyword("then")? {
                return Err(self.unexpected_token("THEN"));
            }
            branches.push((when, self.parse_with_precedence(level::OR)?));
        }
        if branches.is_empty() {
            return Err(self.unexpected_token("WHEN"));
        }
        let otherwise = if self.take_keyword("else")? {
            self.parse_with_precedence(level::OR)?
        } else {
            Expression::Constant(ScriptValue::Null)
        };
        if !self.take_keyword("end")? {
            return Err(self.unexpected_token("END"));
        }
        Ok(Expression::Case(Box::new(CaseExpression { branches, otherwise })))
    }

    fn take_keyword(&mut self, keyword: &str) -> Result<bool, ScriptProblem> {
        let found =
            matches!(self.peek_token()?, Some(ExpressionToken::Word(word)) if word.eq_ignore_ascii_case(keyword));
        if found {
            self.skip_token()?;
        }
        Ok(found)
    }

    fn expect_symbol(&mut self, symbol: &'static str) -> Result<(), ScriptProblem> {
        if self.peek_token()? != Some(ExpressionToken::Symbol(symbol)) {
            return Err(self.unexpected_token(&format!("\"{symbol}\"")));
        }
        self.skip_token()
    }

    /// The next token, which stays; before it white space (a continued line's backslash
    /// and newline count as such) goes.
    fn peek_token(&mut self) -> Result<Option<ExpressionToken<'a>>, ScriptProblem> {
        loop {
            let rest = &self.text[self.at..];
            let Some(next) = rest.chars().next() else { return Ok(None) };
            if next.is_ascii_whitespace() || next == '\x0b' || rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.at += 1;
            } else {
                return lexer::read_token(rest, self.base + self.at).map(|(token, _)| Some(token));
            }
        }
    }

    /// Goes behind the token that was peeked at.
    fn skip_token(&mut self) -> Result<(), ScriptProblem> {
        self.at += lexer::read_token(&self.text[self.at..], self.base + self.at)?.1;
        Ok(())
    }

    fn increase_depth(&mut self) -> Result<(), ScriptProblem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.problem_here("the expression is nested too deeply")) } else { Ok(()) }
    }

    fn unexpected_token(&self, expected: &str) -> ScriptProblem {
        let rest = &self.text[self.at..];
        let length = lexer::read_token(rest, 0).map_or(rest.len().min(1), |(_, length)| length);
        match &rest[..length] {
            "" => self.problem_here(format!("syntax error: expected {expected}, found the end of the line")),
            found => self.problem_here(format!("syntax error: expected {expected}, found \"{found}\"")),
        }
    }

    fn problem_here(&self, problem: impl Into<String>) -> ScriptProblem {
        ScriptProblem::new(self.base + self.at, problem)
    }
}

/// Makes an expression of two operands.
type ExpressionBuilder = fn(Box<Expression<VariableName>>, Box<Expression<VariableName>>) -> Expression<VariableName>;

/// What stands between two operands, or behind one.
enum Infix {
    Operator(Operator, bool),
    Logical(ExpressionBuilder),
    /// IS: what is asked for, if the word says it, and whether it is negated.
    Postfix(Option<ScriptValue>, bool),
}

fn infix_operator(token: ExpressionToken<'_>) -> Option<(u8, Infix)> {
    let operator = |level, operator| Some((level, Infix::Operator(operator, false)));
    match token {
        ExpressionToken::Symbol("*") => operator(level::PRODUCT, Operator::Multiply),
        ExpressionToken::Symbol("/") => operator(level::PRODUCT, Operator::Divide),
        ExpressionToken::Symbol("%") => operator(level::PRODUCT, Operator::Modulo),
        ExpressionToken::Symbol("+") => operator(level::SUM, Operator::Add),
        ExpressionToken::Symbol("-") => operator(level::SUM, Operator::Subtract),
        ExpressionToken::Symbol("|") => operator(level::BITS, Operator::BitOr),
        ExpressionToken::Symbol("&") => operator(level::BITS, Operator::BitAnd),
        ExpressionToken::Symbol("#") => operator(level::BITS, Operator::BitXor),
        ExpressionToken::Symbol("<<") => operator(level::BITS, Operator::ShiftLeft),
        ExpressionToken::Symbol(">>") => operator(level::BITS, Operator::ShiftRight),
        ExpressionToken::Symbol("=") => operator(level::COMPARISON, Operator::Equal),
        ExpressionToken::Symbol("<>" | "!=") => operator(level::COMPARISON, Operator::NotEqual),
        ExpressionToken::Symbol("<") => operator(level::COMPARISON, Operator::Less),
        ExpressionToken::Symbol("<=") => operator(level::COMPARISON, Operator::LessOrEqual),
        ExpressionToken::Symbol(">") => Some((level::COMPARISON, Infix::Operator(Operator::Less, true))),
        ExpressionToken::Symbol(">=") => Some((level::COMPARISON, Infix::Operator(Operator::LessOrEqual, true))),
        ExpressionToken::Word(word) => {
            let words: [(&str, u8, Infix); 5] = [
                ("or", level::OR, Infix::Logical(Expression::Or)),
                ("and", level::AND, Infix::Logical(Expression::And)),
                ("is", level::IS, Infix::Postfix(None, false)),
                ("isnull", level::IS, Infix::Postfix(Some(ScriptValue::Null), false)),
                ("notnull", level::IS, Infix::Postfix(Some(ScriptValue::Null), true)),
            ];
            let found = words.into_iter().find(|(known, _, _)| known.eq_ignore_ascii_case(word));
            found.map(|(_, level, infix)| (level, infix))
        }
        ExpressionToken::Symbol(_)
        | ExpressionToken::Integer(_)
        | ExpressionToken::TwoTo63
        | ExpressionToken::Double(_)
        | ExpressionToken::Variable(_) => None,
    }
}

fn constant_keyword(word: &str) -> Option<ScriptValue> {
    let words =
        [("null", ScriptValue::Null), ("true", ScriptValue::Boolean(true)), ("false", ScriptValue::Boolean(false))];
    words.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, value)| value)
}
