//! Makes the tables: in one transaction created, filled, keyed and marked, so that an interrupted set-up leaves
//! nothing; then vacuumed and analyzed, which cannot be in a transaction, and marked as ready.
//!
//! Fast because rows arrive frozen (`COPY ... FREEZE` needs a table made in the same transaction, and so one backend),
//! because that backend is relieved of what it need not do ([`super::rows`], [`WalNudge`]), and because the final
//! VACUUM finds every page all-visible already. Keys are built with the server's own settings, as pgbench builds them.
//! The result is the state that `pgbench -i` leaves.

use control::Config;

use super::table::PgbenchTable;
use super::{PgbenchData, ddl, rows};
use crate::making::{self, CopiedRows, FinalVacuum, step};
use crate::marker::SetUpState;
use crate::session::FillSession;
use crate::wal_nudge::WalNudge;
use crate::{DatasetError, DatasetProgress};

/// Rows per message: about 256 KiB.
const ROWS_PER_CHUNK: u64 = 14_000;

/// Makes all four tables in `schema`, where none of the names may be taken.
pub(crate) async fn fill(
    session: &FillSession<'_>,
    config: &Config,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let nudge = WalNudge::start(config);
    making::in_transaction(session, make(session, schema, data, progress)).await?;
    drop(nudge);
    let (tables, identity) = (PgbenchTable::ALL.map(PgbenchTable::name), data.identity());
    making::make_ready(session, schema, &tables, &identity, FinalVacuum::Plain, progress).await
}

async fn make(
    session: &FillSession<'_>,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    progress(DatasetProgress::Creating);
    for table in PgbenchTable::ALL {
        session.execute(&step("create", table.name()), &ddl::create(schema, table, data)).await?;
    }
    for table in PgbenchTable::FILLED {
        copy(session, schema, table, data, progress).await?;
        if let Some(sql) = ddl::drop_defaults(schema, table) {
            session.execute(&step("alter", table.name()), &sql).await?;
        }
    }
    for table in PgbenchTable::FILLED {
        progress(DatasetProgress::Indexing { table: table.name().to_owned() });
        if let Some(sql) = ddl::add_key(schema, table) {
            session.execute(&step("add the primary key of", table.name()), &sql).await?;
        }
    }
    making::mark(session, schema, &PgbenchTable::ALL.map(PgbenchTable::name), &data.identity(), SetUpState::Filled)
        .await
}

async fn copy(
    session: &FillSession<'_>,
    schema: &str,
    table: PgbenchTable,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let sql = ddl::copy(schema, table);
    let rows_total = table.rows(data);
    let copied = CopiedRows { table: table.name(), sql: &sql, rows: rows_total, rows_per_chunk: ROWS_PER_CHUNK };
    let mut show =
        |rows_done| progress(DatasetProgress::Copying { table: table.name().to_owned(), rows_done, rows_total });
    making::copy(session, &copied, &mut |range, out| rows::encode(table, data, range, out), &mut show).await
}
