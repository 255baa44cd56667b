//! A directory that goes with its owner, and with the process of the test even when that is killed: a shell waits for
//! its end.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use rustix::fs::{StatVfsMountFlags, statvfs};

use crate::programs::give_to_postgres;

/// Ends its wait when nobody can write to its input any more. A server that has been killed with the test may write
/// until it is gone, hence the attempts.
const GUARD: &str =
    "read -r _; for _ in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- \"$0\" 2>&- && exit; sleep 0.1; done; rm -rf -- \"$0\"";

/// On every machine.
const ON_A_DISK: &str = "/var/tmp";

/// What the tests that run at once may need in memory.
const ROOM_BYTES: u64 = 6 << 30;

/// Where directories of tests lie that need no disk, and everybody may enter: in memory where there is room for them. A
/// server is a thousand files, which not every file system makes and removes by the hundred without taking as much CPU
/// time as all else in a test.
pub fn scratch_directory() -> &'static Path {
    static PLACE: OnceLock<&str> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let memory = "/dev/shm";
        let is_good = statvfs(memory)
            .is_ok_and(|it| it.f_bavail * it.f_frsize >= ROOM_BYTES && !it.f_flag.contains(StatVfsMountFlags::NOEXEC));
        if is_good { memory } else { ON_A_DISK }
    });
    Path::new(place)
}

/// A new directory, removed when this is dropped or its process ends.
pub struct Directory {
    path: PathBuf,
    guard: Child,
}

impl Directory {
    /// One that need not be on a disk, which everybody may enter.
    pub fn new() -> Self {
        Self::create_below(scratch_directory())
    }

    /// One on a disk, which everybody may enter.
    pub fn on_a_disk() -> Self {
        Self::create_below(ON_A_DISK.as_ref())
    }

    /// One in another directory.
    pub fn create_below(parent: &Path) -> Self {
        let made = tempfile::Builder::new().prefix("pgdyno-test-").tempdir_in(parent).expect("a directory");
        fs::set_permissions(made.path(), Permissions::from_mode(0o755)).expect("permissions");
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD]).arg(made.path()).current_dir("/").stdin(Stdio::piped());
        // Ctrl-C is for the test.
        let guard = guard.process_group(0).spawn().expect("sh starts");
        Self { path: made.keep(), guard }
    }

    /// One that the servers' user can write to.
    pub(crate) fn of_a_server(parent: &Path) -> Self {
        let directory = Self::create_below(parent);
        give_to_postgres(directory.directory_path());
        directory
    }

    /// Where it is.
    pub fn directory_path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _status = self.guard.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_goes_with_its_owner_and_with_what_is_in_it() {
        let directory = Directory::new();
        let path = directory.directory_path().to_owned();
        fs::create_dir(path.join("within")).expect("made");
        fs::write(path.join("within/file"), "content").expect("written");
        drop(directory);
        assert!(!path.exists(), "{}", path.display());
    }
}
