//! What a cluster of CloudNativePG is made to go through, asked of its API server and followed there.

use cluster::{Disruption, FollowedDisruption};

use super::{RequestInstant, TimedAction};
use crate::experiment::member::Member;
use problem::Problem;

/// Has it done. It is done when the cluster is healthy again.
pub(super) async fn disrupt_cluster(
    member: &Member,
    what: &Disruption,
    followed: &mut FollowedDisruption,
) -> TimedAction {
    let begun = RequestInstant::asked_now();
    let disrupted = member.target.disrupt_cluster(what, followed).await;
    let requested = asked_instant(followed).unwrap_or(begun);
    requested.into_done(disrupted.map_err(|error| Problem::from(error).in_one_line()))
}

/// When the API server was asked, if it was.
pub(super) fn asked_instant(followed: &FollowedDisruption) -> Option<RequestInstant> {
    followed.asked.map(|(at, on_the_wall)| RequestInstant { at, on_the_wall })
}
