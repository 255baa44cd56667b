//! Other runs of pgdyno on the same server at the same time: each has a session there whose name tells it from all
//! others, and looks for such names when a trial begins and when it ends. What they do to each other shows in the
//! figures of both, and nothing else would say so.
//!
//! A session's name is all that it takes: no lock, no table and no privilege. A server that pgdyno makes is its own
//! alone. A look that fails is no answer, and keeps no trial from being measured.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use results::trial::Incident;
use tokio::time::timeout;
use tokio_postgres::Client;

use super::member::Member;

/// What the names begin with.
const NAMED: &str = "pgdyno-run-";

/// How long a server may take to tell.
const LOOK_AT_MOST: Duration = Duration::from_secs(3);

/// What is said of other runs on the server of a target; nothing of other incidents.
pub(super) fn say_other_runs(target: &str, found: &Incident) -> Option<String> {
    let Incident::ConcurrentRun { runs, databases } = found else { return None };
    let (noun, verb) = if *runs == 1 { ("run", "is") } else { ("runs", "are") };
    Some(format!(
        "! {runs} other {noun} of pgdyno {verb} connected to the server of target {target:?} (database {databases}): each \
         measures the load of the other as well"
    ))
}

/// This run, as others see it.
pub(super) struct RunPresence {
    name: String,
    /// By target.
    sessions: BTreeMap<String, Client>,
}

impl RunPresence {
    /// Of a run that is seen nowhere yet.
    pub(super) fn named_after_process() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { name: format!("{NAMED}{}-{}", std::process::id(), now.as_nanos()), sessions: BTreeMap::new() }
    }

    /// Shows this run to others on the server of a target, and tells what it sees of them there; nothing where there is
    /// none, and where the server does not tell.
    pub(super) async fn find_other_runs(&mut self, member: &Member) -> Option<Incident> {
        if member.target.is_made_by_pgdyno() {
            return None;
        }
        timeout(LOOK_AT_MOST, self.look_at_server(member)).await.ok()?
    }

    async fn look_at_server(&mut self, member: &Member) -> Option<Incident> {
        let is_connected = self.sessions.get(&member.name).is_some_and(|session| !session.is_closed());
        if !is_connected {
            let session = member.connect_control().await.ok()?;
            session.query_one("SELECT set_config('application_name', $1, false)", &[&self.name]).await.ok()?;
            self.sessions.insert(member.name.clone(), session);
        }
        const SQL: &str = "
            SELECT count(DISTINCT application_name)::int, string_agg(DISTINCT datname::text, ', ' ORDER BY datname::text)
              FROM pg_stat_activity
             WHERE application_name LIKE $1 || '%' AND application_name <> $2";
        let row = self.sessions.get(&member.name)?.query_one(SQL, &[&NAMED, &self.name]).await.ok()?;
        let (runs, databases): (i32, Option<String>) = (row.get(0), row.get(1));
        let runs = u32::try_from(runs).ok().filter(|runs| *runs > 0)?;
        Some(Incident::ConcurrentRun { runs, databases: databases.unwrap_or_default() })
    }
}
