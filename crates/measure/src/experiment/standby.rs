//! The standby of a target, for workloads that read it.

use conninfo::{ConnInfo, SessionAttrs};
use plan::Workload;
use server::HostAccess;

use super::member::Member;
use crate::server_message::message_of_error;
use problem::Problem;

/// How the control plane connects to a standby of a target: to the first of its hosts that is one, and to no other. A
/// session that may not write, as those of the probes, does not tell a primary from a standby.
///
/// # Errors
/// None of its hosts is a standby, or why none answers.
pub(super) async fn standby_config(member: &Member) -> Result<control::Config, String> {
    let login = member.target.control_conninfo();
    let mut hosts = vec![(login.host.clone(), login.port)];
    hosts.extend(login.others.iter().cloned());
    let mut last_error = None;
    for (host, port) in hosts {
        let alone = ConnInfo { host, port, others: Vec::new(), session: SessionAttrs::Any, ..login.clone() };
        let config = control::Config::from(&alone);
        match is_standby(&config).await {
            Ok(true) => return Ok(config),
            Ok(false) => {}
            Err(error) => last_error = Some(error),
        }
    }
    Err(last_error.unwrap_or_else(|| "none of its hosts is in recovery".to_owned()))
}

async fn is_standby(config: &control::Config) -> Result<bool, String> {
    let opened = config.open_connection().await;
    let (client, driver) = opened.map_err(|error| message_of_error(&error.into_decisive()))?;
    let driving = tokio::spawn(driver);
    let row = client.query_one("SELECT pg_is_in_recovery()", &[]).await;
    driving.abort();
    Ok(row.map_err(|error| message_of_error(&error))?.get(0))
}

/// How the host of the standby is read: that of one that pgdyno started on this machine.
pub(super) fn standby_host(member: &Member) -> HostAccess {
    member.target.standby_host_access()
}

/// Refuses a target none of whose hosts is a standby.
pub(super) async fn require_standby(workload: &Workload, member: &Member) -> Result<(), Problem> {
    standby_config(member).await.map(drop).map_err(|why| {
        let (workload, target) = (&workload.name, &member.name);
        Problem::could_not_measure(format!("workload {workload:?} reads a standby, and target {target:?} has none"))
            .detail(why)
            .hint("list the standby among the hosts of the `url`: postgresql://user@primary,standby/db?target_session_attrs=read-write")
    })
}
