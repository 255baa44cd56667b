//! pgbench's transaction log (`-l`): one line for each transaction. A line is read and printed by pure functions; the
//! logs of one run are read from their directory into the engine's histograms. Logs of runs that others made are read
//! by `PgbenchTransactionLog`.

use super::Tool;
use crate::external::error::ExternalError;
use crate::external::lines::{FileLine, for_each_line};
use crate::job::EngineJob;
use crate::report::{OpenLoop, ScriptTotal};
use outputs::UnreadableOutputLine;
use std::fmt;
use std::fs::File;
use std::num::NonZeroU32;
use std::path::Path;
use work::Tries;

/// What the logs' names begin with.
pub(super) const PREFIX: &str = "log";

/// The columns that a line has only under certain options, by which alone they can be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// The schedule lag, with `--rate`.
    pub lag: bool,
    /// The number of retries, with a `--max-tries` other than 1.
    pub retries: bool,
}

/// One transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedTransaction {
    /// The client's number, from 0.
    pub client: u32,
    /// The client's how manieth transaction it is.
    pub number: u64,
    /// How it ended.
    pub outcome: TransactionOutcome,
    /// The script's number, from 0.
    pub script: u32,
    /// When it ended: seconds since 1970, and microseconds.
    pub ended_at: (u64, u32),
    /// How late it began, in microseconds.
    pub lag_us: Option<u64>,
    /// How often it was tried again.
    pub retries: Option<u64>,
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionOutcome {
    /// With success, after so many microseconds.
    Done(u64),
    /// It was too late to begin.
    Skipped,
    /// It failed, without detail.
    Failed,
    /// It failed with a serialization failure.
    Serialization,
    /// It failed with a deadlock.
    Deadlock,
    /// It failed otherwise; from version 19 on.
    Other,
}

/// The words for what is no latency.
const WORDS: [(&str, TransactionOutcome); 5] = [
    ("skipped", TransactionOutcome::Skipped),
    ("failed", TransactionOutcome::Failed),
    ("serialization", TransactionOutcome::Serialization),
    ("deadlock", TransactionOutcome::Deadlock),
    ("other", TransactionOutcome::Other),
];

impl LoggedTransaction {
    /// Reads a line, without its end; none if it does not have these columns. Looks at each byte once, since logs of
    /// gigabytes are read.
    #[inline]
    pub fn parse(line: &[u8], columns: Columns) -> Option<LoggedTransaction> {
        let mut fields = LogLineFields { rest: line };
        let transaction = LoggedTransaction {
            client: fields.next_number()?.try_into().ok()?,
            number: fields.next_number()?,
            outcome: fields.next_outcome()?,
            script: fields.next_number()?.try_into().ok()?,
            ended_at: (fields.next_number()?, fields.next_number()?.try_into().ok()?),
            lag_us: if columns.lag { Some(fields.next_number()?) } else { None },
            retries: if columns.retries { Some(fields.next_number()?) } else { None },
        };
        fields.rest.is_empty().then_some(transaction)
    }
}

/// The fields of a line that are still to be read, separated by single spaces.
struct LogLineFields<'a> {
    rest: &'a [u8],
}

impl LogLineFields<'_> {
    /// The next field as a number; none if it is none, or has more than 18 digits, which nothing counted here has.
    #[inline]
    fn next_number(&mut self) -> Option<u64> {
        let mut value = 0u64;
        let mut at = 0;
        for &byte in self.rest {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        if at == 0 || at > 18 {
            return None;
        }
        self.end_at(at)?;
        Some(value)
    }

    /// Goes past a field of so many bytes and the space behind it.
    #[inline]
    fn end_at(&mut self, at: usize) -> Option<()> {
        self.rest = match self.rest.get(at) {
            None => &[],
            // A space ends a field only if another one follows.
            Some(b' ') if self.rest.len() > at + 1 => &self.rest[at + 1..],
            Some(_) => return None,
        };
        Some(())
    }

    #[inline]
    fn next_outcome(&mut self) -> Option<TransactionOutcome> {
        if self.rest.first().is_some_and(u8::is_ascii_digit) {
            return self.next_number().map(TransactionOutcome::Done);
        }
        let (word, outcome) = WORDS.iter().find(|(word, _)| self.rest.starts_with(word.as_bytes()))?;
        self.end_at(word.len())?;
        Some(*outcome)
    }
}

impl fmt::Display for LoggedTransaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ", self.client, self.number)?;
        match self.outcome {
            TransactionOutcome::Done(us) => write!(f, "{us}")?,
            TransactionOutcome::Skipped
            | TransactionOutcome::Failed
            | TransactionOutcome::Serialization
            | TransactionOutcome::Deadlock
            | TransactionOutcome::Other => {
                let word = WORDS.iter().find(|(_, outcome)| *outcome == self.outcome);
                f.write_str(word.map_or("", |(word, _)| word))?;
            }
        }
        write!(f, " {} {} {}", self.script, self.ended_at.0, self.ended_at.1)?;
        if let Some(lag) = self.lag_us {
            write!(f, " {lag}")?;
        }
        self.retries.map_or(Ok(()), |retries| write!(f, " {retries}"))
    }
}

/// All transactions of one run.
#[derive(Debug)]
pub(super) struct TransactionRecords {
    /// By script, in the order of the job.
    pub(super) scripts: Vec<ScriptTotal>,
    pub(super) serialization: u64,
    pub(super) deadlock: u64,
    /// With a rate. What a transaction waited for pgbench does not tell; all its lag counts as waiting for a client.
    pub(super) open: Option<OpenLoop>,
    limit_us: Option<u64>,
}

impl TransactionRecords {
    fn new(job: &EngineJob) -> TransactionRecords {
        TransactionRecords {
            scripts: job.scripts.iter().map(|script| ScriptTotal::new(script.script.name().to_owned())).collect(),
            serialization: 0,
            deadlock: 0,
            open: columns_of_job(job).lag.then(OpenLoop::new),
            limit_us: job.latency_limit.map(|limit| limit.as_micros() as u64),
        }
    }

    /// Counts one transaction; none if its script is none of the job's.
    fn add(&mut self, transaction: &LoggedTransaction) -> Option<()> {
        let script = self.scripts.get_mut(transaction.script as usize)?;
        let retries = transaction.retries.unwrap_or(0);
        script.retried += u64::from(retries > 0);
        script.retries += retries;
        if let Some(open) = &mut self.open {
            open.offered += 1;
        }
        match transaction.outcome {
            TransactionOutcome::Done(us) => {
                script.latency.record(us * 1_000);
                script.late += u64::from(self.limit_us.is_some_and(|limit| us > limit));
                if let (Some(open), Some(lag_us)) = (&mut self.open, transaction.lag_us) {
                    open.service.record(us.saturating_sub(lag_us) * 1_000);
                    open.lag_queued.record(lag_us * 1_000);
                }
            }
            TransactionOutcome::Skipped => self.open.as_mut()?.skipped += 1,
            TransactionOutcome::Failed | TransactionOutcome::Other => script.failed += 1,
            TransactionOutcome::Serialization => {
                script.failed += 1;
                self.serialization += 1;
            }
            TransactionOutcome::Deadlock => {
                script.failed += 1;
                self.deadlock += 1;
            }
        }
        Some(())
    }
}

/// The columns of a job's log.
fn columns_of_job(job: &EngineJob) -> Columns {
    Columns { lag: job.pace.is_open(), retries: job.tries != Tries::AtMost(NonZeroU32::MIN) }
}

/// Reads the logs that pgbench wrote for `job` into `directory`, one for each thread, and removes them.
pub(super) fn read_and_remove(directory: &Path, job: &EngineJob) -> Result<TransactionRecords, ExternalError> {
    let mut log = TransactionRecords::new(job);
    let columns = columns_of_job(job);
    for entry in std::fs::read_dir(directory).map_err(ExternalError::system_error("look for pgbench's log"))? {
        let path = entry.map_err(ExternalError::system_error("look for pgbench's log"))?.path();
        if path.file_stem().is_none_or(|stem| !stem.to_string_lossy().starts_with(PREFIX)) {
            continue;
        }
        let file = File::open(&path).map_err(ExternalError::system_error("open pgbench's log"))?;
        read_log_file(file, columns, &mut log)?;
        std::fs::remove_file(&path).map_err(ExternalError::system_error("remove pgbench's log"))?;
    }
    Ok(log)
}

/// What is wrong with a line that is no transaction.
pub(super) fn unreadable_line(line: &FileLine<'_>) -> UnreadableOutputLine {
    let found = String::from_utf8_lossy(&line.text[..line.text.len().min(80)]).into_owned();
    UnreadableOutputLine { line: line.number, expected: "a logged transaction".to_owned(), found }
}

fn read_log_file(file: File, columns: Columns, log: &mut TransactionRecords) -> Result<(), ExternalError> {
    let mut wrong = None;
    let read = for_each_line(file, |line| {
        let transaction = LoggedTransaction::parse(line.text, columns);
        let added = transaction.and_then(|transaction| log.add(&transaction));
        if added.is_none() {
            wrong = Some(unreadable_line(&line));
        }
        added.is_some()
    });
    read.map_err(ExternalError::system_error("read pgbench's log"))?;
    wrong.map_or(Ok(()), |source| Err(ExternalError::Unreadable { tool: Tool::Pgbench, source }))
}
