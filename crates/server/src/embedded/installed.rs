//! Binaries of a version that a package has installed on this machine, for versions that cannot be downloaded yet.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::WantedVersion;

/// Where packages install the binaries of a major version, below the root: those of Debian, and the RPMs of the
/// PostgreSQL project.
pub(super) fn places_of_version(major: u64) -> [PathBuf; 2] {
    [PathBuf::from(format!("usr/lib/postgresql/{major}/bin")), PathBuf::from(format!("usr/pgsql-{major}/bin"))]
}

/// The first of these directories below `root` with a server of a version.
pub(super) fn installed_programs(root: &Path, wanted: &WantedVersion) -> Option<PathBuf> {
    let mut directories = places_of_version(wanted.major).into_iter().map(|place| root.join(place));
    directories.find(|directory| {
        directory.join("postgres").exists() && (wanted.is_any_release() || is_of_release(directory, wanted))
    })
}

/// Whether the server in a directory says that it is of the release.
fn is_of_release(directory: &Path, wanted: &WantedVersion) -> bool {
    let mut command = Command::new(directory.join("postgres"));
    let Ok(output) = command.arg("--version").stdin(Stdio::null()).current_dir("/").output() else { return false };
    says_release(&String::from_utf8_lossy(&output.stdout), wanted)
}

/// The same of what it says: `postgres (PostgreSQL) 19.1 (Debian 19.1-1)`.
fn says_release(said: &str, wanted: &WantedVersion) -> bool {
    let release = said.split_whitespace().nth(2).and_then(WantedVersion::parse_version);
    release.is_some_and(|release| release.major == wanted.major && release.minor == wanted.minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_is_the_one_that_the_program_says() {
        let wanted = WantedVersion::parse_version("19.1").expect("a version");
        let cases = [
            ("postgres (PostgreSQL) 19.1 (Debian 19.1-1)", true),
            ("postgres (PostgreSQL) 19.1", true),
            ("postgres (PostgreSQL) 19.10", false),
            ("postgres (PostgreSQL) 19rc1 (Debian 19~rc1-1)", false),
            ("", false),
        ];
        for (said, is_it) in cases {
            assert_eq!(says_release(said, &wanted), is_it, "{said}");
        }
    }
}
