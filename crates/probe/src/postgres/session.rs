//! One connection to the server, set up for asking: short time-outs, nothing written, prepared statements.

use std::collections::{BTreeMap, BTreeSet};

use tokio::task::JoinHandle;
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::queries::{self, SERVER, SESSION};
use super::silence::{Silence, chain};
use super::snapshot::{self, Snapshot};

/// A connection that works, as far as is known.
pub(crate) struct Session {
    client: Client,
    major: i32,
    role: String,
    prepared: BTreeMap<&'static str, Result<Prepared, Silence>>,
    _connection: Connection,
}

/// A query that this server has understood.
struct Prepared {
    statement: Statement,
    gauges: BTreeSet<&'static str>,
}

/// The task that carries the bytes, which ends with its session: it could otherwise wait for a dead server for long.
struct Connection(JoinHandle<()>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Session {
    /// Connects and makes the session's settings. The error is for a person and has no secret in it.
    pub(crate) async fn open(config: &Config) -> Result<Self, String> {
        let (client, connection) = config.connect(NoTls).await.map_err(|error| chain(&error))?;
        let connection = Connection(tokio::spawn(async move {
            // Not lost: a broken connection fails the query that meets it.
            let _ = connection.await;
        }));
        client.batch_execute(SESSION).await.map_err(|error| chain(&error))?;
        let server = client.query_one(SERVER, &[]).await.map_err(|error| chain(&error))?;
        let major = server.try_get("major").map_err(|error| chain(&error))?;
        let role = server.try_get("role").map_err(|error| chain(&error))?;
        Ok(Self { client, major, role, prepared: BTreeMap::new(), _connection: connection })
    }

    /// Whether the connection is known to be broken.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// The figures of `probe` now. A query that the server refused is not put to it again: each time would be an error in
    /// the server's log, which is part of what is measured.
    pub(crate) async fn ask(&mut self, probe: &'static str) -> Result<Snapshot, Silence> {
        if !self.prepared.contains_key(probe) {
            let prepared = match self.prepare(probe).await {
                Err(silence) if !matches!(silence, Silence::Refused(_)) => return Err(silence),
                settled => settled,
            };
            self.prepared.insert(probe, prepared);
        }
        let outcome = match &self.prepared[probe] {
            Ok(prepared) => match self.client.query(&prepared.statement, &[]).await {
                Ok(rows) => snapshot::from_rows(&rows, &prepared.gauges)
                    .map_err(|unexpected| Silence::Refused(format!("{probe} is not to be had: {unexpected}"))),
                Err(error) => Err(Silence::from_query(probe, &self.role, &error)),
            },
            Err(refused) => Err(refused.clone()),
        };
        if let Err(refused @ Silence::Refused(_)) = &outcome {
            self.prepared.insert(probe, Err(refused.clone()));
        }
        outcome
    }

    async fn prepare(&self, probe: &'static str) -> Result<Prepared, Silence> {
        let query = queries::query(probe, self.major).map_err(|too_old| Silence::Refused(too_old.to_string()))?;
        let statement = self.client.prepare(query.sql).await;
        let statement = statement.map_err(|error| Silence::from_query(probe, &self.role, &error))?;
        Ok(Prepared { statement, gauges: query.gauges().collect() })
    }
}
