//! Makes the tables, several at once, each in a transaction of its own in which it is created, filled, keyed, indexed
//! and marked; then vacuumed and analyzed, and marked as ready. What an interruption leaves carries the mark.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use control::Config;
use futures_util::future::try_join_all;

use super::ddl;
use super::layout::{Oltp, SysbenchData, SysbenchShape, table_name};
use super::rows::SysbenchRows;
use crate::making::{self, CopiedRows, FinalVacuum, table_step_text};
use crate::marker::SetUpState;
use crate::session::FillSession;
use crate::{DatasetError, DatasetProgress};

/// Tables that are filled at once: about what keeps a server's disk busy without taking all of its CPUs.
const AT_ONCE: u32 = 4;

/// Rows per message: about 210 KiB.
const ROWS_PER_CHUNK: u64 = 1_000;

/// Makes all tables in `schema`, where none of the names may be taken.
pub(crate) async fn fill_sysbench_tables(
    session: &FillSession<'_>,
    config: &Config,
    schema: &str,
    data: &SysbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    progress(DatasetProgress::Creating);
    // A server without connections left is served by fewer: the session that there is suffices.
    let mut more = Vec::new();
    while (more.len() as u32) + 1 < data.table_count().min(AT_ONCE) {
        match session.open_another(config).await {
            Ok(another) => more.push(another),
            Err(DatasetError::Interrupted) => return Err(DatasetError::Interrupted),
            Err(_) => break,
        }
    }
    let making = FillWork {
        data,
        schema,
        next: AtomicU32::new(1),
        rows_done: AtomicU64::new(0),
        progress: Mutex::new(progress),
    };
    try_join_all(std::iter::once(session).chain(&more).map(|session| making.make_remaining_tables(session))).await?;
    Ok(())
}

/// The work, shared by the sessions that do it.
struct FillWork<'a> {
    data: &'a SysbenchData,
    schema: &'a str,
    /// The number of the table that nobody makes yet.
    next: AtomicU32,
    /// Rows sent, of all tables.
    rows_done: AtomicU64,
    progress: Mutex<&'a mut (dyn FnMut(DatasetProgress) + Send)>,
}

impl FillWork<'_> {
    /// Makes tables until there is none left to be made.
    async fn make_remaining_tables(&self, session: &FillSession<'_>) -> Result<(), DatasetError> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number > self.data.table_count() {
                return Ok(());
            }
            making::in_transaction(session, self.make_table(session, number)).await?;
            let (name, identity) = (table_name(number), self.data.marker_identity());
            let mut show = |progress| self.show_progress(progress);
            making::make_ready(session, self.schema, &[&name], &identity, FinalVacuum::Plain, &mut show).await?;
        }
    }

    async fn make_table(&self, session: &FillSession<'_>, number: u32) -> Result<(), DatasetError> {
        let (schema, table) = (self.schema, table_name(number));
        session
            .execute_statements(
                &table_step_text("create", &table),
                &ddl::create_table_statement(schema, number, self.data.table_shape()),
            )
            .await?;
        if let SysbenchShape::Oltp(oltp) = self.data.table_shape() {
            self.copy_table_rows(session, number, &oltp).await?;
        }
        self.show_progress(DatasetProgress::Indexing { table: table.clone() });
        session
            .execute_statements(&table_step_text("add the primary key of", &table), &ddl::add_key(schema, number))
            .await?;
        if let SysbenchShape::Oltp(oltp) = self.data.table_shape() {
            if oltp.secondary_index {
                session.execute_statements(&table_step_text("index", &table), &ddl::add_index(schema, number)).await?;
            }
            if let Some(sql) = ddl::set_sequence(&crate::ddl::qualified_table_name(schema, &table), &oltp) {
                session.execute_statements(&table_step_text("set the sequence of", &table), &sql).await?;
            }
        }
        making::mark_tables(session, schema, &[&table], &self.data.marker_identity(), SetUpState::Filled).await
    }

    async fn copy_table_rows(&self, session: &FillSession<'_>, number: u32, oltp: &Oltp) -> Result<(), DatasetError> {
        let (table, sql) = (table_name(number), ddl::copy_statement(self.schema, number));
        let copied =
            CopiedRows { table: &table, sql: &sql, rows: u64::from(oltp.rows), rows_per_chunk: ROWS_PER_CHUNK };
        let mut rows = SysbenchRows::new(number, oltp);
        let mut sent = 0;
        let mut show = |done| {
            self.rows_done.fetch_add(done - sent, Ordering::Relaxed);
            sent = done;
            self.show_progress(self.copying_progress());
        };
        making::copy_rows(session, &copied, &mut |range, out| rows.encode_rows(range, out), &mut show).await
    }

    /// Of all tables together, since several are filled at once.
    fn copying_progress(&self) -> DatasetProgress {
        let tables = self.data.table_count();
        DatasetProgress::Copying {
            table: if tables == 1 { table_name(1) } else { format!("{} to {}", table_name(1), table_name(tables)) },
            rows_done: self.rows_done.load(Ordering::Relaxed),
            rows_total: u64::from(tables) * u64::from(self.data.rows_per_table()),
        }
    }

    fn show_progress(&self, progress: DatasetProgress) {
        let mut show = self.progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        show(progress);
    }
}
