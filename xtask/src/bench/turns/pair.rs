//! Two servers alike, and the load on them.

use std::num::NonZeroU32;
use std::path::Path;

use conninfo::{ConnInfo, ServerHost};
use load::{EngineJob, ParsedScript};

use super::super::Bench;
use super::super::server::Server;

/// Clients of each side.
pub(super) const CLIENTS: u32 = 8;

/// Rows that a statement adds up: the server does nearly all of its work.
pub(super) const ROWS: u32 = 10_000;

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
        std::thread::scope(|scope| {
            self.servers.iter_mut().for_each(|server| drop(scope.spawn(|| server.start_anew())));
        });
    }

    /// The first of them.
    pub(super) fn first(&self) -> &Server {
        &self.servers[0]
    }

    pub(super) fn stop(self) {
        self.servers.into_iter().for_each(Server::stop);
    }

    /// Executes a statement on one of them.
    pub(super) fn sql(&self, side: usize, statement: &str) {
        self.servers[side].sql("postgres", statement);
    }

    /// A workload that comes with the engine, on both.
    pub(super) fn builtin(&self, name: &str) -> [EngineJob; 2] {
        let script = || ParsedScript::builtin(name).expect("it comes with the engine");
        [0, 1].map(|side| self.job(side, script(), CLIENTS))
    }

    /// A statement of which the server does most of the work, on both: each side's adds up so many rows.
    pub(super) fn work(&self, rows: [u32; 2]) -> [EngineJob; 2] {
        [0, 1].map(|side| self.job(side, adds_up(rows[side]), CLIENTS))
    }

    /// A statement of each side's own.
    pub(super) fn statements(&self, statements: &[String; 2]) -> [EngineJob; 2] {
        let script = |side: usize| ParsedScript::parse("statement", &format!("{};\n", statements[side]));
        [0, 1].map(|side| self.job(side, script(side).expect("it is a script"), CLIENTS))
    }

    fn job(&self, side: usize, script: ParsedScript, clients: u32) -> EngineJob {
        let server = &self.servers[side];
        let at = (ServerHost::Unix(server.socket_directory().into()), server.port());
        let clients = NonZeroU32::new(clients).expect("there are clients");
        EngineJob { clients, scale: 10, ..EngineJob::new(ConnInfo::new(at, server.user(), "postgres"), script) }
    }
}

/// Adds up neighbouring accounts.
fn adds_up(rows: u32) -> ParsedScript {
    let text = format!(
        "\\set aid random(1, 900000)\n\
         SELECT sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN :aid AND :aid + {};\n",
        rows - 1
    );
    ParsedScript::parse("adds up", &text).expect("it is a script")
}
