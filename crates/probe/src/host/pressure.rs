//! `host.pressure`: how long tasks had to wait for a CPU, for I/O or for memory (Linux's pressure stall information),
//! from `/proc/pressure`. Microseconds in which *some* task waited, and in which all that were not idle did (*full*).

use std::path::{Path, PathBuf};

use procfs_core::{CpuPressure, FromBufRead, IoPressure, MemoryPressure};
use results::probe_fields::{ProbeField, ProbeName, host_pressure};

use super::HostSource;
use super::proc_file::{self, Malformed, UnreadableFile};
use crate::counter::{Backwards, ReadingValues, increase_of};

/// Reads the three files, which a kernel without PSI (before 4.20, or `psi=0`) does not have.
pub(crate) struct Pressure {
    root: PathBuf,
}

/// Totals in microseconds.
type PressureSnapshot = [(ProbeField, u64); 5];

impl Pressure {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl HostSource for Pressure {
    type Snapshot = PressureSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_pressure::PROBE
    }

    fn read_snapshot(&self) -> Result<PressureSnapshot, UnreadableFile> {
        let cpu = proc_file::read_proc_file(&self.root, "proc/pressure/cpu", parse_pressure_file::<CpuPressure>)?;
        let io = proc_file::read_proc_file(&self.root, "proc/pressure/io", parse_pressure_file::<IoPressure>)?;
        let memory =
            proc_file::read_proc_file(&self.root, "proc/pressure/memory", parse_pressure_file::<MemoryPressure>)?;
        Ok([
            // The kernel's "full" of the CPU is always 0 for the whole machine.
            (host_pressure::CPU_SOME_US, cpu.some.total),
            (host_pressure::IO_SOME_US, io.some.total),
            (host_pressure::IO_FULL_US, io.full.total),
            (host_pressure::MEMORY_SOME_US, memory.some.total),
            (host_pressure::MEMORY_FULL_US, memory.full.total),
        ])
    }

    fn snapshot_difference(before: &PressureSnapshot, after: &PressureSnapshot) -> Result<ReadingValues, Backwards> {
        let pairs = before.iter().zip(after);
        pairs.map(|((field, before), (_, after))| increase_of(*field, *before, *after)).collect()
    }
}

fn parse_pressure_file<P: FromBufRead>(text: &str) -> Result<P, Malformed> {
    Ok(P::from_buf_read(text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    #[test]
    fn every_figure_is_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/linux-6.18");
        let snapshot = Pressure::new(&root).read_snapshot().unwrap();
        assert_every_field(host_pressure::PROBE, &Pressure::snapshot_difference(&snapshot, &snapshot).unwrap());
    }
}
