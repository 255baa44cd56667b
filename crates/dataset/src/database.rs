//! A database of our own beside the one that the server was reached by: made where it is not there, and left there.

use control::Config;
use tokio_postgres::error::SqlState;
use work::StopRequest;

use super::place::SessionPlace;
use super::session::FillSession;
use super::{DatasetError, ddl, lock_dataset};

/// Sees to it that a database of this name is there, as `CREATE DATABASE` makes it by itself. `config` leads to another
/// one of the same server.
///
/// # Errors
/// [`DatasetError::NoNewDatabase`] where the role may not make one, [`DatasetError::ReadOnly`],
/// [`DatasetError::Connect`], and [`DatasetError::Server`] with what the server said.
pub async fn ensure_database(config: &Config, name: &str, stop: &StopRequest) -> Result<(), DatasetError> {
    let session = FillSession::open_session(config, stop).await?;
    lock_dataset(&session).await?;
    let sql = "SELECT 1 FROM pg_catalog.pg_database WHERE datname = $1";
    if !session.query_rows("look for a database", sql, &[&name]).await?.is_empty() {
        return Ok(());
    }
    let place = SessionPlace::of_session(&session).await?;
    let step = format!("create the database \"{name}\"");
    place.refuse_read_only(&step)?;
    let made = session.execute_statements(&step, &format!("CREATE DATABASE {}", ddl::quote_identifier(name))).await;
    made.map_err(|error| match error.sqlstate_of_error() {
        Some(state) if *state == SqlState::INSUFFICIENT_PRIVILEGE => {
            DatasetError::NoNewDatabase { role: place.role, name: name.to_owned() }
        }
        _ => error,
    })
}
