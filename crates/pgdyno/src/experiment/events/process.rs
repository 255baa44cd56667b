//! Processes of a server on this machine that pgdyno started: ended in order or not, and brought back.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use server::Disturbance;

use super::{Asked, Done};
use crate::experiment::fleet::Member;
use crate::experiment::observe::APPLICATION_NAME;

/// How long a session of the load is looked for.
const BACK_WITHIN: Duration = Duration::from_secs(10);

/// How often.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Ends the server and brings it back. It is done when the server accepts connections.
pub(super) async fn disturb(member: &mut Member, how: Disturbance) -> Done {
    let asked = Asked::now();
    asked.with(member.target.disturb(how).await.map_err(|error| match error.detail() {
        Some(detail) => format!("{error}: {detail}"),
        None => error.to_string(),
    }))
}

/// Kills one session of the load. It is done when the signal is sent: the server goes on by itself.
pub(super) async fn kill_backend(member: &Member) -> Done {
    match find_backend(member).await {
        Ok(pid) => {
            let asked = Asked::now();
            asked.with(
                kill_process(pid, Signal::KILL).map_err(|error| format!("could not kill process {pid:?}: {error}")),
            )
        }
        Err(why) => Asked::now().with(Err(why)),
    }
}

/// The first session of the load. If there is none, one may still be on its way back from what happened before.
async fn find_backend(member: &Member) -> Result<Pid, String> {
    let since = Instant::now();
    loop {
        match look_for_backend(member).await {
            Err(_) if since.elapsed() < BACK_WITHIN => tokio::time::sleep(LOOK_AGAIN).await,
            found => return found,
        }
    }
}

/// The first session of the load, whose process is on this machine because the server's supervisor is.
async fn look_for_backend(member: &Member) -> Result<Pid, String> {
    if member.target.local().is_none() {
        return Err("pgdyno did not start this server on this machine".to_owned());
    }
    let client = member.connect().await.map_err(|problem| problem.in_one_line())?;
    let sql = "SELECT min(pid) FROM pg_stat_activity WHERE application_name = $1";
    let row = client.query_one(sql, &[&APPLICATION_NAME]).await.map_err(|error| error.to_string())?;
    let pid: Option<i32> = row.get(0);
    pid.and_then(Pid::from_raw).ok_or_else(|| "the server shows no session of the load".to_owned())
}
