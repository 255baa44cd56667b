//! Open loop: a stall of the server delays everybody who arrives in it, and the latency says so.

use super::closed_loop::stalling;
use super::{Run, job, run};
use load::{Arrivals, EngineJob, OfferedRate, OpenLoop, TransactionLatency, TransactionPace};
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationServer, SocketWay};

const MS: Duration = Duration::from_millis(1);
const RATE_PER_S: f64 = 200.0;
/// The time between two arrivals.
const GAP_NS: u64 = 5_000_000;

fn open_loop(server: &CalibrationServer, measure: Duration) -> EngineJob {
    let pace = TransactionPace::Open { arrivals: Arrivals::Even, rate: OfferedRate::Constant(RATE_PER_S) };
    EngineJob { pace, measure: measure.into(), ..job(server, 4) }
}

/// How many took longer than `limit_ns`.
pub(crate) fn over(latency: &TransactionLatency, limit_ns: u64) -> u64 {
    latency.count() - latency.histogram().count_between(0, limit_ns)
}

fn arrivals(done: &Run) -> &OpenLoop {
    done.summary.open.as_ref().expect("an open loop")
}

/// Each arrival has become exactly one thing.
fn all_accounted(done: &Run, server: &CalibrationServer) {
    let summary = &done.summary;
    let begun = summary.successful_transactions() + summary.failed + summary.unknown + summary.unfinished;
    assert_eq!(begun, server.copy_of_record().exchanges.len() as u64, "what has begun has reached the server");
    let OpenLoop { offered, skipped, waiting, .. } = arrivals(done);
    assert_eq!(*offered, begun + skipped + waiting);
}

#[test]
fn a_stall_of_a_second_is_in_the_percentiles_of_an_open_loop_and_hidden_in_those_of_its_service_times() {
    let server = CalibrationServer::start_server(SocketWay::Unix, stalling(MS, 400 * MS, 1000 * MS));
    let done = run(&server, &open_loop(&server, Duration::from_secs(3)));
    all_accounted(&done, &server);
    let latency = &done.summary.latency;
    // Whoever is due in the first half of the stall cannot be answered within half a second, on whatever machine. Two
    // arrivals lie on its ends.
    let in_half_a_stall = 500_000_000 / GAP_NS - 2;
    assert!(over(latency, 499_000_000) >= in_half_a_stall, "{} of {}", over(latency, 499_000_000), latency.count());
    for quantile in [0.99, 0.999] {
        let shown_ns = latency.quantile_ns(quantile).expect("something was measured");
        assert!(shown_ns >= 900_000_000, "p{quantile}: {shown_ns}");
    }
    // One of each client, and once more whenever the machine stands still as well.
    let (shown, in_service) = (over(latency, 499_000_000), over(&arrivals(&done).service, 499_000_000));
    assert!(in_service * 4 < shown, "{in_service} of {shown}");
}

#[test]
fn lag_is_put_down_to_clients_that_were_busy_when_the_server_is_too_slow_for_the_rate() {
    // 4 clients that take 40 ms each do 100 per second at most, of 200 that are offered.
    let server = CalibrationServer::start_server(SocketWay::Tcp, Behaviour::constant_service(40 * MS));
    let done = run(&server, &open_loop(&server, Duration::from_secs(1)));
    all_accounted(&done, &server);
    let open = arrivals(&done);
    assert!(done.summary.successful_transactions() <= 100 + 4, "{}", done.summary.successful_transactions());
    assert!(open.waiting > 0, "the rest is still waiting at the end");
    assert!(open.lag_queued.count() > open.lag_engine.count(), "{open:?}");
    assert!(open.service.quantile_ns(0.0).expect("something was measured") >= 39_900_000);
}

#[test]
fn arrivals_over_the_latency_limit_are_skipped_and_never_reach_the_server() {
    let server = CalibrationServer::start_server(SocketWay::Unix, stalling(MS, 300 * MS, 600 * MS));
    let limited = EngineJob { latency_limit: Some(50 * MS), ..open_loop(&server, Duration::from_millis(1500)) };
    let done = run(&server, &limited);
    all_accounted(&done, &server);
    // Those due in the stall, but for the last 50 ms of it and those that the 4 clients had begun.
    let skipped = arrivals(&done).skipped;
    assert!(skipped >= 550_000_000 / GAP_NS - 6, "{skipped}");
    assert!(done.summary.late >= 1, "those that were begun before the stall were late");
}
