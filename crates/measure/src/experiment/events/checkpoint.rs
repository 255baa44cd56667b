//! A checkpoint at a known instant, by a session of the control plane.

use super::{RequestInstant, TimedAction};
use crate::experiment::member::Member;
use crate::server_message::message_of_error;

/// Has the server write one. It is done when it is on the disk.
pub(super) async fn make_checkpoint(member: &Member) -> TimedAction {
    let connected = member.connect_control().await;
    let asked = RequestInstant::asked_now();
    match connected {
        Ok(client) => {
            asked.into_done(client.batch_execute("CHECKPOINT").await.map_err(|error| message_of_error(&error)))
        }
        Err(problem) => asked.into_done(Err(problem.in_one_line())),
    }
}
