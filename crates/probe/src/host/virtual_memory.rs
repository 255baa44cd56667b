//! `host.vm`: what the kernel did to find memory and to write dirty pages back, from `/proc/vmstat`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use results::probe_fields::{ProbeField, ProbeName, host_vm};

use super::HostSource;
use super::proc_file::{self, UnreadableFile};
use crate::counter::{Backwards, ReadingValues, counter_increase};

/// Our figure, and the kernel's counters that it sums up. Kernels differ in which they have: a sum lacks what is
/// missing, and is absent when all is.
const COUNTERS: [(ProbeField, &[&str]); 9] = [
    (host_vm::MAJOR_FAULTS, &["pgmajfault"]),
    (host_vm::PAGES_REFAULTED, &["workingset_refault_file", "workingset_refault"]),
    (host_vm::PAGES_RECLAIMED_DIRECT, &["pgsteal_direct"]),
    (host_vm::PAGES_RECLAIMED_KSWAPD, &["pgsteal_kswapd"]),
    (
        host_vm::ALLOCATION_STALLS,
        &["allocstall_dma", "allocstall_dma32", "allocstall_normal", "allocstall_movable", "allocstall_device"],
    ),
    (host_vm::COMPACTION_STALLS, &["compact_stall"]),
    (host_vm::PAGES_SWAPPED_IN, &["pswpin"]),
    (host_vm::PAGES_SWAPPED_OUT, &["pswpout"]),
    (host_vm::OUT_OF_MEMORY_KILLS, &["oom_kill"]),
];

/// What became dirty and what was written back, in bytes. The kernel counts pages.
const BYTES: [(ProbeField, &str); 2] =
    [(host_vm::DIRTIED_BYTES, "nr_dirtied"), (host_vm::WRITTEN_BACK_BYTES, "nr_written")];

/// Levels at the end of the interval, in bytes.
const GAUGES: [(ProbeField, &str); 2] = [
    (host_vm::DIRTY_THRESHOLD_BYTES, "nr_dirty_threshold"),
    (host_vm::DIRTY_BACKGROUND_THRESHOLD_BYTES, "nr_dirty_background_threshold"),
];

/// Reads `/proc/vmstat`.
pub(crate) struct VirtualMemory {
    root: PathBuf,
}

/// Every line, by the kernel's name.
type VmstatSnapshot = BTreeMap<String, u64>;

impl VirtualMemory {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl HostSource for VirtualMemory {
    type Snapshot = VmstatSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_vm::PROBE
    }

    fn read_snapshot(&self) -> Result<VmstatSnapshot, UnreadableFile> {
        proc_file::read_proc_file(&self.root, "proc/vmstat", proc_file::named_numbers)
    }

    fn snapshot_difference(before: &VmstatSnapshot, after: &VmstatSnapshot) -> Result<ReadingValues, Backwards> {
        let mut values = ReadingValues::new();
        for (field, parts) in COUNTERS {
            let sums = [before, after]
                .map(|snapshot| parts.iter().filter_map(|part| snapshot.get(*part)).copied().reduce(|a, b| a + b));
            if let [Some(before), Some(after)] = sums {
                values.insert(field.name.to_owned(), counter_increase(field.name, before, after)?);
            }
        }
        let page_bytes = rustix::param::page_size() as f64;
        for (field, kernel_name) in BYTES {
            if let (Some(before), Some(after)) = (before.get(kernel_name), after.get(kernel_name)) {
                values.insert(field.name.to_owned(), counter_increase(field.name, *before, *after)? * page_bytes);
            }
        }
        values.extend(GAUGES.iter().filter_map(|(field, kernel)| {
            Some((field.name.to_owned(), after.get(*kernel).map(|pages| *pages as f64 * page_bytes)?))
        }));
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    const VMSTAT: &str = include_str!("../../tests/fixtures/linux-6.18/proc/vmstat");

    #[test]
    fn the_kernel_s_own_file_is_understood() {
        let snapshot = proc_file::named_numbers(VMSTAT).unwrap();
        let values = VirtualMemory::snapshot_difference(&snapshot, &snapshot).unwrap();
        assert_every_field(host_vm::PROBE, &values);
    }

    #[test]
    fn what_a_kernel_splits_is_summed_up_and_what_it_lacks_is_absent() {
        let at = |normal: u64| {
            proc_file::named_numbers(&format!("allocstall_normal {normal}\nallocstall_movable 3\n")).unwrap()
        };
        let values = VirtualMemory::snapshot_difference(&at(5), &at(9)).unwrap();
        assert_eq!(values, ReadingValues::from([("allocation_stalls".to_owned(), 4.0)]));
    }
}
