//! The codes for a person: the list by group, the page of one, and the pages of the documentation, which are generated.

use std::fmt::Write as _;

use judge::audit::CHECKS;
use judge::codes::{Code, Group};
use judge::diagnose::RULES;
use judge::registry::all_codes;

/// The codes by group, one a line with what it detects.
pub fn list() -> String {
    let codes = all_codes();
    let width = codes.iter().map(|code| code.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for group in Group::ALL {
        writeln!(text, "{} ({})", group.name(), group.about()).expect("writing into a String cannot fail");
        for code in codes.iter().filter(|code| code.group == group) {
            writeln!(text, "  {:width$}  {}", code.name, code.detects).expect("writing into a String cannot fail");
        }
    }
    text
}

/// What there is to know about a code.
pub fn page(code: &Code) -> String {
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

/// The page of a group in the documentation.
pub fn markdown_of_group(group: Group) -> String {
    let mut text = format!(
        "<!-- Generated from the codes: `UPDATE=1 cargo test --workspace --lib -- rules::` writes it anew. -->\n\n# Rules: {}\n",
        group.about()
    );
    for code in all_codes().into_iter().filter(|code| code.group == group) {
        write!(text, "\n## {}\n\n{}\n", code.name, code.detects).expect("writing into a String cannot fail");
        for (heading, said) in sections(code) {
            write!(text, "\n**{heading}.** {said}\n").expect("writing into a String cannot fail");
        }
        if !code.formerly.is_empty() {
            let former: Vec<String> = code.formerly.iter().map(|name| format!("`{name}`")).collect();
            write!(text, "\nEarlier versions: {}.\n", former.join(", ")).expect("writing into a String cannot fail");
        }
    }
    text
}

/// The first page of the rules in the documentation: every code, by group.
pub fn markdown_index() -> String {
    let mut text = "\
<!-- Generated from the codes: `UPDATE=1 cargo test --workspace --lib -- rules::` writes it anew. -->

# Rules

Everything that pgdyno concludes about a run has a code. `pgdyno rule` lists the codes, `pgdyno rule CODE` prints what is said here of one,
and `--ignore CODE` or `ignore:` in a plan leaves one out of a report, which says so.
"
    .to_owned();
    for group in Group::ALL {
        write!(text, "\n## {}\n\n| code | detects |\n|---|---|\n", group.name())
            .expect("writing into a String cannot fail");
        for code in all_codes().into_iter().filter(|code| code.group == group) {
            writeln!(text, "| {} | {} |", link(code, ""), code.detects).expect("writing into a String cannot fail");
        }
    }
    text
}

/// The table of the diagnosis in its page: every rule by group.
pub fn table_of_diagnosis() -> String {
    let mut rules: Vec<&Code> = RULES.iter().map(|rule| rule.code).collect();
    rules.sort_by_key(|code| code.group);
    let mut text = "\n| group | rule | detects |\n|---|---|---|\n".to_owned();
    for code in rules {
        writeln!(text, "| {} | {} | {} |", code.group.name(), link(code, "rules/"), code.detects)
            .expect("writing into a String cannot fail");
    }
    text + "\n"
}

/// The table of the audit in its page: every check with what must hold.
pub fn table_of_audit() -> String {
    let mut text = "\n| check | rule |\n|---|---|\n".to_owned();
    for check in CHECKS {
        writeln!(text, "| {} | {} |", link(check.code, "rules/"), check.rule)
            .expect("writing into a String cannot fail");
    }
    text + "\n"
}

/// A link to a code's part of its group's page, which lies in `folder`.
fn link(code: &Code, folder: &str) -> String {
    format!("[`{0}`]({folder}{1}.md#{0})", code.name, code.group.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

    /// Compares a file of the documentation with what it should be, or writes it where asked to.
    fn is_current(path: &str, expected: &str) {
        let path = format!("{DOCS}/{path}");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, expected).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        let found = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(found == expected, "{path}: UPDATE=1 cargo test --workspace --lib -- rules:: writes it anew");
    }

    /// The page with what stands between two comments of it replaced.
    fn with_table(path: &str, table: &str) -> String {
        let page = std::fs::read_to_string(format!("{DOCS}/{path}")).expect("the page");
        let (before, rest) = page.split_once("<!-- rules: ").expect("the page has a place for them");
        let (comment, rest) = rest.split_once("-->\n").expect("the comment ends");
        let (_, after) = rest.split_once("<!-- end of the rules -->").expect("the place ends");
        format!("{before}<!-- rules: {comment}-->\n{table}<!-- end of the rules -->{after}")
    }

    #[test]
    fn pages_of_the_documentation_are_those_of_the_codes() {
        for group in Group::ALL {
            is_current(&format!("rules/{}.md", group.name()), &markdown_of_group(group));
        }
        is_current("rules/README.md", &markdown_index());
        is_current("diagnosis.md", &with_table("diagnosis.md", &table_of_diagnosis()));
        is_current("audit.md", &with_table("audit.md", &table_of_audit()));
        let summary = std::fs::read_to_string(format!("{DOCS}/SUMMARY.md")).expect("the summary");
        for group in Group::ALL {
            assert!(summary.contains(&format!("(rules/{}.md)", group.name())), "{}", group.name());
        }
    }

    #[test]
    fn every_code_has_a_page_and_stands_in_the_list() {
        let list = list();
        for code in all_codes() {
            assert!(list.contains(&format!("  {} ", code.name)), "{}", code.name);
            let page = page(code);
            for text in [code.detects, code.why, code.evidence, code.fix, code.confirm] {
                assert!(page.contains(text), "{}: {page}", code.name);
            }
        }
    }
}
