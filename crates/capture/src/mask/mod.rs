//! Values replaced by others of the same form: digits by digits, letters by letters of the same case, all else kept.
//! The same value always has the same substitute, and two values of one form never share one.
//!
//! What a value is shows in its form only, since a log has no types. Passwords are removed, whatever is asked for.

mod cipher;
mod key;
mod literal;
mod shape;
mod sql_functions;
mod value;

use std::cell::RefCell;
use std::collections::HashMap;

use sql::{LiteralRole, SqlText, TokenKind, split_literals};

pub use key::MaskKey;
pub use sql_functions::write_mask_functions;
pub(crate) use value::needs_quotes as needs_array_quotes;

use crate::directory::CaptureMask;
use crate::losses::LossReason;
use cipher::ValueCipher;

/// What stands for a value that is never kept.
pub const REMOVED: &str = "removed";

/// Bytes of values whose substitutes are remembered; then all are forgotten.
const REMEMBERED_BYTES: usize = 32 << 20;

/// Substitutes values.
pub struct ValueMask {
    mode: CaptureMask,
    cipher: Option<ValueCipher>,
    remembered: RefCell<RememberedValues>,
}

/// Substitutes by value, and about how many bytes they are.
type RememberedValues = (HashMap<Box<str>, Box<str>>, usize);

impl ValueMask {
    /// A mask that keeps all values but passwords.
    #[must_use]
    pub fn new_open() -> Self {
        Self { mode: CaptureMask::None, cipher: None, remembered: RefCell::default() }
    }

    /// A mask of texts, or of all values.
    #[must_use]
    pub fn new_keyed(masks_all: bool, key: &MaskKey) -> Self {
        let mode = if masks_all { CaptureMask::All } else { CaptureMask::Text };
        Self { mode, cipher: Some(ValueCipher::with_key(key)), remembered: RefCell::default() }
    }

    /// Which values it substitutes.
    #[must_use]
    pub fn mask_mode(&self) -> CaptureMask {
        self.mode
    }

    /// The keys of the hash of results: a result cannot be guessed from its hash by who does not have the mask's key.
    pub(crate) fn hash_keys(&self) -> (u64, u64) {
        self.cipher.as_ref().map_or((0, 0), ValueCipher::hash_keys)
    }

    /// The substitute of a value.
    #[must_use]
    pub fn mask_value(&self, text: &str) -> String {
        let Some(cipher) = &self.cipher else { return text.to_owned() };
        let masks_all = self.mode == CaptureMask::All;
        if text.is_empty() || (!masks_all && shape::is_plain_number(text)) {
            return text.to_owned();
        }
        if let Some(known) = self.remembered.borrow().0.get(text) {
            return known.to_string();
        }
        let masked = value::mask_by_shape(cipher, text, masks_all);
        let (known, bytes) = &mut *self.remembered.borrow_mut();
        if *bytes > REMEMBERED_BYTES {
            known.clear();
            *bytes = 0;
        }
        *bytes += 2 * text.len() + 100;
        known.insert(text.into(), masked.as_str().into());
        masked
    }

    /// The substitute of a bind parameter.
    pub(crate) fn mask_parameter(&self, text: String, holds_secret: bool) -> String {
        if holds_secret || shape::holds_password(&text) {
            REMOVED.to_owned()
        } else if self.cipher.is_none() {
            text
        } else {
            self.mask_value(&text)
        }
    }

    /// The substitutes of the literals of a text, as SQL.
    pub(crate) fn mask_literals(&self, text: &str, split: &SqlText) -> Result<Vec<String>, LossReason> {
        let mut masked = Vec::with_capacity(split.literals.len());
        for literal in &split.literals {
            let written = &text[literal.range.clone()];
            masked.push(match literal.kind {
                TokenKind::Integer | TokenKind::Float if split.holds_secret => "0".to_owned(),
                _ if split.holds_secret => literal::quote_literal(REMOVED),
                kind => self.mask_literal(written, kind, literal.role)?,
            });
        }
        Ok(masked)
    }

    /// The substitute of one literal of a text without secrets.
    pub(crate) fn mask_literal(&self, written: &str, kind: TokenKind, role: LiteralRole) -> Result<String, LossReason> {
        match kind {
            TokenKind::Integer | TokenKind::Float => Ok(self.mask_number(written)),
            _ => self.mask_string(written, kind, role),
        }
    }

    fn mask_number(&self, written: &str) -> String {
        if self.mode == CaptureMask::All { self.mask_value(written) } else { written.to_owned() }
    }

    fn mask_string(&self, written: &str, kind: TokenKind, role: LiteralRole) -> Result<String, LossReason> {
        if shape::holds_password(written) {
            return Ok(literal::quote_literal(REMOVED));
        }
        let Some(cipher) = &self.cipher else { return Ok(written.to_owned()) };
        match role {
            LiteralRole::Structure => Ok(written.to_owned()),
            LiteralRole::Code if is_code_without_values(written) => Ok(written.to_owned()),
            LiteralRole::Code => Err(LossReason::CodeMasked),
            LiteralRole::Data if kind == TokenKind::Bits && self.mode == CaptureMask::Text => Ok(written.to_owned()),
            LiteralRole::Data if kind == TokenKind::Bits => Ok(value::mask_bits(cipher, written)),
            LiteralRole::Data => match literal::decode_literal(written) {
                Some(value) => Ok(literal::quote_literal(&self.mask_value(&value))),
                // A form that is rare: what is between its quotes is masked as it is written.
                None => Ok(literal::mask_written(cipher, written)),
            },
        }
    }
}

/// The value of a literal as it is written in SQL.
pub(crate) fn value_of_literal(written: &str) -> String {
    if written.contains(['\'', '$']) {
        literal::decode_literal(written).unwrap_or_else(|| written.to_owned())
    } else {
        written.to_owned()
    }
}

/// Whether a body of code in dollar quotes has neither strings nor comments, in which values could be.
fn is_code_without_values(written: &str) -> bool {
    let Some(tag_end) = written.strip_prefix('$').and_then(|rest| rest.find('$')) else { return false };
    let tag = tag_end + 2;
    let Some(body) = written.get(tag..written.len().saturating_sub(tag)) else { return false };
    let Ok(tokens) = sql::scan_tokens(body) else { return false };
    let has_values = tokens.iter().any(|token| matches!(token.kind, TokenKind::String | TokenKind::Comment));
    !has_values && split_literals(body).is_ok_and(|split| !split.holds_secret)
}
