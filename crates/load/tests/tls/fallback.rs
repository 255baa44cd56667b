//! A connection that was cut while encryption was negotiated is tried in clear, where that is allowed;
//! the next one is encrypted again.

use crate::server::{Postgres, good};
use crate::{IF_ENCRYPTED, job, run, settings, with};
use conninfo::{ConnInfo, EncryptionMode};
use load::{Connections, EngineJob, JobExtent};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::num::{NonZeroU32, NonZeroU64};
use wire::tls::TlsOptions;

/// The connection that is cut, counted from 0.
const CUT: usize = 2;

/// The server behind a proxy that cuts one connection before it is encrypted, for a client that prefers encryption.
fn behind_a_proxy(postgres: &Postgres, user: &str) -> ConnInfo {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let (port, to) = (listener.local_addr().expect("an address").port(), postgres.tcp_port());
    std::thread::spawn(move || {
        for (number, mut client) in listener.incoming().flatten().enumerate() {
            if number == CUT {
                // The request for encryption, so that the client has come to negotiating.
                let _asked = client.read(&mut [0; 8]);
                continue;
            }
            std::thread::spawn(move || pass(&client, &TcpStream::connect(("127.0.0.1", to)).expect("it listens")));
        }
    });
    let prefer = EncryptionMode::IfPossible(settings(TlsOptions::default()));
    with(prefer, ConnInfo { port, ..postgres.server(user) })
}

/// Passes on what either side says, until both have said all.
fn pass(client: &TcpStream, server: &TcpStream) {
    std::thread::scope(|scope| {
        scope.spawn(|| pass_one_way(client, server));
        pass_one_way(server, client);
    });
}

fn pass_one_way(mut from: &TcpStream, mut to: &TcpStream) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _gone_already = to.shutdown(Shutdown::Write);
}

/// Five transactions of one client, each on a connection of its own.
fn five(server: ConnInfo) -> EngineJob {
    EngineJob {
        clients: NonZeroU32::MIN,
        measure: JobExtent::Transactions(NonZeroU64::new(5).expect("not zero")),
        connections: Connections::PerTransaction,
        ..job(server, IF_ENCRYPTED)
    }
}

#[test]
fn only_the_connection_that_was_cut_is_made_in_clear() {
    let summary = run(&five(behind_a_proxy(&good().postgres, "either"))).expect("the run is made");
    assert_eq!((summary.successful_transactions(), summary.failed), (4, 1), "{:?}", summary.errors);
    assert!(summary.outages.is_empty(), "{:?}", summary.outages);
}

#[test]
fn a_client_that_may_not_come_in_clear_gets_in_again() {
    let summary = run(&five(behind_a_proxy(&good().postgres, "encrypted"))).expect("the run is made");
    assert_eq!(
        (summary.successful_transactions(), summary.failed, summary.interrupted),
        (5, 0, false),
        "{:?}",
        summary.errors
    );
    let [refused] = &summary.outages[..] else { panic!("{:?}", summary.outages) };
    assert!(refused.end_ns.is_some() && refused.cause.starts_with("28000"), "{refused:?}");
}
