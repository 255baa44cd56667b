//! The standby beside a local server, from the copy of its data to its promotion.
//!
//! Each of the two has a supervisor of its own, so that what is promised of one server holds for both: nothing of them
//! outlives pgdyno. They find each other through the primary's unix socket, whatever the way of the load.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::Client;

use super::failure::Failure;
use super::login;
use super::protocol::{FollowedPrimary, SupervisorStart};
use super::spec::StandbyMode;
use super::supervised::{ServerView, Supervised};
use crate::reach;

/// What the standby calls itself, and the slot that keeps the WAL that it has not received yet.
const NAME: &str = "pgdyno_standby";

/// How long the two may take to find each other, and to part.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a server may take to drop everything.
const IMMEDIATE_SHUTDOWN: Duration = Duration::from_secs(10);

/// How often it is looked whether something has come about.
const LOOK: Duration = Duration::from_millis(10);

/// What a primary needs to be set to, so that it waits for its standby as it is to.
pub(super) fn settings_of_primary(kind: StandbyMode) -> Option<(String, String)> {
    match kind {
        StandbyMode::Streaming => None,
        StandbyMode::Synchronous => Some(("synchronous_standby_names".to_owned(), NAME.to_owned())),
    }
}

/// What there is besides the primary.
#[derive(Debug)]
pub(super) struct ServerPair {
    kind: StandbyMode,
    /// This program, which supervises.
    executable: PathBuf,
    /// How the primary was started, but for its settings.
    start: SupervisorStart,
    /// None once it was promoted.
    standby: Option<Supervised>,
    /// The primary that was, once there is another.
    former: Option<Supervised>,
    /// Whether the standby still follows.
    attached: bool,
}

impl ServerPair {
    /// Nobody follows yet.
    pub(super) fn new(kind: StandbyMode, executable: PathBuf, start: SupervisorStart) -> Self {
        Self { kind, executable, start, standby: None, former: None, attached: false }
    }

    /// Whether both are there and one follows the other.
    pub(super) fn is_whole(&self) -> bool {
        self.attached && self.standby.is_some()
    }

    /// The standby, while there is one.
    pub(super) fn standby_view(&self) -> Option<&ServerView> {
        self.standby.as_ref().map(Supervised::server_view)
    }

    /// Has a new standby with these settings follow the primary; returns when it does, and the primary waits for it if
    /// it is to. What there was besides the primary goes.
    pub(super) async fn form_pair(
        &mut self,
        primary: &ServerView,
        settings: BTreeMap<String, String>,
    ) -> Result<(), Failure> {
        self.clear_others().await?;
        let client = connect_through_socket(primary).await?;
        let slot = format!(
            "SELECT pg_create_physical_replication_slot('{NAME}', true) \
             WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '{NAME}')"
        );
        client.batch_execute(&slot).await.map_err(Failure::system_call_failed("create a replication slot"))?;
        let socket_directory = primary.socket_directory().to_owned();
        let conninfo = format!(
            "host={} port={} user=postgres application_name={NAME}",
            socket_directory.display(),
            primary.tcp_port()
        );
        let following = [("primary_conninfo", conninfo), ("primary_slot_name", NAME.to_owned())];
        let following = following.map(|(name, value)| (name.to_owned(), value));
        let start = SupervisorStart {
            settings: settings.into_iter().chain(following).collect(),
            standby_of: Some(FollowedPrimary {
                data_directory: primary.data_directory().to_owned(),
                socket_directory,
                port: primary.tcp_port(),
            }),
            ..self.start.clone()
        };
        self.standby = Some(Supervised::start_server(&self.executable, start, &mut |_| ()).await?);
        let state = match self.kind {
            StandbyMode::Streaming => "async",
            StandbyMode::Synchronous => "sync",
        };
        let follows = format!(
            "SELECT count(*) FROM pg_stat_replication \
             WHERE application_name = '{NAME}' AND state = 'streaming' AND sync_state = '{state}'"
        );
        wait_for_number(&client, &follows, 1, "connect the standby to its primary").await?;
        self.attached = true;
        Ok(())
    }

    /// Has the standby receive nothing any more. The primary goes on, or waits for it in vain.
    pub(super) async fn detach_standby(&mut self) -> Result<(), Failure> {
        let what = "detach the standby";
        let standby = self
            .standby
            .as_ref()
            .ok_or_else(|| Failure::system_call_failed(what)("the standby is already promoted"))?;
        let client = connect_through_socket(standby.server_view()).await?;
        // Not in one go: that would be a transaction, in which ALTER SYSTEM cannot run.
        for statement in ["ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"] {
            client.batch_execute(statement).await.map_err(Failure::system_call_failed(what))?;
        }
        self.attached = false;
        wait_for_number(&client, "SELECT count(*) FROM pg_stat_wal_receiver", 0, what).await
    }

    /// Ends the primary at once, and puts the standby in its place when it accepts writes. Not before the primary has
    /// ended: what two primaries acknowledge is lost by one of them.
    pub(super) async fn promote_standby(&mut self, primary: &mut Supervised) -> Result<(), Failure> {
        let what = "promote the standby";
        let standby =
            self.standby.take().ok_or_else(|| Failure::system_call_failed(what)("the standby is already promoted"))?;
        end_immediately(primary.server_view()).await;
        self.former = Some(std::mem::replace(primary, standby));
        let client = connect_through_socket(primary.server_view()).await?;
        let promoted =
            client.query_one("SELECT pg_promote(true, 60)", &[]).await.map_err(Failure::system_call_failed(what))?;
        if promoted.get(0) {
            Ok(())
        } else {
            Err(Failure::system_call_failed(what)("the promotion took longer than 60 s"))
        }
    }

    /// Ends what there is besides the primary and removes what it leaves.
    pub(super) async fn clear_others(&mut self) -> Result<(), Failure> {
        self.attached = false;
        let mut cleared = Ok(());
        for server in [self.former.take(), self.standby.take()].into_iter().flatten() {
            cleared = cleared.and(server.stop_and_clean_up().await);
        }
        cleared
    }
}

/// As `pg_ctl stop -m immediate`, and by force if that takes too long.
async fn end_immediately(server: &ServerView) {
    let pid = i32::try_from(server.postmaster_pid()).ok().and_then(Pid::from_raw);
    for signal in [Signal::QUIT, Signal::KILL] {
        // One that has ended by itself needs no signal.
        let _ = pid.map(|pid| kill_process(pid, signal));
        if timeout(IMMEDIATE_SHUTDOWN, server.wait_for_end()).await.is_ok() {
            return;
        }
    }
}

async fn connect_through_socket(server: &ServerView) -> Result<Client, Failure> {
    reach::connect_and_check_version(&login::socket_conninfo(server)).await.map_err(|error| {
        let said = error.detail().unwrap_or_default();
        Failure::system_call_failed("query the primary or its standby")(format!("{error}: {said}"))
    })
}

/// Asks again and again until the answer is this number.
async fn wait_for_number(client: &Client, sql: &str, wanted: i64, what: &str) -> Result<(), Failure> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let found: i64 = client.query_one(sql, &[]).await.map_err(Failure::system_call_failed(what))?.get(0);
        if found == wanted {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(Failure::system_call_failed(what)(format!("it took longer than {} s", PATIENCE.as_secs())));
        }
        sleep(LOOK).await;
    }
}
