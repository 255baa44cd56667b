//! Makes the tables, several at once, each in a transaction of its own in which it is created, filled, keyed, indexed
//! and marked; then vacuumed and analyzed, and marked as ready. What an interruption leaves carries the mark.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use control::Config;
use futures_util::future::try_join_all;

use super::ddl;
use super::layout::{Oltp, SysbenchData, SysbenchShape, name};
use super::rows::SysbenchRows;
use crate::making::{self, CopiedRows, FinalVacuum, step};
use crate::marker::SetUpState;
use crate::session::FillSession;
use crate::{DatasetError, DatasetProgress};

/// Tables that are filled at once: about what keeps a server's disk busy without taking all of its CPUs.
const AT_ONCE: u32 = 4;

/// Rows per message: about 210 KiB.
const ROWS_PER_CHUNK: u64 = 1_000;

/// Makes all tables in `schema`, where none of the names may be taken.
pub(crate) async fn fill(
    session: &FillSession<'_>,
    config: &Config,
    schema: &str,
    data: &SysbenchData,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    progress(DatasetProgress::Creating);
    // A server without connections left is served by fewer: the session that there is suffices.
    let mut more = Vec::new();
    while (more.len() as u32) + 1 < data.tables().min(AT_ONCE) {
        match session.another(config).await {
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
    try_join_all(std::iter::once(session).chain(&more).map(|session| making.tables(session))).await?;
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
    async fn tables(&self, session: &FillSession<'_>) -> Result<(), DatasetError> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number > self.data.tables() {
                return Ok(());
            }
            making::in_transaction(session, self.table(session, number)).await?;
            let (name, identity) = (name(number), self.data.identity());
            let mut show = |progress| self.show(progress);
            making::make_ready(session, self.schema, &[&name], &identity, FinalVacuum::Plain, &mut show).await?;
        }
    }

    async fn table(&self, session: &FillSession<'_>, number: u32) -> Result<(), DatasetError> {
        let (schema, table) = (self.schema, name(number));
        session.execute(&step("create", &table), &ddl::create(schema, number, self.data.shape())).await?;
        if let SysbenchShape::Oltp(oltp) = self.data.shape() {
            self.copy(session, number, &oltp).await?;
        }
        self.show(DatasetProgress::Indexing { table: table.clone() });
        session.execute(&step("add the primary key of", &table), &ddl::add_key(schema, number)).await?;
        if let SysbenchShape::Oltp(oltp) = self.data.shape() {
            if oltp.secondary_index {
                session.execute(&step("index", &table), &ddl::add_index(schema, number)).await?;
            }
            if let Some(sql) = ddl::set_sequence(&crate::ddl::qualified(schema, &table), &oltp) {
                session.execute(&step("set the sequence of", &table), &sql).await?;
            }
        }
        making::mark(session, schema, &[&table], &self.data.identity(), SetUpState::Filled).await
    }

    async fn copy(&self, session: &FillSession<'_>, number: u32, oltp: &Oltp) -> Result<(), DatasetError> {
        let (table, sql) = (name(number), ddl::copy(self.schema, number));
        let copied =
            CopiedRows { table: &table, sql: &sql, rows: u64::from(oltp.rows), rows_per_chunk: ROWS_PER_CHUNK };
        let mut rows = SysbenchRows::new(number, oltp);
        let mut sent = 0;
        let mut show = |done| {
            self.rows_done.fetch_add(done - sent, Ordering::Relaxed);
            sent = done;
            self.show(self.copying());
        };
        making::copy(session, &copied, &mut |range, out| rows.encode(range, out), &mut show).await
    }

    /// Of all tables together, since several are filled at once.
    fn copying(&self) -> DatasetProgress {
        let tables = self.data.tables();
        DatasetProgress::Copying {
            table: if tables == 1 { name(1) } else { format!("{} to {}", name(1), name(tables)) },
            rows_done: self.rows_done.load(Ordering::Relaxed),
            rows_total: u64::from(tables) * u64::from(self.data.rows()),
        }
    }

    fn show(&self, progress: DatasetProgress) {
        let mut show = self.progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        show(progress);
    }
}
