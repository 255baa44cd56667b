//! A checkpoint at a known instant, by a session of the control plane.

use super::{RequestInstant, TimedAction};
use crate::experiment::member::Member;

/// Has the server write one. It is done when it is on the disk.
pub(super) async fn make(member: &Member) -> TimedAction {
    let connected = member.connect().await;
    let asked = RequestInstant::now();
    match connected {
        Ok(client) => asked.with(client.batch_execute("CHECKPOINT").await.map_err(|error| in_words(&error))),
        Err(problem) => asked.with(Err(problem.in_one_line())),
    }
}

fn in_words(error: &tokio_postgres::Error) -> String {
    error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned())
}
