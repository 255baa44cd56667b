//! `host.memory`: how the machine's memory is used, from `/proc/meminfo`. Gauges only:
//! levels at the end of the interval.

use std::path::{Path, PathBuf};

use procfs_core::{FromBufRead, Meminfo};
use results::probe_fields::{ProbeName, host_memory};

use super::HostSource;
use super::proc_file::{self, Malformed, UnreadableFile};
use crate::counter::{Backwards, ReadingValues};

/// Reads `/proc/meminfo`.
pub(crate) struct MeminfoReader {
    root: PathBuf,
}

impl MeminfoReader {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl HostSource for MeminfoReader {
    type Snapshot = ReadingValues;

    fn probe_name(&self) -> ProbeName {
        host_memory::PROBE
    }

    fn read_snapshot(&self) -> Result<ReadingValues, UnreadableFile> {
        proc_file::read_proc_file(&self.root, "proc/meminfo", parse_meminfo)
    }

    fn snapshot_difference(_before: &ReadingValues, after: &ReadingValues) -> Result<ReadingValues, Backwards> {
        Ok(after.clone())
    }
}

fn parse_meminfo(text: &str) -> Result<ReadingValues, Malformed> {
    let memory = Meminfo::from_buf_read(text.as_bytes())?;
    let gauges = [
        (host_memory::TOTAL_BYTES, Some(memory.mem_total)),
        (host_memory::FREE_BYTES, Some(memory.mem_free)),
        (host_memory::AVAILABLE_BYTES, memory.mem_available),
        (host_memory::BUFFERS_BYTES, Some(memory.buffers)),
        (host_memory::CACHED_BYTES, Some(memory.cached)),
        (host_memory::DIRTY_BYTES, Some(memory.dirty)),
        (host_memory::WRITEBACK_BYTES, Some(memory.writeback)),
        (host_memory::ANONYMOUS_BYTES, memory.anon_pages),
        (host_memory::SHARED_BYTES, memory.shmem),
        (host_memory::SLAB_BYTES, Some(memory.slab)),
        (host_memory::PAGE_TABLES_BYTES, memory.page_tables),
        (host_memory::SWAP_TOTAL_BYTES, Some(memory.swap_total)),
        (host_memory::SWAP_FREE_BYTES, Some(memory.swap_free)),
        (host_memory::ANONYMOUS_HUGE_BYTES, memory.anon_hugepages),
        (host_memory::HUGE_PAGE_BYTES, memory.hugepagesize),
        (host_memory::HUGE_PAGES_TOTAL, memory.hugepages_total),
        (host_memory::HUGE_PAGES_FREE, memory.hugepages_free),
    ];
    Ok(gauges.into_iter().filter_map(|(field, level)| Some((field.name.to_owned(), level? as f64))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    const MEMINFO: &str = include_str!("../../tests/fixtures/linux-6.18/proc/meminfo");

    #[test]
    fn kilobytes_become_bytes_and_a_line_that_is_not_there_is_absent() {
        let values = parse_meminfo(MEMINFO).unwrap();
        assert_every_field(host_memory::PROBE, &values);
        assert_eq!(values["available_bytes"], 24_217_108.0 * 1024.0);
        assert_eq!(values["dirty_bytes"], 301_324.0 * 1024.0);
        assert_eq!(values["writeback_bytes"], 0.0);

        let older = MEMINFO.lines().filter(|line| !line.starts_with("MemAvailable:")).collect::<Vec<_>>().join("\n");
        assert!(!parse_meminfo(&older).unwrap().contains_key("available_bytes"));
    }

    #[test]
    fn a_malformed_line_is_an_error_that_shows_what_was_found() {
        let error = parse_meminfo(&MEMINFO.replace("301324 kB", "plenty kB")).unwrap_err();
        assert!(error.to_string().contains("\"plenty\""), "{error}");
    }
}
