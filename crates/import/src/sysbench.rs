//! sysbench's output: intermediate reports, histogram, and the final report,
//! of one run or of several one after the other.

use std::borrow::Cow;

use outputs::sysbench::{IntervalLine, SysbenchReport};
use results::told::{LatencySpread, StatedFigures, ToldLatency};
use results::trial::QueryTotals;

use super::between::{InterveningLines, OutputSurroundings};
use super::found::{FileContent, FoundCommon, FoundInterval, FoundTrial, ImportedDocument};
use super::source_file::SourceFile;
use super::text;
use problem::Problem;

/// What every run begins with.
const BEGIN: &str = "Running the test with following options:";
/// What a final report ends with.
const END: &str = "    execution time (avg/stddev):";

/// Whether a text is of sysbench.
pub(crate) fn looks_like_output(head: &str) -> bool {
    let is_before_1_0 = head.lines().any(|line| line.starts_with("sysbench 0."));
    head.lines().any(|line| {
        let line = line.trim_end();
        let begins = line == BEGIN && !is_before_1_0;
        begins || line == "SQL statistics:" || line.starts_with("[ ") && line.contains(" thds: ")
    })
}

/// Reads an output.
///
/// # Errors
/// At the first line that is not what sysbench prints there.
pub(crate) fn read_sysbench_output(file: &SourceFile, text: &str) -> Result<ImportedDocument, Problem> {
    let mut run = SysbenchRun::default();
    let mut runs = Vec::new();
    let (mut first_version, mut version, mut commas) = (None, None, false);
    let mut between = InterveningLines::default();
    for line in text::lines_of_output(text) {
        commas |= line.commas;
        let banner = line.text.strip_prefix("sysbench ").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if let Some(rest) = banner {
            version = Some(rest.split(' ').next().unwrap_or(rest).to_owned());
            first_version = first_version.or_else(|| version.clone());
        }
        if line.text == BEGIN && run.begun {
            runs.extend(std::mem::take(&mut run).into_trial(file)?);
        }
        if line.text == BEGIN {
            run.surroundings = between.next();
            run.version = version.take();
        } else if !run.begun && banner.is_none() {
            // What it begins with is no line of the author's, and ends none of the labels above.
            between.read_surrounding_line(&line.text);
        }
        let ends = line.text.starts_with(END);
        if let Some(text) = as_of_1_0(&line.text) {
            run.read_output_line(file, line.number, &text)?;
        }
        if ends {
            runs.extend(std::mem::take(&mut run).into_trial(file)?);
        }
    }
    runs.extend(run.into_trial(file)?);
    if runs.is_empty() {
        return Err(file
            .problem_at_line(text.lines().count(), "the output of sysbench ends here without its SQL statistics")
            .hint("pgdyno reads the database tests of sysbench (oltp_*); for disks it reads the output of fio"));
    }
    let notes = if commas { vec!["decimal commas were read as points".to_owned()] } else { Vec::new() };
    let content = FileContent::Runs(runs);
    Ok(ImportedDocument { file: file.clone(), tool: "sysbench", version: first_version, notes, content })
}

/// A line of version 1.1 as 1.0 prints it; 1.1 prints one line more, which says the same as another.
fn as_of_1_0(line: &str) -> Option<Cow<'_, str>> {
    match line.strip_prefix("    time elapsed:") {
        Some(rest) => Some(format!("    total time:  {rest}").into()),
        None if line.starts_with("    events/s (eps):") => None,
        None if line == "Throughput:" => Some("General statistics:".into()),
        None => Some(line.into()),
    }
}

/// A run being read.
#[derive(Default)]
struct SysbenchRun {
    begun: bool,
    threads: Option<u32>,
    /// The rate at which transactions were to begin, in one per second.
    offered_per_s: Option<f64>,
    intervals: Vec<(IntervalLine, usize)>,
    /// The histogram and the final report.
    report: Vec<String>,
    /// The lines at which they stand.
    report_at: Vec<usize>,
    fatal: Option<String>,
    /// The version of sysbench, as the line above it says.
    version: Option<String>,
    surroundings: OutputSurroundings,
}

impl SysbenchRun {
    fn read_output_line(&mut self, file: &SourceFile, number: usize, text: &str) -> Result<(), Problem> {
        if !self.report.is_empty() || text == "SQL statistics:" || text.starts_with("Latency histogram") {
            // The histogram ends with a line of one space, which is trimmed away.
            let histogram_ends = text.is_empty() && self.report.last().is_some_and(|line| line.contains('|'));
            self.report_at.push(number);
            self.report.push(if histogram_ends { " ".to_owned() } else { text.to_owned() });
        } else if text == BEGIN {
            self.begun = true;
        } else if let Some(threads) = text.strip_prefix("Number of threads: ") {
            self.threads = threads.parse().ok();
        } else if let Some(rate) = text.strip_prefix("Target transaction rate: ") {
            self.offered_per_s = rate.trim_end_matches("/sec").parse().ok();
        } else if text.starts_with("[ ") && text.contains(", tps: ") && text.contains("] threads: ") {
            // An intermediate report of a version before 1.0, whose outputs are not read.
        } else if text.starts_with("[ ") && !text.contains(" queue length: ") {
            let line = IntervalLine::parse(text).ok_or_else(|| {
                file.problem_at_line(number, format!("{text:?} is not a complete intermediate report"))
            })?;
            if self.intervals.last().is_some_and(|(last, _)| line.elapsed_s <= last.elapsed_s) {
                let what = format!("the report at {} s is not later than the previous one", line.elapsed_s);
                return Err(file.problem_at_line(number, what).hint("check whether two runs wrote into this file"));
            }
            self.intervals.push((line, number));
        } else if let Some(fatal) = text.strip_prefix("FATAL: ") {
            self.fatal.get_or_insert_with(|| fatal.to_owned());
        }
        Ok(())
    }

    fn into_trial(self, file: &SourceFile) -> Result<Option<FoundTrial>, Problem> {
        if self.report.is_empty() && self.intervals.is_empty() && self.fatal.is_none() {
            return Ok(None);
        }
        let first = self.intervals.first().map(|(line, at)| (line.threads, *at));
        let line = first.map_or(self.report_at.first().copied().unwrap_or(1), |(_, at)| at);
        let common = FoundCommon {
            clients: self.threads.or(first.map(|(threads, _)| threads)),
            seconds: intervals_from_lines(&self.intervals),
            workload: script_of_command(&self.surroundings.command),
            generator_version: self.version,
            surroundings: self.surroundings.into(),
            aborted: self.fatal.map(|fatal| format!("sysbench ended with: {fatal}")),
            ..FoundCommon::default()
        };
        let mut trial = FoundTrial { line, common: common.into(), ..FoundTrial::default() };
        (trial.told.tool, trial.told.offered_per_s) = (Some("sysbench".to_owned()), self.offered_per_s);
        if self.report.is_empty() {
            trial.aborted.get_or_insert_with(|| "sysbench ended without a report".to_owned());
            return Ok(Some(trial));
        }
        // The parser takes the report with the empty line that sysbench ends it with.
        let text = format!("{}\n\n", self.report.join("\n").trim_end());
        let report = SysbenchReport::parse(&text).map_err(|error| {
            let what = format!("expected {}, found {:?}", error.expected, error.found);
            let understood =
                format!("the lines before were read as a report of sysbench that begins at line {}", self.report_at[0]);
            let at = self.report_at.get(error.line - 1).or(self.report_at.last()).copied().unwrap_or(1);
            file.problem_at_line(at, what).detail(understood)
        })?;
        fill_from_report(&mut trial.told, &report);
        Ok(Some(trial))
    }
}

/// What a command runs: `oltp_read_write` of `sysbench --threads=24 /usr/share/sysbench/oltp_read_write.lua run`.
fn script_of_command(command: &[String]) -> Option<String> {
    command
        .iter()
        .rfind(|word| word.ends_with(".lua") || word.starts_with("oltp_"))
        .map(|word| word.rsplit('/').next().unwrap_or(word).trim_end_matches(".lua").to_owned())
}

fn fill_from_report(told: &mut StatedFigures, report: &SysbenchReport) {
    let latency = &report.latency;
    let some = report.events > 0;
    told.duration_s = Some(report.total_s);
    told.throughput_per_s = Some(report.transactions.per_s);
    told.transactions = Some(report.transactions.count);
    told.failed = Some(report.ignored_errors.count);
    let [read, write, other, _] = report.queries;
    told.queries = Some(QueryTotals { read, write, other });
    let spread = LatencySpread {
        stddev_ns: None,
        min_ns: some.then_some(latency.min_ms * 1e6),
        max_ns: some.then_some(latency.max_ms * 1e6),
        percentiles_ns: latency
            .percentile_ms
            .filter(|_| some)
            .map(|(percentile, value)| (format!("p{percentile}"), value * 1e6))
            .into_iter()
            .collect(),
    };
    told.latency = ToldLatency::with_spread(some.then_some(latency.mean_ms * 1e6), spread);
    let Some(histogram) = &report.histogram else { return };
    let total: u64 = histogram.buckets.iter().map(|bucket| bucket.count).sum();
    for (name, quantile) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)] {
        let rank = (quantile * total as f64).ceil() as u64;
        let mut below = 0;
        let bucket = histogram.buckets.iter().find(|bucket| {
            below += bucket.count;
            below >= rank
        });
        if let Some(bucket) = bucket {
            told.latency.percentiles_ns.entry(name.to_owned()).or_insert(bucket.latency_ms * 1e6);
        }
    }
}

fn intervals_from_lines(lines: &[(IntervalLine, usize)]) -> Vec<FoundInterval> {
    let mut before = 0;
    let interval = |(line, _): &(IntervalLine, usize)| {
        let start = before;
        before = line.elapsed_s;
        let length = (line.elapsed_s - start) as f64;
        let (percentile, value) = line.latency_ms;
        let told = (percentile > 0 && line.tps > 0.0).then(|| (format!("p{percentile}"), value * 1e6));
        FoundInterval {
            start_us: start * 1_000_000,
            duration_us: (line.elapsed_s - start) * 1_000_000,
            transactions: (line.tps * length).round() as u64,
            failed: (line.errors * length).round() as u64,
            late: 0,
            retried: 0,
            latency: ToldLatency::with_spread(
                None,
                LatencySpread { percentiles_ns: told.into_iter().collect(), ..LatencySpread::default() },
            ),
        }
    };
    lines.iter().map(interval).collect()
}
