//! One connection to the server, set up for asking: short time-outs, nothing written, prepared statements.

use std::collections::{BTreeMap, BTreeSet};

use control::Config;
use futures_util::future::join_all;
use results::probe_fields::ProbeName;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

use super::queries::{self, SERVER, SESSION, marked_query};
use super::silence::{SnapshotFailure, error_with_causes};
use super::snapshot::{self, QuerySnapshot, Unexpected};

/// A connection that works, as far as is known.
pub(crate) struct ProbeSession {
    client: Client,
    major: i32,
    role: String,
    prepared: BTreeMap<ProbeName, Result<PreparedQuery, SnapshotFailure>>,
    /// Of queries that are no probe's, by their text.
    statements: BTreeMap<&'static str, Statement>,
    _connection: ConnectionTask,
}

/// A query that this server has understood.
struct PreparedQuery {
    statement: Statement,
    gauges: BTreeSet<&'static str>,
}

/// What the server answered, and when.
pub(crate) struct QueryAnswer {
    pub(crate) at: std::time::Instant,
    pub(crate) outcome: Result<QuerySnapshot, SnapshotFailure>,
}

impl QueryAnswer {
    pub(crate) fn received_now(outcome: Result<QuerySnapshot, SnapshotFailure>) -> Self {
        Self { at: std::time::Instant::now(), outcome }
    }
}

/// The task that carries the bytes, which ends with its session: it could otherwise wait for a dead server for long.
struct ConnectionTask(JoinHandle<()>);

impl Drop for ConnectionTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl ProbeSession {
    /// Connects with the session's settings. The error is for a person and has no secret in it.
    ///
    /// Subtle: they travel in the start-up packet and are never SET, since behind a pooler a session of the server is
    /// lent to others next, who would find it read-only. A pooler that refuses them gets a session without; the time
    /// that a query may take is limited on this side, too.
    pub(crate) async fn open_session(config: &Config) -> Result<Self, String> {
        let opened = match with_settings(config).open_connection().await {
            Err(error) if is_about_settings(error.decisive_error()) => config.open_connection().await,
            opened => opened,
        };
        let (client, connection) = opened.map_err(|error| error_with_causes(&error))?;
        let connection = ConnectionTask(tokio::spawn(async move {
            // Not lost: a broken connection fails the query that meets it.
            let _ = connection.await;
        }));
        let server =
            client.query_one(marked_query(SERVER).as_str(), &[]).await.map_err(|error| error_with_causes(&error))?;
        let major = server.try_get("major").map_err(|error| error_with_causes(&error))?;
        let role = server.try_get("role").map_err(|error| error_with_causes(&error))?;
        Ok(Self {
            client,
            major,
            role,
            prepared: BTreeMap::new(),
            statements: BTreeMap::new(),
            _connection: connection,
        })
    }

    /// Whether the connection is known to be broken.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// The rows of a query that is prepared once.
    pub(crate) async fn query_rows(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, String> {
        self.query_prepared(sql, parameters).await.map_err(|error| error_with_causes(&error))
    }

    /// As [`ProbeSession::query_rows`], with the server's own error.
    pub(crate) async fn query_prepared(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        let statement = match self.statements.get(sql) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.client.prepare(&marked_query(sql)).await?;
                self.statements.insert(sql, statement.clone());
                statement
            }
        };
        self.client.query(&statement, parameters).await
    }

    /// The rows of a query that is not kept prepared.
    pub(crate) async fn query_once(
        &self,
        sql: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        self.client.query(marked_query(sql).as_str(), parameters).await
    }

    /// Who asks.
    pub(crate) fn role_name(&self) -> &str {
        &self.role
    }

    /// The figures of these probes now, in their order, by `deadline`. A query that the server refused is not put to it
    /// again: each time would be an error in the server's log, which is part of what is measured.
    pub(crate) async fn ask_probes(&mut self, probes: &[ProbeName], deadline: Instant) -> Vec<QueryAnswer> {
        let unprepared = probes.iter().filter(|probe| !self.prepared.contains_key(*probe));
        let prepared = join_all(unprepared.map(|probe| {
            let (probe, prepare) = (*probe, self.prepare_probe(*probe));
            async move { (probe, in_time(deadline, prepare).await) }
        }))
        .await;
        self.prepared.extend(prepared);
        let answers = join_all(probes.iter().map(|probe| {
            let figures = self.query_probe_figures(*probe);
            async move { QueryAnswer::received_now(in_time(deadline, figures).await) }
        }))
        .await;
        for (probe, answer) in probes.iter().zip(&answers) {
            if let Err(refused @ SnapshotFailure::Refused(_)) = &answer.outcome {
                self.prepared.insert(*probe, Err(refused.clone()));
            }
        }
        // What could not be prepared for another reason is tried again.
        self.prepared.retain(|_, prepared| matches!(prepared, Ok(_) | Err(SnapshotFailure::Refused(_))));
        answers
    }

    async fn query_probe_figures(&self, probe: ProbeName) -> Result<QuerySnapshot, SnapshotFailure> {
        let prepared = self.prepared[&probe].as_ref().map_err(SnapshotFailure::clone)?;
        match self.client.query(&prepared.statement, &[]).await {
            Ok(rows) => snapshot::from_rows(&rows, &prepared.gauges).map_err(|unexpected| match unexpected {
                Unexpected::Hidden => SnapshotFailure::statistics_hidden(probe.as_str(), &self.role),
                Unexpected::NoRow | Unexpected::Column { .. } => {
                    SnapshotFailure::Refused(format!("{probe} is not available: {unexpected}"))
                }
            }),
            Err(error) => Err(SnapshotFailure::from_query(probe.as_str(), &self.role, &error)),
        }
    }

    async fn prepare_probe(&self, probe: ProbeName) -> Result<PreparedQuery, SnapshotFailure> {
        let query = queries::query_for_version(probe, self.major)
            .map_err(|too_old| SnapshotFailure::Refused(too_old.to_string()))?;
        let statement = self.client.prepare(&marked_query(query.sql)).await;
        let statement = statement.map_err(|error| SnapshotFailure::from_query(probe.as_str(), &self.role, &error))?;
        Ok(PreparedQuery { statement, gauges: query.gauge_columns().collect() })
    }
}

/// What comes of `answer`, unless that takes until after `deadline`.
async fn in_time<T>(
    deadline: Instant,
    answer: impl Future<Output = Result<T, SnapshotFailure>>,
) -> Result<T, SnapshotFailure> {
    timeout_at(deadline, answer).await.unwrap_or(Err(SnapshotFailure::TimedOut))
}

/// The same with the session's settings after those that it has.
fn with_settings(config: &Config) -> Config {
    let mut config = config.clone();
    let options = match config.get_options() {
        Some(given) => format!("{given} {SESSION}"),
        None => SESSION.to_owned(),
    };
    config.options(options);
    config
}

/// PgBouncer's answer to settings that it does not pass on: `unsupported startup parameter: options`.
fn is_about_settings(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|db| {
        *db.code() == SqlState::PROTOCOL_VIOLATION && db.message().contains("unsupported startup parameter")
    })
}
