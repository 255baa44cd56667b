//! `docs/plan.md` holds the reference of every key, as it is declared.

use super::super::reference;

const DOCS: &str = include_str!("../../../../docs/plan.md");

#[test]
fn the_reference_has_every_key_with_its_form_default_and_meaning() {
    let expected = reference();
    let found: Vec<&str> = DOCS.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(found == expected, "put these rows into docs/plan.md:\n{}", expected.join("\n"));
}

#[test]
fn every_example_in_the_documentation_is_read() {
    let examples: Vec<&str> = DOCS
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|e| e.starts_with("name:"))
        .collect();
    assert!(!examples.is_empty(), "docs/plan.md shows a whole plan");
    for example in examples {
        super::plan(example);
    }
}
