//! pgbench's logs: of transactions (`-l`) and of intervals (`--aggregate-interval`), of any size.

use std::io::{BufRead, Read};

use load::TransactionLatency;
use load::external::pgbench::{Columns, LogSecond, PgbenchTransactionLog};
use outputs::pgbench::{Aggregate, Moments, Troubles};
use results::told::{LatencySpread, StatedCommon, StatedDetail, StatedFigures, ToldLatency};

use super::found::{
    AggregateFile, FileContent, FoundCommon, FoundInterval, FoundTrial, ImportedDocument, LogFile, TrialPart,
};
use super::source_file::SourceFile;
use problem::Problem;

/// From this on the first number of a line is an instant and not a client: 1973.
const INSTANT: u64 = 100_000_000;

/// What the lines of a log are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PgbenchLogKind {
    /// Transactions, with so many columns.
    Transactions(usize),
    /// Intervals.
    Aggregates,
}

/// What kind of log begins like this.
pub(crate) fn recognise_log_kind(head: &str) -> Option<PgbenchLogKind> {
    let line = head.lines().next()?.trim_end();
    let fields: Vec<&str> = line.split(' ').collect();
    let first: u64 = fields.first()?.parse().ok()?;
    let word = |field: &&str| field.parse::<u64>().is_err();
    match fields.len() {
        _ if first >= INSTANT => Aggregate::parse(line).map(|_| PgbenchLogKind::Aggregates),
        columns @ 6..=8 => {
            // Only the latency may be a word.
            let others = fields.iter().enumerate().filter(|(index, _)| *index != 2);
            (!others.map(|(_, field)| field).any(word)).then_some(PgbenchLogKind::Transactions(columns))
        }
        _ => None,
    }
}

/// The columns of a log of transactions, and whether that is certain: a seventh is the lag of an open loop or the
/// retries, which the log alone does not tell. `retries` is what the reports of the same import tell.
pub(crate) fn transaction_log_columns(count: usize, retries: Option<bool>) -> (Columns, bool) {
    match (count, retries) {
        (6, _) => (Columns { lag: false, retries: false }, true),
        (7, Some(retries)) => (Columns { lag: !retries, retries }, true),
        (7, None) => (Columns { lag: true, retries: false }, false),
        _ => (Columns { lag: true, retries: true }, true),
    }
}

/// Which run a log is of: files of one run have names that differ in the thread's number only.
fn run_of(file: &SourceFile) -> String {
    let name = file.display_name();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let mut parts: Vec<&str> = name.split('.').collect();
    // `pgbench_log.1234` and `pgbench_log.1234.1`.
    if parts.len() > 2 && is_whole_number(parts[parts.len() - 1]) && is_whole_number(parts[parts.len() - 2]) {
        parts.pop();
    }
    parts.join(".")
}

fn is_whole_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

/// Reads a log of transactions; `columns` as [`transaction_log_columns`] tells them.
///
/// # Errors
/// At the first line that is none of the log.
pub(crate) fn read_transactions(
    file: &SourceFile,
    stream: impl Read,
    (columns, lag_is_known): (Columns, bool),
) -> Result<ImportedDocument, Problem> {
    let mut log = PgbenchTransactionLog::new(columns);
    log.read_stream(stream).map_err(|error| file.unreadable_file_problem(&error))?.map_err(|wrong| {
        let understood = format!("{} lines before it were read as logged transactions", wrong.line - 1);
        file.problem_at_line(wrong.line, format!("expected {}, found {:?}", wrong.expected, wrong.found))
            .detail(understood)
    })?;
    let mut notes = Vec::new();
    if log.torn {
        notes.push("its last line is truncated and was ignored".to_owned());
    }
    if !lag_is_known {
        notes.push(
            "its seventh column is the schedule lag or retries; without pgbench's output it is ignored".to_owned(),
        );
    }
    let log = LogFile { run: run_of(file), log: Box::new(log), lag_is_known };
    Ok(ImportedDocument {
        file: file.clone(),
        tool: "pgbench",
        version: None,
        notes,
        content: FileContent::Transactions(log),
    })
}

/// The trial that the logs of one run tell.
pub(crate) fn trial_from_log(log: &PgbenchTransactionLog, lag_is_known: bool) -> FoundTrial {
    let seconds_s = log.length_us().map(|us| us as f64 / 1e6).filter(|seconds| *seconds > 0.0);
    let share = log.sampling_rate().unwrap_or(1.0);
    let begun_us = log.begun_us().unwrap_or(0);
    let length_us = log.length_us().unwrap_or(0);
    let first_us = log.first_s().unwrap_or(0) * 1_000_000;
    let seconds = log.seconds.iter().enumerate();
    let interval = |(index, second): (usize, &LogSecond)| {
        // The first and the last second are cut by the run's begin and end.
        let start = (first_us + index as u64 * 1_000_000).max(begun_us);
        let end = (first_us + (index as u64 + 1) * 1_000_000).min(begun_us + length_us);
        FoundInterval {
            start_us: start - begun_us,
            duration_us: end.saturating_sub(start),
            transactions: (second.transactions as f64 / share).round() as u64,
            failed: second.failed,
            late: 0,
            retried: second.retried,
            latency: latency_of_second(second),
        }
    };
    let transactions = (log.transaction_count() as f64 / share).round() as u64;
    let common = FoundCommon {
        part: TrialPart::Log,
        is_estimate: log.sampling_rate().is_some() || log.torn,
        clients: u32::try_from(log.client_count()).ok().filter(|clients| *clients > 0),
        started_s: Some(begun_us as f64 / 1e6),
        seconds: seconds.map(interval).filter(|second| second.duration_us > 0).collect(),
        ..FoundCommon::default()
    };
    let of_log = StatedCommon {
        tool: Some("pgbench".to_owned()),
        skipped: (log.skipped > 0).then_some(log.skipped),
        retried: (log.retried.0 > 0).then_some(log.retried.0),
        retries: (log.retried.1 > 0).then_some(log.retried.1),
        lag: if lag_is_known { latency_figures(&log.lag) } else { ToldLatency::default() },
        ..StatedCommon::default()
    };
    let detail = StatedDetail {
        common: of_log.into(),
        duration_s: seconds_s,
        failed: Some(log.failed),
        ..StatedDetail::default()
    };
    FoundTrial {
        line: 1,
        common: common.into(),
        told: StatedFigures {
            detail: detail.into(),
            throughput_per_s: seconds_s.map(|seconds| transactions as f64 / seconds),
            transactions: Some(transactions),
            latency: latency_figures(&log.latency),
        },
        ..FoundTrial::default()
    }
}

fn latency_of_second(second: &LogSecond) -> ToldLatency {
    if second.transactions == 0 {
        return ToldLatency::default();
    }
    let mean_ns = second.latency_sum_us as f64 * 1e3 / second.transactions as f64;
    let max_ns = second.latency_max_us as f64 * 1e3;
    ToldLatency::with_spread(Some(mean_ns), LatencySpread { max_ns: Some(max_ns), ..LatencySpread::default() })
}

/// All figures of a histogram.
pub(crate) fn latency_figures(latency: &TransactionLatency) -> ToldLatency {
    let percentiles = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];
    let spread = LatencySpread {
        stddev_ns: latency.stddev_ns(),
        min_ns: latency.quantile_ns(0.0).map(|ns| ns as f64),
        max_ns: latency.quantile_ns(1.0).map(|ns| ns as f64),
        percentiles_ns: percentiles
            .into_iter()
            .filter_map(|(name, quantile)| Some((name.to_owned(), latency.quantile_ns(quantile)? as f64)))
            .collect(),
    };
    ToldLatency::with_spread(latency.mean_ns(), spread)
}

/// Reads a log of intervals.
///
/// # Errors
/// At the first line that is none, or an interval that does not follow.
pub(crate) fn read_aggregates(file: &SourceFile, reader: impl BufRead) -> Result<ImportedDocument, Problem> {
    let mut rows: Vec<Aggregate> = Vec::new();
    let mut notes = Vec::new();
    let mut lines = reader.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let line = line.map_err(|error| file.unreadable_file_problem(&error))?;
        match Aggregate::parse(line.trim_end()) {
            Some(row) if rows.last().is_some_and(|last| row.start_s <= last.start_s) => {
                let what = format!("the interval at {} s is not later than the previous one", row.start_s);
                return Err(file.problem_at_line(index + 1, what).hint("use one file for each thread and run"));
            }
            Some(row) => rows.push(row),
            None if lines.peek().is_none() && !rows.is_empty() => {
                notes.push("its last line is truncated and was ignored".to_owned());
            }
            None => {
                let what = format!("expected an interval of an aggregated log, found {line:?}");
                return Err(file
                    .problem_at_line(index + 1, what)
                    .detail(format!("{} intervals were read before it", rows.len())));
            }
        }
    }
    let content = FileContent::Aggregates(AggregateFile { run: run_of(file), rows });
    Ok(ImportedDocument { file: file.clone(), tool: "pgbench", version: None, notes, content })
}

/// Adds the intervals of another thread of the same run.
pub(crate) fn add_aggregates(rows: &mut Vec<Aggregate>, others: &[Aggregate]) {
    for other in others {
        match rows.iter_mut().find(|row| row.start_s == other.start_s) {
            None => rows.push(*other),
            Some(row) => {
                row.latency = match (row.transactions, other.transactions) {
                    (_, 0) => row.latency,
                    (0, _) => other.latency,
                    _ => sum_of_moments(row.latency, other.latency),
                };
                row.transactions += other.transactions;
                row.lag = row.lag.zip(other.lag).map(|(ours, theirs)| sum_of_moments(ours, theirs));
                row.skipped = row.skipped.zip(other.skipped).map(|(ours, theirs)| ours + theirs);
                row.troubles = row.troubles.zip(other.troubles).map(|(ours, theirs)| Troubles {
                    retried: ours.retried + theirs.retried,
                    retries: ours.retries + theirs.retries,
                    serialization: ours.serialization + theirs.serialization,
                    deadlock: ours.deadlock + theirs.deadlock,
                    other: ours.other.zip(theirs.other).map(|(ours, theirs)| ours + theirs),
                });
            }
        }
    }
    rows.sort_by_key(|row| row.start_s);
}

fn sum_of_moments(ours: Moments, theirs: Moments) -> Moments {
    Moments {
        sum: ours.sum + theirs.sum,
        sum_squares: ours.sum_squares + theirs.sum_squares,
        min: ours.min.min(theirs.min),
        max: ours.max.max(theirs.max),
    }
}

/// The trial that intervals tell.
pub(crate) fn of_aggregates(rows: &[Aggregate]) -> FoundTrial {
    let first_s = rows.first().map_or(0, |row| row.start_s);
    let steps = rows.windows(2).map(|pair| pair[1].start_s - pair[0].start_s);
    let step_s = steps.min().unwrap_or(1);
    let sum = |read: fn(&Aggregate) -> Option<u64>| rows.iter().map(read).sum::<Option<u64>>();
    let transactions: u64 = rows.iter().map(|row| row.transactions).sum();
    let failed = |row: &Aggregate| {
        row.troubles.map(|troubles| troubles.serialization + troubles.deadlock + troubles.other.unwrap_or(0))
    };
    let interval = |row: &Aggregate| FoundInterval {
        start_us: (row.start_s - first_s) * 1_000_000,
        duration_us: step_s * 1_000_000,
        transactions: row.transactions,
        failed: failed(row).unwrap_or(0),
        late: 0,
        retried: row.troubles.map_or(0, |troubles| troubles.retried),
        latency: of_moments(&[(row.transactions, row.latency)]),
    };
    // The last interval is cut where the run ended, which is not told.
    let length_s = (rows.len() > 1).then(|| rows.last().map_or(0, |last| last.start_s - first_s) as f64);
    let whole: u64 = rows.iter().rev().skip(1).map(|row| row.transactions).sum();
    let lags: Option<Vec<(u64, Moments)>> = rows.iter().map(|row| Some((row.transactions, row.lag?))).collect();
    let lags = lags.filter(|lags| lags.iter().any(|(_, lag)| lag.max > 0));
    let common = FoundCommon {
        part: TrialPart::Log,
        // pgbench writes an interval when the next one begins.
        left_out_s: Some(step_s as f64),
        started_s: Some(first_s as f64),
        seconds: rows.iter().map(interval).collect(),
        ..FoundCommon::default()
    };
    let of_log = StatedCommon {
        tool: Some("pgbench".to_owned()),
        skipped: sum(|row| row.skipped).filter(|skipped| *skipped > 0),
        lag: lags.map_or_else(ToldLatency::default, |lags| of_moments(&lags)),
        ..StatedCommon::default()
    };
    let failed = sum(|row| {
        row.troubles.map(|troubles| troubles.serialization + troubles.deadlock + troubles.other.unwrap_or(0))
    });
    let detail = StatedDetail { common: of_log.into(), duration_s: length_s, failed, ..StatedDetail::default() };
    FoundTrial {
        line: 1,
        common: common.into(),
        told: StatedFigures {
            detail: detail.into(),
            throughput_per_s: length_s.filter(|length| *length > 0.0).map(|length| whole as f64 / length),
            transactions: Some(transactions),
            latency: of_moments(&rows.iter().map(|row| (row.transactions, row.latency)).collect::<Vec<_>>()),
        },
        ..FoundTrial::default()
    }
}

/// Mean, deviation and extremes of sums over intervals; nothing where nothing was processed.
fn of_moments(rows: &[(u64, Moments)]) -> ToldLatency {
    let rows: Vec<&(u64, Moments)> = rows.iter().filter(|(count, _)| *count > 0).collect();
    let count: u64 = rows.iter().map(|(count, _)| count).sum();
    if count == 0 {
        return ToldLatency::default();
    }
    let n = count as f64;
    let sum = rows.iter().map(|(_, moments)| moments.sum).sum::<u128>() as f64;
    let squares = rows.iter().map(|(_, moments)| moments.sum_squares).sum::<u128>() as f64;
    let mean = sum / n;
    let spread = LatencySpread {
        stddev_ns: Some((squares / n - mean * mean).max(0.0).sqrt() * 1e3),
        min_ns: rows.iter().map(|(_, moments)| moments.min).min().map(|us| us as f64 * 1e3),
        max_ns: rows.iter().map(|(_, moments)| moments.max).max().map(|us| us as f64 * 1e3),
        ..LatencySpread::default()
    };
    ToldLatency::with_spread(Some(mean * 1e3), spread)
}
