//! The files of a server's logging collector, read through the server itself: they may lie on another machine, and
//! there is no telling whether a path of this one is theirs. Follows them from one to the next.

use std::collections::BTreeMap;

use results::log::LogFormat;

use super::{LogText, Writing};
use crate::postgres::ProbeSession;

/// Where they are, absolute or below the data directory.
const DIRECTORY: &str = "SELECT current_setting('log_directory') AS directory";

/// The log files, oldest first.
const FILES: &str = "SELECT name, size FROM pg_ls_logdir() ORDER BY modification, name";

/// A part of a file.
const READ: &str = "SELECT pg_read_binary_file($1, $2, $3, true) AS part";

/// Bytes that are read by one query.
const PART: i64 = 1 << 20;

/// The files of one format, and where each of them ended.
pub(super) struct Collected {
    format: LogFormat,
    directory: String,
    ends: BTreeMap<String, i64>,
}

impl Collected {
    pub(super) async fn at_its_end(session: &mut ProbeSession, writing: &Writing) -> Result<Self, String> {
        let format = best_readable_format(&writing.destination)?;
        if !writing.collected {
            return Err("the server writes its log to its standard error, which is not accessible here; hint: \
                        logging_collector = on"
                .to_owned());
        }
        let rows = session.query_prepared(DIRECTORY, &[]).await.map_err(|error| not_permitted(session, &error))?;
        let row = rows.first().ok_or("the server returned no log_directory")?;
        let directory = row.try_get("directory").map_err(|error| error.to_string())?;
        let ends = list_log_files(session, format).await?.into_iter().collect();
        Ok(Self { format, directory, ends })
    }

    pub(super) const fn log_format(&self) -> LogFormat {
        self.format
    }

    /// What has come since, at most this many bytes of it.
    pub(super) async fn read_new_text(&self, session: &mut ProbeSession, at_most: u64) -> Result<LogText, String> {
        let mut bytes: Vec<u8> = Vec::new();
        let (mut written, mut cut) = (0, None);
        for (name, size) in list_log_files(session, self.format).await? {
            // A file that is shorter than it was has been begun anew.
            let mut from = self.ends.get(&name).copied().filter(|end| *end <= size).unwrap_or(0);
            written += (size - from).unsigned_abs();
            let path = format!("{}/{name}", self.directory);
            while from < size {
                if bytes.len() as u64 >= at_most {
                    cut = Some("the end was not read");
                    break;
                }
                let rows = session.query_prepared(READ, &[&path, &from, &PART.min(size - from)]).await;
                let rows = rows.map_err(|error| not_permitted(session, &error))?;
                let part: Option<Vec<u8>> = rows.first().and_then(|row| row.try_get("part").ok()).flatten();
                match part {
                    Some(part) if !part.is_empty() => {
                        from += part.len() as i64;
                        bytes.extend(part);
                    }
                    // Removed meanwhile.
                    _ => break,
                }
            }
        }
        Ok(LogText { text: String::from_utf8_lossy(&bytes).into_owned(), written, cut })
    }
}

/// The format that is read best, of those that the server writes.
fn best_readable_format(destination: &str) -> Result<LogFormat, String> {
    [(LogFormat::Jsonlog, "jsonlog"), (LogFormat::Csvlog, "csvlog"), (LogFormat::Stderr, "stderr")]
        .into_iter()
        .find(|(_, word)| destination.split(',').any(|written| written.trim() == *word))
        .map(|(format, _)| format)
        .ok_or_else(|| format!("log_destination is {destination:?}, which is not supported; hint: add jsonlog to it"))
}

async fn list_log_files(session: &mut ProbeSession, format: LogFormat) -> Result<Vec<(String, i64)>, String> {
    let rows = session.query_prepared(FILES, &[]).await.map_err(|error| not_permitted(session, &error))?;
    let files = rows.iter().map(|row| Ok((row.try_get("name")?, row.try_get("size")?)));
    let files: Vec<(String, i64)> =
        files.collect::<Result<_, tokio_postgres::Error>>().map_err(|error| error.to_string())?;
    Ok(files.into_iter().filter(|(name, _)| is_of(name, format)).collect())
}

/// Whether a file has this format: the collector appends or replaces the ending.
fn is_of(name: &str, format: LogFormat) -> bool {
    match format {
        LogFormat::Jsonlog => name.ends_with(".json"),
        LogFormat::Csvlog => name.ends_with(".csv"),
        LogFormat::Stderr => !name.ends_with(".json") && !name.ends_with(".csv"),
    }
}

fn not_permitted(session: &ProbeSession, error: &tokio_postgres::Error) -> String {
    let message = error.as_db_error().map_or_else(|| error.to_string(), |db| db.message().to_owned());
    if error.code() != Some(&tokio_postgres::error::SqlState::INSUFFICIENT_PRIVILEGE) {
        return format!("the server's log cannot be read: {message}");
    }
    let role = session.role_name().replace('"', "\"\"");
    format!(
        "the server's log is not permitted: {message}; hint: GRANT pg_monitor TO \"{role}\"; GRANT EXECUTE ON FUNCTION \
         pg_read_binary_file(text, bigint, bigint, boolean) TO \"{role}\""
    )
}
