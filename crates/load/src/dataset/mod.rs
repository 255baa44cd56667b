//! The data that workloads run on: the schema of `pgbench -i`, made faster, checked, and never at another's expense.
//!
//! [`ensure`] leaves the tables, rows, keys, storage options and statistics that `pgbench -i` leaves; a real pgbench runs
//! on them, and under [`Ownership::Existing`] its tables serve here. What pgdyno makes it marks, and only what carries the
//! mark is ever dropped or emptied. Promises: an interrupted set-up leaves nothing that stands in the way of the next;
//! nothing on the server is changed but these tables. Needs a session of its own, not a pooled one. Left out: TLS,
//! partitions, foreign keys, tablespaces (the database's default holds).

mod ddl;
mod error;
mod fill;
mod fit;
mod marker;
mod pgbench_data;
mod rows;
mod session;
mod survey;
mod table;
mod trial;
mod wal_nudge;

use std::time::{Duration, Instant};

use tokio_postgres::Config;

pub use error::DatasetError;
pub use fit::Defect;
pub use pgbench_data::PgbenchData;
pub use table::Table;
pub use trial::{Access, Omission, Readied, finish_trial, prepare_trial, require_writable};

use crate::Stop;
use fit::Holding;
use session::Session;
use survey::{Place, Relation};

/// Whose the tables are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// pgdyno makes them, reuses them when intact and makes them anew when not. Those of others are refused.
    Managed,
    /// They are used as they are, whoever made them, if they fit.
    Existing,
}

/// How far [`ensure`] is. Phases come in this order; not every one comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Looking at what is there.
    Checking,
    /// Dropping tables of ours that are not intact.
    Dropping,
    /// Creating the empty tables.
    Creating,
    /// Filling a table; comes several times a second.
    Copying {
        /// Which.
        table: Table,
        /// Rows sent.
        rows_done: u64,
        /// Rows to send.
        rows_total: u64,
    },
    /// Building a primary key.
    Indexing {
        /// Of which table.
        table: Table,
    },
    /// Vacuuming and analyzing.
    Analyzing {
        /// Which table.
        table: Table,
    },
    /// The tables are ready.
    Done,
}

/// What [`ensure`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// There was nothing; the tables were made.
    Created {
        /// In this time, checks included.
        took: Duration,
    },
    /// There were tables of ours with defects or of another scale; they were made anew.
    Recreated {
        /// In this time, checks included.
        took: Duration,
        /// What was wrong with the old ones.
        defects: Vec<Defect>,
    },
    /// The tables were there and intact.
    Reused,
}

/// Taken while the tables are looked at and made, so that two pgdynos do not make them at once; "pgdyno" in ASCII.
const ADVISORY_LOCK: i64 = 0x7067_6479_6e6f;

/// Sees to it that the tables of `data` are there: made, made anew, or found intact. `progress` is told each phase.
///
/// When `stop` is requested it cancels the server's work and returns [`DatasetError::Interrupted`] within a second.
///
/// # Errors
/// [`DatasetError::NotOurs`] under [`Ownership::Managed`] for tables of others, which are left alone;
/// [`DatasetError::Unfit`] under [`Ownership::Existing`]; [`DatasetError::ReadOnly`] and [`DatasetError::NoSchema`] where
/// the tables would have to be made and cannot; [`DatasetError::Connect`] and [`DatasetError::Server`] with what the
/// server said. After an error the next call starts clean.
pub async fn ensure(
    config: &Config,
    data: &PgbenchData,
    ownership: Ownership,
    stop: &Stop,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Outcome, DatasetError> {
    let begun = Instant::now();
    progress(Progress::Checking);
    let session = Session::open(config, stop).await?;
    if ownership == Ownership::Managed {
        lock(&session).await?;
    }
    let place = survey::place(&session).await?;
    let relations = survey::relations(&session).await?;
    if ownership == Ownership::Managed
        && let Holding::Foreign(tables) = fit::holding(&relations)
    {
        return Err(DatasetError::NotOurs { database: place.database, tables });
    }
    let defects = defects(&session, &relations, data, ownership).await?;
    let outcome = match (ownership, defects.is_empty(), relations.first()) {
        (_, true, _) => Outcome::Reused,
        (Ownership::Existing, false, _) => {
            return Err(DatasetError::Unfit { database: place.database, scale: data.scale().get(), defects });
        }
        (Ownership::Managed, false, None) => {
            place.refuse_read_only("create the pgbench tables")?;
            let schema = creatable_schema(&place)?;
            make(&session, config, schema, data, progress).await?;
            Outcome::Created { took: begun.elapsed() }
        }
        (Ownership::Managed, false, Some(old)) => {
            place.refuse_read_only("recreate the pgbench tables")?;
            progress(Progress::Dropping);
            drop_tables(&session, &relations).await?;
            // Where the old ones were: in another schema of the path, tables of others might stand before them.
            make(&session, config, &old.schema, data, progress).await?;
            Outcome::Recreated { took: begun.elapsed(), defects }
        }
    };
    progress(Progress::Done);
    Ok(outcome)
}

/// Drops the tables that carry our mark and says which. Those of others are left alone.
///
/// # Errors
/// [`DatasetError::ReadOnly`], [`DatasetError::Connect`], and [`DatasetError::Server`] with what the server said.
pub async fn drop_owned(config: &Config, stop: &Stop) -> Result<Vec<Table>, DatasetError> {
    let session = Session::open(config, stop).await?;
    lock(&session).await?;
    let mut relations = survey::relations(&session).await?;
    relations.retain(fit::is_ours);
    if !relations.is_empty() {
        survey::place(&session).await?.refuse_read_only("drop the pgbench tables")?;
        drop_tables(&session, &relations).await?;
    }
    Ok(relations.iter().map(|relation| relation.table).collect())
}

/// Structure first: rows are only counted in tables that have the columns and keys for it.
async fn defects(
    session: &Session<'_>,
    relations: &[Relation],
    data: &PgbenchData,
    ownership: Ownership,
) -> Result<Vec<Defect>, DatasetError> {
    let defects = fit::structure_defects(relations, data, ownership);
    if !defects.is_empty() {
        return Ok(defects);
    }
    let counts = survey::row_counts(session, relations, Table::Accounts.rows(data)).await?;
    Ok(fit::row_defects(&counts, data))
}

async fn make(
    session: &Session<'_>,
    config: &Config,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<(), DatasetError> {
    fill::fill(session, config, schema, data, progress).await.map_err(|error| error.while_making(data))
}

async fn drop_tables(session: &Session<'_>, relations: &[Relation]) -> Result<(), DatasetError> {
    let sql = ddl::drop(relations.iter().map(|relation| (relation.schema.as_str(), relation.table)));
    session.execute("drop the old pgbench tables", &sql).await
}

async fn lock(session: &Session<'_>) -> Result<(), DatasetError> {
    let step = "take pgdyno's lock on the data";
    session.rows(step, "SELECT pg_advisory_lock($1)", &[&ADVISORY_LOCK]).await.map(drop)
}

fn creatable_schema(place: &Place) -> Result<&str, DatasetError> {
    place.creatable_schema.as_deref().ok_or_else(|| DatasetError::NoSchema {
        role: place.role.clone(),
        database: place.database.clone(),
        search_path: place.search_path.clone(),
    })
}
