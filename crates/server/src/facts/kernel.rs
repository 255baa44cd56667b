//! How the kernel of a server's machine is set, as far as it decides how fast a database can be: writing back, memory, huge pages,
//! CPU frequency, the clock, the scheduler of the data disk. What a machine does not have is absent, as on one without a governor.

use std::collections::BTreeMap;
use std::path::Path;

use super::text_file::read_text_file;

/// What is read, by the name that it has in the facts: sysctl's own, or a plain one.
const FILES: [(&str, &str); 21] = [
    ("kernel.numa_balancing", "proc/sys/kernel/numa_balancing"),
    ("kernel.sched_autogroup_enabled", "proc/sys/kernel/sched_autogroup_enabled"),
    ("kernel.task_delayacct", "proc/sys/kernel/task_delayacct"),
    ("net.core.somaxconn", "proc/sys/net/core/somaxconn"),
    ("net.ipv4.tcp_congestion_control", "proc/sys/net/ipv4/tcp_congestion_control"),
    ("vm.dirty_background_bytes", "proc/sys/vm/dirty_background_bytes"),
    ("vm.dirty_background_ratio", "proc/sys/vm/dirty_background_ratio"),
    ("vm.dirty_bytes", "proc/sys/vm/dirty_bytes"),
    ("vm.dirty_expire_centisecs", "proc/sys/vm/dirty_expire_centisecs"),
    ("vm.dirty_ratio", "proc/sys/vm/dirty_ratio"),
    ("vm.dirty_writeback_centisecs", "proc/sys/vm/dirty_writeback_centisecs"),
    ("vm.min_free_kbytes", "proc/sys/vm/min_free_kbytes"),
    ("vm.nr_hugepages", "proc/sys/vm/nr_hugepages"),
    ("vm.overcommit_memory", "proc/sys/vm/overcommit_memory"),
    ("vm.overcommit_ratio", "proc/sys/vm/overcommit_ratio"),
    ("vm.swappiness", "proc/sys/vm/swappiness"),
    ("vm.zone_reclaim_mode", "proc/sys/vm/zone_reclaim_mode"),
    ("transparent huge pages", "sys/kernel/mm/transparent_hugepage/enabled"),
    ("CPU frequency governor", "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    ("CPU frequency limit (kHz)", "sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq"),
    ("clock source", "sys/devices/system/clocksource/clocksource0/current_clocksource"),
];

/// The same of the data disk, below its directory in `/sys/class/block`.
const OF_THE_DISK: [(&str, &str); 3] = [
    ("data disk: I/O scheduler", "queue/scheduler"),
    ("data disk: read-ahead (KiB)", "queue/read_ahead_kb"),
    ("data disk: write cache", "queue/write_cache"),
];

/// The files of a machine that its facts are read from, those of its disks left out.
pub(crate) fn files_read_for_facts() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(_, file)| *file)
}

/// Reads them all; `device` is the whole disk of the data directory, if it has one.
pub(crate) fn read_kernel_values(root: &Path, device: Option<&str>) -> BTreeMap<String, String> {
    let of_the_disk = device.into_iter().flat_map(|device| {
        OF_THE_DISK.map(|(name, file)| (name.to_owned(), format!("sys/class/block/{device}/{file}")))
    });
    let files = FILES.map(|(name, file)| (name.to_owned(), file.to_owned())).into_iter().chain(of_the_disk);
    let mut found: BTreeMap<String, String> =
        files.filter_map(|(name, file)| Some((name, chosen_word(&read_text_file(root, &file).ok()?)))).collect();
    let size = read_text_file(root, "proc/meminfo").ok().and_then(|text| huge_page_size(&text));
    found.extend(size.map(|size| ("huge page size".to_owned(), size)));
    found
}

/// The word in brackets, where a file lists all choices; else the whole text.
fn chosen_word(text: &str) -> String {
    let in_brackets = text.split_once('[').and_then(|(_, rest)| Some(rest.split_once(']')?.0));
    in_brackets.unwrap_or(text).trim().to_owned()
}

fn huge_page_size(meminfo: &str) -> Option<String> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("Hugepagesize:"))?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn settings_are_read_by_name_and_what_a_machine_lacks_is_absent() {
        let root = tempfile::tempdir().unwrap();
        for (path, content) in [
            ("proc/sys/vm/dirty_ratio", "20\n"),
            ("proc/meminfo", "MemTotal: 5 kB\nHugepagesize:       2048 kB\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
            ("sys/class/block/vdb/queue/scheduler", "[none] mq-deadline\n"),
            ("sys/class/block/vda/queue/scheduler", "none [mq-deadline]\n"),
        ] {
            fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
            fs::write(root.path().join(path), content).unwrap();
        }
        let expected = [
            ("data disk: I/O scheduler", "none"),
            ("huge page size", "2048 kB"),
            ("transparent huge pages", "madvise"),
            ("vm.dirty_ratio", "20"),
        ];
        let found = read_kernel_values(root.path(), Some("vdb"));
        let found: Vec<(&str, &str)> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected);
        assert_eq!(read_kernel_values(root.path(), None).len(), 3);
    }

    #[test]
    fn this_machine_says_how_it_writes_back() {
        let found = read_kernel_values(Path::new("/"), None);
        assert!(found.contains_key("vm.dirty_ratio") && found.contains_key("vm.swappiness"), "{found:?}");
    }
}
