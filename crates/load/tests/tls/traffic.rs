//! What flows once a connection is encrypted: both versions of TLS, long messages, and connections for one transaction.

use crate::server::good;
use crate::{IF_ENCRYPTED, always, backends, job, run, settings, with};
use conninfo::EncryptionMode;
use load::{Connections, EngineJob, JobExtent, QueryMode};
use std::num::NonZeroU64;
use wire::tls::{CertificateTrust, TlsOptions, Versions};

#[test]
fn the_newest_version_of_tls_that_is_accepted_is_spoken() {
    let good = good();
    for (versions, expected) in
        [(Versions::Both, "TLSv1.3"), (Versions::OnlyTls13, "TLSv1.3"), (Versions::OnlyTls12, "TLSv1.2")]
    {
        let encryption = EncryptionMode::Always(settings(TlsOptions { versions, ..TlsOptions::default() }));
        let server = with(encryption, good.postgres.server("encrypted"));
        let text = format!("SELECT 1 / (version = '{expected}')::int FROM pg_stat_ssl WHERE pid = pg_backend_pid();");
        let summary = run(&job(server, &text)).expect("the run is made");
        assert_eq!((summary.successful_transactions(), summary.failed), (2, 0), "{versions:?}");
    }
}

#[test]
fn messages_of_many_records_pass_both_ways_by_both_backends_in_all_modes() {
    let good = good();
    // Longer than a record in both directions, and the answer far longer than what a socket holds.
    let text = format!("SELECT 1 / (length('{}') = 40000)::int, repeat('y', 3000000);", "x".repeat(40_000));
    for backend in backends(&good.postgres.server("either")) {
        for mode in [QueryMode::Simple, QueryMode::Extended, QueryMode::Prepared] {
            let server = with(always(CertificateTrust::Anyone), good.postgres.server("encrypted"));
            let summary = run(&EngineJob { backend, mode, ..job(server, &text) }).expect("the run is made");
            assert_eq!((summary.successful_transactions(), summary.failed), (2, 0), "{backend:?} {mode:?}");
        }
    }
}

#[test]
fn connections_for_one_transaction_are_encrypted_and_timed_step_by_step_by_both_backends() {
    let good = good();
    for backend in backends(&good.postgres.server("either")) {
        let server = with(
            always(CertificateTrust::AuthorityAndName(good.authority.as_bytes())),
            good.postgres.server("encrypted"),
        );
        let measure = JobExtent::Transactions(NonZeroU64::MIN.saturating_add(9));
        let job = EngineJob { backend, measure, connections: Connections::PerTransaction, ..job(server, IF_ENCRYPTED) };
        let summary = run(&job).expect("the run is made");
        assert_eq!(
            (summary.successful_transactions(), summary.failed, summary.outages.len()),
            (20, 0, 0),
            "{backend:?}"
        );
        let made = summary.connections.expect("connections are made while it is measured");
        // The first of each of two clients may have been made before.
        assert!((18..=20).contains(&made.total.count()), "{backend:?} {}", made.total.count());
        for (step, latency) in [("connect", &made.connect), ("tls", &made.tls), ("login", &made.login)] {
            assert_eq!(latency.count(), made.total.count(), "{backend:?} {step}");
            assert!(latency.quantile_ns(0.5) > Some(0), "{backend:?} {step}");
            assert!(latency.quantile_ns(1.0) <= made.total.quantile_ns(1.0), "{backend:?} {step}");
        }
    }
}

#[test]
fn connections_in_clear_have_no_time_for_tls() {
    let good = good();
    for backend in backends(&good.postgres.server("either")) {
        let server = good.postgres.server("in_clear");
        let measure = JobExtent::Transactions(NonZeroU64::MIN.saturating_add(9));
        let job = EngineJob { backend, measure, connections: Connections::PerTransaction, ..job(server, "SELECT 1;") };
        let summary = run(&job).expect("the run is made");
        let made = summary.connections.expect("connections are made while it is measured");
        assert!(made.total.count() > 0, "{backend:?}");
        assert_eq!(made.tls.count(), 0, "{backend:?}");
    }
}
