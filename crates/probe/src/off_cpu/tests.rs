//! The sampler beside real processes.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use results::off_cpu::CalledFileKind;
use results::profile::ProcessKind;

use super::*;
use crate::activity::LoadProcesses;
use crate::parent_process::{ParentProcess, scope_of_postmaster};

/// What is seen of the children of a process in half a second.
fn seen_of_children(parent: &ParentProcess, pause: &Pause) -> OffCpu {
    let mut sampler = OffCpuSampler::attach_to_server(&parent.watched_scope(), pause.clone());
    std::thread::sleep(Duration::from_millis(200));
    sampler.read_samples(false);
    std::thread::sleep(Duration::from_millis(800));
    sampler.read_samples(true);
    sampler.end_sampling()
}

fn backends(off_cpu: &OffCpu) -> &ProcessesLookedAt {
    off_cpu.processes.iter().find(|processes| processes.kind == ProcessKind::Backend).unwrap()
}

#[test]
fn child_that_waits_for_a_lock_on_a_file_is_seen_with_its_call_and_the_kind_of_its_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("base");
    std::fs::create_dir(&path).unwrap();
    let path = path.join("16384");
    let held = std::fs::File::create(&path).unwrap();
    held.lock().unwrap();
    let parent = ParentProcess::of_script(&format!("flock {} true &", path.display()));
    let off_cpu = seen_of_children(&parent, &Pause::default());
    if let Some(gap) = off_cpu.gap {
        // Where tests run without the right.
        assert!(gap.starts_with("the kernel does not let pgdyno see"), "{gap}");
        return;
    }
    let seen = backends(&off_cpu);
    assert!((2..=12).contains(&off_cpu.samples), "{off_cpu:?}");
    assert_eq!((seen.processes, seen.looks, seen.present), (1, off_cpu.samples, off_cpu.samples));
    let place = &seen.places[0];
    assert_eq!((place.call.as_deref(), place.file), (Some("flock"), Some(CalledFileKind::Relation)), "{off_cpu:?}");
    assert!(place.function.as_deref().is_some_and(|function| function.contains("lock")), "{place:?}");
}

#[test]
fn child_that_runs_is_not_asleep() {
    let parent = ParentProcess::of_script("while :; do :; done &");
    let off_cpu = seen_of_children(&parent, &Pause::default());
    if off_cpu.gap.is_none() {
        let seen = backends(&off_cpu);
        assert!(seen.runnable * 2 > seen.looks, "{off_cpu:?}");
    }
}

#[test]
fn nothing_is_seen_while_it_pauses() {
    let pause = Pause::default();
    pause.set_paused(true);
    let parent = ParentProcess::of_script("sleep 60 &");
    assert_eq!(seen_of_children(&parent, &pause).samples, 0);
}

#[test]
fn of_many_processes_each_sample_looks_at_others() {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join("proc").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let pids: Vec<u32> = (1000..1299).collect();
    let children: Vec<String> = pids.iter().map(u32::to_string).collect();
    write("9/task/9/children", &children.join(" "));
    write("9/stat", "9 (postgres) S 1");
    for pid in pids {
        write(&format!("{pid}/stat"), &format!("{pid} (postgres) R 9"));
    }
    let mut sampling = SamplingThread {
        children: ServerChildren::of_postmaster(root.path(), 9, LoadProcesses::default()),
        postmaster: 9,
        reader: ProcessReader::below_root(root.path()),
        window: Arc::default(),
        pause: Pause::default(),
        next: 0,
    };
    for _ in 0..3 {
        sampling.take_sample_unless_paused();
    }
    let looks = std::mem::take(&mut lock_window(&sampling.window).looks);
    let kinds = looks.by_kind(|pid| sampling.children.process_kind(pid));
    // 300 with the first process: three samples of 200 see each twice.
    assert_eq!((kinds[0].processes, kinds[0].looks, kinds[0].runnable, kinds[0].present), (299, 598, 598, 897));
}

#[test]
fn processes_that_may_not_be_seen_are_a_gap_with_what_would_grant_it() {
    let root = tempfile::tempdir().unwrap();
    let process = root.path().join("proc/10");
    std::fs::create_dir_all(root.path().join("proc/9/task/9")).unwrap();
    std::fs::create_dir_all(&process).unwrap();
    std::fs::write(root.path().join("proc/9/task/9/children"), "10 ").unwrap();
    std::fs::write(root.path().join("proc/9/stat"), "9 (postgres) S 1").unwrap();
    for (name, text) in [("stat", "10 (postgres) S 9"), ("wchan", "0"), ("syscall", "1 0x1\n"), ("stack", "")] {
        std::fs::write(process.join(name), text).unwrap();
    }
    std::fs::set_permissions(process.join("syscall"), PermissionsExt::from_mode(0o000)).unwrap();
    if std::fs::read(process.join("syscall")).is_ok() {
        // Root may read everything.
        return;
    }
    let mut sampler = OffCpuSampler::attach_to_server(&scope_of_postmaster(root.path(), Some(9)), Pause::default());
    std::thread::sleep(Duration::from_millis(300));
    sampler.read_samples(true);
    let gap = sampler.end_sampling().gap.unwrap();
    assert!(gap.contains("/proc/PID/syscall: Permission denied") && gap.contains("CAP_SYS_PTRACE"), "{gap}");
}

#[test]
fn without_a_server_or_a_way_to_it_there_is_a_reason() {
    let off_cpu =
        OffCpuSampler::attach_to_server(&scope_of_postmaster(Path::new("/"), None), Pause::default()).end_sampling();
    assert_eq!(off_cpu.gap.as_deref(), Some("the server's processes are not known"));
    let empty = OffCpuSampler::attach_to_server(&scope_of_postmaster(Path::new("/nowhere"), Some(9)), Pause::default());
    assert_eq!(empty.end_sampling().gap.as_deref(), Some("there is no /proc/9 to read"));
    let elsewhere = OffCpuSampler::without_samples("elsewhere".to_owned()).end_sampling();
    assert_eq!(elsewhere.gap.as_deref(), Some("elsewhere"));
}

#[test]
fn sample_takes_at_most_a_two_hundredth_of_its_period() {
    assert_eq!(period_after(Duration::from_micros(300)), Duration::from_millis(100));
    assert_eq!(period_after(Duration::from_millis(2)), Duration::from_millis(400));
    assert_eq!(period_after(Duration::from_millis(100)), Duration::from_secs(20));
}
