//! Literals cut out of a text, by the positions of its tokens.
//!
//! Every literal is cut out wherever it stands; comments are left out but for hints (`/*+ ... */`), since they may hold
//! values too. What a literal is for decides whether it can be masked.

use std::fmt::Write as _;
use std::ops::Range;

use crate::SqlError;
use crate::reach::holds_secret;
use crate::tokens::{ScannedToken, TokenKind, scan_tokens};

/// A text and the literals that were cut out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlText {
    /// The text with a placeholder for each literal, without comments.
    pub normalised: String,
    /// Bind parameters: the highest number of a `$n`.
    pub parameters: u32,
    /// The literals in their order; the first one stands at `$parameters + 1`.
    pub literals: Vec<SqlLiteral>,
    /// Whether a literal or a parameter of it can be a password: `ALTER ROLE`, `dblink_connect` and the like.
    pub holds_secret: bool,
}

/// One literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlLiteral {
    /// Its bytes in the original text, quotes included.
    pub range: Range<usize>,
    /// What it is.
    pub kind: TokenKind,
    /// What it is for.
    pub role: LiteralRole,
}

/// What a literal is for, as far as its neighbours show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteralRole {
    /// A value of the application.
    Data,
    /// A part of the statement that only works as it is: the unit of `date_trunc`, a setting, a key of a JSON document.
    Structure,
    /// A body of `DO`, `CREATE FUNCTION` or `CREATE PROCEDURE`.
    Code,
}

/// Cuts the literals out of a text.
pub fn split_literals(text: &str) -> Result<SqlText, SqlError> {
    let tokens = scan_tokens(text)?;
    let mut parameters = 0;
    for token in &tokens {
        if token.kind == TokenKind::Parameter {
            let digits = &text[token.range.start + 1..token.range.end];
            parameters =
                parameters.max(digits.parse().map_err(|_| SqlError::with_message("a parameter's number is too high"))?);
        }
    }
    let mut split = SqlText {
        normalised: String::with_capacity(text.len()),
        parameters,
        literals: Vec::new(),
        holds_secret: false,
    };
    split.holds_secret = holds_secret(text, &tokens);
    let mut copied = 0;
    let mut words = Surroundings::default();
    for (number, token) in tokens.iter().enumerate() {
        let written = &text[token.range.clone()];
        if token.kind == TokenKind::Comment {
            split.normalised.push_str(&text[copied..token.range.start]);
            if written.starts_with("/*+") {
                split.normalised.push_str(written);
            } else {
                split.normalised.push(' ');
            }
            copied = token.range.end;
            continue;
        }
        if token.kind.is_literal() {
            split.normalised.push_str(&text[copied..token.range.start]);
            split.push_placeholder(text.as_bytes().get(token.range.end).copied());
            copied = token.range.end;
            let role = words.role_of_literal(next_words(text, &tokens, number));
            split.literals.push(SqlLiteral { range: token.range.clone(), kind: token.kind, role });
        }
        words.advance_word(written, token.kind);
    }
    split.normalised.push_str(&text[copied..]);
    split.trim_ends();
    Ok(split)
}

/// The two tokens after one.
fn next_words<'a>(text: &'a str, tokens: &[ScannedToken], number: usize) -> [&'a str; 2] {
    let mut words = ["", ""];
    let mut found = 0;
    for token in &tokens[number + 1..] {
        if token.kind != TokenKind::Comment {
            words[found] = &text[token.range.clone()];
            found += 1;
            if found == words.len() {
                break;
            }
        }
    }
    words
}

impl SqlText {
    /// The placeholder of the next literal, kept apart from names beside it.
    fn push_placeholder(&mut self, next: Option<u8>) {
        if self.normalised.bytes().last().is_some_and(is_of_a_name) {
            self.normalised.push(' ');
        }
        let number = u64::from(self.parameters) + self.literals.len() as u64 + 1;
        write!(self.normalised, "${number}").expect("a string grows");
        if next.is_some_and(is_of_a_name) {
            self.normalised.push(' ');
        }
    }

    fn trim_ends(&mut self) {
        let end = self.normalised.trim_end_matches([' ', '\t', '\r', '\n', ';']).len();
        self.normalised.truncate(end);
        let start = self.normalised.len() - self.normalised.trim_start().len();
        self.normalised.drain(..start);
    }
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Functions whose argument at this place names something or is a unit.
const NAMING_ARGUMENTS: &[(&str, usize)] = &[
    ("currval", 0),
    ("current_setting", 0),
    ("date_bin", 0),
    ("date_part", 0),
    ("date_trunc", 0),
    ("extract", 0),
    ("has_table_privilege", 0),
    ("has_table_privilege", 1),
    ("nextval", 0),
    ("pg_get_serial_sequence", 0),
    ("pg_get_serial_sequence", 1),
    ("pg_relation_size", 0),
    ("pg_total_relation_size", 0),
    ("set_config", 0),
    ("setval", 0),
    ("timezone", 0),
    ("to_char", 1),
    ("to_date", 1),
    ("to_number", 1),
    ("to_regclass", 0),
    ("to_timestamp", 1),
];

/// Functions whose first argument names something where there is a second one.
const NAMING_FIRST_OF_TWO: &[&str] =
    &["phraseto_tsquery", "plainto_tsquery", "to_tsquery", "to_tsvector", "ts_headline", "websearch_to_tsquery"];

/// ScannedWords after which a literal is not a value of the application.
const STRUCTURE_AFTER: &[&str] = &["date", "escape", "interval", "time", "timestamp", "timestamptz", "zone"];
/// Operators after which a literal is a key of a JSON document or a path to one.
const KEY_OPERATORS: &[&str] = &["->", "->>", "#>", "#>>", "?", "?|", "?&", "#-"];
/// Types whose values are not of the application.
const STRUCTURE_TYPES: &[&str] =
    &["regclass", "regconfig", "regproc", "regtype", "regnamespace", "jsonpath", "interval"];
/// First words of statements that query or change rows.
const ROW_COMMANDS: &[&str] = &[
    "call", "comment", "copy", "declare", "delete", "execute", "explain", "insert", "merge", "notify", "prepare",
    "security", "select", "table", "update", "values", "with", "(",
];

/// What stands around the token that is being looked at.
#[derive(Default)]
struct Surroundings {
    /// First word of the statement.
    command: String,
    /// Whether a setting of an application is being set: its name has a dot, or it is `application_name`.
    sets_own_name: bool,
    previous: String,
    /// The functions whose parentheses are open, and how many commas were seen in them.
    calls: Vec<(String, usize)>,
    words: usize,
}

impl Surroundings {
    fn advance_word(&mut self, written: &str, kind: TokenKind) {
        let word = if matches!(kind, TokenKind::Keyword | TokenKind::Name | TokenKind::Other) {
            written.trim_matches('"').to_ascii_lowercase()
        } else {
            String::new()
        };
        match word.as_str() {
            ";" => {
                *self = Self::default();
                return;
            }
            "(" => self.calls.push((std::mem::take(&mut self.previous), 0)),
            ")" => {
                self.calls.pop();
            }
            "," => {
                if let Some((_, commas)) = self.calls.last_mut() {
                    *commas += 1;
                }
            }
            "." if self.command == "set" => self.sets_own_name = true,
            "application_name" if self.command == "set" => self.sets_own_name = true,
            _ => {}
        }
        if self.words == 0 {
            self.command.clone_from(&word);
        }
        self.words += 1;
        self.previous = word;
    }

    fn role_of_literal(&self, [next, after]: [&str; 2]) -> LiteralRole {
        if !ROW_COMMANDS.contains(&self.command.as_str()) {
            let is_code = self.command == "do" || (self.command == "create" && self.previous == "as");
            return if is_code {
                LiteralRole::Code
            } else if self.sets_own_name {
                LiteralRole::Data
            } else {
                LiteralRole::Structure
            };
        }
        let is_cast = next == "::" && STRUCTURE_TYPES.iter().any(|name| after.eq_ignore_ascii_case(name));
        let is_structure = is_cast
            || self.is_naming_argument(next)
            || STRUCTURE_AFTER.contains(&self.previous.as_str())
            || KEY_OPERATORS.contains(&self.previous.as_str())
            || self.command == "copy";
        if is_structure { LiteralRole::Structure } else { LiteralRole::Data }
    }

    fn is_naming_argument(&self, next: &str) -> bool {
        let Some((function, commas)) = self.calls.last() else { return false };
        let is_first_of_two = *commas == 0 && next == "," && NAMING_FIRST_OF_TWO.contains(&function.as_str());
        is_first_of_two || NAMING_ARGUMENTS.contains(&(function.as_str(), *commas))
    }
}
