//! Transaction logs (`-l`) of runs that others made: totals, histograms and seconds in memory that grows with the
//! length of the run and not with the number of its transactions.
//!
//! Each thread of pgbench writes a file of its own; files are read apart, in parallel if one likes, and merged.

use super::log::{Columns, LoggedTransaction, TransactionOutcome, unreadable_line};
use crate::external::lines::for_each_line;
use crate::latency::TransactionLatency;
use outputs::UnreadableOutputLine;
use std::io::{self, Read};

/// The longest run that is taken for one: 31 days. Instants farther apart belong to two.
const SECONDS_AT_MOST: u64 = 31 * 86_400;

/// The most clients that are taken for one run's.
const CLIENTS_AT_MOST: usize = 1 << 20;

/// What the logs of one run tell.
#[derive(Debug)]
pub struct PgbenchTransactionLog {
    columns: Columns,
    /// Latencies of the completed transactions.
    pub latency: TransactionLatency,
    /// Their schedule lag, with a rate.
    pub lag: TransactionLatency,
    /// Transactions that failed.
    pub failed: u64,
    /// Those of them with a serialization failure, and with a deadlock.
    pub by_kind: (u64, u64),
    /// Transactions that were due and not begun.
    pub skipped: u64,
    /// Transactions that were tried more than once, and how often they were tried again.
    pub retried: (u64, u64),
    /// The number of the last transaction of each client, and how many of its lines there are.
    clients: Vec<Option<ClientLines>>,
    /// The first second, since 1970; none before a line was read.
    first_s: Option<u64>,
    /// Every second from the first one on.
    pub seconds: Vec<LogSecond>,
    /// The begin of the first transaction and the end of the last one, in microseconds since 1970.
    extent_us: Option<(u64, u64)>,
    /// Whether the last line of a file had no end and was left out.
    pub torn: bool,
}

/// Lines of one client.
#[derive(Debug, Clone, Copy)]
struct ClientLines {
    first: u64,
    last: u64,
    lines: u64,
}

/// What ended in one second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogSecond {
    /// Completed transactions.
    pub transactions: u64,
    /// Failed ones.
    pub failed: u64,
    /// Retried ones.
    pub retried: u64,
    /// Sum of the latencies of the completed ones, in microseconds.
    pub latency_sum_us: u64,
    /// The largest of them, in microseconds.
    pub latency_max_us: u64,
}

impl PgbenchTransactionLog {
    /// Nothing yet, of logs with these columns.
    pub fn new(columns: Columns) -> PgbenchTransactionLog {
        PgbenchTransactionLog {
            columns,
            latency: TransactionLatency::new(),
            lag: TransactionLatency::new(),
            failed: 0,
            by_kind: (0, 0),
            skipped: 0,
            retried: (0, 0),
            clients: Vec::new(),
            first_s: None,
            seconds: Vec::new(),
            extent_us: None,
            torn: false,
        }
    }

    /// Reads one file; a torn last line is left out.
    ///
    /// # Errors
    /// Those of the stream; in it, the first line that is no transaction of this run.
    pub fn read_stream(&mut self, stream: impl Read) -> io::Result<Result<(), UnreadableOutputLine>> {
        let (columns, mut wrong) = (self.columns, None);
        for_each_line(stream, |line| {
            let transaction = LoggedTransaction::parse(line.text, columns);
            if !line.ended && transaction.is_none() {
                self.torn = true;
                return true;
            }
            let added = transaction.and_then(|transaction| self.add(&transaction));
            if added.is_none() {
                wrong = Some(unreadable_line(&line));
            }
            added.is_some()
        })?;
        Ok(wrong.map_or(Ok(()), Err))
    }

    /// Counts one transaction; none if it cannot be of the same run.
    #[inline]
    fn add(&mut self, transaction: &LoggedTransaction) -> Option<()> {
        self.count_client_line(transaction)?;
        let (end_s, end_us) = transaction.ended_at;
        let end_us = end_s.checked_mul(1_000_000)?.checked_add(u64::from(end_us))?;
        let second = self.second_mut(end_s)?;
        let retries = transaction.retries.unwrap_or(0);
        second.retried += u64::from(retries > 0);
        self.retried.0 += u64::from(retries > 0);
        self.retried.1 += retries;
        let begun_us = match transaction.outcome {
            TransactionOutcome::Done(us) => {
                let second = self.second_mut(end_s)?;
                second.transactions += 1;
                second.latency_sum_us += us;
                second.latency_max_us = second.latency_max_us.max(us);
                self.latency.record(us * 1_000);
                if let Some(lag) = transaction.lag_us {
                    self.lag.record(lag * 1_000);
                }
                end_us.saturating_sub(us)
            }
            TransactionOutcome::Skipped => {
                self.skipped += 1;
                end_us
            }
            failure @ (TransactionOutcome::Failed
            | TransactionOutcome::Other
            | TransactionOutcome::Serialization
            | TransactionOutcome::Deadlock) => {
                self.second_mut(end_s)?.failed += 1;
                self.failed += 1;
                self.by_kind.0 += u64::from(failure == TransactionOutcome::Serialization);
                self.by_kind.1 += u64::from(failure == TransactionOutcome::Deadlock);
                end_us
            }
        };
        let (first, last) = self.extent_us.unwrap_or((begun_us, end_us));
        self.extent_us = Some((first.min(begun_us), last.max(end_us)));
        Some(())
    }

    #[inline]
    fn count_client_line(&mut self, transaction: &LoggedTransaction) -> Option<()> {
        let index = transaction.client as usize;
        if index >= self.clients.len() {
            if index >= CLIENTS_AT_MOST {
                return None;
            }
            self.clients.resize(index + 1, None);
        }
        let number = transaction.number;
        let client = self.clients[index].get_or_insert(ClientLines { first: number, last: number, lines: 0 });
        client.last = client.last.max(number);
        client.lines += 1;
        Some(())
    }

    /// The second, which may be before those so far: another thread's log began earlier.
    #[inline]
    fn second_mut(&mut self, at_s: u64) -> Option<&mut LogSecond> {
        let first = *self.first_s.get_or_insert(at_s);
        if at_s < first {
            let earlier = first - at_s;
            if earlier + self.seconds.len() as u64 > SECONDS_AT_MOST {
                return None;
            }
            self.seconds.splice(0..0, std::iter::repeat_n(LogSecond::default(), earlier as usize));
            self.first_s = Some(at_s);
            return self.seconds.first_mut();
        }
        let index = at_s - first;
        if index >= SECONDS_AT_MOST {
            return None;
        }
        if index as usize >= self.seconds.len() {
            self.seconds.resize(index as usize + 1, LogSecond::default());
        }
        self.seconds.get_mut(index as usize)
    }

    /// Adds another file of the same run; false if its instants are too far away to be of the same run.
    pub fn merge(&mut self, other: &PgbenchTransactionLog) -> bool {
        for (index, theirs) in other.seconds.iter().enumerate() {
            let Some(at_s) = other.first_s.map(|first| first + index as u64) else { break };
            let Some(ours) = self.second_mut(at_s) else { return false };
            ours.transactions += theirs.transactions;
            ours.failed += theirs.failed;
            ours.retried += theirs.retried;
            ours.latency_sum_us += theirs.latency_sum_us;
            ours.latency_max_us = ours.latency_max_us.max(theirs.latency_max_us);
        }
        if other.clients.len() > self.clients.len() {
            self.clients.resize(other.clients.len(), None);
        }
        for (ours, theirs) in self.clients.iter_mut().zip(&other.clients) {
            let Some(theirs) = theirs else { continue };
            let client = ours.get_or_insert(ClientLines { lines: 0, ..*theirs });
            client.first = client.first.min(theirs.first);
            client.last = client.last.max(theirs.last);
            client.lines += theirs.lines;
        }
        self.latency.merge(&other.latency);
        self.lag.merge(&other.lag);
        self.failed += other.failed;
        self.by_kind = (self.by_kind.0 + other.by_kind.0, self.by_kind.1 + other.by_kind.1);
        self.skipped += other.skipped;
        self.retried = (self.retried.0 + other.retried.0, self.retried.1 + other.retried.1);
        self.torn |= other.torn;
        if let Some((first, last)) = other.extent_us {
            let ours = self.extent_us.unwrap_or((first, last));
            self.extent_us = Some((ours.0.min(first), ours.1.max(last)));
        }
        true
    }

    /// Completed transactions.
    pub fn transaction_count(&self) -> u64 {
        self.latency.count()
    }

    /// Clients that have a line.
    pub fn client_count(&self) -> usize {
        self.clients.iter().flatten().count()
    }

    /// The share of transactions that was logged, where the clients' numbering has gaps (`--sampling-rate`); none where
    /// every transaction has its line.
    pub fn sampling_rate(&self) -> Option<f64> {
        let lines: u64 = self.clients.iter().flatten().map(|client| client.lines).sum();
        let numbered: u64 = self.clients.iter().flatten().map(|client| client.last - client.first + 1).sum();
        (numbered > lines).then(|| lines as f64 / numbered as f64)
    }

    /// The begin of the first transaction, in microseconds since 1970.
    pub fn begun_us(&self) -> Option<u64> {
        self.extent_us.map(|(first, _)| first)
    }

    /// From the begin of the first transaction to the end of the last one, in microseconds.
    pub fn length_us(&self) -> Option<u64> {
        self.extent_us.map(|(first, last)| last - first)
    }

    /// The first of [`seconds`](Self::seconds), since 1970.
    pub fn first_s(&self) -> Option<u64> {
        self.first_s
    }
}
