//! What a text does: its kind, whether it writes, what it reaches, and the fingerprint of its parse tree.

use crate::SqlError;
use crate::libpg_query::{RawStatement, parse_text};
use crate::reach::reach_beyond;
use crate::tokens::{ScannedToken, TokenKind, scan_tokens};

/// Statements of one text whose transaction steps are kept.
const STATEMENTS_AT_MOST: usize = 256;

/// Unions and the like up to which a text has a fingerprint of its tree.
const SET_OPERATIONS_AT_MOST: usize = 500;

/// Numbers of `shim.h`.
const TRANSACTION: i32 = 100;
const FLAG_WRITES: i32 = 1;
const FLAG_COPY_FROM_CLIENT: i32 = 8;
const FLAG_COPY_TO_CLIENT: i32 = 16;

/// What a text does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementFacts {
    /// Texts with the same fingerprint differ in values and in the length of lists only.
    pub fingerprint: u64,
    /// The command: `SELECT`, `COMMIT`, `CREATE TABLE`; `MULTIPLE` for several statements, `EMPTY` for none.
    pub kind: String,
    /// Whether a read-only transaction would refuse it, as far as the text shows it.
    pub writes: bool,
    /// Why it reaches beyond its database.
    pub beyond: Option<&'static str>,
    /// What it does to the transaction, one step for each such statement in their order.
    pub steps: Vec<TransactionStep>,
    /// Whether PostgreSQL's parser, of the version that is built in, understands it.
    pub is_parsed: bool,
}

/// What a statement does to the transaction of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionStep {
    /// It begins one.
    Begin,
    /// It ends one.
    End,
}

/// What a text does. A text that the parser does not understand is known by its words alone; one that cannot even be
/// scanned is an error.
pub fn read_statement(text: &str) -> Result<StatementFacts, SqlError> {
    let tokens = scan_tokens(text)?;
    let beyond = reach_beyond(text, &tokens);
    // libpg_query cuts deep trees off, but for a chain of these, which would take the stack.
    let set_operations = tokens.iter().filter(|token| is_set_operation(&text[token.range.clone()])).count();
    let Ok(parsed) = parse_text(text, STATEMENTS_AT_MOST, set_operations <= SET_OPERATIONS_AT_MOST) else {
        return Ok(StatementFacts {
            fingerprint: hash_of_text(text),
            kind: kind_by_words(text, &tokens, 0),
            writes: true,
            beyond,
            steps: Vec::new(),
            is_parsed: false,
        });
    };
    let (statements, count) = (parsed.statements, parsed.count);
    let fingerprint = parsed.fingerprint.unwrap_or_else(|| hash_of_text(text));
    let kind = match (statements.as_slice(), count) {
        ([], _) => "EMPTY".to_owned(),
        ([statement], 1) => kind_of_statement(text, &tokens, *statement),
        _ => "MULTIPLE".to_owned(),
    };
    let writes = count > statements.len() || statements.iter().any(|statement| statement.flags & FLAG_WRITES != 0);
    let steps = statements.iter().filter_map(|statement| step_of_command(statement.command)).collect();
    Ok(StatementFacts { fingerprint, kind, writes, beyond, steps, is_parsed: true })
}

fn is_set_operation(word: &str) -> bool {
    ["union", "intersect", "except"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn step_of_command(command: i32) -> Option<TransactionStep> {
    match command - TRANSACTION {
        0 | 1 => Some(TransactionStep::Begin),
        // COMMIT, ROLLBACK, PREPARE TRANSACTION.
        2 | 3 | 7 => Some(TransactionStep::End),
        _ => None,
    }
}

fn kind_of_statement(text: &str, tokens: &[ScannedToken], statement: RawStatement) -> String {
    let kind = match statement.command {
        1 => "SELECT",
        2 => "INSERT",
        3 => "UPDATE",
        4 => "DELETE",
        5 => "MERGE",
        100 | 101 => "BEGIN",
        102 => "COMMIT",
        103 => "ROLLBACK",
        104 => "SAVEPOINT",
        105 => "RELEASE",
        106 => "ROLLBACK TO",
        107 => "PREPARE TRANSACTION",
        108 => "COMMIT PREPARED",
        109 => "ROLLBACK PREPARED",
        _ if statement.flags & FLAG_COPY_FROM_CLIENT != 0 => "COPY FROM STDIN",
        _ if statement.flags & FLAG_COPY_TO_CLIENT != 0 => "COPY TO STDOUT",
        _ => return kind_by_words(text, tokens, usize::try_from(statement.start).unwrap_or_default()),
    };
    kind.to_owned()
}

/// ScannedWords between a command and its object.
const BETWEEN: &[&str] = &[
    "concurrently",
    "global",
    "local",
    "or",
    "recursive",
    "replace",
    "temp",
    "temporary",
    "trusted",
    "unique",
    "unlogged",
];
/// Commands that are named together with their object.
const WITH_OBJECT: &[&str] = &["ALTER", "CREATE", "DROP"];

/// The first word of a statement that begins at this byte, with its object where that is part of the command.
fn kind_by_words(text: &str, tokens: &[ScannedToken], start: usize) -> String {
    let mut words = tokens
        .iter()
        .filter(|token| token.range.start >= start && matches!(token.kind, TokenKind::Keyword | TokenKind::Name))
        .map(|token| text[token.range.clone()].to_ascii_lowercase());
    let command = words.next().unwrap_or_default().to_ascii_uppercase();
    if !command.bytes().all(|byte| byte.is_ascii_alphabetic()) || command.is_empty() || command.len() > 20 {
        return "OTHER".to_owned();
    }
    if !WITH_OBJECT.contains(&command.as_str()) {
        return command;
    }
    let object = words.find(|word| !BETWEEN.contains(&word.as_str())).unwrap_or_default();
    format!("{command} {}", object.to_ascii_uppercase())
}

/// FNV-1a: for texts that have no parse tree.
fn hash_of_text(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}
