//! `host.memory`: how the machine's memory is used, from `/proc/meminfo`. Gauges only:
//! levels at the end of the interval.

use std::path::{Path, PathBuf};

use procfs_core::{FromBufRead, Meminfo};

use super::Source;
use super::proc_file::{self, Malformed, Unreadable};
use crate::counter::{Backwards, Values};

/// Reads `/proc/meminfo`.
pub(crate) struct Memory {
    root: PathBuf,
}

impl Memory {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Source for Memory {
    type Snapshot = Values;

    fn name(&self) -> &'static str {
        "host.memory"
    }

    fn read(&self) -> Result<Values, Unreadable> {
        proc_file::read(&self.root, "proc/meminfo", parse)
    }

    fn difference(_before: &Values, after: &Values) -> Result<Values, Backwards> {
        Ok(after.clone())
    }
}

fn parse(text: &str) -> Result<Values, Malformed> {
    let memory = Meminfo::from_buf_read(text.as_bytes())?;
    let gauges = [
        ("total_bytes", Some(memory.mem_total)),
        ("free_bytes", Some(memory.mem_free)),
        ("available_bytes", memory.mem_available),
        ("buffers_bytes", Some(memory.buffers)),
        ("cached_bytes", Some(memory.cached)),
        ("dirty_bytes", Some(memory.dirty)),
        ("writeback_bytes", Some(memory.writeback)),
        ("anonymous_bytes", memory.anon_pages),
        ("shared_bytes", memory.shmem),
        ("slab_bytes", Some(memory.slab)),
        ("page_tables_bytes", memory.page_tables),
        ("swap_total_bytes", Some(memory.swap_total)),
        ("swap_free_bytes", Some(memory.swap_free)),
        ("anonymous_huge_bytes", memory.anon_hugepages),
        ("huge_page_bytes", memory.hugepagesize),
        ("huge_pages_total", memory.hugepages_total),
        ("huge_pages_free", memory.hugepages_free),
    ];
    Ok(gauges.into_iter().filter_map(|(name, level)| Some((name.to_owned(), level? as f64))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = include_str!("../../tests/fixtures/linux-6.18/proc/meminfo");

    #[test]
    fn kilobytes_become_bytes_and_a_line_that_is_not_there_is_absent() {
        let values = parse(MEMINFO).unwrap();
        assert_eq!(values["available_bytes"], 24_217_108.0 * 1024.0);
        assert_eq!(values["dirty_bytes"], 301_324.0 * 1024.0);
        assert_eq!(values["writeback_bytes"], 0.0);

        let older = MEMINFO.lines().filter(|line| !line.starts_with("MemAvailable:")).collect::<Vec<_>>().join("\n");
        assert!(!parse(&older).unwrap().contains_key("available_bytes"));
    }

    #[test]
    fn a_malformed_line_is_an_error_that_shows_what_was_found() {
        let error = parse(&MEMINFO.replace("301324 kB", "plenty kB")).unwrap_err();
        assert!(error.to_string().contains("\"plenty\""), "{error}");
    }
}
