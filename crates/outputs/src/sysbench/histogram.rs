//! sysbench's latency histogram (`--histogram`). Pure; printing it gives the lines that it was read from.

use crate::report_lines::{ReportLines, parse_number_before};
use crate::unreadable::UnreadableOutputLine;
use std::fmt;

const HEADING: &str = "Latency histogram (values are in milliseconds)";
const COLUMNS: &str = "       value  ------------- distribution ------------- count";
/// How many stars the fullest bucket has.
const STARS: f64 = 40.0;

/// The latencies of all events in steps of 1.8 %.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyHistogram {
    /// The steps that are not empty, by latency.
    pub buckets: Vec<Bucket>,
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    /// Its latency in milliseconds.
    pub latency_ms: f64,
    /// How many events.
    pub count: u64,
}

impl LatencyHistogram {
    /// Reads it if it comes next.
    pub(super) fn read_histogram(
        report: &mut ReportLines<'_>,
    ) -> Result<Option<LatencyHistogram>, UnreadableOutputLine> {
        if report.current_line() != Some(HEADING) {
            return Ok(None);
        }
        report.advance_line();
        report.skip_literal_line(COLUMNS)?;
        let mut buckets = Vec::new();
        while let Some(line) = report.current_line().filter(|line| line.contains('|')) {
            buckets.push(parse_bucket_line(line).ok_or_else(|| report.unreadable_line("a step of the histogram"))?);
            report.advance_line();
        }
        report.skip_literal_line(" ")?;
        Ok(Some(LatencyHistogram { buckets }))
    }
}

fn parse_bucket_line(line: &str) -> Option<Bucket> {
    let (latency, rest) = line.split_once(" |")?;
    let (_, count) = rest.rsplit_once(' ')?;
    Some(Bucket { latency_ms: parse_number_before(latency, "")?, count: count.parse().ok()? })
}

impl fmt::Display for LatencyHistogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fullest = self.buckets.iter().map(|bucket| bucket.count).max().unwrap_or(1);
        writeln!(f, "{HEADING}\n{COLUMNS}")?;
        for Bucket { latency_ms, count } in &self.buckets {
            let stars = (*count as f64 * STARS / fullest as f64 + 0.5).floor() as usize;
            writeln!(f, "{latency_ms:12.3} |{:<40} {count}", "*".repeat(stars))?;
        }
        writeln!(f, " ")
    }
}
