//! A module with modules below it is `x/mod.rs`, so that the whole of it is one folder.

use super::{Finding, Source};

/// Every file that stands beside the folder of its own module.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let finding = |source: &Source| {
        let to = source.path.with_extension("").join("mod.rs");
        let text = format!("stands beside its folder: move it to {}", to.display());
        Finding { path: source.path.clone(), line: 1, text }
    };
    sources.iter().filter(|source| is_beside_its_folder(source, sources)).map(finding).collect()
}

fn is_beside_its_folder(source: &Source, sources: &[Source]) -> bool {
    let folder = source.path.with_extension("");
    sources.iter().any(|other| other.path.starts_with(&folder))
}
