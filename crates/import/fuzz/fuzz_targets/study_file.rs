//! Files of conditions beside a table: no panic, and an error says why.
//!
//! Input: the YAML.

#![no_main]

use import::{ImportRequest, audit_study};
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

/// A table with a column that no importer knows.
const TABLE: &str = "target,workload,clients,tps,latency_ms_mean,depth of it,\n\
                     vm,read,8,1000,8.0,12,a\nvm,read,8,1010,7.9,13,b\npod,read,8,900,8.9,14,a\npod,read,8,910,8.8,15,b\n";

fuzz_target!(|study: &[u8]| {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("x.csv"), TABLE).expect("written");
    let path = directory.path().join("x.study.yaml");
    std::fs::write(&path, study).expect("written");
    let request = ImportRequest { files: vec![path], ..ImportRequest::default() };
    if let Err(problem) = audit_study(&request, Timestamp::UNIX_EPOCH) {
        assert!(!problem.primary_message().trim().is_empty());
    }
});
