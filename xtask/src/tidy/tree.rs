//! What tidy looks at: the Rust files that git knows. Whatever a folder is called, its files count, unless git
//! ignores them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One Rust file; `path` is relative to the root.
pub(super) struct Source {
    pub path: PathBuf,
    pub text: String,
}

/// All of it.
pub(super) struct Tree {
    pub sources: Vec<Source>,
}

impl Tree {
    /// Reads what lies below the root.
    pub(super) fn read(root: &Path) -> Self {
        let git = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "crates/*.rs", "xtask/*.rs"];
        let sources = rust_files(&output(root, "git", &git)).into_iter().filter_map(|path| {
            // Git still lists what was removed and not yet committed.
            let text = std::fs::read_to_string(root.join(&path)).ok()?;
            Some(Source { path, text })
        });
        Self { sources: sources.collect() }
    }
}

fn output(root: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root).output();
    let output = output.unwrap_or_else(|error| panic!("{program} is needed: {error}"));
    assert!(output.status.success(), "{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names of files are UTF-8")
}

fn rust_files(listed: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = listed.split_terminator('\0').map(PathBuf::from).collect();
    paths.sort();
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_listed_file_counts_once_whatever_its_folder_is_called() {
        let listed = "crates/server/src/target/a.rs\0crates/load/src/b.rs\0crates/load/src/b.rs\0";
        assert_eq!(rust_files(listed), ["crates/load/src/b.rs", "crates/server/src/target/a.rs"].map(PathBuf::from));
    }
}
