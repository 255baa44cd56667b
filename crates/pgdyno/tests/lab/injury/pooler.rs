//! PgBouncer before a server.

use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use testbed::{Kept, Signal, as_postgres, free_port, give_to_postgres};

use crate::server::Server;
use crate::site::Site;

/// How long it may take to start.
const DEADLINE: Duration = Duration::from_secs(20);

/// A pooler under way.
pub struct Pooler {
    port: u16,
    _process: Kept,
}

impl Pooler {
    /// One that has at most so many connections to the server, and lends each for a transaction.
    pub fn start(site: &Site, server: &Server, connections: u32) -> Self {
        let (port, directory) = (free_port(), site.path().display());
        let users = site.write("users.txt", "\"postgres\" \"\"\n");
        let settings = format!(
            "[databases]\npostgres = host=127.0.0.1 port={} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = trust\nauth_file = {}\nadmin_users = postgres\n\
             pool_mode = transaction\ndefault_pool_size = {connections}\nmax_client_conn = 1000\n\
             ignore_startup_parameters = extra_float_digits,options\nlogfile = {directory}/pgbouncer/log\n",
            server.tcp_port(),
            users.display()
        );
        let log = site.path().join("pgbouncer");
        std::fs::create_dir(&log).expect("made");
        give_to_postgres(&log);
        let settings = site.write("pgbouncer.ini", &settings);
        let mut pgbouncer = as_postgres("pgbouncer");
        pgbouncer.arg("--quiet").arg(settings).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = Kept::start_command(&mut pgbouncer, Signal::KILL);
        let deadline = Instant::now() + DEADLINE;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(!process.has_ended() && Instant::now() < deadline, "pgbouncer does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { port, _process: process }
    }

    /// How a plan reaches the server through it, and its console.
    pub fn target(&self) -> String {
        let at = format!("postgresql://postgres@127.0.0.1:{}", self.port);
        format!("{{ url: \"{at}/postgres\", pooler: {{ url: \"{at}/pgbouncer\" }} }}")
    }
}
