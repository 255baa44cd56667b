//! `host.pressure`: how long tasks had to wait for a CPU, for I/O or for memory (Linux's pressure stall information),
//! from `/proc/pressure`. Microseconds in which *some* task waited, and in which all that were not idle did (*full*).

use std::path::{Path, PathBuf};

use procfs_core::{CpuPressure, FromBufRead, IoPressure, MemoryPressure, PressureRecord};

use super::Source;
use super::proc_file::{self, Malformed, Unreadable};
use crate::counter::{Backwards, Values, increase};

/// Reads the three files, which a kernel without PSI (before 4.20, or `psi=0`) does not have.
pub(crate) struct Pressure {
    root: PathBuf,
}

/// Totals in microseconds, by our name.
type Snapshot = [(&'static str, u64); 5];

impl Pressure {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Source for Pressure {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "host.pressure"
    }

    fn read(&self) -> Result<Snapshot, Unreadable> {
        let cpu = proc_file::read(&self.root, "proc/pressure/cpu", parse::<CpuPressure>)?;
        let io = proc_file::read(&self.root, "proc/pressure/io", parse::<IoPressure>)?;
        let memory = proc_file::read(&self.root, "proc/pressure/memory", parse::<MemoryPressure>)?;
        let us = |record: &PressureRecord| record.total;
        Ok([
            // The kernel's "full" of the CPU is always 0 for the whole machine.
            ("cpu_some_us", us(&cpu.some)),
            ("io_some_us", us(&io.some)),
            ("io_full_us", us(&io.full)),
            ("memory_some_us", us(&memory.some)),
            ("memory_full_us", us(&memory.full)),
        ])
    }

    fn difference(before: &Snapshot, after: &Snapshot) -> Result<Values, Backwards> {
        let pairs = before.iter().zip(after);
        pairs.map(|((name, before), (_, after))| Ok(((*name).to_owned(), increase(name, *before, *after)?))).collect()
    }
}

fn parse<P: FromBufRead>(text: &str) -> Result<P, Malformed> {
    Ok(P::from_buf_read(text.as_bytes())?)
}
