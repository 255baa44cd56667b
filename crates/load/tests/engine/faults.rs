//! What happens to a run when its server or its connections fail.

use crate::server::{Postgres, server, shared};
use crate::{fake, job, pausing, run, run_watched, script};
use conninfo::ConnInfo;
use load::{EngineEvent, EngineJob, OutageChange, QueryMode, StopRequest};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much longer than its own time a run may take, on a machine that does other things as well.
const GRACE: Duration = Duration::from_secs(20);

#[test]
pub(crate) fn a_server_that_crashes_and_comes_back_is_an_outage_and_the_run_ends_on_time() {
    let postgres = Arc::new(Postgres::start());
    let six = EngineJob {
        measure: Duration::from_secs(6).into(),
        ..pausing(job(postgres.tcp("postgres"), script("SELECT 1;")))
    };
    let begun = Instant::now();
    let mut recovery = None;
    let mut changes = Vec::new();
    let mut after_recovery = 0;
    let summary = run_watched(&six, |second| {
        if recovery.is_none() {
            let postgres = Arc::clone(&postgres);
            recovery = Some(std::thread::spawn(move || {
                postgres.crash_server();
                postgres.start_again();
            }));
        }
        changes.extend_from_slice(&second.outages);
        if changes.iter().any(|change| matches!(change, OutageChange::Ended { .. })) {
            after_recovery += second.scripts[0].latency.count();
        }
    })
    .expect("the run is made");
    assert!(begun.elapsed() < Duration::from_secs(6) + GRACE, "{:?}", begun.elapsed());
    recovery.expect("a second has passed").join().expect("the server comes back");
    assert_eq!(summary.outages.len(), 2, "{:?}", summary.outages);
    for outage in &summary.outages {
        let end_ns = outage.end_ns.expect("the server has come back");
        assert!(outage.start_ns < end_ns, "{outage:?}");
        assert!(!outage.cause.is_empty());
    }
    let in_flight = summary.outages.iter().filter(|outage| outage.in_flight).count() as u64;
    assert_eq!(summary.unknown, in_flight, "each is named by the outage that it was lost in");
    assert_eq!(summary.failed, 0, "unknown transactions are not failed ones");
    assert!(after_recovery > 0, "the clients have gone back to work");
}

#[test]
pub(crate) fn a_server_that_never_comes_back_does_not_hold_up_the_run() {
    let postgres = Postgres::start();
    let three = EngineJob {
        measure: Duration::from_secs(3).into(),
        ..pausing(job(postgres.unix("postgres"), script("SELECT 1;")))
    };
    let begun = Instant::now();
    let mut seconds = 0;
    let summary = run_watched(&three, |_| {
        seconds += 1;
        postgres.crash_server();
    })
    .expect("the run is made");
    assert!(begun.elapsed() < Duration::from_secs(3) + GRACE, "{:?}", begun.elapsed());
    assert_eq!(seconds, 3, "seconds without a server are reported as well");
    assert_eq!(summary.outages.iter().map(|outage| outage.end_ns).collect::<Vec<_>>(), [None, None]);
    let in_flight = summary.outages.iter().filter(|outage| outage.in_flight).count() as u64;
    assert_eq!((summary.measure_ns, summary.unknown), (3_000_000_000, in_flight));
}

#[test]
pub(crate) fn a_session_that_is_terminated_is_an_outage_with_the_servers_reason() {
    let postgres = shared();
    let database = postgres.empty_database();
    let long = EngineJob {
        measure: Duration::from_secs(60).into(),
        ..pausing(job(postgres.unix(&database), script("SELECT 1;")))
    };
    let (stop, mut once) = (StopRequest::new(), false);
    let summary = load::run_job(&long, &stop, &mut |event| {
        let EngineEvent::Second(second) = event else { return };
        if !std::mem::replace(&mut once, true) {
            let query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ";
            postgres.query_database("postgres", &format!("{query}'{database}' LIMIT 1"));
        }
        if second.outages.iter().any(|change| matches!(change, OutageChange::Ended { .. })) {
            stop.request_stop();
        }
    })
    .expect("the run is made");
    let [outage] = &summary.outages[..] else { panic!("{:?}", summary.outages) };
    assert_eq!(outage.cause, "57P01: terminating connection due to administrator command");
    assert!(outage.end_ns.is_some());
}

#[test]
pub(crate) fn a_server_that_stops_answering_does_not_hold_up_the_run() {
    let to = server(fake::silent_after_login(), "postgres");
    let begun = Instant::now();
    let job =
        EngineJob { mode: QueryMode::Simple, measure: Duration::from_secs(1).into(), ..job(to, script("SELECT 1;")) };
    let summary = run(&job).expect("the run is made");
    assert!(begun.elapsed() < Duration::from_secs(1) + GRACE, "{:?}", begun.elapsed());
    assert_eq!((summary.successful_transactions(), summary.failed, summary.unfinished), (0, 0, 2));
}

#[test]
pub(crate) fn a_server_that_breaks_the_protocol_is_an_outage_and_is_given_another_chance() {
    let to = server(fake::talking_nonsense_after_login(), "postgres");
    let job =
        EngineJob { mode: QueryMode::Simple, measure: Duration::from_secs(1).into(), ..job(to, script("SELECT 1;")) };
    let mut ended = 0;
    let summary = run_watched(&job, |second| {
        ended += second.outages.iter().filter(|change| matches!(change, OutageChange::Ended { .. })).count();
    })
    .expect("the run is made");
    assert!(ended > 0, "nobody has reconnected");
    assert_eq!(summary.successful_transactions(), 0);
    let expected = "protocol violation by the server: unexpected message \"?\"";
    assert!(summary.outages.iter().all(|outage| outage.cause == expected), "{:?}", summary.outages);
}

#[test]
pub(crate) fn what_is_still_running_long_after_the_end_is_cancelled_on_the_server() {
    let postgres = shared();
    let database = postgres.empty_database();
    let (unix, tcp) = (postgres.unix(&database), postgres.tcp(&database));
    let either_way = ConnInfo { others: vec![(tcp.host, tcp.port)], spread: true, ..unix };
    let job =
        EngineJob { measure: Duration::from_millis(300).into(), ..job(either_way, script("SELECT pg_sleep(3600);")) };
    let summary = run(&job).expect("the run is made");
    assert_eq!((summary.unfinished, summary.cancelled), (2, 2), "one client is there by each way");
    postgres.wait_until_left(&database);
}
