//! Several servers: which of them is taken, what happens when the one in use is gone, and one that falls silent.

use crate::server::Postgres;
use crate::{complaint, job, pausing, run, script};
use conninfo::{ConnInfo, ServerHost, SessionAttrs};
use load::{EngineEvent, EngineJob, OutageChange, StopRequest};
use rustix::process::{Pid, Signal, kill_process};
use std::sync::Arc;
use std::time::Duration;

/// Far longer than a test needs; it ends its run itself.
const LONG: Duration = Duration::from_secs(90);

/// One way to all of these servers.
fn all_of(servers: &[&ConnInfo], session: SessionAttrs) -> ConnInfo {
    let others = servers[1..].iter().map(|server| (server.host.clone(), server.port)).collect();
    ConnInfo { others, session, ..servers[0].clone() }
}

/// An address at which nobody listens.
fn nobody() -> ConnInfo {
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port");
    crate::server::server((ServerHost::tcp_from_name("127.0.0.1"), free.port()), "postgres")
}

#[test]
fn the_server_is_taken_that_is_of_the_kind_that_is_wanted() {
    let primary = Postgres::start();
    let standby = primary.standby();
    let (first, second, nobody) = (standby.tcp("postgres"), primary.tcp("postgres"), nobody());
    let (on_standby, on_primary) =
        ("SELECT 1 / pg_is_in_recovery()::int;", "SELECT 1 / (NOT pg_is_in_recovery())::int;");
    for (kind, servers, expected) in [
        (SessionAttrs::Any, &[&first, &second][..], on_standby),
        (SessionAttrs::ReadWrite, &[&first, &second], on_primary),
        (SessionAttrs::Primary, &[&nobody, &first, &second], on_primary),
        (SessionAttrs::ReadOnly, &[&second, &first], on_standby),
        (SessionAttrs::Standby, &[&second, &nobody, &first], on_standby),
        (SessionAttrs::PreferStandby, &[&second, &first], on_standby),
        (SessionAttrs::PreferStandby, &[&nobody, &second], on_primary),
    ] {
        let summary =
            run(&job(all_of(servers, kind), script(expected))).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert!(summary.successful_transactions() > 0 && summary.failed == 0, "{kind}: {:?}", summary.errors);
        assert!(summary.outages.is_empty(), "{kind}: {:?}", summary.outages);
    }
    for (kind, servers) in [(SessionAttrs::Standby, [&nobody, &second]), (SessionAttrs::ReadWrite, [&nobody, &first])] {
        let told = complaint(&job(all_of(&servers, kind), script("SELECT 1;")));
        assert!(told.contains(&format!("target_session_attrs={kind}")), "{told}");
        assert!(servers.iter().all(|server| told.contains(&server.display_address())), "{told}");
    }

    // With `read-write` a primary that is read-only is none; and clients are spread over those that fit.
    let spread = ConnInfo { spread: true, ..all_of(&[&first, &second], SessionAttrs::Any) };
    let summary = run(&job(spread, script(on_primary))).expect("the run is made");
    assert!(summary.successful_transactions() > 0 && summary.failed > 0, "one client is here and the other one there");
    primary.query_database("postgres", "ALTER DATABASE postgres SET default_transaction_read_only = on");
    let told = complaint(&job(all_of(&[&second], SessionAttrs::ReadWrite), script("SELECT 1;")));
    assert!(told.contains("target_session_attrs=read-write"), "{told}");
}

#[test]
pub(crate) fn clients_go_on_on_the_standby_that_was_promoted_when_the_primary_is_gone() {
    let (primary, standby) = {
        let primary = Arc::new(Postgres::start());
        primary.query_database("postgres", "CREATE TABLE seen (port int)");
        let standby = Arc::new(primary.standby());
        (primary, standby)
    };
    let to = all_of(&[&standby.tcp("postgres"), &primary.tcp("postgres")], SessionAttrs::ReadWrite);
    let long = EngineJob { measure: LONG.into(), ..job(to, script("INSERT INTO seen VALUES (inet_server_port());")) };
    let (stop, mut failover, mut ended, mut after) = (StopRequest::new(), None, 0, 0);
    let summary = load::run_job(&long, &stop, &mut |event| {
        let EngineEvent::Second(second) = event else { return };
        if failover.is_none() {
            let (primary, standby) = (Arc::clone(&primary), Arc::clone(&standby));
            failover = Some(std::thread::spawn(move || {
                primary.crash_server();
                // Until then the clients find a server that is none of theirs.
                standby.query_database("postgres", "SELECT pg_promote()");
            }));
        }
        if ended == 2 {
            after += second.total_latency().count();
        }
        ended += second.outages.iter().filter(|change| matches!(change, OutageChange::Ended { .. })).count();
        if after > 0 {
            stop.request_stop();
        }
    })
    .expect("the run is made");
    failover.expect("a second has passed").join().expect("the standby is promoted");
    assert!(after > 0, "the clients are at work again: {:?}", summary.outages);
    assert_eq!(summary.outages.len(), 2, "one of each client: {:?}", summary.outages);
    for outage in &summary.outages {
        assert!(outage.end_ns.is_some_and(|end_ns| end_ns > outage.start_ns), "{outage:?}");
    }
    let in_flight = summary.outages.iter().filter(|outage| outage.in_flight).count() as u64;
    assert_eq!((summary.unknown, summary.failed), (in_flight, 0), "nothing was sent to a server that only reads");
    let ports = standby.query_database("postgres", "SELECT count(DISTINCT port) FROM seen");
    assert_eq!(ports, "2", "first on the one server, then on the other");
}

#[test]
pub(crate) fn a_session_that_falls_silent_is_an_outage_since_the_start_of_its_transaction() {
    let postgres = crate::server::shared();
    let database = postgres.empty_database();
    let limit = Duration::from_secs(1);
    let to = postgres.tcp(&database);
    let long = EngineJob { measure: LONG.into(), answer_timeout: limit, ..pausing(job(to, script("SELECT 1;"))) };
    let (stop, mut frozen, mut ended) = (StopRequest::new(), None, false);
    let summary = load::run_job(&long, &stop, &mut |event| {
        let EngineEvent::Second(second) = event else { return };
        if frozen.is_none() {
            let query = format!("SELECT min(pid) FROM pg_stat_activity WHERE datname = '{database}'");
            frozen = Some(Frozen::stop(postgres.query_number("postgres", &query)));
        }
        ended |= second.outages.iter().any(|change| matches!(change, OutageChange::Ended { .. }));
        if ended {
            stop.request_stop();
        }
    })
    .expect("the run is made");
    drop(frozen);
    let silent: Vec<_> = summary.outages.iter().filter(|outage| outage.in_flight).collect();
    assert!(!silent.is_empty(), "{:?}", summary.outages);
    for outage in &silent {
        assert_eq!(outage.cause, "the server did not answer in time");
        let Some(end_ns) = outage.end_ns else { continue };
        assert!(end_ns - outage.start_ns >= limit.as_nanos() as u64, "it lasts from the question on: {outage:?}");
    }
    assert_eq!(summary.unknown, silent.len() as u64);
    assert!(ended, "the client has got another session");
}

/// A process that is stopped until this is dropped.
struct Frozen(Pid);

impl Frozen {
    fn stop(pid: i64) -> Frozen {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).expect("a process id");
        kill_process(pid, Signal::STOP).expect("it runs");
        Frozen(pid)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        let _gone_already = kill_process(self.0, Signal::CONT);
    }
}
