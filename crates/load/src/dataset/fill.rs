//! Makes the tables: in one transaction created, filled, keyed and marked, so that an interrupted set-up leaves nothing;
//! then vacuumed and analyzed, which cannot be in a transaction, and marked as ready.
//!
//! Fast because rows arrive frozen (`COPY ... FREEZE` needs a table made in the same transaction, and so one backend),
//! because that backend is relieved of what it need not do ([`super::rows`], [`super::wal_nudge`]), and because the
//! final VACUUM finds every page all-visible already. Keys are built with the server's own settings, as pgbench builds
//! them. The result is the state that `pgbench -i` leaves.

use std::io::Cursor;
use std::ops::Range;
use std::pin::pin;

use futures_util::SinkExt as _;
use tokio_postgres::Config;

use super::marker::{Marker, State};
use super::session::Session;
use super::table::Table;
use super::wal_nudge::WalNudge;
use super::{DatasetError, PgbenchData, Progress, ddl, rows};

/// Rows per COPY. The client learns only at a COPY's end that the server gave up on it.
const ROWS_PER_COPY: u64 = 1_000_000;

/// Rows per message: about 256 KiB, which is generated in less than a tenth of a millisecond.
const ROWS_PER_CHUNK: u64 = 14_000;

/// Room for a chunk of the widest rows.
const CHUNK_BYTES: usize = 22 * 14_000 + 32;

/// Makes all four tables in `schema`, where none of the names may be taken.
pub(super) async fn fill(
    session: &Session<'_>,
    config: &Config,
    schema: &str,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<(), DatasetError> {
    let nudge = WalNudge::start(config);
    session.execute("begin a transaction", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE").await?;
    progress(Progress::Creating);
    for table in Table::ALL {
        session.execute(&step("create", table), &ddl::create(schema, table, data)).await?;
    }
    for table in Table::FILLED {
        copy(session, schema, table, data, progress).await?;
        if let Some(sql) = ddl::drop_defaults(schema, table) {
            session.execute(&step("alter", table), &sql).await?;
        }
    }
    for table in Table::FILLED {
        progress(Progress::Indexing { table });
        if let Some(sql) = ddl::add_key(schema, table) {
            session.execute(&step("add the primary key of", table), &sql).await?;
        }
    }
    mark(session, schema, data, State::Filled).await?;
    session.execute("commit the set-up", "COMMIT").await?;
    drop(nudge);
    for table in Table::ALL {
        progress(Progress::Analyzing { table });
        let sql = format!("VACUUM (ANALYZE) {}", ddl::qualified(schema, table));
        session.execute(&step("vacuum and analyze", table), &sql).await?;
    }
    mark(session, schema, data, State::Ready).await
}

/// Marks all tables, in the transaction under way or in one of its own.
async fn mark(session: &Session<'_>, schema: &str, data: &PgbenchData, state: State) -> Result<(), DatasetError> {
    let text = Marker::new(data, state).to_string();
    let comments = Table::ALL.map(|table| ddl::comment(schema, table, &text));
    // One message with several statements is one transaction.
    session.execute("mark the tables as made by pgdyno", &comments.join("; ")).await
}

async fn copy(
    session: &Session<'_>,
    schema: &str,
    table: Table,
    data: &PgbenchData,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<(), DatasetError> {
    let rows_total = table.rows(data);
    progress(Progress::Copying { table, rows_done: 0, rows_total });
    let mut from = 0;
    while from < rows_total {
        let to = rows_total.min(from + ROWS_PER_COPY);
        copy_range(session, schema, table, data, from..to, &mut |rows_done| {
            progress(Progress::Copying { table, rows_done, rows_total });
        })
        .await?;
        from = to;
    }
    Ok(())
}

async fn copy_range(
    session: &Session<'_>,
    schema: &str,
    table: Table,
    data: &PgbenchData,
    range: Range<u64>,
    rows_done: &mut (dyn FnMut(u64) + Send),
) -> Result<(), DatasetError> {
    let step = step("fill", table);
    let sql = ddl::copy(schema, table);
    let sink = session.run(&step, session.client().copy_in::<_, Cursor<Vec<u8>>>(&sql)).await?;
    let mut sink = pin!(sink);
    let mut from = range.start;
    while from < range.end {
        let to = range.end.min(from + ROWS_PER_CHUNK);
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        if from == range.start {
            chunk.extend_from_slice(rows::HEADER);
        }
        rows::encode(table, data, from..to, &mut chunk);
        if to == range.end {
            chunk.extend_from_slice(rows::TRAILER);
        }
        session.run(&step, sink.feed(Cursor::new(chunk))).await?;
        from = to;
        rows_done(from);
    }
    session.run(&step, sink.finish()).await?;
    Ok(())
}

fn step(verb: &str, table: Table) -> String {
    format!("{verb} table {}", table.name())
}
