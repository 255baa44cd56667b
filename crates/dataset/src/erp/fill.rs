//! Makes the tables: in one transaction created, filled, indexed and marked, so that an interrupted set-up leaves
//! nothing; then vacuumed and analyzed, which cannot be in a transaction, and marked as ready.
//!
//! The rows are made on the server (`INSERT ... SELECT ... generate_series`) and not sent by COPY: the keys are hashes,
//! which the scripts compute on the server, too, so that one place knows how; and a distant server is as fast as a near
//! one.

use super::ErpData;
use super::tables::ErpTables;
use crate::ddl::quote;
use crate::making::{self, FinalVacuum, step};
use crate::marker::SetUpState;
use crate::session::FillSession;
use crate::{DatasetError, DatasetProgress};

/// Items or documents per statement: a fraction of a second.
const UNITS_AT_ONCE: u64 = 5_000;

/// Makes the tables of `data` in `schema`, where none of the names may be taken.
pub(crate) async fn fill(
    session: &FillSession<'_>,
    schema: &str,
    data: &ErpData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    making::in_transaction(session, make(session, schema, data, progress)).await?;
    making::make_ready(session, schema, &data.table_names(), &data.identity(), FinalVacuum::Freeze, progress).await
}

async fn make(
    session: &FillSession<'_>,
    schema: &str,
    data: &ErpData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let tables = ErpTables::of(data.object);
    session.execute("choose a schema", &format!("SET LOCAL search_path TO {}", quote(schema))).await?;
    progress(DatasetProgress::Creating);
    session.execute("create the erp tables", tables.create()).await?;
    insert(session, data, progress).await?;
    for index in tables.indexes() {
        progress(DatasetProgress::Indexing { table: index.table.to_owned() });
        session.execute(&step("index", index.table), index.statement).await?;
    }
    making::mark(session, schema, &data.table_names(), &data.identity(), SetUpState::Filled).await
}

async fn insert(
    session: &FillSession<'_>,
    data: &ErpData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let tables = ErpTables::of(data.object);
    let (first, units) = (tables.names()[0], tables.units(data.scale));
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
        session.execute("fill the erp tables", &tables.fill(data.scale, from, to)).await?;
        from = to;
        show(from);
    }
    Ok(())
}
