//! A PgBouncer before a local server, run by the server's user and gone with its supervisor.
//!
//! Clients log in with the password of the server's superuser, of which PgBouncer knows the verifier alone; it passes on
//! over the server's unix socket. From version 1.21 on it keeps prepared statements apart and lends a connection for a
//! transaction; before, a client must keep the connection on which it has prepared.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

use super::{as_user, certificate, program};
use crate::local::die_with_parent::die_with_parent;
use crate::local::directories::write_owned;
use crate::local::failure::Failure;
use crate::local::log_tail;
use crate::local::protocol::SupervisorStart;

/// What the layer is called in errors.
const LAYER: &str = "PgBouncer";

/// Connections to the server at most, above any number of clients that a server admits.
const POOL_SIZE: u32 = 100_000;

/// Prepared statements that it keeps of each client where nobody says how many.
const MAX_PREPARED_STATEMENTS: u32 = 1_000;

/// How long it may take until it accepts connections.
const START: Duration = Duration::from_secs(10);

/// A running PgBouncer.
pub(super) struct RunningPooler {
    process: Child,
    port: u16,
    mode: &'static str,
}

impl RunningPooler {
    /// Starts it before the server at `server_port`, listening on 127.0.0.1 and at `host`.
    pub(super) async fn start_pooler(
        start: &SupervisorStart,
        run_directory: &Path,
        server_port: u16,
        host: Option<Ipv4Addr>,
        tls: Option<&Path>,
    ) -> Result<Self, Failure> {
        let pooling = start.layers.pooling;
        let version = query_pooler_version()?;
        let keeps_statements = keeps_statements(&version);
        let mode = if pooling.for_a_transaction.unwrap_or(keeps_statements) { "transaction" } else { "session" };
        let statements = match (pooling.max_prepared_statements, keeps_statements) {
            (Some(1..), false) => {
                let why = format!("{version} does not support them; version 1.21 is required");
                return Err(Failure::system_call_failed("enable prepared statements in PgBouncer")(why));
            }
            (asked, true) if mode == "transaction" => Some(asked.unwrap_or(MAX_PREPARED_STATEMENTS)),
            (asked, true) => asked,
            (Some(0) | None, false) => None,
        };
        let pool_size = pooling.size.unwrap_or(POOL_SIZE);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        let port = listener.map_err(Failure::system_call_failed("find a free port on 127.0.0.1"))?.port();
        let users = run_directory.join("pgbouncer.users");
        write_owned(&users, format!("\"postgres\" \"{}\"\n", start.verifier).as_bytes(), start.account)?;
        let addresses: Vec<String> =
            std::iter::once(Ipv4Addr::LOCALHOST).chain(host).map(|address| address.to_string()).collect();
        let mut text = format!(
            "[databases]\n* = host={run} port={server_port}\n\n[pgbouncer]\nlisten_addr = {addresses}\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = {users}\npool_mode = {mode}\n\
             default_pool_size = {pool_size}\nmax_client_conn = {POOL_SIZE}\nlogfile = {run}/pgbouncer.log\n\
             log_connections = 0\nlog_disconnections = 0\nlog_pooler_errors = 1\nserver_idle_timeout = 0\n",
            run = run_directory.display(),
            addresses = addresses.join(","),
            users = users.display(),
        );
        if let Some(statements) = statements {
            text.push_str(&format!("max_prepared_statements = {statements}\n"));
        }
        if let Some(directory) = tls {
            let file = |name: &str| directory.join(name).display().to_string();
            text.push_str(&format!(
                "client_tls_sslmode = allow\nclient_tls_cert_file = {}\nclient_tls_key_file = {}\n",
                file(certificate::CERTIFICATE),
                file(certificate::KEY)
            ));
        }
        let configuration = run_directory.join("pgbouncer.ini");
        write_owned(&configuration, text.as_bytes(), start.account)?;
        let mut command = program::program_command("pgbouncer", "pgbouncer", LAYER)?;
        command.arg("--quiet").arg(&configuration).stdout(Stdio::null()).stderr(Stdio::null());
        as_user(&mut command, start.account);
        let mut command: Command = command.into();
        die_with_parent(&mut command, Signal::KILL);
        let process = command.kill_on_drop(true).spawn().map_err(Failure::system_call_failed("run pgbouncer"))?;
        let mut pooler = Self { process, port, mode };
        pooler.wait_until_ready(&run_directory.join("pgbouncer.log")).await?;
        Ok(pooler)
    }

    pub(super) fn listening_port(&self) -> u16 {
        self.port
    }

    pub(super) fn pool_mode(&self) -> &str {
        self.mode
    }

    async fn wait_until_ready(&mut self, log: &Path) -> Result<(), Failure> {
        let deadline = Instant::now() + START;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            let ended = self.process.try_wait().map_err(Failure::system_call_failed("wait for pgbouncer"))?;
            if ended.is_some() || Instant::now() > deadline {
                let said = log_tail::read_last_lines(log, 0);
                return Err(Failure::system_call_failed("start pgbouncer")(said));
            }
            sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    /// Ends it at once: nobody works through it any more.
    pub(super) async fn stop_pooler(mut self) {
        // One that has ended already needs no end.
        let _ = self.process.kill().await;
    }
}

/// What `pgbouncer --version` says first: `PgBouncer 1.18.0`.
fn query_pooler_version() -> Result<String, Failure> {
    let output = program::program_command("pgbouncer", "pgbouncer", LAYER)?.arg("--version").output();
    let output = output.map_err(Failure::system_call_failed("run pgbouncer --version"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}

/// Whether it keeps prepared statements apart, so that a connection can be lent for a transaction: from 1.21 on.
fn keeps_statements(version: &str) -> bool {
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
    let mut parts = version.rsplit(' ').next().unwrap_or_default().split('.');
    let version = number(parts.next()).zip(number(parts.next()));
    version.is_some_and(|version| version >= (1, 21))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_lent_for_a_transaction_where_prepared_statements_survive_it() {
        for (version, keeps) in [
            ("PgBouncer 1.18.0", false),
            ("PgBouncer 1.20.1", false),
            ("PgBouncer 1.21.0", true),
            ("PgBouncer 2.0", true),
            ("", false),
        ] {
            assert_eq!(keeps_statements(version), keeps, "{version}");
        }
    }
}
