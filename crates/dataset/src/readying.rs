//! Work on the tables around a trial: each statement executed and recorded, or left out with the reason.

use std::future::Future;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Row};

use super::error::DatasetError;
use super::place::SessionPlace;

/// What was done around a trial, to be recorded with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readied {
    /// The statements that were executed, in order.
    pub executed: Vec<String>,
    /// The statements that were left out.
    pub omitted: Vec<Omission>,
}

/// A statement that was left out, which makes trials less alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// The statement.
    pub statement: String,
    /// Why, as a sentence without its period.
    pub why: String,
}

/// Work on the tables before or after a trial, and the record of it.
pub(super) struct Readying<'a> {
    client: &'a Client,
    place: SessionPlace,
    readied: Readied,
}

impl<'a> Readying<'a> {
    /// Nothing has been done yet.
    pub(super) fn new(client: &'a Client, place: SessionPlace) -> Self {
        Self { client, place, readied: Readied::default() }
    }
}

impl Readying<'_> {
    /// Whether a statement has been executed that is recorded.
    pub(super) fn has_executed(&self) -> bool {
        !self.readied.executed.is_empty()
    }

    /// What was done.
    pub(super) fn into_readied(self) -> Readied {
        self.readied
    }

    /// Executes a statement and records it.
    pub(super) async fn execute_recorded(&mut self, sql: &str) -> Result<(), DatasetError> {
        let work = self.client.batch_execute(sql);
        run_step(&self.place.database, &format!("execute \"{sql}\""), work).await?;
        self.readied.executed.push(sql.to_owned());
        Ok(())
    }

    /// The row of a query, which is not recorded. `step` says from its verb on what it does.
    pub(super) async fn query_row(&self, step: &str, sql: &str) -> Result<Row, DatasetError> {
        run_step(&self.place.database, step, self.client.query_one(sql, &[])).await
    }

    /// Vacuums a table, if the role may: else the server would answer with a warning and do nothing.
    pub(super) async fn vacuum_table(&mut self, table: &str) -> Result<(), DatasetError> {
        let statement = format!("VACUUM {table}");
        if self.may_vacuum(table).await? {
            return self.execute_recorded(&statement).await;
        }
        let why = format!("role \"{}\" may not vacuum table {table}", self.place.role);
        self.record_omission(statement, why);
        Ok(())
    }

    /// Records a statement that is left out, and why, as a sentence without its period.
    pub(super) fn record_omission(&mut self, statement: String, why: String) {
        self.readied.omitted.push(Omission { statement, why });
    }

    /// Owners of the table and of the database may; from PostgreSQL 17 on it can be granted.
    async fn may_vacuum(&self, table: &str) -> Result<bool, DatasetError> {
        let sql = "SELECT pg_has_role(c.relowner, 'USAGE') OR pg_has_role(d.datdba, 'USAGE')
                          OR CASE WHEN current_setting('server_version_num')::int >= 170000
                                  THEN has_table_privilege(c.oid, 'MAINTAIN') ELSE false END
                     FROM pg_catalog.pg_class AS c, pg_catalog.pg_database AS d
                    WHERE c.oid = $1::text::regclass AND d.datname = current_database()";
        let step = format!("look up who may vacuum table {table}");
        let row = run_step(&self.place.database, &step, self.client.query_one(sql, &[&table])).await?;
        Ok(row.get(0))
    }

    /// Superusers may, members of pg_checkpoint from PostgreSQL 15 on, and on managed services who knows: so try.
    pub(super) async fn try_checkpoint(&mut self) -> Result<(), DatasetError> {
        match self.execute_recorded("CHECKPOINT").await {
            Err(error) if error.sqlstate_of_error() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                let why = format!("role \"{}\" may not execute CHECKPOINT", self.place.role);
                self.record_omission("CHECKPOINT".to_owned(), why);
                Ok(())
            }
            other => other,
        }
    }
}

/// The result of a statement, or what the server said. `step` says from its verb on what it does.
pub(super) async fn run_step<T>(
    database: &str,
    step: &str,
    work: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, DatasetError> {
    work.await.map_err(|source| DatasetError::Server {
        step: step.to_owned(),
        database: database.to_owned(),
        source,
        size_mib: None,
    })
}
