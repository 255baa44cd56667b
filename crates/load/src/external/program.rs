//! Where the tools are, and which version.

use super::error::ExternalError;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Below this, Debian keeps a directory `bin` for each version of PostgreSQL.
const DEBIAN: &str = "/usr/lib/postgresql";

/// An external generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// PostgreSQL's pgbench.
    Pgbench,
    /// sysbench 1.0 with its PostgreSQL driver.
    Sysbench,
}

impl Tool {
    /// The name of its program.
    pub fn program_name(self) -> &'static str {
        match self {
            Tool::Pgbench => "pgbench",
            Tool::Sysbench => "sysbench",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.program_name())
    }
}

/// A tool that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledTool {
    /// Which.
    pub tool: Tool,
    /// Its file.
    pub path: PathBuf,
    /// What it says its version is, such as `pgbench (PostgreSQL) 18.4`.
    pub version: String,
}

impl InstalledTool {
    /// The first one on `PATH`; else, for pgbench, that of the newest PostgreSQL that Debian installed.
    ///
    /// # Errors
    /// [`ExternalError::NotFound`], and [`ExternalError::System`] or [`ExternalError::Failed`] when it does not tell
    /// its version.
    pub fn find(tool: Tool) -> Result<InstalledTool, ExternalError> {
        let directories = search_directories(tool, std::env::var_os("PATH").as_deref(), &debian_versions());
        let found =
            directories.iter().map(|directory| directory.join(tool.program_name())).find(|path| is_program(path));
        let path = found.ok_or(ExternalError::NotFound { tool, searched: directories })?;
        InstalledTool::from_path(tool, path)
    }

    /// The one at `path`.
    ///
    /// # Errors
    /// [`ExternalError::System`] or [`ExternalError::Failed`] when it does not tell its version.
    pub fn from_path(tool: Tool, path: PathBuf) -> Result<InstalledTool, ExternalError> {
        let mut command = Command::new(&path);
        command.arg("--version").env("LC_ALL", "C");
        let output = command.output().map_err(ExternalError::system_error(format!("run \"{}\"", path.display())))?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || said.is_empty() {
            let ended = format!("did not report its version ({})", output.status);
            return Err(ExternalError::Failed { tool, ended, said });
        }
        Ok(InstalledTool { tool, path, version: said })
    }

    /// The first number of its version, such as 18.
    pub(super) fn major_version(&self) -> Option<u32> {
        let digits = self.version.find(|c: char| c.is_ascii_digit())?;
        self.version[digits..].split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }
}

/// Where a tool is looked for, in order.
fn search_directories(tool: Tool, path: Option<&OsStr>, debian_versions: &[u32]) -> Vec<PathBuf> {
    let mut directories: Vec<PathBuf> = path.map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
    if tool == Tool::Pgbench {
        let mut versions = debian_versions.to_vec();
        versions.sort_unstable_by(|a, b| b.cmp(a));
        directories.extend(versions.iter().map(|version| Path::new(DEBIAN).join(version.to_string()).join("bin")));
    }
    directories
}

fn debian_versions() -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir(DEBIAN) else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_comes_before_debians_newest_and_sysbench_is_only_on_the_path() {
        let path = Some(OsStr::new("/a:/b"));
        let expected = ["/a", "/b", "/usr/lib/postgresql/18/bin", "/usr/lib/postgresql/9/bin"].map(PathBuf::from);
        assert_eq!(search_directories(Tool::Pgbench, path, &[9, 18]), expected);
        assert_eq!(search_directories(Tool::Sysbench, path, &[9, 18]), expected[..2]);
        assert_eq!(search_directories(Tool::Sysbench, None, &[]), Vec::<PathBuf>::new());
    }
}
