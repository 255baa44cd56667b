//! Variants of a target and what is in the caches, on a real machine: what is asked for is so, is written down, and is
//! gone afterwards, also when pgdyno was killed. What needs root says so when it is skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use judge::caveats::Caveat;
use results::trial::{Preparation, TrialOutcome};
use rustix::process::Signal;

use crate::lab::{BRIEF, Lab, PGDYNO};
use crate::process::Program;
use crate::run_view::RunView;
use testbed::{is_root, newest_version};

/// A network namespace, whose kernel values are its own, until it is dropped.
struct Namespace {
    name: String,
}

impl Namespace {
    fn make() -> Option<Self> {
        let name = format!("pgdyno-it-{}", std::process::id());
        let made = Command::new("ip").args(["netns", "add", &name]).status();
        made.is_ok_and(|status| status.success()).then_some(Self { name })
    }

    /// pgdyno in the namespace, all else as outside.
    fn pgdyno(&self, lab: &Lab, line: &str) -> Program {
        let enter = format!("--net=/run/netns/{}", self.name);
        Program::new(lab, "nsenter").arguments([&enter, "--", PGDYNO]).arguments(line.split_whitespace())
    }

    fn fin_timeout(&self, lab: &Lab) -> String {
        let enter = format!("--net=/run/netns/{}", self.name);
        let read = Program::new(lab, "nsenter").arguments([&enter, "--", "cat", "/proc/sys/net/ipv4/tcp_fin_timeout"]);
        read.end().stdout.trim().to_owned()
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _status = Command::new("ip").args(["netns", "delete", &self.name]).status();
    }
}

/// Restores what a failed test leaves, so that its directory can be removed.
struct Restored<'l>(&'l Lab);

impl Drop for Restored<'_> {
    fn drop(&mut self) {
        let _ended = Program::new(self.0, PGDYNO).arguments(["restore"]).end();
    }
}

fn skip() -> bool {
    let skipped = !is_root();
    if skipped {
        eprintln!("skipped: changing the machine needs root");
    }
    skipped
}

/// The images below a lab's temporary directory.
fn images(lab: &Lab) -> Vec<PathBuf> {
    let entries = fs::read_dir(lab.temporary()).expect("listed").flatten().map(|entry| entry.path());
    entries.map(|path| path.join("image")).filter(|image| image.exists()).collect()
}

fn is_shown_by_a_loop_device(image: &PathBuf) -> bool {
    let devices = Command::new("losetup").arg("--associated").arg(image).output().expect("losetup (util-linux) runs");
    !devices.stdout.is_empty()
}

#[test]
fn variants_are_what_they_say_next_to_the_target_and_nothing_of_them_stays() {
    if skip() {
        return;
    }
    let lab = Lab::on_a_disk();
    let _restored = Restored(&lab);
    lab.write(
        "plan.yaml",
        format!(
            "name: Variants\ntargets:\n  pg:\n    local: {{ bin: {} }}\n    variants:\n      \
             ext4: {{ filesystem: {{ type: ext4, size: 384MB }}, settings: {{ work_mem: 5MB }} }}\n      \
             cold: {{ cache: cold }}\nbaseline: pg\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1, cache: warm }} }}\nclients: [2]\n{BRIEF}",
            newest_version().display()
        ),
    );
    lab.pgdyno("run plan.yaml").measured();
    let run = lab.run();
    let facts = run.dir().target_facts().expect("facts");
    let disk = |target: &str| facts[target].host.as_ref().and_then(|host| host.data_disk.clone()).expect("a disk");
    assert_eq!(disk("pg/ext4").filesystem, "ext4");
    assert!(disk("pg/ext4").device.is_some_and(|device| device.starts_with("loop")));
    assert_eq!(facts["pg/ext4"].settings["work_mem"].value, "5MB");
    let trials = run.trials();
    let of = |target: &str| trials.iter().find(|trial| trial.cell.target == target).expect("a trial");
    for target in ["pg", "pg/ext4", "pg/cold"] {
        let is_brought = |step: &Preparation| match step {
            Preparation::WarmCache(_) => target != "pg/cold",
            Preparation::ColdCache { .. } => target == "pg/cold",
            Preparation::KernelValue(_)
            | Preparation::Statement(_)
            | Preparation::Restart
            | Preparation::Settings
            | Preparation::InWords(_) => false,
        };
        assert!(of(target).preparation.iter().any(is_brought), "{:?}", of(target).preparation);
        let caveats = run.caveats(of(target).number);
        let unverified = caveats.iter().filter(|caveat| matches!(caveat, Caveat::Cache { .. }));
        assert_eq!(unverified.count(), 0, "{target}: {caveats:?}");
    }
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

/// How many huge pages the machine has reserved.
fn huge_pages() -> u64 {
    fs::read_to_string("/proc/sys/vm/nr_hugepages").expect("a kernel with huge pages").trim().parse().expect("a number")
}

#[test]
fn huge_pages_an_xfs_and_the_ways_to_read_of_18_are_in_force_and_reserved_pages_are_given_back() {
    if skip() {
        return;
    }
    let lab = Lab::new();
    let _restored = Restored(&lab);
    let before = huge_pages();
    lab.write(
        "plan.yaml",
        format!(
            "name: Ways\ntargets:\n  pg:\n    local: {{ version: 18 }}\n    settings: {{ shared_buffers: 32MB, io_method: worker }}\n    \
             variants:\n      huge: {{ huge_pages: true }}\n      sync: {{ settings: {{ io_method: sync }} }}\n      \
             xfs: {{ filesystem: {{ type: xfs, size: 512MB }} }}\nbaseline: pg\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n{BRIEF}"
        ),
    );
    lab.pgdyno("run plan.yaml").measured();
    let facts = lab.run().dir().target_facts().expect("facts");
    let setting = |target: &str, name: &str| facts[target].settings[name].value.clone();
    assert_eq!(["pg", "pg/huge"].map(|target| setting(target, "huge_pages_status")), ["off", "on"]);
    assert_eq!(["pg", "pg/sync"].map(|target| setting(target, "io_method")), ["worker", "sync"]);
    let disk = |target: &str| facts[target].host.as_ref().and_then(|host| host.data_disk.clone()).expect("a disk");
    assert_eq!(disk("pg/xfs").filesystem, "xfs");
    assert!(disk("pg/xfs").device.is_some_and(|device| device.starts_with("loop")));
    assert_eq!(huge_pages(), before, "those that were reserved are given back");
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn a_way_to_read_that_a_server_was_built_without_is_refused_by_name() {
    let lab = Lab::new();
    lab.write(
        "plan.yaml",
        format!(
            "name: Ring\ntargets:\n  pg: {{ local: {{ version: 18 }}, settings: {{ io_method: io_uring }} }}\nbaseline: pg\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}"
        ),
    );
    lab.pgdyno("run plan.yaml").exits(3).says(&["io_method", "io_uring"]);
    lab.assert_no_temporary_data();
}

#[test]
fn what_kill_9_leaves_changed_is_told_by_the_next_run_and_undone_by_restore() {
    if skip() {
        return;
    }
    let lab = Lab::new();
    let _restored = Restored(&lab);
    let Some(namespace) = Namespace::make() else {
        eprintln!("skipped: ip netns cannot make a network namespace here");
        return;
    };
    let before = namespace.fin_timeout(&lab);
    let plan = format!(
        "name: Killed\ntargets:\n  pg:\n    local: {{ bin: {} }}\n    filesystem: {{ type: ext4, size: 384MB }}\n    \
         sysctl: {{ net.ipv4.tcp_fin_timeout: 77 }}\nbaseline: pg\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: 60s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        newest_version().display()
    );
    lab.write("plan.yaml", plan);
    let mut pgdyno = namespace.pgdyno(&lab, "run plan.yaml").start();
    pgdyno.await_that("measures", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    assert_eq!(namespace.fin_timeout(&lab), "77");
    let image = images(&lab).pop().expect("an image");
    namespace.pgdyno(&lab, "restore --dry-run").end().exits(0).prints(&["nothing is left to restore"]);
    let traces = pgdyno.traces();
    pgdyno.signal(Signal::KILL);
    pgdyno.end().was_killed();
    traces.await_gone();
    assert_eq!(namespace.fin_timeout(&lab), "77", "nobody was there to restore it");
    assert!(is_shown_by_a_loop_device(&image));

    let listed = namespace.pgdyno(&lab, "restore --dry-run").end();
    listed.exits(0).prints(&["would be undone: net.ipv4.tcp_fin_timeout = 77 (before: ", "would be undone: mount "]);
    assert_eq!(namespace.fin_timeout(&lab), "77", "a dry run only lists");
    let name = lab.run().path().file_name().expect("a name").to_string_lossy().into_owned();
    let mut next = namespace.pgdyno(&lab, &format!("resume runs/{name}")).start();
    next.await_saying("a killed pgdyno left ");
    next.signal(Signal::INT);
    next.end();

    let restored = namespace.pgdyno(&lab, "restore").end();
    restored.exits(0).prints(&["undone: net.ipv4.tcp_fin_timeout = 77", "undone: loop device on "]);
    assert_eq!(namespace.fin_timeout(&lab), before);
    assert!(!is_shown_by_a_loop_device(&image) && !image.exists());
    lab.assert_no_temporary_data();
    namespace.pgdyno(&lab, "restore").end().exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn a_value_of_the_kernel_that_it_does_not_take_fails_by_name_and_stays_as_it_was() {
    if skip() {
        return;
    }
    let lab = Lab::new();
    let _restored = Restored(&lab);
    let plan = |sysctl: &str| {
        format!(
            "name: Refused\ntargets:\n  pg: {{ local: {{ bin: {} }}, sysctl: {{ {sysctl} }} }}\nbaseline: pg\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [1]\n{BRIEF}",
            newest_version().display()
        )
    };
    lab.write("absent.yaml", plan("net.ipv4.tcp_fin_timeuot: 1"));
    let absent = lab.pgdyno("run absent.yaml");
    absent.exits(3).says(&["target \"pg\": could not read sysctl net.ipv4.tcp_fin_timeuot", "sysctl -a"]);
    lab.write("refused.yaml", plan("vm.swappiness: many"));
    lab.pgdyno("run refused.yaml").exits(3).says(&["target \"pg\": could not set sysctl vm.swappiness"]);
    lab.assert_no_temporary_data();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

/// Where `scripts/postgres-with-uring` has put a PostgreSQL 18 that was built with liburing.
const WITH_URING: &str = "/var/cache/pgdyno-test/postgresql-18-forky/usr/lib/postgresql/18/bin";

#[test]
fn a_server_built_with_liburing_reads_by_io_uring_beside_one_that_has_workers() {
    if !Path::new(WITH_URING).join("ready").exists() {
        eprintln!("skipped: no PostgreSQL with liburing; scripts/postgres-with-uring unpacks one");
        return;
    }
    let lab = Lab::new();
    lab.write(
        "plan.yaml",
        format!(
            "name: Ring\ntargets:\n  pg:\n    local: {{ bin: {WITH_URING} }}\n    settings: {{ io_method: worker, shared_buffers: 1MB }}\n    \
             variants:\n      ring: {{ settings: {{ io_method: io_uring }} }}\nbaseline: pg\n\
             workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n{BRIEF}"
        ),
    );
    lab.pgdyno("run plan.yaml").measured();
    let facts = lab.run().dir().target_facts().expect("facts");
    let method = |target: &str| facts[target].settings["io_method"].value.as_str();
    assert_eq!([method("pg"), method("pg/ring")], ["worker", "io_uring"]);
    assert!(lab.run().trials().iter().all(|trial| trial.outcome == TrialOutcome::Completed));
    lab.assert_no_temporary_data();
}
