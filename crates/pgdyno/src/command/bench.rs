//! `bench`: one ad-hoc workload on one server, with pgbench's options; prints pgbench's lines, then percentiles.
//!
//! One number without repetition or a second side: good for a look, not for a comparison; the output says so.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use load::dataset::{self, Access, Ownership, PgbenchData};
use load::{Event, Job, LoadError, QueryMode, Script, Stop, Summary, Weighted};
use results::trial::LatencySummary;
use stats::Interval;
use stats::batch_means::within_trial;
use target::{Environment, Secret, Spec, Target};
use tokio_postgres::Client;

use super::{Manner, documents};
use crate::cli::BenchArgs;
use crate::experiment::{latency_summary, login};
use crate::interrupt;
use crate::problem::{Problem, Status};
use crate::progress::say;
use crate::report::units;

/// Runs it, or with `-i` makes the data.
pub(super) async fn bench(arguments: &BenchArgs, manner: Manner) -> Result<Status, Problem> {
    let stop = interrupt::install()?;
    let job_of = workload(arguments)?;
    let target = acquire(arguments).await?;
    if arguments.initialize {
        return initialize(arguments, &target, &stop, manner).await;
    }
    let client = target.connect().await?;
    let scale = scale(&client).await?;
    if !arguments.no_vacuum {
        let access = if job_of.script == "select-only" { Access::Reads } else { Access::Writes };
        dataset::prepare_trial(&client, Ownership::Existing, access).await?;
    }
    let facts = target.facts().await?;
    let job = job_of.on(arguments, login(target.conninfo()), scale);
    let progress = arguments.progress.filter(|_| !manner.quiet).map(std::num::NonZeroU32::get);
    let (summary, throughput) = tokio::task::spawn_blocking(move || drive(&job, &stop, progress))
        .await
        .expect("the load engine does not panic")
        .map_err(|error| {
            Problem::could_not_measure(error.to_string())
                .detail(error.detail().unwrap_or_default())
                .hint(error.hint().unwrap_or_default())
        })?;
    let text = if manner.json {
        json(&job_of, scale, &summary)
    } else {
        let lines = pgbench_lines(arguments, &job_of, scale, &facts.server.version, &summary);
        format!("{lines}{}\n", within_this_run(&throughput))
    };
    documents::print(text.as_bytes())?;
    // As pgbench: a run in which a client was lost is not a success, although its figures are printed.
    Ok(if summary.outages.is_empty() && !summary.interrupted { Status::Done } else { Status::CouldNotMeasure })
}

/// What is run, checked before a server is asked anything.
struct Workload {
    script: String,
    mode: QueryMode,
    mode_name: String,
}

fn workload(arguments: &BenchArgs) -> Result<Workload, Problem> {
    let script = match (arguments.select_only, arguments.skip_some_updates) {
        (true, _) => "select-only",
        (_, true) => "simple-update",
        _ => arguments.builtin.as_str(),
    };
    // pgbench takes any unambiguous beginning of a name.
    let found: Vec<&str> =
        ["tpcb-like", "simple-update", "select-only"].into_iter().filter(|name| name.starts_with(script)).collect();
    let [script] = found.as_slice() else {
        return Err(Problem::usage(format!("no built-in script is called {script:?}"))
            .hint("there are tpcb-like, simple-update and select-only"));
    };
    let mode = match arguments.mode.as_str() {
        "simple" => QueryMode::Simple,
        "extended" => QueryMode::Extended,
        "prepared" => QueryMode::Prepared,
        other => {
            return Err(Problem::usage(format!("there is no query mode {other:?}"))
                .hint("there are simple, extended and prepared"));
        }
    };
    Ok(Workload { script: (*script).to_owned(), mode, mode_name: arguments.mode.clone() })
}

impl Workload {
    fn on(&self, arguments: &BenchArgs, server: load::Server, scale: u32) -> Job {
        Job {
            server,
            scripts: vec![Weighted::one(
                Script::builtin(&self.script).expect("checked to be one of the built-in scripts"),
            )],
            mode: self.mode,
            clients: arguments.clients,
            threads: arguments.threads.min(arguments.clients),
            warm_up: Duration::from_secs(u64::from(arguments.warm_up)),
            measure: Duration::from_secs(u64::from(arguments.seconds.get())),
            seed: arguments.random_seed.unwrap_or_else(super::run::entropy),
            scale,
        }
    }
}

async fn acquire(arguments: &BenchArgs) -> Result<Target, Problem> {
    let environment = Environment::current(super::run::own_executable());
    let spec = Spec::Url { conninfo: Secret::new(conninfo(arguments)) };
    target::acquire("server", &spec, &BTreeMap::new(), &environment, &mut |_| {}).await.map_err(Problem::from)
}

/// The options as a connection string; a database name may be one itself, and options win over it as with pgbench.
fn conninfo(arguments: &BenchArgs) -> String {
    let quoted = |value: &str| format!("'{}'", value.replace('\\', "\\\\").replace('\'', "\\'"));
    let mut parts = Vec::new();
    match arguments.database.as_deref() {
        Some(text) if text.starts_with("postgres://") || text.starts_with("postgresql://") => return text.to_owned(),
        Some(text) if text.contains('=') => parts.push(text.to_owned()),
        Some(name) => parts.push(format!("dbname={}", quoted(name))),
        None => {}
    }
    let options = [
        ("host", arguments.host.clone()),
        ("port", arguments.port.map(|port| port.to_string())),
        ("user", arguments.user.clone()),
    ];
    parts.extend(options.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", quoted(&value?)))));
    parts.join(" ")
}

async fn initialize(arguments: &BenchArgs, target: &Target, stop: &Stop, manner: Manner) -> Result<Status, Problem> {
    let mut last = String::new();
    let mut show = |step: dataset::Progress| {
        let text = match step {
            dataset::Progress::Copying { table, rows_done, rows_total } => {
                format!("{}: {} % of {rows_total} rows", table.name(), rows_done * 100 / rows_total.max(1) / 10 * 10)
            }
            other => format!("{other:?}").to_lowercase(),
        };
        if !manner.quiet && text != last {
            say(&text);
            last = text;
        }
    };
    let data = PgbenchData::new(arguments.scale)?;
    dataset::ensure(&target.control(), &data, Ownership::Managed, stop, &mut show).await?;
    Ok(Status::Done)
}

/// As pgbench, the scale is what the tables say.
async fn scale(client: &Client) -> Result<u32, Problem> {
    let problem = |detail: String| {
        Problem::could_not_measure("could not count the rows of pgbench_branches, which tell the scale")
            .detail(detail)
            .hint("make the data with `pgdyno bench -i` (or `pgbench -i`)")
    };
    let row = client
        .query_one("SELECT count(*) FROM pgbench_branches", &[])
        .await
        .map_err(|error| problem(error.as_db_error().map_or(error.to_string(), |db| db.message().to_owned())))?;
    u32::try_from(row.get::<_, i64>(0)).ok().filter(|scale| *scale > 0).ok_or_else(|| problem("it is empty".to_owned()))
}

/// Runs the load; returns its summary and the throughput of each second.
fn drive(job: &Job, stop: &Stop, progress_every_s: Option<u32>) -> Result<(Summary, Vec<f64>), LoadError> {
    let mut throughput = Vec::new();
    let summary = load::run(job, stop, &mut |event| {
        show(&event, progress_every_s);
        if let Event::Second(second) = event
            && second.phase == load::Phase::Measure
            && second.duration_ns > 0
        {
            throughput.push(second.latency().count() as f64 * 1e9 / second.duration_ns as f64);
        }
    })?;
    Ok((summary, throughput))
}

/// What one run can say of its own precision, and what it cannot.
fn within_this_run(throughput: &[f64]) -> String {
    let interval = within_trial(throughput).map_or(String::new(), |trial| {
        let Interval { low, high } = trial.mean.interval;
        format!("95 % interval of tps {low:.1} … {high:.1} ")
    });
    format!("{interval}within this run only: says nothing of run-to-run variation; `pgdyno run` repeats and compares")
}

fn show(event: &Event<'_>, every_s: Option<u32>) {
    let (Some(every), Event::Second(second)) = (every_s, event) else { return };
    if second.phase == load::Phase::Measure && (second.index + 1) % every == 0 {
        let latency = second.latency();
        let seconds = second.duration_ns as f64 / 1e9;
        let failed: u64 = second.scripts.iter().map(|script| script.failed).sum();
        say(&format!(
            "progress: {}.0 s, {:.1} tps, lat {:.3} ms stddev {:.3}, {failed} failed",
            second.index + 1,
            latency.count() as f64 / seconds,
            latency.mean_ns().map_or(f64::NAN, |ns| ns / 1e6),
            latency.stddev_ns().map_or(f64::NAN, |ns| ns / 1e6),
        ));
    }
}

fn pgbench_lines(arguments: &BenchArgs, workload: &Workload, scale: u32, version: &str, summary: &Summary) -> String {
    let mut text = String::new();
    write_pgbench_lines(&mut text, arguments, workload, scale, version, summary)
        .expect("writing into a String cannot fail");
    text
}

fn write_pgbench_lines(
    out: &mut String,
    arguments: &BenchArgs,
    workload: &Workload,
    scale: u32,
    version: &str,
    summary: &Summary,
) -> std::fmt::Result {
    let tps = summary.transactions() as f64 * 1e9 / summary.measure_ns.max(1) as f64;
    let ended = summary.transactions() + summary.failed;
    writeln!(out, "pgdyno ({}, server {})", env!("CARGO_PKG_VERSION"), crate::compare::short_version(version))?;
    writeln!(out, "transaction type: <builtin: {}>", workload.script)?;
    writeln!(out, "scaling factor: {scale}")?;
    writeln!(out, "query mode: {}", workload.mode_name)?;
    writeln!(out, "number of clients: {}", summary.clients)?;
    writeln!(out, "number of threads: {}", summary.threads)?;
    writeln!(out, "maximum number of tries: 1")?;
    writeln!(out, "duration: {} s", arguments.seconds)?;
    writeln!(out, "number of transactions actually processed: {}", summary.transactions())?;
    let share = 100.0 * summary.failed as f64 / ended.max(1) as f64;
    writeln!(out, "number of failed transactions: {} ({share:.3}%)", summary.failed)?;
    if let Some(latency) = latency_summary(&summary.latency) {
        writeln!(out, "latency average = {:.3} ms", latency.mean_ns / 1e6)?;
        writeln!(out, "latency stddev = {:.3} ms", latency.stddev_ns / 1e6)?;
        writeln!(out, "initial connection time = {:.3} ms", summary.connection_ns as f64 / 1e6)?;
        writeln!(out, "tps = {tps:.6} (without initial connection time)")?;
        writeln!(out, "{}", percentiles(&latency))?;
    }
    let cpu_ns: u64 = summary.engine.iter().map(|thread| thread.cpu_ns).sum();
    if summary.transactions() > 0 {
        let per_transaction = cpu_ns as f64 / 1e3 / summary.transactions() as f64;
        writeln!(out, "client CPU per transaction = {per_transaction:.2} µs ({})", summary.backend)?;
    }
    for (state, total) in &summary.errors {
        writeln!(out, "failed with SQLSTATE {state}: {} ({})", total.count, total.example)?;
    }
    for outage in &summary.outages {
        let end = outage.end_ns.map_or("not over".to_owned(), |end| format!("{:.1} s", end as f64 / 1e9));
        let start = outage.start_ns as f64 / 1e9;
        writeln!(out, "outage of client {}: {start:.1} s to {end}: {}", outage.client, outage.cause)?;
    }
    Ok(())
}

fn percentiles(latency: &LatencySummary) -> String {
    let ms = |ns: u64| units::milliseconds(ns as f64 / 1e6);
    format!(
        "latency p50 = {}, p95 = {}, p99 = {}, p99.9 = {}, max = {}",
        ms(latency.p50_ns),
        ms(latency.p95_ns),
        ms(latency.p99_ns),
        ms(latency.p999_ns),
        ms(latency.max_ns)
    )
}

fn json(workload: &Workload, scale: u32, summary: &Summary) -> String {
    let errors: BTreeMap<String, u64> =
        summary.errors.iter().map(|(state, total)| (state.to_string(), total.count)).collect();
    let value = serde_json::json!({
        "script": workload.script,
        "mode": workload.mode_name,
        "scale": scale,
        "clients": summary.clients,
        "threads": summary.threads,
        "measure_s": summary.measure_ns as f64 / 1e9,
        "transactions": summary.transactions(),
        "failed": summary.failed,
        "unknown": summary.unknown,
        "errors": errors,
        "outages": summary.outages.len(),
        "interrupted": summary.interrupted,
        "latency": latency_summary(&summary.latency),
        "connection_ms": summary.connection_ns as f64 / 1e6,
        "cpu_us": summary.engine.iter().map(|thread| thread.cpu_ns).sum::<u64>() as f64 / 1e3,
        "backend": summary.backend,
    });
    format!("{value:#}\n")
}
