//! Studies that a stranger wrote, as they would be published: which rules each breaks, or why it is not read, stands in
//! a list beside them. Every change of the importer or of a check that they show is a change of that list.
//! `TRUTH.txt` of each says what is wrong with it, or what a naive check may accuse it of.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use judge::audit::CHECKS;

use super::{audit_of_request, broken_rules};
use crate::ImportRequest;

/// Where the studies are, in a folder for the sound ones and one for the others.
const STUDIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published");

/// Between these, the documentation has how many studies break each rule.
const PART_OF_PAGE: [&str; 2] = [
    "<!-- studies: generated from the list: UPDATE=1 cargo test -p import --lib -- published_stud -->\n",
    "<!-- end of the studies -->",
];

/// What is known of a study, which nobody who reads one has.
const TRUTH: &str = "TRUTH.txt";

/// The entries of a directory in the order of their names.
fn sorted_entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// What a person gives of a folder: its study, or all its files if there is none.
fn given_files(folder: &Path) -> Vec<PathBuf> {
    let is_named =
        |path: &PathBuf, end: &str| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(end));
    let mut files = sorted_entries(folder);
    files.retain(|path| !is_named(path, TRUTH));
    match files.iter().find(|path| is_named(path, "study.yaml")) {
        Some(study) => vec![study.clone()],
        None => files,
    }
}

/// Which studies of a kind there are, and how many of them break each rule.
#[derive(Default)]
struct CountedStudies {
    studies: usize,
    breaking_any: usize,
    breaking: BTreeMap<&'static str, usize>,
}

impl CountedStudies {
    fn count_rules(&mut self, rules: &[&'static str]) {
        self.breaking_any += usize::from(!rules.is_empty());
        for rule in rules {
            *self.breaking.entry(rule).or_default() += 1;
        }
    }
}

/// What the documentation says of the studies.
fn counts_for_documentation(sound: &CountedStudies, flawed: &CountedStudies) -> String {
    let mut text = format!(
        "\n{} of {} sound studies break a rule, and {} of {} flawed ones.\n\n| rule | sound studies that break it | \
         flawed studies that break it |\n|---|--:|--:|\n",
        sound.breaking_any, sound.studies, flawed.breaking_any, flawed.studies
    );
    for check in CHECKS {
        let [of_sound, of_flawed] =
            [sound, flawed].map(|counted| counted.breaking.get(check.code.name).copied().unwrap_or(0));
        if of_sound + of_flawed > 0 {
            text.push_str(&format!("| {} | {of_sound} | {of_flawed} |\n", check.code.name));
        }
    }
    text.push('\n');
    text
}

/// One line of the list, whose rules are counted.
fn line_of_study(kind: &str, folder: &Path, counted: &mut CountedStudies) -> String {
    let request = ImportRequest { files: given_files(folder), ..ImportRequest::default() };
    counted.studies += 1;
    let said = match audit_of_request(&request) {
        Ok(audit) => {
            let rules = broken_rules(&audit);
            counted.count_rules(&rules);
            rules.join(", ")
        }
        Err(problem) => {
            format!("refused: {}", problem.primary_message().replace(&format!("{}/", folder.display()), ""))
        }
    };
    let name = folder.file_name().expect("a name").to_string_lossy();
    format!("{kind} {name}: {said}").trim_end().to_owned() + "\n"
}

#[test]
fn the_list_of_what_each_published_study_breaks_is_as_it_is_audited() {
    let mut list = String::new();
    let (mut sound, mut flawed) = (CountedStudies::default(), CountedStudies::default());
    for (kind, counted) in [("sound", &mut sound), ("flawed", &mut flawed)] {
        for folder in sorted_entries(&Path::new(STUDIES).join(kind)) {
            list.push_str(&line_of_study(kind, &folder, counted));
        }
    }
    let how = "UPDATE=1 cargo test --locked --workspace --lib -- published_stud";
    testbed::assert_generated_file(format!("{STUDIES}/AUDITED.txt"), &list, how);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/audit.md");
    testbed::assert_generated_part(page, PART_OF_PAGE, &counts_for_documentation(&sound, &flawed), how);
    assert_eq!(sound.breaking_any, 0, "a sound study is accused");
}
