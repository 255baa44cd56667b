//! How much may be dirty in the page cache before the kernel makes writers wait, for the whole machine.

use std::fs;
use std::path::{Path, PathBuf};

use crate::leftovers::note_sysctl;

/// Changed limits; dropping them puts back what was there.
pub struct DirtyLimits {
    was: Vec<(PathBuf, String)>,
}

impl DirtyLimits {
    /// Writeback begins at `background` bytes, and writers wait from `limit` on.
    pub fn set(limit: u64, background: u64) -> Self {
        let mut limits = Self { was: Vec::new() };
        for (name, bytes) in [("dirty_background", background), ("dirty", limit)] {
            let (path, value) = in_force(name);
            note_sysctl(&path, &value);
            limits.was.push((path, value));
            fs::write(sysctl(&format!("{name}_bytes")), bytes.to_string()).expect("root may");
        }
        limits
    }
}

impl Drop for DirtyLimits {
    fn drop(&mut self) {
        for (path, value) in self.was.iter().rev() {
            if let Err(error) = fs::write(path, value) {
                eprintln!("could not set {} back to {value}: {error}", path.display());
            }
        }
    }
}

/// A limit is a number of bytes or a percentage: the kernel shows the one that is not in force as 0, and takes no 0.
fn in_force(name: &str) -> (PathBuf, String) {
    let both = ["bytes", "ratio"].map(|unit| sysctl(&format!("{name}_{unit}")));
    let values = both.map(|path| {
        let value = fs::read_to_string(&path).expect("a sysctl").trim().to_owned();
        (path, value)
    });
    values.into_iter().find(|(_, value)| value != "0").expect("one of the two is in force")
}

fn sysctl(name: &str) -> PathBuf {
    Path::new("/proc/sys/vm").join(name)
}
