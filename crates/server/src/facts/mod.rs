//! What a target turned out to be, as READ BACK from the server and its host; a fact that cannot be read is a gap with
//! its reason.

pub(crate) mod cgroup;
pub(crate) mod disk;
pub(crate) mod host;
pub(crate) mod kernel;
pub(crate) mod machine;
pub(crate) mod server;
mod text_file;

/// The file system and the device that hold a directory of this machine.
///
/// # Errors
/// What could not be read, in words.
pub fn disk_of(directory: &std::path::Path) -> Result<results::facts::DataDirectoryDisk, String> {
    disk::read_disk_facts(std::path::Path::new("/"), directory)
}
