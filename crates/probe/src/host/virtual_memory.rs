//! `host.vm`: what the kernel did to find memory and to write dirty pages back, from `/proc/vmstat`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Source;
use super::proc_file::{self, Unreadable};
use crate::counter::{Backwards, Values, increase};

/// Our name, and the kernel's counters that it sums up. Kernels differ in which they have: a sum lacks what is missing,
/// and is absent when all is.
const COUNTERS: [(&str, &[&str]); 9] = [
    ("major_faults", &["pgmajfault"]),
    ("pages_refaulted", &["workingset_refault_file", "workingset_refault"]),
    ("pages_reclaimed_direct", &["pgsteal_direct"]),
    ("pages_reclaimed_kswapd", &["pgsteal_kswapd"]),
    (
        "allocation_stalls",
        &["allocstall_dma", "allocstall_dma32", "allocstall_normal", "allocstall_movable", "allocstall_device"],
    ),
    ("compaction_stalls", &["compact_stall"]),
    ("pages_swapped_in", &["pswpin"]),
    ("pages_swapped_out", &["pswpout"]),
    ("out_of_memory_kills", &["oom_kill"]),
];

/// What became dirty and what was written back, in bytes. The kernel counts pages.
const BYTES: [(&str, &str); 2] = [("dirtied_bytes", "nr_dirtied"), ("written_back_bytes", "nr_written")];

/// Levels at the end of the interval, in bytes.
const GAUGES: [(&str, &str); 2] = [
    ("dirty_threshold_bytes", "nr_dirty_threshold"),
    ("dirty_background_threshold_bytes", "nr_dirty_background_threshold"),
];

/// Reads `/proc/vmstat`.
pub(crate) struct VirtualMemory {
    root: PathBuf,
}

/// Every line, by the kernel's name.
type Snapshot = BTreeMap<String, u64>;

impl VirtualMemory {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Source for VirtualMemory {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "host.vm"
    }

    fn read(&self) -> Result<Snapshot, Unreadable> {
        proc_file::read(&self.root, "proc/vmstat", proc_file::named_numbers)
    }

    fn difference(before: &Snapshot, after: &Snapshot) -> Result<Values, Backwards> {
        let mut values = Values::new();
        for (name, parts) in COUNTERS {
            let sum = |snapshot: &Snapshot| -> Option<u64> {
                parts.iter().filter_map(|part| snapshot.get(*part)).copied().reduce(|a, b| a + b)
            };
            if let (Some(before), Some(after)) = (sum(before), sum(after)) {
                values.insert(name.to_owned(), increase(name, before, after)?);
            }
        }
        let page_bytes = rustix::param::page_size() as f64;
        for (name, kernel_name) in BYTES {
            if let (Some(before), Some(after)) = (before.get(kernel_name), after.get(kernel_name)) {
                values.insert(name.to_owned(), increase(name, *before, *after)? * page_bytes);
            }
        }
        let level = |kernel_name: &str| after.get(kernel_name).map(|pages| *pages as f64 * page_bytes);
        values.extend(GAUGES.iter().filter_map(|(name, kernel)| Some(((*name).to_owned(), level(kernel)?))));
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VMSTAT: &str = include_str!("../../tests/fixtures/linux-6.18/proc/vmstat");

    #[test]
    fn the_kernel_s_own_file_is_understood() {
        let snapshot = proc_file::named_numbers(VMSTAT).unwrap();
        let values = VirtualMemory::difference(&snapshot, &snapshot).unwrap();
        assert_eq!(values.len(), COUNTERS.len() + BYTES.len() + GAUGES.len(), "{values:?}");
    }

    #[test]
    fn what_a_kernel_splits_is_summed_up_and_what_it_lacks_is_absent() {
        let at = |normal: u64| {
            proc_file::named_numbers(&format!("allocstall_normal {normal}\nallocstall_movable 3\n")).unwrap()
        };
        let values = VirtualMemory::difference(&at(5), &at(9)).unwrap();
        assert_eq!(values, Values::from([("allocation_stalls".to_owned(), 4.0)]));
    }
}
