//! A control group that holds the processes of a server back, in version 1 or 2 of the interface.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::server::Server;
use crate::site::Site;

const ROOT: &str = "/sys/fs/cgroup";

/// How long the processes of a server may take to end.
const EMPTY_WITHIN: Duration = Duration::from_secs(10);

/// The period of a CPU quota, in microseconds.
const PERIOD_US: u32 = 100_000;

/// A group; dropping it removes it, when the server has ended.
pub struct Group {
    directory: PathBuf,
}

impl Group {
    /// One that may use so many CPUs.
    pub fn with_cpus(site: &Site, cpus: f64) -> Self {
        let quota_us = (cpus * f64::from(PERIOD_US)).round();
        let group = Self::new(site, "cpu");
        match group.is_v1() {
            true => {
                group.set("cpu.cfs_period_us", &PERIOD_US.to_string());
                group.set("cpu.cfs_quota_us", &quota_us.to_string());
            }
            false => group.set("cpu.max", &format!("{quota_us} {PERIOD_US}")),
        }
        group
    }

    /// One that may read and write so often a second on a device, given as `major:minor`.
    pub fn with_iops(site: &Site, device: &str, iops: u32) -> Self {
        let group = Self::new(site, if v1("blkio") { "blkio" } else { "io" });
        match group.is_v1() {
            true => {
                for direction in ["read", "write"] {
                    group.set(&format!("blkio.throttle.{direction}_iops_device"), &format!("{device} {iops}"));
                }
            }
            false => group.set("io.max", &format!("{device} riops={iops} wiops={iops}")),
        }
        group
    }

    /// One that may write so many bytes a second to a device, given as `major:minor`.
    pub fn with_write_bandwidth(site: &Site, device: &str, bytes_per_s: u64) -> Self {
        let group = Self::new(site, if v1("blkio") { "blkio" } else { "io" });
        match group.is_v1() {
            true => group.set("blkio.throttle.write_bps_device", &format!("{device} {bytes_per_s}")),
            false => group.set("io.max", &format!("{device} wbps={bytes_per_s}")),
        }
        group
    }

    /// One that may hold so much memory, its share of the page cache included.
    pub fn with_memory(site: &Site, bytes: u64) -> Self {
        let group = Self::new(site, "memory");
        group.set(if group.is_v1() { "memory.limit_in_bytes" } else { "memory.max" }, &bytes.to_string());
        group
    }

    fn new(site: &Site, controller: &str) -> Self {
        let hierarchy = if v1(controller) { Path::new(ROOT).join(controller) } else { ROOT.into() };
        if !v1(controller) {
            fs::write(hierarchy.join("cgroup.subtree_control"), format!("+{controller}")).expect("the controller");
        }
        let directory = hierarchy.join(site.unique(controller));
        fs::create_dir(&directory).expect("a control group");
        Self { directory }
    }

    fn is_v1(&self) -> bool {
        self.directory.parent() != Some(Path::new(ROOT))
    }

    fn set(&self, file: &str, value: &str) {
        fs::write(self.directory.join(file), value).unwrap_or_else(|error| panic!("{file} = {value}: {error}"));
    }

    /// Moves a server into it; the processes that it starts from now on are in it, too.
    pub fn hold(&self, server: &Server) {
        for pid in server.process_ids() {
            // One that has just ended needs no holding.
            let _ended = fs::write(self.directory.join("cgroup.procs"), pid.as_raw_nonzero().to_string());
        }
    }
}

fn v1(controller: &str) -> bool {
    Path::new(ROOT).join(controller).join("cgroup.procs").exists()
}

impl Drop for Group {
    fn drop(&mut self) {
        let deadline = Instant::now() + EMPTY_WITHIN;
        // A server that was told to end is gone before the last of its processes are.
        while let Err(error) = fs::remove_dir(&self.directory) {
            if Instant::now() > deadline {
                eprintln!("could not remove {}: {error}", self.directory.display());
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
