//! What a hundred generators cost the process that directs them: its CPU time and memory, what they report each second,
//! and how far apart they begin. The generators are simulated: each repeats what a real one has reported, on time.

use std::fs;
use std::io::{self, BufRead as _, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use testbed::{Postgres, Setup};

/// How many are simulated.
const GENERATORS: usize = 100;
/// Clients of all of them: as many as the one server here admits. What a generator tells of a second does not grow with
/// its clients.
const CLIENTS: usize = 1_000;
/// How long they send.
const MEASURE_S: u64 = 20;
/// What this program is called with where it stands for a generator.
pub(crate) const SIMULATED_GENERATOR: &str = "simulated-generator";

pub(super) fn print(pgdyno: &Path) {
    println!("\n## What directing {GENERATORS} generators costs\n");
    let settings = format!("max_connections = {}\n", CLIENTS + 50);
    let server = Setup { settings, ..Setup::default() }.start_server();
    let directory = tempfile::tempdir().expect("a directory");
    let path = with_ssh(directory.path());
    let run = |hosts: &str, clients: usize, measure_s: u64, runs: &str| {
        let plan = plan(&server, pgdyno, hosts, clients, measure_s);
        fs::write(directory.path().join("plan.yaml"), plan).expect("written");
        let mut command = Command::new(pgdyno);
        command.args(["run", "--quiet", "--json", "plan.yaml", "--runs", runs]).current_dir(directory.path());
        command.env("PATH", &path).stdout(Stdio::null()).stderr(Stdio::inherit());
        command.spawn().expect("pgdyno starts")
    };
    let recorded = run("[recorded]", 8, 3, "recorded-runs").wait().expect("it ends");
    assert!(matches!(recorded.code(), Some(0 | 4)), "{recorded}");
    let hosts: Vec<String> = (1..=GENERATORS).map(|number| format!("s{number}")).collect();
    let cost = watch(run(&format!("[{}]", hosts.join(", ")), CLIENTS, MEASURE_S, "runs"));
    let told = read_numbers(directory.path(), "bytes-");
    let begun = read_numbers(directory.path(), "begin-");
    let spread_us = begun.iter().max().zip(begun.iter().min()).map_or(0, |(last, first)| (last - first) / 1_000);
    let bytes_per_s = told.iter().sum::<u64>() / MEASURE_S;
    println!(
        "| generators | clients | CPU of the coordinator | its memory, peak | told a second | first to last begin |"
    );
    println!("|--:|--:|--:|--:|--:|--:|");
    println!(
        "| {} | {CLIENTS} | {:.2} of a CPU | {:.0} MB | {:.2} MB | {:.2} ms |",
        begun.len(),
        cost.cpus,
        cost.peak_mb,
        bytes_per_s as f64 / 1e6,
        spread_us as f64 / 1e3
    );
}

fn plan(server: &Postgres, pgdyno: &Path, hosts: &str, clients: usize, measure_s: u64) -> String {
    // Not the word for every machine itself.
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    format!(
        "name: generators\ntargets: {{ it: {{ url: \"host={} port={} user=postgres dbname=postgres sslmode=disable\" }} }}\n\
         baseline: it\ngenerators: {{ farm: {{ ssh: {hosts}, pgdyno: {} }} }}\nthreads: 1\nprobes: false\n\
         workloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [{clients}]\n\
         trial: {{ warm_up: 0s, measure: {measure_s}s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        host.trim(),
        server.tcp_port(),
        pgdyno.display()
    )
}

/// An ssh that goes nowhere: the host `recorded` is a real generator whose words are kept, all others are simulated.
fn with_ssh(directory: &Path) -> std::ffi::OsString {
    let own = std::env::current_exe().expect("this program");
    let script = format!(
        "#!/bin/sh\nfor one; do host=$last; last=$one; done\n\
         if [ $host = recorded ]; then sh -c \"$last\" | tee {0}/recorded; exit; fi\n\
         exec {1} {SIMULATED_GENERATOR} {0} {MEASURE_S}\n",
        directory.display(),
        own.display()
    );
    let ssh = directory.join("ssh");
    fs::write(&ssh, script).expect("written");
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).expect("set");
    let path = std::env::var_os("PATH").expect("a PATH");
    std::env::join_paths(std::iter::once(directory.to_owned()).chain(std::env::split_paths(&path))).expect("a PATH")
}

/// What the process that directs took.
struct CoordinatorCost {
    /// CPUs that it used in the busiest ten seconds.
    cpus: f64,
    /// The most memory that it had.
    peak_mb: f64,
}

fn watch(mut coordinator: Child) -> CoordinatorCost {
    let own = PathBuf::from(format!("/proc/{}", coordinator.id()));
    let mut samples: Vec<(Instant, f64)> = Vec::new();
    let mut peak_mb = 0.0_f64;
    while coordinator.try_wait().expect("it can be asked").is_none() {
        if let Some(cpu_s) = cpu_seconds(&own) {
            samples.push((Instant::now(), cpu_s));
        }
        peak_mb = peak_mb.max(peak_memory_mb(&own).unwrap_or_default());
        thread::sleep(Duration::from_millis(200));
    }
    let mut cpus = 0.0_f64;
    for (at, cpu_s) in &samples {
        let later = samples.iter().find(|(later, _)| *later - *at >= Duration::from_secs(10));
        if let Some((later, later_cpu_s)) = later {
            cpus = cpus.max((later_cpu_s - cpu_s) / (*later - *at).as_secs_f64());
        }
    }
    CoordinatorCost { cpus, peak_mb }
}

/// Its own CPU time, without that of its children.
fn cpu_seconds(process: &Path) -> Option<f64> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(ticks as f64 / 100.0)
}

fn peak_memory_mb(process: &Path) -> Option<f64> {
    let status = fs::read_to_string(process.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}

fn read_numbers(directory: &Path, prefix: &str) -> Vec<u64> {
    let files = fs::read_dir(directory).expect("listed").flatten();
    let named = files.filter(|file| file.file_name().to_string_lossy().starts_with(prefix));
    named.filter_map(|file| fs::read_to_string(file.path()).ok()?.trim().parse().ok()).collect()
}

/// Stands for a generator: answers as one does, and repeats the second that a real one has told.
pub(crate) fn simulate_generator(directory: &Path, seconds: u64) -> ExitCode {
    let recorded = fs::read_to_string(directory.join("recorded")).expect("a real generator has been heard");
    let lines: Vec<Json> = recorded.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let find = |pointer: &str| lines.iter().rev().find(|line| line.pointer(pointer).is_some()).cloned().expect(pointer);
    let (hello, second, done) = (find("/hello"), find("/event/second"), find("/done"));
    let clock = Instant::now();
    let mouth = Arc::new(Mouth { told: Mutex::new(0) });
    mouth.say(&hello);
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let order: Json = serde_json::from_str(&line).unwrap_or_default();
        let now_ns = clock.elapsed().as_nanos() as u64;
        if order == json!("ping") {
            mouth.say(&json!({ "pong": { "at_ns": now_ns } }));
        } else if order.get("round-trip").is_some() {
            mouth.say(&json!({ "round-trip": { "median_us": { "Ok": 100 } } }));
        } else if let Some(load) = order.get("load") {
            let start_ns = load["start_at_ns"].as_u64().unwrap_or(now_ns);
            thread::sleep(Duration::from_nanos(start_ns.saturating_sub(now_ns)));
            mouth.say(&json!({ "event": { "connected": { "at_ns": 1 } } }));
        } else if let Some(at_ns) = order.pointer("/begin/at_ns").and_then(Json::as_u64) {
            mouth.say(&json!({ "told-begin": { "late_ns": now_ns.saturating_sub(at_ns) } }));
            // By the clock that all of them share here.
            let begin = clock + Duration::from_nanos(at_ns);
            write_number(directory, "begin-", boot_ns() + nanoseconds(begin.saturating_duration_since(Instant::now())));
            let (mouth, second, done, directory) = (mouth.clone(), second.clone(), done.clone(), directory.to_owned());
            thread::spawn(move || {
                mouth.send_load(begin, seconds, &second, &done);
                let told = mouth.told.lock().unwrap_or_else(PoisonError::into_inner);
                write_number(&directory, "bytes-", *told);
            });
        }
    }
    ExitCode::SUCCESS
}

/// What is said, and how many bytes that was so far.
struct Mouth {
    told: Mutex<u64>,
}

impl Mouth {
    fn say(&self, answer: &Json) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{answer}\n");
        let mut output = io::stdout().lock();
        // Whoever listened is gone: the input ends, too.
        let _gone = output.write_all(line.as_bytes()).and_then(|()| output.flush());
        *told += line.len() as u64;
    }

    fn send_load(&self, begin: Instant, seconds: u64, second: &Json, done: &Json) {
        self.say(&json!({ "event": { "began": { "phase": "Measure", "at_ns": 1 } } }));
        let mut second = second.clone();
        for index in 0..seconds {
            for tenth in 1..=10 {
                let at = begin + Duration::from_millis(index * 1_000 + tenth * 100);
                thread::sleep(at.saturating_duration_since(Instant::now()));
                self.say(&json!({ "alive": { "transactions": index * 10 + tenth } }));
            }
            second["event"]["second"]["second"]["index"] = json!(index);
            second["event"]["second"]["second"]["start_ns"] = json!(index * 1_000_000_000);
            self.say(&second);
        }
        self.say(done);
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Nanoseconds since the machine was started: the same for all processes.
fn boot_ns() -> u64 {
    let uptime = nix::time::clock_gettime(nix::time::ClockId::CLOCK_MONOTONIC).expect("every machine has it");
    nanoseconds(Duration::from(uptime))
}

fn write_number(directory: &Path, prefix: &str, number: u64) {
    let file = directory.join(format!("{prefix}{}", std::process::id()));
    fs::write(file, number.to_string()).expect("written");
}
