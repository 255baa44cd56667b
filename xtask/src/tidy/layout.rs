//! How files open, what they may be called, and that each is part of the program.

use std::collections::BTreeSet;

use super::{Finding, Source};

/// Names that say nothing about what lives there.
const EMPTY_NAMES: &[&str] = &["helper", "helpers", "misc", "manager", "util", "utils", "common", "types", "core"];

/// Every file that breaks a rule of layout.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let declared: BTreeSet<String> = sources.iter().flat_map(|source| declared_modules(&source.text)).collect();
    sources.iter().flat_map(|source| check_one(source, &declared)).collect()
}

fn check_one(source: &Source, declared: &BTreeSet<String>) -> Vec<Finding> {
    let path = &source.path;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let module =
        if stem == "mod" { path.parent().and_then(|dir| dir.file_name()?.to_str()).unwrap_or_default() } else { stem };
    let mut texts = Vec::new();
    if !source.text.starts_with("//!") {
        texts.push("opens without `//!`: say in one to ten lines what the file promises and leaves out".to_owned());
    }
    if EMPTY_NAMES.contains(&module) {
        texts.push(format!("`{module}` names nothing: call the file after what lives there"));
    }
    let root = matches!(stem, "lib" | "main" | "build");
    let own_program = path
        .components()
        .any(|c| matches!(c.as_os_str().to_str(), Some("tests" | "examples" | "benches" | "fuzz_targets")));
    if !root && !own_program && !declared.contains(module) {
        texts.push(format!("is dead: no file declares `mod {module}`"));
    }
    texts.into_iter().map(|text| Finding { path: path.clone(), line: 1, text }).collect()
}

fn declared_modules(text: &str) -> Vec<String> {
    let declaration = |line: &str| {
        let rest = line.trim_start();
        let rest = rest.strip_prefix("pub(crate) ").or_else(|| rest.strip_prefix("pub ")).unwrap_or(rest);
        Some(rest.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    text.lines().filter_map(declaration).collect()
}
