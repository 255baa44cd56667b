//! What pgbench 9.6 to 19 prints at its end. Pure; printing a report gives the lines that it was read from.

use crate::report_lines::{ReportLines, parse_number_before};
use crate::unreadable::UnreadableOutputLine;
use std::fmt;

/// The report of one run. What pgbench leaves out under its options, or when nothing was processed, is absent.
#[derive(Debug, Clone, PartialEq)]
pub struct PgbenchReport {
    /// pgbench's version and, where it differs, the server's, as in `18.4, server 15.20`; absent before version 14.
    pub versions: Option<String>,
    /// The script's description, such as `<builtin: select only>`.
    pub transaction_type: String,
    /// The scale of the tables, or what `-s` said.
    pub scale: u32,
    /// How `pgbench_accounts` is partitioned, and into how many parts.
    pub partitions: Option<(String, u32)>,
    /// simple, extended or prepared.
    pub query_mode: String,
    /// Connections.
    pub clients: u32,
    pub threads: u32,
    /// How often a transaction was tried at most; absent if without limit, and before version 15.
    pub tries_at_most: Option<u32>,
    /// How long it was to run.
    pub extent: PgbenchExtent,
    /// Successful transactions.
    pub processed: u64,
    /// Failed transactions; absent before version 15.
    pub failed: Option<CountWithPercent>,
    /// By kind: serialization, deadlock and, from version 19 on, other failures.
    pub failed_by_kind: Option<(CountWithPercent, CountWithPercent, Option<CountWithPercent>)>,
    /// Retries, where there could be some.
    pub retries: Option<Retries>,
    /// Transactions that were due but not begun, because they were too late already.
    pub skipped: Option<CountWithPercent>,
    /// Transactions above the latency limit.
    pub late: Option<LateTransactions>,
    /// Mean latency in milliseconds, and whether it includes failures (it is computed from the run time then).
    pub latency_ms: Option<(f64, bool)>,
    /// Standard deviation of the latency in milliseconds.
    pub latency_stddev_ms: Option<f64>,
    /// How late transactions began.
    pub lag: Option<ScheduleLag>,
    /// Time for connecting.
    pub connecting: Option<Connecting>,
    /// Successful transactions per second, with the time for connecting; before version 14 only.
    pub tps_including: Option<f64>,
    /// Successful transactions per second.
    pub tps: Option<f64>,
    /// Whether the heading `script statistics:` stands above the commands, as in 9.6.
    pub script_statistics: bool,
    /// By script, where there are several.
    pub scripts: Vec<ScriptReport>,
    /// By command of the only script.
    pub statements: Option<CommandStatistics>,
}

/// A count with its part of all transactions in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountWithPercent {
    /// How many.
    pub count: u64,
    /// In percent; not a number when there was nothing at all.
    pub percent: f64,
    /// Whether there is a space before the sign, as before version 14.
    pub spaced: bool,
}

/// How long a run was to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PgbenchExtent {
    /// A time in seconds.
    Seconds(u32),
    /// So many transactions for each client; so many in all.
    Transactions { per_client: u64, total: u64 },
}

/// Transactions that were tried again after a serialization failure or a deadlock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retries {
    /// Transactions that were retried.
    pub retried: CountWithPercent,
    /// Tries beyond the first.
    pub retries: u64,
}

/// Transactions above the latency limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LateTransactions {
    /// The limit in milliseconds.
    pub limit_ms: f64,
    /// How many were above.
    pub late: u64,
    /// Of how many; absent in old versions.
    pub of: Option<u64>,
    pub percent: f64,
    /// Whether there is a space before the sign, as before version 14.
    pub spaced: bool,
}

/// How late transactions began, from their scheduled start, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScheduleLag {
    pub mean_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

/// Time for connecting, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Connecting {
    /// All clients, once, at the begin; not part of the throughput.
    Initially(f64),
    /// On average for each transaction; part of the throughput.
    EachTime(f64),
}

/// One script's part.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptReport {
    pub description: String,
    /// Its weight, and what part of all transactions that is, in percent.
    pub weight: (u32, f64),
    /// Transactions, and what part of all that is, in percent. Up to version 16 early minor versions count only the
    /// successful ones here, and print the throughput with them.
    pub transactions: (u64, f64),
    /// Successful transactions per second, printed with the transactions.
    pub tps: Option<f64>,
    /// Successful transactions, and those per second, printed apart.
    pub processed: Option<(u64, f64)>,
    /// Failed transactions.
    pub failed: Option<CountWithPercent>,
    /// By kind, as for the whole run.
    pub failed_by_kind: Option<(CountWithPercent, CountWithPercent, Option<CountWithPercent>)>,
    /// Retries, where there could be some.
    pub retries: Option<Retries>,
    /// Skipped transactions.
    pub skipped: Option<CountWithPercent>,
    /// Mean and standard deviation of the latency in milliseconds.
    pub latency_ms: Option<(f64, f64)>,
    /// By command.
    pub statements: Option<CommandStatistics>,
}

/// What was counted for each command of a script.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandStatistics {
    /// The heading: which columns there are.
    pub heading: String,
    /// The commands in order.
    pub commands: Vec<StatementReport>,
}

/// One command of a script.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementReport {
    /// Mean latency in milliseconds.
    pub latency_ms: f64,
    /// Failures, then retries, as far as there are columns for them.
    pub counts: Vec<u64>,
    /// Spaces between the counts and before the text, which differ between versions.
    gap: usize,
    /// Its first line.
    pub text: String,
}

impl StatementReport {
    /// One command as versions from 15 on print it.
    pub fn new(latency_ms: f64, counts: Vec<u64>, text: String) -> StatementReport {
        StatementReport { latency_ms, counts, gap: 2, text }
    }
}

const SCRIPT: &str = " - ";

impl PgbenchReport {
    /// Reads what pgbench printed on standard output.
    ///
    /// # Errors
    /// The first line that is not what a known version prints.
    pub fn parse(text: &str) -> Result<PgbenchReport, UnreadableOutputLine> {
        let report = &mut ReportLines::new(text);
        // pgbench says where it connects and vacuums on standard error,
        // so that this is the first line, from version 14 on.
        let versions = report.read_optional_line("pgbench (", |rest| owned_text(rest.strip_suffix(')')?))?;
        let transaction_type = report.read_required_line("transaction type: ", owned_text)?;
        let scale = report.read_required_line("scaling factor: ", parse_whole_text)?;
        let partitions = match report.read_optional_line("partition method: ", owned_text)? {
            Some(method) => Some((method, report.read_required_line("partitions: ", parse_whole_text)?)),
            None => None,
        };
        let query_mode = report.read_required_line("query mode: ", owned_text)?;
        let clients = report.read_required_line("number of clients: ", parse_whole_text)?;
        let threads = report.read_required_line("number of threads: ", parse_whole_text)?;
        let tries_at_most = report.read_optional_line("maximum number of tries: ", parse_whole_text)?;
        let (extent, processed) = read_extent(report)?;
        // Fields are read in the order in which they stand here, which is that of the lines.
        let read = PgbenchReport {
            versions,
            transaction_type,
            scale,
            partitions,
            query_mode,
            clients,
            threads,
            tries_at_most,
            extent,
            processed,
            failed: report.read_optional_line("number of failed transactions: ", parse_share)?,
            failed_by_kind: failed_by_kind(report, "")?,
            retries: read_retries(report, "")?,
            skipped: report.read_optional_line("number of transactions skipped: ", parse_share)?,
            late: report.read_optional_line("number of transactions above the ", parse_late_transactions)?,
            latency_ms: report.read_optional_line("latency average = ", parse_mean_latency)?,
            latency_stddev_ms: report.read_optional_line("latency stddev = ", parse_milliseconds)?,
            lag: report.read_optional_line("rate limit schedule lag: avg ", parse_schedule_lag)?,
            connecting: read_connecting(report)?,
            tps_including: tps_including(report)?,
            tps: report.read_optional_line("tps = ", parse_tps)?,
            script_statistics: report
                .read_optional_line("script statistics:", |rest| rest.is_empty().then_some(()))?
                .is_some(),
            statements: match read_statements(report, "")? {
                Some(statements) => Some(statements),
                None => read_statements(report, SCRIPT)?,
            },
            scripts: read_scripts(report)?,
        };
        report.expect_end()?;
        Ok(read)
    }
}

fn owned_text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn parse_milliseconds(text: &str) -> Option<f64> {
    parse_number_before(text, " ms")
}

fn read_connecting(report: &mut ReportLines<'_>) -> Result<Option<Connecting>, UnreadableOutputLine> {
    if let Some(once) = report.read_optional_line("initial connection time = ", parse_milliseconds)? {
        return Ok(Some(Connecting::Initially(once)));
    }
    Ok(report.read_optional_line("average connection time = ", parse_milliseconds)?.map(Connecting::EachTime))
}

fn read_scripts(report: &mut ReportLines<'_>) -> Result<Vec<ScriptReport>, UnreadableOutputLine> {
    let mut scripts = Vec::new();
    while let Some(script) = read_script(report, scripts.len() + 1)? {
        scripts.push(script);
    }
    Ok(scripts)
}

fn parse_whole_text<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// `count (percent%)`
fn parse_share(text: &str) -> Option<CountWithPercent> {
    let (count, rest) = text.split_once(" (")?;
    let spaced = rest.ends_with(" %)");
    Some(CountWithPercent {
        count: count.parse().ok()?,
        percent: parse_number_before(rest, if spaced { " %)" } else { "%)" })?,
        spaced,
    })
}

fn read_extent(report: &mut ReportLines<'_>) -> Result<(PgbenchExtent, u64), UnreadableOutputLine> {
    const PROCESSED: &str = "number of transactions actually processed: ";
    if let Some(seconds) = report.read_optional_line("duration: ", |rest| parse_number_before(rest, " s"))? {
        return Ok((PgbenchExtent::Seconds(seconds), report.read_required_line(PROCESSED, parse_whole_text)?));
    }
    let per_client = report.read_required_line("number of transactions per client: ", parse_whole_text)?;
    let (processed, total) = report.read_required_line(PROCESSED, |rest| {
        let (processed, total) = rest.split_once('/')?;
        Some((processed.parse().ok()?, total.parse().ok()?))
    })?;
    Ok((PgbenchExtent::Transactions { per_client, total }, processed))
}

fn failed_by_kind(
    report: &mut ReportLines<'_>,
    indent: &str,
) -> Result<Option<(CountWithPercent, CountWithPercent, Option<CountWithPercent>)>, UnreadableOutputLine> {
    let line = |kind: &str| format!("{indent}number of {kind} failures: ");
    let Some(serialization) = report.read_optional_line(&line("serialization"), parse_share)? else { return Ok(None) };
    let deadlock = report.read_required_line(&line("deadlock"), parse_share)?;
    let other = report.read_optional_line(&line("other"), parse_share)?;
    Ok(Some((serialization, deadlock, other)))
}

fn read_retries(report: &mut ReportLines<'_>, indent: &str) -> Result<Option<Retries>, UnreadableOutputLine> {
    let line = format!("{indent}number of transactions retried: ");
    let Some(retried) = report.read_optional_line(&line, parse_share)? else { return Ok(None) };
    let retries = report.read_required_line(&format!("{indent}total number of retries: "), parse_whole_text)?;
    Ok(Some(Retries { retried, retries }))
}

/// `5.0 ms latency limit: 1/5557 (0.018%)`
fn parse_late_transactions(text: &str) -> Option<LateTransactions> {
    let (limit, rest) = text.split_once(" ms latency limit: ")?;
    let (late, rest) = rest.split_once('/').map_or((None, rest), |(late, rest)| (Some(late), rest));
    let CountWithPercent { count, percent, spaced } = parse_share(rest)?;
    let (late, of) = match late {
        Some(late) => (late.parse().ok()?, Some(count)),
        None => (count, None),
    };
    Some(LateTransactions { limit_ms: limit.parse().ok()?, late, of, percent, spaced })
}

fn parse_mean_latency(text: &str) -> Option<(f64, bool)> {
    match parse_number_before(text, " ms (including failures)") {
        Some(mean) => Some((mean, true)),
        None => Some((parse_number_before(text, " ms")?, false)),
    }
}

/// `0.091 (max 1.789) ms`
fn parse_schedule_lag(text: &str) -> Option<ScheduleLag> {
    let (mean, rest) = text.split_once(" (max ")?;
    Some(ScheduleLag { mean_ms: mean.parse().ok()?, max_ms: parse_number_before(rest, ") ms")? })
}

/// What two remarks tell apart before version 14.
const OLD_REMARKS: [&str; 2] = [" (including connections establishing)", " (excluding connections establishing)"];

fn tps_including(report: &mut ReportLines<'_>) -> Result<Option<f64>, UnreadableOutputLine> {
    if report.current_line().is_some_and(|line| line.ends_with(OLD_REMARKS[0])) {
        return report.read_optional_line("tps = ", |rest| parse_number_before(rest, OLD_REMARKS[0]));
    }
    Ok(None)
}

/// The remark follows from how connections were made.
fn parse_tps(text: &str) -> Option<f64> {
    [" (without initial connection time)", " (including reconnection times)", OLD_REMARKS[1]]
        .iter()
        .find_map(|remark| parse_number_before(text, remark))
}

fn read_script(report: &mut ReportLines<'_>, expected: usize) -> Result<Option<ScriptReport>, UnreadableOutputLine> {
    let Some(description) = report.read_optional_line(&format!("SQL script {expected}: "), owned_text)? else {
        return Ok(None);
    };
    let weight = report.read_required_line(" - weight: ", |rest| {
        let (weight, rest) = rest.split_once(" (targets ")?;
        Some((weight.parse().ok()?, parse_number_before(rest, "% of total)")?))
    })?;
    let (transactions, tps) = report.read_required_line(SCRIPT, script_transactions)?;
    let processed = report.read_optional_line(" - number of transactions actually processed: ", |rest| {
        let (processed, rest) = rest.split_once(" (tps = ")?;
        Some((processed.parse().ok()?, parse_number_before(rest, ")")?))
    })?;
    let failed = report.read_optional_line(" - number of failed transactions: ", parse_share)?;
    let failed_by_kind = failed_by_kind(report, SCRIPT)?;
    let retries = read_retries(report, SCRIPT)?;
    let skipped = report.read_optional_line(" - number of transactions skipped: ", parse_share)?;
    let latency_ms = match report.read_optional_line(" - latency average = ", parse_milliseconds)? {
        Some(mean) => Some((mean, report.read_required_line(" - latency stddev = ", parse_milliseconds)?)),
        None => None,
    };
    let statements = read_statements(report, SCRIPT)?;
    Ok(Some(ScriptReport {
        description,
        weight,
        transactions,
        tps,
        processed,
        failed,
        failed_by_kind,
        retries,
        skipped,
        latency_ms,
        statements,
    }))
}

/// `2775 transactions (49.9% of total, tps = 1389.755573)` or `2770 transactions (48.3% of total)`
fn script_transactions(text: &str) -> Option<((u64, f64), Option<f64>)> {
    let (count, rest) = text.split_once(" transactions (")?;
    let (percent, tps) = match rest.split_once("% of total, tps = ") {
        Some((percent, tps)) => (percent, Some(parse_number_before(tps, ")")?)),
        None => (rest.strip_suffix("% of total)")?, None),
    };
    Some(((count.parse().ok()?, percent.parse().ok()?), tps))
}

fn read_statements(
    report: &mut ReportLines<'_>,
    indent: &str,
) -> Result<Option<CommandStatistics>, UnreadableOutputLine> {
    let prefix = format!("{indent}statement latencies in milliseconds");
    let Some(heading) = report.read_optional_line(&prefix, owned_text)? else { return Ok(None) };
    let columns = match heading.as_str() {
        ":" => 0,
        " and failures:" => 1,
        ", failures and retries:" => 2,
        _ => return Err(report.unreadable_line("columns of statement latencies")),
    };
    let mut commands = Vec::new();
    while let Some(line) = report.current_line().filter(|line| line.starts_with("   ")) {
        let command =
            parse_statement_line(line, columns).ok_or_else(|| report.unreadable_line("a latency and a command"))?;
        commands.push(command);
        report.advance_line();
    }
    Ok(Some(CommandStatistics { heading, commands }))
}

fn parse_statement_line(line: &str, columns: usize) -> Option<StatementReport> {
    let (latency, mut rest) = line.trim_start().split_once(' ')?;
    let mut counts = Vec::new();
    for _ in 0..columns {
        let (count, after) = rest.trim_start().split_once(' ')?;
        counts.push(count.parse().ok()?);
        rest = after;
    }
    let text = rest.trim_start_matches(' ');
    Some(StatementReport {
        latency_ms: latency.parse().ok()?,
        counts,
        gap: 1 + rest.len() - text.len(),
        text: text.to_owned(),
    })
}

impl fmt::Display for PgbenchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(versions) = &self.versions {
            writeln!(f, "pgbench ({versions})")?;
        }
        writeln!(f, "transaction type: {}", self.transaction_type)?;
        writeln!(f, "scaling factor: {}", self.scale)?;
        if let Some((method, parts)) = &self.partitions {
            writeln!(f, "partition method: {method}\npartitions: {parts}")?;
        }
        writeln!(f, "query mode: {}", self.query_mode)?;
        writeln!(f, "number of clients: {}", self.clients)?;
        writeln!(f, "number of threads: {}", self.threads)?;
        if let Some(tries) = self.tries_at_most {
            writeln!(f, "maximum number of tries: {tries}")?;
        }
        match self.extent {
            PgbenchExtent::Seconds(seconds) => {
                writeln!(f, "duration: {seconds} s")?;
                writeln!(f, "number of transactions actually processed: {}", self.processed)?;
            }
            PgbenchExtent::Transactions { per_client, total } => {
                writeln!(f, "number of transactions per client: {per_client}")?;
                writeln!(f, "number of transactions actually processed: {}/{total}", self.processed)?;
            }
        }
        write_counts(f, "", self.failed, self.failed_by_kind, self.retries, self.skipped)?;
        self.write_times(f)?;
        if self.script_statistics {
            writeln!(f, "script statistics:")?;
        }
        if let Some(statements) = &self.statements {
            write!(f, "{}{statements}", if self.script_statistics { SCRIPT } else { "" })?;
        }
        for (index, script) in self.scripts.iter().enumerate() {
            write!(f, "SQL script {}: {script}", index + 1)?;
        }
        Ok(())
    }
}

impl PgbenchReport {
    fn write_times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(LateTransactions { limit_ms, late, of, percent, spaced }) = self.late {
            let limit = format!("number of transactions above the {limit_ms:.1} ms latency limit");
            let (of, gap) = (of.map_or(String::new(), |of| format!("/{of}")), if spaced { " " } else { "" });
            writeln!(f, "{limit}: {late}{of} ({percent:.3}{gap}%)")?;
        }
        if let Some((mean, with_failures)) = self.latency_ms {
            let remark = if with_failures { " (including failures)" } else { "" };
            writeln!(f, "latency average = {mean:.3} ms{remark}")?;
        }
        if let Some(stddev) = self.latency_stddev_ms {
            writeln!(f, "latency stddev = {stddev:.3} ms")?;
        }
        if let Some(ScheduleLag { mean_ms, max_ms }) = self.lag {
            writeln!(f, "rate limit schedule lag: avg {mean_ms:.3} (max {max_ms:.3}) ms")?;
        }
        let remark = match self.connecting {
            Some(Connecting::Initially(ms)) => {
                writeln!(f, "initial connection time = {ms:.3} ms")?;
                "without initial connection time"
            }
            Some(Connecting::EachTime(ms)) => {
                writeln!(f, "average connection time = {ms:.3} ms")?;
                "including reconnection times"
            }
            None => {
                let old = [self.tps_including, self.tps].into_iter().zip(OLD_REMARKS);
                return old
                    .filter_map(|(tps, remark)| Some((tps?, remark)))
                    .try_for_each(|(tps, remark)| writeln!(f, "tps = {tps:.6}{remark}"));
            }
        };
        self.tps.map_or(Ok(()), |tps| writeln!(f, "tps = {tps:.6} ({remark})"))
    }
}

fn write_counts(
    f: &mut fmt::Formatter<'_>,
    indent: &str,
    failed: Option<CountWithPercent>,
    by_kind: Option<(CountWithPercent, CountWithPercent, Option<CountWithPercent>)>,
    retries: Option<Retries>,
    skipped: Option<CountWithPercent>,
) -> fmt::Result {
    if let Some(failed) = failed {
        writeln!(f, "{indent}number of failed transactions: {failed}")?;
    }
    if let Some((serialization, deadlock, other)) = by_kind {
        writeln!(f, "{indent}number of serialization failures: {serialization}")?;
        writeln!(f, "{indent}number of deadlock failures: {deadlock}")?;
        if let Some(other) = other {
            writeln!(f, "{indent}number of other failures: {other}")?;
        }
    }
    if let Some(Retries { retried, retries }) = retries {
        writeln!(f, "{indent}number of transactions retried: {retried}")?;
        writeln!(f, "{indent}total number of retries: {retries}")?;
    }
    skipped.map_or(Ok(()), |skipped| writeln!(f, "{indent}number of transactions skipped: {skipped}"))
}

impl fmt::Display for CountWithPercent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:.3}{}%)", self.count, self.percent, if self.spaced { " " } else { "" })
    }
}

impl fmt::Display for ScriptReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((weight, targets), (transactions, percent)) = (self.weight, self.transactions);
        writeln!(f, "{}\n - weight: {weight} (targets {targets:.1}% of total)", self.description)?;
        let tps = self.tps.map_or(String::new(), |tps| format!(", tps = {tps:.6}"));
        writeln!(f, " - {transactions} transactions ({percent:.1}% of total{tps})")?;
        if let Some((processed, tps)) = self.processed {
            writeln!(f, " - number of transactions actually processed: {processed} (tps = {tps:.6})")?;
        }
        write_counts(f, SCRIPT, self.failed, self.failed_by_kind, self.retries, self.skipped)?;
        if let Some((mean, stddev)) = self.latency_ms {
            writeln!(f, " - latency average = {mean:.3} ms\n - latency stddev = {stddev:.3} ms")?;
        }
        self.statements.as_ref().map_or(Ok(()), |statements| write!(f, "{SCRIPT}{statements}"))
    }
}

impl fmt::Display for CommandStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "statement latencies in milliseconds{}", self.heading)?;
        for command in &self.commands {
            write!(f, "   {:11.3}", command.latency_ms)?;
            for (index, count) in command.counts.iter().enumerate() {
                let gap = if index == 0 { 2 } else { command.gap };
                write!(f, "{}{count:10}", " ".repeat(gap))?;
            }
            writeln!(f, "{}{}", " ".repeat(command.gap), command.text)?;
        }
        Ok(())
    }
}
