//! What pgbench 9.6 to 19 prints at its end. Pure; printing a report gives the lines that it was read from.

use crate::report_lines::{ReportLines, number};
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
        let versions = report.optional("pgbench (", |rest| owned(rest.strip_suffix(')')?))?;
        let transaction_type = report.required("transaction type: ", owned)?;
        let scale = report.required("scaling factor: ", whole)?;
        let partitions = match report.optional("partition method: ", owned)? {
            Some(method) => Some((method, report.required("partitions: ", whole)?)),
            None => None,
        };
        let query_mode = report.required("query mode: ", owned)?;
        let clients = report.required("number of clients: ", whole)?;
        let threads = report.required("number of threads: ", whole)?;
        let tries_at_most = report.optional("maximum number of tries: ", whole)?;
        let (extent, processed) = extent(report)?;
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
            failed: report.optional("number of failed transactions: ", share)?,
            failed_by_kind: failed_by_kind(report, "")?,
            retries: retries(report, "")?,
            skipped: report.optional("number of transactions skipped: ", share)?,
            late: report.optional("number of transactions above the ", late)?,
            latency_ms: report.optional("latency average = ", mean)?,
            latency_stddev_ms: report.optional("latency stddev = ", milliseconds)?,
            lag: report.optional("rate limit schedule lag: avg ", lag)?,
            connecting: connecting(report)?,
            tps_including: tps_including(report)?,
            tps: report.optional("tps = ", tps)?,
            script_statistics: report.optional("script statistics:", |rest| rest.is_empty().then_some(()))?.is_some(),
            statements: match statements(report, "")? {
                Some(statements) => Some(statements),
                None => statements(report, SCRIPT)?,
            },
            scripts: scripts(report)?,
        };
        report.end()?;
        Ok(read)
    }
}

fn owned(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn milliseconds(text: &str) -> Option<f64> {
    number(text, " ms")
}

fn connecting(report: &mut ReportLines<'_>) -> Result<Option<Connecting>, UnreadableOutputLine> {
    if let Some(once) = report.optional("initial connection time = ", milliseconds)? {
        return Ok(Some(Connecting::Initially(once)));
    }
    Ok(report.optional("average connection time = ", milliseconds)?.map(Connecting::EachTime))
}

fn scripts(report: &mut ReportLines<'_>) -> Result<Vec<ScriptReport>, UnreadableOutputLine> {
    let mut scripts = Vec::new();
    while let Some(script) = script(report, scripts.len() + 1)? {
        scripts.push(script);
    }
    Ok(scripts)
}

fn whole<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// `count (percent%)`
fn share(text: &str) -> Option<CountWithPercent> {
    let (count, rest) = text.split_once(" (")?;
    let spaced = rest.ends_with(" %)");
    Some(CountWithPercent {
        count: count.parse().ok()?,
        percent: number(rest, if spaced { " %)" } else { "%)" })?,
        spaced,
    })
}

fn extent(report: &mut ReportLines<'_>) -> Result<(PgbenchExtent, u64), UnreadableOutputLine> {
    const PROCESSED: &str = "number of transactions actually processed: ";
    if let Some(seconds) = report.optional("duration: ", |rest| number(rest, " s"))? {
        return Ok((PgbenchExtent::Seconds(seconds), report.required(PROCESSED, whole)?));
    }
    let per_client = report.required("number of transactions per client: ", whole)?;
    let (processed, total) = report.required(PROCESSED, |rest| {
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
    let Some(serialization) = report.optional(&line("serialization"), share)? else { return Ok(None) };
    let deadlock = report.required(&line("deadlock"), share)?;
    let other = report.optional(&line("other"), share)?;
    Ok(Some((serialization, deadlock, other)))
}

fn retries(report: &mut ReportLines<'_>, indent: &str) -> Result<Option<Retries>, UnreadableOutputLine> {
    let line = format!("{indent}number of transactions retried: ");
    let Some(retried) = report.optional(&line, share)? else { return Ok(None) };
    let retries = report.required(&format!("{indent}total number of retries: "), whole)?;
    Ok(Some(Retries { retried, retries }))
}

/// `5.0 ms latency limit: 1/5557 (0.018%)`
fn late(text: &str) -> Option<LateTransactions> {
    let (limit, rest) = text.split_once(" ms latency limit: ")?;
    let (late, rest) = rest.split_once('/').map_or((None, rest), |(late, rest)| (Some(late), rest));
    let CountWithPercent { count, percent, spaced } = share(rest)?;
    let (late, of) = match late {
        Some(late) => (late.parse().ok()?, Some(count)),
        None => (count, None),
    };
    Some(LateTransactions { limit_ms: limit.parse().ok()?, late, of, percent, spaced })
}

fn mean(text: &str) -> Option<(f64, bool)> {
    match number(text, " ms (including failures)") {
        Some(mean) => Some((mean, true)),
        None => Some((number(text, " ms")?, false)),
    }
}

/// `0.091 (max 1.789) ms`
fn lag(text: &str) -> Option<ScheduleLag> {
    let (mean, rest) = text.split_once(" (max ")?;
    Some(ScheduleLag { mean_ms: mean.parse().ok()?, max_ms: number(rest, ") ms")? })
}

/// What two remarks tell apart before version 14.
const OLD_REMARKS: [&str; 2] = [" (including connections establishing)", " (excluding connections establishing)"];

fn tps_including(report: &mut ReportLines<'_>) -> Result<Option<f64>, UnreadableOutputLine> {
    if report.current().is_some_and(|line| line.ends_with(OLD_REMARKS[0])) {
        return report.optional("tps = ", |rest| number(rest, OLD_REMARKS[0]));
    }
    Ok(None)
}

/// The remark follows from how connections were made.
fn tps(text: &str) -> Option<f64> {
    [" (without initial connection time)", " (including reconnection times)", OLD_REMARKS[1]]
        .iter()
        .find_map(|remark| number(text, remark))
}

fn script(report: &mut ReportLines<'_>, expected: usize) -> Result<Option<ScriptReport>, UnreadableOutputLine> {
    let Some(description) = report.optional(&format!("SQL script {expected}: "), owned)? else {
        return Ok(None);
    };
    let weight = report.required(" - weight: ", |rest| {
        let (weight, rest) = rest.split_once(" (targets ")?;
        Some((weight.parse().ok()?, number(rest, "% of total)")?))
    })?;
    let (transactions, tps) = report.required(SCRIPT, script_transactions)?;
    let processed = report.optional(" - number of transactions actually processed: ", |rest| {
        let (processed, rest) = rest.split_once(" (tps = ")?;
        Some((processed.parse().ok()?, number(rest, ")")?))
    })?;
    let failed = report.optional(" - number of failed transactions: ", share)?;
    let failed_by_kind = failed_by_kind(report, SCRIPT)?;
    let retries = retries(report, SCRIPT)?;
    let skipped = report.optional(" - number of transactions skipped: ", share)?;
    let latency_ms = match report.optional(" - latency average = ", milliseconds)? {
        Some(mean) => Some((mean, report.required(" - latency stddev = ", milliseconds)?)),
        None => None,
    };
    let statements = statements(report, SCRIPT)?;
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
        Some((percent, tps)) => (percent, Some(number(tps, ")")?)),
        None => (rest.strip_suffix("% of total)")?, None),
    };
    Some(((count.parse().ok()?, percent.parse().ok()?), tps))
}

fn statements(report: &mut ReportLines<'_>, indent: &str) -> Result<Option<CommandStatistics>, UnreadableOutputLine> {
    let prefix = format!("{indent}statement latencies in milliseconds");
    let Some(heading) = report.optional(&prefix, owned)? else { return Ok(None) };
    let columns = match heading.as_str() {
        ":" => 0,
        " and failures:" => 1,
        ", failures and retries:" => 2,
        _ => return Err(report.unreadable("columns of statement latencies")),
    };
    let mut commands = Vec::new();
    while let Some(line) = report.current().filter(|line| line.starts_with("   ")) {
        let command = statement(line, columns).ok_or_else(|| report.unreadable("a latency and a command"))?;
        commands.push(command);
        report.advance();
    }
    Ok(Some(CommandStatistics { heading, commands }))
}

fn statement(line: &str, columns: usize) -> Option<StatementReport> {
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
