//! What the kinds of data have in common when they make tables: COPY of generated rows, marks, the final vacuum.

use std::future::Future;
use std::io::Cursor;
use std::ops::Range;
use std::pin::pin;

use futures_util::SinkExt as _;

use super::marker::{self, SetUpState};
use super::session::FillSession;
use super::{DatasetError, DatasetProgress, ddl};

/// Rows per COPY. The client learns only at a COPY's end that the server gave up on it.
const ROWS_PER_COPY: u64 = 1_000_000;

/// What a binary COPY stream opens with: signature, no flags, no header extension.
pub(super) const COPY_HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// What it ends with.
pub(super) const COPY_TRAILER: &[u8] = &(-1_i16).to_be_bytes();

/// Rows that are made as they are sent.
pub(super) struct CopiedRows<'a> {
    /// The table's name.
    pub(super) table: &'a str,
    /// `COPY ... FROM STDIN` in the binary format.
    pub(super) sql: &'a str,
    /// How many.
    pub(super) rows: u64,
    /// How many are sent at once: what takes about a tenth of a millisecond to make.
    pub(super) rows_per_chunk: u64,
}

/// Sends the rows that `encode` appends, by their numbers from 0; `rows_done` is told how far it is.
pub(super) async fn copy_rows(
    session: &FillSession<'_>,
    copied: &CopiedRows<'_>,
    encode: &mut (dyn FnMut(Range<u64>, &mut Vec<u8>) + Send),
    rows_done: &mut (dyn FnMut(u64) + Send),
) -> Result<(), DatasetError> {
    rows_done(0);
    let mut from = 0;
    while from < copied.rows {
        let to = copied.rows.min(from + ROWS_PER_COPY);
        copy_range(session, copied, from..to, encode, rows_done).await?;
        from = to;
    }
    Ok(())
}

async fn copy_range(
    session: &FillSession<'_>,
    copied: &CopiedRows<'_>,
    range: Range<u64>,
    encode: &mut (dyn FnMut(Range<u64>, &mut Vec<u8>) + Send),
    rows_done: &mut (dyn FnMut(u64) + Send),
) -> Result<(), DatasetError> {
    let step = table_step_text("fill", copied.table);
    let sink = session.run_unless_stopped(&step, session.client().copy_in::<_, Cursor<Vec<u8>>>(copied.sql)).await?;
    let mut sink = pin!(sink);
    let mut from = range.start;
    let mut chunk_bytes = 0;
    while from < range.end {
        let to = range.end.min(from + copied.rows_per_chunk);
        // The sink takes the bytes, so every chunk needs its own; the last one says how much room.
        let mut chunk = Vec::with_capacity(chunk_bytes);
        if from == range.start {
            chunk.extend_from_slice(COPY_HEADER);
        }
        encode(from..to, &mut chunk);
        if to == range.end {
            chunk.extend_from_slice(COPY_TRAILER);
        }
        chunk_bytes = chunk.len() + COPY_HEADER.len();
        session.run_unless_stopped(&step, sink.feed(Cursor::new(chunk))).await?;
        from = to;
        rows_done(from);
    }
    session.run_unless_stopped(&step, sink.finish()).await?;
    Ok(())
}

/// Marks `tables` of `schema`, in the transaction under way or in one of its own.
pub(super) async fn mark_tables(
    session: &FillSession<'_>,
    schema: &str,
    tables: &[&str],
    identity: &str,
    state: SetUpState,
) -> Result<(), DatasetError> {
    let text = marker::marker_text(identity, state);
    let comments: Vec<String> = tables.iter().map(|table| ddl::comment_on_table(schema, table, &text)).collect();
    // One message with several statements is one transaction.
    session.execute_statements("mark the tables as created by pgdyno", &comments.join("; ")).await
}

/// What the final vacuum of a table does besides analyzing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FinalVacuum {
    /// Nothing: COPY has left the rows frozen.
    Plain,
    /// Freezes the rows.
    Freeze,
}

/// Vacuums and analyzes filled `tables` in their order, and marks them as ready.
pub(super) async fn make_ready(
    session: &FillSession<'_>,
    schema: &str,
    tables: &[&str],
    identity: &str,
    vacuum: FinalVacuum,
    progress: &mut (dyn FnMut(DatasetProgress) + Send),
) -> Result<(), DatasetError> {
    let vacuum = match vacuum {
        FinalVacuum::Plain => "VACUUM (ANALYZE)",
        FinalVacuum::Freeze => "VACUUM (FREEZE, ANALYZE)",
    };
    for table in tables {
        progress(DatasetProgress::Analyzing { table: (*table).to_owned() });
        let sql = format!("{vacuum} {}", ddl::qualified_table_name(schema, table));
        session.execute_statements(&table_step_text("vacuum and analyze", table), &sql).await?;
    }
    mark_tables(session, schema, tables, identity, SetUpState::Ready).await
}

/// Does `work` in a transaction of `session`. After an error the transaction is left open: the session ends with it.
pub(super) async fn in_transaction(
    session: &FillSession<'_>,
    work: impl Future<Output = Result<(), DatasetError>>,
) -> Result<(), DatasetError> {
    session.execute_statements("begin a transaction", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE").await?;
    work.await?;
    session.execute_statements("commit the set-up", "COMMIT").await
}

/// What is done to a table, for messages.
pub(super) fn table_step_text(verb: &str, table: &str) -> String {
    format!("{verb} table {table}")
}
