//! Text to expression, by precedence climbing. From loosest to tightest: OR; AND; NOT; IS, ISNULL, NOTNULL;
//! comparisons, which do not associate; `| & # << >> ~`; `+ -`; `* / %`; signs.

use super::error::ScriptProblem;
use super::expression::{CaseExpression, Expression};
use super::function::{NAMES, ScriptFunction};
use super::lexer::{self, ExpressionToken};
use super::operator::Operator;
use super::value::ScriptValue;
use work::nearest;

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
pub(crate) fn parse(text: &str, base: usize) -> Result<Expression<VariableName>, ScriptProblem> {
    let mut parser = Parser { text, base, at: 0, depth: 0 };
    let expression = parser.expression(level::OR)?;
    match parser.peek()? {
        None => Ok(expression),
        Some(_) => Err(parser.unexpected("an operator or the end of the line")),
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
    fn expression(&mut self, loosest: u8) -> Parsed {
        let depth = self.depth;
        self.deeper()?;
        let mut left = self.operand()?;
        let mut compared = false;
        while let Some(token) = self.peek()? {
            let Some((level, infix)) = infix(token) else { break };
            if level < loosest {
                break;
            }
            if compared && level == level::COMPARISON {
                return Err(self.problem("comparisons cannot be chained").hint("use AND, or parentheses"));
            }
            compared = level == level::COMPARISON;
            self.bump()?;
            // Each operator makes the tree one deeper on its left.
            self.deeper()?;
            left = match infix {
                Infix::Postfix(wanted, negated) => self.is(left, wanted, negated)?,
                Infix::Logical(build) => build(Box::new(left), Box::new(self.expression(level + 1)?)),
                Infix::Operator(operator, swapped) => {
                    let right = Box::new(self.expression(level + 1)?);
                    let (first, second) = if swapped { (right, Box::new(left)) } else { (Box::new(left), right) };
                    Expression::Binary(operator, first, second)
                }
            };
        }
        self.depth = depth;
        Ok(left)
    }

    /// What follows IS, ISNULL or NOTNULL.
    fn is(&mut self, left: Expression<VariableName>, wanted: Option<ScriptValue>, negated: bool) -> Parsed {
        let (wanted, negated) = match wanted {
            Some(wanted) => (wanted, negated),
            None => {
                let negated = self.take_keyword("not")?;
                let wanted = match self.peek()? {
                    Some(ExpressionToken::Word(word)) => constant(word),
                    _ => None,
                };
                let Some(wanted) = wanted else { return Err(self.unexpected("NULL, TRUE, FALSE or NOT")) };
                self.bump()?;
                (wanted, negated)
            }
        };
        let is = Expression::Is(Box::new(left), wanted);
        Ok(if negated { Expression::Not(Box::new(is)) } else { is })
    }

    fn operand(&mut self) -> Parsed {
        const EXPECTED: &str = "a number, a variable or a function";
        let Some(token) = self.peek()? else { return Err(self.unexpected(EXPECTED)) };
        let start = self.at;
        self.bump()?;
        match token {
            ExpressionToken::Integer(value) => Ok(Expression::Constant(ScriptValue::Integer(value))),
            ExpressionToken::Double(value) => Ok(Expression::Constant(ScriptValue::Double(value))),
            ExpressionToken::TwoTo63 => Err(lexer::too_large("9223372036854775808", self.base + start)),
            ExpressionToken::Variable(name) => {
                Ok(Expression::Variable(VariableName { name: name.to_owned(), offset: self.base + start }))
            }
            ExpressionToken::Symbol("(") => {
                let inner = self.expression(level::OR)?;
                self.expect(")")?;
                Ok(inner)
            }
            ExpressionToken::Symbol("+") => self.expression(level::SIGN),
            ExpressionToken::Symbol("-") => self.negated(),
            ExpressionToken::Symbol("~") => {
                let inner = self.expression(level::BITS + 1)?;
                let ones = Expression::Constant(ScriptValue::Integer(-1));
                Ok(Expression::Binary(Operator::BitXor, Box::new(ones), Box::new(inner)))
            }
            ExpressionToken::Symbol(_) => {
                self.at = start;
                Err(self.unexpected(EXPECTED))
            }
            ExpressionToken::Word(word) if word.eq_ignore_ascii_case("not") => {
                self.expression(level::NOT).map(|inner| Expression::Not(Box::new(inner)))
            }
            ExpressionToken::Word(word) if word.eq_ignore_ascii_case("case") => self.case(),
            ExpressionToken::Word(word) => match constant(word) {
                Some(value) => Ok(Expression::Constant(value)),
                None => self.call(word, start),
            },
        }
    }

    /// The minus sign subtracts from zero, as in pgbench; so minus 0.0 is 0.0.
    fn negated(&mut self) -> Parsed {
        if self.peek()? == Some(ExpressionToken::TwoTo63) {
            self.bump()?;
            return Ok(Expression::Constant(ScriptValue::Integer(i64::MIN)));
        }
        let zero = Expression::Constant(ScriptValue::Integer(0));
        let inner = self.expression(level::SIGN)?;
        Ok(match inner {
            Expression::Constant(ScriptValue::Integer(value)) if value >= 0 => {
                Expression::Constant(ScriptValue::Integer(-value))
            }
            inner => Expression::Binary(Operator::Subtract, Box::new(zero), Box::new(inner)),
        })
    }

    fn call(&mut self, name: &str, start: usize) -> Parsed {
        let offset = self.base + start;
        let Some(function) = ScriptFunction::named(name) else {
            let problem = ScriptProblem::new(offset, format!("unexpected function name ({name})"));
            let known = NAMES.iter().map(|(known, _)| *known);
            let hint = match nearest(name, known.clone()) {
                Some(known) => format!("did you mean {known}?"),
                None => format!("the functions are {}", known.collect::<Vec<_>>().join(", ")),
            };
            return Err(problem.hint(hint));
        };
        self.expect("(")?;
        let mut arguments = Vec::new();
        if self.peek()? != Some(ExpressionToken::Symbol(")")) {
            arguments.push(self.expression(level::OR)?);
            while self.peek()? == Some(ExpressionToken::Symbol(",")) {
                self.bump()?;
                arguments.push(self.expression(level::OR)?);
            }
        }
        self.expect(")")?;
        let takes = function.arguments();
        if !takes.contains(&arguments.len()) {
            let problem = ScriptProblem::new(offset, format!("unexpected number of arguments ({name})"));
            let (least, most) = (takes.start(), takes.end());
            let takes = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            return Err(problem.hint(format!("{name} takes {takes}, not {}", arguments.len())));
        }
        if function.takes_seed() && arguments.len() < *takes.end() {
            arguments.push(Expression::Variable(VariableName { name: "default_seed".to_owned(), offset }));
        }
        Ok(Expression::Call(function, arguments.into()))
    }

    fn case(&mut self) -> Parsed {
        let mut branches = Vec::new();
        while self.take_keyword("when")? {
            let when = self.expression(level::OR)?;
            if !self.take_keyword("then")? {
                return Err(self.unexpected("THEN"));
            }
            branches.push((when, self.expression(level::OR)?));
        }
        if branches.is_empty() {
            return Err(self.unexpected("WHEN"));
        }
        let otherwise = if self.take_keyword("else")? {
            self.expression(level::OR)?
        } else {
            Expression::Constant(ScriptValue::Null)
        };
        if !self.take_keyword("end")? {
            return Err(self.unexpected("END"));
        }
        Ok(Expression::Case(Box::new(CaseExpression { branches, otherwise })))
    }

    fn take_keyword(&mut self, keyword: &str) -> Result<bool, ScriptProblem> {
        let found = matches!(self.peek()?, Some(ExpressionToken::Word(word)) if word.eq_ignore_ascii_case(keyword));
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), ScriptProblem> {
        if self.peek()? != Some(ExpressionToken::Symbol(symbol)) {
            return Err(self.unexpected(&format!("\"{symbol}\"")));
        }
        self.bump()
    }

    /// The next token, which stays; before it white space (a continued line's backslash
    /// and newline count as such) goes.
    fn peek(&mut self) -> Result<Option<ExpressionToken<'a>>, ScriptProblem> {
        loop {
            let rest = &self.text[self.at..];
            let Some(next) = rest.chars().next() else { return Ok(None) };
            if next.is_ascii_whitespace() || next == '\x0b' || rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.at += 1;
            } else {
                return lexer::token(rest, self.base + self.at).map(|(token, _)| Some(token));
            }
        }
    }

    /// Goes behind the token that was peeked at.
    fn bump(&mut self) -> Result<(), ScriptProblem> {
        self.at += lexer::token(&self.text[self.at..], self.base + self.at)?.1;
        Ok(())
    }

    fn deeper(&mut self) -> Result<(), ScriptProblem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.problem("the expression is nested too deeply")) } else { Ok(()) }
    }

    fn unexpected(&self, expected: &str) -> ScriptProblem {
        let rest = &self.text[self.at..];
        let length = lexer::token(rest, 0).map_or(rest.len().min(1), |(_, length)| length);
        match &rest[..length] {
            "" => self.problem(format!("syntax error: expected {expected}, found the end of the line")),
            found => self.problem(format!("syntax error: expected {expected}, found \"{found}\"")),
        }
    }

    fn problem(&self, problem: impl Into<String>) -> ScriptProblem {
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

fn infix(token: ExpressionToken<'_>) -> Option<(u8, Infix)> {
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

fn constant(word: &str) -> Option<ScriptValue> {
    let words =
        [("null", ScriptValue::Null), ("true", ScriptValue::Boolean(true)), ("false", ScriptValue::Boolean(false))];
    words.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, value)| value)
}
