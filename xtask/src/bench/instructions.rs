//! Instructions of the client per transaction, counted by callgrind: unlike times they hardly differ from run to run,
//! so that a regression of a few per cent shows on any machine.
//!
//! What is counted is user space only and epoll only: the kernel's part is in the table of CPU time, and valgrind does
//! not know `io_uring`.

use std::io::Write as _;
use std::process::Command;

use super::Bench;
use super::contender::DATABASE;
use super::cost::pipeline;
use super::tool::{self, Way, figure, pgbench_like};

const CLIENTS: u32 = 8;
/// Transactions per client of the shorter and the longer run: of the difference neither has to start,
/// to log in, or to warm up.
const TRANSACTIONS: [u32; 2] = [250, 1250];

/// Prints the table.
pub(super) fn print(bench: &Bench<'_>) {
    println!("\n## Instructions of the client per transaction (callgrind, user space, epoll, {CLIENTS} clients)\n");
    println!("| workload | pgdyno | the other | the other is | ratio |\n|---|--:|--:|---|--:|");
    let (pipeline, point_select) = (pipeline(), point_select());
    let [pipeline, point_select] = [&pipeline, &point_select].map(|file| file.path().display().to_string());
    let workloads: [(&str, &[&str], Other); 7] = [
        ("select-only, simple", &["-S"], Other::Pgbench),
        ("select-only, extended", &["-S", "-M", "extended"], Other::Pgbench),
        ("select-only, prepared", &["-S", "-M", "prepared"], Other::Pgbench),
        ("tpcb-like, simple", &["-b", "tpcb-like"], Other::Pgbench),
        ("tpcb-like, prepared", &["-b", "tpcb-like", "-M", "prepared"], Other::Pgbench),
        ("pipeline of 20 statements, prepared", &["-f", &pipeline, "-M", "prepared"], Other::Pgbench),
        ("sysbench's point select, prepared", &["-f", &point_select, "-M", "prepared"], Other::Sysbench),
    ];
    for (name, workload, other) in workloads {
        let ours = per_transaction(bench, |transactions| pgbench_command(bench, bench.pgdyno, workload, transactions));
        let theirs = per_transaction(bench, |transactions| match other {
            Other::Pgbench => pgbench_command(bench, &bench.server.tool("pgbench"), workload, transactions),
            Other::Sysbench => {
                let events = format!("--events={}", CLIENTS * transactions);
                bench.sysbench(Way::Unix, CLIENTS, &["--time=0", &events, "run"])
            }
        });
        println!("| {name} | {ours:.0} | {theirs:.0} | {} | **{:.2}** |", other.name(), ours / theirs);
    }
}

/// Beside whom.
#[derive(Clone, Copy)]
enum Other {
    Pgbench,
    Sysbench,
}

impl Other {
    fn name(self) -> &'static str {
        match self {
            Self::Pgbench => "pgbench",
            Self::Sysbench => "sysbench",
        }
    }
}

/// Instructions per transaction of the command that makes so many transactions per client.
fn per_transaction(bench: &Bench<'_>, command: impl Fn(u32) -> Command) -> f64 {
    let [short, long] = TRANSACTIONS.map(|transactions| instructions(bench, &command(transactions)));
    (long - short) / f64::from(CLIENTS * (TRANSACTIONS[1] - TRANSACTIONS[0]))
}

fn pgbench_command(bench: &Bench<'_>, program: &std::path::Path, workload: &[&str], transactions: u32) -> Command {
    let (clients, transactions) = (CLIENTS.to_string(), transactions.to_string());
    let mut options = vec!["-n", "-j", "1", "-c", &clients, "-t", &transactions];
    options.extend(workload);
    if program == bench.pgdyno {
        options.extend(["--backend", "epoll"]);
    }
    options.push(DATABASE);
    pgbench_like(program, bench.server, Way::Unix, &options)
}

/// All instructions of a command, from its start to its end, in all its threads.
fn instructions(bench: &Bench<'_>, command: &Command) -> f64 {
    // sysbench makes code as it runs.
    let callgrind = ["valgrind", "--tool=callgrind", "--smc-check=all-non-file", "--callgrind-out-file=/dev/null"];
    let ran = tool::run(&mut tool::under(&callgrind, command), bench.server);
    figure(&ran.stderr.replace("==", "\n"), "Collected :")
}

/// The statement of sysbench's point select as a script.
fn point_select() -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".sql").tempfile().expect("a temporary file");
    let rows = super::contender::SYSBENCH_ROWS;
    writeln!(file, "\\set id random(1, {rows})\nSELECT c FROM sbtest1 WHERE id = :id;")
        .expect("the script can be written");
    file
}
