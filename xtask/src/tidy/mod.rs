//! Rules of the project that rustc and clippy cannot hold: what may be called where, how long a function may grow, how a
//! file opens and what it may be called, and that no file is dead. A rule prints what is wrong and what to do instead.

mod banned;
mod functions;
mod layout;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One place that breaks a rule.
pub(crate) struct Finding {
    path: PathBuf,
    line: usize,
    text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.text)
    }
}

/// One Rust file of the project; `path` is relative to the root.
pub(crate) struct Source {
    path: PathBuf,
    text: String,
}

/// Checks the whole tree and prints every finding.
pub(crate) fn check(root: &Path) -> ExitCode {
    let mut sources = Vec::new();
    for part in ["crates", "xtask"] {
        read_sources(root, &root.join(part), &mut sources);
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let mut findings = layout::check(&sources);
    for source in &sources {
        findings.extend(banned::check(source));
        findings.extend(functions::check(source));
    }
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", sources.len(), findings.len());
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read_sources(root: &Path, dir: &Path, sources: &mut Vec<Source>) {
    for entry in std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
        let path = entry.expect("a readable directory entry").path();
        if path.is_dir() {
            if !path.ends_with("target") {
                read_sources(root, &path, sources);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let path = path.strip_prefix(root).expect("a path below the root").to_owned();
            sources.push(Source { path, text });
        }
    }
}
