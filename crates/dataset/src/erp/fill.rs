//! Makes the tables: in one transaction created, filled, indexed and marked, so that an interrupted set-up leaves
//! nothing; then vacuumed and analyzed, which cannot be in a transaction, and marked as ready.
//!
//! The rows are made on the server (`INSERT ... SELECT ... generate_series`) and not sent by COPY: the keys are hashes,
//! which the scripts compute on the server, too, so that one place knows how; and a distant server is as fast as a near
//! one.

use super::ErpData;
use super::tables::ErpTables;
use crate::ddl::quote_identifier;
use crate::making::{self, FinalVacuum, table_step_text};
use crate::marker::SetUpState;
use crate::session::FillSession;
use crate::{DatasetError, DatasetProgress};

/// Items or documents per statement: a fraction of a second.
const UNITS_AT_ONCE: u64 = 5_000;

/// Makes the tables of `data` in `schema`, where none of the names may be taken.
pub(crate) async fn fill_erp_tables(
    session: &FillSession<'_>,
    schema: &str,
    data: &ErpData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    making::in_transaction(session, create_and_fill_tables(session, schema, data, progress)).await?;
    making::make_ready(session, schema, &data.table_names(), &data.marker_identity(), FinalVacuum::Freeze, progress)
        .await
}

async fn create_and_fill_tables(
    session: &FillSession<'_>,
    schema: &str,
    data: &ErpData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let tables = ErpTables::of_object(data.object);
    session
        .execute_statements("choose a schema", &format!("SET LOCAL search_path TO {}", quote_identifier(schema)))
        .await?;
    progress(DatasetProgress::Creating);
    session.execute_statements("create the erp tables", tables.create_statements()).await?;
    insert_rows(session, data, progress).await?;
    for index in tables.indexes_with_statements() {
        progress(DatasetProgress::Indexing { table: index.table.to_owned() });
        session.execute_statements(&table_step_text("index", index.table), index.statement).await?;
    }
    making::mark_tables(session, schema, &data.table_names(), &data.marker_identity(), SetUpState::Filled).await
}

async fn insert_rows(
    session: &FillSession<'_>,
    data: &ErpData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let tables = ErpTables::of_object(data.object);
    let (first, units) = (tables.table_names()[0], tables.unit_count(data.scale));
    let mut show = |units_done: u64| {
        let rows_total = units * tables.rows_per_unit;
        progress(DatasetProgress::Copying {
            table: first.to_owned(),
            rows_done: units_done * tables.rows_per_unit,
            rows_total,
        });
    };
    show(0);
    let mut from = 0;
    while from < units {
        let to = units.min(from + UNITS_AT_ONCE);
        session.execute_statements("fill the erp tables", &tables.insert_statements(data.scale, from, to)).await?;
        from = to;
        show(from);
    }
    Ok(())
}
