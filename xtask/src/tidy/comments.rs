//! Lines of comment are no wider than code may be: rustfmt keeps to code.

use std::path::Path;

use super::{Finding, Source};

const COLUMNS: usize = 120;

/// Below these paths comments are not wrapped yet.
const NOT_YET: &[&str] = &["crates/server/src"];

/// Every line of comment that is too wide.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let is_exempt = |source: &&Source| NOT_YET.iter().any(|path| source.path.starts_with(path));
    let mut findings: Vec<Finding> = sources.iter().filter(|source| !is_exempt(source)).flat_map(too_wide).collect();
    for path in NOT_YET {
        let below = |source: &&Source| source.path.starts_with(path);
        if sources.iter().filter(below).all(|source| too_wide(source).is_empty()) {
            let text = format!("comments below `{path}` need no exemption: remove it");
            findings.push(Finding { path: Path::new(file!()).to_owned(), line: 1, text });
        }
    }
    findings
}

fn too_wide(source: &Source) -> Vec<Finding> {
    let finding = |(line, text): (usize, &str)| {
        let columns = text.chars().count();
        // One long word, an address for example, cannot be wrapped.
        let is_comment = text.trim_start().starts_with("//") && text.split_whitespace().count() > 2;
        let text = format!("a line of comment has {columns} columns, {COLUMNS} at most: wrap it");
        (is_comment && columns > COLUMNS).then(|| Finding { path: source.path.clone(), line, text })
    };
    (1..).zip(source.text.lines()).filter_map(finding).collect()
}
