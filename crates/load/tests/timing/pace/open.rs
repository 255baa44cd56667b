//! Open loops: what is offered does not depend on the server, and what the server does to it is seen.

use super::{MS, arrivals, job, open, run, run_by_second, transactions, try_run};
use load::{
    Arrivals, Connections, EngineJob, IoBackend, JobExtent, OfferedRate, Summary, TransactionLatency, TransactionPace,
};
use std::sync::OnceLock;
use std::time::Duration;
use testbed::calibration::{Behaviour, CalibrationAnswer, CalibrationServer, Greeting, SocketWay, answer_after};

/// Transactions whose histogram bucket lies above `limit`.
fn over(latency: &TransactionLatency, limit: Duration) -> u64 {
    let histogram = latency.histogram();
    histogram.len() - histogram.count_between(0, limit.as_nanos() as u64)
}

/// Every arrival has become exactly one of these.
fn accounted(summary: &Summary) -> u64 {
    let open = arrivals(summary);
    summary.successful_transactions()
        + summary.failed
        + summary.unknown
        + summary.unfinished
        + open.skipped
        + open.waiting
}

#[test]
fn even_arrivals_are_offered_to_the_last_one_whatever_becomes_of_them() {
    for backend in [IoBackend::Auto, IoBackend::Epoll] {
        let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
        let pace = open(Arrivals::Even, OfferedRate::Constant(400.0));
        let summary = run(&EngineJob { pace, backend, ..job(&server, 8) });
        assert_eq!(arrivals(&summary).offered, 400);
        assert_eq!(accounted(&summary), 400, "{summary:?}");
        let offered = summary.offered_per_s().expect("an open loop");
        assert!((offered - 400.0).abs() < 1e-6, "{offered}");
    }
}

#[test]
fn ramps_and_steps_offer_their_integral() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    for rate in [OfferedRate::Ramp { from: 0.0, to: 300.0 }, OfferedRate::Steps(vec![100.0, 0.0, 350.0])] {
        let summary = run(&EngineJob { pace: open(Arrivals::Even, rate.clone()), ..job(&server, 8) });
        assert_eq!((arrivals(&summary).offered, accounted(&summary)), (150, 150), "{rate:?}");
    }
}

#[test]
fn the_same_seed_offers_the_same_whether_the_server_is_fast_or_slow() {
    let offered: Vec<u64> = [MS / 2, 20 * MS]
        .map(|service| {
            let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(service));
            let pace = open(Arrivals::Poisson, OfferedRate::Constant(300.0));
            arrivals(&run(&EngineJob { pace, seed: 5, ..job(&server, 4) })).offered
        })
        .into();
    assert_eq!(offered[0], offered[1]);
    assert!((200..400).contains(&offered[0]), "{offered:?}");
}

#[test]
fn latency_is_schedule_lag_and_service_time() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(5 * MS));
    let pace = open(Arrivals::Poisson, OfferedRate::Constant(500.0));
    let summary = run(&EngineJob { pace, ..job(&server, 4) });
    let open = arrivals(&summary);
    let sum = |latency: &TransactionLatency| latency.mean_ns().unwrap_or(0.0) * latency.count() as f64;
    let parts = sum(&open.service) + sum(&open.total_lag());
    assert!((sum(&summary.latency) - parts).abs() <= 1e-6 * parts, "{} {parts}", sum(&summary.latency));
    assert_eq!(open.service.count(), summary.successful_transactions());
    assert_eq!(open.lag_queued.count() + open.lag_engine.count(), summary.successful_transactions());
    let shortest = open.service.histogram().min();
    assert!(shortest >= 4_990_000, "no service is shorter than the server's: {shortest}");
}

#[test]
fn a_stall_delays_every_arrival_that_falls_into_it() {
    let first_ns = OnceLock::new();
    let stall = Behaviour::from_reply(move |request| {
        let begin_ns = first_ns.get_or_init(|| request.arrived_ns) + 300_000_000;
        let mut reply = answer_after(request, MS, CalibrationAnswer::Whole);
        if (begin_ns..begin_ns + 1_000_000_000).contains(&reply.due_ns) {
            reply.due_ns = begin_ns + 1_000_000_000;
        }
        reply
    });
    let server = CalibrationServer::start_server(SocketWay::Unix, stall);
    let pace = open(Arrivals::Even, OfferedRate::Constant(200.0));
    let summary = run(&EngineJob { pace, measure: Duration::from_secs(3).into(), ..job(&server, 2) });
    // Arrivals of the stall's first 500 ms have to wait for 500 ms at least,
    // less what the first request may have been late by.
    let delayed = over(&summary.latency, 500 * MS);
    assert!(delayed >= 90, "{delayed} of 100");
    assert!(summary.latency.quantile_ns(0.99) >= Some(900_000_000), "{:?}", summary.latency.quantile_ns(0.99));
    // The two that were under way saw it in their service time, and once more whenever the machine stands still as
    // well; all the others waited for a client.
    let in_service = over(&arrivals(&summary).service, 500 * MS);
    assert!(in_service * 4 < delayed, "{in_service} of {delayed}");
    assert!(over(&arrivals(&summary).lag_queued, 500 * MS) >= 88);
}

#[test]
fn more_than_can_be_served_is_told_and_not_hidden() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(20 * MS));
    let pace = open(Arrivals::Even, OfferedRate::Constant(2000.0));
    let (_, summary) = run_by_second(&EngineJob { pace, ..job(&server, 2) });
    let open = arrivals(&summary);
    assert_eq!((open.offered, open.skipped, accounted(&summary)), (2000, 0, 2000));
    assert!(
        summary.successful_transactions() <= 100,
        "two clients cannot do more: {}",
        summary.successful_transactions()
    );
    assert!(open.waiting >= 1890, "{}", open.waiting);
}

#[test]
fn arrivals_beyond_the_latency_limit_are_skipped_and_slow_ones_are_late() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(20 * MS));
    let pace = open(Arrivals::Poisson, OfferedRate::Constant(1000.0));
    let summary = run(&EngineJob { pace, latency_limit: Some(30 * MS), ..job(&server, 2) });
    let open = arrivals(&summary);
    assert!(open.skipped > 0);
    assert_eq!(accounted(&summary), open.offered);
    // What was begun was not over the limit by then; three digits of the histogram aside.
    let longest = open.total_lag().histogram().max();
    assert!(longest <= 30_100_000, "{longest}");
    assert_eq!(summary.late, over(&summary.latency, 30 * MS), "late are those over the limit");
    assert_eq!(summary.late, summary.scripts[0].late);
}

#[test]
fn a_number_of_transactions_ends_an_open_loop_as_well() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let pace = open(Arrivals::Poisson, OfferedRate::Constant(500.0));
    let (seconds, summary) = run_by_second(&EngineJob { pace, measure: transactions(5), ..job(&server, 3) });
    assert_eq!((summary.successful_transactions(), summary.unfinished, arrivals(&summary).skipped), (15, 0, 0));
    assert_eq!(seconds.iter().sum::<u64>(), summary.measure_ns);
    assert_eq!(server.copy_of_record().exchanges.len(), 15);
}

#[test]
fn arrivals_are_accounted_for_as_well_when_each_has_a_connection_of_its_own() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(10 * MS));
    let pace = open(Arrivals::Even, OfferedRate::Constant(300.0));
    let reconnecting = EngineJob { pace, connections: Connections::PerTransaction, ..job(&server, 3) };
    let summary = run(&reconnecting);
    assert_eq!((arrivals(&summary).offered, accounted(&summary)), (300, 300), "{summary:?}");
    let summary = run(&EngineJob { measure: transactions(5), ..reconnecting });
    assert_eq!((summary.successful_transactions(), summary.unfinished), (15, 0));
}

#[test]
fn connecting_for_an_arrival_is_service_and_no_lag() {
    let slow_to_greet = Behaviour {
        greeting: Box::new(|_| {
            std::thread::sleep(20 * MS);
            Greeting::Welcome
        }),
        ..Behaviour::constant_service(MS)
    };
    let server = CalibrationServer::start_server(SocketWay::Unix, slow_to_greet);
    let pace = open(Arrivals::Even, OfferedRate::Constant(50.0));
    let summary =
        run(&EngineJob { pace, measure: transactions(5), connections: Connections::PerTransaction, ..job(&server, 8) });
    let open = arrivals(&summary);
    // The first transaction of each client has the connection that was made before the load.
    assert!(over(&open.service, 20 * MS) + 8 >= summary.successful_transactions(), "{:?}", open.service);
    let sum = |latency: &TransactionLatency| latency.mean_ns().unwrap_or(0.0) * latency.count() as f64;
    let parts = sum(&open.service) + sum(&open.total_lag());
    assert!((sum(&summary.latency) - parts).abs() <= 1e-6 * parts, "{} {parts}", sum(&summary.latency));
    assert_eq!(summary.successful_transactions(), 40);
}

#[test]
fn a_rate_that_is_none_is_refused_before_anything_is_connected() {
    let server = CalibrationServer::start_server(SocketWay::Unix, Behaviour::constant_service(MS));
    let refused = |pace: TransactionPace, measure: JobExtent| {
        try_run(&EngineJob { pace, measure, ..job(&server, 1) }).expect_err("it is refused").to_string()
    };
    let second = JobExtent::Time(Duration::from_secs(1));
    let of = |rate| open(Arrivals::Even, rate);
    assert_eq!(refused(of(OfferedRate::Constant(f64::NAN)), second), "the rate is not a positive number");
    assert_eq!(refused(of(OfferedRate::Ramp { from: 1.0, to: -1.0 }), second), "the rate is not a positive number");
    for rate in
        [OfferedRate::Constant(1e12), OfferedRate::Ramp { from: 1.0, to: 1.1e7 }, OfferedRate::Steps(vec![1.0, 1.1e7])]
    {
        assert_eq!(refused(of(rate), second), "the rate is above 10000000 per second");
    }
    assert_eq!(refused(of(OfferedRate::Constant(0.0)), second), "the rate offers no transactions");
    assert_eq!(refused(of(OfferedRate::Steps(Vec::new())), second), "the rate offers no transactions");
    let changes = "a changing rate requires a duration of measurement, not a number of transactions";
    assert_eq!(refused(of(OfferedRate::Steps(vec![1.0])), transactions(10)), changes);
    assert!(server.copy_of_record().accepted_ns.is_empty());
}
