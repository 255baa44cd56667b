//! How long `pgdyno audit` and `pgdyno import` take for a table of many rows and for the JSON of many jobs of fio, and
//! how much memory, at half of the size and at the whole: what is linear takes twice as much. `audit=ROWS` asks for
//! another size than a million rows; there are a hundredth as many jobs.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Rows of the table, unless another number is asked for.
pub(super) const ROWS: u64 = 1_000_000;

/// Rows for each job of fio.
const ROWS_OF_JOB: u64 = 100;

/// Jobs of each depth.
const JOBS_OF_DEPTH: u64 = 100;

/// How often a process is asked for its memory.
const ASKED_EVERY: Duration = Duration::from_millis(5);

/// Prints a line for each size of each kind of file.
pub(super) fn print_audits(pgdyno: &Path, rows: u64) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!("\n## Auditing and importing many rows and jobs\n");
    println!("| file | command | seconds | MiB resident at most |\n|---|---|--:|--:|");
    for count in [rows / 2, rows] {
        let path = directory.path().join("rows.csv");
        write_table(&path, count).expect("room for the table");
        print_lines(pgdyno, &path, &format!("table of {count} rows"));
    }
    for count in [rows / ROWS_OF_JOB / 2, rows / ROWS_OF_JOB] {
        let path = directory.path().join("jobs.json");
        write_jobs(&path, count).expect("room for the jobs");
        print_lines(pgdyno, &path, &format!("JSON of fio with {count} jobs"));
    }
}

fn print_lines(pgdyno: &Path, path: &Path, what: &str) {
    let runs = tempfile::tempdir().expect("a temporary directory");
    let (mut audit, mut import) = (Command::new(pgdyno), Command::new(pgdyno));
    audit.args(["audit", "--quiet", "--json"]).arg(path);
    import.args(["import", "--quiet", "--runs"]).arg(runs.path()).arg(path);
    for (name, command) in [("audit", audit), ("import", import)] {
        print_line(command, &format!("{what} | `{name}`"));
    }
}

fn print_line(mut command: Command, what: &str) {
    let begin = Instant::now();
    command.stdout(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let status_file = format!("/proc/{}/status", child.id());
    let mut resident_kib = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is a child") {
            break status;
        }
        resident_kib = resident_kib.max(peak_resident_kib(&status_file));
        std::thread::sleep(ASKED_EVERY);
    };
    assert!(status.success(), "{command:?}: {status}");
    println!("| {what} | {:.1} | {} |", begin.elapsed().as_secs_f64(), resident_kib >> 10);
}

/// The most memory that a process had resident, in KiB; zero where it has ended.
fn peak_resident_kib(status_file: &str) -> u64 {
    let Ok(text) = std::fs::read_to_string(status_file) else { return 0 };
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    number.unwrap_or(0)
}

/// Two targets at five numbers of clients, repeated, with figures that no two rows have in common.
fn write_table(path: &Path, rows: u64) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    writeln!(out, "target,workload,clients,tps,latency_ms_mean")?;
    for row in 0..rows {
        let target = if row % 2 == 0 { "vm" } else { "pod" };
        let clients = 1_u64 << (row / 2 % 5);
        let tps = 1000.0 * clients as f64 * (1.0 + 0.05 * spread_share(row));
        writeln!(out, "{target},select-only,{clients},{tps:.6},{:.6}", clients as f64 / tps * 1e3)?;
    }
    out.flush()
}

/// Random reads at other depths, each a job of its own.
fn write_jobs(path: &Path, jobs: u64) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    write!(out, "{{\"fio version\": \"fio-3.33\", \"timestamp_ms\": 1795194851192, \"jobs\": [")?;
    for job in 0..jobs {
        let depth = 1 + job / JOBS_OF_DEPTH;
        let iops = 1000.0 * (1.0 + 0.05 * spread_share(job));
        let comma = if job == 0 { "" } else { "," };
        write!(
            out,
            "{comma}\n{{\"jobname\": \"read-{job}\", \"groupid\": {job}, \"error\": 0, \"job options\": {{\"rw\": \
             \"randread\", \"bs\": \"4k\", \"direct\": \"1\", \"iodepth\": \"{depth}\"}}, \"read\": {{\"io_bytes\": {}, \
             \"bw_bytes\": {}, \"iops\": {iops:.6}, \"runtime\": 60000, \"total_ios\": {}, \"lat_ns\": {{\"max\": 9000000, \
             \"mean\": {:.3}, \"N\": 5}}}}}}",
            (iops * 60.0 * 4096.0) as u64,
            (iops * 4096.0) as u64,
            (iops * 60.0) as u64,
            depth as f64 / iops * 1e9,
        )?;
    }
    writeln!(out, "]}}")?;
    out.flush()
}

/// From 0 to 1 by a multiplicative hash, another share for each number.
fn spread_share(number: u64) -> f64 {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1_u64 << 53) as f64
}
