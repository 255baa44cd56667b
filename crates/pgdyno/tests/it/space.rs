//! File systems that are full or cannot be written to. Needs root, to mount some.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use crate::lab::Lab;
use crate::run_view::RunView;
use results::latest::is_latest_link;
use testbed::{Postgres, is_root, newest_version};

/// A file system in memory, until it is dropped.
struct Memory {
    path: PathBuf,
}

impl Memory {
    /// Mounts one below the lab; none, with a line that says so, where that is not allowed.
    fn mount(lab: &Lab, options: &str) -> Option<Self> {
        let path = lab.path().join("memory");
        fs::create_dir(&path).expect("made");
        let mount = || Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&path).status();
        if is_root() && mount().is_ok_and(|status| status.success()) {
            return Some(Self { path });
        }
        eprintln!("skipped: mounting a file system needs root and the right to mount");
        None
    }

    fn remount(&self, options: &str) {
        let mount = Command::new("mount").arg("-o").arg(format!("remount,{options}")).arg(&self.path).status();
        assert!(mount.is_ok_and(|status| status.success()));
    }

    /// Takes what space there is, until the file is removed.
    fn fill(&self) -> PathBuf {
        let ballast = self.path.join("ballast");
        let full = fs::write(&ballast, vec![0; 64 << 20]).expect_err("the file system is smaller");
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
        ballast
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // The mount goes now, its content when the last file is closed.
        let _status = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}

fn plan(server: &Postgres) -> String {
    let side = format!("{{ url: \"{}\" }}", server.tcp_url());
    format!(
        "name: Space\ntargets:\n  one: {side}\n  two: {side}\nbaseline: one\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: 3s }}\nblocks: {{ at_least: 1, at_most: 1 }}\ninterleave: trials\n"
    )
}

fn the_run(below: &Path) -> Option<PathBuf> {
    fs::read_dir(below)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.join("run.json").exists() && !is_latest_link(path))
}

#[test]
fn a_full_file_system_ends_the_run_by_name_and_resume_goes_on_when_there_is_space() {
    let lab = Lab::new();
    let Some(memory) = Memory::mount(&lab, "size=4m") else { return };
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server));
    let mut pgdyno = lab.start("run plan.yaml --runs memory");
    pgdyno.await_that("a second of trial 2", |_| {
        the_run(&memory.path).is_some_and(|run| RunView::has_seconds(&run, 2, 1))
    });
    let ballast = memory.fill();
    let ended = pgdyno.end();
    ended.exits(3).says(&["trials/2.partial", "No space left", "resume"]);
    let run = RunView::open(&the_run(&memory.path).expect("a run"));
    assert_eq!(run.completed(), [1], "the finished trial stays");
    lab.pgdyno("list memory").exits(0).prints(&["No space left"]);
    let first = run.files("trials/1");
    let resume = format!("resume {}", run.path().display());
    lab.pgdyno(&resume).exits(3).says(&["No space left"]);

    fs::remove_file(ballast).expect("removed");
    lab.pgdyno(&resume).measured();
    assert_eq!(run.completed(), [1, 2]);
    assert_eq!(run.files("trials/1"), first);
}

#[test]
fn a_full_file_system_ends_all_sides_that_take_turns_and_resume_measures_them_anew() {
    let lab = Lab::new();
    let Some(memory) = Memory::mount(&lab, "size=4m") else { return };
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server).replace("interleave: trials", "interleave: slices"));
    let mut pgdyno = lab.start("run plan.yaml --runs memory");
    pgdyno.await_that("a second of trial 2", |_| {
        the_run(&memory.path).is_some_and(|run| RunView::has_seconds(&run, 2, 1))
    });
    let ballast = memory.fill();
    pgdyno.end().exits(3).says(&[".partial", "No space left", "resume"]);
    let run = RunView::open(&the_run(&memory.path).expect("a run"));
    assert_eq!(run.completed(), [0_u32; 0], "neither side has ended");
    fs::remove_file(ballast).expect("removed");
    lab.pgdyno(&format!("resume {}", run.path().display())).measured();
    assert_eq!(run.completed(), [1, 2]);
}

#[test]
fn a_full_file_system_is_told_beside_a_ctrl_c() {
    let lab = Lab::new();
    let Some(memory) = Memory::mount(&lab, "size=4m") else { return };
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server).replace("measure: 3s", "measure: 300s"));
    let mut pgdyno = lab.start("run plan.yaml --runs memory");
    pgdyno.await_that("a second of trial 1", |_| {
        the_run(&memory.path).is_some_and(|run| RunView::has_seconds(&run, 1, 1))
    });
    memory.fill();
    pgdyno.signal_group(Signal::INT);
    pgdyno.end().exits(3).says(&["trials/1.partial", "No space left"]);
}

#[test]
fn where_no_run_can_be_written_no_server_is_started() {
    let lab = Lab::new();
    let Some(memory) = Memory::mount(&lab, "size=4m") else { return };
    let local = format!("{{ local: {{ bin: {} }} }}", newest_version().display());
    lab.write(
        "plan.yaml",
        format!(
            "name: Read-only\ntargets:\n  it: {local}\nbaseline: it\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{}",
            crate::lab::BRIEF
        ),
    );
    lab.pgdyno("run plan.yaml --runs memory").exits(0);
    let run = the_run(&memory.path).expect("a run").display().to_string();
    let refused = |command: &str, said: &str| {
        let ended = lab.pgdyno(command);
        ended.exits(3).says(&[said]);
        assert!(!ended.stderr.contains("PostgreSQL"), "a server was started: {ended}");
        lab.assert_no_temporary_data();
    };
    memory.remount("ro");
    refused("run plan.yaml --runs memory", "Read-only file system");
    refused(&format!("resume {run}"), "Read-only file system");
    lab.pgdyno(&format!("report {run}")).exits(3).says(&["report.html", "--output"]);
    lab.pgdyno(&format!("report {run} --output elsewhere.html")).exits(0);
    lab.pgdyno(&format!("compare {run}")).exits(0);
    memory.remount("rw");
    let ballast = memory.fill();
    refused("run plan.yaml --runs memory", "No space left");
    fs::remove_file(ballast).expect("removed");
}
