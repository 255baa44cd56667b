//! What the operating system counts on this machine (Linux). One file per probe; each parses text into a snapshot and
//! takes the difference of two snapshots in pure functions, and reads the file at the edge,
//! below a root that a test may choose.

mod block_device;
mod cgroup;
mod cpu;
mod cpu_time;
mod disk;
mod ended_children;
mod foreign;
mod memory;
mod network;
mod pressure;
mod proc_file;
mod process_kind;
mod processes;
mod server_processes;
mod tcp;
mod virtual_memory;

use std::path::PathBuf;
use std::time::Instant;

use results::interval::Reading;
use results::probe_fields::{ProbeName, host_disk, host_disk_parent, host_disk_wal};

use crate::activity::LoadProcesses;
use crate::counter::{Backwards, ReadingValues};
use crate::series::SnapshotSeries;
pub use cpu_time::CpuTime;
use proc_file::UnreadableFile;
pub(crate) use server_processes::server_process_name;

/// The machine to watch, and what on it.
#[derive(Debug, Clone, Default)]
pub struct HostScope {
    /// Where `proc` and `sys` are found: `/`, or a copy of them.
    pub root: PathBuf,
    /// The data directory, whose block device is watched; without one no disk is. Not relative to `root`.
    pub data_directory: Option<PathBuf>,
    /// The block device of the data by its numbers, `8:1`, where `root` is a copy in which no directory tells it.
    pub device: Option<String>,
    /// The same of its WAL, if that is another one.
    pub wal_device: Option<String>,
    /// The server's first process, whose children and control group are watched; without one none are.
    pub postmaster: Option<u32>,
    /// The processes of the load's sessions among the server's.
    pub load: LoadProcesses,
    /// The first processes of servers that take turns with it on this machine; it may be among them.
    pub alternating: Vec<u32>,
    /// Where the `proc` of this very process is, if it runs on that machine: `/`.
    pub of_this_process: Option<PathBuf>,
}

/// One thing to read on the host.
pub(crate) trait HostSource: Send + 'static {
    /// What is read at an instant.
    type Snapshot: Send;

    /// The probe's name in a reading.
    fn probe_name(&self) -> ProbeName;

    /// Reads the snapshot of now.
    fn read_snapshot(&self) -> Result<Self::Snapshot, UnreadableFile>;

    /// What happened between two snapshots: increases of counters, and the gauges of `after`.
    fn snapshot_difference(before: &Self::Snapshot, after: &Self::Snapshot) -> Result<ReadingValues, Backwards>;
}

/// A [`HostSource`] with the series of its readings, whatever its snapshots are.
pub(crate) trait HostProbe: Send {
    fn name_of_probe(&self) -> ProbeName;
    /// A reading of now, or of files that were copied at this instant.
    fn take_reading(&mut self, copied_at: Option<Instant>) -> Reading;
    fn forget_snapshot(&mut self);
}

struct WatchedSource<S: HostSource> {
    source: S,
    series: SnapshotSeries<S::Snapshot>,
}

impl<S: HostSource> HostProbe for WatchedSource<S> {
    fn name_of_probe(&self) -> ProbeName {
        self.source.probe_name()
    }

    fn take_reading(&mut self, copied_at: Option<Instant>) -> Reading {
        let begun = Instant::now();
        let outcome = self.source.read_snapshot();
        let time = match copied_at {
            Some(at) => at..at,
            None => begun..Instant::now(),
        };
        self.series.reading_from_outcome(time, outcome, S::snapshot_difference)
    }

    fn forget_snapshot(&mut self) {
        self.series.forget_snapshot();
    }
}

/// The probes of `scope`. What cannot be found now is a probe that answers with a gap, not a missing probe.
pub(crate) fn probes_of_scope(scope: &HostScope) -> Vec<Box<dyn HostProbe>> {
    let root = &scope.root;
    let mut probes = vec![
        watch_source(cpu::Cpu::new(root)),
        watch_source(memory::MeminfoReader::new(root)),
        watch_source(network::NetworkReader::new(root)),
        watch_source(tcp::Tcp::new(root)),
        watch_source(pressure::Pressure::new(root)),
        watch_source(virtual_memory::VirtualMemory::new(root)),
    ];
    if let Some(postmaster) = scope.postmaster {
        let server = server_processes::ServerProcesses::new(root, postmaster, scope.load.clone());
        let living = server.living_processes();
        probes.push(watch_source(server));
        probes.push(watch_source(processes::ServerProcessKinds::new(root, postmaster, living.clone())));
        // Right behind it, so that what it takes off is of the same instant.
        probes.push(watch_source(foreign::Foreign::new(scope, postmaster, living)));
        probes.push(watch_source(cgroup::Cgroup::new(root, postmaster)));
    }
    let by_numbers = |numbers: &Option<String>| numbers.as_deref().and_then(|numbers| numbers.parse().ok()).map(Ok);
    if let Some(device) = by_numbers(&scope.device)
        .or_else(|| Some(block_device::device_holding_directory(root, scope.data_directory.as_deref()?)))
    {
        let parent = device.as_ref().ok().and_then(|device| block_device::parent_disk(root, *device));
        // Where it is a link to another disk; one that cannot be looked at is most likely none.
        let wal = || {
            scope
                .data_directory
                .as_deref()
                .map(|data| block_device::device_holding_directory(root, &data.join("pg_wal")))
        };
        let wal = by_numbers(&scope.wal_device)
            .or_else(wal)
            .and_then(Result::ok)
            .filter(|wal| device.as_ref().ok() != Some(wal));
        probes.push(watch_source(disk::DiskStatsReader::new(host_disk::PROBE, root, device)));
        probes.extend(wal.map(|wal| watch_source(disk::DiskStatsReader::new(host_disk_wal::PROBE, root, Ok(wal)))));
        if let Some(parent) = parent {
            probes.push(watch_source(disk::DiskStatsReader::new(host_disk_parent::PROBE, root, Ok(parent))));
        }
    }
    probes
}

fn watch_source<S: HostSource>(source: S) -> Box<dyn HostProbe> {
    Box::new(WatchedSource { source, series: SnapshotSeries::new() })
}
