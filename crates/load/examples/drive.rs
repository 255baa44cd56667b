//! Drives a server for some seconds and prints what it took: for measuring the engine beside pgbench.
//!
//! `drive HOST|SOCKET-DIRECTORY PORT USER DATABASE SCRIPT CLIENTS THREADS SECONDS MODE [SCALE [SEED]]`; the password,
//! if there is one, comes from PGPASSWORD. With RATE the loop is open, at so many transactions per second.
//! With TRANSACTIONS each client makes so many instead, which is how to count instructions.
//! With STATEMENTS=0 statements are not timed, with STATEMENTS=1 what each took is printed.
//! With PGSSLMODE=require connections are encrypted, with CONNECT=1 there is one per transaction.

use conninfo::{ConnInfo, EncryptionMode, Secret, ServerHost};
use load::{Connections, EngineEvent, EngineJob, JobExtent, LoadError, ParsedScript, QueryMode, StopRequest, Summary};
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::Duration;
use wire::tls::{TlsOptions, TlsSettings};
use work::WordChoice as _;

const USAGE: &str = "drive HOST|SOCKET-DIRECTORY PORT USER DATABASE SCRIPT CLIENTS THREADS SECONDS MODE [SCALE [SEED]]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(job) = job(&arguments) else {
        eprintln!("usage: {USAGE}");
        return ExitCode::from(2);
    };
    let verbose = std::env::var_os("DRIVE_VERBOSE").is_some();
    let watch = &mut |event: EngineEvent<'_>| {
        if let (EngineEvent::Second(second), true) = (event, verbose) {
            let transactions: u64 = second.scripts.iter().map(|script| script.latency.count()).sum();
            let failed: u64 = second.scripts.iter().map(|script| script.failed).sum();
            println!("{:?} {}: {transactions} transactions, {failed} failed", second.phase, second.index);
            second.outages.iter().for_each(|outage| println!("  {outage:?}"));
        }
    };
    match load::run_job(&job, &StopRequest::new(), watch) {
        Ok(summary) => {
            print(&summary);
            if std::env::var("STATEMENTS").as_deref() == Ok("1") {
                print_statements(&job, &summary);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn job(arguments: &[String]) -> Option<EngineJob> {
    let [host, port, user, database, script, clients, threads, seconds, mode, rest @ ..] = arguments else {
        return None;
    };
    let port: u16 = port.parse().ok()?;
    let host = if host.starts_with('/') { ServerHost::Unix(host.into()) } else { ServerHost::tcp_from_name(host) };
    let script = match ParsedScript::builtin(script) {
        Some(script) => script,
        None => {
            ParsedScript::parse(script, &std::fs::read_to_string(script).ok()?).map_err(|e| eprintln!("{e}")).ok()?
        }
    };
    let mode = QueryMode::from_word(mode)?;
    let password = std::env::var("PGPASSWORD").ok().map(Secret::new);
    let encryption = match std::env::var("PGSSLMODE").as_deref() {
        Ok("require") => EncryptionMode::Always(TlsSettings::new(&TlsOptions::default()).ok()?),
        _ => EncryptionMode::Never,
    };
    let server = ConnInfo { password, encryption, ..ConnInfo::new((host, port), user, database) };
    let connections = match std::env::var("CONNECT").as_deref() {
        Ok("1") => Connections::PerTransaction,
        _ => Connections::Kept,
    };
    Some(EngineJob {
        mode,
        connections,
        clients: clients.parse().ok()?,
        threads: threads.parse::<NonZeroU32>().ok()?,
        measure: match std::env::var("TRANSACTIONS") {
            Ok(each) => JobExtent::Transactions(each.parse().ok()?),
            Err(_) => Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?.into(),
        },
        seed: rest.get(1).map_or(Some(0), |seed| seed.parse().ok())?,
        scale: rest.first().map_or(Some(1), |scale| scale.parse().ok())?,
        backend: match std::env::var("BACKEND").as_deref() {
            Ok("epoll") => load::IoBackend::Epoll,
            Ok("io_uring") => load::IoBackend::IoUring,
            _ => load::IoBackend::Auto,
        },
        statements: match std::env::var("STATEMENTS").as_deref() {
            Ok("0") => load::StatementTimes::NotTaken,
            _ => load::StatementTimes::Taken,
        },
        pace: match std::env::var("RATE") {
            Ok(rate) => load::TransactionPace::Open {
                arrivals: load::Arrivals::Poisson,
                rate: load::OfferedRate::Constant(rate.parse().ok()?),
            },
            Err(_) => load::TransactionPace::default(),
        },
        ..EngineJob::new(server, script)
    })
}

fn print(summary: &Summary) {
    let transactions = summary.successful_transactions();
    let cpu_us = summary.engine.iter().map(|thread| thread.cpu_ns).sum::<u64>() as f64 / 1e3;
    let system_us = summary.engine.iter().filter_map(|thread| thread.cpu_system_ns).sum::<u64>() as f64 / 1e3;
    let per_transaction = |us: f64| us / transactions.max(1) as f64;
    println!(
        "tps {:.0}  mean {:.1} us  stddev {:.1} us  p99 {:.1} us  cpu {:.3} us/txn (system {:.3})  lag p99 {:.1} us  busy {:.0} %",
        transactions as f64 / (summary.measure_ns as f64 / 1e9),
        summary.latency.mean_ns().unwrap_or(f64::NAN) / 1e3,
        summary.latency.stddev_ns().unwrap_or(f64::NAN) / 1e3,
        summary.latency.quantile_ns(0.99).map_or(f64::NAN, |ns| ns as f64) / 1e3,
        per_transaction(cpu_us),
        per_transaction(system_us),
        summary.engine.iter().map(|thread| thread.loop_lag_p99_ns).max().unwrap_or(0) as f64 / 1e3,
        summary.engine.iter().map(|thread| thread.busy_ns).sum::<u64>() as f64 / summary.measure_ns as f64 * 100.0,
    );
    println!(
        "transactions {transactions}  failed {}  unknown {}  unfinished {}  connected in {:.1} ms",
        summary.failed,
        summary.unknown,
        summary.unfinished,
        summary.connection_ns as f64 / 1e6
    );
    if let Some(open) = &summary.open {
        let p99_us = |latency: &load::TransactionLatency| latency.quantile_ns(0.99).map_or(0.0, |ns| ns as f64 / 1e3);
        println!(
            "offered {:.1}/s  waiting {}  service p99 {:.1} us  lag of the queue {} (p99 {:.1} us), of the engine {} (median {:.1} us, p99 {:.1} us)",
            summary.offered_per_s().unwrap_or(f64::NAN),
            open.waiting,
            p99_us(&open.service),
            open.lag_queued.count(),
            p99_us(&open.lag_queued),
            open.lag_engine.count(),
            open.lag_engine.quantile_ns(0.5).map_or(0.0, |ns| ns as f64 / 1e3),
            p99_us(&open.lag_engine),
        );
    }
    summary.errors.iter().for_each(|(sqlstate, count)| println!("{sqlstate}: {count}"));
    summary.first_errors.iter().for_each(|error| println!("{}: {}", error.sqlstate, error.message));
    summary.outages.iter().for_each(|outage| println!("{outage:?}"));
}

fn print_statements(job: &EngineJob, summary: &Summary) {
    for (statement, took) in job.statements_by_number().iter().zip(summary.statements.iter().flatten()) {
        let us = |ns: Option<f64>| ns.map_or(f64::NAN, |ns| ns / 1e3);
        println!(
            "{}:{}: {} executions, {} failed, mean {:.1} us, p99 {:.1} us: {}",
            statement.script,
            statement.line,
            took.latency.count(),
            took.failed,
            us(took.latency.mean_ns()),
            us(took.latency.quantile_ns(0.99).map(|ns| ns as f64)),
            statement.text.lines().next().unwrap_or_default(),
        );
    }
}

fn complain(error: &LoadError) {
    eprintln!("error: {error}");
    error.detail().into_iter().for_each(|detail| eprintln!("detail: {detail}"));
    error.hint().into_iter().for_each(|hint| eprintln!("hint: {hint}"));
}
