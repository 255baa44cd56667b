//! What happens while the load runs: progress lines, the log, the throughput of each second.

use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use load::{
    EngineEvent, LoadPhase, LogShape, OutageChange, PhaseSecond, StopRequest, TransactionLog, TransactionPace, Tries,
};
use outputs::pgbench::Instant;

use super::counts::{OptionalFigures, ProgressCounts};
use super::request::{LoggedLines, ProgressClock, Workload};
use measure::progress::print_to_stderr;
use problem::Problem;

/// Sees every event of a run.
pub(super) struct Watch {
    /// The job's start on the wall clock.
    started_at: SystemTime,
    shown: OptionalFigures,
    progress: Option<Every<ProgressClock>>,
    log: Option<Every<File>>,
    /// The log with a line for each transaction, which the engine writes.
    transactions: Option<TransactionLog>,
    /// The first lost connection ends the run.
    stop_on_outage: Option<StopRequest>,
    /// Of each measured second.
    throughput_per_s: Vec<f64>,
    /// Why a line of the log could not be written.
    unwritten: Option<std::io::Error>,
}

/// Seconds are added up until there are enough for a line.
struct Every<T> {
    seconds: u32,
    counts: ProgressCounts,
    to: T,
}

impl Watch {
    /// Begins to watch; makes the log's file.
    pub(super) fn new(workload: &Workload, stop: &StopRequest, quiet: bool) -> Result<Self, Problem> {
        let progress = workload.progress.filter(|_| !quiet);
        let shown = OptionalFigures {
            rate: matches!(workload.pace, TransactionPace::Open { .. }),
            limit: workload.latency_limit.is_some(),
            tries: workload.tries != Tries::default(),
        };
        let (log, transactions) = match &workload.log {
            None => (None, None),
            Some(log) => match log.lines {
                LoggedLines::Interval(interval_s) => (Some(create_log_file(&log.prefix, interval_s.get())?), None),
                LoggedLines::Transactions(sampling_rate) => {
                    let failures_detailed = workload.failures_detailed;
                    let shape = LogShape { sampling_rate, lag: shown.rate, retries: shown.tries, failures_detailed };
                    let made = TransactionLog::create_files(&log.prefix, workload.threads.get(), shape);
                    (None, Some(made.map_err(|(path, error)| not_made(&path, &error))?))
                }
            },
        };
        Ok(Self {
            started_at: SystemTime::now(),
            shown,
            progress: progress.map(|(s, clock)| Every {
                seconds: s.get(),
                counts: ProgressCounts::default(),
                to: clock,
            }),
            log,
            transactions,
            stop_on_outage: workload.exit_on_abort.then(|| stop.clone()),
            throughput_per_s: Vec::new(),
            unwritten: None,
        })
    }

    /// The log that the engine is to write.
    pub(super) fn transaction_log(&self) -> Option<TransactionLog> {
        self.transactions.clone()
    }

    /// Takes in an event.
    pub(super) fn handle_event(&mut self, event: &EngineEvent<'_>) {
        let EngineEvent::Second(second) = event else { return };
        if second.outages.iter().any(|change| matches!(change, OutageChange::Began { .. }))
            && let Some(stop) = &self.stop_on_outage
        {
            stop.request_stop();
        }
        if second.phase != LoadPhase::Measure || second.duration_ns == 0 {
            return;
        }
        self.throughput_per_s.push(second.total_latency().count() as f64 * 1e9 / second.duration_ns as f64);
        self.print_progress(second);
        self.write_log_line(second);
    }

    fn print_progress(&mut self, second: &PhaseSecond) {
        let Some(every) = &mut self.progress else { return };
        every.counts.add(second);
        if (second.index + 1).is_multiple_of(every.seconds) {
            let at = match every.to {
                ProgressClock::Elapsed => Instant::Elapsed(f64::from(second.index + 1)),
                ProgressClock::Unix => {
                    let end = Duration::from_nanos(second.start_ns + second.duration_ns);
                    Instant::Epoch(since_1970(self.started_at + end).as_secs_f64())
                }
            };
            print_to_stderr(&every.counts.progress_line(at, self.shown).to_string());
            every.counts = ProgressCounts::default();
        }
    }

    fn write_log_line(&mut self, second: &PhaseSecond) {
        let Some(every) = &mut self.log else { return };
        every.counts.add(second);
        if (second.index + 1).is_multiple_of(every.seconds) {
            let end = self.started_at + Duration::from_nanos(second.start_ns + second.duration_ns);
            let start_s = since_1970(end).as_secs().saturating_sub(u64::from(every.seconds));
            let written = writeln!(every.to, "{}", every.counts.aggregate_line(start_s));
            self.unwritten = self.unwritten.take().or(written.err());
            every.counts = ProgressCounts::default();
        }
    }

    /// The throughput of each second, once the run is over.
    pub(super) fn finish_watching(self) -> Result<Vec<f64>, Problem> {
        match self.unwritten.or(self.transactions.and_then(|log| log.first_write_error())) {
            None => Ok(self.throughput_per_s),
            Some(error) => Err(Problem::could_not_measure("could not write the log").detail(error.to_string())),
        }
    }
}

/// As pgbench names it: the prefix and the number of the process.
fn create_log_file(prefix: &str, seconds: u32) -> Result<Every<File>, Problem> {
    let path = format!("{prefix}.{}", std::process::id());
    let file = File::create_new(&path).map_err(|error| not_made(&path, &error))?;
    Ok(Every { seconds, counts: ProgressCounts::default(), to: file })
}

fn not_made(path: &str, error: &std::io::Error) -> Problem {
    Problem::could_not_measure(format!("could not create the log {path:?}"))
        .detail(error.to_string())
        .hint("choose another prefix with --log-prefix")
}

fn since_1970(instant: SystemTime) -> Duration {
    instant.duration_since(UNIX_EPOCH).unwrap_or_default()
}
