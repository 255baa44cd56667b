//! The host probes on a copy of `/proc` that the tests write, and once on this machine's own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use probe::{HostScope, LoadProcesses, Probes};
use results::interval::Reading;

const FILES: [(&str, &str); 6] = [
    ("host.cpu", "stat"),
    ("host.memory", "meminfo"),
    ("host.network", "net/dev"),
    ("host.tcp", "net/snmp"),
    ("host.pressure", "pressure/io"),
    ("host.vm", "vmstat"),
];

/// What the probes read besides.
const MORE_FILES: [&str; 2] = ["pressure/cpu", "pressure/memory"];

/// A root with the files of a Linux 6.18 machine in its `proc`.
fn linux() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for directory in ["proc/net", "proc/pressure"] {
        fs::create_dir_all(root.path().join(directory)).unwrap();
    }
    for file in FILES.map(|(_, file)| file).into_iter().chain(MORE_FILES) {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/linux-6.18/proc").join(file);
        fs::copy(fixture, root.path().join("proc").join(file)).unwrap();
    }
    root
}

async fn attached(root: &Path) -> Probes {
    let mut probes = Probes::attach_probes(
        None,
        Some(HostScope {
            root: root.to_owned(),
            data_directory: None,
            device: None,
            wal_device: None,
            postmaster: None,
            load: LoadProcesses::default(),
            alternating: Vec::new(),
            of_this_process: Some("/".into()),
        }),
    )
    .await;
    probes.take_first_snapshot().await;
    probes
}

/// Replaces `from`, which must be there, with `to` in a file of `proc`.
fn edit(root: &Path, file: &str, from: &str, to: &str) {
    let path = root.join("proc").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no {from:?}: {text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

fn values<'a>(readings: &'a BTreeMap<String, Reading>, probe: &str) -> &'a BTreeMap<String, f64> {
    match &readings[probe] {
        Reading::Values { values, .. } => values,
        Reading::Gap { gap, .. } => panic!("{probe}: {gap}"),
    }
}

#[tokio::test]
async fn a_reading_is_what_the_kernel_counted_since_the_one_before() {
    let root = linux();
    let mut probes = attached(root.path()).await;
    edit(root.path(), "stat", "ctxt 2790309", "ctxt 2790409");
    edit(root.path(), "meminfo", "Dirty:            301324 kB", "Dirty:                 4 kB");
    edit(root.path(), "net/dev", "eth0: 502029456", "eth0: 502029956");
    edit(root.path(), "net/snmp", "17043 10718 0", "17043 10720 1");
    let readings = probes.read_all().await;
    assert_eq!(values(&readings, "host.cpu")["context_switches"], 100.0);
    assert_eq!(values(&readings, "host.memory")["dirty_bytes"], 4096.0);
    assert_eq!(values(&readings, "host.network")["rx_bytes"], 500.0);
    assert_eq!(values(&readings, "host.tcp")["segments_retransmitted"], 1.0);
    let readings = probes.read_all().await;
    assert_eq!(values(&readings, "host.cpu")["context_switches"], 0.0);
}

#[tokio::test]
async fn a_missing_or_malformed_file_is_a_gap_of_its_own_probe_that_names_the_file() {
    for (probe, file) in FILES {
        for (spoil, reason) in [
            ((|path| fs::remove_file(path).unwrap()) as fn(&Path), "could not read "),
            (|path| fs::write(path, "some\nother\nfile\n").unwrap(), "could not understand "),
        ] {
            let root = linux();
            let mut probes = attached(root.path()).await;
            let path = root.path().join("proc").join(file);
            spoil(&path);
            let readings = probes.read_all().await;
            for (other, _) in FILES.iter().filter(|(other, _)| *other != probe) {
                values(&readings, other);
            }
            let Reading::Gap { gap, .. } = &readings[probe] else { panic!("{probe} has values") };
            assert!(gap.starts_with(&format!("{reason}{path:?}: ")), "{gap}");
        }
    }
}

#[tokio::test]
async fn this_machine_can_be_read_and_never_counts_backwards() {
    let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let host = HostScope {
        root: "/".into(),
        data_directory: Some(directory.path().to_owned()),
        device: None,
        wal_device: None,
        postmaster: None,
        load: LoadProcesses::default(),
        alternating: Vec::new(),
        of_this_process: Some("/".into()),
    };
    let mut probes = Probes::attach_probes(None, Some(host)).await;
    probes.take_first_snapshot().await;
    let readings = probes.read_all().await;
    for (probe, _) in FILES {
        assert!(values(&readings, probe).values().all(|value| *value >= 0.0), "{readings:?}");
    }
    // Where the working directory is on an overlay there is no device to read, and the gap says so.
    match &readings["host.disk"] {
        Reading::Values { values, .. } => assert!(values.contains_key("written_bytes"), "{values:?}"),
        Reading::Gap { gap, .. } => assert!(gap.ends_with("which is not a block device of this machine"), "{gap}"),
    }
}

#[tokio::test]
async fn the_processes_and_the_group_of_a_server_are_watched_by_its_first_process() {
    let root = linux();
    let proc = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    proc("proc/100/task/100/children", "101 102 ");
    proc("proc/100/cgroup", "1:cpu:/pg\n0::/\n");
    proc("proc/101/cmdline", "postgres: checkpointer \0");
    proc("proc/101/schedstat", "1000 0 1\n");
    proc("proc/102/cmdline", "postgres: bench bench [local] idle\0");
    proc("proc/102/schedstat", "5000 2000 3\n");
    proc("sys/fs/cgroup/cpu/pg/cpu.stat", "nr_periods 10\nnr_throttled 2\nthrottled_time 4000\n");
    let host = HostScope {
        root: root.path().to_owned(),
        data_directory: None,
        device: None,
        wal_device: None,
        postmaster: Some(100),
        load: LoadProcesses::default(),
        alternating: Vec::new(),
        of_this_process: Some("/".into()),
    };
    let mut probes = Probes::attach_probes(None, Some(host)).await;
    probes.take_first_snapshot().await;
    proc("proc/102/schedstat", "9000 3000 4\n");
    proc("sys/fs/cgroup/cpu/pg/cpu.stat", "nr_periods 11\nnr_throttled 3\nthrottled_time 9000\n");
    let readings = probes.read_all().await;
    let server = values(&readings, "host.server");
    assert_eq!((server["backends"], server["backends_cpu_us"], server["backends_run_delay_us"]), (1.0, 4.0, 1.0));
    assert_eq!((server["others"], server["others_cpu_us"]), (1.0, 0.0));
    let kinds = values(&readings, "host.processes");
    assert_eq!((kinds["checkpointer.processes"], kinds["checkpointer.cpu_us"]), (1.0, 0.0));
    assert!(!kinds.contains_key("other sessions.cpu_us"), "no session of the load is known: {kinds:?}");
    let group = values(&readings, "host.cgroup");
    assert_eq!((group["cpu_periods"], group["cpu_throttled_us"]), (1.0, 5.0));

    fs::remove_dir_all(root.path().join("proc/100")).unwrap();
    let readings = probes.read_all().await;
    assert!(matches!(&readings["host.server"], Reading::Gap { gap, .. } if gap.contains("children")), "{readings:?}");
}
