//! The keys of a plan that concern disks.

use std::fmt::{self, Write};

use super::super::disk::{DiskPlan, Stated, TargetDisk};
use super::super::model::Word as _;
use super::super::units::format_duration;
use super::quoted;

pub(super) fn write_disk(w: &mut String, disk: &DiskPlan) -> fmt::Result {
    let jobs: Vec<&str> = disk.jobs.iter().map(|job| job.word()).collect();
    let files: Vec<String> = disk.job_files.iter().map(|path| quoted(&path.to_string_lossy())).collect();
    writeln!(w, "disk:\n  jobs: [{}]\n  job_files: [{}]", jobs.join(", "), files.join(", "))?;
    match disk.size {
        Some(size) => writeln!(w, "  size: {size}")?,
        None => writeln!(w, "  # size: twice the memory of the machine")?,
    }
    if let Some(reason) = &disk.size_reason {
        writeln!(w, "  size_reason: {}", quoted(reason))?;
    }
    writeln!(w, "  runtime: {}", format_duration(disk.runtime))?;
    write_stated(w, "  ", &disk.stated)
}

pub(super) fn write_target_disk(w: &mut String, disk: &TargetDisk) -> fmt::Result {
    if *disk == TargetDisk::default() {
        return Ok(());
    }
    writeln!(w, "    disk:")?;
    if let Some(directory) = &disk.directory {
        writeln!(w, "      directory: {}", quoted(&directory.to_string_lossy()))?;
    }
    write_stated(w, "      ", &disk.stated)
}

fn write_stated(w: &mut String, indent: &str, stated: &Stated) -> fmt::Result {
    let iops = stated.iops.map(|iops| format!("iops: {iops}"));
    let bandwidth = stated.bandwidth.map(|bandwidth| format!("bandwidth: {bandwidth}"));
    let stated: Vec<String> = iops.into_iter().chain(bandwidth).collect();
    if stated.is_empty() { Ok(()) } else { writeln!(w, "{indent}stated: {{ {} }}", stated.join(", ")) }
}
