//! What a plan says of disks: which of fio's jobs, on how large a file, for how long, and what the provider states.

use std::path::PathBuf;
use std::time::Duration;

use super::language::{AtLeastMs, List, Text, Whole, record, words};
use super::units::{Bandwidth, FileSize};

record! {
    /// What fio is to measure on the disk of every target before the first trial.
    pub struct DiskPlan = "disk" {
        /// Which jobs, in this order. Each runs with the same depth and number of jobs on every target.
        key jobs: Vec<DiskJob> as List<DiskJob, 0> = Default("[oltp, seq-read, seq-write, wal, wal-group, depth]"),
        /// Job files of fio, which run as they are after the jobs, in a directory of pgdyno's. A relative path starts
        /// at the plan.
        key job_files: Vec<PathBuf> as List<PathBuf, 0> = Default("[]"),
        /// Size of the file that the jobs work on; it is written once before anything is measured, and removed
        /// afterwards. A cache may hold a smaller one than twice the memory.
        key size: Option<FileSize> = Open("twice the memory of the machine"),
        /// Why a file smaller than twice the memory is right, to stand in the report.
        key size_reason: Option<String> as Option<Text> =
            Absent("none; the report says that a cache may hold a small file"),
        /// How long each job runs; of `depth`, each of its eight depths.
        key runtime: Duration as AtLeastMs<1000> = Default("30s"),
        /// What the provider states of every target that states nothing of its own.
        key stated: Stated = Default("{}"),
    }
}

impl DiskPlan {
    /// How long each job runs unless it is said.
    pub const RUNTIME: Duration = Duration::from_secs(30);

    /// How long the jobs run on one disk; writing the file comes to that, for as long as the disk takes.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.runtime * self.jobs.iter().map(|job| job.executions()).sum()
    }
}

record! {
    /// Where the disk of a target is measured, and what its provider states.
    #[derive(Default)]
    pub struct TargetDisk = "a target's disk" {
        /// A directory on the disk to measure, on this machine. A relative path starts where pgdyno is started.
        key directory: Option<PathBuf> = Absent("the data directory of a local server; a `url` has none"),
        /// What the provider states of this disk; what is left open is as in `disk.stated`.
        key stated: Stated = Default("{}"),
    }
}

record! {
    /// The caps of a disk as its provider states them.
    #[derive(Copy, Default)]
    pub struct Stated = "stated" {
        /// Requests per second.
        key iops: Option<u64> as Option<Whole<1, 1_000_000_000, u64>> = Absent("not stated"),
        /// Bytes per second.
        key bandwidth: Option<Bandwidth> = Absent("not stated"),
    }
}

impl Stated {
    /// This, and what it leaves open from another.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { iops: self.iops.or(other.iops), bandwidth: self.bandwidth.or(other.bandwidth) }
    }
}

words! {
    /// One of the jobs that fio is given.
    #[derive(PartialOrd, Ord)]
    DiskJob {
        Oltp = "oltp", "random 8 kB requests, four reads to a write, direct, 32 in flight";
        SeqRead = "seq-read", "sequential 1 MB reads, direct, 16 in flight";
        SeqWrite = "seq-write", "sequential 1 MB writes, direct, 16 in flight";
        Wal = "wal", "8 kB writes in sequence, each followed by fdatasync: the floor of a commit";
        WalGroup = "wal-group", "the same by 8 jobs at once";
        Depth = "depth", "random 8 kB reads, direct, with 1, 2, 4 … 128 in flight: latency against throughput";
        CachedRead = "cached-read", "random 8 kB reads through the page cache by 32 jobs at once";
    }
}

impl DiskJob {
    /// The jobs that run unless others are named.
    pub const DEFAULT: [Self; 6] = [Self::Oltp, Self::SeqRead, Self::SeqWrite, Self::Wal, Self::WalGroup, Self::Depth];
}

impl DiskJob {
    /// The depths of [`DiskJob::Depth`].
    pub const DEPTHS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

    /// How often fio runs for it.
    fn executions(self) -> u32 {
        match self {
            Self::Depth => Self::DEPTHS.len() as u32,
            Self::Oltp | Self::SeqRead | Self::SeqWrite | Self::Wal | Self::WalGroup | Self::CachedRead => 1,
        }
    }
}
