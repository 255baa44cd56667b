//! Servers that stand still while it is another side's slice, as `interleave: frozen-slices` wants it. What watches a
//! server goes on, since its readings span the slices of all sides.

use std::sync::Arc;

use plan::{Interleave, Plan};
use server::{AlternatingServers, StoppableServer};

use super::member::Member;
use super::observe::APPLICATION_NAME;
use super::side::TrialSide;
use crate::experiment::fleet::Fleet;
use problem::Problem;

/// Sessions of pgdyno that are none of a load; their names begin alike.
const WATCHING: &str = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'pgdyno-%' \
                        AND NOT starts_with(application_name, $1)";

/// The servers of the sides, which the load engine gives their turns.
#[derive(Debug)]
struct ServersOfSides(AlternatingServers);

impl load::BetweenTurns for ServersOfSides {
    fn give_turn(&self, side: usize) {
        self.0.give_turn(side);
    }

    fn end_turns(&self) {
        self.0.end_turns();
    }
}

/// What is done between the slices of these sides, whom those who watch them are attached to; none if their servers go
/// on.
///
/// # Errors
/// A server cannot be asked for its sessions, or not be stopped.
pub(super) async fn between_slices(
    plan: &Plan,
    fleet: &Fleet,
    sides: &[TrialSide<'_>],
) -> Result<Option<Arc<dyn load::BetweenTurns>>, Problem> {
    let how = sides.first().map(|side| plan.interleaving_of_workload(side.workload).how);
    if sides.len() < 2 || how != Some(Interleave::FrozenSlices) {
        return Ok(None);
    }
    let mut servers = Vec::new();
    for side in sides {
        servers.push(stoppable_server(fleet.member_by_name(&side.scheduled.cell.target)).await?);
    }
    let servers = AlternatingServers::from_servers(servers).map_err(|error| {
        Problem::usage_error("the servers cannot be stopped for each other's slices").detail(error.to_string())
    })?;
    Ok(Some(Arc::new(ServersOfSides(servers))))
}

async fn stoppable_server(member: &Member) -> Result<StoppableServer, Problem> {
    let client = member.connect_control().await?;
    let rows = client.query(WATCHING, &[&APPLICATION_NAME]).await.map_err(|error| {
        Problem::usage_error(format!("target \"{}\": its sessions cannot be listed: {error}", member.name))
    })?;
    let watching = rows.iter().map(|row| row.get::<_, i32>(0));
    let server = member.target.local_server();
    let stoppable = server.and_then(|server| StoppableServer::from_process_ids(server.postmaster_pid(), watching));
    stoppable.ok_or_else(|| {
        Problem::usage_error(format!(
            "target \"{}\": pgdyno did not start this server on this machine, so it cannot be stopped",
            member.name
        ))
    })
}
