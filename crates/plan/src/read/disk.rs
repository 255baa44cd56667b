//! The keys of a plan that concern disks.

use super::super::disk::{DiskJob, DiskPlan, Stated, TargetDisk};
use super::super::units;
use super::{At, Reader};

impl Reader<'_> {
    pub(super) fn disk(&mut self, at: &At<'_>) -> Option<DiskPlan> {
        let fields = self.record(at)?;
        let jobs = self.optional(&fields, "jobs", |r, at| r.list(at, Self::word));
        let job_files = self.value(&fields, "job_files", |r, at| r.list(at, Self::path));
        let size = self.optional(&fields, "size", |r, at| r.quantity(at, units::parse_file_size));
        let size_reason = self.optional(&fields, "size_reason", Self::text);
        let runtime = self.value(&fields, "runtime", Self::duration);
        let stated = self.value(&fields, "stated", Self::stated);
        Some(DiskPlan {
            jobs: jobs?.unwrap_or_else(|| DiskJob::DEFAULT.to_vec()),
            job_files: job_files?,
            size: size?,
            size_reason: size_reason?,
            runtime: runtime?,
            stated: stated?,
        })
    }

    pub(super) fn target_disk(&mut self, at: &At<'_>) -> Option<TargetDisk> {
        let fields = self.record(at)?;
        let directory = self.optional(&fields, "directory", Self::path);
        let stated = self.value(&fields, "stated", Self::stated);
        Some(TargetDisk { directory: directory?, stated: stated? })
    }

    fn stated(&mut self, at: &At<'_>) -> Option<Stated> {
        let fields = self.record(at)?;
        let iops = self.optional(&fields, "iops", Self::whole);
        let bandwidth = self.optional(&fields, "bandwidth", |r, at| r.quantity(at, units::parse_bandwidth));
        Some(Stated { iops: iops?, bandwidth: bandwidth? })
    }
}
