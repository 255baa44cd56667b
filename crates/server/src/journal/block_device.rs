//! Loop devices and what is mounted through them, found again by the file that they show.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::error::JournalError;
use super::program::run_program;
use super::reversal::Reversal;
use crate::facts::disk;

/// How often something that is still in use is tried again, for 10 s: by the server of a pgdyno that was killed, which is
/// being stopped.
const ATTEMPTS: usize = 200;

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// Shows a file as a block device. Without a cache of its own below the file system's, where the file's own file system
/// can do that.
pub(super) fn attach_loop_device(image: &Path) -> Result<(), JournalError> {
    run_program("losetup", &["--find", "--direct-io=on", &path_as_text(image)]).map(drop)
}

/// Gives back every loop device that shows a file.
pub(super) fn detach_loop_devices(image: &Path) -> Result<Reversal, JournalError> {
    let devices = devices_of(image)?;
    for device in &devices {
        run_program("losetup", &["--detach", &path_as_text(device)])?;
    }
    // The kernel lets go of a device when the last one who has it open closes it.
    for _ in 0..ATTEMPTS {
        if devices_of(image)?.is_empty() {
            return Ok(if devices.is_empty() { Reversal::NothingLeft } else { Reversal::Restored });
        }
        thread::sleep(PAUSE);
    }
    Err(JournalError::system_call_failed("detach the loop device of", image)("it is still in use"))
}

/// Mounts the file system in an image through its loop device.
pub(super) fn mount_image(image: &Path, point: &Path) -> Result<(), JournalError> {
    let Some(device) = devices_of(image)?.into_iter().next() else {
        return Err(JournalError::system_call_failed("mount", image)("no loop device is attached to it"));
    };
    run_program("mount", &[&path_as_text(&device), &path_as_text(point)]).map(drop)
}

/// Unmounts what is mounted from an image; what is mounted from elsewhere stays.
pub(super) fn unmount_image(image: &Path, point: &Path) -> Result<Reversal, JournalError> {
    let mounts = Path::new("/proc/self/mountinfo");
    let source = || {
        let text = fs::read_to_string(mounts).map_err(JournalError::system_call_failed("read", mounts))?;
        Ok(disk::source_at(&text, point))
    };
    let Some(found) = source()? else { return Ok(Reversal::NothingLeft) };
    if !devices_of(image)?.iter().any(|device| device == Path::new(&found)) {
        return Ok(Reversal::LeftAlone { found: format!("{found} is mounted there") });
    }
    let mut result = run_program("umount", &[&path_as_text(point)]);
    for _ in 0..ATTEMPTS {
        match result {
            Ok(_) => return Ok(Reversal::Restored),
            Err(JournalError::Program { said, .. }) if said.contains("busy") => thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
        result = run_program("umount", &[&path_as_text(point)]);
    }
    result.map(|_| Reversal::Restored)
}

/// The loop devices that show a file.
fn devices_of(image: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let blocks = Path::new("/sys/block");
    let entries = fs::read_dir(blocks).map_err(JournalError::system_call_failed("read", blocks))?;
    let shows = |block: &PathBuf| {
        let backing = fs::read_to_string(block.join("loop/backing_file")).ok();
        backing.is_some_and(|file| Path::new(file.trim_end_matches('\n')) == image)
    };
    let devices = entries.flatten().map(|entry| entry.path()).filter(shows);
    Ok(devices.filter_map(|block| Some(Path::new("/dev").join(block.file_name()?))).collect())
}

fn path_as_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
