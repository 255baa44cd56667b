//! The server's log while a trial runs: [`LogReader::attach_to_log`] before the load notes where it ends,
//! [`LogReader::read_since_attached`] after it reads what has come since. Meanwhile nothing is read, so that nothing
//! is disturbed.
//!
//! Promises never to fail: what cannot be read is a gap that says what to grant or to set. Reads 16 MiB at most and
//! lists 5000 messages at most. Leaves out how the texts are understood (`message`)
//! and how lines are split (`stderr`, `columns`).

mod collected;
mod columns;
mod kept;
mod message;
mod own_file;
mod record;
mod stderr;

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use results::log::{LogAccess, LogFormat, LogMessageEntry, Origin, ServerLog};
use tokio::time::{Instant, timeout};

use crate::postgres::{ProbeSession, ServerLink};
use collected::Collected;
pub use kept::KeptLog;
use own_file::OwnFile;
use record::Records;
use stderr::Prefix;

/// The longest that finding the log, and reading it, may take.
const AT_MOST: Duration = Duration::from_secs(10);

/// The most that is read.
const BYTES: u64 = 16 << 20;

/// The most messages that are listed.
const ENTRIES: usize = 5000;

/// How often the server's clock is read: the quickest answer tells it best.
const CLOCK_READINGS: u32 = 5;

/// How the server writes its log, and what its clock says.
const SQL: &str = include_str!("../../sql/server_log.sql");

/// Reads what a server logs from [`LogReader::attach_to_log`] on.
pub struct LogReader {
    link: ServerLink,
    /// How it is to be read, or why it cannot be.
    found: Result<LocatedLog, String>,
}

/// A log whose end is known.
struct LocatedLog {
    place: LogPlace,
    writing: Writing,
    /// How far the server's clock is ahead of this one.
    clock_ahead_us: i64,
    /// When it ended there.
    since: Instant,
}

/// Where a log is.
enum LogPlace {
    /// In a file of this machine, which the server writes to until it ends.
    Own(OwnFile),
    /// In the files of the server's logging collector.
    Collected(Collected),
}

/// How a server writes its log.
struct Writing {
    destination: String,
    collected: bool,
    prefix: String,
    zone: String,
    language: String,
}

impl LogReader {
    /// Notes where the log of the server at `config` ends. `own_file`:
    /// where pgdyno has let it write its standard error.
    ///
    /// Must be called within a tokio runtime with time and I/O enabled.
    pub async fn attach_to_log(config: &control::Config, own_file: Option<&Path>) -> Self {
        let mut link = ServerLink::new(config);
        let found = timeout(AT_MOST, find_log(&mut link, own_file)).await;
        // The load may need every connection that the server has.
        link.hang_up();
        Self { link, found: found.unwrap_or_else(|_| Err(too_long())) }
    }

    /// What was logged since, its instants relative to `load_start`, which is by this machine's clock.
    pub async fn read_since_attached(mut self, load_start: Timestamp) -> ServerLog {
        let found = match self.found {
            Ok(found) => found,
            Err(gap) => return empty_server_log(Origin { gaps: vec![gap], ..Origin::default() }),
        };
        let access = Some(found.place.log_access());
        let read = timeout(AT_MOST, found.place.read_log_text(&mut self.link)).await;
        let text = match read.unwrap_or_else(|_| Err(too_long())) {
            Ok(text) => text,
            Err(gap) => return empty_server_log(Origin { access, gaps: vec![gap], ..Origin::default() }),
        };
        let clock_ahead_us = matches!(found.place, LogPlace::Collected(_)).then_some(found.clock_ahead_us);
        let format = found.place.log_format();
        let mut log = empty_server_log(Origin { access, format: Some(format), clock_ahead_us, ..Origin::default() });
        log.origin.bytes = Some(text.written);
        log.origin.over_us = u64::try_from(found.since.elapsed().as_micros()).ok();
        log.origin.gaps.extend(text.cut.map(|cut| format!("the log grew by more than {} MiB: {cut}", BYTES >> 20)));
        match found.writing.parse_records(format, &text.text) {
            Ok(records) => enter_log_records(&mut log, &records, &found.writing.language, load_start),
            Err(gap) => log.origin.gaps.push(gap),
        }
        log
    }
}

/// What was read of a log.
struct LogText {
    text: String,
    /// Bytes that were written, read or not.
    written: u64,
    /// What is missing, if it was too much.
    cut: Option<&'static str>,
}

impl LogPlace {
    fn log_access(&self) -> LogAccess {
        match self {
            Self::Own(_) => LogAccess::File,
            Self::Collected(_) => LogAccess::Server,
        }
    }

    fn log_format(&self) -> LogFormat {
        match self {
            Self::Own(_) => LogFormat::Stderr,
            Self::Collected(collected) => collected.log_format(),
        }
    }

    async fn read_log_text(&self, link: &mut ServerLink) -> Result<LogText, String> {
        match self {
            Self::Own(file) => file.read_new_text(BYTES),
            Self::Collected(collected) => collected.read_new_text(session_until_deadline(link).await?, BYTES).await,
        }
    }
}

impl Writing {
    fn parse_records(&self, format: LogFormat, text: &str) -> Result<Records, String> {
        let zone: TimeZone = record::time_zone_by_name(&self.zone)
            .ok_or_else(|| format!("log_timezone {:?} is unknown on this machine; hint: install tzdata", self.zone))?;
        Ok(match format {
            LogFormat::Stderr => {
                Prefix::new(&self.prefix).map_err(|error| error.to_string())?.parse_records(text, &zone)
            }
            LogFormat::Csvlog => columns::parse_csv_log(text, &zone),
            LogFormat::Jsonlog => columns::parse_json_log(text, &zone),
        })
    }
}

async fn session_until_deadline(link: &mut ServerLink) -> Result<&mut ProbeSession, String> {
    link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())
}

async fn find_log(link: &mut ServerLink, own_file: Option<&Path>) -> Result<LocatedLog, String> {
    let session = session_until_deadline(link).await?;
    let mut heard: Option<ServerLogSettings> = None;
    for _ in 0..CLOCK_READINGS {
        let one = query_log_settings(session).await?;
        heard = Some(match heard {
            Some(before) if before.round_trip_us <= one.round_trip_us => before,
            _ => one,
        });
    }
    let ServerLogSettings { writing, clock_ahead_us, .. } = heard.ok_or("the server returned no logging settings")?;
    let place = match own_file {
        Some(path) => LogPlace::Own(OwnFile::at_its_end(path)?),
        None => LogPlace::Collected(Collected::at_its_end(session, &writing).await?),
    };
    Ok(LocatedLog { place, writing, clock_ahead_us, since: Instant::now() })
}

/// What the server said of its log and its clock.
struct ServerLogSettings {
    writing: Writing,
    clock_ahead_us: i64,
    /// The clock is known to within half of this.
    round_trip_us: i64,
}

async fn query_log_settings(session: &mut ProbeSession) -> Result<ServerLogSettings, String> {
    let asked_us = Timestamp::now().as_microsecond();
    let rows = session.query_rows(SQL, &[]).await?;
    let round_trip_us = Timestamp::now().as_microsecond() - asked_us;
    let row = rows.first().ok_or("the server returned no logging settings")?;
    let (writing, now_us) = log_settings_from_row(row).map_err(|error| error.to_string())?;
    Ok(ServerLogSettings { writing, clock_ahead_us: now_us - (asked_us + round_trip_us / 2), round_trip_us })
}

fn log_settings_from_row(row: &tokio_postgres::Row) -> Result<(Writing, i64), tokio_postgres::Error> {
    let writing = Writing {
        destination: row.try_get("destination")?,
        collected: row.try_get("collected")?,
        prefix: row.try_get("prefix")?,
        zone: row.try_get("zone")?,
        language: row.try_get("language")?,
    };
    Ok((writing, row.try_get("now_us")?))
}

fn enter_log_records(log: &mut ServerLog, records: &Records, language: &str, load_start: Timestamp) {
    let gaps = &mut log.origin.gaps;
    if !is_english(language) {
        gaps.push(format!(
            "lc_messages is {language:?}, but pgdyno understands only English messages; hint: lc_messages = 'C'"
        ));
    }
    if records.unreadable > 0 && records.records.is_empty() {
        gaps.push(format!("none of {} lines could be read as a message", records.unreadable));
    }
    let zero_us = load_start.as_microsecond() + log.origin.clock_ahead_us.unwrap_or(0);
    for record in &records.records {
        *log.origin.messages.entry(record.severity).or_default() += 1;
        let Some(event) = message::event_of_record(record) else { continue };
        if log.entries.len() < ENTRIES {
            let at_us = record.at.as_microsecond() - zero_us;
            log.entries.push(LogMessageEntry { at_us, severity: record.severity, event });
        } else {
            log.origin.unlisted += 1;
        }
    }
}

/// Whether messages in this locale are the untranslated ones. An empty one is the environment's, which the server does
/// not tell; then only what is not understood would show.
fn is_english(language: &str) -> bool {
    ["C", "POSIX"].contains(&language)
        || language.starts_with("C.")
        || language.starts_with("en")
        || language.is_empty()
}

fn empty_server_log(origin: Origin) -> ServerLog {
    ServerLog { origin, entries: Vec::new() }
}

fn too_long() -> String {
    format!("reading the server's log took longer than {} s", AT_MOST.as_secs())
}
