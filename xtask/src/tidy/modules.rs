//! A module with modules below it is `x/mod.rs`, so that the whole of it is one folder. Most of the workspace does so.

use std::path::{Path, PathBuf};

use super::{Finding, Source};

/// Below these paths modules are still `x.rs` beside `x/`.
const NOT_YET: &[&str] = &[];

/// Every file that stands beside the folder of its own module.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let beside: Vec<&Path> = sources.iter().filter(|source| is_beside_its_folder(source, sources)).map(path).collect();
    let is_exempt = |path: &&&Path| !NOT_YET.iter().any(|exempt| path.starts_with(exempt));
    let finding = |path: &&Path| {
        let to = path.with_extension("").join("mod.rs");
        Finding {
            path: path.to_path_buf(),
            line: 1,
            text: format!("stands beside its folder: move it to {}", to.display()),
        }
    };
    let mut findings: Vec<Finding> = beside.iter().filter(is_exempt).map(finding).collect();
    for exempt in NOT_YET.iter().filter(|exempt| !beside.iter().any(|path| path.starts_with(exempt))) {
        let text = format!("modules below `{exempt}` need no exemption: remove it");
        findings.push(Finding { path: PathBuf::from(file!()), line: 1, text });
    }
    findings
}

fn path(source: &Source) -> &Path {
    &source.path
}

fn is_beside_its_folder(source: &Source, sources: &[Source]) -> bool {
    let folder = source.path.with_extension("");
    sources.iter().any(|other| other.path.starts_with(&folder))
}
