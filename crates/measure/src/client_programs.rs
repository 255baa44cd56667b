//! Client programs of PostgreSQL on this machine: which one can talk to a server. pg_dump and pg_basebackup refuse a
//! server that is newer than they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where packages install the programs of each major version: those of Debian, and the RPMs of the PostgreSQL project.
const PACKAGES: [(&str, &str, &str); 2] = [("/usr/lib/postgresql", "", "bin"), ("/usr", "pgsql-", "bin")];

/// The first program of this name that is not older than the server: that in the directory of the server's own, that
/// on the PATH, and those of installed packages, the newest first.
///
/// # Errors
/// There is none, or all are older; with what to install.
pub(crate) fn find_client_program(
    name: &str,
    server_major: u32,
    own_directory: Option<&Path>,
) -> Result<PathBuf, (String, String)> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).find(|directory| directory.join(name).is_file());
    let mut packages = package_directories();
    packages.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    let packages = packages.into_iter().map(|(_, directory)| directory);
    let candidates = own_directory.map(Path::to_owned).into_iter().chain(on_path).chain(packages);
    let mut newest = None;
    for program in candidates.map(|directory| directory.join(name)).filter(|program| program.is_file()) {
        match major_version_of_program(&program) {
            Some(major) if major >= server_major => return Ok(program),
            Some(major) => newest = newest.max(Some(major)),
            None => {}
        }
    }
    let hint = format!(
        "install the client programs of PostgreSQL {server_major} or newer: apt-get install postgresql-client-{server_major}"
    );
    Err(match newest {
        Some(newest) => (format!("{name} is of version {newest}, older than the server ({server_major})"), hint),
        None => (format!("{name} is neither on the PATH nor in /usr/lib/postgresql or /usr/pgsql-*"), hint),
    })
}

/// The directories with the programs of installed packages, by major version.
fn package_directories() -> Vec<(u32, PathBuf)> {
    let mut found = Vec::new();
    for (parent, prefix, below) in PACKAGES {
        let Ok(entries) = std::fs::read_dir(parent) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(major) = name.to_str().and_then(|name| name.strip_prefix(prefix)?.parse().ok()) else { continue };
            found.push((major, entry.path().join(below)));
        }
    }
    found
}

fn major_version_of_program(program: &Path) -> Option<u32> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    major_in_text(&String::from_utf8_lossy(&output.stdout))
}

/// The major version in `pg_dump (PostgreSQL) 18.1 (Debian 18.1-1)`.
fn major_in_text(said: &str) -> Option<u32> {
    let version = said.split(") ").nth(1)?;
    let digits = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_version_is_the_leading_number() {
        for (said, major) in [
            ("pg_dump (PostgreSQL) 18.1 (Debian 18.1-1.pgdg12+1)\n", Some(18)),
            ("pg_basebackup (PostgreSQL) 19rc1\n", Some(19)),
            ("no version", None),
        ] {
            assert_eq!(major_in_text(said), major, "{said}");
        }
    }

    #[test]
    fn program_that_nobody_has_is_named_with_what_to_install() {
        let (what, hint) = find_client_program("pg_no_such_program", 18, None).expect_err("there is none");
        assert!(what.contains("pg_no_such_program") && hint.contains("postgresql-client-18"), "{what}; {hint}");
    }
}
