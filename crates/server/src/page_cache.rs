//! The kernel's cache of a server's files, put out file by file: what other servers on the machine have cached stays,
//! which dropping all caches would take from them, and no root is needed for files of one's own.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rustix::fs::Advice;

/// Puts all files below a directory out of the kernel's cache, after they have been written out; symbolic links are not
/// followed. Returns their size in bytes. A file that goes meanwhile is none.
///
/// The kernel takes this as advice: pages that are in use stay, and file systems without a disk keep all.
///
/// # Errors
/// A directory or file that cannot be read.
pub fn evict_directory(directory: &Path) -> io::Result<u64> {
    rustix::fs::syncfs(File::open(directory)?)?;
    evict_below(directory)
}

fn evict_below(directory: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            bytes += evict_below(&entry.path())?;
        } else if kind.is_file() {
            match File::open(entry.path()) {
                Ok(file) => {
                    rustix::fs::fadvise(&file, 0, None, Advice::DontNeed)?;
                    bytes += file.metadata()?.len();
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(bytes)
}
