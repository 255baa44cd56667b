//! What a plan says of disks: which of fio's jobs, on how large a file, for how long, and what the provider states.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::language::{AtLeastMs, List, MappingFields, PlanReadingFindings, TextForm, Whole, record, words};
use super::made::{KubernetesQuantity, Labels};
use super::object_name::ObjectName;
use super::units::{Bandwidth, FileSize};

record! {
    /// The fio jobs that measure the disk of every target before the first trial.
    pub struct DiskPlan = "disk" {
        /// Jobs, in this order. Each runs with the same queue depth and number of processes on every target.
        key jobs: Vec<DiskJob> as List<DiskJob, 0> = Default("[oltp, seq-read, seq-write, wal, wal-group, depth]"),
        /// fio job files to run unchanged after the jobs, in a directory of pgdyno. A relative path starts at the plan.
        key job_files: Vec<PathBuf> as List<PathBuf, 0> = Default("[]"),
        /// Size of the test file. It is written once before the measurement and removed afterwards. A file smaller than
        /// twice the memory may fit into a cache.
        key size: Option<FileSize> = Open("twice the memory of the machine"),
        /// Reason for a file smaller than twice the memory; printed in the report.
        key size_reason: Option<String> as Option<TextForm> =
            Absent("none; for a smaller file, the report warns that a cache may hold it"),
        /// Duration of each job; for `depth`, of each of its eight queue depths.
        key runtime: Duration as AtLeastMs<1000> = Default("30s"),
        /// Rates that the provider declares, for targets without rates of their own.
        key declared: DeclaredRates = Default("{}"),
    }
}

impl DiskPlan {
    /// How long each job runs unless it is said.
    pub const RUNTIME: Duration = Duration::from_secs(30);

    /// How long the jobs run on one disk; writing the file comes to that, for as long as the disk takes.
    #[must_use]
    pub fn duration_of_jobs(&self) -> Duration {
        self.runtime * self.jobs.iter().map(|job| job.execution_count()).sum()
    }
}

record! {
    /// Location of the disk to measure, and the rates that its provider declares.
    #[derive(Default)]
    pub struct TargetDisk = "a target's disk", check = Self::one_place {
        /// Directory on the disk to measure, on the host of the target's `agent` if it has one, else on this machine. A
        /// relative path starts at the working directory of pgdyno on that host.
        key directory: Option<PathBuf> = Absent("the data directory of a local server; none for a `url`"),
        /// Volume on which fio measures the storage of a target in `kubernetes`. pgdyno creates it on the node of the
        /// server and removes it afterwards.
        key volume: Option<Volume> = Open("`{}` for a server in Kubernetes"),
        /// Rates that the provider declares for this disk. Missing keys are taken from `disk.declared`.
        key declared: DeclaredRates = Default("{}"),
    }
}

impl TargetDisk {
    fn one_place(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        if self.directory.is_some() {
            fields.report_misplaced(findings, "volume", "excludes a `directory`", "keep one of the two");
        }
    }
}

record! {
    /// A volume that pgdyno creates in Kubernetes and measures with fio in a pod.
    pub struct Volume = "a volume" {
        /// Storage class of the volume.
        key storage_class: Option<ObjectName> = Open("the storage class of the server's volume"),
        /// Size of the volume. If the speed of a storage class depends on the size, use the size of the server's
        /// volume. The test file of fio fills at most 80 % of it.
        key size: KubernetesQuantity = Default(Volume::SIZE),
        /// Container image with fio, a shell and `tail`. It must run as any user.
        key image: String as TextForm = Default(Volume::IMAGE),
        /// Labels of the nodes on which the pod may run.
        key node_selector: BTreeMap<String, String> as Labels = Absent("the node of the server"),
    }
}

impl Volume {
    /// The image unless another one is named.
    pub const IMAGE: &str = concat!("pgdyno:", env!("CARGO_PKG_VERSION"));
    /// The size unless another one is named.
    pub const SIZE: &str = "10Gi";
}

impl Default for Volume {
    fn default() -> Self {
        Self {
            storage_class: None,
            size: KubernetesQuantity(Self::SIZE.to_owned()),
            image: Self::IMAGE.to_owned(),
            node_selector: BTreeMap::new(),
        }
    }
}

record! {
    /// Rates of a disk that its provider declares.
    #[derive(Copy, Default)]
    pub struct DeclaredRates = "declared" {
        /// Requests per second.
        key iops: Option<u64> as Option<Whole<1, 1_000_000_000, u64>> = Absent("not declared"),
        /// Bandwidth.
        key bandwidth: Option<Bandwidth> = Absent("not declared"),
    }
}

impl DeclaredRates {
    /// This, and what it leaves open from another.
    #[must_use]
    pub fn with_defaults_from(self, other: Self) -> Self {
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
        Wal = "wal", "sequential 8 kB writes, each followed by fdatasync: the minimum time of a commit";
        WalGroup = "wal-group", "as `wal`, by 8 processes at once";
        Depth = "depth", "random 8 kB reads, direct, with 1, 2, 4 … 128 in flight: latency against throughput";
        CachedRead = "cached-read", "random 8 kB reads through the page cache, by 32 processes at once";
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
    fn execution_count(self) -> u32 {
        match self {
            Self::Depth => Self::DEPTHS.len() as u32,
            Self::Oltp | Self::SeqRead | Self::SeqWrite | Self::Wal | Self::WalGroup | Self::CachedRead => 1,
        }
    }
}
