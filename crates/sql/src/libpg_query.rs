//! The calls into C: `shim/shim.c`, which calls PostgreSQL's scanner and parser as libpg_query carries them.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};

use crate::SqlError;

/// Bytes of a message of PostgreSQL that are kept.
const MESSAGE_BYTES: usize = 512;
/// PostgreSQL counts positions in 32 bits.
const TEXT_BYTES: usize = 1 << 30;

/// One token as C writes it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RawToken {
    pub(crate) start: i32,
    pub(crate) end: i32,
    pub(crate) kind: i32,
}

/// One statement of a text as C writes it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RawStatement {
    pub(crate) command: i32,
    pub(crate) start: i32,
    pub(crate) flags: i32,
}

// SAFETY: the declarations are those of `shim/shim.h`.
unsafe extern "C" {
    fn pgdyno_sql_scan(
        text: *const c_char,
        tokens: *mut RawToken,
        capacity: usize,
        message: *mut c_char,
        message_size: usize,
    ) -> i64;
    fn pgdyno_sql_parse(
        text: *const c_char,
        statements: *mut RawStatement,
        capacity: usize,
        fingerprint: *mut u64,
        message: *mut c_char,
        message_size: usize,
    ) -> i64;
    fn pgdyno_sql_end_thread();
}

/// Frees what C keeps for a thread when that ends.
struct ThreadMemory;

impl Drop for ThreadMemory {
    fn drop(&mut self) {
        // SAFETY: it runs once, at the thread's end, after which this thread calls nothing of the library.
        unsafe { pgdyno_sql_end_thread() }
    }
}

thread_local! {
    static THREAD_MEMORY: ThreadMemory = const { ThreadMemory };
}

/// The tokens of a text in their order, comments included.
pub(crate) fn scan_text(text: &str) -> Result<Vec<RawToken>, SqlError> {
    let text = c_text(text)?;
    THREAD_MEMORY.with(|_| ());
    // A token has a byte at least, and mostly a few.
    let mut tokens = vec![RawToken::default(); text.as_bytes().len() / 3 + 16];
    loop {
        let mut message: [c_char; MESSAGE_BYTES] = [0; MESSAGE_BYTES];
        // SAFETY: the text ends with NUL and lives through the call; C writes at most `len` tokens, and a message of at
        // most `MESSAGE_BYTES` that ends with NUL.
        let count = unsafe {
            pgdyno_sql_scan(text.as_ptr(), tokens.as_mut_ptr(), tokens.len(), message.as_mut_ptr(), MESSAGE_BYTES)
        };
        let Ok(count) = usize::try_from(count) else { return Err(SqlError::with_message(message_text(&message))) };
        if count <= tokens.len() {
            tokens.truncate(count);
            return Ok(tokens);
        }
        tokens.resize(count, RawToken::default());
    }
}

/// What the parser says of a text.
pub(crate) struct ParsedText {
    /// The first statements.
    pub(crate) statements: Vec<RawStatement>,
    /// How many there are.
    pub(crate) count: usize,
    /// The fingerprint of all, where it was asked for.
    pub(crate) fingerprint: Option<u64>,
}

/// The statements of a text, of which at most `capacity` are given.
pub(crate) fn parse_text(text: &str, capacity: usize, with_fingerprint: bool) -> Result<ParsedText, SqlError> {
    let text = c_text(text)?;
    THREAD_MEMORY.with(|_| ());
    let mut statements = vec![RawStatement::default(); capacity];
    let mut message: [c_char; MESSAGE_BYTES] = [0; MESSAGE_BYTES];
    let mut fingerprint = 0_u64;
    let place = if with_fingerprint { &raw mut fingerprint } else { std::ptr::null_mut() };
    // SAFETY: as in `scan_text`, with statements for tokens; the fingerprint's place is a local or null.
    let count = unsafe {
        pgdyno_sql_parse(text.as_ptr(), statements.as_mut_ptr(), capacity, place, message.as_mut_ptr(), MESSAGE_BYTES)
    };
    let Ok(count) = usize::try_from(count) else { return Err(SqlError::with_message(message_text(&message))) };
    statements.truncate(count);
    Ok(ParsedText { statements, count, fingerprint: with_fingerprint.then_some(fingerprint) })
}

fn c_text(text: &str) -> Result<CString, SqlError> {
    if text.len() > TEXT_BYTES {
        return Err(SqlError::with_message("the text is longer than 1 GiB"));
    }
    CString::new(text).map_err(|_| SqlError::with_message("the text has a NUL byte"))
}

fn message_text(message: &[c_char; MESSAGE_BYTES]) -> String {
    // SAFETY: C ends the message with NUL within its bytes, and writes none where there is no error: then it is empty.
    unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().into_owned()
}
