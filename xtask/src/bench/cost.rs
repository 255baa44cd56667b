//! What a transaction costs the client, beside pgbench and sysbench: select-only over each path, a transaction of seven
//! round trips, and a pipeline.

use std::io::Write as _;

use super::contender::{Contender, Load};
use super::tool::Way;
use super::{Bench, spread, spread_in_words};

const ROUNDS: usize = 3;
/// Transactions of all clients together, and of one at most.
const TRANSACTIONS: u32 = 64_000;
const TRANSACTIONS_OF_ONE: u32 = 16_000;
/// The other workloads' transactions are so many times fewer: each is several statements.
const HEAVIER: u32 = 10;

const EPOLL: Contender = Contender::Pgdyno { backend: "epoll" };
const IO_URING: Contender = Contender::Pgdyno { backend: "io_uring" };
/// What a person gets who asks for nothing.
const AUTO: Contender = Contender::Pgdyno { backend: "auto" };

/// Prints the tables.
pub(super) fn print(bench: &Bench<'_>) {
    let heading = heading();
    println!("\n## Client CPU per transaction, select-only prepared, {heading}\n");
    println!(
        "| route | clients | epoll | io_uring | pgbench | sysbench | epoll / pgbench | io_uring / pgbench | io_uring / sysbench |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let port = bench.server.port();
    for way in [Way::Unix, Way::Tcp(port), Way::Tls(port)] {
        for clients in [1, 8, 64, 256] {
            let transactions = (TRANSACTIONS / clients).min(TRANSACTIONS_OF_ONE);
            let load = Load { way, clients, workload: &["-S", "-M", "prepared"], transactions };
            let [epoll, ring, pgbench, sysbench] =
                rounds(bench, load, [EPOLL, IO_URING, Contender::Pgbench, Contender::Sysbench]);
            let figures = [&epoll, &ring, &pgbench, &sysbench].map(|figures| spread_in_words(figures)).join(" | ");
            println!(
                "| {} | {clients} | {figures} | **{}** | **{}** | {} |",
                way.name(),
                ratio(&epoll, &pgbench),
                ratio(&ring, &pgbench),
                ratio(&ring, &sysbench)
            );
        }
    }
    println!("\n## Client CPU per transaction, other workloads over the unix socket, {heading}\n");
    println!("| workload | clients | pgdyno | pgbench | pgdyno / pgbench |\n|---|--:|--:|--:|--:|");
    let pipeline = pipeline();
    let pipeline = pipeline.path().display().to_string();
    let workloads: [(&str, &[&str]); 3] = [
        ("tpcb-like, simple", &["-b", "tpcb-like"]),
        ("tpcb-like, prepared", &["-b", "tpcb-like", "-M", "prepared"]),
        ("pipeline of 20 statements, prepared", &["-f", &pipeline, "-M", "prepared"]),
    ];
    for (name, workload) in workloads {
        for clients in [8, 64] {
            let transactions = TRANSACTIONS / HEAVIER / clients;
            let load = Load { way: Way::Unix, clients, workload, transactions };
            let [pgdyno, pgbench] = rounds(bench, load, [AUTO, Contender::Pgbench]);
            let figures = [&pgdyno, &pgbench].map(|figures| spread_in_words(figures)).join(" | ");
            println!("| {name} | {clients} | {figures} | **{}** |", ratio(&pgdyno, &pgbench));
        }
    }
}

fn heading() -> String {
    format!("µs of CPU: median (least … most) of {ROUNDS} interleaved rounds")
}

/// What of it is the kernel's: the same exchange by a loop that sends fixed bytes.
pub(super) fn print_floor(bench: &Bench<'_>) {
    println!("\n## The floor: what the kernel takes for the same exchange over io_uring, {}\n", heading());
    println!(
        "| route | clients | io_uring | floor | pgbench | io_uring / floor | io_uring / pgbench | floor / pgbench |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for way in [Way::Unix, Way::Tcp(bench.server.port())] {
        for clients in [64, 256] {
            let load = Load { way, clients, workload: &["-S", "-M", "prepared"], transactions: TRANSACTIONS / clients };
            let [ring, floor, pgbench] = rounds(bench, load, [IO_URING, Contender::Floor, Contender::Pgbench]);
            let figures = [&ring, &floor, &pgbench].map(|figures| spread_in_words(figures)).join(" | ");
            let (over_floor, of_ring, of_floor) =
                (ratio(&ring, &floor), ratio(&ring, &pgbench), ratio(&floor, &pgbench));
            println!("| {} | {clients} | {figures} | **{over_floor}** | **{of_ring}** | {of_floor} |", way.name());
        }
    }
}

/// The cost of each contender in each round; every round in another order, so that drift falls on all alike.
pub(super) fn rounds<const N: usize>(bench: &Bench<'_>, load: Load<'_>, contenders: [Contender; N]) -> [Vec<f64>; N] {
    let mut costs = [const { Vec::new() }; N];
    for round in 0..ROUNDS {
        for step in 0..N {
            let which = (step + round) % N;
            costs[which].push(contenders[which].cost_us(bench, load));
        }
    }
    costs
}

/// The ratio round by round: median, least and most.
pub(super) fn ratio(of: &[f64], to: &[f64]) -> String {
    let ratios: Vec<f64> = of.iter().zip(to).map(|(a, b)| a / b).collect();
    let [least, median, most] = spread(&ratios);
    format!("{median:.2} ({least:.2} … {most:.2})")
}

/// A script that sends 20 selects by key at once.
pub(super) fn pipeline() -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".sql").tempfile().expect("a temporary file");
    let select = "\\set aid random(1, 100000 * :scale)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n";
    write!(file, "\\startpipeline\n{}\\endpipeline\n", select.repeat(20)).expect("the script can be written");
    file
}
