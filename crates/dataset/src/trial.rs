//! What is done to the tables around a trial so that each trial starts alike.
//!
//! Before a trial that writes, what its kind of data needs to be what it was at the first ([`Data`]), and a CHECKPOINT,
//! so that no trial pays for the pages the one before dirtied. After it another CHECKPOINT, so that they are not
//! written while the next trial runs, maybe against another server of the same machine. Around a trial that only reads,
//! nothing, as it must be possible on a standby; unless one that writes may have taken away rows that it reads.
//!
//! The statements name the tables as the workload does, without a schema, and so mean the same tables.

use std::future::Future;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Row};
use work::Access;

use super::place::Place;
use super::{Data, DatasetError, Ownership, marker};

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

/// Readies the tables of `data` for a trial. `client` must have the search path that the workload's connections have.
///
/// # Errors
/// [`DatasetError::ReadOnly`] for a workload that writes where nothing can be written; [`DatasetError::NotOurs`] under
/// [`Ownership::Managed`] for tables without our mark, which are left as they are; [`DatasetError::Server`] otherwise,
/// also when somebody else's lock on a table lasts longer than is waited for.
pub async fn prepare_trial(
    client: &Client,
    data: &Data,
    ownership: Ownership,
    access: Access,
) -> Result<Readied, DatasetError> {
    if access == Access::Reads && !data.may_lack_rows() {
        return Ok(Readied::default());
    }
    run("(current)", "set up the session", client.query(include_str!("settings.sql"), &[])).await?;
    let place = place(client).await?;
    match (access, place.refuse_read_only("run a workload that writes")) {
        (_, Ok(())) => {}
        (Access::Reads, Err(_)) => return Ok(Readied::default()),
        (Access::Writes, Err(error)) => return Err(error),
    }
    if ownership == Ownership::Managed {
        refuse_foreign(client, &place, data).await?;
    }
    let mut readying = Readying { client, place, readied: Readied::default() };
    data.restore(&mut readying, ownership, access).await?;
    if access == Access::Writes || !readying.readied.executed.is_empty() {
        readying.checkpoint().await?;
    }
    Ok(readying.readied)
}

/// Ends a trial: writes out what it dirtied.
///
/// # Errors
/// [`DatasetError::Server`] when the connection breaks or the checkpoint fails; not when the role may not make one.
pub async fn finish_trial(client: &Client, access: Access) -> Result<Readied, DatasetError> {
    if access == Access::Reads {
        return Ok(Readied::default());
    }
    let place = place(client).await?;
    let mut readying = Readying { client, place, readied: Readied::default() };
    readying.checkpoint().await?;
    Ok(readying.readied)
}

/// Whether the session can write at all, for a check before anything is measured.
///
/// # Errors
/// [`DatasetError::ReadOnly`] on a standby or where a setting forbids writing.
pub async fn require_writable(client: &Client) -> Result<(), DatasetError> {
    writable_place(client, "run a workload that writes").await.map(drop)
}

async fn writable_place(client: &Client, what: &str) -> Result<Place, DatasetError> {
    let place = place(client).await?;
    place.refuse_read_only(what)?;
    Ok(place)
}

async fn place(client: &Client) -> Result<Place, DatasetError> {
    let row = run("(current)", "read the session's state", client.query_one(Place::SQL, &[])).await?;
    Ok(Place::from_row(&row))
}

async fn refuse_foreign(client: &Client, place: &Place, data: &Data) -> Result<(), DatasetError> {
    let sql = "SELECT t.name, pg_catalog.obj_description(pg_catalog.to_regclass(t.name), 'pg_class') AS comment
                 FROM unnest($1::text[]) AS t(name)";
    let names = data.tables();
    let rows = run(&place.database, "look for the tables", client.query(sql, &[&names])).await?;
    let tables: Vec<String> =
        rows.iter().filter(|row| !marker::is_on(row.get("comment"))).map(|row| row.get("name")).collect();
    if tables.is_empty() {
        return Ok(());
    }
    Err(DatasetError::NotOurs { database: place.database.clone(), tables })
}

/// Work on the tables before or after a trial, and the record of it.
pub(super) struct Readying<'a> {
    client: &'a Client,
    place: Place,
    readied: Readied,
}

impl Readying<'_> {
    /// Executes a statement and records it.
    pub(super) async fn execute(&mut self, sql: &str) -> Result<(), DatasetError> {
        let work = self.client.batch_execute(sql);
        run(&self.place.database, &format!("execute \"{sql}\""), work).await?;
        self.readied.executed.push(sql.to_owned());
        Ok(())
    }

    /// The row of a query, which is not recorded. `step` says from its verb on what it does.
    pub(super) async fn row(&self, step: &str, sql: &str) -> Result<Row, DatasetError> {
        run(&self.place.database, step, self.client.query_one(sql, &[])).await
    }

    /// Vacuums a table, if the role may: else the server would answer with a warning and do nothing.
    pub(super) async fn vacuum(&mut self, table: &str) -> Result<(), DatasetError> {
        let statement = format!("VACUUM {table}");
        if self.may_vacuum(table).await? {
            return self.execute(&statement).await;
        }
        let why = format!("role \"{}\" may not vacuum table {table}", self.place.role);
        self.omit(statement, why);
        Ok(())
    }

    /// Records a statement that is left out, and why, as a sentence without its period.
    pub(super) fn omit(&mut self, statement: String, why: String) {
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
        let row = run(&self.place.database, &step, self.client.query_one(sql, &[&table])).await?;
        Ok(row.get(0))
    }

    /// Superusers may, members of pg_checkpoint from PostgreSQL 15 on, and on managed services who knows: so try.
    async fn checkpoint(&mut self) -> Result<(), DatasetError> {
        match self.execute("CHECKPOINT").await {
            Err(error) if error.sqlstate() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                let why = format!("role \"{}\" may not execute CHECKPOINT", self.place.role);
                self.omit("CHECKPOINT".to_owned(), why);
                Ok(())
            }
            other => other,
        }
    }
}

async fn run<T>(
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
