//! What a server counted for the database of the load: its statements while measuring, and what was done to its tables
//! by the whole load. Asks only when the load begins, when the measurement phase does, and when the load has ended, on
//! one connection. Never fails: what cannot be had is a gap.
//!
//! A session reports what it did to tables up to a second later, and all of it when it ends. So counts between two
//! instants under load are of more transactions than ended between them, and those of the whole load are exact.

use results::statements::TrialStatements;
use results::tables::TrialTables;

use crate::postgres::ServerLink;
use crate::{statements, tables};

/// Reads the counters of one database.
pub struct CountsReader {
    link: ServerLink,
    statements: Result<statements::StatementSnapshot, String>,
    tables: Result<tables::TableSnapshot, String>,
}

impl CountsReader {
    /// For the database at `config`.
    #[must_use]
    pub fn new(config: &control::Config) -> Self {
        let statements = Err("the measurement phase was not reached".to_owned());
        Self { link: ServerLink::new(config), statements, tables: Err("the load was not reached".to_owned()) }
    }

    /// Notes what has been counted of the tables so far: the load begins. Must be called, as what follows, within a
    /// tokio runtime with time and I/O.
    pub async fn begin_load(&mut self) {
        self.tables = tables::take_table_snapshot(&mut self.link).await;
        // The load may need every connection that the server has.
        self.link.hang_up();
    }

    /// Notes what has been counted of the statements so far: the measurement phase begins.
    pub async fn begin_measurement(&mut self) {
        self.statements = statements::take_statement_snapshot(&mut self.link).await;
        self.link.hang_up();
    }

    /// What has been counted since.
    pub async fn finish_counting(mut self) -> (TrialStatements, TrialTables) {
        let statements = statements::statements_since(self.statements, &mut self.link).await;
        (statements, tables::tables_since(self.tables, &mut self.link).await)
    }
}
