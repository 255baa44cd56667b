//! The pages on public comparisons: each shows what the audit of its studies reports. Those of `docs/audits`, with the
//! studies of `examples/audits`, propose a plan, which is one. Those of `docs/studies`, with `examples/studies`, have a
//! plan each.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::audit_of_request;
use crate::ImportRequest;

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/audits");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/audits");
const PAGES_OF_PLANS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/studies");
const EXAMPLES_OF_PLANS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/studies");
const STUDY: &str = ".study.yaml";
const HOW: &str = "UPDATE=1 cargo test --locked --workspace --lib -- published_stud";

/// What the line begins with after which a page has the audit of a study.
const AUDIT_OF: &str = "<!-- audit of ";

/// The names of the files of a directory that end so.
fn names_of_files(directory: &str, end: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(directory).unwrap_or_else(|error| panic!("{directory}: {error}")) {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if name.ends_with(end) {
            names.insert(name);
        }
    }
    names
}

/// The audit as a page shows it.
fn shown_audit(examples: &str, study: &str) -> String {
    let files = vec![PathBuf::from(format!("{examples}/{study}"))];
    let request = ImportRequest { files, ..ImportRequest::default() };
    let audit = audit_of_request(&request).unwrap_or_else(|problem| panic!("{study}: {}", problem.primary_message()));
    let lines = report::audit::audit_lines(&audit, 120).join("\n");
    format!("\n```text\n{}\n{lines}\n```\n\n", report::audit::audit_summary(&audit))
}

/// The studies that a page shows the audits of.
fn studies_of_page(text: &str) -> Vec<String> {
    let mut studies = Vec::new();
    for line in text.lines() {
        if let Some((study, _)) = line.strip_prefix(AUDIT_OF).and_then(|rest| rest.split_once(':')) {
            studies.push(study.to_owned());
        }
    }
    studies
}

/// The blocks between fences of YAML.
fn yaml_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    for part in text.split("```yaml\n").skip(1) {
        let (block, _) = part.split_once("```").expect("a block ends");
        blocks.push(block.to_owned());
    }
    blocks
}

/// Holds the audits on the pages of a directory; returns the studies that they are of.
fn assert_shown_audits(pages: &str, examples: &str) -> BTreeSet<String> {
    let mut shown = BTreeSet::new();
    for page in names_of_files(pages, ".md") {
        let path = Path::new(pages).join(&page);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
        for study in studies_of_page(&text) {
            let marks = [format!("{AUDIT_OF}{study}: {HOW} -->\n"), format!("<!-- end of the audit of {study} -->")];
            testbed::assert_generated_part(&path, [&marks[0], &marks[1]], &shown_audit(examples, &study), HOW);
            assert!(shown.insert(study), "{page}: a study is on two pages");
        }
    }
    shown
}

#[test]
fn each_study_of_the_examples_has_its_audit_on_a_page() {
    assert_eq!(assert_shown_audits(PAGES, EXAMPLES), names_of_files(EXAMPLES, STUDY));
    let mut of_plans = names_of_files(EXAMPLES_OF_PLANS, STUDY);
    of_plans.insert("../cnpg-vs-vm.study.yaml".to_owned());
    assert_eq!(assert_shown_audits(PAGES_OF_PLANS, EXAMPLES_OF_PLANS), of_plans);
}

/// The audit of a study of the plans, as its page shows it.
fn audit_of_planned_study(study: &str) -> String {
    // A line is broken anywhere.
    shown_audit(EXAMPLES_OF_PLANS, study).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_known_to_be_wrong_with_the_studies_is_found() {
    for (study, known) in [
        ("cloud-disks.study.yaml", "P30, tpcb-like: size of the data (GB): 71 / 731"),
        ("cloud-disks.study.yaml", "served by a cache, not by the disk"),
        ("managed-disk-classes.study.yaml", "1849 tps in 180 s, 2155 tps in 600 s: +16.5 %"),
        ("managed-disk-classes.study.yaml", "407 tps in 180 s, 366 tps in 600 s: −10.1 %"),
        (
            "18-against-17.study.yaml",
            "-15 % is claimed, but no figure beside it changed by that much; the figures give −7.4 %",
        ),
        ("18-against-17.study.yaml", "\"fills shared_buffers\": 2.3 GiB, shared_buffers 8.0 GiB"),
        ("18-against-17.study.yaml", "\"warm\": 88.5 GiB, memory 32.0 GiB"),
    ] {
        let audit = audit_of_planned_study(study);
        assert!(audit.contains(known), "{study}: {known}: {audit}");
    }
}

#[test]
fn the_plan_of_each_page_is_one() {
    for page in names_of_files(PAGES, ".md") {
        let text = fs::read_to_string(Path::new(PAGES).join(&page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        let plans = yaml_blocks(&text);
        assert_eq!(plans.is_empty(), studies_of_page(&text).is_empty(), "{page}: a page with a study has a plan");
        for block in plans {
            if let Err(errors) = plan::parse_plan(&page, block.as_bytes()) {
                panic!("{page}: {errors:?}");
            }
        }
    }
}
