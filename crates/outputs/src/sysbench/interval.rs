//! sysbench's intermediate reports (`--report-interval`). Pure; printing a line gives the one that it was read from.

use crate::report_lines::parse_number_before;
use std::fmt;

/// One intermediate report: what happened since the one before, per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntervalLine {
    /// Seconds since the begin of the run.
    pub elapsed_s: u64,
    /// Threads at work.
    pub threads: u32,
    /// Events.
    pub tps: f64,
    /// Queries, and those that read, that wrote and that did neither.
    pub qps: (f64, [f64; 3]),
    /// The percentile of the latency in milliseconds, and which it is; 0 if switched off.
    pub latency_ms: (u32, f64),
    /// Ignored errors.
    pub errors: f64,
    pub reconnects: f64,
}

impl IntervalLine {
    /// Reads a line of standard output; none if it is not an intermediate report.
    pub fn parse(line: &str) -> Option<IntervalLine> {
        let (elapsed, rest) = line.strip_prefix("[ ")?.split_once("s ] thds: ")?;
        let (threads, rest) = rest.split_once(" tps: ")?;
        let (tps, rest) = rest.split_once(" qps: ")?;
        let (qps, rest) = rest.split_once(" (r/w/o: ")?;
        let (parts, rest) = rest.split_once(") lat (ms,")?;
        let mut parts = parts.split('/').map(|part| part.parse().ok());
        let parts = [parts.next()??, parts.next()??, parts.next()??];
        let (percentile, rest) = rest.split_once("%): ")?;
        let (latency, rest) = rest.split_once(" err/s: ")?;
        let (errors, reconnects) = rest.split_once(" reconn/s: ")?;
        Some(IntervalLine {
            elapsed_s: parse_number_before(elapsed, "")?,
            threads: threads.parse().ok()?,
            tps: tps.parse().ok()?,
            qps: (qps.parse().ok()?, parts),
            latency_ms: (percentile.parse().ok()?, latency.parse().ok()?),
            errors: errors.parse().ok()?,
            reconnects: reconnects.parse().ok()?,
        })
    }
}

impl fmt::Display for IntervalLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (qps, [read, write, other]) = self.qps;
        let (percentile, latency) = self.latency_ms;
        write!(f, "[ {}s ] thds: {} tps: {:4.2}", self.elapsed_s, self.threads, self.tps)?;
        write!(f, " qps: {qps:4.2} (r/w/o: {read:4.2}/{write:4.2}/{other:4.2})")?;
        write!(f, " lat (ms,{percentile}%): {latency:4.2}")?;
        write!(f, " err/s: {:4.2} reconn/s: {:4.2}", self.errors, self.reconnects)
    }
}
