//! What sysbench 1.0 prints at the end of a run. Pure; printing a report gives the lines that it was read from, from
//! the histogram or the statistics on.

use super::histogram::LatencyHistogram;
use crate::report_lines::{ReportLines, parse_number_before};
use crate::unreadable::UnreadableOutputLine;
use std::fmt;

/// The final report of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct SysbenchReport {
    /// The latency histogram, if there was to be one.
    pub histogram: Option<LatencyHistogram>,
    /// Queries that returned rows, that changed rows, that did neither, and all.
    pub queries: [u64; 4],
    /// Transactions; an event without BEGIN and COMMIT counts as one.
    pub transactions: CountWithRate,
    pub all_queries: CountWithRate,
    /// Errors after which the event was begun anew.
    pub ignored_errors: CountWithRate,
    pub reconnects: CountWithRate,
    /// From the start of the threads to the end of the last, in seconds.
    pub total_s: f64,
    pub events: u64,
    /// Latency of the events.
    pub latency: LatencyReport,
    /// How evenly the threads worked.
    pub fairness: Fairness,
}

/// A count with its rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountWithRate {
    /// How many.
    pub count: u64,
    /// Per second.
    pub per_s: f64,
}

/// Latency of events in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyReport {
    /// The shortest.
    pub min_ms: f64,
    pub mean_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// Which percentile, and its value; absent if switched off.
    pub percentile_ms: Option<(u32, f64)>,
    pub sum_ms: f64,
}

/// Mean and standard deviation over the threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fairness {
    /// Events of a thread.
    pub events: (f64, f64),
    /// Time that a thread worked, in seconds.
    pub execution_s: (f64, f64),
}

const STATISTICS: &str = "SQL statistics:";

impl SysbenchReport {
    /// Reads what sysbench printed on standard output; what comes before the final report is passed over.
    ///
    /// # Errors
    /// The first line that is not what a known version prints; a `FATAL` one wherever it stands.
    pub fn parse(text: &str) -> Result<SysbenchReport, UnreadableOutputLine> {
        let report = &mut ReportLines::new(text);
        while let Some(line) = report.current_line() {
            if line == STATISTICS || line.starts_with("Latency histogram") {
                break;
            }
            if line.starts_with("FATAL: ") {
                return Err(report.unreadable_line("a run without a fatal error"));
            }
            report.advance_line();
        }
        let histogram = LatencyHistogram::read_histogram(report)?;
        report.skip_literal_line(STATISTICS)?;
        report.skip_literal_line("    queries performed:")?;
        let queries = [
            report.read_required_line("        read:", parse_padded_value)?,
            report.read_required_line("        write:", parse_padded_value)?,
            report.read_required_line("        other:", parse_padded_value)?,
            report.read_required_line("        total:", parse_padded_value)?,
        ];
        let transactions = report.read_required_line("    transactions:", parse_count_with_rate)?;
        let all_queries = report.read_required_line("    queries:", parse_count_with_rate)?;
        let ignored_errors = report.read_required_line("    ignored errors:", parse_count_with_rate)?;
        let reconnects = report.read_required_line("    reconnects:", parse_count_with_rate)?;
        report.skip_literal_line("")?;
        report.skip_literal_line("General statistics:")?;
        let total_s = report.read_required_line("    total time:", |rest| parse_number_before(rest, "s"))?;
        let events = report.read_required_line("    total number of events:", parse_padded_value)?;
        report.skip_literal_line("")?;
        let latency = read_latency_report(report)?;
        report.skip_literal_line("")?;
        let fairness = read_thread_fairness(report)?;
        report.skip_literal_line("")?;
        report.expect_end()?;
        Ok(SysbenchReport {
            histogram,
            queries,
            transactions,
            all_queries,
            ignored_errors,
            reconnects,
            total_s,
            events,
            latency,
            fairness,
        })
    }
}

fn parse_padded_value<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.trim_start().parse().ok()
}

/// `1581   (627.12 per sec.)`
fn parse_count_with_rate(text: &str) -> Option<CountWithRate> {
    let (count, rate) = text.trim_start().split_once('(')?;
    Some(CountWithRate { count: count.trim_end().parse().ok()?, per_s: parse_number_before(rate, " per sec.)")? })
}

fn read_latency_report(report: &mut ReportLines<'_>) -> Result<LatencyReport, UnreadableOutputLine> {
    report.skip_literal_line("Latency (ms):")?;
    let min_ms = report.read_required_line("         min:", parse_padded_value)?;
    let mean_ms = report.read_required_line("         avg:", parse_padded_value)?;
    let max_ms = report.read_required_line("         max:", parse_padded_value)?;
    let percentile_ms =
        match report.read_optional_line("         percentile stats:               disabled", |_| Some(()))? {
            Some(()) => None,
            None => Some(report.read_required_line("        ", |rest| {
                let (percentile, value) = rest.split_once("th percentile:")?;
                Some((parse_padded_value(percentile)?, parse_padded_value(value)?))
            })?),
        };
    Ok(LatencyReport {
        min_ms,
        mean_ms,
        max_ms,
        percentile_ms,
        sum_ms: report.read_required_line("         sum:", parse_padded_value)?,
    })
}

fn read_thread_fairness(report: &mut ReportLines<'_>) -> Result<Fairness, UnreadableOutputLine> {
    report.skip_literal_line("Threads fairness:")?;
    Ok(Fairness {
        events: report.read_required_line("    events (avg/stddev):", parse_mean_and_deviation)?,
        execution_s: report.read_required_line("    execution time (avg/stddev):", parse_mean_and_deviation)?,
    })
}

fn parse_mean_and_deviation(rest: &str) -> Option<(f64, f64)> {
    let (mean, deviation) = rest.trim_start().split_once('/')?;
    Some((mean.parse().ok()?, deviation.parse().ok()?))
}

impl fmt::Display for SysbenchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(histogram) = &self.histogram {
            write!(f, "{histogram}")?;
        }
        writeln!(f, "{STATISTICS}\n    queries performed:")?;
        for (name, count) in ["read:", "write:", "other:", "total:"].iter().zip(self.queries) {
            writeln!(f, "        {name:<33}{count}")?;
        }
        writeln!(f, "    {:<37}{}", "transactions:", self.transactions)?;
        writeln!(f, "    {:<37}{}", "queries:", self.all_queries)?;
        writeln!(f, "    {:<37}{}", "ignored errors:", self.ignored_errors)?;
        writeln!(f, "    {:<37}{}", "reconnects:", self.reconnects)?;
        writeln!(f, "\nGeneral statistics:\n    {:<37}{:.4}s", "total time:", self.total_s)?;
        writeln!(f, "    {:<37}{}", "total number of events:", self.events)?;
        writeln!(f, "\n{}\n{}", self.latency, self.fairness)
    }
}

impl fmt::Display for CountWithRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<6} ({:.2} per sec.)", self.count, self.per_s)
    }
}

impl fmt::Display for LatencyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Latency (ms):")?;
        for (name, value) in [("min:", self.min_ms), ("avg:", self.mean_ms), ("max:", self.max_ms)] {
            writeln!(f, "         {name:<34}{value:>10.2}")?;
        }
        match self.percentile_ms {
            Some((percentile, value)) => {
                writeln!(f, "        {:>3}{:<32}{value:>10.2}", percentile, "th percentile:")?;
            }
            None => writeln!(f, "         percentile stats:               disabled")?,
        }
        writeln!(f, "         {:<34}{:>10.2}", "sum:", self.sum_ms)
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((events, deviation), (time, time_deviation)) = (self.events, self.execution_s);
        writeln!(f, "Threads fairness:\n    {:<31}{events:.4}/{deviation:3.2}", "events (avg/stddev):")?;
        writeln!(f, "    {:<31}{time:.4}/{time_deviation:3.2}", "execution time (avg/stddev):")
    }
}
