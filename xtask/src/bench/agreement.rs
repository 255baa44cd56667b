//! Whether pgdyno's throughput and latency agree with pgbench's own on the same server: CPU-bound, and with a delay on
//! the path. The interval is that of paired rounds; pgbench against pgbench beside it is the noise floor.

use std::time::Duration;

use stats::ConfidenceLevel;
use stats::paired::{MetricPair, paired_change};

use super::Bench;
use super::tool::{self, Way, figure, pgbench_like};
use testbed::DelayProxy;

const ROUNDS: u32 = 12;
const SECONDS: &str = "2";
const DELAY: Duration = Duration::from_millis(1);

/// Throughput and mean latency of one run.
#[derive(Clone, Copy)]
struct Figures {
    tps: f64,
    latency_ms: f64,
}

/// Prints the table.
pub(super) fn print(bench: &Bench<'_>) {
    println!("\n## Agreement with pgbench: change from pgbench to pgdyno, {ROUNDS} paired rounds, 95 % interval\n");
    println!("| route | clients | throughput | mean latency | pgbench against itself (throughput) |");
    println!("|---|--:|--:|--:|--:|");
    let proxy = DelayProxy::start_proxy(bench.server.port(), DELAY);
    let delayed = Way::Tcp(proxy.listening_port());
    for clients in ["1", "8"] {
        // The generator on one CPU and the server on another: else what a generator saves, the server gets.
        bench.server.stay_on_cpus("1");
        row(bench, Path { way: Way::Unix, own_cpus: true, name: "CPU-bound, a CPU each" }, clients);
        bench.server.stay_on_cpus("0-1");
        row(bench, Path { way: Way::Unix, own_cpus: false, name: "CPU-bound, shared CPUs" }, clients);
        row(bench, Path { way: delayed, own_cpus: false, name: "1 ms each way" }, clients);
    }
}

/// How the tools get to the server.
#[derive(Clone, Copy)]
struct Path {
    way: Way,
    /// The tool keeps to CPU 0, which the server leaves alone.
    own_cpus: bool,
    name: &'static str,
}

fn row(bench: &Bench<'_>, path: Path, clients: &str) {
    let mut rounds: Vec<[Figures; 3]> = Vec::new();
    for round in 0..ROUNDS as usize {
        let mut figures = [Figures { tps: 0.0, latency_ms: 0.0 }; 3];
        for step in 0..3 {
            let which = (step + round) % 3;
            figures[which] = measure(bench, path, clients, which == 0);
        }
        rounds.push(figures);
    }
    let change = |candidate: usize, read: fn(&Figures) -> f64| {
        let pairs: Vec<MetricPair> = (1..)
            .zip(&rounds)
            .map(|(block, round)| MetricPair { block, baseline: read(&round[1]), candidate: read(&round[candidate]) })
            .collect();
        let change = paired_change(&pairs, ConfidenceLevel::NINETY_FIVE).expect("positive figures").change;
        let percent = |share: f64| share * 100.0;
        format!(
            "{:+.1} % [{:+.1}, {:+.1}]",
            percent(change.point),
            percent(change.interval.low),
            percent(change.interval.high)
        )
    };
    println!(
        "| {} | {clients} | {} | {} | {} |",
        path.name,
        change(0, |f| f.tps),
        change(0, |f| f.latency_ms),
        change(2, |f| f.tps)
    );
}

fn measure(bench: &Bench<'_>, path: Path, clients: &str, pgdyno: bool) -> Figures {
    let options = ["-n", "-S", "-M", "prepared", "-j", "1", "-c", clients, "-T", SECONDS, "postgres"];
    let pgbench = bench.server.tool("pgbench");
    let program = if pgdyno { bench.pgdyno } else { pgbench.as_path() };
    let mut command = pgbench_like(program, bench.server, path.way, &options);
    if path.own_cpus {
        command = tool::on_cpu(0, &command);
    }
    let ran = tool::run(&mut command, bench.server);
    Figures { tps: figure(&ran.stdout, "tps"), latency_ms: figure(&ran.stdout, "latency average") }
}
