//! The directory of unpacked versions: `<cache>/<version>/bin/postgres`.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use semver::Version;

use super::archives::{Archive, Archives};
use super::{EmbeddedError, WantedVersion};

/// How the names of directories begin that are not a version yet.
const STAGING: &str = "unpacking-";

/// A cache; it need not exist yet.
pub(super) struct BinaryCache {
    root: PathBuf,
}

impl BinaryCache {
    /// The cache in a directory.
    pub(super) fn in_directory(root: PathBuf) -> Self {
        Self { root }
    }

    /// The programs of the newest cached version that is wanted.
    pub(super) fn newest_programs(&self, wanted: &WantedVersion) -> Result<Option<PathBuf>, EmbeddedError> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.cache_error(&error)),
        };
        let versions = entries.flatten().filter_map(|entry| Version::parse(entry.file_name().to_str()?).ok());
        let newest = versions.filter(|version| wanted.matches_release(version)).max();
        Ok(newest.map(|version| self.root.join(version.to_string()).join("bin")))
    }

    /// Makes the directory, readable by the user of the server whatever the umask.
    pub(super) fn prepare_directory(&self) -> Result<(), EmbeddedError> {
        let missing: Vec<_> = self.root.ancestors().take_while(|directory| !directory.exists()).collect();
        let make = |directory: &&Path| match fs::create_dir(directory) {
            Ok(()) => fs::set_permissions(directory, fs::Permissions::from_mode(0o755)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        };
        missing.iter().rev().try_for_each(make).map_err(|error| self.cache_error(&error))
    }

    /// Waits until no other pgdyno installs anything; the lock is given back when the file is dropped.
    pub(super) async fn lock_for_installation(&self) -> Result<File, EmbeddedError> {
        let file = File::create(self.root.join("lock")).map_err(|error| self.cache_error(&error))?;
        let locked = tokio::task::spawn_blocking(move || {
            rustix::fs::flock(&file, FlockOperation::LockExclusive).map(|()| file).map_err(io::Error::from)
        });
        locked.await.map_err(io::Error::from).flatten().map_err(|error| self.cache_error(&error))
    }

    /// Unpacks an archive beside its place and renames it. Call it under the lock.
    pub(super) async fn install_archive(
        &self,
        archive: &Archive,
        archives: &impl Archives,
    ) -> Result<PathBuf, EmbeddedError> {
        self.sweep_unfinished().map_err(|error| self.cache_error(&error))?;
        let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(&self.root);
        let staging = staging.map_err(|error| self.cache_error(&error))?;
        let tree = staging.path().join("tree");
        let damaged = |why: String| EmbeddedError::Damaged {
            version: archive.version.to_string(),
            url: archives.display_url(),
            why,
        };
        archives.unpack_archive(archive, &tree).await.map_err(damaged)?;
        if !tree.join("bin/postgres").is_file() {
            return Err(damaged("the archive contains no bin/postgres".to_owned()));
        }
        let place = self.root.join(archive.version.to_string());
        let commit = || {
            make_readable(&tree)?;
            // The rename must not reach the disk before the files that it names.
            rustix::fs::syncfs(File::open(&tree)?)?;
            fs::rename(&tree, &place)
        };
        commit().map_err(|error| self.cache_error(&error))?;
        Ok(place.join("bin"))
    }

    /// Removes what a killed pgdyno left half unpacked.
    fn sweep_unfinished(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(STAGING) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    fn cache_error(&self, error: &io::Error) -> EmbeddedError {
        EmbeddedError::Cache { path: self.root.clone(), why: error.to_string() }
    }
}

/// Lets every user read, whatever the umask: the server may run as another one.
fn make_readable(path: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_symlink() {
        return Ok(());
    }
    let mode = metadata.permissions().mode();
    let executable = metadata.is_dir() || mode & 0o100 != 0;
    let mode = (mode & 0o777) | if executable { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    if metadata.is_dir() {
        fs::read_dir(path)?.try_for_each(|entry| make_readable(&entry?.path()))?;
    }
    Ok(())
}
