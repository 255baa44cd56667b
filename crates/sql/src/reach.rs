//! What a text reaches beyond its database, and where it can hold a password: by its words, as PostgreSQL's scanner
//! tells them apart. A function that a text calls may reach further; that is not seen here.

use std::borrow::Cow;

use crate::tokens::{ScannedToken, TokenKind, scan_tokens};

/// Functions by the begin of their name, and what they reach.
const FUNCTIONS_BY_BEGIN: &[(&str, &str)] = &[
    ("dblink", "dblink"),
    ("http_", "http extension"),
    ("pg_file_", "file functions"),
    ("pg_logical_", "replication"),
    ("pg_ls_", "file functions"),
    ("pg_replication_", "replication"),
    ("pg_wal_replay_", "server administration"),
];

/// Functions by name, and what they reach.
const FUNCTIONS: &[(&str, &str)] = &[
    ("http", "http extension"),
    ("lo_export", "file functions"),
    ("lo_import", "file functions"),
    ("pg_backup_start", "server administration"),
    ("pg_backup_stop", "server administration"),
    ("pg_cancel_backend", "server administration"),
    ("pg_copy_logical_replication_slot", "replication"),
    ("pg_copy_physical_replication_slot", "replication"),
    ("pg_create_logical_replication_slot", "replication"),
    ("pg_create_physical_replication_slot", "replication"),
    ("pg_create_restore_point", "server administration"),
    ("pg_drop_replication_slot", "replication"),
    ("pg_notify", "NOTIFY"),
    ("pg_promote", "server administration"),
    ("pg_read_binary_file", "file functions"),
    ("pg_read_file", "file functions"),
    ("pg_reload_conf", "server administration"),
    ("pg_rotate_logfile", "server administration"),
    ("pg_start_backup", "server administration"),
    ("pg_stat_file", "file functions"),
    ("pg_stop_backup", "server administration"),
    ("pg_switch_wal", "server administration"),
    ("pg_terminate_backend", "server administration"),
    ("postgres_fdw_disconnect", "foreign data"),
    ("postgres_fdw_disconnect_all", "foreign data"),
];

/// Schemas whose functions reach further than the database.
const SCHEMAS: &[(&str, &str)] = &[
    ("aws_commons", "cloud extension"),
    ("aws_lambda", "cloud extension"),
    ("aws_s3", "cloud extension"),
    ("cron", "pg_cron"),
    ("net", "http extension"),
];

/// First words of statements, and what they reach.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["alter", "database"], "database"),
    (&["alter", "foreign"], "foreign data"),
    (&["alter", "group"], "role"),
    (&["alter", "role"], "role"),
    (&["alter", "server"], "foreign data"),
    (&["alter", "subscription"], "replication"),
    (&["alter", "system"], "ALTER SYSTEM"),
    (&["alter", "tablespace"], "tablespace"),
    (&["alter", "user"], "role"),
    (&["checkpoint"], "server administration"),
    (&["create", "database"], "database"),
    (&["create", "foreign"], "foreign data"),
    (&["create", "group"], "role"),
    (&["create", "role"], "role"),
    (&["create", "server"], "foreign data"),
    (&["create", "subscription"], "replication"),
    (&["create", "tablespace"], "tablespace"),
    (&["create", "user"], "role"),
    (&["drop", "database"], "database"),
    (&["drop", "group"], "role"),
    (&["drop", "owned"], "role"),
    (&["drop", "role"], "role"),
    (&["drop", "server"], "foreign data"),
    (&["drop", "subscription"], "replication"),
    (&["drop", "tablespace"], "tablespace"),
    (&["drop", "user"], "role"),
    (&["import", "foreign"], "foreign data"),
    (&["load"], "LOAD"),
    (&["notify"], "NOTIFY"),
    (&["reassign", "owned"], "role"),
];

/// Languages whose functions do what the server's user may do.
const UNTRUSTED_LANGUAGES: &[&str] = &["c", "internal", "plperlu", "plpython3u", "plpythonu", "plr", "plsh", "pltclu"];

/// First words of statements whose literals and parameters are never kept.
const SECRET_COMMANDS: &[(&str, &[&str])] = &[
    ("alter", &["group", "role", "server", "subscription", "user"]),
    ("create", &["group", "role", "server", "subscription", "user"]),
];
/// First words after which PASSWORD is a name.
const ROW_COMMANDS: &[&str] =
    &["copy", "declare", "delete", "explain", "insert", "merge", "select", "table", "update", "values", "with", "("];

/// How deep bodies of code within bodies of code are read.
const CODE_DEPTH: usize = 4;

/// The words of a text: names and keywords in lower case without quotes, signs as they are, literals empty.
struct ScannedWords<'a> {
    words: Vec<(Cow<'a, str>, TokenKind)>,
    /// The bodies of string literals, which may be code.
    strings: Vec<String>,
}

impl<'a> ScannedWords<'a> {
    fn from_tokens(text: &'a str, tokens: &[ScannedToken]) -> Self {
        let mut words = Vec::new();
        let mut strings = Vec::new();
        for token in tokens {
            let written = &text[token.range.clone()];
            match token.kind {
                TokenKind::Comment => continue,
                TokenKind::Name | TokenKind::Keyword => {
                    words.push((lower_case(written.trim_matches('"')), token.kind));
                }
                TokenKind::Other | TokenKind::Parameter => words.push((Cow::Borrowed(written), token.kind)),
                TokenKind::String => {
                    strings.push(string_body(written));
                    words.push((Cow::Borrowed(""), token.kind));
                }
                TokenKind::Bits | TokenKind::Integer | TokenKind::Float => words.push((Cow::Borrowed(""), token.kind)),
            }
        }
        Self { words, strings }
    }

    fn word_at(&self, place: usize) -> &str {
        self.words.get(place).map(|(word, _)| word.as_ref()).unwrap_or_default()
    }

    /// Whether the word is a name or a keyword rather than a sign.
    fn is_name(&self, place: usize) -> bool {
        self.words.get(place).is_some_and(|(_, kind)| matches!(kind, TokenKind::Name | TokenKind::Keyword))
    }

    /// Where each statement begins.
    fn statement_starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        for (place, (word, _)) in self.words.iter().enumerate() {
            if word == ";" && place + 1 < self.words.len() {
                starts.push(place + 1);
            }
        }
        starts
    }
}

/// Most words of most texts are in lower case already.
fn lower_case(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

/// What is between the quotes of a string.
fn string_body(written: &str) -> String {
    if let Some(rest) = written.strip_prefix('$') {
        let tag = rest.find('$').map_or(1, |end| end + 2);
        let end = written.len().saturating_sub(tag).max(tag);
        return written.get(tag..end).unwrap_or_default().to_owned();
    }
    let start = written.find('\'').map_or(0, |start| start + 1);
    written[start..].trim_end_matches('\'').replace("''", "'")
}

/// Why a text reaches beyond its database; the first reason.
pub(crate) fn reach_beyond(text: &str, tokens: &[ScannedToken]) -> Option<&'static str> {
    reach_of_words(&ScannedWords::from_tokens(text, tokens), 0)
}

fn reach_of_words(words: &ScannedWords<'_>, depth: usize) -> Option<&'static str> {
    for start in words.statement_starts() {
        if let Some(reason) = reach_of_command(words, start) {
            return Some(reason);
        }
    }
    if let Some(reason) = reach_of_calls(words) {
        return Some(reason);
    }
    let has_code = words.statement_starts().iter().any(|start| is_code_command(words, *start));
    if !has_code || depth == CODE_DEPTH {
        return None;
    }
    for body in &words.strings {
        let Ok(tokens) = scan_tokens(body) else { continue };
        let inner = ScannedWords::from_tokens(body, &tokens);
        if let Some(reason) = reach_of_words(&inner, depth + 1) {
            return Some(reason);
        }
        // Within a body a command may stand after THEN, LOOP or BEGIN.
        for start in 0..inner.words.len() {
            if let Some(reason) = reach_of_command(&inner, start).filter(|_| is_command_start(&inner, start)) {
                return Some(reason);
            }
        }
    }
    None
}

fn is_command_start(words: &ScannedWords<'_>, start: usize) -> bool {
    start > 0 && ["begin", "else", "loop", "then"].contains(&words.word_at(start - 1))
}

fn is_code_command(words: &ScannedWords<'_>, start: usize) -> bool {
    match words.word_at(start) {
        "do" => true,
        "create" | "alter" => (start..start + 6).any(|place| ["function", "procedure"].contains(&words.word_at(place))),
        _ => false,
    }
}

fn reach_of_command(words: &ScannedWords<'_>, start: usize) -> Option<&'static str> {
    for (command, reason) in COMMANDS {
        if command.iter().enumerate().all(|(place, word)| words.word_at(start + place) == *word) {
            return Some(reason);
        }
    }
    if words.word_at(start) == "copy" {
        return reach_of_copy(words, start);
    }
    if is_code_command(words, start) {
        for place in start..words.words.len() {
            if words.word_at(place) == "language" && UNTRUSTED_LANGUAGES.contains(&words.word_at(place + 1)) {
                return Some("untrusted language");
            }
        }
    }
    None
}

/// COPY with a file or a program: after FROM or TO stands a string, or PROGRAM.
fn reach_of_copy(words: &ScannedWords<'_>, start: usize) -> Option<&'static str> {
    let mut depth = 0_usize;
    for place in start + 1..words.words.len() {
        match words.word_at(place) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            ";" => return None,
            "from" | "to" if depth == 0 => {
                let next = words.words.get(place + 1)?;
                if next.0 == "program" {
                    return Some("COPY with a program");
                }
                return (next.1 == TokenKind::String).then_some("COPY with a file");
            }
            _ => {}
        }
    }
    None
}

fn reach_of_calls(words: &ScannedWords<'_>) -> Option<&'static str> {
    for place in 0..words.words.len() {
        if words.word_at(place + 1) != "(" || !words.is_name(place) {
            continue;
        }
        let function = words.word_at(place);
        if let Some((_, reason)) = FUNCTIONS.iter().find(|(name, _)| *name == function) {
            return Some(reason);
        }
        if let Some((_, reason)) = FUNCTIONS_BY_BEGIN.iter().find(|(begin, _)| function.starts_with(begin)) {
            return Some(reason);
        }
        if place >= 2 && words.word_at(place - 1) == "." {
            let schema = words.word_at(place - 2);
            if let Some((_, reason)) = SCHEMAS.iter().find(|(name, _)| *name == schema) {
                return Some(reason);
            }
        }
    }
    None
}

/// Whether a literal or a parameter of the text can be a password of a role or of a connection.
pub(crate) fn holds_secret(text: &str, tokens: &[ScannedToken]) -> bool {
    secret_in_words(&ScannedWords::from_tokens(text, tokens), 0)
}

fn secret_in_words(words: &ScannedWords<'_>, depth: usize) -> bool {
    for place in 0..words.words.len() {
        let word = words.word_at(place);
        if word.starts_with("dblink") && words.is_name(place) {
            return true;
        }
        // Anywhere, since a body of code has its commands in many places.
        let next = words.word_at(place + 1);
        if SECRET_COMMANDS.iter().any(|(command, objects)| *command == word && objects.contains(&next)) {
            return true;
        }
    }
    for start in words.statement_starts() {
        let end = words.words[start.min(words.words.len())..].iter().position(|(word, _)| word == ";");
        let end = end.map_or(words.words.len(), |length| start + length);
        let has_password = (start..end).any(|place| ["password", "mapping"].contains(&words.word_at(place)));
        if has_password && !ROW_COMMANDS.contains(&words.word_at(start)) {
            return true;
        }
    }
    let has_code = words.statement_starts().iter().any(|start| is_code_command(words, *start));
    if !has_code || depth == CODE_DEPTH {
        return false;
    }
    for body in &words.strings {
        // A body that cannot be read may hold anything.
        let Ok(tokens) = scan_tokens(body) else { return true };
        if secret_in_words(&ScannedWords::from_tokens(body, &tokens), depth + 1) {
            return true;
        }
    }
    false
}
