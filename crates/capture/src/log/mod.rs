//! One message of a server's log, whatever form it was written in.

pub(crate) mod csvlog;
pub(crate) mod form;
pub(crate) mod jsonlog;
pub(crate) mod message;
pub(crate) mod parameters;
pub(crate) mod prefix;
pub(crate) mod stderr;
pub(crate) mod syslog;
pub(crate) mod timestamp;

use std::borrow::Cow;

/// How bad a message is, as far as a capture distinguishes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogLevel {
    /// LOG: what a server writes about statements, connections and itself.
    Log,
    /// ERROR: a statement failed.
    Error,
    /// FATAL and PANIC: the session ended.
    Fatal,
    /// DEBUG, INFO, NOTICE, WARNING.
    Notice,
    /// A word that is none of these: the log is in another language.
    Unknown,
}

impl LogLevel {
    pub(crate) fn parse_word(word: &[u8]) -> Self {
        match word {
            b"LOG" => Self::Log,
            b"ERROR" => Self::Error,
            b"FATAL" | b"PANIC" => Self::Fatal,
            b"NOTICE" | b"WARNING" | b"INFO" | b"DEBUG" | b"DEBUG1" | b"DEBUG2" | b"DEBUG3" | b"DEBUG4" | b"DEBUG5" => {
                Self::Notice
            }
            _ => Self::Unknown,
        }
    }
}

/// What distinguishes the sessions of a server: `%c`, or the process where only that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct LogSessionId {
    /// When the process started, in seconds since 1970; 0 where it is not known.
    pub(crate) start_s: u64,
    /// The process.
    pub(crate) pid: u32,
}

impl LogSessionId {
    /// Reads `%c`: two hexadecimal numbers.
    pub(crate) fn parse_hex(text: &[u8]) -> Option<Self> {
        let dot = text.iter().position(|byte| *byte == b'.')?;
        let start_s = u64::from_str_radix(std::str::from_utf8(&text[..dot]).ok()?, 16).ok()?;
        let pid = u32::from_str_radix(std::str::from_utf8(&text[dot + 1..]).ok()?, 16).ok()?;
        Some(Self { start_s, pid })
    }
}

/// One message. What a form of log does not have is empty or `None`.
#[derive(Debug, Clone)]
pub(crate) struct LogEntry<'a> {
    /// When it was written, in microseconds since 1970.
    pub(crate) at_us: i64,
    /// The session.
    pub(crate) session: LogSessionId,
    /// The number of the message within the session, from 1.
    pub(crate) session_line: Option<u64>,
    /// The number of its last line, where lines of detail are counted too.
    pub(crate) last_line: Option<u64>,
    /// The level.
    pub(crate) level: LogLevel,
    pub(crate) user: Cow<'a, [u8]>,
    pub(crate) database: Cow<'a, [u8]>,
    pub(crate) application: Cow<'a, [u8]>,
    /// `virtual_transaction_id`.
    pub(crate) transaction: Cow<'a, [u8]>,
    pub(crate) sqlstate: Cow<'a, [u8]>,
    pub(crate) message: Cow<'a, [u8]>,
    pub(crate) detail: Cow<'a, [u8]>,
    pub(crate) context: Cow<'a, [u8]>,
    /// The statement that failed.
    pub(crate) query: Cow<'a, [u8]>,
}

impl LogEntry<'_> {
    pub(crate) fn new_empty() -> Self {
        Self {
            at_us: 0,
            session: LogSessionId::default(),
            session_line: None,
            last_line: None,
            level: LogLevel::Unknown,
            user: Cow::default(),
            database: Cow::default(),
            application: Cow::default(),
            transaction: Cow::default(),
            sqlstate: Cow::default(),
            message: Cow::default(),
            detail: Cow::default(),
            context: Cow::default(),
            query: Cow::default(),
        }
    }
}

/// Why a record of a log is not a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EntryProblem {
    /// It does not have the form of the log.
    Malformed,
    /// Its time has the abbreviation of a time zone that is not known.
    UnknownZone(String),
}
