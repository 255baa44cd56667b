//! `docs/plan-reference.md` has the reference of every key, as it is declared, and every example of the pages is read.

use super::super::reference_of_keys;

const GUIDE: &str = include_str!("../../../../docs/plan.md");
const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plan-reference.md");
const BEGIN: &str = "<!-- generated from the plan's declaration: begin -->\n\n";
const END: &str = "\n<!-- generated from the plan's declaration: end -->";

#[test]
fn the_reference_has_every_key_with_its_form_default_and_meaning() {
    let generated = reference_of_keys();
    assert!(generated.contains("| `practical_threshold` |") && generated.contains("## `targets.*.local.initdb`\n"));
    let how = "UPDATE=1 cargo test --workspace --lib documentation writes docs/plan-reference.md anew";
    testbed::assert_generated_part(REFERENCE, [BEGIN, END], &generated, how);
}

#[test]
fn keys_that_two_records_have_in_common_are_printed_once() {
    let generated = reference_of_keys();
    let sections: Vec<Vec<&str>> = generated
        .split("\n## ")
        .map(|section| section.lines().filter(|line| line.starts_with("| `")).collect())
        .collect();
    assert!(sections.len() > 20, "{}", sections.len());
    for (index, section) in sections.iter().enumerate() {
        for earlier in &sections[..index] {
            let common: Vec<&&str> = section.iter().filter(|row| earlier.contains(row)).collect();
            assert!(common.len() < 3, "{common:?}");
        }
    }
}

#[test]
fn every_example_in_the_documentation_is_read() {
    let examples: Vec<&str> = GUIDE
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|e| e.starts_with("name:"))
        .collect();
    assert!(examples.len() > 5, "docs/plan.md shows whole plans");
    for example in examples {
        super::plan(example);
    }
}
