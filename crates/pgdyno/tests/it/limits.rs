//! Limits of a local server on a real machine: they hold, they are read back, they have the effect that they are for,
//! and nothing of them stays, also when pgdyno was killed. What needs root says so when it is skipped.

use std::fs;
use std::path::{Path, PathBuf};

use results::facts::TargetFacts;
use rustix::process::Signal;

use crate::lab::Lab;
use crate::run_view::RunView;
use testbed::{is_root, newest_version};

/// The groups of limited servers that there are on this machine.
fn limiting_groups() -> Vec<PathBuf> {
    let root = Path::new("/sys/fs/cgroup");
    let hierarchies = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found = Vec::new();
    for hierarchy in hierarchies.chain([root.to_owned()]) {
        for entry in fs::read_dir(hierarchy).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with("pgdyno-limits-") {
                found.push(entry.path());
            }
        }
    }
    found
}

/// The groups of these that hold the server of a lab, which others may have, too.
fn groups_of_facts(facts: &TargetFacts) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for limit in &facts.limits {
        let file = limit.source.split(": ").next().expect("a path");
        found.extend(Path::new(file).parent().map(Path::to_owned));
    }
    found
}

fn skip() -> bool {
    let skipped = !is_root();
    if skipped {
        eprintln!("skipped: limits of servers need root");
    }
    skipped
}

/// A plan of a target and one with these limits; `more` are further keys of the workload.
fn plan(limited: &str, more: &str, trial: &str) -> String {
    format!(
        "name: Limits\ntargets:\n  whole: {{ local: {{ bin: {bin} }} }}\n  small: {{ local: {{ bin: {bin} }}, {limited} }}\n\
         baseline: whole\nworkloads: {{ read: {{ builtin: select-only, scale: 1{more} }} }}\nclients: [4]\n{trial}",
        bin = newest_version().display()
    )
}

const SECONDS: &str = "trial: { warm_up: 500ms, measure: 3s }\nblocks: { at_least: 2, at_most: 2 }\n";

#[test]
fn a_share_of_a_cpu_and_memory_are_read_back_and_throttling_is_the_first_finding() {
    if skip() {
        return;
    }
    let lab = Lab::new();
    lab.write("plan.yaml", plan("limits: { cpus: 0.05, memory: 400MB, pin: 0 }", ", interleave: trials", SECONDS));
    lab.pgdyno("run plan.yaml").measured();
    let facts = lab.run().dir().target_facts().expect("facts");
    let told: Vec<(&str, &str)> =
        facts["small"].limits.iter().map(|limit| (limit.key.as_str(), limit.value.as_str())).collect();
    assert_eq!(told, [("cpus", "0.05 CPUs"), ("pin", "CPUs 0"), ("memory", "400 MiB")]);
    assert!(facts["whole"].limits.is_empty());
    let host = facts["small"].host.as_ref().expect("this machine");
    assert_eq!(host.cgroup.cpus, Some(0.05), "as the server's own process has it");
    assert_eq!(host.cgroup.memory_bytes, Some(400 << 20));
    let run = lab.run().path().display().to_string();
    let json = lab.pgdyno(&format!("diagnose {run} --format json")).json();
    assert_eq!(json["findings"][0]["rule"], "cpu-throttled", "{json:#}");
    assert_eq!(host.pinned_to.as_deref(), Some("0"));
    let rows = lab.pgdyno(&format!("report {run} --format csv --table facts"));
    rows.prints(&["limit: cpus,,0.05 CPUs", "limit: pin,,CPUs 0", "limit: memory,,400 MiB"]);
    for group in groups_of_facts(&facts["small"]) {
        assert!(!group.exists(), "{}", group.display());
    }
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn reads_of_a_disk_are_not_more_than_its_limit() {
    if skip() {
        return;
    }
    let lab = Lab::on_a_disk();
    let limited = "filesystem: { type: ext4, size: 512MB }, cache: cold, settings: { shared_buffers: 1MB }, \
                   limits: { read_iops: 50, write_iops: 400, write_bandwidth: 40MB/s, read_ahead: 0 }";
    lab.write(
        "plan.yaml",
        plan(limited, "", "trial: { warm_up: 0s, measure: 4s }\nblocks: { at_least: 1, at_most: 1 }\n"),
    );
    lab.pgdyno("run plan.yaml").measured();
    let facts = lab.run().dir().target_facts().expect("facts");
    let told: Vec<(&str, &str)> =
        facts["small"].limits.iter().map(|limit| (limit.key.as_str(), limit.value.as_str())).collect();
    let expected =
        [("read_iops", "50/s"), ("write_iops", "400/s"), ("write_bandwidth", "40000 kB/s"), ("read_ahead", "0")];
    assert_eq!(told, expected);
    assert!(facts["small"].host.is_some(), "read anew with the limits");
    let trials = lab.run().trials();
    let trial = trials.iter().find(|trial| trial.cell.target == "small").expect("a trial");
    let load = trial.load.as_ref().expect("a load");
    // Each transaction of cold caches reads a block or more, and 50 reads a second are a limit, however fast the disk.
    assert!(load.transactions > 0 && load.transactions < 50 * 20, "{}", load.transactions);
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn data_are_created_without_the_limits_unless_the_plan_says_otherwise() {
    if skip() {
        return;
    }
    let lab = Lab::on_a_disk();
    let order = |more: &str| {
        let limited = format!(
            "filesystem: {{ type: ext4, size: 512MB }}, limits: {{ write_iops: 2000, memory: 300MB, read_ahead: 0{more} }}"
        );
        lab.write(
            "plan.yaml",
            plan(&limited, "", "trial: { warm_up: 0s, measure: 1s }\nblocks: { at_least: 1, at_most: 1 }\n"),
        );
        let ended = lab.pgdyno("run plan.yaml");
        ended.measured();
        let facts = lab.run().dir().target_facts().expect("facts");
        assert_eq!(facts["small"].limits.len(), 3, "{:?}", facts["small"].limits);
        assert_eq!(facts["small"].host.as_ref().expect("this machine").cgroup.memory_bytes, Some(300 << 20));
        let created = ended.stderr.find("small: data at scale 1: created").expect("its data");
        ended
            .stderr
            .find("small: limits hold from now on: memory 300 MiB, write_iops 2000/s, read_ahead 0")
            .map(|set| set > created)
    };
    assert_eq!(order(""), Some(true), "the limits are set when the data are there");
    fs::remove_dir_all(lab.path().join("runs")).expect("removed");
    assert_eq!(order(", limit_data_creation: true"), None, "they hold from the start");
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn bytes_of_the_network_are_not_more_than_its_limit() {
    if skip() {
        return;
    }
    let lab = Lab::new();
    let bin = newest_version().display().to_string();
    lab.write("rows.sql", "SELECT repeat('x', 100000) AS text;\n");
    lab.write(
        "plan.yaml",
        format!(
            "name: Narrow\ntargets:\n  pg: {{ local: {{ bin: {bin}, via: veth }}, limits: {{ network_bandwidth: 1MB/s }} }}\n\
             baseline: pg\nworkloads: {{ rows: {{ script: rows.sql }} }}\nclients: [4]\n\
             trial: {{ warm_up: 1s, measure: 4s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    lab.pgdyno("run plan.yaml").measured();
    let facts = lab.run().dir().target_facts().expect("facts");
    assert_eq!(facts["pg"].limits[0].value, "1MB/s");
    let trials = lab.run().trials();
    let transactions = trials[0].load.as_ref().expect("a load").transactions;
    // 10 a second pass, and what the kernel lets pass at once.
    assert!((1..=60).contains(&transactions), "{transactions}");
    lab.assert_no_temporary_data();
}

#[test]
fn limits_that_this_machine_cannot_keep_are_refused_by_name_before_a_server_is_started() {
    if skip() {
        return;
    }
    let lab = Lab::new();
    let refused = |limits: &str, said: &[&str]| {
        lab.write("plan.yaml", plan(limits, "", SECONDS));
        lab.pgdyno("run plan.yaml").exits(3).says(said);
    };
    refused("limits: { pin: 4000 }", &["target \"small\": limits.pin: this machine has no CPU 4000", "its CPUs are "]);
    refused(
        "filesystem: { type: ext4, size: 512MB }, limits: { io_scheduler: elevator }",
        &["target \"small\": limits.io_scheduler: ", "has no scheduler elevator", "choose one of: "],
    );
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn groups_that_kill_9_leaves_are_removed_by_restore() {
    if skip() {
        return;
    }
    let lab = Lab::new();
    let long = "trial: { warm_up: 0s, measure: 60s }\nblocks: { at_least: 1, at_most: 1 }\n";
    lab.write("plan.yaml", plan("limits: { cpus: 0.5, memory: 400MB }", "", long));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    let groups = groups_of_facts(&lab.run().dir().target_facts().expect("facts")["small"]);
    assert!(groups.len() == 2 && groups.iter().all(|group| limiting_groups().contains(group)), "{groups:?}");
    let traces = pgdyno.traces();
    pgdyno.signal(Signal::KILL);
    pgdyno.end().was_killed();
    traces.await_gone();
    assert!(groups.iter().all(|group| group.exists()), "nobody was there to remove them");
    lab.pgdyno("restore").exits(0).prints(&["undone: directory /sys/fs/cgroup/"]);
    assert!(!groups.iter().any(|group| group.exists()), "{groups:?}");
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}
