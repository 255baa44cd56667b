//! What a transaction costs the client: user and system CPU time of the whole process over the transactions made, select-only with
//! prepared statements, one load thread; sysbench's point select beside it (it has a thread per connection).

use std::process::Command;

use super::tool::{self, Way, figure, pgbench_like};
use super::{Bench, spread, spread_in_words};

const CLIENTS: [u32; 4] = [1, 8, 64, 256];
const ROUNDS: usize = 5;
const SECONDS: &str = "3";
const SCALE: &str = "10";
const DATABASE: &str = "postgres";
const SYSBENCH_ROWS: &str = "100000";

impl Bench<'_> {
    /// Makes the data of all tools.
    pub(super) fn prepare(&self) {
        let mut initialize =
            pgbench_like(self.pgdyno, self.server, Way::Unix, &["-i", "-s", SCALE, "--quiet", DATABASE]);
        tool::run(&mut initialize, self.server);
        tool::run(&mut self.sysbench(Way::Unix, 1, "prepare"), self.server);
    }

    fn sysbench(&self, way: Way, threads: u32, action: &str) -> Command {
        let mut command = Command::new("sysbench");
        command.args(["oltp_point_select", "--db-driver=pgsql", "--tables=1"]);
        command.arg(format!("--table-size={SYSBENCH_ROWS}")).arg(format!("--pgsql-host={}", way.host(self.server)));
        command
            .arg(format!("--pgsql-port={}", way.port(self.server)))
            .arg(format!("--pgsql-user={}", self.server.user()));
        command.arg(format!("--pgsql-password={}", self.server.password())).arg(format!("--pgsql-db={DATABASE}"));
        command.arg(format!("--threads={threads}")).arg(format!("--time={SECONDS}")).arg(action);
        command
    }
}

/// Prints the table.
pub(super) fn print(bench: &Bench<'_>) {
    println!(
        "\n## Client CPU per transaction, select-only prepared, µs: median (least … most) of {ROUNDS} interleaved rounds\n"
    );
    println!("| path | clients | pgdyno | pgbench | sysbench | pgdyno / pgbench | pgdyno / sysbench |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for way in [Way::Unix, Way::Tcp(bench.server.port())] {
        for clients in CLIENTS {
            row(bench, way, clients);
        }
    }
}

fn row(bench: &Bench<'_>, way: Way, clients: u32) {
    let mut costs: [Vec<f64>; 3] = Default::default();
    for round in 0..ROUNDS {
        // Each round in another order, so that drift falls on all alike.
        for step in 0..costs.len() {
            let which = (step + round) % costs.len();
            costs[which].push(cost_us(bench, way, clients, which));
        }
    }
    let ratios = |other: usize| -> Vec<f64> { costs[0].iter().zip(&costs[other]).map(|(a, b)| a / b).collect() };
    println!(
        "| {} | {clients} | {} | {} | {} | **{}** | {} |",
        way.name(),
        spread_in_words(&costs[0]),
        spread_in_words(&costs[1]),
        spread_in_words(&costs[2]),
        spread_in_words(&ratios(1)),
        format_args!("{:.2}", spread(&ratios(2))[1]),
    );
}

/// Microseconds of CPU per transaction of pgdyno (0), pgbench (1) or sysbench (2).
fn cost_us(bench: &Bench<'_>, way: Way, clients: u32, which: usize) -> f64 {
    let clients_text = clients.to_string();
    let options = ["-n", "-S", "-M", "prepared", "-j", "1", "-c", &clients_text, "-T", SECONDS, DATABASE];
    let (mut command, label) = match which {
        0 => (pgbench_like(bench.pgdyno, bench.server, way, &options), "number of transactions actually processed"),
        1 => {
            let pgbench = bench.server.tool("pgbench");
            (pgbench_like(&pgbench, bench.server, way, &options), "number of transactions actually processed")
        }
        _ => (bench.sysbench(way, clients, "run"), "transactions"),
    };
    let ran = tool::run(&mut command, bench.server);
    ran.cpu.as_secs_f64() * 1e6 / figure(&ran.stdout, label)
}
