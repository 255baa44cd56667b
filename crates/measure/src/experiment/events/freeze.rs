//! A server on this machine that stands still: all of its processes are stopped for a while and go on. It leaves out a
//! standby, which is a server of its own.

use std::time::Duration;

use rustix::process::Pid;

use super::{RequestInstant, TimedAction};
use crate::disturb::FrozenProcesses;
use crate::experiment::member::Member;

/// Stops the processes of the server for so long. It is done when they go on; given up, they do at once.
pub(super) async fn freeze_server(member: &Member, length: Duration) -> TimedAction {
    let asked = RequestInstant::asked_now();
    let postmaster =
        member.target.local_server().and_then(|server| Pid::from_raw(i32::try_from(server.postmaster_pid()).ok()?));
    let Some(postmaster) = postmaster else {
        return asked.into_done(Err("pgdyno did not start this server on this machine".to_owned()));
    };
    let frozen = FrozenProcesses::stop_server_processes(postmaster, length);
    if frozen.is_ok() {
        tokio::time::sleep_until((asked.at + length).into()).await;
    }
    asked.into_done(frozen.map(drop))
}
