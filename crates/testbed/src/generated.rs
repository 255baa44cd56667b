//! Files of the project that are generated from it: a test compares them, and writes them where `UPDATE` is set.

use std::path::Path;

/// Panics unless a file is as it would be generated; `how` says by what it is written anew.
#[track_caller]
pub fn assert_generated_file(path: impl AsRef<Path>, generated: &str, how: &str) {
    let path = path.as_ref();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, generated).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let found = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(found == generated, "{}: {how}", path.display());
}

/// The same of what stands between two marks of a file, of which each is there once.
#[track_caller]
pub fn assert_generated_part(path: impl AsRef<Path>, [begin, end]: [&str; 2], generated: &str, how: &str) {
    let path = path.as_ref();
    let page = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (before, rest) = page.split_once(begin).unwrap_or_else(|| panic!("{}: no {begin:?}", path.display()));
    let (_, after) = rest.split_once(end).unwrap_or_else(|| panic!("{}: no {end:?}", path.display()));
    assert_generated_file(path, &format!("{before}{begin}{generated}{end}{after}"), how);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_another_is_refused_and_what_stands_around_it_is_not_looked_at() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("page.md");
        std::fs::write(&path, "Words.\n<begin>old<end>\nMore words.\n").expect("written");
        assert_generated_part(&path, ["<begin>", "<end>"], "old", "how");
        let refused = std::panic::catch_unwind(|| assert_generated_part(&path, ["<begin>", "<end>"], "new", "how"));
        assert!(refused.is_err());
        assert!(std::panic::catch_unwind(|| assert_generated_part(&path, ["<start>", "<end>"], "old", "how")).is_err());
    }
}
