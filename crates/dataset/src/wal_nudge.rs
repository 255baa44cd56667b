//! Keeps the server's WAL writer busy while one backend fills a table.
//!
//! A COPY writes as much WAL as data, and its backend writes most of it out itself, because the WAL writer sleeps 200
//! ms at a time and wal_buffers fills in 20. An asynchronous commit wakes the WAL writer; one every few milliseconds
//! makes it write on another core what the COPY produces. The commits touch no table and need no privilege.

use std::time::Duration;

use control::Config;
use tokio::task::JoinHandle;

use super::session::connect_detached;

/// A quarter of the time in which a fast COPY fills a wal_buffers of 4 MiB.
const EVERY: Duration = Duration::from_millis(5);

/// Nudges from its making until it is dropped.
pub(super) struct WalNudge(JoinHandle<()>);

impl WalNudge {
    /// Starts. Whatever goes wrong (no connection left, say), the set-up is only slower.
    pub(super) fn start(config: &Config) -> Self {
        let config = config.clone();
        Self(tokio::spawn(async move { drop(write_wal_repeatedly(&config).await) }))
    }
}

impl Drop for WalNudge {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn write_wal_repeatedly(config: &Config) -> Result<(), tokio_postgres::Error> {
    let client = connect_detached(config).await?;
    client.batch_execute("SET synchronous_commit = off").await?;
    loop {
        client.batch_execute("SELECT pg_current_xact_id()").await?;
        tokio::time::sleep(EVERY).await;
    }
}
