//! The tokens of a text, by PostgreSQL's scanner.

use std::ops::Range;

use crate::SqlError;
use crate::libpg_query::scan_text;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A character string in quotes of any kind.
    String,
    /// A bit string: `b'01'` or `x'1f'`.
    Bits,
    /// A whole number that fits into 32 bits.
    Integer,
    /// Any other number.
    Float,
    /// A parameter: `$1`.
    Parameter,
    /// A name, with or without quotes.
    Name,
    /// A keyword; many of them can be names.
    Keyword,
    /// A comment.
    Comment,
    /// An operator or a sign.
    Other,
}

impl TokenKind {
    /// Whether the token is a literal.
    #[must_use]
    pub fn is_literal(self) -> bool {
        match self {
            Self::String | Self::Bits | Self::Integer | Self::Float => true,
            Self::Parameter | Self::Name | Self::Keyword | Self::Comment | Self::Other => false,
        }
    }
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannedToken {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// The tokens of a text in their order, comments included.
pub fn scan_tokens(text: &str) -> Result<Vec<ScannedToken>, SqlError> {
    let mut tokens = Vec::new();
    let mut begin = 0;
    for token in scan_text(text)? {
        let start = usize::try_from(token.start).unwrap_or(begin).max(begin);
        let end = usize::try_from(token.end).unwrap_or(start).clamp(start, text.len());
        if !text.is_char_boundary(start) || !text.is_char_boundary(end) {
            return Err(SqlError::with_message("a token ends within a character"));
        }
        tokens.push(ScannedToken { kind: kind_of_number(token.kind), range: start..end });
        begin = end;
    }
    Ok(tokens)
}

/// The numbers of `shim.h`.
fn kind_of_number(number: i32) -> TokenKind {
    match number {
        1 => TokenKind::String,
        2 => TokenKind::Bits,
        3 => TokenKind::Integer,
        4 => TokenKind::Float,
        5 => TokenKind::Parameter,
        6 => TokenKind::Name,
        7 => TokenKind::Keyword,
        8 => TokenKind::Comment,
        _ => TokenKind::Other,
    }
}
