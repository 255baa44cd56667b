//! The suite compiles and runs the examples in doc comments of one crate, since only that has some: an example of
//! another would rot unseen.

use std::path::Path;

use super::{Finding, Source};

/// The crate whose examples are compiled and run.
pub(crate) const CRATE_WITH_EXAMPLES: &str = "wire";

/// Every example of Rust in a doc comment that nothing compiles.
pub(super) fn check_examples(sources: &[Source]) -> Vec<Finding> {
    let compiled = Path::new("crates").join(CRATE_WITH_EXAMPLES).join("src");
    let mut findings = Vec::new();
    for source in sources {
        if source.path.starts_with(&compiled) {
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
