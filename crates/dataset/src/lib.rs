//! The data that workloads run on: made fast, checked, and never at another's expense.
//!
//! [`ensure_dataset`] leaves the tables that the workload's own tool leaves ([`Data`] says which); that tool runs on
//! them, and under [`Ownership::Existing`] its tables serve here. What pgdyno makes it marks, and only what carries
//! the mark is ever dropped or emptied. Promises: an interrupted set-up leaves nothing that stands in the way of the
//! next; nothing on the server is changed but these tables. Needs a session of its own, not a pooled one.

mod data;
mod data_on_server;
mod database;
mod ddl;
mod defect;
pub mod erp;
mod error;
pub mod ledger;
mod making;
mod marker;
mod pgbench;
mod place;
mod readying;
mod relation;
mod session;
mod sysbench;
mod trial;
mod wal_nudge;

use std::time::{Duration, Instant};

use control::Config;

pub use data::Data;
pub use database::ensure_database;
pub use defect::Defect;
pub use error::DatasetError;
pub use pgbench::{PgbenchData, PgbenchTable};
pub use readying::{Omission, Readied};
pub use sysbench::SysbenchData;
pub use trial::{finish_trial, prepare_trial, require_writable};
pub use work::Ownership;

use place::SessionPlace;
use relation::ResolvedRelation;
use session::FillSession;
use work::StopRequest;

/// How far [`ensure_dataset`] is. Phases come in this order; not every one comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatasetProgress {
    /// Looking at what is there.
    Checking,
    /// Dropping tables of ours that are not intact.
    Dropping,
    /// Creating the empty tables.
    Creating,
    /// Filling a table; comes several times a second.
    Copying {
        /// Which.
        table: String,
        /// Rows sent.
        rows_done: u64,
        /// Rows to send.
        rows_total: u64,
    },
    /// Building a primary key.
    Indexing {
        /// Of which table.
        table: String,
    },
    /// Vacuuming and analyzing.
    Analyzing {
        /// Which table.
        table: String,
    },
    /// The tables are ready.
    Done,
}

/// What [`ensure_dataset`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ensured {
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
/// [`DatasetError::Unfit`] under [`Ownership::Existing`]; [`DatasetError::ReadOnly`] and [`DatasetError::NoSchema`]
/// where the tables would have to be made and cannot; [`DatasetError::Connect`] and [`DatasetError::Server`] with what
/// the server said. After an error the next call starts clean.
pub async fn ensure_dataset(
    config: &Config,
    data: &Data,
    ownership: Ownership,
    stop: &StopRequest,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<Ensured, DatasetError> {
    let begun = Instant::now();
    progress(DatasetProgress::Checking);
    let session = FillSession::open_session(config, stop).await?;
    if ownership == Ownership::Managed {
        lock_dataset(&session).await?;
    }
    let place = SessionPlace::of_session(&session).await?;
    let relations = relation::read_relations(&session, &data.table_names()).await?;
    let foreign = relation::unmarked_table_names(&relations);
    if ownership == Ownership::Managed && !foreign.is_empty() {
        return Err(DatasetError::NotOurs { database: place.database, tables: foreign });
    }
    let defects = data.find_defects(&session, &relations, ownership).await?;
    let outcome = match (ownership, defects.is_empty(), relations.first()) {
        (_, true, _) => Ensured::Reused,
        (Ownership::Existing, false, _) => {
            return Err(DatasetError::Unfit { database: place.database, data: data.clone(), defects });
        }
        (Ownership::Managed, false, None) => {
            place.refuse_read_only(&format!("create the {} tables", data.kind_word()))?;
            data.make_tables(&session, config, place.creatable_schema()?, progress).await?;
            Ensured::Created { took: begun.elapsed() }
        }
        (Ownership::Managed, false, Some(old)) => {
            place.refuse_read_only(&format!("recreate the {} tables", data.kind_word()))?;
            progress(DatasetProgress::Dropping);
            drop_tables(&session, &relations).await?;
            // Where the old ones were: in another schema of the path, tables of others might stand before them.
            data.make_tables(&session, config, &old.schema, progress).await?;
            Ensured::Recreated { took: begun.elapsed(), defects }
        }
    };
    progress(DatasetProgress::Done);
    Ok(outcome)
}

/// Drops the tables that carry our mark, of every kind of data, and says which. Those of others are left alone.
///
/// # Errors
/// [`DatasetError::ReadOnly`], [`DatasetError::Connect`], and [`DatasetError::Server`] with what the server said.
pub async fn drop_owned(config: &Config, stop: &StopRequest) -> Result<Vec<String>, DatasetError> {
    let session = FillSession::open_session(config, stop).await?;
    lock_dataset(&session).await?;
    let names = relation::marked_table_names(&session).await?;
    let mut relations = relation::read_relations(&session, &names).await?;
    relations.retain(ResolvedRelation::is_ours);
    if !relations.is_empty() {
        SessionPlace::of_session(&session).await?.refuse_read_only("drop the tables of pgdyno")?;
        drop_tables(&session, &relations).await?;
    }
    Ok(relations.into_iter().map(|relation| relation.name).collect())
}

async fn drop_tables(session: &FillSession<'_>, relations: &[ResolvedRelation]) -> Result<(), DatasetError> {
    let sql = ddl::drop(relations.iter().map(|relation| (relation.schema.as_str(), relation.name.as_str())));
    session.execute_statements("drop the old tables", &sql).await
}

async fn lock_dataset(session: &FillSession<'_>) -> Result<(), DatasetError> {
    let step = "acquire pgdyno's lock on the data";
    session.query_rows(step, "SELECT pg_advisory_lock($1)", &[&ADVISORY_LOCK]).await.map(drop)
}
