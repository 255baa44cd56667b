//! One PostgreSQL cluster and its server, as the supervisor handles them: create, start, stop, take down.
//!
//! Every wait also listens to the life line, so that nothing goes on once pgdyno is gone.

use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use super::base_backup;
use super::conf;
use super::die_with_parent::die_with_parent;
use super::directories::{DataDirectory, make_private, unused_path, write_owned};
use super::failure::Failure;
use super::layers::{Built, StandingLayers};
use super::lifeline::Lifeline;
use super::log_tail;
use super::orphans;
use super::protocol::{ReadyServer, ServerShutdown, SupervisorReport, SupervisorStart};
use crate::journal::{Journal, MachineChange};
use crate::processes::{child_processes, continue_processes};
use crate::remains::{Fate, Remains, release_shared_memory, remove_tree};

/// How the names of directories for the WAL begin.
const WAL_PREFIX: &str = "pgdyno-wal-";

/// How often a start may be tried again because somebody took the port.
const PORT_ATTEMPTS: usize = 5;

/// How often a server that was killed is started again while processes of the old one are still there: their shared
/// memory keeps it out.
const BACK_EVERY: Duration = Duration::from_millis(20);

/// How long a server may take to shut down in order, flushing its buffers.
const FAST_SHUTDOWN: Duration = Duration::from_secs(120);

/// How long it may take to drop everything.
const IMMEDIATE_SHUTDOWN: Duration = Duration::from_secs(10);

/// Why something did not come to its end.
pub(super) enum Interrupted {
    /// pgdyno is gone, or wants the server gone.
    Cut,
    /// It failed.
    Failed(Failure),
}

impl From<Failure> for Interrupted {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The directories of a server, and the server while it runs.
pub(super) struct LocalCluster {
    start: SupervisorStart,
    data: DataDirectory,
    remains: Remains,
    /// By which others know what is to be cleared away if this process is killed; none where it cannot be written.
    journal: Option<Journal>,
    log_start: u64,
    server: Option<Child>,
    /// Where it was last ready.
    ready: Option<ReadyServer>,
    /// What is built beside it; none until its first start.
    standing: Option<StandingLayers>,
}

impl LocalCluster {
    /// Claims the directories.
    pub(super) fn claim_directories(start: SupervisorStart) -> Result<Self, Failure> {
        // What the plan names may turn out to be somebody else's: it is claimed before it is written down as ours.
        let named = start.data_directory.clone().map(|path| DataDirectory::claim_or_make(path, &start)).transpose()?;
        let temporary = || unused_path(&start.data_parent, "pgdyno-data-");
        let remains = Remains {
            data_directory: named.as_ref().map_or_else(temporary, |data| Ok(data.data_path().to_owned()))?,
            wal_directory: match &named {
                Some(data) if data.adopted => wal_of(data.data_path()),
                Some(_) | None => {
                    start.wal_parent.as_deref().map(|parent| unused_path(parent, WAL_PREFIX)).transpose()?
                }
            },
            fate: named.as_ref().map_or(Fate::Temporary, |data| data.fate_at_end(start.keep)),
            // /tmp whatever TMPDIR says: the path of a socket is limited to 107 bytes.
            run_directory: unused_path(Path::new("/tmp"), "pgdyno-")?,
        };
        let journal = start.journal.as_deref().and_then(|directory| record_remains(directory, &remains));
        make_private(&remains.run_directory, start.account)?;
        let data = match named {
            Some(data) => data,
            None => DataDirectory::claim_or_make(remains.data_directory.clone(), &start).inspect_err(|_| {
                // The cause is the news; the directory is empty.
                let _ = remove_tree(&remains.run_directory);
            })?,
        };
        Ok(Self { start, data, remains, journal, log_start: 0, server: None, ready: None, standing: None })
    }

    /// Creates the cluster unless it was kept.
    pub(super) async fn create_unless_kept(&mut self, lifeline: &mut Lifeline) -> Result<(), Interrupted> {
        if self.data.adopted {
            return Ok(());
        }
        lifeline.send_report(&SupervisorReport::CreatingCluster);
        if let Some(primary) = &self.start.standby_of {
            let copying =
                base_backup::take_base_backup(primary, self.start.major, self.data.data_path(), self.start.account);
            tokio::select! {
                copied = copying => copied?,
                () = lifeline.wait_until_cut() => return Err(Interrupted::Cut),
            }
            return self.data.mark_as_complete(&self.start).map_err(Interrupted::Failed);
        }
        self.run_initdb(lifeline).await?;
        self.adapt_fresh_cluster().map_err(Interrupted::Failed)
    }

    async fn run_initdb(&self, lifeline: &mut Lifeline) -> Result<(), Interrupted> {
        let mut initdb = self.server_command("initdb");
        initdb.args(self.start.initdb.initdb_arguments(self.start.major, self.start.keep));
        initdb.arg("--pgdata").arg(self.data.data_path());
        if let Some(wal) = &self.remains.wal_directory {
            make_private(wal, self.start.account)?;
            initdb.arg("--waldir").arg(wal);
        }
        let output_path = self.remains.run_directory.join("initdb.log");
        let output = fs::File::create(&output_path).map_err(Failure::system_call_failed("create the log of initdb"))?;
        let errors = output.try_clone().map_err(Failure::system_call_failed("create the log of initdb"))?;
        initdb.stdin(Stdio::null()).stdout(output).stderr(errors);
        die_with_parent(&mut initdb, Signal::KILL);
        let program = self.start.bin.join("initdb");
        let mut child = initdb.spawn().map_err(Failure::system_call_failed(format!("run {}", program.display())))?;
        let status = tokio::select! {
            status = child.wait() => status.map_err(Failure::system_call_failed("wait for initdb"))?,
            () = lifeline.wait_until_cut() => {
                // Its end is awaited here; the processes it leaves are ended with the server's.
                let _ = child.kill().await;
                return Err(Interrupted::Cut);
            }
        };
        if !status.success() {
            return Err(Failure::Initdb { output: log_tail::read_last_lines(&output_path, 0) }.into());
        }
        Ok(())
    }

    /// Makes a fresh cluster pgdyno's own.
    fn adapt_fresh_cluster(&self) -> Result<(), Failure> {
        let main = self.data.data_path().join("postgresql.conf");
        let text =
            fs::read_to_string(&main).map_err(Failure::system_call_failed(format!("read {}", main.display())))?;
        write_owned(&main, (text + conf::INCLUDE).as_bytes(), self.start.account)?;
        self.data.mark_as_complete(&self.start)
    }

    /// Starts the server and waits until it accepts connections.
    pub(super) async fn bring_up(&mut self, lifeline: &mut Lifeline) -> Result<ReadyServer, Interrupted> {
        lifeline.send_report(&SupervisorReport::Starting);
        if self.standing.is_none() {
            self.standing = Some(StandingLayers::build_layers(&self.start, &self.remains.run_directory)?);
        }
        let mut attempt = 1;
        loop {
            let port = free_port().map_err(Failure::system_call_failed("find a free port on 127.0.0.1"))?;
            let pid = self.launch_server(port)?;
            match self.wait_until_ready(pid, lifeline).await {
                Ok(()) => {
                    let built = self.connect_layers(pid, port).await?;
                    let ready = ReadyServer { pid, port, remains: self.remains.clone(), log: self.log_path(), built };
                    self.ready = Some(ready.clone());
                    return Ok(ready);
                }
                // Between finding the port and listening on it, somebody else was faster.
                Err(Interrupted::Failed(Failure::DidNotStart { log }))
                    if log.contains("Address already in use") && attempt < PORT_ATTEMPTS =>
                {
                    attempt += 1;
                }
                Err(interrupted) => return Err(interrupted),
            }
        }
    }

    /// Starts the server again where it was last ready, with what stands beside it as it is, and waits until it accepts
    /// connections.
    pub(super) async fn bring_back(&mut self, lifeline: &mut Lifeline) -> Result<ReadyServer, Interrupted> {
        lifeline.send_report(&SupervisorReport::Starting);
        let before = self
            .ready
            .clone()
            .ok_or_else(|| Failure::system_call_failed("start the server again")("it was never ready"))?;
        let deadline = Instant::now() + Duration::from_secs(self.start.start_timeout_s);
        loop {
            let pid = self.launch_server(before.port)?;
            match self.wait_until_ready(pid, lifeline).await {
                Ok(()) => {
                    self.standing.as_ref().map_or(Ok(()), |standing| standing.enroll_server_processes(pid))?;
                    let ready = ReadyServer { pid, ..before };
                    self.ready = Some(ready.clone());
                    return Ok(ready);
                }
                Err(Interrupted::Failed(Failure::DidNotStart { log }))
                    if is_kept_out(&log) && Instant::now() < deadline =>
                {
                    sleep(BACK_EVERY).await;
                }
                Err(interrupted) => return Err(interrupted),
            }
        }
    }

    /// Ends the server in this way.
    pub(super) async fn disturb_server(&mut self, how: ServerShutdown) {
        match how {
            ServerShutdown::InOrder => self.stop_in_order().await,
            ServerShutdown::Killed => {
                let Some(server) = &mut self.server else { return };
                // It may have ended by itself, which is what was wanted.
                let _ = server.kill().await;
                self.server = None;
            }
        }
    }

    /// Leads what stands beside the server to it, now that it accepts connections.
    async fn connect_layers(&mut self, pid: u32, port: u16) -> Result<Built, Failure> {
        let Some(standing) = &mut self.standing else { return Ok(Built::default()) };
        // Some of its processes may have been started before the server itself was taken in.
        standing.enroll_server_processes(pid)?;
        standing.connect_routes(&self.start, &self.remains.run_directory, port).await
    }

    /// Starts the server's process.
    fn launch_server(&mut self, port: u16) -> Result<u32, Failure> {
        let standing = self.standing.as_ref();
        let own = standing.map(StandingLayers::server_settings).unwrap_or_default();
        let hba = conf::hba_conf_text(standing.and_then(StandingLayers::client_address));
        write_owned(&self.data.data_path().join("pg_hba.conf"), hba.as_bytes(), self.start.account)?;
        let text = conf::server_conf_text(&self.start.settings, &self.remains.run_directory, port, &own);
        write_owned(&self.data.data_path().join(conf::FILE), text.as_bytes(), self.start.account)?;
        let failed = || Failure::system_call_failed("open the log of the server");
        let log = fs::File::options().create(true).append(true).open(self.log_path()).map_err(failed())?;
        self.log_start = log.metadata().map_err(failed())?.len();
        let mut postgres = self.server_command("postgres");
        postgres.arg("-D").arg(self.data.data_path());
        postgres.stdin(Stdio::null()).stdout(log.try_clone().map_err(failed())?).stderr(log);
        // The postmaster's immediate shutdown: it takes its backends with it.
        die_with_parent(&mut postgres, Signal::QUIT);
        let program = self.start.bin.join("postgres");
        let child = postgres.spawn().map_err(Failure::system_call_failed(format!("run {}", program.display())))?;
        let pid = child.id().unwrap_or_default();
        self.server = Some(child);
        self.standing.as_ref().map_or(Ok(()), |standing| standing.enroll_server_processes(pid))?;
        Ok(pid)
    }

    async fn wait_until_ready(&mut self, pid: u32, lifeline: &mut Lifeline) -> Result<(), Interrupted> {
        let seconds = self.start.start_timeout_s;
        let deadline = Instant::now() + Duration::from_secs(seconds);
        let pid_file = self.data.data_path().join("postmaster.pid");
        while !says_ready(&fs::read_to_string(&pid_file).unwrap_or_default(), pid) {
            tokio::select! {
                Failure::Ended { log, .. } = self.wait_for_end() => return Err(Failure::DidNotStart { log }.into()),
                () = lifeline.wait_until_cut() => return Err(Interrupted::Cut),
                () = sleep(Duration::from_millis(10)) => {}
            }
            if Instant::now() > deadline {
                let log = log_tail::read_last_lines(&self.log_path(), self.log_start);
                self.stop_with_signal(Signal::QUIT, IMMEDIATE_SHUTDOWN).await;
                return Err(Failure::StartTimeout { seconds, log }.into());
            }
        }
        Ok(())
    }

    /// Waits for the server to end by itself; for ever if none runs. Safe to cancel.
    pub(super) async fn wait_for_end(&mut self) -> Failure {
        let Some(server) = &mut self.server else { return std::future::pending().await };
        let status = server.wait().await.map_or_else(|error| error.to_string(), |status| status.to_string());
        self.server = None;
        Failure::Ended { status, log: log_tail::read_last_lines(&self.log_path(), self.log_start) }
    }

    /// Stops the server in order, keeping its data and statistics.
    pub(super) async fn stop_in_order(&mut self) {
        self.stop_with_signal(Signal::INT, FAST_SHUTDOWN).await;
    }

    /// Sends a signal, and ever stronger ones as long as the server lives.
    async fn stop_with_signal(&mut self, signal: Signal, patience: Duration) {
        let Some(server) = &mut self.server else { return };
        if let Some(pid) = server.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)) {
            // Whoever has stopped it for another server's slice may have been killed.
            let mut stopped = child_processes(pid);
            stopped.insert(0, pid);
            continue_processes(&stopped);
        }
        for (signal, patience) in [(signal, patience), (Signal::QUIT, IMMEDIATE_SHUTDOWN)] {
            let pid = server.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
            // A server that has just ended needs no signal.
            let _ = pid.map(|pid| rustix::process::kill_process(pid, signal));
            if timeout(patience, server.wait()).await.is_ok() {
                self.server = None;
                return;
            }
        }
        let _ = server.kill().await;
        self.server = None;
    }

    /// Replaces all settings for the next start.
    pub(super) fn replace_settings(&mut self, settings: BTreeMap<String, String>) {
        self.start.settings = settings;
    }

    /// Stops the server and removes what must not stay.
    pub(super) async fn take_down(mut self) -> Result<(), Failure> {
        let keep = self.start.keep && self.data.is_marked();
        // Data that is thrown away need not be flushed first.
        if keep {
            self.stop_in_order().await;
        } else {
            self.stop_with_signal(Signal::QUIT, IMMEDIATE_SHUTDOWN).await;
        }
        orphans::end_all();
        // One that was killed, in whatever way, has not done it itself.
        let shared = release_shared_memory(self.data.data_path());
        let shared = shared.map_err(Failure::system_call_failed("remove the shared memory of the server"));
        let layers = match self.standing.take() {
            Some(standing) => standing.take_down().await,
            None => Ok(()),
        };
        let removed = if keep { Ok(()) } else { self.data.remove_contents().and(remove_wal(&self.remains)) };
        let run_directory = &self.remains.run_directory;
        let run_removed = remove_tree(run_directory);
        // What could be removed is struck; what could not stays written down.
        drop(self.journal);
        let run_removed =
            run_removed.map_err(Failure::system_call_failed(format!("remove {}", run_directory.display())));
        run_removed.and(removed).and(layers).and(shared.map(drop))
    }

    fn log_path(&self) -> PathBuf {
        self.remains.run_directory.join("server.log")
    }

    /// A program of the server, run as its user in a clean environment.
    fn server_command(&self, program: &str) -> Command {
        let mut command = std::process::Command::new(self.start.bin.join(program));
        command.env_clear().envs(&self.start.variables).current_dir("/");
        if let Some(account) = self.start.account {
            command.uid(account.uid).gid(account.gid);
        }
        command.into()
    }
}

/// Writes down what is about to be made. A server can be had without it, where nobody may write there.
pub(super) fn record_remains(directory: &Path, remains: &Remains) -> Option<Journal> {
    let mut journal = Journal::begin_journal(directory).ok()?;
    journal.make_change(&MachineChange::Server(remains.clone())).ok()?;
    Some(journal)
}

/// The directory that was made for the WAL of a cluster that was kept.
fn wal_of(data: &Path) -> Option<PathBuf> {
    let wal = fs::read_link(data.join("pg_wal")).ok()?;
    wal.file_name()?.to_str()?.starts_with(WAL_PREFIX).then_some(wal)
}

fn remove_wal(remains: &Remains) -> Result<(), Failure> {
    let Some(wal) = &remains.wal_directory else { return Ok(()) };
    remove_tree(wal).map_err(Failure::system_call_failed(format!("remove {}", wal.display())))
}

/// Whether the postmaster with this pid has written into `postmaster.pid` (line 1 the pid, line 8 the state) that it
/// accepts connections.
fn says_ready(pid_file: &str, pid: u32) -> bool {
    let mut lines = pid_file.lines();
    lines.next().is_some_and(|first| first.trim() == pid.to_string())
        && lines.nth(6).is_some_and(|state| matches!(state.trim(), "ready" | "standby"))
}

/// Whether a server says that it did not start because processes of the one before it are still there.
fn is_kept_out(log: &str) -> bool {
    log.contains("pre-existing shared memory block") || log.contains("Address already in use")
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_ready_when_its_own_pid_file_says_so() {
        let file = "4711\n/data\n1700000000\n5432\n/tmp/s\n127.0.0.1\n  123 45\nready   \n";
        assert!(says_ready(file, 4711));
        assert!(!says_ready(file, 471), "the file of another server");
        assert!(!says_ready(&file.replace("ready   ", "starting"), 4711));
        assert!(!says_ready("4711\n", 4711), "half written");
        assert!(!says_ready("", 4711));
    }
}
