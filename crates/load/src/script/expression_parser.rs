//! Text to expression, by precedence climbing: `* / %` bind tighter than `+ -`, unary minus tightest.

use crate::script::error::Problem;
use crate::script::expression::{Expression, Operator};
use crate::script::sql::variable_at;

/// Deeper nesting is refused, so that neither parsing nor evaluating can exhaust the stack.
const MAX_DEPTH: u32 = 100;

/// Parses all of `text`, which starts at `base` of the script.
///
/// # Errors
/// The first problem, with its place.
pub(crate) fn parse(text: &str, base: usize) -> Result<Expression<String>, Problem> {
    let mut parser = Parser { text, base, at: 0, depth: 0 };
    let expression = parser.sum()?;
    match parser.peek() {
        None => Ok(expression),
        Some(found) => Err(parser.problem(format!("expected an operator or the end of the line, found \"{found}\""))),
    }
}

struct Parser<'a> {
    text: &'a str,
    base: usize,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expression<String>, Problem> {
        self.left_associative(Parser::product, |symbol| match symbol {
            '+' => Some(Operator::Add),
            '-' => Some(Operator::Subtract),
            _ => None,
        })
    }

    fn product(&mut self) -> Result<Expression<String>, Problem> {
        self.left_associative(Parser::operand, |symbol| match symbol {
            '*' => Some(Operator::Multiply),
            '/' => Some(Operator::Divide),
            '%' => Some(Operator::Modulo),
            _ => None,
        })
    }

    fn left_associative(
        &mut self,
        operand: impl Fn(&mut Self) -> Result<Expression<String>, Problem>,
        operator: impl Fn(char) -> Option<Operator>,
    ) -> Result<Expression<String>, Problem> {
        let mut left = operand(self)?;
        // Each operator makes the tree one deeper on its left.
        let depth = self.depth;
        while let Some(found) = self.peek().and_then(&operator) {
            self.at += 1;
            self.deeper()?;
            left = Expression::Binary(found, Box::new(left), Box::new(operand(self)?));
        }
        self.depth = depth;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression<String>, Problem> {
        match self.peek() {
            Some('-') => {
                self.at += 1;
                self.peek();
                // The smallest integer has no positive counterpart, so the sign is read together with the digits.
                if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
                    return self.integer("-");
                }
                self.deeper()?;
                let inner = self.operand()?;
                self.depth -= 1;
                Ok(Expression::Negate(Box::new(inner)))
            }
            Some('+') => {
                self.at += 1;
                self.deeper()?;
                let inner = self.operand()?;
                self.depth -= 1;
                Ok(inner)
            }
            Some('(') => self.parenthesised(),
            Some(':') => self.variable(),
            Some(c) if c.is_ascii_digit() => self.integer(""),
            Some(c) if c.is_alphabetic() || c == '_' => self.function(),
            Some(found) => Err(self.problem(format!("expected a number, a variable or a function, found \"{found}\""))),
            None => Err(self.problem("expected a number, a variable or a function, found the end of the line")),
        }
    }

    fn parenthesised(&mut self) -> Result<Expression<String>, Problem> {
        self.at += 1;
        self.deeper()?;
        let inner = self.sum()?;
        self.depth -= 1;
        self.expect(')')?;
        Ok(inner)
    }

    fn variable(&mut self) -> Result<Expression<String>, Problem> {
        let Some(name) = variable_at(self.rest()).map(str::to_owned) else {
            return Err(self.problem("expected a variable's name after \":\""));
        };
        self.at += 1 + name.len();
        Ok(Expression::Variable(name))
    }

    fn integer(&mut self, sign: &str) -> Result<Expression<String>, Problem> {
        let digits = self.word();
        let Ok(value) = format!("{sign}{digits}").parse() else {
            return Err(self.problem(format!("\"{sign}{digits}\" is not a 64-bit integer")));
        };
        self.at += digits.len();
        Ok(Expression::Integer(value))
    }

    fn function(&mut self) -> Result<Expression<String>, Problem> {
        let name = self.word();
        if !name.eq_ignore_ascii_case("random") {
            let problem = self.problem(format!("unknown function \"{name}\""));
            return Err(problem.hint("the function that can be used here is random(lower, upper)"));
        }
        self.at += name.len();
        self.expect('(')?;
        self.deeper()?;
        let lower = self.sum()?;
        self.expect(',')?;
        let upper = self.sum()?;
        self.depth -= 1;
        self.expect(')')?;
        Ok(Expression::Random(Box::new(lower), Box::new(upper)))
    }

    /// The letters, digits, dots and underscores that follow.
    fn word(&self) -> String {
        self.rest().chars().take_while(|&c| c.is_alphanumeric() || c == '_' || c == '.').collect()
    }

    /// The next character that is not white space (a continued line's backslash and newline count as such).
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let next = rest.chars().next()?;
            if next.is_whitespace() {
                self.at += next.len_utf8();
            } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.at += 1;
            } else {
                return Some(next);
            }
        }
    }

    fn expect(&mut self, symbol: char) -> Result<(), Problem> {
        match self.peek() {
            Some(found) if found == symbol => {
                self.at += symbol.len_utf8();
                Ok(())
            }
            Some(found) => Err(self.problem(format!("expected \"{symbol}\", found \"{found}\""))),
            None => Err(self.problem(format!("expected \"{symbol}\", found the end of the line"))),
        }
    }

    fn deeper(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.problem("the expression is nested too deeply")) } else { Ok(()) }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn problem(&self, problem: impl Into<String>) -> Problem {
        Problem::new(self.base + self.at, problem)
    }
}
