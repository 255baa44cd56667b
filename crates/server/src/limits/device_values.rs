//! Values of a block device that is the server's own: read-ahead and scheduler. They stand in the journal.

use std::fs;
use std::path::{Path, PathBuf};

use results::facts::ReadBackLimit;

use super::limit_error::LimitError;
use crate::facts::disk;
use crate::journal::{Journal, MachineChange};

/// What is set of a device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceValues {
    /// Read-ahead in KiB.
    pub read_ahead_kib: Option<u64>,
    /// The scheduler by its name.
    pub scheduler: Option<String>,
}

/// Sets the values of the device below a directory, which the journal puts back.
///
/// # Errors
/// There is no such device, it has no such scheduler, or the kernel does not take a value.
pub fn set_device_values(
    journal: &mut Journal,
    values: &DeviceValues,
    directory: &Path,
) -> Result<Vec<ReadBackLimit>, LimitError> {
    let mut wanted: Vec<(&'static str, PathBuf, String)> = Vec::new();
    if values.read_ahead_kib.is_none() && values.scheduler.is_none() {
        return Ok(Vec::new());
    }
    let queue = queue_of_device(directory)?;
    if let Some(kib) = values.read_ahead_kib {
        wanted.push(("read_ahead", queue.join("read_ahead_kb"), kib.to_string()));
    }
    if let Some(name) = &values.scheduler {
        let file = queue.join("scheduler");
        let offered = fs::read_to_string(&file).unwrap_or_default().replace(['[', ']'], "");
        if !offered.split_whitespace().any(|word| word == name) {
            return Err(LimitError::Impossible {
                key: "io_scheduler",
                why: format!("{} has no scheduler {name}", file.display()),
                hint: format!("choose one of: {}", offered.trim()),
            });
        }
        wanted.push(("io_scheduler", file, name.clone()));
    }
    let mut set = Vec::new();
    for (key, file, value) in wanted {
        journal.make_change(&MachineChange::kernel_value(&file, &value)?)?;
        set.push(ReadBackLimit { key: key.to_owned(), value, source: file.display().to_string() });
    }
    Ok(set)
}

/// Where the kernel shows the queue of the device below a directory.
fn queue_of_device(directory: &Path) -> Result<PathBuf, LimitError> {
    let mounts = fs::read_to_string("/proc/self/mountinfo")
        .map_err(|error| LimitError::Failed(format!("/proc/self/mountinfo: {error}")))?;
    let device = disk::device_number(&mounts, directory)
        .ok_or_else(|| LimitError::Failed(format!("no mount contains {}", directory.display())))?;
    let real = fs::canonicalize(Path::new("/sys/dev/block").join(&device))
        .map_err(|error| LimitError::Failed(format!("the block device {device}: {error}")))?;
    Ok(real.join("queue"))
}
