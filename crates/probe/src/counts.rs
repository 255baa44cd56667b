//! What a server counted for the database of the load between two instants: its statements, and what was done to its
//! tables. Asks only when the measurement phase begins and when the load has ended, on one connection. Never fails:
//! what cannot be had is a gap.

use std::time::Duration;

use results::statements::Statements;
use results::tables::Tables;
use tokio::time::timeout;

use crate::postgres::Link;
use crate::{statements, tables};

/// The longest that one question may take.
pub(crate) const AT_MOST: Duration = Duration::from_secs(2);

/// Reads the counters of one database.
pub struct CountsReader {
    link: Link,
    statements: Result<statements::Snapshot, String>,
    tables: Result<tables::Snapshot, String>,
}

impl CountsReader {
    /// For the database at `config`.
    #[must_use]
    pub fn new(config: &control::Config) -> Self {
        let nothing = || "the measurement phase was not reached".to_owned();
        Self { link: Link::new(config), statements: Err(nothing()), tables: Err(nothing()) }
    }

    /// Notes what has been counted so far. Must be called, as [`CountsReader::end`], within a tokio runtime with time
    /// and I/O.
    pub async fn begin(&mut self) {
        self.statements = statements::snapshot(&mut self.link).await;
        self.tables = tables::snapshot(&mut self.link).await;
        // The load may need every connection that the server has.
        self.link.hang_up();
    }

    /// What has been counted since.
    pub async fn end(mut self) -> (Statements, Tables) {
        let statements = statements::since(self.statements, &mut self.link).await;
        (statements, tables::since(self.tables, &mut self.link).await)
    }
}

/// What `ask` brings within [`AT_MOST`]. A session that did not answer is given up, so that no further question waits
/// behind this one.
pub(crate) async fn in_time<T>(
    link: &mut Link,
    asked: &str,
    ask: impl AsyncFnOnce(&mut Link) -> Result<T, String>,
) -> Result<T, String> {
    timeout(AT_MOST, ask(link)).await.unwrap_or_else(|_| {
        link.hang_up();
        Err(format!("{asked} did not answer within {} s", AT_MOST.as_secs()))
    })
}
