//! Texts of statements, each read once: a load repeats few texts many times.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::rc::Rc;

use crate::directory::{CaptureResult, CaptureWriter, CapturedStatement, StatementProtocol};
use crate::losses::LossReason;
use crate::mask::ValueMask;
use sql::{StatementFacts, TransactionStep, read_statement, split_literals};

/// Texts whose hashes are remembered; then all are forgotten.
const TEXTS_SEEN: usize = 1 << 20;
/// Bytes of texts that are remembered as they were written; then all are forgotten.
const TEXT_BYTES: usize = 64 << 20;
/// Bytes of statements, which are never forgotten. A load that makes a statement of its own for each call has no end.
const STATEMENT_BYTES: usize = 256 << 20;

/// A text, and what is known of it.
pub(crate) struct KnownText {
    /// As it was written.
    pub(crate) text: Box<[u8]>,
    /// Bind parameters.
    pub(crate) parameters: u32,
    /// Its literals as SQL, masked.
    pub(crate) literals: Vec<String>,
    /// Whether it can hold a password.
    pub(crate) holds_secret: bool,
    /// Its statement.
    pub(crate) statement: Rc<KnownStatement>,
}

/// A statement without its literals.
pub(crate) struct KnownStatement {
    normalised: String,
    parameters: u32,
    literals: u32,
    facts: StatementFacts,
    simple_id: std::cell::Cell<Option<u64>>,
    extended_id: std::cell::Cell<Option<u64>>,
}

impl KnownStatement {
    /// What it does to the transaction.
    pub(crate) fn transaction_steps(&self) -> &[TransactionStep] {
        &self.facts.steps
    }

    /// Its text without literals.
    pub(crate) fn normalised_text(&self) -> &str {
        &self.normalised
    }

    /// Whether it writes, as far as the text shows it.
    pub(crate) fn writes_rows(&self) -> bool {
        self.facts.writes
    }

    /// Its id, which it gets, and its line, when it is first executed.
    pub(crate) fn statement_id(&self, protocol: StatementProtocol, writer: &mut CaptureWriter) -> CaptureResult<u64> {
        let id = match protocol {
            StatementProtocol::Simple => &self.simple_id,
            StatementProtocol::Extended => &self.extended_id,
        };
        if let Some(id) = id.get() {
            return Ok(id);
        }
        let number = writer.write_statement(CapturedStatement {
            id: 0,
            fingerprint: format!("{:016x}", self.facts.fingerprint),
            text: self.normalised.clone(),
            parameters: self.parameters,
            literals: self.literals,
            kind: self.facts.kind.clone(),
            writes: self.facts.writes,
            beyond: self.facts.beyond.map(str::to_owned),
            protocol,
        })?;
        id.set(Some(number));
        Ok(number)
    }
}

/// The texts that were seen.
pub(crate) struct TextTable {
    mask: ValueMask,
    texts: HashMap<Box<[u8]>, Result<Rc<KnownText>, LossReason>>,
    text_bytes: usize,
    /// Hashes of texts that occurred once. Most texts with literals never occur again.
    seen: HashSet<u64>,
    hasher: RandomState,
    /// By normalised text, number of bind parameters, and why it reaches beyond the database.
    statements: HashMap<(String, u32, Option<&'static str>), Rc<KnownStatement>>,
    statement_bytes: usize,
}

impl TextTable {
    pub(crate) fn with_mask(mask: ValueMask) -> Self {
        Self {
            mask,
            texts: HashMap::new(),
            text_bytes: 0,
            seen: HashSet::new(),
            hasher: RandomState::new(),
            statements: HashMap::new(),
            statement_bytes: 0,
        }
    }

    pub(crate) fn value_mask(&self) -> &ValueMask {
        &self.mask
    }

    /// What is known of a text, or why it cannot be kept.
    pub(crate) fn look_up(&mut self, text: &[u8]) -> Result<Rc<KnownText>, LossReason> {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let known = self.read_text(text).map(Rc::new);
        if !self.was_seen(text) {
            return known;
        }
        if self.text_bytes > TEXT_BYTES {
            self.texts.clear();
            self.text_bytes = 0;
        }
        self.text_bytes += 2 * text.len() + 200;
        self.texts.insert(text.into(), known.clone());
        known
    }

    /// Whether the text occurred before; the next time it did.
    fn was_seen(&mut self, text: &[u8]) -> bool {
        if self.seen.len() >= TEXTS_SEEN {
            self.seen.clear();
        }
        !self.seen.insert(self.hasher.hash_one(text))
    }

    fn read_text(&mut self, text: &[u8]) -> Result<KnownText, LossReason> {
        let written = std::str::from_utf8(text).map_err(|_| LossReason::NotUtf8)?;
        let split = split_literals(written).map_err(|_| LossReason::TextNotScanned)?;
        let literals = self.mask.mask_literals(written, &split)?;
        let statement = self.look_up_statement(written, &split)?;
        Ok(KnownText {
            text: text.into(),
            parameters: split.parameters,
            literals,
            holds_secret: split.holds_secret,
            statement,
        })
    }

    fn look_up_statement(&mut self, written: &str, split: &sql::SqlText) -> Result<Rc<KnownStatement>, LossReason> {
        // Bodies of code are literals, so texts that differ in them are one statement, but may reach different things.
        let has_code = split.literals.iter().any(|literal| literal.role == sql::LiteralRole::Code);
        let facts = if has_code { Some(read_facts(written, split)?) } else { None };
        let key = (split.normalised.clone(), split.parameters, facts.as_ref().and_then(|facts| facts.beyond));
        if let Some(known) = self.statements.get(&key) {
            return Ok(Rc::clone(known));
        }
        if self.statement_bytes + key.0.len() > STATEMENT_BYTES {
            return Err(LossReason::TooManyStatements);
        }
        let facts = match facts {
            Some(facts) => facts,
            None => read_facts(written, split)?,
        };
        self.statement_bytes += 2 * key.0.len() + 200;
        let known = Rc::new(KnownStatement {
            normalised: split.normalised.clone(),
            parameters: split.parameters,
            literals: u32::try_from(split.literals.len()).map_err(|_| LossReason::TextNotScanned)?,
            facts,
            simple_id: std::cell::Cell::new(None),
            extended_id: std::cell::Cell::new(None),
        });
        self.statements.insert(key, Rc::clone(&known));
        Ok(known)
    }
}

/// The facts of a text. Its fingerprint is that of the text without literals, so that no value shows in it.
fn read_facts(written: &str, split: &sql::SqlText) -> Result<StatementFacts, LossReason> {
    let mut facts = read_statement(written).map_err(|_| LossReason::TextNotScanned)?;
    let bare = read_statement(&split.normalised).map_err(|_| LossReason::TextNotScanned)?;
    if bare.is_parsed || split.holds_secret || !facts.is_parsed {
        facts.fingerprint = bare.fingerprint;
    }
    Ok(facts)
}
