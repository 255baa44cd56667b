//! pgbench's progress lines (`-P`). Pure; printing a line gives the one that it was read from.

use crate::report_lines::parse_number_before;
use std::fmt;

/// One progress report: what happened since the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProgressLine {
    /// When.
    pub at: Instant,
    /// Successful transactions per second.
    pub tps: f64,
    /// Mean latency in milliseconds; 0 when nothing was processed.
    pub latency_ms: f64,
    /// Standard deviation of the latency in milliseconds; not a number where rounding made the variance negative.
    pub stddev_ms: f64,
    /// Failed transactions; absent before version 15.
    pub failed: Option<u64>,
    /// Mean schedule lag in milliseconds, with a rate.
    pub lag_ms: Option<f64>,
    /// Skipped transactions, with a rate and a latency limit.
    pub skipped: Option<u64>,
    /// Retried transactions and retries, where there could be some.
    pub retried: Option<(u64, u64)>,
}

/// The instant of a progress line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Instant {
    /// Seconds since the begin of the run.
    Elapsed(f64),
    /// Seconds since 1970, under `--progress-timestamp`.
    Epoch(f64),
}

impl ProgressLine {
    /// Reads a line of standard error.
    ///
    /// # Errors
    /// The line itself if it is none of progress.
    pub fn parse(line: &str) -> Result<ProgressLine, &str> {
        parse_progress_line(line).ok_or(line)
    }
}

fn parse_progress_line(line: &str) -> Option<ProgressLine> {
    let mut parts = line.strip_prefix("progress: ")?.split(", ");
    let at = parts.next()?.strip_suffix(" s")?;
    let tps = parse_number_before(parts.next()?, " tps")?;
    let (latency, stddev) = parts.next()?.strip_prefix("lat ")?.split_once(" ms stddev ")?;
    let mut line = ProgressLine {
        at: parse_instant(at)?,
        tps,
        latency_ms: latency.parse().ok()?,
        stddev_ms: stddev.parse().ok()?,
        failed: None,
        lag_ms: None,
        skipped: None,
        retried: None,
    };
    for part in parts {
        if let Some(failed) = parse_number_before(part, " failed") {
            line.failed = Some(failed);
        } else if let Some(lag) = part.strip_prefix("lag ").and_then(|part| parse_number_before(part, " ms")) {
            line.lag_ms = Some(lag);
        } else if let Some(skipped) = parse_number_before(part, " skipped") {
            line.skipped = Some(skipped);
        } else if let Some(retried) = parse_number_before(part, " retried") {
            line.retried = Some((retried, 0));
        } else {
            line.retried.as_mut()?.1 = parse_number_before(part, " retries")?;
        }
    }
    Some(line)
}

/// Elapsed time has one decimal, a timestamp three.
fn parse_instant(text: &str) -> Option<Instant> {
    let (_, decimals) = text.split_once('.')?;
    let seconds = text.parse().ok()?;
    match decimals.len() {
        1 => Some(Instant::Elapsed(seconds)),
        3 => Some(Instant::Epoch(seconds)),
        _ => None,
    }
}

impl fmt::Display for ProgressLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Instant::Elapsed(seconds) => write!(f, "progress: {seconds:.1} s")?,
            Instant::Epoch(seconds) => write!(f, "progress: {seconds:.3} s")?,
        }
        write!(f, ", {:.1} tps, lat {:.3} ms stddev {:.3}", self.tps, self.latency_ms, self.stddev_ms)?;
        if let Some(failed) = self.failed {
            write!(f, ", {failed} failed")?;
        }
        if let Some(lag) = self.lag_ms {
            write!(f, ", lag {lag:.3} ms")?;
        }
        if let Some(skipped) = self.skipped {
            write!(f, ", {skipped} skipped")?;
        }
        if let Some((retried, retries)) = self.retried {
            write!(f, ", {retried} retried, {retries} retries")?;
        }
        Ok(())
    }
}
