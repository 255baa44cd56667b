//! Makes the tables: in one transaction created, filled, keyed and marked, so that an interrupted set-up leaves
//! nothing; then vacuumed and analyzed, which cannot be in a transaction, and marked as ready.
//!
//! Fast because rows arrive frozen (`COPY ... FREEZE` needs a table made in the same transaction, and so one backend),
//! because that backend is relieved of what it need not do ([`super::rows`], [`WalNudge`]), and because the final
//! VACUUM finds every page all-visible already. Keys are built with the server's own settings, as pgbench builds them.
//! The result is the state that `pgbench -i` leaves.

use control::Config;

use super::table::Table;
use super::{PgbenchData, ddl, rows};
use crate::making::{self, CopiedRows, Vacuum, step};
use crate::marker::State;
use crate::session::Session;
use crate::wal_nudge::WalNudge;
use crate::{DatasetError, Progress};

/// Rows per message: about 256 KiB.
const ROWS_PER_CHUNK: u64 = 14_000;

/// Makes all four tables in `schema`, where none of the names may be taken.
pub(crate) async fn fill(
    session: &Session<'_>,
    config: &Config,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<(), DatasetError> {
    let nudge = WalNudge::start(config);
    making::in_transaction(session, make(session, schema, data, progress)).await?;
    drop(nudge);
    let (tables, identity) = (Table::ALL.map(Table::name), data.identity());
    making::make_ready(session, schema, &tables, &identity, Vacuum::Plain, progress).await
}

async fn make(
    session: &Session<'_>,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<(), DatasetError> {
    progress(Progress::Creating);
    for table in Table::ALL {
        session.execute(&step("create", table.name()), &ddl::create(schema, table, data)).await?;
    }
    for table in Table::FILLED {
        copy(session, schema, table, data, progress).await?;
        if let Some(sql) = ddl::drop_defaults(schema, table) {
            session.execute(&step("alter", table.name()), &sql).await?;
        }
    }
    for table in Table::FILLED {
        progress(Progress::Indexing { table: table.name().to_owned() });
        if let Some(sql) = ddl::add_key(schema, table) {
            session.execute(&step("add the primary key of", table.name()), &sql).await?;
        }
    }
    making::mark(session, schema, &Table::ALL.map(Table::name), &data.identity(), State::Filled).await
}

async fn copy(
    session: &Session<'_>,
    schema: &str,
    table: Table,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<(), DatasetError> {
    let sql = ddl::copy(schema, table);
    let rows_total = table.rows(data);
    let copied = CopiedRows { table: table.name(), sql: &sql, rows: rows_total, rows_per_chunk: ROWS_PER_CHUNK };
    let mut show = |rows_done| progress(Progress::Copying { table: table.name().to_owned(), rows_done, rows_total });
    making::copy(session, &copied, &mut |range, out| rows::encode(table, data, range, out), &mut show).await
}
