//! Processes of a server on this machine that pgdyno started: ended in order or not, and brought back.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use server::{BackendProcess, Disturbance};

use super::{RequestInstant, TimedAction};
use crate::experiment::member::Member;
use crate::experiment::observe::APPLICATION_NAME;

/// How long a session of the load is looked for.
const BACK_WITHIN: Duration = Duration::from_secs(10);

/// How often.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Ends the server and brings it back. It is done when the server accepts connections.
pub(super) async fn disturb_server(member: &mut Member, how: Disturbance) -> TimedAction {
    let asked = RequestInstant::asked_now();
    asked.into_done(member.target.disturb_server(how).await.map_err(|error| match error.detail() {
        Some(detail) => format!("{error}: {detail}"),
        None => error.to_string(),
    }))
}

/// Kills one session of the load. It is done when the signal is sent: the server goes on by itself.
pub(super) async fn kill_backend(member: &Member) -> TimedAction {
    if member.target.local_server().is_none() {
        return RequestInstant::asked_now()
            .into_done(Err("pgdyno did not start this server on this machine".to_owned()));
    }
    match find_backend(member).await {
        Ok(BackendProcess { backend_pid, .. }) => {
            let asked = RequestInstant::asked_now();
            let pid = Pid::from_raw(backend_pid).ok_or(rustix::io::Errno::SRCH);
            let killed = pid.and_then(|pid| kill_process(pid, Signal::KILL));
            asked.into_done(killed.map_err(|error| format!("could not kill process {backend_pid}: {error}")))
        }
        Err(why) => RequestInstant::asked_now().into_done(Err(why)),
    }
}

/// The first session of the load. If there is none, one may still be on its way back from what happened before.
pub(super) async fn find_backend(member: &Member) -> Result<BackendProcess, String> {
    let since = Instant::now();
    loop {
        match look_for_backend(member).await {
            Err(_) if since.elapsed() < BACK_WITHIN => tokio::time::sleep(LOOK_AGAIN).await,
            found => return found,
        }
    }
}

async fn look_for_backend(member: &Member) -> Result<BackendProcess, String> {
    let client = member.connect_control().await.map_err(|problem| problem.in_one_line())?;
    let sql = "SELECT pid, (extract(epoch FROM backend_start) * 1000000)::bigint FROM pg_stat_activity \
               WHERE application_name = $1 ORDER BY pid LIMIT 1";
    let row = client.query_opt(sql, &[&APPLICATION_NAME]).await.map_err(|error| error.to_string())?;
    let row = row.ok_or_else(|| "the server has no session of the load".to_owned())?;
    Ok(BackendProcess { backend_pid: row.get(0), backend_started_us: row.get(1), data_directory: None })
}
