//! Closed loop: the engine's latencies are the server's service times, and a stall is hidden as it must be.

use super::open_loop::over;
use super::{Run, job, run, transactions, try_run};
use load::{EngineJob, IoBackend, LoadError, QueryMode, TransactionLatency};
use std::sync::OnceLock;
use std::time::Duration;
use testbed::calibration::Bounds;
use testbed::calibration::{
    Behaviour, CalibrationAnswer, CalibrationRequest, CalibrationServer, SocketWay, answer_after,
};

const MS: Duration = Duration::from_millis(1);

/// The engine's histogram keeps three digits.
const DIGITS: f64 = 0.001;

/// Each percentile of `latency` lies within what the server's record leaves possible: the i-th smallest latency between
/// the i-th smallest lower and the i-th smallest upper bound.
fn check(latency: &TransactionLatency, bounds: &[Bounds]) {
    let mut at_least: Vec<u64> = bounds.iter().map(|bounds| bounds.at_least_ns).collect();
    let mut at_most: Vec<u64> = bounds.iter().map(|bounds| bounds.at_most_ns).collect();
    at_least.sort_unstable();
    at_most.sort_unstable();
    assert_eq!(latency.count(), bounds.len() as u64, "as many as the server has answered");
    for quantile in [0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0] {
        let rank = ((bounds.len() as f64 * quantile).ceil() as usize).clamp(1, bounds.len());
        let measured = latency.quantile_ns(quantile).expect("something was measured") as f64;
        let possible = at_least[rank - 1] as f64 * (1.0 - DIGITS)..=at_most[rank - 1] as f64 * (1.0 + DIGITS);
        assert!(possible.contains(&measured), "quantile {quantile}: {measured} is not in {possible:?}");
    }
    let mean = |of: &[u64]| of.iter().sum::<u64>() as f64 / of.len() as f64;
    let measured = latency.mean_ns().expect("something was measured");
    let possible = mean(&at_least) * (1.0 - DIGITS)..=mean(&at_most) * (1.0 + DIGITS);
    assert!(possible.contains(&measured), "mean: {measured} is not in {possible:?}");
}

/// Between which two instants of the server's clock it was measured, at the longest.
fn measured(done: &Run) -> [u64; 2] {
    let (from_ns, for_ns) = (done.summary.measure_start_ns, done.summary.measure_ns);
    [done.on_server_clock(from_ns)[0], done.on_server_clock(from_ns + for_ns)[1]]
}

/// Runs a closed loop and holds its latencies against the server's record.
fn calibrate(way: SocketWay, mode: QueryMode, clients: u32, behaviour: Behaviour) -> (Run, CalibrationServer) {
    let server = CalibrationServer::start_server(way, behaviour);
    let done = run(&server, &EngineJob { mode, ..job(&server, clients) });
    check(&done.summary.latency, &server.copy_of_record().closed_loop(measured(&done)));
    (done, server)
}

#[test]
fn the_calibration_server_is_never_early_and_knows_how_late_it_was() {
    let (_, server) = calibrate(SocketWay::Tcp, QueryMode::Simple, 1, Behaviour::constant_service(2 * MS));
    let lateness = server.copy_of_record().lateness_ns();
    let of = |quantile: f64| lateness[(lateness.len() as f64 * quantile) as usize] as f64 / 1e3;
    println!("late by {} us in the middle, {} us at p99 of {} answers", of(0.5), of(0.99), lateness.len());
    for exchange in server.copy_of_record().exchanges {
        assert!(exchange.arrived_ns + 2_000_000 <= exchange.answered_ns, "{exchange:?}");
    }
}

#[test]
fn latency_is_the_service_time_over_either_way_and_in_every_mode() {
    for way in [SocketWay::Tcp, SocketWay::Unix] {
        for mode in [QueryMode::Simple, QueryMode::Extended, QueryMode::Prepared] {
            let (done, _) = calibrate(way, mode, 1, Behaviour::constant_service(3 * MS));
            let mean = done.summary.latency.mean_ns().expect("something was measured");
            assert!(mean >= 3e6 * (1.0 - DIGITS), "{way:?} {mode:?}: {mean}");
        }
    }
}

#[test]
fn latency_is_the_service_time_by_either_way_to_talk_to_the_kernel() {
    for backend in [IoBackend::Epoll, IoBackend::IoUring] {
        let server = CalibrationServer::start_server(SocketWay::Tcp, Behaviour::constant_service(2 * MS));
        let done = match try_run(&server, &EngineJob { backend, ..job(&server, 20) }) {
            // Not every machine has it, or lets it be used.
            Err(LoadError::System { action: "use io_uring", .. }) => continue,
            done => done.expect("the run is made"),
        };
        check(&done.summary.latency, &server.copy_of_record().closed_loop(measured(&done)));
    }
}

#[test]
fn latency_is_the_service_time_with_several_clients_on_several_threads() {
    calibrate(SocketWay::Unix, QueryMode::Prepared, 5, Behaviour::constant_service(4 * MS));
}

#[test]
fn every_percentile_is_right_where_service_times_differ() {
    // 80 % take 1 ms, 15 % take 5 ms, 5 % take 20 ms.
    let service = |request: &CalibrationRequest| match request.number % 20 {
        0 => 20 * MS,
        1..=3 => 5 * MS,
        _ => MS,
    };
    calibrate(
        SocketWay::Tcp,
        QueryMode::Simple,
        3,
        Behaviour::from_reply(move |request| answer_after(request, service(&request), CalibrationAnswer::Whole)),
    );
}

#[test]
fn a_transaction_ends_when_the_server_is_ready_and_not_when_the_result_is_there() {
    let late_ready = |request| answer_after(request, 6 * MS, CalibrationAnswer::ReadyLater(5 * MS));
    let (done, _) = calibrate(SocketWay::Tcp, QueryMode::Simple, 1, Behaviour::from_reply(late_ready));
    assert!(done.summary.latency.quantile_ns(0.0).expect("something was measured") >= 5_990_000);
}

#[test]
fn an_answer_that_comes_byte_by_byte_ends_with_its_last_byte() {
    let server = CalibrationServer::start_server(
        SocketWay::Tcp,
        Behaviour::from_reply(|request| answer_after(request, MS, CalibrationAnswer::ByteByByte)),
    );
    let done = run(&server, &job(&server, 2));
    let record = server.copy_of_record();
    assert_eq!(record.exchanges.len() as u64, done.summary.successful_transactions() + done.summary.unfinished);
    assert_eq!((done.summary.failed, done.summary.unknown, done.summary.outages.len()), (0, 0, 0));
}

/// The whole server pauses for `pause` from `after` its first request on: whatever would be due then is due at its end.
pub(crate) fn stalling(service: Duration, after: Duration, pause: Duration) -> Behaviour {
    let first_ns = OnceLock::new();
    Behaviour::from_reply(move |request| {
        let begin_ns = first_ns.get_or_init(|| request.arrived_ns) + after.as_nanos() as u64;
        let end_ns = begin_ns + pause.as_nanos() as u64;
        let mut reply = answer_after(request, service, CalibrationAnswer::Whole);
        if (begin_ns..end_ns).contains(&reply.due_ns) {
            reply.due_ns = end_ns;
        }
        reply
    })
}

#[test]
fn a_closed_loop_sees_a_stall_once_per_client_however_many_it_would_have_delayed() {
    let server = CalibrationServer::start_server(SocketWay::Unix, stalling(2 * MS, 400 * MS, 1000 * MS));
    let clients = 3;
    let done = run(&server, &EngineJob { measure: transactions(400), ..job(&server, clients) });
    check(&done.summary.latency, &server.copy_of_record().closed_loop(measured(&done)));
    let stalled =
        server.copy_of_record().exchanges.iter().filter(|e| e.due_ns - e.arrived_ns > 900_000_000).count() as u64;
    assert_eq!(over(&done.summary.latency, 900_000_000), stalled, "those and only those that the server has held up");
    assert!(stalled <= u64::from(clients));
    let hidden = done.summary.hidden_arrivals().expect("a closed loop hides something");
    let per_s = done.summary.successful_transactions() as f64 * 1e9 / done.summary.measure_ns as f64;
    assert!(hidden as f64 >= 0.9 * per_s, "a second's worth of arrivals: {hidden} at {per_s}/s");
}
