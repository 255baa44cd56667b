//! `log.jsonl`: what the server's log said while a trial ran. Its first line says how it was read, each other line is
//! one message of a kind that pgdyno knows, with its figures. Texts of statements, values and names of users are left
//! out; other messages are counted in the first line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The log of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerLog {
    /// How it was read.
    pub origin: Origin,
    /// The known messages in the order of the log.
    pub entries: Vec<LogMessageEntry>,
}

/// How a log was read, and what could not be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// How it was reached; absent when it could not be.
    pub access: Option<LogAccess>,
    /// Its form; absent when it could not be read.
    pub format: Option<LogFormat>,
    /// How far the server's clock was ahead of pgdyno's, in microseconds; has been taken off the instants. Absent when
    /// it is the same clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ahead_us: Option<i64>,
    /// Bytes that were written, read or not, from before the load began until after it had ended; absent where they
    /// could not be read, and in runs of before they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The time in which they were written, in microseconds; absent as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_us: Option<u64>,
    /// Messages of the trial's time by severity, known kinds and others.
    pub messages: BTreeMap<Severity, u64>,
    /// Messages of known kinds that are not listed because there were too many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted: u64,
    /// What could not be read or understood, each with its reason: then no message does not mean that nothing happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
}

/// How a log was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogAccess {
    /// As a file of this machine.
    File,
    /// Through the server, by `pg_read_binary_file`.
    Server,
}

/// The form of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Lines with `log_line_prefix`.
    Stderr,
    /// `csvlog`.
    Csvlog,
    /// `jsonlog`.
    Jsonlog,
}

/// How bad a message is, as PostgreSQL says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// DEBUG1 to DEBUG5.
    Debug,
    /// INFO.
    Info,
    /// NOTICE.
    Notice,
    /// WARNING.
    Warning,
    /// LOG.
    Log,
    /// ERROR: a statement failed.
    Error,
    /// FATAL: a session ended.
    Fatal,
    /// PANIC: all sessions ended.
    Panic,
}

/// One message of a known kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogMessageEntry {
    /// When it was written, in microseconds since the load's start; negative before.
    pub at_us: i64,
    /// How bad it is.
    pub severity: Severity,
    /// What it says.
    #[serde(flatten)]
    pub event: LogEvent,
}

/// What a message says. Times are in microseconds, sizes in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LogEvent {
    /// A checkpoint or restartpoint begins.
    CheckpointStarting {
        /// Why.
        cause: CheckpointCause,
        /// Whether it writes as fast as it can.
        fast: bool,
    },
    /// A checkpoint or restartpoint has ended.
    CheckpointComplete(Checkpoint),
    /// Checkpoints forced by the volume of WAL come closer than `checkpoint_warning`.
    CheckpointsTooFrequent {
        /// Seconds between the last two.
        apart_s: u64,
    },
    /// Autovacuum has vacuumed a table.
    Vacuum(AutovacuumRun),
    /// Autovacuum has analyzed a table.
    Analyze {
        /// `database.schema.table`.
        table: String,
        /// How long it took; absent where the log does not say.
        duration_us: Option<u64>,
    },
    /// A session has waited for a lock longer than `deadlock_timeout`.
    LockWait {
        /// The lock's mode, such as `ShareLock`.
        mode: String,
        /// What it locks: `transaction`, `tuple`, `relation`, ...
        object: String,
        /// How long it has waited so far.
        waited_us: u64,
        /// Whether it has the lock now.
        acquired: bool,
    },
    /// A transaction was cancelled to resolve a deadlock.
    Deadlock,
    /// A statement took longer than `log_min_duration_statement`.
    SlowStatement {
        /// How long.
        duration_us: u64,
    },
    /// A temporary file was used up to this size, and removed.
    TemporaryFile {
        /// Its size.
        bytes: u64,
    },
    /// `archive_command` failed.
    ArchiveFailed,
    /// The server had no memory left for something.
    OutOfMemory,
    /// A setting was changed while the server ran.
    SettingChanged {
        /// Its name.
        name: String,
    },
    /// The server stops, crashes or comes back.
    Lifecycle {
        /// Which.
        step: Lifecycle,
    },
    /// Another message of severity ERROR, FATAL or PANIC.
    Error {
        /// Its SQLSTATE; absent where the log does not have it.
        sqlstate: Option<String>,
    },
}

/// Why a checkpoint begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckpointCause {
    /// `checkpoint_timeout` has passed.
    Time,
    /// `max_wal_size` is about to be exceeded.
    Wal,
    /// Somebody asked for it: CHECKPOINT, a base backup, CREATE DATABASE.
    Requested,
    /// The server stops.
    Shutdown,
    /// Recovery has ended.
    Recovery,
}

/// What a checkpoint has done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Buffers written.
    pub buffers_written: u64,
    /// WAL segments created anew while it ran, which have to be filled with zeros.
    pub wal_files_added: u64,
    /// WAL segments removed.
    pub wal_files_removed: u64,
    /// WAL segments renamed for use again.
    pub wal_files_recycled: u64,
    /// Time spent writing, spread on purpose.
    pub write_us: u64,
    /// Time spent in fsync.
    pub sync_us: u64,
    /// From its begin to its end.
    pub total_us: u64,
    /// Files synced.
    pub sync_files: u64,
    /// The longest fsync of one file.
    pub sync_longest_us: u64,
    /// WAL since the checkpoint before.
    pub distance_bytes: u64,
}

/// What one run of autovacuum has done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AutovacuumRun {
    /// `database.schema.table`.
    pub table: String,
    /// Whether it was to prevent the wraparound of transaction ids.
    pub against_wraparound: bool,
    /// How long it took; absent where the log does not say.
    pub duration_us: Option<u64>,
    /// Rows removed.
    pub rows_removed: Option<u64>,
    /// Dead rows that some transaction might still see.
    pub rows_not_removable: Option<u64>,
    /// Buffers read from outside the buffer cache.
    pub buffers_read: Option<u64>,
    /// Buffers made dirty.
    pub buffers_dirtied: Option<u64>,
    /// WAL written.
    pub wal_bytes: Option<u64>,
}

/// A step in the life of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lifecycle {
    /// It was told to stop.
    ShutdownRequested,
    /// One of its processes was killed or crashed.
    ProcessDied,
    /// It ends all sessions and starts anew after a crash.
    Reinitializing,
    /// It replays WAL because it was not stopped in order.
    Recovering,
    /// It accepts connections.
    Ready,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_flat_and_comes_back_as_it_was_written() {
        let entry = LogMessageEntry {
            at_us: -4,
            severity: Severity::Log,
            event: LogEvent::CheckpointComplete(Checkpoint { buffers_written: 7, ..Checkpoint::default() }),
        };
        let line = serde_json::to_string(&entry).unwrap();
        assert!(line.starts_with(r#"{"at_us":-4,"severity":"log","kind":"checkpoint-complete","buffers_written":7,"#));
        assert_eq!(serde_json::from_str::<LogMessageEntry>(&line).unwrap(), entry);
    }
}
