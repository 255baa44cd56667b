//! Who is compared: pgdyno on either of its ways to talk to the kernel, pgbench and sysbench, with one load thread each
//! (sysbench has a thread per connection). Beside them what the kernel takes for the same exchange,
//! which nobody can go below.

use std::path::PathBuf;
use std::process::Command;

use super::Bench;
use super::tool::{self, Way, figure, pgbench_like};

/// The rows of sysbench's table.
pub(super) const SYSBENCH_ROWS: &str = "100000";

/// The database of all of them.
pub(super) const DATABASE: &str = "postgres";

/// One of those compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Contender {
    Pgdyno {
        backend: &'static str,
    },
    Pgbench,
    Sysbench,
    /// A loop that sends the same bytes again and again: `examples/floor.rs` of `load`. It knows no workload but
    /// select-only, prepared, and no TLS.
    Floor,
}

/// What it is to do.
#[derive(Clone, Copy)]
pub(super) struct Load<'a> {
    pub(super) way: Way,
    pub(super) clients: u32,
    /// The workload, in pgbench's options; sysbench does its point select.
    pub(super) workload: &'a [&'a str],
    /// Transactions of each client. Not a time: pgbench counts that from its start, and would be over before many
    /// clients are connected.
    pub(super) transactions: u32,
}

impl Contender {
    /// Microseconds of CPU per transaction: user and system time of the whole process, less what it takes to start, to
    /// log in and to make one transaction per client.
    pub(super) fn cost_us(self, bench: &Bench<'_>, load: Load<'_>) -> f64 {
        let all = tool::run(&mut self.command(bench, load), bench.server);
        let one_each = Load { transactions: 1, ..load };
        let start = tool::run(&mut self.command(bench, one_each), bench.server);
        let transactions = figure(&all.stdout, self.label()) - figure(&start.stdout, self.label());
        all.cpu.saturating_sub(start.cpu).as_secs_f64() * 1e6 / transactions
    }

    fn label(self) -> &'static str {
        match self {
            Self::Pgdyno { .. } | Self::Pgbench | Self::Floor => "number of transactions actually processed",
            Self::Sysbench => "transactions",
        }
    }

    fn command(self, bench: &Bench<'_>, load: Load<'_>) -> Command {
        let (clients, transactions) = (load.clients.to_string(), load.transactions.to_string());
        let mut options = vec!["-n", "-j", "1", "-c", &clients, "-t", &transactions];
        options.extend(load.workload);
        match self {
            Self::Pgdyno { backend } => {
                options.extend(["--backend", backend, DATABASE]);
                pgbench_like(bench.pgdyno, bench.server, load.way, &options)
            }
            Self::Pgbench => {
                options.push(DATABASE);
                pgbench_like(&bench.server.tool("pgbench"), bench.server, load.way, &options)
            }
            Self::Sysbench => {
                let events = format!("--events={}", load.transactions * load.clients);
                bench.sysbench(load.way, load.clients, &["--time=0", &events, "run"])
            }
            Self::Floor => {
                let mut command = Command::new(bench.floor());
                command.args(["io_uring", &load.way.host(bench.server), &load.way.port(bench.server).to_string()]);
                command.args([DATABASE, &clients, &transactions]);
                command
            }
        }
    }
}

impl Bench<'_> {
    /// Makes the data of all contenders.
    pub(super) fn prepare(&self) {
        self.prepare_pgbench();
        tool::run(&mut self.sysbench(Way::Unix, 1, &["prepare"]), self.server);
    }

    /// Makes the data of pgbench.
    pub(super) fn prepare_pgbench(&self) {
        let options = ["-i", "-s", "10", "--quiet", DATABASE];
        tool::run(&mut pgbench_like(self.pgdyno, self.server, Way::Unix, &options), self.server);
    }

    /// The floor's program, which the build leaves beside pgdyno.
    fn floor(&self) -> PathBuf {
        let floor = self.pgdyno.with_file_name("examples").join("floor");
        assert!(floor.exists(), "{}: cargo build --release -p load --example floor makes it", floor.display());
        floor
    }

    /// sysbench's point select with so many threads.
    pub(super) fn sysbench(&self, way: Way, threads: u32, action: &[&str]) -> Command {
        let mut command = Command::new("sysbench");
        command.env("PGSSLMODE", way.ssl_mode());
        command.args(["oltp_point_select", "--db-driver=pgsql", "--tables=1"]);
        command.arg(format!("--table-size={SYSBENCH_ROWS}")).arg(format!("--pgsql-host={}", way.host(self.server)));
        command.arg(format!("--pgsql-port={}", way.port(self.server)));
        command.arg(format!("--pgsql-user={}", self.server.user()));
        command.arg(format!("--pgsql-password={}", self.server.password())).arg(format!("--pgsql-db={DATABASE}"));
        command.arg(format!("--threads={threads}")).args(action);
        command
    }
}
