//! An example in a doc comment is compiled only where its crate says so: elsewhere it would rot unseen. Looking for
//! examples takes rustdoc as long as compiling does, so crates without one say `doctest = false`.

use super::{Finding, Source};

/// The crates whose examples are compiled and run.
const COMPILED: &[&str] = &["crates/wire/src"];

/// Every example of Rust in a doc comment that nothing compiles.
pub(super) fn check_examples(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources {
        if COMPILED.iter().any(|path| source.path.starts_with(path)) {
            continue;
        }
        let mut is_inside = false;
        for (line, text) in (1..).zip(source.text.lines()) {
            let text = text.trim_start();
            let Some(comment) = text.strip_prefix("///").or_else(|| text.strip_prefix("//!")) else {
                is_inside = false;
                continue;
            };
            let Some(language) = comment.trim_start().strip_prefix("```") else { continue };
            if !is_inside && (language.is_empty() || language.starts_with("rust")) {
                let text = "nothing compiles this example: name a language, `text` for example".to_owned();
                findings.push(Finding { path: source.path.clone(), line, text });
            }
            is_inside = !is_inside;
        }
    }
    findings
}
