//! What `bench` prints: pgbench's lines, spelled as version 18 spells them, then what pgbench does not tell.

use std::collections::BTreeMap;

use judge::{failures, units};
use load::external::UnavailableFigure;
use load::{
    CommandLine, Connections, ParsedScript, SqlState, StatementTotal, Summary, TransactionLatency, TransactionPace,
    Tries,
};
use outputs::pgbench::{
    CommandStatistics, Connecting, CountWithPercent, LateTransactions, PgbenchExtent, PgbenchReport, Retries,
    ScheduleLag, ScriptReport, StatementReport,
};
use results::trial::{FirstError, LatencySummary};
use results::workload::SentStatement;
use stats::ClosedInterval;
use stats::batch_means::within_trial;
use work::WordChoice as _;

use super::request::{Workload, script_description};
use measure::experiment::{first_error, latency_summary};

/// Everything that is told of one run.
pub(super) struct BenchSummary<'a> {
    pub(super) workload: &'a Workload,
    pub(super) scale: u32,
    /// The server's version.
    pub(super) server: &'a str,
    pub(super) summary: &'a Summary,
    /// The statements of its scripts, by number.
    pub(super) sent: &'a [SentStatement],
    /// What ran it, with its version.
    pub(super) generator: &'a str,
    /// What that cannot tell.
    pub(super) missing: &'a [UnavailableFigure],
}

/// What a command is said to take that is not waited for, or was never executed: pgbench prints 0.000, too.
const NOT_WAITED_FOR_NS: f64 = 0.0;

/// pgdyno's own generator.
pub(super) const PGDYNO: &str = concat!("pgdyno ", env!("CARGO_PKG_VERSION"));

impl BenchSummary<'_> {
    /// pgbench's lines.
    pub(super) fn report_lines(&self) -> String {
        let lines = self.pgbench_report().to_string();
        lines.strip_prefix("pgbench").map_or(lines.clone(), |rest| format!("pgdyno{rest}"))
    }

    fn pgbench_report(&self) -> PgbenchReport {
        let BenchSummary { workload, summary, .. } = self;
        let open = summary.open.as_ref();
        let skipped = open.map_or(0, |open| open.skipped);
        let total = summary.successful_transactions() + summary.failed + skipped;
        let share = |count| share_of_total(count, total);
        let limited = workload.latency_limit.is_some();
        let (tries_at_most, retries) = match workload.tries {
            Tries::AtMost(tries) if tries.get() == 1 => (Some(1), None),
            Tries::AtMost(tries) => (Some(tries.get()), Some((summary.retried, summary.retries))),
            Tries::Unlimited => (None, Some((summary.retried, summary.retries))),
        };
        let lag = open.map(load::OpenLoop::total_lag);
        PgbenchReport {
            versions: Some(format!(
                "{}, server {}",
                env!("CARGO_PKG_VERSION"),
                results::facts::short_version(self.server)
            )),
            transaction_type: match workload.scripts.as_slice() {
                [only] => script_description(&only.script),
                _ => "multiple scripts".to_owned(),
            },
            scale: self.scale,
            partitions: None,
            query_mode: workload.mode.as_word().to_owned(),
            clients: summary.clients,
            threads: summary.threads,
            tries_at_most,
            extent: match workload.measure {
                load::JobExtent::Time(time) => PgbenchExtent::Seconds(time.as_secs() as u32),
                load::JobExtent::Transactions(each) => {
                    let total = each.get() * u64::from(summary.clients);
                    PgbenchExtent::Transactions { per_client: each.get(), total }
                }
            },
            processed: summary.successful_transactions(),
            failed: Some(share(summary.failed)),
            failed_by_kind: workload.failures_detailed.then(|| self.failed_by_kind(total)),
            retries: retries.map(|(retried, retries)| Retries { retried: share(retried), retries }),
            skipped: open.filter(|_| limited).map(|_| share(skipped)),
            late: workload.latency_limit.map(|limit| {
                let CountWithPercent { count: late, percent, spaced } =
                    self::share_of_total(summary.late, summary.successful_transactions());
                LateTransactions {
                    limit_ms: limit.as_secs_f64() * 1e3,
                    late,
                    of: Some(summary.successful_transactions()),
                    percent,
                    spaced,
                }
            }),
            latency_ms: summary.latency.mean_ns().map(|ns| (ns / 1e6, false)),
            latency_stddev_ms: summary.latency.stddev_ns().map(|ns| ns / 1e6),
            lag: lag.as_ref().and_then(lag_in_ms),
            connecting: Some(self.connecting_time()),
            tps_including: None,
            script_statistics: false,
            tps: Some(per_second(summary.successful_transactions(), summary)),
            scripts: if workload.scripts.len() > 1 { self.script_reports(total) } else { Vec::new() },
            statements: match self.workload.scripts.as_slice() {
                [only] => self.command_statements(&only.script, 0),
                _ => None,
            },
        }
    }

    /// What is told of each command of a script whose first statement has this number.
    fn command_statements(&self, script: &ParsedScript, first: usize) -> Option<CommandStatistics> {
        let mut timed = self.summary.statements.as_ref()?.get(first..)?.iter();
        let retried = self.workload.tries != Tries::default();
        let report = |line: CommandLine<'_>| {
            let statement = if line.is_statement { timed.next() } else { None };
            let count = |of: fn(&StatementTotal) -> u64| statement.map_or(0, of);
            let mean_ns = statement.and_then(|statement| statement.latency.mean_ns()).unwrap_or(NOT_WAITED_FOR_NS);
            let counts = [count(|one| one.failed), count(|one| one.retried)];
            let counts = counts[..1 + usize::from(retried)].to_vec();
            StatementReport::new(mean_ns / 1e6, counts, line.text.to_owned())
        };
        let commands = script.command_lines().map(report).collect();
        let heading = if retried { ", failures and retries:" } else { " and failures:" };
        Some(CommandStatistics { heading: heading.to_owned(), commands })
    }

    fn connecting_time(&self) -> Connecting {
        let initially = Connecting::Initially(self.summary.connection_ns as f64 / 1e6);
        match self.workload.connections {
            Connections::Kept => initially,
            Connections::PerTransaction => {
                let mean = self.summary.connections.as_ref().and_then(|connections| connections.total.mean_ns());
                mean.map_or(initially, |ns| Connecting::EachTime(ns / 1e6))
            }
        }
    }

    fn failed_by_kind(&self, total: u64) -> (CountWithPercent, CountWithPercent, Option<CountWithPercent>) {
        let count = |code| self.summary.errors.get(&code).copied().unwrap_or(0);
        let (serialization, deadlock) = (count(SqlState::SERIALIZATION_FAILURE), count(SqlState::DEADLOCK_DETECTED));
        let other = self.summary.failed.saturating_sub(serialization + deadlock);
        (share_of_total(serialization, total), share_of_total(deadlock, total), Some(share_of_total(other, total)))
    }

    fn script_reports(&self, total: u64) -> Vec<ScriptReport> {
        let weights: u64 = self.workload.scripts.iter().map(|script| u64::from(script.weight.get())).sum();
        let retried = self.workload.tries != Tries::default();
        let scripts = self.workload.scripts.iter().zip(&self.summary.scripts);
        let mut first = 0;
        let report = |(weighted, counted): (&load::Weighted, &load::ScriptTotal)| {
            let processed = counted.latency.count();
            let ended = processed + counted.failed;
            let mean = counted.latency.mean_ns().zip(counted.latency.stddev_ns());
            let statements = self.command_statements(&weighted.script, first);
            first += weighted.script.command_lines().filter(|line| line.is_statement).count();
            ScriptReport {
                description: script_description(&weighted.script),
                weight: (weighted.weight.get(), 100.0 * f64::from(weighted.weight.get()) / weights as f64),
                transactions: (ended, share_of_total(ended, total).percent),
                tps: None,
                processed: Some((processed, per_second(processed, self.summary))),
                failed: Some(share_of_total(counted.failed, ended)),
                failed_by_kind: None,
                retries: retried
                    .then(|| Retries { retried: share_of_total(counted.retried, ended), retries: counted.retries }),
                skipped: None,
                latency_ms: mean.map(|(mean, deviation)| (mean / 1e6, deviation / 1e6)),
                statements,
            }
        };
        scripts.map(report).collect()
    }

    /// What pgbench has no line for.
    pub(super) fn additional_lines(&self, throughput_per_s: &[f64]) -> String {
        let summary = self.summary;
        let mut lines = vec![describe_percentiles("latency", &summary.latency)];
        if let Some(open) = &summary.open {
            lines.push(describe_percentiles("service time", &open.service));
            lines.push(describe_percentiles("schedule lag", &open.total_lag()));
        }
        if let Some(connections) = &summary.connections {
            lines.push(describe_percentiles("connection time", &connections.total));
        }
        lines.push(describe_offered_rate(&self.workload.pace, summary));
        lines.push(client_cpu(summary));
        let first_errors = self.first_errors();
        for (state, count) in &summary.errors {
            let first = first_errors.iter().find(|error| error.sqlstate == state.as_str());
            let first = first.map_or(String::new(), |error| format!(" ({})", failures::first_error_in_words(error)));
            lines.push(Some(format!("failed with SQLSTATE {state}: {count}{first}")));
        }
        lines.extend(summary.outages.iter().map(|outage| Some(outage_in_words(outage))));
        lines.push(Some(within_this_run(throughput_per_s)));
        if !self.missing.is_empty() {
            lines.push(Some(format!("{} does not report: {}", summary.backend, self.missing_figures().join("; "))));
        }
        lines.into_iter().flatten().fold(String::new(), |mut text, line| {
            text.push_str(&line);
            text.push('\n');
            text
        })
    }

    fn first_errors(&self) -> Vec<FirstError> {
        self.summary.first_errors.iter().map(|error| first_error(error, self.sent)).collect()
    }

    fn missing_figures(&self) -> Vec<String> {
        self.missing.iter().map(ToString::to_string).collect()
    }

    /// All of it for programs.
    pub(super) fn report_json(&self) -> String {
        let BenchSummary { workload, scale, summary, .. } = self;
        let errors: BTreeMap<String, u64> =
            summary.errors.iter().map(|(state, count)| (state.to_string(), *count)).collect();
        let scripts: Vec<_> = summary.scripts.iter().map(script_json).collect();
        let value = serde_json::json!({
            "script": workload.scripts.iter().map(|script| script.script.name()).collect::<Vec<_>>().join(", "),
            "scripts": scripts,
            "statements": self.statements_json(),
            "mode": workload.mode.as_word(),
            "scale": scale,
            "clients": summary.clients,
            "threads": summary.threads,
            "measure_s": summary.measure_ns as f64 / 1e9,
            "transactions": summary.successful_transactions(),
            "failed": summary.failed,
            "late": workload.latency_limit.map(|_| summary.late),
            "skipped": summary.open.as_ref().map(|open| open.skipped),
            "offered_per_s": summary.offered_per_s(),
            "retried": summary.retried,
            "retries": summary.retries,
            "unknown": summary.unknown,
            "errors": errors,
            "first_errors": self.first_errors(),
            "outages": summary.outages.len(),
            "interrupted": summary.interrupted,
            "latency": latency_summary(&summary.latency),
            "service_time": summary.open.as_ref().and_then(|open| latency_summary(&open.service)),
            "schedule_lag": summary.open.as_ref().and_then(|open| latency_summary(&open.total_lag())),
            "connection_ms": summary.connection_ns as f64 / 1e6,
            "connections": summary.connections.as_ref().and_then(|connections| latency_summary(&connections.total)),
            "cpu_us": cpu_us(summary),
            "backend": summary.backend,
            "generator": self.generator,
            "missing": self.missing_figures(),
        });
        format!("{value:#}\n")
    }
}

impl BenchSummary<'_> {
    /// What each statement took; `null` where they were not timed.
    fn statements_json(&self) -> serde_json::Value {
        let Some(timed) = &self.summary.statements else { return serde_json::Value::Null };
        let scripts = self.workload.scripts.iter().map(|weighted| &weighted.script);
        let lines = scripts.flat_map(|script| script.command_lines().map(|line| (script.name(), line)));
        let statements = lines.filter(|(_, line)| line.is_statement).zip(timed).map(|((script, line), timed)| {
            serde_json::json!({
                "script": script,
                "text": line.text,
                "executions": timed.latency.count(),
                "failed": timed.failed,
                "retried": timed.retried,
                "latency": latency_summary(&timed.latency),
            })
        });
        statements.collect()
    }
}

fn script_json(script: &load::ScriptTotal) -> serde_json::Value {
    serde_json::json!({
        "name": script.name,
        "transactions": script.latency.count(),
        "failed": script.failed,
        "latency": latency_summary(&script.latency),
    })
}

/// Of nothing at all, no part.
fn share_of_total(count: u64, total: u64) -> CountWithPercent {
    CountWithPercent { count, percent: 100.0 * count as f64 / total.max(1) as f64, spaced: false }
}

fn per_second(count: u64, summary: &Summary) -> f64 {
    count as f64 * 1e9 / summary.measure_ns.max(1) as f64
}

fn lag_in_ms(lag: &TransactionLatency) -> Option<ScheduleLag> {
    Some(ScheduleLag { mean_ms: lag.mean_ns()? / 1e6, max_ms: lag.histogram().max() as f64 / 1e6 })
}

fn describe_percentiles(of_what: &str, latency: &TransactionLatency) -> Option<String> {
    let LatencySummary { p50_ns, p95_ns, p99_ns, p999_ns, max_ns, .. } = latency_summary(latency)?;
    let ms = |ns: u64| units::format_milliseconds(ns as f64 / 1e6);
    let [p50, p95, p99, p999, max] = [p50_ns, p95_ns, p99_ns, p999_ns, max_ns].map(ms);
    Some(format!("{of_what} p50 = {p50}, p95 = {p95}, p99 = {p99}, p99.9 = {p999}, max = {max}"))
}

/// A rate that was not reached is said, never silent.
fn describe_offered_rate(pace: &TransactionPace, summary: &Summary) -> Option<String> {
    match pace {
        TransactionPace::Closed { .. } | TransactionPace::Timed(_) => None,
        TransactionPace::Open { .. } => {
            let offered = summary.offered_per_s()?;
            let achieved = per_second(summary.successful_transactions(), summary);
            Some(format!("open loop: {offered:.1} transactions/s offered, {achieved:.1} processed"))
        }
    }
}

fn cpu_us(summary: &Summary) -> Option<f64> {
    let threads = Some(&summary.engine).filter(|threads| !threads.is_empty())?;
    Some(threads.iter().map(|thread| thread.cpu_ns).sum::<u64>() as f64 / 1e3)
}

fn client_cpu(summary: &Summary) -> Option<String> {
    let per_transaction = cpu_us(summary)? / Some(summary.successful_transactions()).filter(|count| *count > 0)? as f64;
    Some(format!("client CPU per transaction = {per_transaction:.2} µs ({})", summary.backend))
}

fn outage_in_words(outage: &load::ClientOutage) -> String {
    let end =
        outage.end_ns.map_or("the end of the run (incomplete)".to_owned(), |end| format!("{:.1} s", end as f64 / 1e9));
    let start = outage.start_ns as f64 / 1e9;
    format!("outage of client {}: {start:.1} s to {end}: {}", outage.client, outage.cause)
}

/// What one run can say of its own precision, and what it cannot.
fn within_this_run(throughput_per_s: &[f64]) -> String {
    let interval = within_trial(throughput_per_s).map_or(String::new(), |trial| {
        let ClosedInterval { low, high } = trial.mean.interval;
        format!("95 % interval of tps [{low:.1}, {high:.1}] ")
    });
    format!("{interval}within this run only, without run-to-run variation; `pgdyno run` repeats and compares")
}
