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
use crate::making::{self, CopiedRows, FinalVacuum, table_step_text};
use crate::marker::SetUpState;
use crate::session::FillSession;
use crate::wal_nudge::WalNudge;
use crate::{DatasetError, DatasetProgress};

/// Rows per message: about 256 KiB.
const ROWS_PER_CHUNK: u64 = 14_000;

/// Makes all four tables in `schema`, where none of the names may be taken.
pub(crate) async fn fill_pgbench_tables(
    session: &FillSession<'_>,
    config: &Config,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let nudge = WalNudge::start(config);
    making::in_transaction(session, create_and_fill_tables(session, schema, data, progress)).await?;
    drop(nudge);
    let (tables, identity) = (PgbenchTable::ALL.map(PgbenchTable::table_name), data.marker_identity());
    making::make_ready(session, schema, &tables, &identity, FinalVacuum::Plain, progress).await
}

async fn create_and_fill_tables(
    session: &FillSession<'_>,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    progress(DatasetProgress::Creating);
    for table in PgbenchTable::ALL {
        session
            .execute_statements(
                &table_step_text("create", table.table_name()),
                &ddl::create_table_statement(schema, table, data),
            )
            .await?;
    }
    for table in PgbenchTable::FILLED {
        copy_table_rows(session, schema, table, data, progress).await?;
        if let Some(sql) = ddl::drop_defaults(schema, table) {
            session.execute_statements(&table_step_text("alter", table.table_name()), &sql).await?;
        }
    }
    for table in PgbenchTable::FILLED {
        progress(DatasetProgress::Indexing { table: table.table_name().to_owned() });
        if let Some(sql) = ddl::add_key(schema, table) {
            session.execute_statements(&table_step_text("add the primary key of", table.table_name()), &sql).await?;
        }
    }
    making::mark_tables(
        session,
        schema,
        &PgbenchTable::ALL.map(PgbenchTable::table_name),
        &data.marker_identity(),
        SetUpState::Filled,
    )
    .await
}

async fn copy_table_rows(
    session: &FillSession<'_>,
    schema: &str,
    table: PgbenchTable,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let sql = ddl::copy_statement(schema, table);
    let rows_total = table.row_count(data);
    let copied = CopiedRows { table: table.table_name(), sql: &sql, rows: rows_total, rows_per_chunk: ROWS_PER_CHUNK };
    let mut show =
        |rows_done| progress(DatasetProgress::Copying { table: table.table_name().to_owned(), rows_done, rows_total });
    making::copy_rows(session, &copied, &mut |range, out| rows::encode_rows(table, data, range, out), &mut show).await
}
