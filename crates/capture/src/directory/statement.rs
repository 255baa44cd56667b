//! `statements.jsonl`: the statements of a capture, without any value.

use serde::{Deserialize, Serialize};

/// One line of `statements.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedStatement {
    /// Its number, which is its place in the file, from 0. One text has an id per protocol.
    pub id: u64,
    /// Statements with the same fingerprint differ in the length of lists only. In hexadecimal.
    pub fingerprint: String,
    /// The text. `$1` to `$parameters` are the client's bind parameters, the `literals` numbers after them stand for
    /// literals that were cut out.
    pub text: String,
    /// Bind parameters.
    pub parameters: u32,
    /// Literals that were cut out of the text.
    pub literals: u32,
    /// The command, such as `SELECT` or `COMMIT`. `MULTIPLE` where one text has several statements.
    pub kind: String,
    /// Whether it would be refused in a read-only transaction, as far as the text shows it.
    pub writes: bool,
    /// Why it reaches beyond the database; absent if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<String>,
    /// How the client sent it.
    pub protocol: StatementProtocol,
}

/// How a client sent a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatementProtocol {
    /// As one text, without parameters.
    Simple,
    /// By Parse, Bind and Execute.
    Extended,
}

impl CapturedStatement {
    /// The text as it was sent: each literal in the place that stands for it. `None` where the number of literals is
    /// not that of the statement.
    #[must_use]
    pub fn text_with_literals(&self, literals: &[String]) -> Option<String> {
        if literals.len() != self.literals as usize {
            return None;
        }
        let mut text = String::with_capacity(self.text.len() + literals.iter().map(String::len).sum::<usize>());
        let mut rest = self.text.as_str();
        // A literal's placeholder is cut in where the literal was: outside quotes, in ascending order.
        for (number, literal) in (u64::from(self.parameters) + 1..).zip(literals) {
            let placeholder = format!("${number}");
            let place = find_placeholder(rest, &placeholder)?;
            text.push_str(&rest[..place]);
            text.push_str(literal);
            rest = &rest[place + placeholder.len()..];
        }
        text.push_str(rest);
        Some(text)
    }
}

/// Where a placeholder is, as a whole: `$1` is not at the start of `$12`, not the end of a name, and not within quotes.
fn find_placeholder(text: &str, placeholder: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut quoted = false;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            quoted = !quoted;
        } else if !quoted && bytes[at..].starts_with(placeholder.as_bytes()) {
            let after = bytes.get(at + placeholder.len());
            let ends_name = at > 0 && is_of_a_name(bytes[at - 1]);
            if !ends_name && !after.is_some_and(u8::is_ascii_digit) {
                return Some(at);
            }
        }
        at += 1;
    }
    None
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}
