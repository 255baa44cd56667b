//! Studies that a stranger wrote, as they would be published: which rules each breaks, or why it is not read, stands in
//! a list beside them. Every change of the importer or of a check that they show is a change of that list.
//! `TRUTH.txt` of each says what is wrong with it, or what a naive check may accuse it of.

use std::fs;
use std::path::{Path, PathBuf};

use super::{audit_of_request, broken_rules};
use crate::ImportRequest;

/// Where the studies are, in a folder for the sound ones and one for the others.
const STUDIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published");

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

/// One line of the list.
fn line_of_study(kind: &str, folder: &Path) -> String {
    let request = ImportRequest { files: given_files(folder), ..ImportRequest::default() };
    let said = match audit_of_request(&request) {
        Ok(audit) => broken_rules(&audit).join(", "),
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
    for kind in ["sound", "flawed"] {
        for folder in sorted_entries(&Path::new(STUDIES).join(kind)) {
            list.push_str(&line_of_study(kind, &folder));
        }
    }
    let how = "UPDATE=1 cargo test --locked --workspace --lib -- published_stud";
    testbed::assert_generated_file(format!("{STUDIES}/AUDITED.txt"), &list, how);
}
