//! Reads the entries of a run from their table, over a connection of the control plane.

use crate::ledger::audit::{Audit, Auditor};
use crate::ledger::{Ledger, LedgerColumn};
use futures_util::TryStreamExt as _;
use thiserror::Error;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

/// How long a transaction of the run may keep the check waiting.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '10s'";

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

impl Ledger {
    /// Compares what the clients were told with what the column has. Waits for transactions that still write to the
    /// table, up to 10 s, since an unknown one may yet commit; nobody can write to the table meanwhile. Reads every row
    /// of the run: about a million per second.
    ///
    /// `client` must have the search path that the run had, and the right to lock the table (its owner has).
    ///
    /// # Errors
    /// When the server refuses: no such table or column, no right to it, a transaction that does not end.
    pub async fn check(&self, client: &mut Client, column: &LedgerColumn) -> Result<Audit, LedgerError> {
        let failed = |step| {
            move |source| LedgerError { step, table: column.table.clone(), column: column.column.clone(), source }
        };
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
        let prefix = self.tag.to_string();
        let parameters: [&(dyn ToSql + Sync); 1] = [&prefix];
        let rows = transaction.query_raw(&sql, parameters).await.map_err(failed("read the entries"))?;
        let mut rows = std::pin::pin!(rows);
        let mut auditor = Auditor::new(self);
        while let Some(row) = rows.try_next().await.map_err(failed("read the entries"))? {
            auditor.row(row.get(0));
        }
        transaction.rollback().await.map_err(failed("end"))?;
        Ok(auditor.finish())
    }
}
