//! Files that other people published, which are not part of the repository: what is read of each, and what is not and
//! why, stands in a list. Every change of the importer that they show is a change of that list.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{ImportRequest, observe_study};

/// Where the list is.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published/READ.txt");

/// The folders of files that somebody published.
const FOLDERS: [&str; 2] = ["raw", "unseen"];

/// All files below a folder, in the order of their names.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// What the importer says of a file: of each tool in it a line, with what had to be interpreted and what is not read;
/// or why nothing is.
fn lines_of_file(path: &Path, published: &Path) -> String {
    let now = "2026-11-20T09:00:00Z".parse().expect("an instant");
    let request = ImportRequest { files: vec![path.to_owned()], ..ImportRequest::default() };
    let mut text = format!("{}\n", path.strip_prefix(published).expect("below it").display());
    match observe_study(&request, now) {
        Err(problem) => {
            assert_eq!(problem.primary_message().lines().count(), 1, "{problem}");
            text.push_str(&format!("  refused: {}\n", problem.primary_message()));
        }
        Ok(observed) => {
            let imported = observed.run.imported.expect("an import");
            for source in imported.sources {
                text.push_str(&format!("  {}: {}\n", source.tool, source.content));
                for said in source.notes.iter().chain(&source.not_read) {
                    text.push_str(&format!("    {said}\n"));
                }
            }
        }
    }
    text.replace(&format!("{}/", published.display()), "")
}

#[test]
fn the_list_of_what_is_read_of_each_published_file_is_as_it_is_imported() {
    // Beside the repository, or further up where this is one of its worktrees.
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(3);
    let Some(published) = around.map(|path| path.join("shared/published")).find(|path| path.join("raw").is_dir())
    else {
        // They are not there.
        return;
    };
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| add_files(&published.join(folder), &mut files));
    let list: String = files.iter().map(|path| lines_of_file(path, &published)).collect();
    let how = "UPDATE=1 cargo test --locked --workspace --lib -- published_files";
    testbed::assert_generated_file(LIST, &list, how);
}
