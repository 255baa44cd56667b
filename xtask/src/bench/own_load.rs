//! What capturing and replaying a load costs: reading a log beside `awk`, `wc` and pgreplay, passing messages through
//! the proxy, and the client of a replay beside pgbench with the same statements. `capture=MIB` makes a log of another
//! size than 1 GiB.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::Bench;
use super::contender::{Contender, DATABASE, Load};
use super::cost::ratio;
use super::tool::{self, Way, figure, pgbench_like};
use super::{spread, spread_in_words};

/// Size of a log, unless another one is asked for.
pub(super) const MIB: u64 = 1 << 10;
const ROUNDS: usize = 3;
/// With the proxy and without, in turn.
const PROXY_ROUNDS: usize = 7;
const CLIENTS: u32 = 8;
/// Transactions of each client while a load is captured.
const CAPTURED: u32 = 2_000;
/// Transactions of the one client whose round trips are timed.
const ROUND_TRIPS: u32 = 10_000;

/// Reads a csvlog `ROUNDS` times with each program, and a quarter of it once, for the memory.
pub(super) fn print_log_reading(pgdyno: &Path, mib: u64) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let (log, quarter) = (directory.join("postgresql.csv"), directory.join("quarter.csv"));
    let bytes = write_log(&log, mib << 20) as f64;
    write_log(&quarter, (mib << 20) / 4);
    println!("\n## Capturing a csvlog of {mib} MiB: MB per second of CPU time, {ROUNDS} times\n");
    println!("| program | MB/s | resident, MiB | of a quarter of the log |\n|---|--:|--:|--:|");
    for name in ["pgdyno capture", "awk", "wc -l", "pgreplay -f -c"] {
        let has_program = Command::new("which").arg(name.split(' ').next().unwrap_or(name)).output();
        if name != "pgdyno capture" && !has_program.is_ok_and(|found| found.status.success()) {
            println!("| {name} | not installed | | |");
            continue;
        }
        let mut rates = Vec::new();
        let mut resident_kib = 0;
        for round in 0..ROUNDS {
            let spent = tool::run_spending(&mut reading_command(
                name,
                pgdyno,
                &log,
                &directory.join(format!("capture{round}")),
            ));
            rates.push(bytes / 1e6 / spent.cpu.as_secs_f64());
            resident_kib = spent.resident_kib.max(resident_kib);
        }
        let of_quarter =
            tool::run_spending(&mut reading_command(name, pgdyno, &quarter, &directory.join("of-quarter")));
        let resident = [resident_kib, of_quarter.resident_kib].map(|kib| (kib >> 10).to_string()).join(" | ");
        println!("| {name} | {} | {resident} |", spread_in_words(&rates));
    }
}

fn reading_command(name: &str, pgdyno: &Path, log: &Path, out: &Path) -> Command {
    let mut command = match name {
        "awk" => Command::new("awk"),
        "wc -l" => Command::new("wc"),
        "pgreplay -f -c" => Command::new("pgreplay"),
        _ => Command::new(pgdyno),
    };
    match name {
        "awk" => command.args(["-F,", "{ sum += $7 } END { print sum }"]).arg(log),
        "wc -l" => command.arg("-l").arg(log),
        "pgreplay -f -c" => command.args(["-f", "-c", "-o"]).arg(out.with_extension("replay")).arg(log),
        _ => command.args(["capture", "--mask", "none", "--log"]).arg(log).arg("--out").arg(out),
    };
    command
}

fn write_log(path: &Path, bytes: u64) -> u64 {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).expect("a file"));
    // The size is looked at now and then.
    for number in 0.. {
        log_line(number, &mut out).expect("room for the log");
        if number % (1 << 12) == 0 && std::fs::metadata(path).expect("it is there").len() >= bytes {
            break;
        }
    }
    out.flush().expect("room for the log");
    std::fs::metadata(path).expect("it is there").len()
}

/// 32 sessions of two statements in turn, one with parameters and one with literals, 10 000 a second.
fn log_line(number: u64, out: &mut dyn Write) -> std::io::Result<()> {
    let (session, line) = (number % 32, number / 32 + 1);
    let (pid, id) = (4_000 + session, number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44);
    let second = number / 10_000;
    let time = format!(
        "2026-11-29 {:02}:{:02}:{:02}.{:03} UTC",
        second / 3_600 % 24,
        second / 60 % 60,
        second % 60,
        number / 10 % 1_000
    );
    let (message, detail) = if number.is_multiple_of(2) {
        let text = "SELECT abalance, filler FROM pgbench_accounts WHERE aid = $1 AND bid = $2";
        (format!("execute P_1: {text}"), format!("\"parameters: $1 = '{id}', $2 = '{session}'\""))
    } else {
        let values = format!("{session}, {id}, {}, CURRENT_TIMESTAMP", id % 5_000);
        (format!("statement: INSERT INTO pgbench_history (tid, aid, delta, mtime) VALUES ({values})"), String::new())
    };
    writeln!(
        out,
        "{time},\"app\",\"bench\",{pid},\"10.0.0.7:{}\",6a0b2ef0.{pid:x},{line},\"SELECT\",2026-11-29 00:00:00 UTC,\
         {session}/{line},0,LOG,00000,\"duration: 0.{:03} ms  {message}\",{detail},,,,,,,,\"pgbench\",\
         \"client backend\",,0",
        40_000 + session,
        id % 1_000
    )
}

/// A proxy between clients and the server.
pub(super) struct CapturingProxy {
    child: Child,
    port: u16,
}

impl CapturingProxy {
    pub(super) fn start_capture(bench: &Bench<'_>, out: &Path) -> Self {
        let to = format!("host=127.0.0.1 port={} sslmode=disable", bench.server.port());
        let mut command = Command::new(bench.pgdyno);
        command.args(["capture", "--listen", "127.0.0.1:0", "--to", &to, "--mask", "none", "--out"]).arg(out);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("it says where it listens");
        let (_, address) = line.split_once("listening on 127.0.0.1:").unwrap_or_else(|| panic!("{line:?}"));
        let digits: String = address.chars().take_while(char::is_ascii_digit).collect();
        let port = digits.parse().unwrap_or_else(|_| panic!("no port in {line:?}"));
        // It may say more, and must not wait for someone who reads it.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Self { child, port }
    }

    /// The time that its threads have been on a CPU.
    fn cpu_ns(&self) -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs");
        let mut cpu_ns = 0;
        for task in tasks.flatten() {
            let line = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            cpu_ns += line.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).unwrap_or(0);
        }
        cpu_ns
    }

    /// Where clients connect.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn stop_capture(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().is_ok_and(|status| status.success()));
        assert!(self.child.wait().expect("it ends").success(), "the proxy has failed");
    }
}

/// The latency that a proxy adds to a round trip, and the messages that one CPU passes and records.
pub(super) fn print_proxy(bench: &Bench<'_>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!("\n## The proxy of `pgdyno capture --listen`: select-only over TCP, {PROXY_ROUNDS} interleaved rounds\n");
    println!(
        "| mode | median round trip, µs | by proxy, µs | added at the median, µs | added to the mean, µs | messages per \
         second of CPU time |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    // Messages of a select: those of the client, and five of the server.
    for (mode, messages) in [("simple", 1.0 + 4.0), ("prepared", 4.0 + 5.0)] {
        let mut rows: [Vec<f64>; 5] = Default::default();
        for round in 0..PROXY_ROUNDS {
            let direct = round_trips_of(bench, mode, bench.server.port(), directory.path());
            let proxy = CapturingProxy::start_capture(bench, &directory.path().join(format!("{mode}{round}")));
            let passed = round_trips_of(bench, mode, proxy.port, directory.path());
            let before_ns = proxy.cpu_ns();
            let transactions = run_select(bench, mode, proxy.port, CLIENTS, CAPTURED);
            let cpu_s = (proxy.cpu_ns() - before_ns) as f64 / 1e9;
            proxy.stop_capture();
            let rate = figure(&transactions, "number of transactions actually processed") * messages / cpu_s;
            let added = [passed.median_us - direct.median_us, passed.mean_us - direct.mean_us];
            for (row, figure) in rows.iter_mut().zip([direct.median_us, passed.median_us, added[0], added[1], rate]) {
                row.push(figure);
            }
        }
        println!("| {mode} | {} |", rows.map(|row| spread_in_words(&row)).join(" | "));
    }
}

/// How long one client waits for a round trip, in microseconds.
struct RoundTrips {
    median_us: f64,
    mean_us: f64,
}

/// Of `ROUND_TRIPS` transactions, each of which pgbench logs.
fn round_trips_of(bench: &Bench<'_>, mode: &str, port: u16, directory: &Path) -> RoundTrips {
    let prefix = directory.join(format!("round-trips-{port}"));
    let prefix = prefix.display().to_string();
    let mean_ms = figure(
        &run_logged_select(bench, mode, port, (1, ROUND_TRIPS), &["-l", "--log-prefix", &prefix]),
        "latency average",
    );
    let mut times_us = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the log of pgbench").flatten() {
        if !entry.path().display().to_string().starts_with(&prefix) {
            continue;
        }
        let log = std::fs::read_to_string(entry.path()).expect("the log of pgbench");
        // Client, transaction, microseconds, ...
        times_us.extend(log.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<f64>().ok()));
        std::fs::remove_file(entry.path()).expect("it is ours");
    }
    assert_eq!(times_us.len(), ROUND_TRIPS as usize, "pgbench logs each transaction");
    RoundTrips { median_us: spread(&times_us)[1], mean_us: 1e3 * mean_ms }
}

/// What pgbench prints of its select-only at this port.
fn run_select(bench: &Bench<'_>, mode: &str, port: u16, clients: u32, transactions: u32) -> String {
    run_logged_select(bench, mode, port, (clients, transactions), &[])
}

/// The same with more options; `size` is the clients and the transactions of each.
fn run_logged_select(bench: &Bench<'_>, mode: &str, port: u16, size: (u32, u32), more: &[&str]) -> String {
    let (clients, transactions) = (size.0.to_string(), size.1.to_string());
    let mut options = vec!["-n", "-S", "-M", mode, "-j", "1", "-c", &clients, "-t", &transactions];
    options.extend(more);
    options.push(DATABASE);
    let pgbench = bench.server.tool("pgbench");
    tool::run(&mut pgbench_like(&pgbench, bench.server, Way::Tcp(port), &options), bench.server).stdout
}

/// CPU of the client per statement in a replay, beside pgbench with the load that was captured.
pub(super) fn print_replay(bench: &Bench<'_>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!("\n## Client CPU per statement of a replay, {CLIENTS} clients over the unix socket\n");
    println!("| captured load | replay, µs | pgbench, µs | replay / pgbench |\n|---|--:|--:|--:|");
    let loads: [(&str, &[&str], f64); 2] =
        [("select-only, simple", &["-S"], 1.0), ("tpcb-like, simple", &["-b", "tpcb-like"], 7.0)];
    for (number, (name, workload, statements)) in loads.into_iter().enumerate() {
        let captured = directory.path().join(format!("capture{number}"));
        capture_load(bench, workload, &captured);
        let load = Load { way: Way::Unix, clients: CLIENTS, workload, transactions: CAPTURED };
        let (mut replay, mut pgbench) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let place = directory.path().join(format!("replay{number}-{round}"));
            replay.push(replay_cost_us(bench, &captured, &place) / statements);
            pgbench.push(Contender::Pgbench.cost_us(bench, load) / statements);
        }
        let figures = [&replay, &pgbench].map(|figures| spread_in_words(figures)).join(" | ");
        println!("| {name} | {figures} | **{}** |", ratio(&replay, &pgbench));
    }
}

fn capture_load(bench: &Bench<'_>, workload: &[&str], out: &Path) {
    let proxy = CapturingProxy::start_capture(bench, out);
    let (clients, transactions) = (CLIENTS.to_string(), CAPTURED.to_string());
    let mut options = vec!["-n", "-j", "1", "-c", &clients, "-t", &transactions];
    options.extend(workload);
    options.push(DATABASE);
    let pgbench = bench.server.tool("pgbench");
    tool::run(&mut pgbench_like(&pgbench, bench.server, Way::Tcp(proxy.port), &options), bench.server);
    proxy.stop_capture();
}

/// Microseconds of CPU of the load threads per transaction of a replay, as the run itself accounts for them.
fn replay_cost_us(bench: &Bench<'_>, captured: &Path, place: &Path) -> f64 {
    std::fs::create_dir(place).expect("a directory");
    let socket = bench.server.socket_directory().display();
    let target = format!("host={socket} port={} user={} dbname={DATABASE}", bench.server.port(), bench.server.user());
    let plan = place.join("replay.yaml");
    let text = format!(
        "name: Replay\ntargets:\n  a: {{ url: \"{target}\" }}\nbaseline: a\nworkloads:\n  w: {{ captured: \"{}\" }}\n\
         clients: {CLIENTS}\nthreads: 1\ntrial: {{ warm_up: 0s, measure: 20s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        captured.display()
    );
    std::fs::write(&plan, text).expect("a plan");
    let mut command = Command::new(bench.pgdyno);
    command.arg("run").arg(&plan).current_dir(place).env("PGPASSWORD", bench.server.password());
    let output = command.output().expect("it starts");
    // One block is no comparison, which is what 4 says.
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 4)), "{command:?}: {said}");
    let trial = trial_file(&place.join("runs")).unwrap_or_else(|| panic!("no trial under {}", place.display()));
    let bytes = std::fs::read(&trial).expect("it is there");
    let trial: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
    let [cpu_us, transactions, failed] = ["/load/engine/cpu_us", "/load/transactions", "/load/failed"]
        .map(|path| trial.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or(0.0));
    cpu_us / (transactions + failed)
}

/// The first `trial.json` below a directory.
fn trial_file(directory: &Path) -> Option<PathBuf> {
    for entry in std::fs::read_dir(directory).ok()?.flatten() {
        let path = entry.path();
        if path.file_name().is_some_and(|name| name == "trial.json") {
            return Some(path);
        }
        if path.is_dir()
            && !path.is_symlink()
            && let Some(found) = trial_file(&path)
        {
            return Some(found);
        }
    }
    None
}
