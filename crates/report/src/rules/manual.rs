//! The pages of the documentation on the codes, which are generated from them.

use std::fmt::Write as _;

use judge::audit::CHECKS;
use judge::codes::{Code, CodeGroup};
use judge::diagnose::RULES;
use judge::registry::all_codes;

use super::{CodeSection, sections_of_code};

/// The page of a group in the documentation.
fn markdown_of_group(group: CodeGroup) -> String {
    let mut text = format!(
        "<!-- Generated from the codes: `UPDATE=1 cargo test --workspace --lib -- rules::` writes it anew. -->\n\n# Rules: {}\n",
        group.subject_in_words()
    );
    for code in all_codes().iter().filter(|code| code.group == group) {
        write!(text, "\n## {}\n\n{}\n", code.name, code.detects).expect("writing into a String cannot fail");
        for CodeSection { heading, text: said, items } in sections_of_code(code) {
            write!(text, "\n**{heading}.** {said}\n").expect("writing into a String cannot fail");
            if !items.is_empty() {
                text.push('\n');
            }
            for item in items {
                writeln!(text, "- {item}").expect("writing into a String cannot fail");
            }
        }
    }
    text
}

/// The first page of the rules in the documentation: every code, by group.
fn markdown_index() -> String {
    let mut text = "\
<!-- Generated from the codes: `UPDATE=1 cargo test --workspace --lib -- rules::` writes it anew. -->

# Rules

A *rule* looks for one thing. If it finds it, it reports an *issue*, which has the code of the rule. An issue invalidates a figure, weakens it,
explains it, or informs. If several rules conclude the same fact, it is one issue with the strongest of their effects. Reports print issues that
invalidate or weaken beside the verdict. Issues that explain a difference are the *findings* of the [diagnosis](../diagnosis.md), and rules about the
method of a benchmark are the *checks* of the [audit](../audit.md).

The page of a rule says when exactly it reports, and which effect its issue has. The sentence after *Reported if* says how the thresholds
of the list combine.

- `pgdyno rule` lists the codes, and `pgdyno rule CODE` prints the text of one.
- `--ignore CODE` of `run`, `report`, `compare`, `diagnose` and `audit`, or `ignore: [CODE]` in a plan, leaves issues out.
  The report lists the ignored codes.
"
    .to_owned();
    for group in CodeGroup::ALL {
        write!(text, "\n## {}\n\n| code | detects |\n|---|---|\n", group.name())
            .expect("writing into a String cannot fail");
        for code in all_codes().iter().filter(|code| code.group == group) {
            writeln!(text, "| {} | {} |", link_to_code(code, ""), code.detects)
                .expect("writing into a String cannot fail");
        }
    }
    text
}

/// The table of the diagnosis in its page: every rule by group.
fn table_of_diagnosis() -> String {
    let mut rules: Vec<&Code> = RULES.iter().map(|rule| rule.code).collect();
    rules.sort_by_key(|code| code.group);
    let mut text = "\n| group | rule | detects |\n|---|---|---|\n".to_owned();
    for code in rules {
        writeln!(text, "| {} | {} | {} |", code.group.name(), link_to_code(code, "rules/"), code.detects)
            .expect("writing into a String cannot fail");
    }
    text + "\n"
}

/// The table of the audit in its page: every check with what must hold.
fn table_of_audit() -> String {
    let mut text = "\n| check | rule |\n|---|---|\n".to_owned();
    for check in CHECKS {
        writeln!(text, "| {} | {} |", link_to_code(check.code, "rules/"), check.rule)
            .expect("writing into a String cannot fail");
    }
    text + "\n"
}

/// A link to a code's part of its group's page, which lies in `folder`.
fn link_to_code(code: &Code, folder: &str) -> String {
    format!("[`{0}`]({folder}{1}.md#{0})", code.name, code.group.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

    const HOW: &str = "UPDATE=1 cargo test --workspace --lib -- rules:: writes it anew";
    const END: &str = "<!-- end of the rules -->";
    const OF_DIAGNOSIS: &str = "<!-- rules: generated from the rules, with links to their pages: UPDATE=1 cargo test --workspace --lib -- rules:: -->\n";
    const OF_AUDIT: &str = "<!-- rules: generated from the checks, with links to their pages: UPDATE=1 cargo test --workspace --lib -- rules:: -->\n";

    #[test]
    fn pages_of_the_documentation_are_those_of_the_codes() {
        for group in CodeGroup::ALL {
            let path = format!("{DOCS}/rules/{}.md", group.name());
            testbed::assert_generated_file(path, &markdown_of_group(group), HOW);
        }
        testbed::assert_generated_file(format!("{DOCS}/rules/README.md"), &markdown_index(), HOW);
        testbed::assert_generated_part(format!("{DOCS}/diagnosis.md"), [OF_DIAGNOSIS, END], &table_of_diagnosis(), HOW);
        testbed::assert_generated_part(format!("{DOCS}/audit.md"), [OF_AUDIT, END], &table_of_audit(), HOW);
        let summary = std::fs::read_to_string(format!("{DOCS}/SUMMARY.md")).expect("the summary");
        for group in CodeGroup::ALL {
            assert!(summary.contains(&format!("(rules/{}.md)", group.name())), "{}", group.name());
        }
    }

    #[test]
    fn every_code_has_a_page_and_stands_in_the_list() {
        let index = markdown_index();
        for code in all_codes() {
            assert!(index.contains(&format!("[`{}`]", code.name)), "{}", code.name);
            let page = markdown_of_group(code.group);
            for text in [code.detects, code.reported_if, code.why, code.evidence, code.fix, code.confirm] {
                assert!(page.contains(text), "{}: {page}", code.name);
            }
            for threshold in code.thresholds {
                assert!(page.contains(&threshold.in_words()), "{}: {page}", code.name);
            }
        }
    }
}
