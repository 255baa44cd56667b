//! Values of the kernel in files: sysctls in /proc/sys, switches in /sys.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::JournalError;
use super::reversal::Reversal;

/// The file of a sysctl: `vm.dirty_bytes` is `/proc/sys/vm/dirty_bytes`. Slashes stand for dots within a component, as
/// in sysctl(8).
pub(super) fn path_of(sysctl: &str) -> PathBuf {
    let swapped: String = sysctl
        .chars()
        .map(|c| {
            if c == '.' {
                '/'
            } else if c == '/' {
                '.'
            } else {
                c
            }
        })
        .collect();
    Path::new("/proc/sys").join(swapped)
}

/// A value's name as people know it.
pub(super) fn name_of_value(path: &Path) -> String {
    let Ok(below) = path.strip_prefix("/proc/sys") else { return path.display().to_string() };
    let swapped = below.to_string_lossy();
    swapped
        .chars()
        .map(|c| {
            if c == '/' {
                '.'
            } else if c == '.' {
                '/'
            } else {
                c
            }
        })
        .collect()
}

/// The value of a file, to be written again as it is: of a choice like `always [madvise] never`, the chosen word.
pub(super) fn read_value(path: &Path) -> io::Result<String> {
    let text = fs::read_to_string(path)?;
    let text = text.trim();
    let chosen = text.split_whitespace().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    Ok(chosen.unwrap_or(text).to_owned())
}

/// Writes a value and reads it back.
pub(super) fn write_value(path: &Path, set: &str) -> Result<(), JournalError> {
    fs::write(path, set).map_err(JournalError::system_call_failed("write", path))?;
    let shows = read_value(path).map_err(JournalError::system_call_failed("read", path))?;
    if is_same_value(&shows, set) {
        return Ok(());
    }
    Err(JournalError::NotTaken { name: name_of_value(path), set: set.to_owned(), shows })
}

/// Values of which the kernel clears one when the other is written; it shows the cleared one as 0 and does not take 0 for
/// the one in bytes.
const TWINS: &[(&str, &str)] = &[
    ("/proc/sys/vm/dirty_bytes", "/proc/sys/vm/dirty_ratio"),
    ("/proc/sys/vm/dirty_background_bytes", "/proc/sys/vm/dirty_background_ratio"),
];

/// The value that the kernel clears when this one is written.
pub(super) fn twin_value_path(path: &Path) -> Option<PathBuf> {
    let of = |one: &str, other: &str| (path == Path::new(one)).then(|| PathBuf::from(other));
    TWINS.iter().find_map(|(one, other)| of(one, other).or_else(|| of(other, one)))
}

/// Writes the value of before, if the value is still the one that was set.
pub(super) fn restore_value(
    path: &Path,
    before: &str,
    set: &str,
    twin: Option<&(PathBuf, String)>,
) -> Result<Reversal, JournalError> {
    let now = match read_value(path) {
        Ok(now) => now,
        // A module or a device that is gone took its values along.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Reversal::NothingLeft),
        Err(error) => return Err(JournalError::system_call_failed("read", path)(error)),
    };
    if is_same_value(&now, before) {
        return Ok(Reversal::NothingLeft);
    }
    if !is_same_value(&now, set) {
        return Ok(Reversal::LeftAlone { found: format!("its current value is {now}") });
    }
    put_back(path, before, twin).map(|()| Reversal::Restored)
}

/// Writes the value of before, whatever it is now.
pub(super) fn put_back(path: &Path, before: &str, twin: Option<&(PathBuf, String)>) -> Result<(), JournalError> {
    let (path, before) = match twin {
        Some((twin, of_twin)) if before == "0" => (twin.as_path(), of_twin.as_str()),
        Some(_) | None => (path, before),
    };
    write_value(path, before)
}

/// Whether two texts say the same value; the kernel separates fields by tabs.
fn is_same_value(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
