//! Two servers alike, and the load on them.

use std::num::NonZeroU32;
use std::path::Path;

use conninfo::{ConnInfo, Host};
use load::{Job, Script, Weighted};

use super::super::Bench;
use super::super::server::Server;

/// Clients of each side.
pub(super) const CLIENTS: u32 = 8;

/// Rows that the statement of [`Pair::work`] adds up: the server does nearly all of its work.
const ROWS: u32 = 10_000;

/// Both are set alike and hold the same data.
pub(super) struct Pair {
    servers: [Server; 2],
}

impl Pair {
    /// Starts them and makes their data.
    pub(super) fn start(pgdyno: &Path) -> Self {
        let servers = [(); 2].map(|()| Server::start(100));
        for server in &servers {
            Bench { pgdyno, server }.prepare_pgbench();
            server.sql("postgres", "VACUUM ANALYZE");
            server.sql("postgres", "CHECKPOINT");
        }
        Self { servers }
    }

    /// Stops both and starts them again, on the same data.
    pub(super) fn start_anew(&mut self) {
        self.servers.iter_mut().for_each(Server::start_anew);
    }

    pub(super) fn stop(self) {
        self.servers.into_iter().for_each(Server::stop);
    }

    /// Executes a statement on one of them.
    pub(super) fn sql(&self, side: usize, statement: &str) {
        self.servers[side].sql("postgres", statement);
    }

    /// A workload that comes with the engine, on both.
    pub(super) fn builtin(&self, name: &str) -> [Job; 2] {
        let script = || Script::builtin(name).expect("it comes with the engine");
        [0, 1].map(|side| self.job(side, script(), CLIENTS))
    }

    /// A statement of which the server does most of the work, on both; the second side's has more of it by this share.
    pub(super) fn work(&self, dearer: f64) -> [Job; 2] {
        [self.job(0, adds_up(0.0), CLIENTS), self.job(1, adds_up(dearer), CLIENTS)]
    }

    /// One client of the first server for which a lot decides, transaction by transaction, which of the two statements
    /// is executed: nothing is finer, and no turns are in it.
    pub(super) fn mixed(&self, dearer: f64) -> Job {
        let scripts = [0.0, dearer].map(|dearer| Weighted::one(adds_up(dearer)));
        Job { scripts: scripts.into(), ..self.job(0, adds_up(0.0), 1) }
    }

    fn job(&self, side: usize, script: Script, clients: u32) -> Job {
        let server = &self.servers[side];
        let at = (Host::Unix(server.socket_directory().into()), server.port());
        let clients = NonZeroU32::new(clients).expect("there are clients");
        Job { clients, scale: 10, ..Job::new(ConnInfo::new(at, server.user(), "postgres"), script) }
    }
}

/// Adds up neighbouring accounts.
fn adds_up(dearer: f64) -> Script {
    let rows = f64::from(ROWS) * (1.0 + dearer);
    let text = format!(
        "\\set aid random(1, 900000)\n\
         SELECT sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN :aid AND :aid + {};\n",
        rows.round() - 1.0
    );
    Script::parse("adds up", &text).expect("it is a script")
}
