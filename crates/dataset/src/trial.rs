//! What is done to the tables around a trial so that each trial starts alike.
//!
//! Before a trial that writes, what its kind of data needs to be what it was at the first ([`Data`]), and a CHECKPOINT,
//! so that no trial pays for the pages the one before dirtied. After it another CHECKPOINT, so that they are not
//! written while the next trial runs, maybe against another server of the same machine. Around a trial that only reads,
//! nothing, as it must be possible on a standby; unless one that writes may have taken away rows that it reads.
//!
//! The statements name the tables as the workload does, without a schema, and so mean the same tables.

use tokio_postgres::Client;
use work::{Ownership, TableAccess};

use super::data::Data;
use super::error::DatasetError;
use super::marker;
use super::place::SessionPlace;
use super::readying::{Readied, Readying, run_step};

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
    access: TableAccess,
) -> Result<Readied, DatasetError> {
    if access == TableAccess::Reads && !data.may_lack_rows() {
        return Ok(Readied::default());
    }
    run_step("(current)", "set up the session", client.query(include_str!("settings.sql"), &[])).await?;
    let place = read_session_place(client).await?;
    match (access, place.refuse_read_only("run a workload that writes")) {
        (_, Ok(())) => {}
        (TableAccess::Reads, Err(_)) => return Ok(Readied::default()),
        (TableAccess::Writes, Err(error)) => return Err(error),
    }
    if ownership == Ownership::Managed {
        refuse_foreign(client, &place, data).await?;
    }
    let mut readying = Readying::new(client, place);
    data.restore_tables(&mut readying, ownership, access).await?;
    if access == TableAccess::Writes || readying.has_executed() {
        readying.try_checkpoint().await?;
    }
    Ok(readying.into_readied())
}

/// Ends a trial: writes out what it dirtied.
///
/// # Errors
/// [`DatasetError::Server`] when the connection breaks or the checkpoint fails; not when the role may not make one.
pub async fn finish_trial(client: &Client, access: TableAccess) -> Result<Readied, DatasetError> {
    if access == TableAccess::Reads {
        return Ok(Readied::default());
    }
    let place = read_session_place(client).await?;
    let mut readying = Readying::new(client, place);
    readying.try_checkpoint().await?;
    Ok(readying.into_readied())
}

/// Whether the session can write at all, for a check before anything is measured.
///
/// # Errors
/// [`DatasetError::ReadOnly`] on a standby or where a setting forbids writing.
pub async fn require_writable(client: &Client) -> Result<(), DatasetError> {
    writable_place(client, "run a workload that writes").await.map(drop)
}

async fn writable_place(client: &Client, what: &str) -> Result<SessionPlace, DatasetError> {
    let place = read_session_place(client).await?;
    place.refuse_read_only(what)?;
    Ok(place)
}

async fn read_session_place(client: &Client) -> Result<SessionPlace, DatasetError> {
    let row = run_step("(current)", "read the session's state", client.query_one(SessionPlace::SQL, &[])).await?;
    Ok(SessionPlace::from_row(&row))
}

async fn refuse_foreign(client: &Client, place: &SessionPlace, data: &Data) -> Result<(), DatasetError> {
    let sql = "SELECT t.name, pg_catalog.obj_description(pg_catalog.to_regclass(t.name), 'pg_class') AS comment
                 FROM unnest($1::text[]) AS t(name)";
    let names = data.table_names();
    let rows = run_step(&place.database, "look for the tables", client.query(sql, &[&names])).await?;
    let tables: Vec<String> =
        rows.iter().filter(|row| !marker::is_on(row.get("comment"))).map(|row| row.get("name")).collect();
    if tables.is_empty() {
        return Ok(());
    }
    Err(DatasetError::NotOurs { database: place.database.clone(), tables })
}
