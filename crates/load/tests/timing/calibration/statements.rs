//! What each statement took is what the server took for it, and its failures are its own.

use super::{job, run};
use load::{EngineJob, IoBackend, LoadError, ParsedScript, QueryMode, StatementTotal, Weighted};
use std::time::Duration;
use testbed::calibration::{
    Behaviour, CalibrationAnswer, CalibrationRequest, CalibrationServer, SocketWay, answer_after,
};

const MS: Duration = Duration::from_millis(1);

/// The engine's histograms of statements keep two digits.
const DIGITS: f64 = 0.01;

/// Three statements a transaction, of one client, and what each of them took.
fn three(behaviour: Behaviour, change: impl FnOnce(EngineJob) -> EngineJob, text: &str) -> Vec<StatementTotal> {
    let server = CalibrationServer::start_server(SocketWay::Tcp, behaviour);
    let script = ParsedScript::parse("three.sql", text).expect("a script");
    let done = run(&server, &change(EngineJob { scripts: vec![Weighted::with_weight_one(script)], ..job(&server, 1) }));
    done.summary.statements.expect("they are timed")
}

/// Every third request, from the first, takes 1 ms, the one after it 5 ms, and that after it 2 ms.
fn one_five_two(request: CalibrationRequest) -> testbed::calibration::Reply {
    answer_after(request, [MS, 5 * MS, 2 * MS][(request.number % 3) as usize], CalibrationAnswer::Whole)
}

/// At least what the server slept and, in the middle, not as much as its neighbour: no test of how fast a machine is.
fn took(statement: &StatementTotal, at_least: Duration) {
    let lowest = statement.latency.quantile_ns(0.0).expect("it was executed") as f64;
    assert!(lowest >= at_least.as_nanos() as f64 * (1.0 - DIGITS), "{lowest} is less than {at_least:?}");
}

const THREE: &str = "SELECT 1;\nSELECT 2;\n\\set a 1\nSELECT 3;";

#[test]
fn a_statement_that_takes_five_milliseconds_is_told_as_such_by_either_way_to_the_kernel_and_in_every_mode() {
    let ways = [IoBackend::Epoll, IoBackend::IoUring];
    let modes = [QueryMode::Simple, QueryMode::Extended, QueryMode::Prepared];
    for (backend, mode) in ways.into_iter().flat_map(|way| modes.map(|mode| (way, mode))) {
        let server = CalibrationServer::start_server(SocketWay::Tcp, Behaviour::from_reply(one_five_two));
        let script = ParsedScript::parse("three.sql", THREE).expect("a script");
        let job = EngineJob { backend, mode, scripts: vec![Weighted::with_weight_one(script)], ..job(&server, 1) };
        let done = match super::try_run(&server, &job) {
            // Not every machine has it, or lets it be used.
            Err(LoadError::System { action: "use io_uring", .. }) => continue,
            done => done.expect("the run is made"),
        };
        let summary = done.summary;
        let statements = summary.statements.as_deref().expect("they are timed");
        let [first, second, third] = statements else { panic!("three statements: {statements:?}") };
        took(first, MS);
        took(second, 5 * MS);
        took(third, 2 * MS);
        // Nothing of a transaction is outside of its statements: the parts are the whole.
        let sum_ns =
            |latency: &load::TransactionLatency| latency.mean_ns().expect("something") * latency.count() as f64;
        let parts_ns: f64 = statements.iter().map(|statement| sum_ns(&statement.latency)).sum();
        let (whole_ns, one_ns) =
            (sum_ns(&summary.latency), summary.latency.quantile_ns(1.0).expect("something") as f64);
        assert!((parts_ns - whole_ns).abs() <= one_ns, "{parts_ns} of {whole_ns}");
        assert_eq!(third.latency.count(), summary.successful_transactions(), "the last one ends with its transaction");
    }
}

#[test]
fn a_failure_is_counted_at_its_statement_and_a_retry_too() {
    // The second statement of the first transaction fails, for good; that of the second one is worth another try.
    let behaviour = || {
        Behaviour::from_reply(|request| match request.number {
            1 => answer_after(request, MS, CalibrationAnswer::Error("42P01")),
            3 => answer_after(request, MS, CalibrationAnswer::Error("40001")),
            _ => answer_after(request, MS, CalibrationAnswer::Whole),
        })
    };
    let twice = |job| EngineJob { tries: load::Tries::AtMost(std::num::NonZeroU32::new(2).expect("not zero")), ..job };
    let statements = three(behaviour(), twice, "SELECT 1;\nSELECT 2;");
    let counts: Vec<_> = statements.iter().map(|it| (it.failed, it.retried)).collect();
    assert_eq!(counts, [(0, 0), (1, 1)], "{statements:?}");
    assert_eq!(statements[0].latency.count(), statements[1].latency.count() + 2, "a failure has no latency");
}

#[test]
fn a_statement_that_is_not_executed_has_no_count() {
    let text = "\\if 1 = 2\nSELECT 1;\n\\else\nSELECT 2;\n\\endif\nSELECT 3;";
    let statements = three(Behaviour::constant_service(MS), |job| job, text);
    let counts: Vec<_> = statements.iter().map(|statement| statement.latency.count()).collect();
    assert_eq!(counts[0], 0);
    assert!(counts[1] > 0 && counts[1] == counts[2], "{counts:?}");
    assert_eq!(statements[0].latency.mean_ns(), None);
}

#[test]
fn a_pipeline_s_statements_take_from_its_begin_and_what_waits_without_the_server_counts_as_well() {
    let text = "SELECT 1;\n\\startpipeline\nSELECT 2;\nSELECT 3;\n\\endpipeline\n\\sleep 2 ms\n";
    let pipelined = |job| EngineJob { mode: QueryMode::Extended, ..job };
    // The pipeline is one request to the server.
    let even_takes_five = |request: CalibrationRequest| {
        answer_after(request, if request.number.is_multiple_of(2) { MS } else { 5 * MS }, CalibrationAnswer::Whole)
    };
    let statements = three(Behaviour::from_reply(even_takes_five), pipelined, text);
    let [alone, second, third, sleep] = &statements[..] else { panic!("four: {statements:?}") };
    took(alone, MS);
    took(second, 5 * MS);
    took(third, 5 * MS);
    took(sleep, 2 * MS);
    assert!(alone.latency.quantile_ns(0.5) < second.latency.quantile_ns(0.5));
    assert_eq!(second.latency.count(), third.latency.count());
}

#[test]
fn nothing_is_told_where_nothing_is_timed() {
    let server = CalibrationServer::start_server(SocketWay::Tcp, Behaviour::constant_service(MS));
    let done = run(&server, &EngineJob { statements: load::StatementTimes::NotTaken, ..job(&server, 1) });
    assert!(done.summary.statements.is_none() && done.summary.successful_transactions() > 0);
}
