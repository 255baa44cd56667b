//! Closed loops with pauses, a limit, or a number of transactions.

use super::{MS, job, run, run_by_second, transactions};
use load::{
    Connections, EngineEvent, EngineJob, JobExtent, ParsedScript, ShellCommands, StopRequest, Think, TransactionPace,
    Weighted,
};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;
use testbed::calibration::Exchange;
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

/// The server's exchanges by connection, in order.
fn by_connection(server: &CalibrationServer) -> Vec<Vec<Exchange>> {
    let record = server.copy_of_record();
    let of = |connection| record.exchanges.iter().filter(|e| e.connection == connection).copied().collect();
    (0..record.accepted_ns.len()).map(of).collect()
}

#[test]
fn a_client_pauses_between_its_transactions_and_not_before_the_first() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let pace = TransactionPace::Closed { think: Some(Think::Fixed(50 * MS)) };
    let summary = run(&EngineJob { pace, ..job(&server, 3) });
    for exchanges in by_connection(&server) {
        assert!(exchanges.len() >= 2, "{exchanges:?}");
        for pair in exchanges.windows(2) {
            assert!(pair[1].arrived_ns - pair[0].answered_ns >= 50_000_000, "{pair:?}");
        }
    }
    assert!(summary.successful_transactions() >= 6);
    assert!(summary.open.is_none());
}

#[test]
fn a_client_with_a_connection_per_transaction_makes_the_next_one_after_its_pause() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let pace = TransactionPace::Closed { think: Some(Think::Fixed(50 * MS)) };
    let reconnecting =
        EngineJob { pace, measure: transactions(4), connections: Connections::PerTransaction, ..job(&server, 2) };
    let stop = StopRequest::new();
    let mut stop_if_it_does_not_end = |event: EngineEvent<'_>| match event {
        EngineEvent::Second(second) if second.index == 9 => stop.request_stop(),
        EngineEvent::Second(_)
        | EngineEvent::Connecting { .. }
        | EngineEvent::Connected { .. }
        | EngineEvent::Began { .. }
        | EngineEvent::Ended { .. } => {}
    };
    let summary = load::run_job(&reconnecting, &stop, &mut stop_if_it_does_not_end).expect("the run is made");
    assert_eq!((summary.successful_transactions(), summary.interrupted), (8, false));
    assert!(by_connection(&server).iter().all(|exchanges| exchanges.len() == 1));
    let record = server.copy_of_record();
    let first_end_ns = record.exchanges.iter().map(|exchange| exchange.answered_ns).min().expect("there are some");
    // The first two connections were made before the load began.
    assert!(record.accepted_ns[2..].iter().all(|accepted_ns| accepted_ns - first_end_ns >= 50_000_000));
}

#[test]
fn exponential_pauses_have_their_mean_and_do_not_depend_on_the_threads() {
    // Whatever the machine does adds to a pause and never takes from it.
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS / 10));
    let pace = TransactionPace::Closed { think: Some(Think::Exponential(5 * MS)) };
    let two = run(&EngineJob { pace, seed: 3, ..job(&server, 8) });
    let pauses: Vec<f64> = by_connection(&server)
        .iter()
        .flat_map(|exchanges| exchanges.windows(2))
        .map(|pair| (pair[1].arrived_ns - pair[0].answered_ns) as f64 / 5e6)
        .collect();
    let mean = pauses.iter().sum::<f64>() / pauses.len() as f64;
    // 5 standard errors below the mean of an exponential distribution.
    assert!(mean > 1.0 - 5.0 / (pauses.len() as f64).sqrt(), "{mean} of {}", pauses.len());
    let shorter = pauses.iter().filter(|&&pause| pause < 0.5).count();
    assert!(shorter > 0, "they vary");
    assert!(two.successful_transactions() > 0);
}

#[test]
fn each_client_completes_its_number_of_transactions_and_the_run_ends_with_the_last() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(3 * MS));
    let (seconds, summary) = run_by_second(&EngineJob { measure: transactions(7), ..job(&server, 5) });
    assert_eq!((summary.successful_transactions(), summary.unfinished, summary.interrupted), (35, 0, false));
    assert!(by_connection(&server).iter().all(|exchanges| exchanges.len() == 7));
    assert!(summary.measure_ns >= 21_000_000, "{}", summary.measure_ns);
    assert_eq!(seconds.iter().sum::<u64>(), summary.measure_ns);
}

#[test]
fn a_number_of_transactions_does_not_count_the_warm_up_and_may_take_many_seconds() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(100 * MS));
    let warm_up = Duration::from_millis(250);
    let (seconds, summary) = run_by_second(&EngineJob { measure: transactions(12), warm_up, ..job(&server, 2) });
    assert_eq!(summary.successful_transactions(), 24);
    assert_eq!(seconds[0], 250_000_000);
    assert_eq!(seconds[1], 1_000_000_000);
    assert_eq!(seconds[1..].iter().sum::<u64>(), summary.measure_ns);
}

#[test]
fn a_stop_ends_a_number_of_transactions_with_the_second_under_way() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(5 * MS));
    let endless = EngineJob { measure: JobExtent::Transactions(NonZeroU64::MAX), ..job(&server, 2) };
    let stop = StopRequest::new();
    let mut stop_at_once = |event: EngineEvent<'_>| match event {
        EngineEvent::Began { .. } => stop.request_stop(),
        EngineEvent::Connecting { .. }
        | EngineEvent::Connected { .. }
        | EngineEvent::Second(_)
        | EngineEvent::Ended { .. } => {}
    };
    let summary = load::run_job(&endless, &stop, &mut stop_at_once).expect("the run is made");
    assert!(summary.interrupted);
    assert!(summary.measure_ns > 0 && summary.measure_ns.is_multiple_of(1_000_000_000), "{}", summary.measure_ns);
}

#[test]
fn shell_commands_that_end_after_the_load_do_not_prolong_it() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let script = ParsedScript::parse("shell.sql", "\\shell sleep 0.1\nSELECT 1;\n").expect("a script");
    let shell = EngineJob {
        scripts: vec![Weighted::with_weight_one(script)],
        shell: ShellCommands::Permitted,
        threads: NonZeroU32::MIN,
        measure: Duration::from_secs(60).into(),
        ..job(&server, 6)
    };
    let (stop, mut seconds) = (StopRequest::new(), 0);
    let mut stop_at_once = |event: EngineEvent<'_>| match event {
        EngineEvent::Began { .. } => stop.request_stop(),
        EngineEvent::Second(_) => seconds += 1,
        EngineEvent::Connecting { .. } | EngineEvent::Connected { .. } | EngineEvent::Ended { .. } => {}
    };
    let summary = load::run_job(&shell, &stop, &mut stop_at_once).expect("the run is made");
    assert_eq!(summary.unfinished, 6, "every client had a transaction under way, and each is counted once");
    assert_eq!(summary.measure_ns, seconds * 1_000_000_000);
}

#[test]
fn a_closed_loop_counts_what_is_over_its_latency_limit() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(10 * MS));
    let all = run(&EngineJob { latency_limit: Some(5 * MS), ..job(&server, 2) });
    assert_eq!(all.late, all.successful_transactions());
    let none = run(&EngineJob { latency_limit: Some(Duration::from_secs(3600)), ..job(&server, 2) });
    assert_eq!(none.late, 0);
    assert!(none.successful_transactions() > 0);
}
