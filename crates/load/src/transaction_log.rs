//! A line for each transaction, as `pgbench -l` writes it: `client number time script epoch us [lag] [retries]`.
//!
//! One file for each thread, as pgbench names them. Transactions of the measurement phase have a line, failed ones
//! included; arrivals that were skipped have none, since no client takes them. Lines are collected and written by the
//! thread whose clients they are about, 64 KiB at a time: the file system can hold the load up, as it does pgbench's.

use crate::engine::TransactionStart;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use wire::SqlState;
use work::Random;

/// So much is written at a time.
const CHUNK_BYTES: usize = 64 << 10;
/// No line is longer: eight numbers of at most 20 digits.
const LINE_BYTES: usize = 192;

/// What a line tells beside what every line does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogShape {
    /// The share of the transactions that have a line, above 0 and at most 1.
    pub sampling_rate: f64,
    /// How late a transaction began: in an open loop.
    pub lag: bool,
    /// How often it was tried again: where it may be.
    pub retries: bool,
    /// Failures are told by their kind.
    pub failures_detailed: bool,
}

/// The log of a run. Clones are of the same log.
#[derive(Debug, Clone)]
pub struct TransactionLog(Arc<SharedLogFiles>);

#[derive(Debug)]
struct SharedLogFiles {
    shape: LogShape,
    files: Mutex<Vec<Option<File>>>,
    unwritten: Mutex<Option<io::Error>>,
}

impl TransactionLog {
    /// Makes the files: `PREFIX.PID`, and `PREFIX.PID.N` for each further thread.
    ///
    /// # Errors
    /// When one cannot be made, or is there: with its name.
    pub fn create_files(prefix: &str, threads: u32, shape: LogShape) -> Result<TransactionLog, (String, io::Error)> {
        let pid = std::process::id();
        let name = |thread: u32| match thread {
            0 => format!("{prefix}.{pid}"),
            more => format!("{prefix}.{pid}.{more}"),
        };
        let files = (0..threads)
            .map(|thread| File::create_new(name(thread)).map(Some).map_err(|error| (name(thread), error)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(TransactionLog(Arc::new(SharedLogFiles { shape, files: Mutex::new(files), unwritten: Mutex::new(None) })))
    }

    /// Why lines are missing, once the run is over; none where none are.
    pub fn first_write_error(&self) -> Option<io::Error> {
        self.0.unwritten.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The part of one thread, whose clients have these numbers on the thread and in the run; `start` is the instant
    /// from which the engine counts its time.
    pub(crate) fn of_thread(&self, thread: usize, clients: ThreadClients, start: SystemTime) -> Option<ThreadLog> {
        let file = self.0.files.lock().unwrap_or_else(PoisonError::into_inner).get_mut(thread)?.take()?;
        let start = start.duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(ThreadLog {
            log: self.clone(),
            file,
            lines: Vec::with_capacity(CHUNK_BYTES + LINE_BYTES),
            ended: vec![0; clients.count],
            clients,
            start,
            random: Random::new(thread as u64),
        })
    }
}

/// The clients of one thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadClients {
    /// The number of the first on the thread.
    pub(crate) first_index: u32,
    /// Its number in the run.
    pub(crate) first_number: u32,
    pub(crate) count: usize,
}

/// A transaction that has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EndedTransactionRecord<'a> {
    /// The client's number on its thread.
    pub(crate) index: u32,
    pub(crate) script: usize,
    pub(crate) start: &'a TransactionStart,
    pub(crate) end_ns: u64,
    pub(crate) retries: u32,
    pub(crate) failure: Option<SqlState>,
}

/// What one thread writes.
#[derive(Debug)]
pub(crate) struct ThreadLog {
    log: TransactionLog,
    file: File,
    lines: Vec<u8>,
    /// Transactions of each client so far.
    ended: Vec<u64>,
    clients: ThreadClients,
    /// The engine's start since 1970.
    start: Duration,
    /// Which transactions have a line.
    random: Random,
}

impl ThreadLog {
    /// Adds a line, unless this transaction is none of the sample.
    pub(crate) fn add(&mut self, ended: &EndedTransactionRecord<'_>) {
        let place = (ended.index - self.clients.first_index) as usize;
        self.ended[place] += 1;
        let shape = self.log.0.shape;
        if shape.sampling_rate < 1.0 && self.random.next_unit() > shape.sampling_rate {
            return;
        }
        let at = self.start + Duration::from_nanos(ended.end_ns);
        let lines = &mut self.lines;
        append_decimal(lines, u64::from(self.clients.first_number) + place as u64);
        append_next_field(lines, self.ended[place]);
        match ended.failure {
            None => append_next_field(lines, (ended.end_ns - ended.start.scheduled_ns) / 1000),
            Some(sqlstate) => {
                lines.push(b' ');
                lines.extend_from_slice(failure_kind(sqlstate, shape.failures_detailed).as_bytes());
            }
        }
        append_next_field(lines, ended.script as u64);
        append_next_field(lines, at.as_secs());
        append_next_field(lines, u64::from(at.subsec_micros()));
        if shape.lag {
            append_next_field(lines, ended.start.lag_ns() / 1000);
        }
        if shape.retries {
            append_next_field(lines, u64::from(ended.retries));
        }
        lines.push(b'\n');
        if lines.len() >= CHUNK_BYTES {
            self.write_lines();
        }
    }

    #[cold]
    fn write_lines(&mut self) {
        if let Err(error) = self.file.write_all(&self.lines) {
            self.log.0.unwritten.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        self.lines.clear();
    }
}

impl Drop for ThreadLog {
    fn drop(&mut self) {
        self.write_lines();
    }
}

/// What pgbench calls a failure.
fn failure_kind(sqlstate: SqlState, detailed: bool) -> &'static str {
    match sqlstate.as_str() {
        "40001" if detailed => "serialization",
        "40P01" if detailed => "deadlock",
        _ => "failed",
    }
}

fn append_next_field(lines: &mut Vec<u8>, value: u64) {
    lines.push(b' ');
    append_decimal(lines, value);
}

fn append_decimal(lines: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    lines.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: LogShape = LogShape { sampling_rate: 1.0, lag: false, retries: false, failures_detailed: false };

    fn written(shape: LogShape, ended: &[EndedTransactionRecord<'_>]) -> String {
        let directory = tempfile::tempdir().expect("a directory");
        let prefix = directory.path().join("log").display().to_string();
        let log = TransactionLog::create_files(&prefix, 1, shape).expect("files");
        let clients = ThreadClients { first_index: 0, first_number: 4, count: 2 };
        let mut thread = log.of_thread(0, clients, UNIX_EPOCH + Duration::from_secs(1_700_000_000)).expect("its file");
        ended.iter().for_each(|ended| thread.add(ended));
        drop(thread);
        assert!(log.first_write_error().is_none());
        std::fs::read_to_string(format!("{prefix}.{}", std::process::id())).expect("the log")
    }

    fn ended<'a>(start: &'a TransactionStart, failure: Option<&[u8; 5]>) -> EndedTransactionRecord<'a> {
        let failure = failure.map(|code| SqlState::from_bytes(code).expect("a code"));
        EndedTransactionRecord { index: 1, script: 2, start, end_ns: 3_000_004_999, retries: 3, failure }
    }

    #[test]
    fn a_line_is_as_pgbench_writes_it() {
        let start = TransactionStart::at_once(1_000_000_000);
        assert_eq!(
            written(SHAPE, &[ended(&start, None), ended(&start, None)]),
            "5 1 2000004 2 1700000003 4\n5 2 2000004 2 1700000003 4\n"
        );
        let more = LogShape { lag: true, retries: true, ..SHAPE };
        assert_eq!(written(more, &[ended(&start, None)]), "5 1 2000004 2 1700000003 4 0 3\n");
    }

    #[test]
    fn a_failure_has_its_kind_in_the_place_of_the_time_where_that_is_asked_for() {
        let start = TransactionStart::at_once(1_000_000_000);
        let detailed = LogShape { failures_detailed: true, ..SHAPE };
        for (shape, code, word) in
            [(SHAPE, b"40001", "failed"), (detailed, b"40001", "serialization"), (detailed, b"40P01", "deadlock")]
        {
            assert_eq!(written(shape, &[ended(&start, Some(code))]), format!("5 1 {word} 2 1700000003 4\n"));
        }
    }

    #[test]
    fn a_sample_numbers_transactions_as_the_whole_does() {
        let start = TransactionStart::at_once(1_000_000_000);
        let sampled = written(LogShape { sampling_rate: 0.1, ..SHAPE }, &vec![ended(&start, None); 1000]);
        let numbers: Vec<u64> =
            sampled.lines().map(|line| line.split(' ').nth(1).expect("a number").parse().expect("a number")).collect();
        assert!((60..140).contains(&numbers.len()) && numbers.is_sorted(), "{numbers:?}");
        assert!(numbers.last().is_some_and(|last| *last > 900), "{numbers:?}");
    }
}
