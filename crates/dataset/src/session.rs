//! One connection of the control plane: steps with names, each of which ends at once when it is asked to stop.
//!
//! A step that is stopped or fails leaves its transaction open; dropping the session closes the connection and the
//! server rolls back. The only place of the crate that connects.

use std::future::Future;
use std::time::Duration;

use control::Config;
use tokio_postgres::config::Host;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::DatasetError;
use work::StopRequest;

/// How often a waiting step looks whether it was asked to stop.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// How long the request to cancel may take to reach the server before the connection is just closed.
const CANCEL_AT_MOST: Duration = Duration::from_millis(500);

/// For a configuration that does not say.
const CONNECT_AT_MOST: Duration = Duration::from_secs(10);

/// A connection whose work can be stopped.
pub(super) struct FillSession<'a> {
    client: Client,
    database: String,
    /// For a request to cancel.
    tls: control::Connector,
    stop: &'a StopRequest,
}

impl<'a> FillSession<'a> {
    /// Connects and applies `settings.sql`, which holds for this session only.
    pub(super) async fn open_session(config: &Config, stop: &'a StopRequest) -> Result<Self, DatasetError> {
        let client = unless_stopped(stop, connect_detached(config))
            .await
            .ok_or(DatasetError::Interrupted)?
            .map_err(|source| DatasetError::Connect { server: describe_connection(config), source })?;
        let database = config.get_dbname().or(config.get_user()).unwrap_or("(default)").to_owned();
        let session = Self { client, database, tls: config.tls_connector(), stop };
        session.query_rows("set up the session", include_str!("settings.sql"), &[]).await?;
        // The server notices within a second that pgdyno is gone, also in the middle of building a key. Not every
        // platform can; there it notices at the end of the statement.
        let _ = session.execute_statements("watch the connection", "SET client_connection_check_interval = '1s'").await;
        Ok(session)
    }

    /// A session like this one, which stops with it.
    pub(super) async fn open_another(&self, config: &Config) -> Result<Self, DatasetError> {
        FillSession::open_session(config, self.stop).await
    }

    /// The client, for work that goes through [`FillSession::run_unless_stopped`].
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Executes statements without parameters. `step` says from its verb on what they do.
    pub(super) async fn execute_statements(&self, step: &str, sql: &str) -> Result<(), DatasetError> {
        self.run_unless_stopped(step, self.client.batch_execute(sql)).await
    }

    /// Executes a query.
    pub(super) async fn query_rows(
        &self,
        step: &str,
        sql: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, DatasetError> {
        self.run_unless_stopped(step, self.client.query(sql, parameters)).await
    }

    /// Executes a query that has one row.
    pub(super) async fn query_row(
        &self,
        step: &str,
        sql: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, DatasetError> {
        self.run_unless_stopped(step, self.client.query_one(sql, parameters)).await
    }

    /// Does `work` unless it is asked to stop; then what the server is doing is cancelled.
    pub(super) async fn run_unless_stopped<T>(
        &self,
        step: &str,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, DatasetError> {
        match unless_stopped(self.stop, work).await {
            Some(result) => result.map_err(|source| DatasetError::Server {
                step: step.to_owned(),
                database: self.database.clone(),
                source,
                size_mib: None,
            }),
            None => {
                let cancel = self.client.cancel_token();
                // Best effort: closing the connection, which follows, ends the work too, only later.
                let _ = tokio::time::timeout(CANCEL_AT_MOST, cancel.cancel_query(self.tls.clone())).await;
                Err(DatasetError::Interrupted)
            }
        }
    }
}

/// A connection that lives as long as its client.
pub(super) async fn connect_detached(config: &Config) -> Result<Client, tokio_postgres::Error> {
    let mut config = config.clone();
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_AT_MOST);
    }
    if config.get_application_name().is_none() {
        config.application_name("pgdyno");
    }
    let (client, connection) = config.open_connection().await.map_err(control::OpenError::into_decisive)?;
    // How the connection ends is told to whoever waits for an answer on it.
    tokio::spawn(async { drop(connection.await) });
    Ok(client)
}

/// `None` when asked to stop before `work` was done.
async fn unless_stopped<T>(stop: &StopRequest, work: impl Future<Output = T>) -> Option<T> {
    if stop.is_requested() {
        return None;
    }
    let stopped = async {
        while !stop.is_requested() {
            tokio::time::sleep(STOP_CHECK).await;
        }
    };
    tokio::select! {
        biased;
        result = work => Some(result),
        () = stopped => None,
    }
}

/// Where a configuration leads, without its secrets.
fn describe_connection(config: &Config) -> String {
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        })
        .collect();
    let ports: Vec<String> = config.get_ports().iter().map(ToString::to_string).collect();
    let port = if ports.is_empty() { "5432".to_owned() } else { ports.join(",") };
    let database = config.get_dbname().or(config.get_user()).unwrap_or("(default)");
    format!("database \"{database}\" on server \"{}\" port {port}", hosts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_described_without_its_password() {
        let config: tokio_postgres::Config =
            "host=db.example,/run/postgresql port=5432,5433 user=u password=hunter2 dbname=b".parse().expect("valid");
        assert_eq!(
            describe_connection(&config.into()),
            "database \"b\" on server \"db.example,/run/postgresql\" port 5432,5433"
        );
    }
}
