//! Files of all kinds, audited as one study: no panic, and an error says why.
//!
//! Input: a byte that says what the file is called, then the file.

#![no_main]

use std::path::PathBuf;

use import::{ImportRequest, audit_study, propose_study};
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

/// By its name a file is one of a kind only where it has no words of its own.
const NAMES: [&str; 5] = ["x.txt", "x.md", "x.csv", "x.html", "stage_lat.1.log"];

fuzz_target!(|input: &[u8]| {
    let Some((&name, content)) = input.split_first() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let path: PathBuf = directory.path().join(NAMES[usize::from(name) % NAMES.len()]);
    std::fs::write(&path, content).expect("written");
    let request = ImportRequest { files: vec![path], ..ImportRequest::default() };
    if let Err(problem) = audit_study(&request, Timestamp::UNIX_EPOCH) {
        assert!(!problem.primary_message().trim().is_empty());
    }
    if let Err(problem) = propose_study(&request, None) {
        assert!(!problem.primary_message().trim().is_empty());
    }
});
