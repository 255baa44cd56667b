//! What tidy looks at: the Rust files and documents that git knows, and what `cargo metadata` says of the packages.
//! Whatever a folder is called, its files count, unless git ignores them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// One Rust file, or one document; `path` is relative to the root.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// One package of ours.
#[derive(Clone)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its `Cargo.toml`, relative to the root.
    pub(crate) manifest: PathBuf,
    /// What is compiled into it: by name, without what only its tests use.
    pub(crate) dependencies: Vec<String>,
    /// What its tests use besides.
    pub(crate) test_dependencies: Vec<String>,
}

/// All of it.
pub(crate) struct Tree {
    pub(crate) sources: Vec<Source>,
    /// The Markdown.
    pub(crate) documents: Vec<Source>,
    /// Every file there is.
    pub(crate) files: BTreeSet<PathBuf>,
    pub(crate) packages: Vec<Package>,
}

impl Tree {
    /// Reads what lies below the root.
    pub(crate) fn read(root: &Path) -> Self {
        let listed = |patterns: &[&str]| {
            let git = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
            files(&output(root, "git", &[&git, patterns].concat()))
        };
        // Git still lists what was removed and not yet committed.
        let read = |path: PathBuf| Some(Source { text: std::fs::read_to_string(root.join(&path)).ok()?, path });
        let sources = listed(&["crates/*.rs", "xtask/*.rs"]).into_iter().filter_map(read).collect();
        // Pages below tests are what others publish.
        let mut pages = listed(&["*.md"]);
        pages.retain(|path| !path.iter().any(|part| part == "tests"));
        let documents = pages.into_iter().filter_map(read).collect();
        let files = listed(&["."]).into_iter().filter(|path| root.join(path).exists()).collect();
        let cargo = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
        let metadata = serde_json::from_str(&output(root, "cargo", &cargo)).expect("cargo writes JSON");
        Self { sources, documents, files, packages: packages(&metadata) }
    }
}

fn output(root: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root).output();
    let output = output.unwrap_or_else(|error| panic!("{program} is needed: {error}"));
    assert!(output.status.success(), "{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names of files are UTF-8")
}

fn files(listed: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = listed.split_terminator('\0').map(PathBuf::from).collect();
    paths.sort();
    paths.dedup();
    paths
}

fn packages(metadata: &Value) -> Vec<Package> {
    let root = Path::new(metadata["workspace_root"].as_str().expect("a root"));
    let package = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let of_tests = |dependency: &&Value| dependency["kind"] == "dev";
        let (test, rest) = package["dependencies"].as_array().expect("a list").iter().partition(of_tests);
        let names = |dependencies: Vec<&Value>| {
            dependencies.iter().map(|dependency| text(&dependency["name"])).collect::<Vec<String>>()
        };
        Package {
            name: text(&package["name"]),
            manifest: manifest.strip_prefix(root).expect("a path below the root").to_owned(),
            dependencies: names(rest),
            test_dependencies: names(test),
        }
    };
    metadata["packages"].as_array().expect("a list").iter().map(package).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_listed_file_counts_once_whatever_its_folder_is_called() {
        let listed = "crates/server/src/target/a.rs\0crates/load/src/b.rs\0crates/load/src/b.rs\0";
        assert_eq!(files(listed), ["crates/load/src/b.rs", "crates/server/src/target/a.rs"].map(PathBuf::from));
    }
}
