//! The steps of making a connection: a server that refuses to encrypt has answered, and there was no handshake.
//! Connecting is part of the latency of the transaction that it is for.

use crate::server::{HOST, Postgres, good};
use crate::{job, run, settings, with};
use conninfo::{ConnInfo, EncryptionMode};
use load::{Connections, EngineJob, JobExtent, Summary};
use std::num::NonZeroU64;
use wire::tls::TlsOptions;

/// Ten transactions of each of two clients, each on a connection of its own, of who prefers encryption.
fn reconnecting(postgres: &Postgres) -> Summary {
    let prefer = EncryptionMode::IfPossible(settings(TlsOptions::default()));
    let server = with(prefer, ConnInfo { ..postgres.server("either") });
    let measure = JobExtent::Transactions(NonZeroU64::new(10).expect("not zero"));
    run(&EngineJob { connections: Connections::PerTransaction, measure, ..job(server, "SELECT 1;") }).expect("it runs")
}

/// The mean of each step, and of the whole, in nanoseconds.
fn check_sum(summary: &Summary) {
    let made = summary.connections.as_ref().expect("connections");
    let steps = [&made.connect, &made.first_answer, &made.tls, &made.login];
    let sum_ns: f64 = steps.iter().filter_map(|step| step.mean_ns()).sum();
    let total_ns = made.total.mean_ns().expect("connections");
    assert!((sum_ns / total_ns - 1.0).abs() < 1e-6, "{sum_ns} of {total_ns}");
    // The first transaction of each client has the connection that was made before the load.
    let connecting_ns = total_ns * made.total.count() as f64;
    let latency_ns = summary.latency.mean_ns().expect("transactions") * summary.successful_transactions() as f64;
    assert!(latency_ns > connecting_ns, "connecting is part of the latency: {connecting_ns} of {latency_ns}");
}

#[test]
fn a_refusal_to_encrypt_is_an_answer_and_no_handshake() {
    let postgres = Postgres::new();
    postgres.start_in_clear();
    let summary = reconnecting(&postgres);
    let made = summary.connections.as_ref().expect("connections");
    assert_eq!((made.tls.count(), made.first_answer.count()), (0, made.total.count()));
    check_sum(&summary);
}

#[test]
fn a_handshake_begins_when_the_server_has_agreed_to_it() {
    let good = good();
    let summary = reconnecting(&good.postgres);
    let made = summary.connections.as_ref().expect("connections");
    assert_eq!((made.tls.count(), made.first_answer.count()), (made.total.count(), made.total.count()));
    assert!(made.tls.mean_ns() > Some(0.0), "{HOST}");
    check_sum(&summary);
}
