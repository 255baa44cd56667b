//! The disk of an agent's host, measured by the fio there: what comes here, what is refused, and that nothing is left.

use std::fs;
use std::path::PathBuf;

use results::disk::StageOutcome;
use results::store::RunDir;
use rustix::process::Signal;

use crate::disk::{await_empty, lab, left_in, stages};
use crate::lab::{Lab, PGDYNO};

/// A target whose server need not be there, with an agent on a host that has this directory.
fn plan(lab: &Lab, directory: &str, disk: &str) {
    let text = format!(
        "name: disks\ntargets: {{ far: {{ url: \"postgres://nobody@localhost/nothing\", disk: {{ directory: {directory} }},\n\
         \x20 agent: {{ command: \"cd there && exec {PGDYNO} agent --stdio\" }} }} }}\nbaseline: far\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\ndisk: {{ {disk} }}\n"
    );
    lab.write("plan.yaml", text);
    fs::create_dir_all(lab.path().join("there")).expect("where the agent is");
}

/// One of the lab's `here`, as the agent sees it.
const HERE: &str = "../here";

#[test]
fn a_directory_of_the_agent_s_host_is_measured_by_the_fio_there() {
    let lab = lab();
    lab.write("own.fio", "[mine]\nsize=1m\nrw=randwrite\nbs=4k\n");
    plan(&lab, HERE, "jobs: [wal], job_files: [own.fio], size: 4MB, size_reason: a test, runtime: 2s");
    let ended = lab.pgdyno("disk far --plan plan.yaml --force");
    ended.exits(0);
    let stages = stages(&lab);
    let names: Vec<&str> = stages.iter().map(|stage| stage.name.as_str()).collect();
    assert_eq!(names, ["precondition", "wal", "own-own"], "{}", ended.stderr);
    let directory = lab.path().join("here").canonicalize().expect("it is there");
    for stage in &stages {
        assert_eq!(stage.outcome, StageOutcome::Completed, "{stage:?}");
        let place = stage.place.as_ref().expect("it is known");
        assert_eq!((&place.directory, place.disk.is_some()), (&directory, true), "{place:?}");
    }
    let run = RunDir::open(&lab.runs()[0]).expect("a run");
    let seconds = run.disk_seconds(&stages[1]).expect("a series");
    assert!(seconds.iter().any(|second| second.write.is_some()), "{seconds:?}");
    assert!(!run.path().join("disk/.logs").exists());
    assert_eq!(left_in(&directory), [] as [PathBuf; 0], "what was made there is removed");
}

#[test]
fn the_agent_of_a_pgdyno_that_is_killed_or_given_up_ends_its_fio_and_leaves_nothing() {
    for signal in [Signal::KILL, Signal::INT] {
        let lab = lab();
        let here = lab.path().join("here");
        plan(&lab, HERE, "jobs: [wal], size: 4MB, runtime: 60s");
        let mut running = lab.start("disk far --plan plan.yaml --force");
        running.await_that("the first stage", |_| {
            let run = lab.runs().first().cloned();
            run.is_some_and(|run| run.join("disk/far/precondition/stage.json").exists())
        });
        running.signal(signal);
        let ended = running.end();
        if signal == Signal::INT {
            ended.exits(3);
            let interrupted = stages(&lab).into_iter().find(|stage| stage.name == "wal");
            assert!(interrupted.is_none_or(|stage| stage.outcome == StageOutcome::Interrupted));
        }
        await_empty(&here);
    }
}

#[test]
fn what_is_wrong_there_is_told_before_anything_is_measured() {
    let lab = lab();
    let refused = |directory: &str, disk: &str, says: &[&str]| {
        plan(&lab, directory, disk);
        lab.pgdyno("disk far --plan plan.yaml").exits(3).says(says);
        assert!(lab.runs().is_empty(), "no run was begun");
    };
    let small = "jobs: [wal], size: 4MB, runtime: 1s";
    refused("nowhere", small, &["target \"far\", on the host of its agent", "could not read the directory nowhere"]);
    refused("/dev/shm", small, &["on tmpfs, which has no disk"]);
    refused(HERE, "jobs: [wal], size: 1000TB", &["not enough space in"]);
    assert_eq!(left_in(&lab.path().join("here")), [] as [PathBuf; 0]);
    fs::remove_dir(lab.path().join("there")).expect("it is empty");
    let line = lab.pgdyno("disk far --plan plan.yaml");
    line.exits(3).says(&["target \"far\": could not start its agent"]);
}
