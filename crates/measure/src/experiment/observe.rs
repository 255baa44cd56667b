//! From what the load engine tells to what a run directory holds.

use std::collections::BTreeMap;
use std::ops::Range;

use conninfo::ConnInfo;
use hdrhistogram::Histogram;
use load::external::ToolProgress;
use load::{
    ConnectionLatency, Connections, OpenLoop, PathActivity, PhaseSecond, Summary, ThreadActivity, TransactionLatency,
};
use plan::Workload;
use probe::Unexplained;
use results::execution_results::{ExecutionResult, StatementResults, TrialResults};
use results::interval::{EngineInterval, IntervalLatency, OpenInterval, Reading, TrialInterval};
use results::latency_log::LatencySeries;
use results::path::{NetworkPath, PathFigures, TcpFigures};
use results::statement_latency::{StatementLatencies, StatementLatency};
use results::told::{LatencySpread, ToldLatency};
use results::trial::{
    ConnectingTotals, EngineTotals, FailedStatement, FirstError, GeneratorTotals, LatencySummary, LoadTotals,
    OpenTotals, Outage, QueryTotals, ScriptTotals, TrialPhase, WaitTotals,
};
use results::turn::{FirstQuarter, Turn};
use results::workload::{SentStatement, StatementKind, StatementNumber, WorkloadStatements};

use super::standstills;
use crate::scripts::OwnScripts;

/// What the sessions of the load are called on the server, whoever generates it.
pub(super) const APPLICATION_NAME: &str = "pgdyno-load";

/// What the sessions of a side are called that has this place among those that take turns: sides may share a server.
pub(super) fn sessions_of(place: usize) -> String {
    match place {
        0 => APPLICATION_NAME.to_owned(),
        _ => format!("{APPLICATION_NAME}-{}", place + 1),
    }
}

/// How the load logs in.
pub fn login_for_load(conninfo: &ConnInfo) -> ConnInfo {
    ConnInfo { application_name: APPLICATION_NAME.to_owned(), ..conninfo.clone() }
}

/// What the scripts of a workload send.
pub fn statements_of_workload(workload: &str, job: &load::EngineJob) -> WorkloadStatements {
    let sent = |statement: load::ScriptStatement| SentStatement {
        script: statement.script,
        line: statement.line,
        kind: match statement.kind {
            load::ScriptStatementKind::Sql => StatementKind::Sql,
            load::ScriptStatementKind::Sleep => StatementKind::Sleep,
            load::ScriptStatementKind::Shell => StatementKind::Shell,
        },
        text: statement.text,
        parameters: statement.parameters,
        variants: statement.variants,
        captured: None,
    };
    let statements = job.statements_by_number().into_iter().map(sent).collect();
    WorkloadStatements { format: results::workload::FORMAT, workload: workload.to_owned(), statements, captured: None }
}

/// The statements that the server can be asked about, with values that the load draws. Those of own scripts may be
/// executed where the server said that they only read.
pub(super) fn unexplained_statements(
    job: &load::EngineJob,
    scripts: &OwnScripts,
    workload: &Workload,
    target: &str,
) -> Vec<Unexplained> {
    // Not lost: the load itself fails with the same reason.
    let Ok(drawn) = job.draw_statements() else { return Vec::new() };
    let prepared = job.mode == load::QueryMode::Prepared;
    let sent = job.statements_by_number();
    let reading = workload.own_scripts().map(|_| scripts.reading_lines(&workload.name, target));
    let members = members_with_scripts(workload);
    let mut unexplained = Vec::new();
    for load::DrawnStatement { number, text, values, .. } in drawn {
        let Ok(of_number) = u32::try_from(number) else { continue };
        let may_be_executed = sent.get(number).is_some_and(|one| match &reading {
            Some(lines) => lines.contains(&(one.script.as_str(), one.line)),
            None => !is_of_members(&members, &one.script),
        });
        let statement = StatementNumber(of_number);
        unexplained.push(Unexplained { statement, text, values, prepared, may_be_executed });
    }
    unexplained
}

/// The members of a mix that have scripts of their own: under the names that these have in the mix, it is not known
/// what the server said of them.
fn members_with_scripts(workload: &Workload) -> Vec<String> {
    let members = workload.mix_members().iter().zip(workload.single_workloads());
    members.filter(|(_, single)| single.own_scripts().is_some()).map(|(member, _)| member.name.clone()).collect()
}

/// Whether a script of a mix is one of these members'.
fn is_of_members(members: &[String], script: &str) -> bool {
    members.iter().any(|member| {
        script.strip_prefix(member.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
    })
}

/// A phase of the load as a phase of a trial.
pub(super) fn phase_of_load(phase: load::LoadPhase) -> TrialPhase {
    match phase {
        load::LoadPhase::WarmUp => TrialPhase::WarmUp,
        load::LoadPhase::Measure => TrialPhase::Measure,
    }
}

/// A second of the load, owned, with the histograms that the latency log needs.
#[derive(Debug)]
pub(super) struct ObservedSecond {
    /// Everything but the probes.
    pub(super) interval: TrialInterval,
    /// What the server said first of the failures of a kind that is new in it: SQLSTATE and message.
    pub(super) first_error: Option<String>,
    /// All scripts together, and each of several.
    pub(super) histograms: Vec<(LatencySeries, Histogram<u64>)>,
}

/// Whether a second is one of a side that takes turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alternating {
    /// It is.
    Turns,
    /// The side was alone.
    Alone,
}

/// Copies a second out of the engine; `clients_out` counts clients without a connection at its end.
pub(super) fn observed_second(second: &PhaseSecond, clients_out: u32, alternating: Alternating) -> ObservedSecond {
    let total = second.total_latency();
    let phase = phase_of_load(second.phase);
    let series = match phase {
        TrialPhase::WarmUp => LatencySeries::WarmUp,
        TrialPhase::Measure | TrialPhase::SetUp | TrialPhase::Connect | TrialPhase::CoolDown => LatencySeries::Measure,
    };
    let interval = TrialInterval {
        phase,
        index: second.index,
        start_us: second.start_ns / 1_000,
        duration_us: second.duration_ns / 1_000,
        turn_us: (alternating == Alternating::Turns).then_some(second.turn_ns / 1_000),
        transactions: total.count(),
        failed: second.scripts.iter().map(|script| script.failed).sum(),
        errors: second.errors.iter().map(|(state, count)| (state.to_string(), *count)).collect(),
        clients_out,
        attempts: second.attempts,
        late: second.scripts.iter().map(|script| script.late).sum(),
        retried: second.scripts.iter().map(|script| script.retried).sum(),
        open: second.open.as_ref().map(open_interval),
        latency: interval_latency(&total),
        told: None,
        engine: Some(engine_interval(&second.threads, second.turn_ns)),
        path: Some(path_figures(&second.threads)),
        probes: BTreeMap::<String, Reading>::new(),
    };
    let mut histograms = vec![(series, total.histogram().clone())];
    if second.scripts.len() > 1 && phase == TrialPhase::Measure {
        let script = |s: &load::ScriptSecond| (LatencySeries::Script(s.name.clone()), s.latency.histogram().clone());
        histograms.extend(second.scripts.iter().map(script));
    }
    let first_error = second.first_errors.first();
    let first_error = first_error.map(|error| format!("{}: {}", error.sqlstate, error.message));
    ObservedSecond { interval, first_error, histograms }
}

fn interval_latency(latency: &TransactionLatency) -> Option<IntervalLatency> {
    let histogram = latency.histogram();
    Some(IntervalLatency {
        mean_ns: latency.mean_ns()?,
        p50_ns: histogram.value_at_quantile(0.50),
        p95_ns: histogram.value_at_quantile(0.95),
        p99_ns: histogram.value_at_quantile(0.99),
        max_ns: histogram.max(),
    })
}

/// What another program told of a second: how many transactions it says, to the nearest whole one, and the latency that
/// it knows, which has no such percentiles as ours. `phase_start_us`: when its phase began, since the load's start.
pub(super) fn external_second(progress: &ToolProgress, phase_start_us: u64) -> ObservedSecond {
    let interval = TrialInterval {
        phase: phase_of_load(progress.phase),
        index: progress.index,
        start_us: phase_start_us + u64::from(progress.index) * 1_000_000,
        duration_us: 1_000_000,
        turn_us: None,
        transactions: progress.tps.round() as u64,
        failed: progress.failed.map_or(0, |failed| failed.round() as u64),
        errors: BTreeMap::new(),
        clients_out: 0,
        attempts: 0,
        late: 0,
        retried: 0,
        open: None,
        latency: None,
        told: Some(told_latency(progress)).filter(|told| !told.is_empty()),
        engine: None,
        path: None,
        probes: BTreeMap::new(),
    };
    ObservedSecond { interval, first_error: None, histograms: Vec::new() }
}

fn told_latency(progress: &ToolProgress) -> ToldLatency {
    let nanoseconds = |ms: f64| ms * 1e6;
    let spread = LatencySpread {
        stddev_ns: progress.latency_stddev_ms.map(nanoseconds),
        percentiles_ns: progress.latency_percentile_ms.iter().map(|(of, ms)| (format!("p{of}"), ms * 1e6)).collect(),
        ..LatencySpread::default()
    };
    ToldLatency::with_spread(progress.latency_mean_ms.map(nanoseconds), spread)
}

fn open_interval(open: &OpenLoop) -> OpenInterval {
    let lag = open.total_lag();
    OpenInterval {
        offered: open.offered,
        skipped: open.skipped,
        waiting: open.waiting,
        lag_ns_p99: (lag.count() > 0).then(|| lag.histogram().value_at_quantile(0.99)),
    }
}

fn engine_interval(threads: &[ThreadActivity], duration_ns: u64) -> EngineInterval {
    let busiest = threads.iter().map(|thread| thread.cpu_ns).max().unwrap_or(0);
    EngineInterval {
        cpu_us: threads.iter().map(|thread| thread.cpu_ns).sum::<u64>() / 1_000,
        busiest_thread: busiest as f64 / duration_ns.max(1) as f64,
        loop_lag_ns_max: threads.iter().map(|thread| thread.loop_lag_max_ns).max().unwrap_or(0),
    }
}

/// What lay between the clients and the server, over all threads.
fn path_figures(threads: &[ThreadActivity]) -> PathFigures {
    let mut all = PathActivity::default();
    threads.iter().for_each(|thread| all.add(&thread.path));
    let mean_us = |sum: u64| sum as f64 / all.tcp_readings as f64;
    let network = match (all.tcp_readings, all.unix_readings) {
        (1.., _) => NetworkPath::Tcp(TcpFigures {
            readings: all.tcp_readings,
            rtt_us_min: mean_us(all.rtt_min_us_sum),
            rtt_us_smoothed: mean_us(all.rtt_us_sum),
            retransmits: all.retransmits,
            lost: all.lost,
        }),
        (0, 1..) => NetworkPath::Unix,
        (0, 0) => NetworkPath::Unknown { gap: "the kernel reported no connection in this time".to_owned() },
    };
    PathFigures {
        round_trips: all.round_trips,
        received_bytes: Some(all.received_bytes),
        engine_us: all.engine_ns() / 1_000,
        script_us: Some(all.script_ns / 1_000),
        network,
    }
}

/// A turn that is over.
pub(super) fn turn_record(turn: &load::EndedTurn) -> Turn {
    let micros = |ns: u128| u64::try_from(ns / 1_000).unwrap_or(u64::MAX);
    Turn {
        phase: phase_of_load(turn.phase),
        round: turn.round,
        place: turn.place,
        start_us: turn.start_ns / 1_000,
        duration_us: turn.duration_ns() / 1_000,
        overrun_us: turn.overrun_ns / 1_000,
        gap_us: turn.gap_ns / 1_000,
        taken_up_after_us: turn.taken_up_after_ns / 1_000,
        transactions: turn.transactions,
        failed: turn.failed,
        unknown: turn.unknown,
        latency_sum_us: micros(turn.latency_sum_ns),
        first_quarter: FirstQuarter {
            transactions: turn.first_quarter.transactions,
            latency_sum_us: micros(turn.first_quarter.latency_sum_ns),
        },
        clients_out: turn.clients_out,
        lost: turn.is_lost,
    }
}

/// The measurement phase as a whole, which consisted of the `measured` times; absent when the load was stopped before
/// it began. What failed first, and when the clients were connected is for the caller to say, who knows whether they
/// were those of one side.
pub(super) fn load_totals(summary: &Summary, measured: &[(u64, u64)], workload: &Workload) -> Option<LoadTotals> {
    (summary.measure_ns > 0).then(|| LoadTotals {
        measure_us: summary.measure_ns / 1_000,
        transactions: summary.successful_transactions(),
        failed: summary.failed,
        unknown: summary.unknown,
        errors: summary.errors.iter().map(|(state, count)| (state.to_string(), *count)).collect(),
        first_errors: Vec::new(),
        latency: latency_summary(&summary.latency),
        late: workload.latency_limit.is_some().then_some(summary.late),
        retried: summary.retried,
        retries: summary.retries,
        open: summary.open.as_ref().map(open_totals),
        connected_us: None,
        connecting: summary.connections.as_deref().and_then(|made| connecting_totals(made, workload.connections)),
        queries: None,
        ledger: None,
        generator: None,
        sent_from: None,
        generators: Vec::new(),
        scripts: summary.scripts.iter().map(|script| (script.name.clone(), script_totals(script))).collect(),
        outages: summary.outages.iter().map(outage_record).collect(),
        standstills: standstills::standstills_within(measured, &summary.silences),
        engine: engine_totals(summary),
        // Another program's threads are not seen.
        path: (!summary.engine.is_empty()).then(|| path_figures(&summary.engine)),
        waits: summary.statements.as_deref().map(wait_totals),
    })
}

/// What the clients waited for within their transactions.
fn wait_totals(statements: &[load::StatementTotal]) -> WaitTotals {
    let (mut statements_ns, mut pauses_ns) = (0.0, 0.0);
    for statement in statements {
        let all_ns = statement.latency.mean_ns().unwrap_or_default() * statement.latency.count() as f64;
        match statement.kind {
            load::ScriptStatementKind::Sql => statements_ns += all_ns,
            load::ScriptStatementKind::Sleep | load::ScriptStatementKind::Shell => pauses_ns += all_ns,
        }
    }
    WaitTotals { statements_us: (statements_ns / 1e3) as u64, pauses_us: (pauses_ns / 1e3) as u64 }
}

/// An error of the load with the statement that failed, which is one of those that the load sends.
pub fn first_error(error: &load::JobFirstError, statements: &[SentStatement]) -> FirstError {
    let number = error.statement.and_then(|number| usize::try_from(number).ok());
    let statement = number.and_then(|number| statements.get(number));
    FirstError {
        sqlstate: error.sqlstate.to_string(),
        message: error.message.clone(),
        statement: statement.map(|sent| FailedStatement::new(&sent.script, sent.line, &sent.text)),
    }
}

/// How long each statement took; none where they were not timed.
pub(super) fn statement_latency(summary: &Summary) -> Option<StatementLatencies> {
    let told = |statement: &load::StatementTotal| StatementLatency {
        executions: statement.latency.count(),
        failed: statement.failed,
        retried: statement.retried,
        latency: latency_summary(&statement.latency),
    };
    let statements = summary.statements.as_ref()?.iter().map(told).collect();
    Some(StatementLatencies { format: results::statement_latency::FORMAT, statements })
}

/// What the executions of a list came to.
pub(super) fn trial_results(noted: &load::ListedResults) -> TrialResults {
    let mut statements = Vec::new();
    for number in noted.statement_numbers() {
        let results = noted.results_of_statement(number).map(|result| result.map(execution_result));
        statements.push(StatementResults::from_results(results));
    }
    TrialResults { statements }
}

fn execution_result(noted: load::ListedResult) -> ExecutionResult {
    let load::ListedResult { failure, rows, digest, varies } = noted;
    let sqlstate = failure.and_then(|failure| failure.as_str().as_bytes().first_chunk::<5>().copied());
    ExecutionResult { sqlstate, rows, digest, varies }
}

/// The statements of all scripts by what they did.
pub(super) fn query_totals(summary: &Summary) -> QueryTotals {
    let sum =
        |count: fn(&load::StatementCounts) -> u64| summary.scripts.iter().map(|script| count(&script.statements)).sum();
    QueryTotals { read: sum(|of| of.reads), write: sum(|of| of.writes), other: sum(|of| of.others) }
}

fn connecting_totals(made: &ConnectionLatency, connections: Connections) -> Option<ConnectingTotals> {
    let total = latency_summary(&made.total)?;
    Some(ConnectingTotals {
        count: made.total.count(),
        total,
        tcp: latency_summary(&made.connect),
        first_answer: latency_summary(&made.first_answer),
        tls: latency_summary(&made.tls),
        login: latency_summary(&made.login),
        scram_iterations: made.scram_iterations,
        part_of_latency: Some(connections == Connections::PerTransaction),
    })
}

fn open_totals(open: &OpenLoop) -> OpenTotals {
    OpenTotals {
        offered: open.offered,
        skipped: open.skipped,
        waiting: Some(open.waiting),
        service: latency_summary(&open.service),
        lag: latency_summary(&open.total_lag()),
        lag_of_engine: latency_summary(&open.lag_engine),
    }
}

fn script_totals(script: &load::ScriptTotal) -> ScriptTotals {
    ScriptTotals {
        transactions: script.latency.count(),
        failed: script.failed,
        latency: latency_summary(&script.latency),
    }
}

/// Percentiles, mean and deviation of one series; absent when it is empty.
pub fn latency_summary(latency: &TransactionLatency) -> Option<LatencySummary> {
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

fn outage_record(outage: &load::ClientOutage) -> Outage {
    Outage {
        client: outage.client,
        start_us: outage.start_ns / 1_000,
        end_us: outage.end_ns.map(|end| end / 1_000),
        cause: outage.cause.clone(),
        in_flight: outage.in_flight,
    }
}

/// One of several generators' part of the measurement phase.
pub(super) fn generator_totals(
    generator: &str,
    clients: Range<u32>,
    (clock_error_us, late_us): (u64, u64),
    summary: &Summary,
) -> GeneratorTotals {
    GeneratorTotals {
        generator: generator.to_owned(),
        first_client: clients.start,
        clients: clients.end - clients.start,
        clock_error_us,
        late_us,
        transactions: summary.successful_transactions(),
        failed: summary.failed,
        offered: summary.open.as_ref().map(|open| open.offered),
        latency: latency_summary(&summary.latency),
        engine: engine_totals(summary),
        path: (!summary.engine.is_empty()).then(|| path_figures(&summary.engine)),
    }
}

fn engine_totals(summary: &Summary) -> EngineTotals {
    let cpu_ns: u64 = summary.engine.iter().map(|thread| thread.cpu_ns).sum();
    let system_ns: Option<u64> = summary.engine.iter().map(|thread| thread.cpu_system_ns).sum();
    let busiest = summary.engine.iter().map(|thread| thread.cpu_ns).max().unwrap_or(0);
    EngineTotals {
        backend: summary.backend.to_string(),
        threads: summary.threads,
        cpu_us: cpu_ns / 1_000,
        cpu_system_us: system_ns.map(|ns| ns / 1_000),
        busiest_thread: busiest as f64 / summary.measure_ns.max(1) as f64,
        busiest_demand: summary.engine.iter().map(|thread| thread.cpu_demand(summary.measure_ns)).reduce(f64::max),
        late_sends: summary.engine.iter().map(|thread| thread.late_sends).sum(),
        send_lag_ns: summary.engine.iter().map(|thread| thread.send_lag_ns).sum(),
        loop_lag_ns_max: summary.engine.iter().map(|thread| thread.loop_lag_max_ns).max().unwrap_or(0),
    }
}
