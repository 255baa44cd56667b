//! The primary is lost under encrypted sessions: they are made anew on the standby that was promoted, whose own
//! certificate and login are verified as at first.

use crate::certificates::Authority;
use crate::server::{HOST, PASSWORD, Postgres, here};
use crate::{always, backends, job, with};
use conninfo::{ChannelBinding, ConnInfo, Secret, SessionAttrs};
use load::{EngineEvent, EngineJob, OutageChange, StopRequest};
use std::time::Duration;
use wire::tls::CertificateTrust;

/// Far longer than the test needs; it ends its run itself.
const LONG: Duration = Duration::from_secs(90);
/// The name of the standby; its certificate is for no other.
const STANDBY: &str = "standby.test";
/// Says where it was written, and whether its session was encrypted.
const SEEN: &str = "INSERT INTO seen SELECT inet_server_port(), ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid();";

/// One way to both, verified in full, for a role whose login is tied to the encryption.
fn either_of(primary: &Postgres, standby: &Postgres, authority: &str) -> ConnInfo {
    let server = primary.server("scram_tls");
    let server = ConnInfo {
        host: here(STANDBY),
        port: standby.tcp_port(),
        others: vec![(server.host.clone(), server.port)],
        session: SessionAttrs::ReadWrite,
        password: Some(Secret::new(PASSWORD)),
        channel_binding: ChannelBinding::Require,
        ..server
    };
    with(always(CertificateTrust::AuthorityAndName(authority.as_bytes())), server)
}

#[test]
fn encrypted_clients_go_on_on_the_promoted_standby_whose_certificate_is_verified_anew() {
    let (authority, primary) = (Authority::new(), Postgres::new());
    primary.start_with(&authority.for_hosts(&[HOST]), None);
    primary.query_postgres("CREATE TABLE seen (port int, encrypted bool); GRANT ALL ON seen TO PUBLIC");
    let standby = primary.standby();
    standby.start_with(&authority.for_hosts(&[STANDBY]), None);
    let to = either_of(&primary, &standby, &authority.pem);
    // The kernel's newer way where it is to be had: there the end of a session arrives among completions.
    let backend = backends(&to).pop().expect("there is one");
    let long = EngineJob { backend, measure: LONG.into(), ..job(to, SEEN) };
    let (stop, mut crashed, mut ended, mut after) = (StopRequest::new(), false, 0, 0);
    let summary = load::run_job(&long, &stop, &mut |event| {
        let EngineEvent::Second(second) = event else { return };
        if !crashed {
            crashed = true;
            primary.crash_server();
            // Until then the clients find a server that is none of theirs.
            standby.query_postgres("SELECT pg_promote()");
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
    assert!(after > 0, "the clients are at work again: {:?}", summary.outages);
    assert_eq!(summary.outages.len(), 2, "one of each client: {:?}", summary.outages);
    assert!(summary.outages.iter().all(|outage| outage.end_ns.is_some_and(|end_ns| end_ns > outage.start_ns)));
    let in_flight = summary.outages.iter().filter(|outage| outage.in_flight).count() as u64;
    assert_eq!((summary.unknown, summary.failed), (in_flight, 0), "{:?}", summary.errors);
    let made = summary.connections.expect("connections are made while it is measured");
    assert_eq!((made.total.count(), made.tls.count()), (2, 2), "each was encrypted and timed");
    let seen = standby.query_postgres("SELECT count(DISTINCT port), bool_and(encrypted) FROM seen");
    assert_eq!(seen, "2|t", "first on the one server, then on the other, never in clear");
}
