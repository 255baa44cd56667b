//! What happens while the load runs: progress lines, the aggregated log, the throughput of each second.

use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use load::external::pgbench::Instant;
use load::{Event, OutageChange, Pace, Phase, Second, Stop, Tries};

use super::counts::{Counts, Shown};
use super::request::{AggregatedLog, Clock, Workload};
use crate::problem::Problem;
use crate::progress::say;

/// Sees every event of a run.
pub(super) struct Watch {
    /// The job's start on the wall clock.
    started_at: SystemTime,
    shown: Shown,
    progress: Option<Every<Clock>>,
    log: Option<Every<File>>,
    /// The first lost connection ends the run.
    stop_on_outage: Option<Stop>,
    /// Of each measured second.
    throughput_per_s: Vec<f64>,
    /// Why a line of the log could not be written.
    unwritten: Option<std::io::Error>,
}

/// Seconds are added up until there are enough for a line.
struct Every<T> {
    seconds: u32,
    counts: Counts,
    to: T,
}

impl Watch {
    /// Begins to watch; makes the log's file.
    pub(super) fn new(workload: &Workload, stop: &Stop, quiet: bool) -> Result<Self, Problem> {
        let progress = workload.progress.filter(|_| !quiet);
        Ok(Self {
            started_at: SystemTime::now(),
            shown: Shown {
                rate: matches!(workload.pace, Pace::Open { .. }),
                limit: workload.latency_limit.is_some(),
                tries: workload.tries != Tries::default(),
            },
            progress: progress.map(|(s, clock)| Every { seconds: s.get(), counts: Counts::default(), to: clock }),
            log: workload.log.as_ref().map(create).transpose()?,
            stop_on_outage: workload.exit_on_abort.then(|| stop.clone()),
            throughput_per_s: Vec::new(),
            unwritten: None,
        })
    }

    /// Takes in an event.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        let Event::Second(second) = event else { return };
        if second.outages.iter().any(|change| matches!(change, OutageChange::Began { .. }))
            && let Some(stop) = &self.stop_on_outage
        {
            stop.request();
        }
        if second.phase != Phase::Measure || second.duration_ns == 0 {
            return;
        }
        self.throughput_per_s.push(second.latency().count() as f64 * 1e9 / second.duration_ns as f64);
        self.show(second);
        self.write(second);
    }

    fn show(&mut self, second: &Second) {
        let Some(every) = &mut self.progress else { return };
        every.counts.add(second);
        if (second.index + 1).is_multiple_of(every.seconds) {
            let at = match every.to {
                Clock::Elapsed => Instant::Elapsed(f64::from(second.index + 1)),
                Clock::Unix => {
                    let end = Duration::from_nanos(second.start_ns + second.duration_ns);
                    Instant::Epoch(since_1970(self.started_at + end).as_secs_f64())
                }
            };
            say(&every.counts.progress(at, self.shown).to_string());
            every.counts = Counts::default();
        }
    }

    fn write(&mut self, second: &Second) {
        let Some(every) = &mut self.log else { return };
        every.counts.add(second);
        if (second.index + 1).is_multiple_of(every.seconds) {
            let end = self.started_at + Duration::from_nanos(second.start_ns + second.duration_ns);
            let start_s = since_1970(end).as_secs().saturating_sub(u64::from(every.seconds));
            let written = writeln!(every.to, "{}", every.counts.aggregate(start_s));
            self.unwritten = self.unwritten.take().or(written.err());
            every.counts = Counts::default();
        }
    }

    /// The throughput of each second, once the run is over.
    pub(super) fn end(self) -> Result<Vec<f64>, Problem> {
        match self.unwritten {
            None => Ok(self.throughput_per_s),
            Some(error) => Err(Problem::could_not_measure("could not write the log").detail(error.to_string())),
        }
    }
}

/// As pgbench names it: the prefix and the number of the process.
fn create(log: &AggregatedLog) -> Result<Every<File>, Problem> {
    let path = format!("{}.{}", log.prefix, std::process::id());
    let file = File::create_new(&path).map_err(|error| {
        Problem::could_not_measure(format!("could not make the log {path:?}")).detail(error.to_string())
    })?;
    Ok(Every { seconds: log.interval_s.get(), counts: Counts::default(), to: file })
}

fn since_1970(instant: SystemTime) -> Duration {
    instant.duration_since(UNIX_EPOCH).unwrap_or_default()
}
