//! Reads the entries of a run's ledger from their table. What they say is for whoever has the ledger.

use futures_util::TryStreamExt as _;
use thiserror::Error;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

/// How long a transaction of the run may keep the check waiting.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '10s'";

/// Where the entries of a run are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerColumn {
    /// The table, as SQL names it; with a schema if the search path does not lead to it.
    pub table: String,
    /// Its column, as the catalogue has it; of a text type with room for 22 characters, or numeric.
    pub column: String,
}

impl LedgerColumn {
    /// Where the built-in scripts write.
    pub fn of_builtins() -> LedgerColumn {
        LedgerColumn { table: "pgbench_history".to_owned(), column: "filler".to_owned() }
    }
}

/// Why a ledger could not be checked.
#[derive(Debug, Error)]
#[error("could not {step} to check the ledger in column \"{column}\" of table \"{table}\"")]
pub struct LedgerError {
    step: &'static str,
    table: String,
    column: String,
    source: tokio_postgres::Error,
}

impl LedgerError {
    /// What the server said.
    pub fn detail(&self) -> String {
        self.source.as_db_error().map_or_else(|| self.source.to_string(), |error| error.message().to_owned())
    }
}

/// Reads what the column has of the run whose entries begin with `prefix`, and hands each text to `take_entry`. Waits
/// for transactions that still write to the table, up to 10 s, since an unknown one may yet commit; nobody can write to
/// the table meanwhile. Reads every row of the run: about a million per second.
///
/// `client` must have the search path that the run had, and the right to lock the table (its owner has).
///
/// # Errors
/// When the server refuses: no such table or column, no right to it, a transaction that does not end.
pub async fn read_entries(
    client: &mut Client,
    column: &LedgerColumn,
    prefix: &str,
    mut take_entry: impl FnMut(&str),
) -> Result<(), LedgerError> {
    let failed =
        |step| move |source| LedgerError { step, table: column.table.clone(), column: column.column.clone(), source };
    let transaction = client.transaction().await.map_err(failed("begin"))?;
    let names = transaction
        .query_one("SELECT $1::text::regclass::text, quote_ident($2)", &[&column.table, &column.column])
        .await
        .map_err(failed("find the table"))?;
    let (table, name): (String, String) = (names.get(0), names.get(1));
    transaction
        .batch_execute(&format!("{LOCK_TIMEOUT}; LOCK TABLE {table} IN SHARE MODE"))
        .await
        .map_err(failed("wait for the last writers"))?;
    let sql = format!("SELECT {name}::text FROM {table} WHERE starts_with({name}::text, $1)");
    let parameters: [&(dyn ToSql + Sync); 1] = [&prefix];
    let rows = transaction.query_raw(&sql, parameters).await.map_err(failed("read the entries"))?;
    let mut rows = std::pin::pin!(rows);
    while let Some(row) = rows.try_next().await.map_err(failed("read the entries"))? {
        take_entry(row.get(0));
    }
    transaction.rollback().await.map_err(failed("end"))
}
