//! What a transaction costs with thousands of connections, one load thread, and the memory that they take.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::contender::{Contender, DATABASE, Load};
use super::cost::{ratio, rounds};
use super::tool::{Way, pgbench_like};
use super::{Bench, spread_in_words};

/// Transactions of all clients together.
const TRANSACTIONS: u32 = 100_000;

/// Prints the table; needs a server with room for 5 000 connections.
pub(super) fn print(bench: &Bench<'_>) {
    println!("\n## Thousands of connections: select-only prepared over the unix socket, one load thread\n");
    println!(
        "| clients | pgdyno, µs | pgbench, µs | pgdyno / pgbench | floor / pgbench | pgdyno's memory per connection, KiB |\n\
         |--:|--:|--:|--:|--:|--:|"
    );
    for clients in [1000, 2500, 5000] {
        let transactions = TRANSACTIONS / clients;
        let load = Load { way: Way::Unix, clients, workload: &["-S", "-M", "prepared"], transactions };
        let contenders = [Contender::Pgdyno { backend: "auto" }, Contender::Pgbench, Contender::Floor];
        let [pgdyno, pgbench, floor] = rounds(bench, load, contenders);
        let [of_pgdyno, of_floor] = [&pgdyno, &floor].map(|of| ratio(of, &pgbench));
        let memory = (resident_kib(bench, clients) - resident_kib(bench, 1)) / f64::from(clients - 1);
        let figures = [&pgdyno, &pgbench].map(|figures| spread_in_words(figures)).join(" | ");
        println!("| {clients} | {figures} | **{of_pgdyno}** | {of_floor} | {memory:.1} |");
    }
}

/// The most memory that pgdyno had resident with so many clients.
fn resident_kib(bench: &Bench<'_>, clients: u32) -> f64 {
    let clients = clients.to_string();
    let options = ["-n", "-S", "-M", "prepared", "-j", "1", "-c", &clients, "-T", "2", DATABASE];
    let mut command: Command = pgbench_like(bench.pgdyno, bench.server, Way::Unix, &options);
    let mut child = command.stdout(Stdio::null()).spawn().expect("pgdyno starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0;
    while child.try_wait().expect("it is a child").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let now = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        peak = now.unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(50));
    }
    peak
}
