//! Texts of statements, each read once: a load repeats few texts many times, or texts that differ in their literals
//! only.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::skeleton::TextSkeleton;
use crate::directory::{CaptureResult, CaptureWriter, CapturedStatement, StatementProtocol};
use crate::losses::LossReason;
use crate::mask::ValueMask;
use sql::{LiteralRole, SqlText, StatementFacts, TokenKind, TransactionStep, read_statement, split_literals};

/// Texts whose hashes are remembered; then all are forgotten.
const TEXTS_SEEN: usize = 1 << 20;
/// Bytes of texts that are remembered as they were written; then all are forgotten.
const TEXT_BYTES: usize = 64 << 20;
/// Bytes of skeletons that are remembered; then all are forgotten.
const SKELETON_BYTES: usize = 64 << 20;
/// Commands whose texts are known by their skeletons. What others do may depend on their literals.
const ROW_COMMANDS: [&str; 5] = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"];
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
    texts: HashMap<Box<[u8]>, Result<Rc<KnownText>, LossReason>, RandomState>,
    text_bytes: usize,
    /// Hashes of texts that occurred once. Most texts with literals never occur again.
    seen: HashSet<u64, RandomState>,
    hasher: RandomState,
    /// By normalised text, number of bind parameters, and why it reaches beyond the database.
    statements: HashMap<(String, u32, Option<&'static str>), Rc<KnownStatement>>,
    statement_bytes: usize,
    /// Skeletons; `None` where the scanner found other literals, or the text is not of rows.
    skeletons: HashMap<Box<[u8]>, Option<KnownSkeleton>, RandomState>,
    skeleton_bytes: usize,
    /// That of the text which is looked up.
    skeleton: TextSkeleton,
}

/// What the texts with one skeleton have in common.
struct KnownSkeleton {
    statement: Rc<KnownStatement>,
    parameters: u32,
    literals: Vec<(TokenKind, LiteralRole)>,
    /// The one text with it, where it has no literals.
    only_text: Option<Rc<KnownText>>,
}

impl TextTable {
    pub(crate) fn with_mask(mask: ValueMask) -> Self {
        Self {
            mask,
            texts: HashMap::default(),
            text_bytes: 0,
            seen: HashSet::default(),
            hasher: RandomState::default(),
            statements: HashMap::new(),
            statement_bytes: 0,
            skeletons: HashMap::default(),
            skeleton_bytes: 0,
            skeleton: TextSkeleton::default(),
        }
    }

    pub(crate) fn value_mask(&self) -> &ValueMask {
        &self.mask
    }

    /// What is known of a text, or why it cannot be kept.
    pub(crate) fn look_up(&mut self, text: &[u8]) -> Result<Rc<KnownText>, LossReason> {
        let has_skeleton = self.skeleton.fill_from(text);
        let mut is_new_skeleton = false;
        if has_skeleton {
            match self.skeletons.get(self.skeleton.bytes.as_slice()) {
                Some(Some(known)) => return self.text_of_skeleton(text, known),
                Some(None) => {}
                None => is_new_skeleton = true,
            }
        }
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let read = self.read_text(text);
        if is_new_skeleton && let Ok((known, split)) = &read {
            self.remember_skeleton(known, split);
        }
        let known = read.map(|(known, _)| known);
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

    /// A text whose literals are where its skeleton has them.
    fn text_of_skeleton(&self, text: &[u8], known: &KnownSkeleton) -> Result<Rc<KnownText>, LossReason> {
        if let Some(only_text) = &known.only_text {
            return Ok(Rc::clone(only_text));
        }
        let written = std::str::from_utf8(text).map_err(|_| LossReason::NotUtf8)?;
        let mut literals = Vec::with_capacity(known.literals.len());
        for (range, (kind, role)) in self.skeleton.literals.iter().zip(&known.literals) {
            literals.push(self.mask.mask_literal(&written[range.clone()], *kind, *role)?);
        }
        Ok(Rc::new(KnownText {
            text: text.into(),
            parameters: known.parameters,
            literals,
            holds_secret: false,
            statement: Rc::clone(&known.statement),
        }))
    }

    /// Remembers the skeleton of a text that has been read.
    fn remember_skeleton(&mut self, known: &Rc<KnownText>, split: &SqlText) {
        if self.skeleton_bytes > SKELETON_BYTES {
            self.skeletons.clear();
            self.skeleton_bytes = 0;
        }
        self.skeleton_bytes += 2 * self.skeleton.bytes.len() + 200;
        let found = split.literals.iter().map(|literal| &literal.range);
        let is_usable = found.eq(&self.skeleton.literals)
            && !split.holds_secret
            && ROW_COMMANDS.contains(&known.statement.facts.kind.as_str());
        let usable = is_usable.then(|| KnownSkeleton {
            statement: Rc::clone(&known.statement),
            parameters: known.parameters,
            literals: split.literals.iter().map(|literal| (literal.kind, literal.role)).collect(),
            only_text: split.literals.is_empty().then(|| Rc::clone(known)),
        });
        self.skeletons.insert(self.skeleton.bytes.as_slice().into(), usable);
    }

    /// Whether the text occurred before; the next time it did.
    fn was_seen(&mut self, text: &[u8]) -> bool {
        if self.seen.len() >= TEXTS_SEEN {
            self.seen.clear();
        }
        !self.seen.insert(self.hasher.hash_one(text))
    }

    fn read_text(&mut self, text: &[u8]) -> Result<(Rc<KnownText>, SqlText), LossReason> {
        let written = std::str::from_utf8(text).map_err(|_| LossReason::NotUtf8)?;
        let split = split_literals(written).map_err(|_| LossReason::TextNotScanned)?;
        let literals = self.mask.mask_literals(written, &split)?;
        let statement = self.look_up_statement(written, &split)?;
        let known = KnownText {
            text: text.into(),
            parameters: split.parameters,
            literals,
            holds_secret: split.holds_secret,
            statement,
        };
        Ok((Rc::new(known), split))
    }

    fn look_up_statement(&mut self, written: &str, split: &SqlText) -> Result<Rc<KnownStatement>, LossReason> {
        // Bodies of code are literals, so texts that differ in them are one statement, but may reach different things.
        let has_code = split.literals.iter().any(|literal| literal.role == LiteralRole::Code);
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
fn read_facts(written: &str, split: &SqlText) -> Result<StatementFacts, LossReason> {
    let mut facts = read_statement(written).map_err(|_| LossReason::TextNotScanned)?;
    let bare = read_statement(&split.normalised).map_err(|_| LossReason::TextNotScanned)?;
    if bare.is_parsed || split.holds_secret || !facts.is_parsed {
        facts.fingerprint = bare.fingerprint;
    }
    Ok(facts)
}
