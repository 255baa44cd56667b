//! `pgdyno import` as a person types it: logs larger than the memory that it may take, and what is no file.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::lab::Lab;
use crate::process::Running;

/// Writes a log of so many bytes, about.
fn write_log(path: &Path, bytes: usize, line: impl Fn(u64) -> String) {
    let mut out = std::io::BufWriter::new(fs::File::create(path).expect("a file"));
    let mut written = 0;
    for number in 0.. {
        let line = line(number);
        out.write_all(line.as_bytes()).expect("room");
        written += line.len();
        if written >= bytes {
            break;
        }
    }
    out.flush().expect("room");
}

/// The most memory that a process had resident by now, in bytes; none when it is gone.
fn most_resident(running: &Running) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", running.pid())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[test]
fn logs_of_100_megabytes_are_read_in_a_fraction_of_their_size() {
    const BYTES: usize = 100 << 20;
    let lab = Lab::new();
    let transaction = |number: u64| {
        let at_us = 1_795_183_830_000_000 + number * 10;
        format!(
            "{} {} {} 0 {} {}\n",
            number % 64,
            number / 64,
            200 + number * 7919 % 5000,
            at_us / 1_000_000,
            at_us % 1_000_000
        )
    };
    let request =
        |number: u64| format!("{}, {}, {}, 8192, 0\n", number / 10, 80_000 + number * 7919 % 100_000, number % 2);
    write_log(&lab.path().join("pgbench_log.1"), BYTES, transaction);
    write_log(&lab.path().join("stage_lat.1.log"), BYTES, request);
    for (count, file) in ["pgbench_log.1", "stage_lat.1.log"].into_iter().enumerate() {
        let mut running = lab.start(&format!("import --quiet --workload w {file}"));
        let most = std::cell::Cell::new(0);
        running.await_that("its run", |running| {
            most.set(most_resident(running).unwrap_or(0).max(most.get()));
            lab.runs().len() > count
        });
        running.end().exits(0);
        assert!(most.get() > 0 && most.get() < 64 << 20, "{file}: {} bytes resident", most.get());
    }
}

#[test]
fn a_pipe_is_refused_since_its_begin_would_be_lost() {
    let lab = Lab::new();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        lab.path().join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .expect("a pipe");
    lab.pgdyno("import pipe").exits(2).says(&["pipe is not a regular file", "write it to a file first"]);
    assert!(lab.runs().is_empty());
}
