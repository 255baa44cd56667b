//! What a message says of a statement or a session.

use super::{LogEntry, LogLevel};
use crate::directory::StatementProtocol;

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LogMessage<'a> {
    /// A statement begins (`log_statement`), or has ended and took this long (`log_min_duration_statement`).
    Statement { text: &'a [u8], protocol: StatementProtocol, duration_us: Option<u64>, is_continued: bool },
    /// What the session did last took this long (`log_duration`).
    Duration { duration_us: u64 },
    /// Parse or Bind of a statement, which its Execute follows.
    Preparation,
    /// A function was called by the protocol of its own.
    FunctionCall,
    /// A client was let in.
    Connection,
    /// A session ended.
    Disconnection,
    /// The server starts and says its version.
    ServerStart { version: &'a [u8] },
    /// A statement failed, and with FATAL the session too.
    Failure { ends_session: bool },
    /// Anything else.
    Other,
}

/// What an entry says.
pub(crate) fn read_message<'a>(entry: &'a LogEntry<'_>) -> LogMessage<'a> {
    match entry.level {
        LogLevel::Log => read_log_message(&entry.message),
        LogLevel::Error => LogMessage::Failure { ends_session: false },
        LogLevel::Fatal => LogMessage::Failure { ends_session: true },
        LogLevel::Notice | LogLevel::Unknown => LogMessage::Other,
    }
}

fn read_log_message(message: &[u8]) -> LogMessage<'_> {
    if let Some(rest) = message.strip_prefix(b"duration: ") {
        return read_duration(rest).unwrap_or(LogMessage::Other);
    }
    if let Some(statement) = read_statement_message(message, None) {
        return statement;
    }
    if message.starts_with(b"connection authorized: ") {
        return LogMessage::Connection;
    }
    if message.starts_with(b"disconnection: session time: ") {
        return LogMessage::Disconnection;
    }
    if let Some(rest) = message.strip_prefix(b"starting PostgreSQL ") {
        let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
        return LogMessage::ServerStart { version: &rest[..end] };
    }
    LogMessage::Other
}

/// `12.345 ms`, alone or with a statement after two spaces.
fn read_duration(rest: &[u8]) -> Option<LogMessage<'_>> {
    let space = rest.iter().take(32).position(|byte| *byte == b' ')?;
    let duration_us = parse_ms(&rest[..space])?;
    let after = rest[space..].strip_prefix(b" ms")?;
    if after.is_empty() {
        return Some(LogMessage::Duration { duration_us });
    }
    let text = after.strip_prefix(b"  ")?;
    if text.starts_with(b"parse ") || text.starts_with(b"bind ") {
        return Some(LogMessage::Preparation);
    }
    if text.starts_with(b"fastpath function call: ") {
        return Some(LogMessage::FunctionCall);
    }
    // `plan:` is auto_explain's: the statement itself has its own message.
    read_statement_message(text, Some(duration_us))
}

fn read_statement_message(message: &[u8], duration_us: Option<u64>) -> Option<LogMessage<'_>> {
    if let Some(text) = message.strip_prefix(b"statement: ") {
        let protocol = StatementProtocol::Simple;
        return Some(LogMessage::Statement { text, protocol, duration_us, is_continued: false });
    }
    let rest = message.strip_prefix(b"execute ")?;
    let colon = memchr::memmem::find(rest, b": ")?;
    let is_continued = rest.starts_with(b"fetch from ");
    let text = &rest[colon + 2..];
    Some(LogMessage::Statement { text, protocol: StatementProtocol::Extended, duration_us, is_continued })
}

/// Milliseconds with three digits after the point, as microseconds.
fn parse_ms(text: &[u8]) -> Option<u64> {
    let mut us: u64 = 0;
    let mut decimals = None;
    for byte in text {
        match byte {
            b'.' if decimals.is_none() => decimals = Some(0),
            b'0'..=b'9' => {
                if decimals == Some(3) {
                    continue;
                }
                us = us.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
                decimals = decimals.map(|count| count + 1);
            }
            _ => return None,
        }
    }
    us.checked_mul(10_u64.pow(3 - decimals.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_statements_are_told_apart() {
        use StatementProtocol::{Extended, Simple};
        let statement = |text: &'static str, protocol, duration_us, is_continued| LogMessage::Statement {
            text: text.as_bytes(),
            protocol,
            duration_us,
            is_continued,
        };
        let cases = [
            ("statement: SELECT 1", statement("SELECT 1", Simple, None, false)),
            ("execute <unnamed>: SELECT ': '", statement("SELECT ': '", Extended, None, false)),
            ("execute fetch from S_1/C_2: SELECT 1", statement("SELECT 1", Extended, None, true)),
            ("duration: 0.123 ms  statement: SELECT 1", statement("SELECT 1", Simple, Some(123), false)),
            ("duration: 1012.3 ms  execute a: b", statement("b", Extended, Some(1_012_300), false)),
            ("duration: 0.1 ms", LogMessage::Duration { duration_us: 100 }),
            ("duration: 0.1 ms  parse <unnamed>: SELECT 1", LogMessage::Preparation),
            ("duration: 0.1 ms  bind a: SELECT 1", LogMessage::Preparation),
            ("duration: 0.1 ms  plan:\nQuery Text: SELECT 1", LogMessage::Other),
            ("duration: x ms", LogMessage::Other),
            ("duration: 99999999999999999999 ms", LogMessage::Other),
            ("starting PostgreSQL 18.1 (Debian) on x86_64", LogMessage::ServerStart { version: b"18.1" }),
            ("checkpoint starting: time", LogMessage::Other),
        ];
        for (message, expected) in cases {
            assert_eq!(read_log_message(message.as_bytes()), expected, "{message}");
        }
    }
}
