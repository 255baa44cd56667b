//! pgbench's captured output: every number that was read, printed again, is a line of the original.

use super::*;
use std::path::PathBuf;

/// The captured files of all versions that end like this: their names and texts.
fn captured(ending: &str) -> Vec<(PathBuf, String)> {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../outputs/tests/fixtures");
    let directories = fixtures.read_dir().expect("the fixtures").map(|entry| entry.expect("readable").path());
    let pgbench = directories.filter(|path| path.to_string_lossy().contains("/pgbench-"));
    let files = pgbench.flat_map(|path| path.read_dir().expect("a directory").map(|entry| entry.expect("one").path()));
    let wanted: Vec<_> = files.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    assert!(!wanted.is_empty(), "no fixture ends with {ending}");
    wanted.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("text"))).collect()
}

#[test]
fn a_logged_transaction_that_was_read_prints_the_line_that_it_was_read_from() {
    let plain = Columns { lag: false, retries: false };
    for (name, columns) in [
        ("/plain.log", plain),
        ("/rate.log", Columns { lag: true, ..plain }),
        ("/tries.log", Columns { retries: true, ..plain }),
        ("/detailed.log", plain),
        ("/failed.log", plain),
    ] {
        for (path, text) in captured(name) {
            for line in text.lines() {
                let transaction = LoggedTransaction::parse(line.as_bytes(), columns);
                assert_eq!(transaction.expect(line).to_string(), line, "{}", path.display());
                // With other columns it is another line.
                let other = Columns { lag: columns.lag, retries: !columns.retries };
                assert_eq!(LoggedTransaction::parse(line.as_bytes(), other), None, "{}", path.display());
            }
        }
    }
}

#[test]
fn every_way_in_which_a_transaction_can_end_is_read() {
    let columns = Columns { lag: true, retries: true };
    for word in ["1234", "skipped", "failed", "serialization", "deadlock", "other"] {
        let line = format!("3 17 {word} 1 1795183830 682509 42 2");
        assert_eq!(LoggedTransaction::parse(line.as_bytes(), columns).map(|line| line.to_string()), Some(line));
    }
    assert_eq!(LoggedTransaction::parse(b"3 17 lost 1 1795183830 682509 42 2", columns), None);
}

#[test]
fn aborted_runs_end_with_status_two_and_say_so() {
    for name in ["aborted", "lost"] {
        for (path, status) in captured(&format!("/{name}.status")) {
            let errors = std::fs::read_to_string(path.with_extension("err")).expect("standard error");
            assert_eq!((status.trim(), errors.contains(ABORTED)), ("2", true), "{}", path.display());
        }
    }
}
