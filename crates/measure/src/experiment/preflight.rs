//! What is checked before anything is measured, so that no run dies in its second hour of what was known in its first
//! second.

use plan::{Plan, Workload};
use results::asked::AskedWorkload;
use tokio_postgres::Client;

use super::data;
use super::fleet::Fleet;
use super::member::Member;
use super::room;
use super::standby;
use problem::Problem;

/// The oldest `server_version_num` that can be measured.
const VERSION_AT_LEAST: u32 = catalog::OLDEST_MAJOR * 10_000;

/// What the servers tell.
pub(super) async fn with_servers(plan: &Plan, fleet: &Fleet) -> Result<(), Problem> {
    for member in fleet.all_members() {
        with_server(plan, member).await?;
    }
    Ok(())
}

/// What one server tells.
pub(super) async fn with_server(plan: &Plan, member: &Member) -> Result<(), Problem> {
    if member.facts.server.version_num < VERSION_AT_LEAST {
        return Err(Problem::could_not_measure(format!(
            "target {:?} is {}; pgdyno measures PostgreSQL 14 and newer",
            member.name, member.facts.server.version
        )));
    }
    member.require_same_server().await?;
    let client = member.connect_control().await?;
    room_for(plan, member, &client).await?;
    confirming_standbys(member, &client).await?;
    room::check_found(plan, member, &client).await?;
    // Of own scripts it is asked when their tables are there.
    let surely_writes = |workload: &Workload| match workload.access_is_unknown() {
        true => workload.has_reset(),
        false => workload.changes_data(),
    };
    if let Some(workload) = plan.workloads.iter().find(|workload| workload.reads_standby()) {
        standby::require_standby(workload, member).await?;
    }
    if plan.workloads.iter().any(surely_writes) {
        data::require_writable(member, &client).await?;
    }
    Ok(())
}

/// Whether the server takes what a workload of own scripts writes, or may write.
pub(super) async fn takes_writes(member: &Member, client: &Client, of: &AskedWorkload) -> Result<(), Problem> {
    data::require_writable(member, client).await.map_err(|problem| {
        let (_, hint) = problem.detail_and_hint();
        let because = of.because.as_deref().unwrap_or("the plan sets `reads: false`");
        let (verb, hint) = match of.surely_writes() {
            true => ("writes", hint),
            false => ("may write", format!("{hint}; set `reads: true` if its statements only read")),
        };
        Problem::could_not_measure(problem.primary_message().to_owned())
            .detail(format!("workload {:?} {verb}: {because}", of.workload))
            .hint(hint)
    })
}

/// Whether the server admits the most clients that the plan has there at once beside the sessions that are there
/// already.
async fn room_for(plan: &Plan, member: &Member, client: &Client) -> Result<(), Problem> {
    const SQL: &str = "
        SELECT current_setting('max_connections')::int,
               CASE WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN 0
                    ELSE current_setting('superuser_reserved_connections')::int
                         + coalesce(current_setting('reserved_connections', true)::int, 0) END,
               (SELECT count(*)::int FROM pg_stat_activity
                 WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()),
               (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user)";
    let row = client.query_one(SQL, &[]).await.map_err(|error| {
        Problem::could_not_measure(format!("target {:?}: could not read its connection limit", member.name))
            .detail(error.to_string())
    })?;
    let [max_connections, reserved, in_use, role_limit] =
        [0, 1, 2, 3].map(|column| i64::from(row.get::<_, i32>(column)));
    let clients = plan.most_clients();
    let server = plan.target_by_name(&member.name).and_then(|target| target.reach.server_of()).unwrap_or(&member.name);
    let needed = i64::from(plan.sessions_at_once(server));
    let free = max_connections - reserved - in_use;
    if needed > free {
        return Err(Problem::could_not_measure(format!(
            "target {:?} has {free} free connections; {clients} clients need {needed}",
            member.name
        ))
        .detail(format!("max_connections is {max_connections}, {reserved} of them are reserved, {in_use} are in use"))
        .hint("raise max_connections (for a local target: in its settings), or lower `clients`"));
    }
    if role_limit >= 0 && needed > role_limit {
        return Err(Problem::could_not_measure(format!(
            "target {:?}: its role is limited to {role_limit} connections; {clients} clients need {needed}",
            member.name
        ))
        .hint("raise the limit with ALTER ROLE ... CONNECTION LIMIT, or lower `clients`"));
    }
    Ok(())
}

/// Whether a commit can return: as many synchronous standbys are there as it waits for. One that catches up first is
/// there; where the role may not see their state, all that are connected are taken for them.
async fn confirming_standbys(member: &Member, client: &Client) -> Result<(), Problem> {
    const SQL: &str = "
        SELECT current_setting('synchronous_standby_names'),
               coalesce(substring(current_setting('synchronous_standby_names')
                                  from '(?i)^\\s*(?:(?:any|first)\\s+)?(\\d+)\\s*\\(')::int, 1),
               (SELECT count(*)::int FROM pg_stat_replication
                 WHERE coalesce(sync_state, 'sync') <> 'async')
         WHERE current_setting('synchronous_standby_names') <> ''
           AND current_setting('synchronous_commit') NOT IN ('off', 'local')
           AND NOT pg_is_in_recovery()";
    let rows = client.query_opt(SQL, &[]).await.map_err(|error| {
        Problem::could_not_measure(format!("target {:?}: could not read its synchronous standbys", member.name))
            .detail(error.to_string())
    })?;
    let Some(row) = rows else { return Ok(()) };
    let (names, needed, there): (String, i32, i32) = (row.get(0), row.get(1), row.get(2));
    if there >= needed {
        return Ok(());
    }
    Err(Problem::could_not_measure(format!(
        "target {:?}: a commit waits for {needed} synchronous standby(s), and {there} are connected",
        member.name
    ))
    .detail(format!("synchronous_standby_names is {names:?}: every commit would wait, also while data are created"))
    .hint("start the standby, or set synchronous_commit = local if commits may be lost"))
}
