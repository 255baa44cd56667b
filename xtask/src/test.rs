//! Runs every test, several programs at once, and prints where the time went: most of them wait, for servers, seconds
//! and disks.
//!
//! `cargo test` runs one program after another. What is started here is the same: each program of tests in its
//! package's folder, the examples of the documentation, the viewer's checks, and real runs that a browser looks at.
//! Nothing in them depends on how fast the machine is, and no two want the same port, directory or control group. What
//! does want the machine for itself is not here: the lab, which holds a lock, and the benchmark.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What takes longest begins first.
const LONGEST_FIRST: [&str; 7] =
    ["it", "live page in a browser", "report in a browser", "engine", "dataset", "tls", "servers"];

/// Programs whose tests wait longer than they work, for trials, events and the ends of servers: more of them run at
/// once.
const MOSTLY_WAIT: [&str; 2] = ["it", "servers"];

/// The suite draws the same cases at each run: what it says of a change is of the change. `make test-properties` draws
/// others.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// Runs a command and says last, on a line of its own, which CPU time it took, with all of its children.
const TIMED: &str = "TIMEFORMAT=$'\\n%U %S'; time \"$@\"";

struct Job {
    name: String,
    command: Command,
}

struct Done {
    name: String,
    passed: bool,
    output: String,
    wall: Duration,
    cpu_s: f64,
}

/// Runs everything; `pgdyno` makes the report.
pub(crate) fn run(root: &Path, pgdyno: &Path) -> ExitCode {
    let begun = Instant::now();
    let cpus = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut jobs = programs(root, Some(cpus));
    jobs.extend(others(root, pgdyno));
    let rank =
        |job: &Job| LONGEST_FIRST.iter().position(|name| job.name.ends_with(name)).unwrap_or(LONGEST_FIRST.len());
    // The last one is taken first.
    jobs.sort_by_key(|job| std::cmp::Reverse(rank(job)));
    let (jobs, (sender, done)) = (Mutex::new(jobs), mpsc::channel());
    let mut all = std::thread::scope(|scope| {
        for _ in 0..cpus {
            let (jobs, sender) = (&jobs, sender.clone());
            scope.spawn(move || {
                while let Some(job) = { jobs.lock().expect("no worker panics").pop() } {
                    sender.send(job.run()).expect("somebody listens");
                }
            });
        }
        drop(sender);
        done.into_iter().inspect(Done::tell).collect::<Vec<_>>()
    });
    all.sort_by_key(|done| std::cmp::Reverse(done.wall));
    println!("\n{:>8} {:>8}  where the time went", "wall s", "CPU s");
    for done in &all {
        println!("{:8.1} {:8.1}  {}", done.wall.as_secs_f64(), done.cpu_s, done.name);
    }
    let cpu_s: f64 = all.iter().map(|done| done.cpu_s).sum();
    println!("{:8.1} {cpu_s:8.1}  all, {} at once", begun.elapsed().as_secs_f64(), cpus);
    let failed: Vec<&str> = all.iter().filter(|done| !done.passed).map(|done| done.name.as_str()).collect();
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: failed: {}", failed.join(", "));
    ExitCode::FAILURE
}

/// Runs the program of tests `it` of pgdyno with these arguments, which prints what it does meanwhile.
pub(crate) fn it(root: &Path, arguments: &[&str]) -> ExitCode {
    let mut all = programs(root, None);
    let at = all.iter().position(|job| job.name == "pgdyno it").expect("pgdyno has such tests");
    let status = all.swap_remove(at).command.args(arguments).status().expect("it starts");
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The programs of tests, built if need be, with so many of their tests at once.
fn programs(root: &Path, threads: Option<usize>) -> Vec<Job> {
    let mut cargo = cargo(root);
    cargo.args(["build", "--locked", "--workspace", "--all-targets", "--message-format=json-render-diagnostics"]);
    let built = cargo.stderr(Stdio::inherit()).output().expect("cargo starts");
    assert!(built.status.success(), "cargo build: {}", built.status);
    let messages = String::from_utf8_lossy(&built.stdout);
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let jobs = messages.filter(|message| message["profile"]["test"] == true).filter_map(|message| {
        let kind = if message["target"]["kind"][0] == "test" { message["target"]["name"].as_str()? } else { "units" };
        let threads = threads.map(|threads| if MOSTLY_WAIT.contains(&kind) { 2 * threads } else { threads });
        let package = Path::new(message["manifest_path"].as_str()?).parent()?;
        let mut command = Command::new(message["executable"].as_str()?);
        command.current_dir(package).env("CARGO_MANIFEST_DIR", package);
        command.args(threads.map(|threads| format!("--test-threads={threads}")));
        if std::env::var_os(PROPERTY_SEED).is_none() {
            command.env(PROPERTY_SEED, "1");
        }
        // A server of the person who types this is none of the tests' business.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"PG")) {
            if !name.as_encoded_bytes().starts_with(b"PGDYNO_") {
                command.env_remove(name);
            }
        }
        Some(Job { name: format!("{} {kind}", package.file_name()?.display()), command })
    });
    jobs.collect()
}

fn others(root: &Path, pgdyno: &Path) -> Vec<Job> {
    let mut examples = cargo(root);
    // Asked for those of the whole workspace, cargo would compile many of its libraries once more.
    examples.args(["test", "--locked", "--doc", "-p", crate::tidy::CRATE_WITH_EXAMPLES]);
    let mut report = Command::new("scripts/test-report");
    report.arg(pgdyno).current_dir(root);
    let mut live = Command::new("scripts/test-live");
    live.arg(pgdyno).current_dir(root);
    let npm = |arguments: &[&str]| {
        let mut npm = Command::new("npm");
        npm.args(arguments).current_dir(root.join("web"));
        npm
    };
    let jobs = [
        ("report in a browser", report),
        ("live page in a browser", live),
        ("examples in the documentation", examples),
        ("viewer's types", npm(&["run", "check"])),
        ("viewer's tests", npm(&["test"])),
    ];
    jobs.map(|(name, command)| Job { name: name.to_owned(), command }).into()
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

impl Job {
    fn run(self) -> Done {
        let mut timed = Command::new("bash");
        timed.args(["-c", TIMED, "bash"]).arg(self.command.get_program()).args(self.command.get_args());
        timed.current_dir(self.command.get_current_dir().expect("every job has one"));
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => timed.env(name, value),
                None => timed.env_remove(name),
            };
        }
        let mut file = tempfile::tempfile().expect("a file for its output");
        let output = |file: &File| file.try_clone().expect("a file for its output");
        let begun = Instant::now();
        let status =
            timed.stdin(Stdio::null()).stdout(output(&file)).stderr(output(&file)).status().expect("bash starts");
        let wall = begun.elapsed();
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("its output");
        let output = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        let (output, times) = output.rsplit_once('\n').unwrap_or(("", &output));
        let cpu_s = times.split(' ').filter_map(|time| time.parse::<f64>().ok()).sum();
        Done { name: self.name, passed: status.success(), output: output.trim_end().to_owned(), wall, cpu_s }
    }
}

impl Done {
    /// Says how it ended; all that it has said, if badly.
    fn tell(&self) {
        if !self.passed {
            println!("{}\nFAILED {}", self.output, self.name);
            return;
        }
        let result = self.output.lines().rev().find_map(|line| line.trim().strip_prefix("test result: ok. "));
        println!("ok {}{}", self.name, result.map(|result| format!(": {result}")).unwrap_or_default());
    }
}
