//! A server's log: its messages are entered into the trials during which they were written.

use jiff::{SignedDuration, Timestamp};
use probe::KeptLog;
use results::log::{LogFormat, ServerLog};

use super::found::{FileContent, FoundTrial, ImportedDocument};
use super::source_file::SourceFile;
use problem::Problem;

/// The form of a log of a server that begins like this.
pub(crate) fn recognise_log_format(head: &str) -> Option<LogFormat> {
    KeptLog::format_of(head.lines().next()?.trim_end())
}

/// Reads a log.
///
/// # Errors
/// When none of it can be understood.
pub(crate) fn read_server_log(file: &SourceFile, text: &str, format: LogFormat) -> Result<ImportedDocument, Problem> {
    let log = KeptLog::read_log_text(text, format).map_err(|why| {
        Problem::usage_error(format!("{}: {why}", file.display_name()))
            .hint("use a log with log_line_prefix = '%m [%p] '")
    })?;
    let unreadable = log.unreadable_lines();
    let notes = if unreadable > 0 { vec![format!("{unreadable} lines were not read as messages")] } else { Vec::new() };
    Ok(ImportedDocument {
        file: file.clone(),
        tool: "PostgreSQL",
        version: None,
        notes,
        content: FileContent::ServerLog(log),
    })
}

/// What a log says of a trial; none where it is not told when the trial was.
pub(crate) fn of_trial(log: &KeptLog, trial: &FoundTrial) -> Option<ServerLog> {
    let start = Timestamp::from_microsecond((trial.started_s? * 1e6) as i64).ok()?;
    let length = SignedDuration::try_from_secs_f64(trial.told.duration_s?).ok()?;
    Some(log.log_between(start, start.checked_add(length).ok()?))
}
