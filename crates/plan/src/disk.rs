//! What a plan says of disks: which of fio's jobs, on how large a file, for how long, and what the provider states.

use std::path::PathBuf;
use std::time::Duration;

use super::model::Word;
use super::units::{Bandwidth, FileSize};

/// What is asked of the disk of every target: the same of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskPlan {
    /// Which jobs, in this order; may be empty when there are job files.
    pub jobs: Vec<DiskJob>,
    /// fio's job files of the person, which run as they are after the jobs.
    pub job_files: Vec<PathBuf>,
    /// Size of the file that the jobs work on; absent: twice the memory of the machine.
    pub size: Option<FileSize>,
    /// Why a smaller file than twice the memory is right.
    pub size_reason: Option<String>,
    /// How long each job runs; the depths of a sweep run for as long each.
    pub runtime: Duration,
    /// What the provider states of every target that states nothing of its own.
    pub stated: Stated,
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

/// What is said of the disk of one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetDisk {
    /// The directory that is measured; absent: the data directory of a local server.
    pub directory: Option<PathBuf>,
    /// What the provider states.
    pub stated: Stated,
}

/// The caps that the provider of a disk states.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stated {
    /// Requests per second.
    pub iops: Option<u64>,
    /// Bytes per second.
    pub bandwidth: Option<Bandwidth>,
}

impl Stated {
    /// This, and what it leaves open from another.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { iops: self.iops.or(other.iops), bandwidth: self.bandwidth.or(other.bandwidth) }
    }
}

/// One of the jobs that fio is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskJob {
    /// Random 8 kB requests, four reads to a write, 32 in flight.
    Oltp,
    /// Sequential reads of 1 MB, 16 in flight.
    SeqRead,
    /// Sequential writes of 1 MB, 16 in flight.
    SeqWrite,
    /// 8 kB writes in sequence, each followed by fdatasync.
    Wal,
    /// The same by eight jobs at once.
    WalGroup,
    /// Random 8 kB reads with 1 to 128 in flight.
    Depth,
    /// Random 8 kB reads through the page cache, 32 jobs at once.
    CachedRead,
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

impl Word for DiskJob {
    const ALL: &'static [Self] =
        &[Self::Oltp, Self::SeqRead, Self::SeqWrite, Self::Wal, Self::WalGroup, Self::Depth, Self::CachedRead];

    fn word(self) -> &'static str {
        match self {
            Self::Oltp => "oltp",
            Self::SeqRead => "seq-read",
            Self::SeqWrite => "seq-write",
            Self::Wal => "wal",
            Self::WalGroup => "wal-group",
            Self::Depth => "depth",
            Self::CachedRead => "cached-read",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Oltp => "random 8 kB requests, four reads to a write, direct, 32 in flight",
            Self::SeqRead => "sequential 1 MB reads, direct, 16 in flight",
            Self::SeqWrite => "sequential 1 MB writes, direct, 16 in flight",
            Self::Wal => "8 kB writes in sequence, each followed by fdatasync: the floor of a commit",
            Self::WalGroup => "the same by 8 jobs at once",
            Self::Depth => "random 8 kB reads, direct, with 1, 2, 4 … 128 in flight: latency against throughput",
            Self::CachedRead => "random 8 kB reads through the page cache by 32 jobs at once",
        }
    }
}
