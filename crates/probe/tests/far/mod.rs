//! The PostgreSQL probes of a server that is far away.

use std::path::Path;
use std::time::Duration;

use probe::Probes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::postgres_server::{Server, installed_versions};
use crate::read_values;

/// In each direction: one round trip for each of the queries would take longer than a reading may.
const DELAY: Duration = Duration::from_millis(60);

#[tokio::test]
async fn a_server_is_read_though_a_round_trip_for_each_query_would_take_too_long() {
    let server = Server::start(&installed_versions()[0]);
    let directory = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(directory.path().join(".s.PGSQL.5432")).unwrap();
    tokio::spawn(delay(listener, server.socket_path()));
    let mut far = control::Config::new();
    far.host_path(directory.path()).user("postgres").dbname("postgres");
    let mut probes = Probes::attach_probes(Some(&far), None).await;
    probes.take_first_snapshot().await;
    let all = "pg.database pg.bgwriter pg.checkpointer pg.wal pg.tables pg.locks pg.horizon pg.replication pg.archiver";
    read_values(&mut probes, &all.split(' ').collect::<Vec<_>>()).await;
}

/// Accepts connections and passes their bytes on to `server` and back, each [`DELAY`] after it came.
async fn delay(listener: UnixListener, server: impl AsRef<Path>) {
    while let Ok((client, _)) = listener.accept().await {
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = UnixStream::connect(&server).await.unwrap().into_split();
        forward(from_client, to_server);
        forward(from_server, to_client);
    }
}

fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
    let (sender, mut receiver) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length @ 1..) = from.read(&mut buffer).await {
            if sender.send((Instant::now() + DELAY, buffer[..length].to_vec())).is_err() {
                break;
            }
        }
    });
    tokio::spawn(async move {
        while let Some((due, bytes)) = receiver.recv().await {
            sleep_until(due).await;
            if to.write_all(&bytes).await.is_err() {
                break;
            }
        }
    });
}
