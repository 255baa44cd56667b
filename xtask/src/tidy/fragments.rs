//! Fragments of the changelog have the form that `changelog.d/README.md` describes, so that a release can gather them.

use std::path::Path;

use super::{Finding, Source};

const DIRECTORY: &str = "changelog.d";
const README: &str = "README.md";
const KINDS: [&str; 3] = ["added", "changed", "fixed"];
const WORDS_AT_MOST: usize = 60;

/// Every fragment that has another form.
pub(super) fn check_fragments(documents: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for document in documents {
        if document.path.parent() != Some(Path::new(DIRECTORY)) || document.path.ends_with(README) {
            continue;
        }
        if let Some(text) = fragment_fault(document) {
            findings.push(Finding { path: document.path.clone(), line: 1, text });
        }
    }
    findings
}

/// What is wrong with a fragment; none if it is well formed.
fn fragment_fault(fragment: &Source) -> Option<String> {
    let name = fragment.path.file_name()?.to_string_lossy().into_owned();
    let parts: Vec<&str> = name.split('.').collect();
    let is_named = match parts[..] {
        [topic, kind, "md"] => {
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            !topic.is_empty() && topic.chars().all(is_plain) && KINDS.contains(&kind)
        }
        _ => false,
    };
    if !is_named {
        return Some(format!("call it NAME.KIND.md, with one of {} as KIND", KINDS.join(", ")));
    }
    let text = fragment.text.trim();
    let words = text.split_whitespace().count();
    if words == 0 || text.contains("\n\n") {
        return Some("write one paragraph".to_owned());
    }
    if text.starts_with(['-', '*', '#']) {
        return Some("write a sentence without a mark of a list or a heading".to_owned());
    }
    (words > WORDS_AT_MOST).then(|| format!("{words} words; write {WORDS_AT_MOST} at most"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let fragment = Source { path: path.into(), text: text.to_owned() };
        check_fragments(&[fragment]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_fragment_is_one_paragraph_with_its_kind_in_its_name() {
        assert_eq!(found("changelog.d/ladder-udp.added.md", "`via: udp` adds a layer\nto ladders.\n"), [""; 0]);
        assert_eq!(found("changelog.d/README.md", "# Fragments\n\nMore.\n"), [""; 0]);
        assert_eq!(found("docs/plan.md", "# The plan\n"), [""; 0], "only the fragments");
        for (path, text, fault) in [
            ("changelog.d/ladder.md", "A layer.", "call it NAME.KIND.md, with one of added, changed, fixed as KIND"),
            (
                "changelog.d/Ladder.added.md",
                "A layer.",
                "call it NAME.KIND.md, with one of added, changed, fixed as KIND",
            ),
            (
                "changelog.d/ladder.removed.md",
                "A layer.",
                "call it NAME.KIND.md, with one of added, changed, fixed as KIND",
            ),
            ("changelog.d/ladder.added.md", " \n", "write one paragraph"),
            ("changelog.d/ladder.added.md", "One.\n\nTwo.", "write one paragraph"),
            ("changelog.d/ladder.added.md", "- A layer.", "write a sentence without a mark of a list or a heading"),
            ("changelog.d/ladder.added.md", &"word ".repeat(61), "61 words; write 60 at most"),
        ] {
            assert_eq!(found(path, text), [format!("{path}:1: {fault}")]);
        }
    }
}
