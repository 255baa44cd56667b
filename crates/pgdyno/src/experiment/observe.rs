//! From what the load engine tells to what a run directory holds.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use load::{Latency, Second, Summary, ThreadSecond};
use results::interval::{EngineInterval, Interval, IntervalLatency, Reading};
use results::latency_log::Series;
use results::trial::{EngineTotals, LatencySummary, LoadTotals, Outage, Phase, ScriptTotals};
use target::{ConnInfo, Host};

/// How the load engine logs in.
pub fn login(conninfo: &ConnInfo) -> load::Server {
    let endpoint = match &conninfo.host {
        Host::Tcp { name, address } => {
            // libpq's hostaddr: the address is given, so the name need not resolve.
            let host = address.map_or(name.clone(), |address| address.to_string());
            load::Endpoint::Tcp { host, port: conninfo.port }
        }
        Host::Unix(directory) => load::Endpoint::Unix { path: directory.join(format!(".s.PGSQL.{}", conninfo.port)) },
    };
    load::Server {
        endpoint,
        user: conninfo.user.clone(),
        password: conninfo.password.as_ref().map(|password| load::Secret::new(password.expose())),
        database: conninfo.dbname.clone(),
        options: conninfo.options.clone(),
        application_name: "pgdyno".to_owned(),
    }
}

/// A phase of the load as a phase of a trial.
pub(super) fn phase(phase: load::Phase) -> Phase {
    match phase {
        load::Phase::WarmUp => Phase::WarmUp,
        load::Phase::Measure => Phase::Measure,
    }
}

/// A second of the load, owned, with the histograms that the latency log needs.
#[derive(Debug)]
pub(super) struct ObservedSecond {
    /// Everything but the probes.
    pub(super) interval: Interval,
    /// All scripts together, and each of several.
    pub(super) histograms: Vec<(Series, Histogram<u64>)>,
}

/// Copies a second out of the engine; `clients_out` counts clients without a connection at its end.
pub(super) fn second(second: &Second, clients_out: u32) -> ObservedSecond {
    let total = second.latency();
    let phase = phase(second.phase);
    let series = match phase {
        Phase::WarmUp => Series::WarmUp,
        Phase::Measure | Phase::SetUp | Phase::Connect | Phase::CoolDown => Series::Measure,
    };
    let interval = Interval {
        phase,
        index: second.index,
        start_us: second.start_ns / 1_000,
        duration_us: second.duration_ns / 1_000,
        transactions: total.count(),
        failed: second.scripts.iter().map(|script| script.failed).sum(),
        errors: second.errors.iter().map(|(state, count)| (state.to_string(), *count)).collect(),
        clients_out,
        latency: interval_latency(&total),
        engine: engine_interval(&second.threads, second.duration_ns),
        probes: BTreeMap::<String, Reading>::new(),
    };
    let mut histograms = vec![(series, total.histogram().clone())];
    if second.scripts.len() > 1 && phase == Phase::Measure {
        let script = |s: &load::ScriptSecond| (Series::Script(s.name.clone()), s.latency.histogram().clone());
        histograms.extend(second.scripts.iter().map(script));
    }
    ObservedSecond { interval, histograms }
}

fn interval_latency(latency: &Latency) -> Option<IntervalLatency> {
    let histogram = latency.histogram();
    Some(IntervalLatency {
        mean_ns: latency.mean_ns()?,
        p50_ns: histogram.value_at_quantile(0.50),
        p95_ns: histogram.value_at_quantile(0.95),
        p99_ns: histogram.value_at_quantile(0.99),
        max_ns: histogram.max(),
    })
}

fn engine_interval(threads: &[ThreadSecond], duration_ns: u64) -> EngineInterval {
    let busiest = threads.iter().map(|thread| thread.cpu_ns).max().unwrap_or(0);
    EngineInterval {
        cpu_us: threads.iter().map(|thread| thread.cpu_ns).sum::<u64>() / 1_000,
        busiest_thread: busiest as f64 / duration_ns.max(1) as f64,
        loop_lag_ns_max: threads.iter().map(|thread| thread.loop_lag_max_ns).max().unwrap_or(0),
    }
}

/// The measurement phase as a whole; absent when the load was stopped before it began.
pub(super) fn totals(summary: &Summary) -> Option<LoadTotals> {
    (summary.measure_ns > 0).then(|| LoadTotals {
        measure_us: summary.measure_ns / 1_000,
        transactions: summary.transactions(),
        failed: summary.failed,
        unknown: summary.unknown,
        errors: summary.errors.iter().map(|(state, total)| (state.to_string(), total.count)).collect(),
        latency: latency_summary(&summary.latency),
        scripts: summary.scripts.iter().map(|script| (script.name.clone(), script_totals(script))).collect(),
        outages: summary.outages.iter().map(outage).collect(),
        engine: engine_totals(summary),
    })
}

fn script_totals(script: &load::ScriptTotal) -> ScriptTotals {
    ScriptTotals {
        transactions: script.latency.count(),
        failed: script.failed,
        latency: latency_summary(&script.latency),
    }
}

/// Percentiles, mean and deviation of one series; absent when it is empty.
pub fn latency_summary(latency: &Latency) -> Option<LatencySummary> {
    let histogram = latency.histogram();
    Some(LatencySummary {
        mean_ns: latency.mean_ns()?,
        stddev_ns: latency.stddev_ns()?,
        min_ns: histogram.min(),
        p50_ns: histogram.value_at_quantile(0.50),
        p95_ns: histogram.value_at_quantile(0.95),
        p99_ns: histogram.value_at_quantile(0.99),
        p999_ns: histogram.value_at_quantile(0.999),
        max_ns: histogram.max(),
    })
}

fn outage(outage: &load::Outage) -> Outage {
    Outage {
        client: outage.client,
        start_us: outage.start_ns / 1_000,
        end_us: outage.end_ns.map(|end| end / 1_000),
        cause: outage.cause.clone(),
    }
}

fn engine_totals(summary: &Summary) -> EngineTotals {
    let system = |thread: &load::ThreadTotal| thread.cpu_system_ns;
    let cpu_ns: u64 = summary.engine.iter().map(|thread| thread.cpu_ns).sum();
    let system_ns: Option<u64> = summary.engine.iter().map(system).sum();
    let busiest = summary.engine.iter().map(|thread| thread.cpu_ns).max().unwrap_or(0);
    EngineTotals {
        backend: summary.backend.to_owned(),
        threads: summary.threads,
        cpu_us: cpu_ns / 1_000,
        cpu_system_us: system_ns.map(|ns| ns / 1_000),
        busiest_thread: busiest as f64 / summary.measure_ns.max(1) as f64,
        loop_lag_ns_max: summary.engine.iter().map(|thread| thread.loop_lag_max_ns).max().unwrap_or(0),
    }
}
