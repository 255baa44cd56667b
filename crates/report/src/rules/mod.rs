//! The codes for a person: the list by group, and the page of one. `manual` makes the pages of the documentation.

#[cfg(test)]
mod manual;

use std::fmt::Write as _;

use judge::codes::{Code, Group};

/// These codes by group, one a line with what it detects.
pub fn list_of_codes(codes: &[&'static Code]) -> String {
    let width = codes.iter().map(|code| code.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for group in Group::ALL {
        let of_group: Vec<&Code> = codes.iter().copied().filter(|code| code.group == group).collect();
        if !of_group.is_empty() {
            writeln!(text, "{}: {}", group.name(), group.about()).expect("writing into a String cannot fail");
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
    for (heading, said) in sections(code) {
        write!(text, "\n{heading}\n  {said}\n").expect("writing into a String cannot fail");
    }
    text
}

/// The texts of a code with their headings.
fn sections(code: &Code) -> [(&'static str, &'static str); 4] {
    [
        ("Why it matters", code.why),
        ("Evidence", code.evidence),
        ("How to fix", code.fix),
        ("How to confirm", code.confirm),
    ]
}
