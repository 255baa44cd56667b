//! The directory that fio works in: pgdyno's own, inside the one that is measured,
//! and gone afterwards whatever happens.
//!
//! A watcher (this program, started again) holds one end of a pipe. When the pipe closes without a word, pgdyno has
//! died: the watcher ends fio and removes the directory. Should both be killed, the next measurement of the same
//! directory finds the lock of its maker free and removes what was left. Nothing that pgdyno did not make is touched.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use problem::Problem;

/// How the names of all working directories begin.
pub(super) const PREFIX: &str = ".pgdyno-disk-";

/// The file in a working directory on which its maker holds a lock.
const LOCK: &str = "pgdyno.lock";

/// The argument by which this program is started as a watcher; the directory follows.
pub const WATCH_ARGUMENT: &str = "watch-disk-directory";

/// A working directory; dropped, it is removed.
#[derive(Debug)]
pub(super) struct Workspace {
    path: PathBuf,
    _lock: File,
    watcher: Child,
}

impl Workspace {
    /// Makes one in `directory`, after removing those whose makers have died. `executable` is this program.
    pub(super) fn make_in_directory(directory: &Path, executable: &Path) -> Result<Self, Problem> {
        remove_abandoned_workspaces(directory);
        let path = directory.join(format!("{PREFIX}{}", std::process::id()));
        let failed = |error: io::Error| {
            Problem::could_not_measure(format!("could not create a working directory in {}", directory.display()))
                .detail(error.to_string())
                .hint("choose a directory with write permission")
        };
        fs::create_dir(&path).map_err(failed)?;
        let made = File::create(path.join(LOCK)).and_then(|lock| {
            lock.try_lock().map_err(io::Error::from)?;
            Ok((lock, start_watcher(&path, executable)?))
        });
        match made {
            Ok((lock, watcher)) => Ok(Self { path, _lock: lock, watcher }),
            Err(error) => {
                let _ = fs::remove_dir_all(&path);
                Err(failed(error))
            }
        }
    }

    pub(super) fn workspace_path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        // The end of the pipe; the watcher finds nothing to do.
        drop(self.watcher.stdin.take());
        let _ = self.watcher.wait();
    }
}

/// Starts the watcher in a session of its own, so that no Ctrl-C reaches it.
fn start_watcher(path: &Path, executable: &Path) -> io::Result<Child> {
    let mut command = Command::new(executable);
    command.arg(WATCH_ARGUMENT).arg(path).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// What the watcher does: waits for the end of standard input, then ends fio in the directory and removes it.
pub fn keep_watch(directory: &Path) {
    let is_ours = directory.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
    if !is_ours {
        return;
    }
    let mut rest = Vec::new();
    let _ = io::stdin().lock().read_to_end(&mut rest);
    remove_with_its_fio(directory);
}

/// Ends every fio that works in the directory, then removes it; a fio that cannot be ended keeps it for the next sweep.
fn remove_with_its_fio(directory: &Path) {
    const ATTEMPTS: usize = 50;
    for _ in 0..ATTEMPTS {
        if !directory.exists() {
            return;
        }
        if kill_fio_in(directory) == 0 && fs::remove_dir_all(directory).is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Kills every fio that works in the directory, and says how many there were. Its working directory tells it: fio gives
/// each job that it forks a session, and so a process group, of its own.
pub(super) fn kill_fio_in(directory: &Path) -> usize {
    let working = working_in(directory);
    for process in &working {
        let _ = rustix::process::kill_process(*process, Signal::KILL);
    }
    working.len()
}

/// Every process named fio whose working directory this is.
pub(super) fn working_in(directory: &Path) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let working = processes.filter(|process| {
        fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == directory)
            && fs::read_to_string(process.path().join("comm")).is_ok_and(|name| name.trim() == "fio")
    });
    working.filter_map(|process| Pid::from_raw(process.file_name().to_str()?.parse().ok()?)).collect()
}

/// Removes the working directories in a directory whose makers have died.
fn remove_abandoned_workspaces(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_named && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_abandoned(&entry.path()) {
            remove_with_its_fio(&entry.path());
        }
    }
}

/// Whether nobody holds the lock. Without the file, its maker died before anything could be written,
/// or is just making it.
fn is_abandoned(path: &Path) -> bool {
    const MAKING: Duration = Duration::from_secs(60);
    match File::open(path.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(_) => fs::metadata(path)
            .and_then(|data| data.modified())
            .is_ok_and(|made| made.elapsed().is_ok_and(|age| age > MAKING)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_that_nobody_holds_and_that_have_the_name_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        for name in [".pgdyno-disk-1", ".pgdyno-disk-2", "data", ".pgdyno-disk-3"] {
            fs::create_dir(at(name)).unwrap();
        }
        File::create(at(".pgdyno-disk-1").join(LOCK)).unwrap();
        let held = File::create(at(".pgdyno-disk-2").join(LOCK)).unwrap();
        held.try_lock().unwrap();
        fs::write(at(".pgdyno-disk-1").join("data"), "x").unwrap();
        fs::write(at(".pgdyno-disk-4"), "a file").unwrap();
        remove_abandoned_workspaces(parent.path());
        assert!(!at(".pgdyno-disk-1").exists(), "its maker is dead");
        assert!(at(".pgdyno-disk-2").exists(), "its maker lives");
        assert!(at("data").exists() && at(".pgdyno-disk-4").exists(), "not pgdyno's");
        assert!(at(".pgdyno-disk-3").exists(), "its maker may be about to take the lock");
    }

    #[test]
    fn a_watcher_touches_no_other_directory() {
        let parent = tempfile::tempdir().unwrap();
        keep_watch(parent.path());
        assert!(parent.path().exists());
    }
}
