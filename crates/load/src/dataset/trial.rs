//! What is done to the tables around a trial so that each trial starts alike.
//!
//! Before a trial that writes, what pgbench does before a run (history emptied, tellers and branches vacuumed: they are
//! the tables that bloat within seconds), and a CHECKPOINT, so that no trial pays for the pages the one before dirtied.
//! After it another CHECKPOINT, so that they are not written while the next trial runs, maybe against another server of
//! the same machine. Around a trial that only reads, nothing: it touches pgbench_accounts alone, which none of this
//! concerns, and it must be possible on a standby.
//!
//! The statements name the tables as the workload does, without a schema, and so mean the same tables.

use std::future::Future;

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::marker::Marker;
use super::survey::Place;
use super::table::Table;
use super::{DatasetError, Ownership};

/// What a workload does to the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only.
    Reads,
    /// Writes, too.
    Writes,
}

/// What was done around a trial, to be recorded with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readied {
    /// The statements that were executed, in order.
    pub executed: Vec<String>,
    /// The statements that the role may not execute.
    pub omitted: Vec<Omission>,
}

/// A statement that was left out, which makes trials less alike: a caveat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// The statement.
    pub statement: String,
    /// Why, as a sentence without its period.
    pub why: String,
}

/// Readies the tables for a trial. `client` must have the search path that the workload's connections have.
///
/// # Errors
/// [`DatasetError::ReadOnly`] for a workload that writes where nothing can be written; [`DatasetError::NotOurs`] under
/// [`Ownership::Managed`] for tables without our mark, which are left as they are; [`DatasetError::Server`] otherwise, also
/// when somebody else's lock on a table lasts longer than is waited for.
pub async fn prepare_trial(client: &Client, ownership: Ownership, access: Access) -> Result<Readied, DatasetError> {
    let mut readied = Readied::default();
    if access == Access::Reads {
        return Ok(readied);
    }
    run("(current)", "set the session up", client.query(include_str!("settings.sql"), &[])).await?;
    let place = writable_place(client, "run a workload that writes").await?;
    if ownership == Ownership::Managed {
        refuse_foreign(client, &place).await?;
    }
    execute(client, &place, "TRUNCATE pgbench_history", &mut readied).await?;
    for table in [Table::Tellers, Table::Branches] {
        let statement = format!("VACUUM {}", table.name());
        if may_vacuum(client, &place, table).await? {
            execute(client, &place, &statement, &mut readied).await?;
        } else {
            // The server would answer with a warning and do nothing.
            let why = format!("role \"{}\" may not vacuum table {}", place.role, table.name());
            readied.omitted.push(Omission { statement, why });
        }
    }
    checkpoint(client, &place, &mut readied).await?;
    Ok(readied)
}

/// Ends a trial: writes out what it dirtied.
///
/// # Errors
/// [`DatasetError::Server`] when the connection breaks or the checkpoint fails; not when the role may not make one.
pub async fn finish_trial(client: &Client, access: Access) -> Result<Readied, DatasetError> {
    let mut readied = Readied::default();
    if access == Access::Writes {
        let place = place(client).await?;
        checkpoint(client, &place, &mut readied).await?;
    }
    Ok(readied)
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

async fn refuse_foreign(client: &Client, place: &Place) -> Result<(), DatasetError> {
    let sql = "SELECT t.name, pg_catalog.obj_description(pg_catalog.to_regclass(t.name), 'pg_class') AS comment
                 FROM unnest($1::text[]) AS t(name)";
    let names = Table::ALL.map(Table::name);
    let rows = run(&place.database, "look for the pgbench tables", client.query(sql, &[&&names[..]])).await?;
    let tables: Vec<String> =
        rows.iter().filter(|row| !Marker::is_on(row.get("comment"))).map(|row| row.get("name")).collect();
    if tables.is_empty() {
        return Ok(());
    }
    Err(DatasetError::NotOurs { database: place.database.clone(), tables })
}

/// Owners of the table and of the database may; from PostgreSQL 17 on it can be granted.
async fn may_vacuum(client: &Client, place: &Place, table: Table) -> Result<bool, DatasetError> {
    let sql = "SELECT pg_has_role(c.relowner, 'USAGE') OR pg_has_role(d.datdba, 'USAGE')
                      OR CASE WHEN current_setting('server_version_num')::int >= 170000
                              THEN has_table_privilege(c.oid, 'MAINTAIN') ELSE false END
                 FROM pg_catalog.pg_class AS c, pg_catalog.pg_database AS d
                WHERE c.oid = $1::text::regclass AND d.datname = current_database()";
    let step = format!("look up who may vacuum table {}", table.name());
    let row = run(&place.database, &step, client.query_one(sql, &[&table.name()])).await?;
    Ok(row.get(0))
}

async fn execute(client: &Client, place: &Place, sql: &str, readied: &mut Readied) -> Result<(), DatasetError> {
    run(&place.database, &format!("execute \"{sql}\""), client.batch_execute(sql)).await?;
    readied.executed.push(sql.to_owned());
    Ok(())
}

/// Superusers may, members of pg_checkpoint from PostgreSQL 15 on, and on managed services who knows: so try.
async fn checkpoint(client: &Client, place: &Place, readied: &mut Readied) -> Result<(), DatasetError> {
    match execute(client, place, "CHECKPOINT", readied).await {
        Err(error) if error.sqlstate() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            let why = format!("role \"{}\" may not make a checkpoint", place.role);
            readied.omitted.push(Omission { statement: "CHECKPOINT".to_owned(), why });
            Ok(())
        }
        other => other,
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
