//! What a cluster of CloudNativePG is made to go through, asked of its API server and followed there.

use cluster::{Disruption, Followed};

use super::{Asked, Done};
use crate::experiment::member::Member;
use problem::Problem;

/// Has it done. It is done when the cluster is healthy again.
pub(super) async fn disrupt(member: &Member, what: &Disruption, followed: &mut Followed) -> Done {
    let begun = Asked::now();
    let disrupted = member.target.disrupt(what, followed).await;
    let requested = asked(followed).unwrap_or(begun);
    requested.with(disrupted.map_err(|error| Problem::from(error).in_one_line()))
}

/// When the API server was asked, if it was.
pub(super) fn asked(followed: &Followed) -> Option<Asked> {
    followed.asked.map(|(at, on_the_wall)| Asked { at, on_the_wall })
}
