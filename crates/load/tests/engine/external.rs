//! The real pgbench and sysbench as generators, against a real PostgreSQL: their figures are what the server counted,
//! and a run that they did not finish is an error.

use crate::server;
use conninfo::{ConnInfo, ServerHost};
use load::external::{
    self, ExternalError, ExternalJob, ExternalRun, SysbenchJob, ToolEvent, ToolProgress, UnavailableFigure,
};
use load::{
    Arrivals, EngineJob, LoadPhase, OfferedRate, ParsedScript, SqlState, StopRequest, Think, TransactionPace, Tries,
    Weighted,
};
use std::num::NonZeroU32;
use std::process::Command;
use std::time::Duration;

fn number(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).expect("not zero")
}

fn second() -> Duration {
    Duration::from_secs(1)
}

fn builtin(server: ConnInfo, name: &str) -> EngineJob {
    EngineJob {
        measure: second().into(),
        clients: number(2),
        ..EngineJob::new(server, ParsedScript::builtin(name).expect("a built-in"))
    }
}

fn run(job: &ExternalJob) -> (Result<ExternalRun, ExternalError>, Vec<ToolEvent>) {
    let mut events = Vec::new();
    let outcome = external::run_external_job(job, &StopRequest::new(), &mut |event| events.push(*event));
    (outcome, events)
}

/// The phase whose begin an event tells, with its instant.
fn began(event: &ToolEvent) -> Option<(LoadPhase, u64)> {
    match event {
        ToolEvent::Began { phase, start_ns } => Some((*phase, *start_ns)),
        ToolEvent::Second(_) => None,
    }
}

fn pgbench(job: EngineJob) -> ExternalRun {
    let (outcome, _) = run(&ExternalJob::Pgbench(Box::new(job)));
    outcome.unwrap_or_else(|error| panic!("{error}: {:?}", error.detail()))
}

#[test]
fn pgbench_s_transactions_are_those_that_the_server_has() {
    let server = server::shared();
    let database = server.pgbench_database();
    let job =
        EngineJob { threads: number(2), warm_up: 2 * second(), ..builtin(server.unix(&database), "simple-update") };
    let warm_up = EngineJob { measure: second().into(), warm_up: Duration::ZERO, ..job.clone() };
    let (outcome, events) = run(&ExternalJob::Pgbench(Box::new(job)));
    let measured = outcome.expect("it runs");
    assert!(measured.program.version.starts_with("pgbench (PostgreSQL) "), "{}", measured.program.version);
    let rows = server.query_number(&database, "SELECT count(*) FROM pgbench_history");
    let counted = measured.summary.successful_transactions() as i64;
    assert!(0 < counted && counted < rows, "{counted} counted, {rows} rows with the warm-up");
    assert!(measured.summary.latency.quantile_ns(0.99) > measured.summary.latency.quantile_ns(0.5));
    let phases: Vec<(LoadPhase, u64)> = events.iter().filter_map(began).collect();
    let [(LoadPhase::WarmUp, _), (LoadPhase::Measure, start_ns)] = phases[..] else { panic!("{events:?}") };
    assert!(start_ns >= 2_000_000_000, "{start_ns} ns: the warm-up is a run of its own before");
    assert!(began(&events[0]).is_some(), "a phase begins before its first second: {events:?}");
    assert!(
        matches!(events[1], ToolEvent::Second(ToolProgress { phase: LoadPhase::WarmUp, index: 0, .. })),
        "{events:?}"
    );
    assert!(measured.missing.contains(&UnavailableFigure::Engine));

    server.query_database(&database, "TRUNCATE pgbench_history");
    let measured = pgbench(warm_up);
    assert_eq!(
        measured.summary.successful_transactions() as i64,
        server.query_number(&database, "SELECT count(*) FROM pgbench_history")
    );
}

#[test]
fn several_scripts_with_a_rate_and_retries_are_told_apart() {
    let server = server::shared();
    let database = server.pgbench_database();
    let conflict = "BEGIN ISOLATION LEVEL SERIALIZABLE;\nSELECT sum(abalance) FROM pgbench_accounts WHERE aid <= 3;\n\
                    UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :one;\nEND;\n";
    let conflict = ParsedScript::parse("conflict", conflict).expect("a script");
    let mut job = builtin(server.tcp(&database), "select-only");
    job.scripts.push(Weighted { script: conflict, weight: number(9) });
    job.definitions.push(("one".to_owned(), "1".to_owned()));
    job.clients = number(8);
    job.tries = Tries::AtMost(number(2));
    job.pace = TransactionPace::Open { arrivals: Arrivals::Poisson, rate: OfferedRate::Constant(4000.0) };
    let summary = pgbench(job).summary;
    let [select, conflict] = summary.scripts.as_slice() else { panic!("two scripts") };
    assert_eq!((select.name.as_str(), select.failed), ("select-only", 0));
    assert_eq!(select.latency.count() + conflict.latency.count(), summary.successful_transactions());
    assert!(summary.retries > 0 && select.retries == 0, "{} retries", summary.retries);
    let open = summary.open.as_ref().expect("an open loop");
    assert_eq!(open.service.count(), summary.successful_transactions());
    assert!(open.total_lag().quantile_ns(0.5) <= summary.latency.quantile_ns(0.5));
    assert_eq!(open.offered, summary.successful_transactions() + summary.failed + open.skipped);
    let codes: u64 = summary.errors.values().sum();
    assert_eq!((conflict.failed, summary.failed), (codes, codes));
    assert!(summary.errors.keys().all(|code| [SqlState::SERIALIZATION_FAILURE].contains(code)), "{:?}", summary.errors);
}

#[test]
fn an_aborted_run_is_an_error_with_what_pgbench_said() {
    let server = server::shared();
    let database = server.empty_database();
    let script = ParsedScript::parse("broken", "SELECT 1/0;\n").expect("a script");
    let (outcome, _) = run(&ExternalJob::Pgbench(Box::new(EngineJob::new(server.unix(&database), script))));
    let Err(error @ ExternalError::Failed { .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(error.to_string(), "pgbench ended with exit status: 2");
    assert!(error.detail().is_some_and(|detail| detail.contains("division by zero")), "{error:?}");
}

#[test]
fn a_password_is_used_and_not_an_argument() {
    let server = server::shared();
    let database = server.pgbench_database();
    server.query_database(&database, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC");
    let job = |password| builtin(server::by("scram-sha-256", password, server.tcp(&database)), "select-only");
    let measured = pgbench(job("sesame"));
    assert!(measured.summary.successful_transactions() > 0);
    assert!(!measured.arguments.concat().contains("sesame"), "{:?}", measured.arguments);
    let (outcome, _) = run(&ExternalJob::Pgbench(Box::new(job("wrong"))));
    let error = outcome.expect_err("a wrong password");
    assert!(error.detail().is_some_and(|detail| detail.contains("password authentication failed")), "{error:?}");
}

#[test]
fn what_pgbench_cannot_do_is_refused_before_it_is_started() {
    let server = server::server((ServerHost::Unix("/nowhere".into()), 1), "none");
    let job = builtin(server, "select-only");
    let even = TransactionPace::Open { arrivals: Arrivals::Even, rate: OfferedRate::Constant(1.0) };
    let cases = [
        EngineJob { measure: Duration::from_millis(1500).into(), ..job.clone() },
        EngineJob { pace: TransactionPace::Closed { think: Some(Think::Fixed(second())) }, ..job.clone() },
        EngineJob { pace: even, ..job.clone() },
    ];
    for job in cases {
        let (outcome, _) = run(&ExternalJob::Pgbench(Box::new(job)));
        assert!(matches!(outcome, Err(ExternalError::Unsupported { .. })), "{outcome:?}");
    }
    let (outcome, _) = run(&ExternalJob::Pgbench(Box::new(job)));
    assert!(matches!(outcome, Err(ExternalError::Failed { .. })), "{outcome:?}");
}

#[test]
fn a_stop_ends_the_tool_and_its_sessions() {
    let server = server::shared();
    let database = server.pgbench_database();
    let job = EngineJob { measure: Duration::from_secs(600).into(), ..builtin(server.unix(&database), "select-only") };
    let stop = StopRequest::new();
    let outcome = external::run_external_job(&ExternalJob::Pgbench(Box::new(job)), &stop, &mut |event| {
        if began(event).is_none() {
            stop.request_stop();
        }
    });
    assert!(matches!(outcome, Err(ExternalError::Stopped)), "{outcome:?}");
    server.wait_until_left(&database);
}

fn sysbench_job(server: ConnInfo, script: &str) -> SysbenchJob {
    SysbenchJob {
        server,
        script: script.to_owned(),
        options: vec![("tables".to_owned(), "2".to_owned()), ("table-size".to_owned(), "100".to_owned())],
        threads: number(2),
        rate: None,
        warm_up: Duration::ZERO,
        measure: Duration::from_secs(2),
        seed: 1,
    }
}

#[test]
fn sysbench_s_events_are_those_that_the_server_counts() {
    let server = server::shared();
    let database = server.empty_database();
    let port = server.query_number("postgres", "SHOW port");
    let host = server.query_database("postgres", "SHOW unix_socket_directories");
    let login = [format!("--pgsql-host={host}"), format!("--pgsql-port={port}"), format!("--pgsql-db={database}")];
    let mut prepare = Command::new("sysbench");
    prepare.args(["oltp_insert", "--db-driver=pgsql", "--pgsql-user=postgres", "--tables=2", "--table-size=100"]);
    testbed::run_command(prepare.args(login).arg("prepare"));

    let job = sysbench_job(server.unix(&database), "oltp_insert");
    let (outcome, events) = run(&ExternalJob::Sysbench(Box::new(job)));
    let measured = outcome.expect("it runs");
    let rows = server.query_number(&database, "SELECT (SELECT count(*) FROM sbtest1) + (SELECT count(*) FROM sbtest2)");
    assert_eq!(measured.summary.successful_transactions() as i64, rows - 200);
    assert_eq!(measured.program.version, "sysbench 1.0.20");
    assert!(events.iter().any(|event| began(event).is_none()), "{events:?}");
    assert!(measured.summary.latency.quantile_ns(0.99) >= measured.summary.latency.quantile_ns(0.5));

    let (outcome, _) = run(&ExternalJob::Sysbench(Box::new(sysbench_job(server.unix(&database), "bulk_insert"))));
    let error = outcome.expect_err("its table is not there");
    assert!(error.detail().is_some_and(|detail| detail.starts_with("FATAL: ")), "{error:?}");
}
