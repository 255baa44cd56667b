//! The codes for a person: the list by group, and the page of one. `manual` makes the pages of the documentation.

#[cfg(test)]
mod manual;

use std::fmt::Write as _;

use judge::codes::{Code, CodeGroup, RuleThreshold};

/// These codes by group, one a line with what it detects.
pub fn list_of_codes(codes: &[&'static Code]) -> String {
    let width = codes.iter().map(|code| code.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for group in CodeGroup::ALL {
        let of_group: Vec<&Code> = codes.iter().copied().filter(|code| code.group == group).collect();
        if !of_group.is_empty() {
            writeln!(text, "{}: {}", group.name(), group.subject_in_words())
                .expect("writing into a String cannot fail");
        }
        for code in of_group {
            writeln!(text, "  {:width$}  {}", code.name, code.detects).expect("writing into a String cannot fail");
        }
    }
    text
}

/// What there is to know about a code.
pub fn page_of_code(code: &Code) -> String {
    let mut text = format!("{} ({})\n\n{}\n", code.name, code.group.name(), code.detects);
    for CodeSection { heading, text: said, items } in sections_of_code(code) {
        write!(text, "\n{heading}\n  {said}\n").expect("writing into a String cannot fail");
        for item in items {
            writeln!(text, "  - {item}").expect("writing into a String cannot fail");
        }
    }
    text
}

/// A part of the page of a code.
struct CodeSection {
    heading: &'static str,
    text: String,
    /// What is listed below the text.
    items: Vec<String>,
}

/// The texts of a code with their headings.
fn sections_of_code(code: &Code) -> Vec<CodeSection> {
    let mut sections = vec![
        CodeSection {
            heading: "Reported if",
            text: code.reported_if.to_owned(),
            items: code.thresholds.iter().map(RuleThreshold::in_words).collect(),
        },
        CodeSection { heading: "Effect", text: code.effects_in_words(), items: Vec::new() },
    ];
    for (heading, said) in [
        ("Why it matters", code.why),
        ("Evidence", code.evidence),
        ("How to fix", code.fix),
        ("How to confirm", code.confirm),
    ] {
        sections.push(CodeSection { heading, text: said.to_owned(), items: Vec::new() });
    }
    sections
}

#[cfg(test)]
mod tests {
    use judge::registry::code_named;

    use super::*;

    #[test]
    fn page_of_a_code_lists_its_bounds_below_the_sentence_that_combines_them() {
        let code = code_named("cpu-throttled").expect("a code");
        let page = page_of_code(code);
        let said = format!(
            "Reported if\n  {}\n  - throttled periods as a share of all periods: at least 5 %\n\n",
            code.reported_if
        );
        assert!(page.contains(&said), "{page}");
        assert!(
            page.contains("\nEffect\n  Explains the result or a difference between the sides; only for information if"),
            "{page}"
        );
    }
}
