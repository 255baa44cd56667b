//! Files of a pod, copied here: a shell in one of its containers prints them, and they lie below a directory of this
//! machine as they do below the root there, so that readers of `/proc` and `/sys` find what they know.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use cluster::{Api, ClusterError, RemoteShell, Space};
use server::copied;
use tempfile::TempDir;

/// A shell in a container, and what of its files lies here.
pub struct PodFiles {
    shell: RemoteShell,
    tree: TempDir,
}

impl PodFiles {
    /// Starts a shell in a container; nothing is copied yet.
    ///
    /// # Errors
    /// The right to it is missing, or the container has no shell.
    pub async fn open_shell(api: &Api, pod: &str, container: &str) -> Result<Self, ClusterError> {
        let shell = api.open_shell(pod, container).await?;
        let failed = |error: io::Error| ClusterError::Failed {
            verb: "copy",
            what: "files of the pod".to_owned(),
            said: error.to_string(),
        };
        Ok(Self { shell, tree: TempDir::with_prefix("pgdyno-pod-").map_err(failed)? })
    }

    /// The directory that stands for the root of the container.
    #[must_use]
    pub fn root_directory(&self) -> &Path {
        self.tree.path()
    }

    /// The text of a file that was copied.
    #[must_use]
    pub fn text_of_file(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.root_directory().join(file)).ok()
    }

    /// What a link there leads to.
    ///
    /// # Errors
    /// The shell has ended.
    pub async fn resolve_link(&mut self, path: &str) -> Result<Option<String>, String> {
        self.shell.resolve_link(path).await
    }

    /// The space of the file system of a directory there.
    ///
    /// # Errors
    /// The shell has ended.
    pub async fn file_system_space(&mut self, directory: &Path) -> Result<Option<Space>, String> {
        self.shell.file_system_space(&directory.to_string_lossy()).await
    }

    /// Copies files, as patterns of a shell, and leaves them here; returns where they lie.
    ///
    /// # Errors
    /// The shell has ended, or this machine has no room.
    pub async fn copy_files(&mut self, patterns: &str) -> Result<BTreeSet<PathBuf>, String> {
        let files = self.shell.read_files(patterns).await?;
        let mut written = BTreeSet::new();
        for (file, content) in files {
            let Some(place) = copied::place_in(self.tree.path(), &file) else { continue };
            let write = || {
                fs::create_dir_all(place.parent().unwrap_or(&place))?;
                fs::write(&place, content)
            };
            write().map_err(|error| format!("{}: {error}", place.display()))?;
            written.insert(place);
        }
        Ok(written)
    }

    /// The same of the WAL of a data directory; no numbers where `pg_wal` is a directory there and no link.
    ///
    /// # Errors
    /// As [`Self::copy_disk`].
    pub async fn copy_wal_disk(&mut self, data: &Path) -> Result<Option<String>, String> {
        let link = data.join("pg_wal");
        let Some(place) = copied::place_in(self.tree.path(), &link.to_string_lossy()) else { return Ok(None) };
        let Some(real) = self.shell.resolve_link(&link.to_string_lossy()).await?.map(PathBuf::from) else {
            return Ok(None);
        };
        if real == link {
            fs::create_dir_all(place).map_err(|error| error.to_string())?;
            return Ok(None);
        }
        let numbers = self.copy_disk(Some(&real)).await?;
        if let Some(real) = copied::place_in(self.tree.path(), &real.to_string_lossy()) {
            // From the attempt before, if there was one.
            let _ = symlink(real, place);
        }
        Ok(numbers)
    }

    /// Copies what tells the disk below a directory; returns its numbers.
    ///
    /// # Errors
    /// The shell has ended, or this machine has no room.
    pub async fn copy_disk(&mut self, directory: Option<&Path>) -> Result<Option<String>, String> {
        let mounts = self.text_of_file("proc/self/mountinfo").unwrap_or_default();
        let Some(directory) = directory else { return Ok(None) };
        let root = self.tree.path().to_owned();
        let make = |path: PathBuf| fs::create_dir_all(path).map_err(|error| error.to_string());
        if let Some(place) = copied::place_in(&root, &directory.to_string_lossy()) {
            make(place)?;
        }
        let Some(device) = copied::device_of(&mounts, directory) else { return Ok(None) };
        let Some(real) = self.shell.resolve_link(&format!("/sys/dev/block/{device}")).await? else { return Ok(None) };
        let Some(place) = copied::place_in(&root, &real).filter(|_| real.starts_with("/sys/devices/")) else {
            return Ok(None);
        };
        let of_disk = ["dev", "queue/*", "device/model", "device/vendor"];
        let above = real.rsplit_once('/').map_or("", |(above, _)| above);
        let of_both = [real.as_str(), above].into_iter().flat_map(|at| of_disk.map(|part| format!("{at}/{part}")));
        let files: Vec<String> = of_both.chain([format!("{real}/partition")]).collect();
        make(place.clone())?;
        self.copy_files(&files.join(" ")).await?;
        for (directory, name, to) in [
            ("sys/dev/block", device.as_str(), place.as_path()),
            ("sys/class/block", name_of(&place), place.as_path()),
            ("sys/class/block", name_of(place.parent().unwrap_or(&place)), place.parent().unwrap_or(&place)),
        ] {
            make(root.join(directory))?;
            // From the attempt before, if there was one.
            let _ = symlink(to, root.join(directory).join(name));
        }
        Ok(Some(device).filter(|device| !device.starts_with("0:")))
    }
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
