//! Where a session of the control plane is and what it may do there.

use tokio_postgres::Row;

use super::DatasetError;
use super::session::FillSession;

/// Where a session is and what it may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionPlace {
    pub(super) database: String,
    pub(super) role: String,
    pub(super) standby: bool,
    pub(super) read_only: bool,
    pub(super) search_path: String,
    /// Where new tables go.
    pub(super) creatable_schema: Option<String>,
}

impl SessionPlace {
    /// The query whose row [`SessionPlace::from_row`] takes.
    pub(super) const SQL: &'static str = include_str!("place.sql");

    pub(super) fn from_row(row: &Row) -> Self {
        Self {
            database: row.get("database"),
            role: row.get("role"),
            standby: row.get("standby"),
            read_only: row.get("read_only"),
            search_path: row.get("search_path"),
            creatable_schema: row.get("creatable_schema"),
        }
    }

    /// Reads where `session` is.
    pub(super) async fn of_session(session: &FillSession<'_>) -> Result<Self, DatasetError> {
        let row = session.query_row("read the session's state", Self::SQL, &[]).await?;
        Ok(Self::from_row(&row))
    }

    /// Refuses where `what` (from its verb on) has to write and cannot.
    pub(super) fn refuse_read_only(&self, what: &str) -> Result<(), DatasetError> {
        if !(self.standby || self.read_only) {
            return Ok(());
        }
        let (database, step) = (self.database.clone(), what.to_owned());
        Err(DatasetError::ReadOnly { database, step, standby: self.standby })
    }

    /// The schema in which new tables are made.
    pub(super) fn creatable_schema(&self) -> Result<&str, DatasetError> {
        self.creatable_schema.as_deref().ok_or_else(|| DatasetError::NoSchema {
            role: self.role.clone(),
            database: self.database.clone(),
            search_path: self.search_path.clone(),
        })
    }
}
