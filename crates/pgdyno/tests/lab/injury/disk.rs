//! A disk for one server: ext4 in an image file, through a loop device that the kernel takes away with its mount. Reads
//! and writes go past the cache of the file system below, so that the image's own device can be the bottleneck.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::site::Site;
use testbed::{killable_program, run_command};

/// Room for the data and WAL of one case. The image is sparse: only what is written takes place.
const SIZE: u64 = 4 << 30;

/// A mounted disk; dropping it unmounts it.
pub struct Disk {
    image: PathBuf,
    mount_point: PathBuf,
}

impl Disk {
    /// Makes and mounts one.
    pub fn new(site: &Site) -> Self {
        let [image, mount_point] = ["image", "disk"].map(|what| site.path().join(site.unique(what)));
        fs::create_dir(&mount_point).expect("made");
        fs::File::create(&image).and_then(|file| file.set_len(SIZE)).expect("an image");
        run_command(killable_program("mkfs.ext4").args(["-q", "-E", "lazy_itable_init=0"]).arg(&image));
        let disk = Self { image, mount_point };
        disk.mount();
        disk
    }

    fn mount(&self) {
        let device =
            run_command(killable_program("losetup").args(["--find", "--show", "--direct-io=on"]).arg(&self.image));
        run_command(killable_program("mount").arg(&device).arg(&self.mount_point));
        // The device goes as soon as nothing uses it.
        run_command(killable_program("losetup").args(["--detach", &device]));
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        &self.mount_point
    }

    /// The device below, as `major:minor`.
    pub fn below(&self) -> String {
        let device = fs::metadata(&self.image).expect("the image").dev();
        format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device))
    }

    /// Forgets what is cached of it; nothing may be open on it.
    pub fn forget_cache(&self) {
        run_command(killable_program("umount").arg(&self.mount_point));
        self.mount();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let unmounted = killable_program("umount").args(["--lazy"]).arg(&self.mount_point).status();
        if !unmounted.is_ok_and(|status| status.success()) {
            eprintln!("could not unmount {}", self.mount_point.display());
        }
    }
}
