//! What a message says: the known kinds with their figures, from the English texts of PostgreSQL 14 to 19. Nothing else
//! of a text is kept, so that neither statements nor values nor secrets get further than this.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use results::log::{AutovacuumRun, Checkpoint, CheckpointCause, Lifecycle, LogEvent, Severity};

use super::record::LogRecord;

/// A pattern of this file.
macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("patterns of this file are valid"));
    };
}

pattern!(CHECKPOINT_STARTING, r"^(?:checkpoint|restartpoint) starting:(?P<flags>.*)$");
pattern!(
    CHECKPOINT_COMPLETE,
    // From 19 on the cause stands before the figures, as in the message that it starts.
    r"^(?:checkpoint|restartpoint) complete:(?: [a-z -]+:)? wrote (?P<buffers>\d+) buffers .*?; (?P<added>\d+) WAL file\(s\) added, (?P<removed>\d+) removed, (?P<recycled>\d+) recycled; write=(?P<write>[\d.]+) s, sync=(?P<sync>[\d.]+) s, total=(?P<total>[\d.]+) s; sync files=(?P<files>\d+), longest=(?P<longest>[\d.]+) s, average=[\d.]+ s; distance=(?P<distance>\d+) kB"
);
pattern!(TOO_FREQUENT, r"^checkpoints are occurring too frequently \((?P<apart>\d+) seconds? apart\)");
pattern!(
    VACUUM,
    r#"^automatic (?:aggressive )?vacuum (?P<wraparound>to prevent wraparound )?of table "(?P<table>[^"\n]*)""#
);
pattern!(ANALYZE, r#"^automatic analyze of table "(?P<table>[^"\n]*)""#);
pattern!(ELAPSED, r"elapsed: (?P<elapsed>[\d.]+) s");
pattern!(TUPLES, r"tuples: (?P<removed>\d+) removed, \d+ remain(?:, (?P<dead>\d+) are dead but not yet removable)?");
pattern!(BUFFERS, r"buffer usage: \d+ hits, (?P<read>\d+) (?:misses|reads), (?P<dirtied>\d+) dirtied");
pattern!(WAL_USAGE, r"WAL usage: \d+ records, \d+ full page images, (?P<bytes>\d+) bytes");
pattern!(
    LOCK,
    r"^process \d+ (?P<how>still waiting for|acquired) (?P<mode>\w+) on (?P<object>.*?) after (?P<ms>[\d.]+) ms"
);
pattern!(DURATION, r"^duration: (?P<ms>[\d.]+) ms(?:  |$)");
pattern!(TEMPORARY_FILE, r#"^temporary file: path "[^"]*", size (?P<bytes>\d+)"#);
pattern!(SETTING, r#"^parameter "(?P<name>[\w.]+)" (?:changed to|removed from configuration file)"#);

/// What the message is, if it is of a known kind or an error.
pub(super) fn event_of_record(record: &LogRecord) -> Option<LogEvent> {
    match record.severity {
        Severity::Error | Severity::Fatal | Severity::Panic => Some(error_event(record)),
        Severity::Log | Severity::Warning | Severity::Notice | Severity::Info | Severity::Debug => {
            let message = record.message.as_str();
            checkpoint_event(message)
                .or_else(|| autovacuum_event(message))
                .or_else(|| session_event(message))
                .or_else(|| server_event(message))
        }
    }
}

fn error_event(record: &LogRecord) -> LogEvent {
    match record.sqlstate.as_deref() {
        Some("40P01") => LogEvent::Deadlock,
        Some("53200") => LogEvent::OutOfMemory,
        None if record.message == "deadlock detected" => LogEvent::Deadlock,
        None if record.message == "out of memory" => LogEvent::OutOfMemory,
        sqlstate => LogEvent::Error { sqlstate: sqlstate.map(str::to_owned) },
    }
}

fn checkpoint_event(message: &str) -> Option<LogEvent> {
    if let Some(found) = CHECKPOINT_STARTING.captures(message) {
        let flags: Vec<&str> = found["flags"].split_whitespace().collect();
        let cause = match () {
            () if flags.contains(&"shutdown") => CheckpointCause::Shutdown,
            () if flags.contains(&"end-of-recovery") => CheckpointCause::Recovery,
            () if flags.contains(&"wal") => CheckpointCause::Wal,
            () if flags.contains(&"time") => CheckpointCause::Time,
            () => CheckpointCause::Requested,
        };
        let fast = flags.contains(&"immediate") || flags.contains(&"fast");
        return Some(LogEvent::CheckpointStarting { cause, fast });
    }
    if let Some(found) = TOO_FREQUENT.captures(message) {
        return Some(LogEvent::CheckpointsTooFrequent { apart_s: captured_number(&found, "apart")? });
    }
    let found = CHECKPOINT_COMPLETE.captures(message)?;
    Some(LogEvent::CheckpointComplete(Checkpoint {
        buffers_written: captured_number(&found, "buffers")?,
        wal_files_added: captured_number(&found, "added")?,
        wal_files_removed: captured_number(&found, "removed")?,
        wal_files_recycled: captured_number(&found, "recycled")?,
        write_us: captured_microseconds(&found, "write", 1e6)?,
        sync_us: captured_microseconds(&found, "sync", 1e6)?,
        total_us: captured_microseconds(&found, "total", 1e6)?,
        sync_files: captured_number(&found, "files")?,
        sync_longest_us: captured_microseconds(&found, "longest", 1e6)?,
        distance_bytes: captured_number(&found, "distance")?.checked_mul(1024)?,
    }))
}

fn autovacuum_event(message: &str) -> Option<LogEvent> {
    let elapsed = || captured_microseconds(&ELAPSED.captures(message)?, "elapsed", 1e6);
    if let Some(found) = ANALYZE.captures(message) {
        return Some(LogEvent::Analyze { table: found["table"].to_owned(), duration_us: elapsed() });
    }
    let found = VACUUM.captures(message)?;
    let tuples = TUPLES.captures(message);
    let buffers = BUFFERS.captures(message);
    Some(LogEvent::Vacuum(AutovacuumRun {
        table: found["table"].to_owned(),
        against_wraparound: found.name("wraparound").is_some(),
        duration_us: elapsed(),
        rows_removed: tuples.as_ref().and_then(|tuples| captured_number(tuples, "removed")),
        rows_not_removable: tuples.as_ref().and_then(|tuples| captured_number(tuples, "dead")),
        buffers_read: buffers.as_ref().and_then(|buffers| captured_number(buffers, "read")),
        buffers_dirtied: buffers.as_ref().and_then(|buffers| captured_number(buffers, "dirtied")),
        wal_bytes: WAL_USAGE.captures(message).and_then(|usage| captured_number(&usage, "bytes")),
    }))
}

fn session_event(message: &str) -> Option<LogEvent> {
    if let Some(found) = LOCK.captures(message) {
        // "tuple (0,1) of relation 16384 of database 5": the numbers say nothing to anybody later.
        let object = found["object"].split_whitespace().next()?.to_owned();
        let (mode, acquired) = (found["mode"].to_owned(), &found["how"] == "acquired");
        return Some(LogEvent::LockWait {
            mode,
            object,
            waited_us: captured_microseconds(&found, "ms", 1e3)?,
            acquired,
        });
    }
    if let Some(found) = TEMPORARY_FILE.captures(message) {
        return Some(LogEvent::TemporaryFile { bytes: captured_number(&found, "bytes")? });
    }
    let found = DURATION.captures(message)?;
    Some(LogEvent::SlowStatement { duration_us: captured_microseconds(&found, "ms", 1e3)? })
}

fn server_event(message: &str) -> Option<LogEvent> {
    if let Some(found) = SETTING.captures(message) {
        return Some(LogEvent::SettingChanged { name: found["name"].to_owned() });
    }
    let step = if message.starts_with("archive command failed") {
        return Some(LogEvent::ArchiveFailed);
    } else if message.starts_with("database system is ready to accept") {
        Lifecycle::Ready
    } else if message.starts_with("received ") && message.contains("shutdown request") {
        Lifecycle::ShutdownRequested
    } else if message.contains(" was terminated by signal ") || message.contains(" was terminated by exception ") {
        Lifecycle::ProcessDied
    } else if message.starts_with("all server processes terminated; reinitializing") {
        Lifecycle::Reinitializing
    } else if message.starts_with("database system was not properly shut down")
        || message.starts_with("database system was interrupted")
    {
        Lifecycle::Recovering
    } else {
        return None;
    };
    Some(LogEvent::Lifecycle { step })
}

fn captured_number(found: &Captures<'_>, name: &str) -> Option<u64> {
    found.name(name)?.as_str().parse().ok()
}

/// A decimal fraction in microseconds, `unit` of which are one of it.
fn captured_microseconds(found: &Captures<'_>, name: &str, unit: f64) -> Option<u64> {
    let value: f64 = found.name(name)?.as_str().parse().ok()?;
    Some((value * unit).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(severity: Severity, sqlstate: Option<&str>, message: &str, expected: Option<&LogEvent>) {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let sqlstate = sqlstate.map(str::to_owned);
        assert_eq!(
            event_of_record(&LogRecord { at, severity, sqlstate, message: message.to_owned() }).as_ref(),
            expected
        );
    }

    #[track_caller]
    fn check_log(message: &str, expected: &LogEvent) {
        check(Severity::Log, None, message, Some(expected));
    }

    #[test]
    fn a_checkpoint_begins_for_a_cause() {
        let check = |flags: &str, cause, fast| {
            check_log(&format!("checkpoint starting: {flags}"), &LogEvent::CheckpointStarting { cause, fast });
        };
        check("time", CheckpointCause::Time, false);
        check("wal", CheckpointCause::Wal, false);
        check("immediate force wait", CheckpointCause::Requested, true);
        check("fast force wait", CheckpointCause::Requested, true);
        check("shutdown immediate", CheckpointCause::Shutdown, true);
        check("end-of-recovery immediate wait", CheckpointCause::Recovery, true);
        check_log(
            "checkpoints are occurring too frequently (1 second apart)",
            &LogEvent::CheckpointsTooFrequent { apart_s: 1 },
        );
    }

    #[test]
    fn a_checkpoint_that_has_ended_is_read_in_the_words_of_every_version() {
        let complete = LogEvent::CheckpointComplete(Checkpoint {
            buffers_written: 3018,
            wal_files_added: 2,
            wal_files_removed: 1,
            wal_files_recycled: 33,
            write_us: 26_904_000,
            sync_us: 3_000,
            total_us: 26_950_000,
            sync_files: 12,
            sync_longest_us: 2_000,
            distance_bytes: 540_000 * 1024,
        });
        let rest = "2 WAL file(s) added, 1 removed, 33 recycled; write=26.904 s, sync=0.003 s, total=26.950 s; sync files=12, \
                    longest=0.002 s, average=0.001 s; distance=540000 kB, estimate=540000 kB";
        let of_14 = format!("checkpoint complete: wrote 3018 buffers (18.4%); {rest}");
        let of_18 = format!(
            "restartpoint complete: wrote 3018 buffers (18.4%), wrote 3 SLRU buffers; {rest}; lsn=0/1, redo lsn=0/1"
        );
        let of_19 = format!(
            "checkpoint complete: fast force wait: wrote 3018 buffers (18.4%), wrote 3 SLRU buffers; {rest}; lsn=0/01F1AF28, \
             redo lsn=0/01F1AED0"
        );
        for message in [of_14, of_18, of_19] {
            check_log(&message, &complete);
        }
    }

    #[test]
    fn autovacuum_tells_its_table_and_what_it_did() {
        let message = "automatic vacuum of table \"bench.public.pgbench_tellers\": index scans: 1\n\
            pages: 0 removed, 9 remain, 9 scanned (100.00% of total)\n\
            tuples: 31 removed, 100 remain, 7 are dead but not yet removable\n\
            buffer usage: 90 hits, 4 reads, 11 dirtied\n\
            WAL usage: 22 records, 9 full page images, 70123 bytes\n\
            system usage: CPU: user: 0.00 s, system: 0.00 s, elapsed: 0.25 s";
        let vacuum = AutovacuumRun {
            table: "bench.public.pgbench_tellers".to_owned(),
            against_wraparound: false,
            duration_us: Some(250_000),
            rows_removed: Some(31),
            rows_not_removable: Some(7),
            buffers_read: Some(4),
            buffers_dirtied: Some(11),
            wal_bytes: Some(70_123),
        };
        check_log(message, &LogEvent::Vacuum(vacuum.clone()));
        // Up to 16 the blocks that were read are "misses".
        check_log(&message.replace("4 reads", "4 misses"), &LogEvent::Vacuum(vacuum.clone()));
        let table = vacuum.table;
        let against_wraparound =
            AutovacuumRun { table: table.clone(), against_wraparound: true, ..AutovacuumRun::default() };
        check_log(
            &format!("automatic aggressive vacuum to prevent wraparound of table \"{table}\": index scans: 0"),
            &LogEvent::Vacuum(against_wraparound),
        );
        let analyzed =
            format!("automatic analyze of table \"{table}\"\nsystem usage: CPU: user: 0.0 s, elapsed: 0.01 s");
        check_log(&analyzed, &LogEvent::Analyze { table, duration_us: Some(10_000) });
    }

    #[test]
    fn sessions_wait_for_locks_take_long_and_spill() {
        let wait = |waited_us, acquired| LogEvent::LockWait {
            mode: "ShareLock".to_owned(),
            object: "transaction".to_owned(),
            waited_us,
            acquired,
        };
        check_log("process 1 still waiting for ShareLock on transaction 7 after 1000.061 ms", &wait(1_000_061, false));
        check_log("process 1 acquired ShareLock on transaction 7 after 2500.5 ms", &wait(2_500_500, true));
        let slow = LogEvent::SlowStatement { duration_us: 1_250 };
        check_log("duration: 1.250 ms  statement: SELECT 'secret'", &slow);
        check_log("duration: 1.250 ms", &slow);
        let file = "temporary file: path \"base/pgsql_tmp/pgsql_tmp7.0\", size 14000128";
        check_log(file, &LogEvent::TemporaryFile { bytes: 14_000_128 });
    }

    #[test]
    fn the_life_of_the_server_is_followed() {
        for (message, step) in [
            ("received fast shutdown request", Lifecycle::ShutdownRequested),
            ("server process (PID 9) was terminated by signal 9: Killed", Lifecycle::ProcessDied),
            ("all server processes terminated; reinitializing", Lifecycle::Reinitializing),
            ("database system was not properly shut down; automatic recovery in progress", Lifecycle::Recovering),
            ("database system is ready to accept connections", Lifecycle::Ready),
        ] {
            check_log(message, &LogEvent::Lifecycle { step });
        }
        check_log("archive command failed with exit code 1", &LogEvent::ArchiveFailed);
    }

    #[test]
    fn of_an_error_and_of_a_changed_setting_nothing_is_kept_that_could_be_secret() {
        let error = |sqlstate: Option<&str>| Some(LogEvent::Error { sqlstate: sqlstate.map(str::to_owned) });
        check(Severity::Error, Some("22012"), "division by zero", error(Some("22012")).as_ref());
        check(Severity::Fatal, None, "password authentication failed for user \"me\"", error(None).as_ref());
        check(Severity::Error, Some("40P01"), "deadlock detected", Some(&LogEvent::Deadlock));
        check(Severity::Error, None, "out of memory", Some(&LogEvent::OutOfMemory));
        check_log(
            "parameter \"primary_conninfo\" changed to \"password=secret\"",
            &LogEvent::SettingChanged { name: "primary_conninfo".to_owned() },
        );
        check(Severity::Log, None, "listening on IPv4 address \"127.0.0.1\", port 5432", None);
    }
}
