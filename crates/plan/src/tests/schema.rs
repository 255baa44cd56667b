//! The JSON Schema against the reader: what one refuses in structure, the other refuses too.

use std::path::Path;

use super::super::document;
use super::super::language::json_of;
use super::super::{QUICKSTART, TEMPLATE, json_schema, parse_plan};
use super::{GOOD, edited};

fn schema_errors(text: &str) -> Vec<String> {
    let validator = jsonschema::validator_for(&json_schema()).expect("a schema");
    let read_by_an_editor = json_of(&document::read_document(text, &mut Vec::new()).expect("YAML").value);
    validator.iter_errors(&read_by_an_editor).map(|error| error.to_string()).collect()
}

#[test]
fn every_example_plan_is_read_and_satisfies_the_schema() {
    let plans = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans");
    let files = |directory: &Path| std::fs::read_dir(directory).expect("a directory of plans");
    let mut count = 0;
    for entry in files(&plans).chain(files(&plans.join("studies"))) {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable plan");
        parse_plan(&path.display().to_string(), text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(schema_errors(&text), Vec::<String>::new(), "{}", path.display());
        count += 1;
    }
    assert!(count >= 7, "the quick start, the template and five studies are there");
}

#[test]
fn a_resolved_plan_satisfies_the_schema() {
    for text in [GOOD, QUICKSTART, TEMPLATE] {
        let resolved = super::plan(text).complete_with_defaults(u64::MAX, 8).to_yaml();
        assert_eq!(schema_errors(&resolved), Vec::<String>::new(), "{resolved}");
    }
}

#[test]
fn what_is_wrong_in_one_place_is_refused_by_the_reader_and_by_the_schema() {
    for (from, to) in [
        ("name: A question", "name: 2026"),
        ("name: A question\n", ""),
        ("warm_up: 1s", "warmup: 1s"),
        ("warm_up: 1s", "warm_up: 1"),
        ("warm_up: 1s", "warm_up: 1 min"),
        ("until: 2%", "until: 2"),
        ("until: 2%", "until:"),
        ("at_least: 3", "at_least: 0"),
        ("at_least: 3", "at_least: \"3\""),
        ("clients: [2, 8]", "clients: []"),
        ("clients: [2, 8]", "clients: [0]"),
        ("clients: [2, 8]", "clients: [2, 2]"),
        ("clients: [2, 8]", "clients: [2.5]"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 0"),
        ("tpcb-like, scale: 10", "tpcb-like"),
        ("builtin: tpcb-like", "builtin: tpcb"),
        ("builtin: tpcb-like, scale: 10", "builtin: tpcb-like, scale: 10, mode: binary"),
        ("  write: {", "  wri//te: {"),
        ("builtin: tpcb-like,", "builtin: tpcb-like, script: [a.sql],"),
        ("builtin: tpcb-like,", ""),
        ("builtin: tpcb-like,", "script: [],"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 10, rate: 500"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 10, rate: [500/s]"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 10, rate: { from: 5/s }"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 10, think: { uniform: 5ms }"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 10, tries: 0"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 10, generator: ab"),
        ("tpcb-like, scale: 10", "tpcb-like, scale: 10, capacity: { p99: 5ms }"),
        ("builtin: tpcb-like, scale: 10", "sysbench: { script: oltp_everything }"),
        ("builtin: tpcb-like, scale: 10", "erp: { object: invoice }"),
        ("may_differ: [version]", "may_differ: [the kernel]"),
        ("version: 17", "version: 13"),
        ("version: 17", "version: \"20.1\""),
        ("version: 17\n", "version: 17\n      bin: /usr/bin\n"),
        ("version: 17\n", "keep: 1\n      version: 17\n"),
        ("version: 17\n", "via: pipe\n      version: 17\n"),
        ("version: 17\n", "version: 17\n      initdb: { wal_segment_size: 3MB }\n"),
        ("version: 17\n", "version: 17\n      initdb: { encoding: \"UTF 8\" }\n"),
        ("data_directory: /srv/a", "data_directory: ~/a"),
        ("work_mem: 4MB", "work-mem: 4MB"),
        ("work_mem: 4MB", "work_mem: [4MB]"),
        ("postgresql://bench@10.0.0.5/bench", "http://10.0.0.5/bench"),
        ("    url: postgresql://bench@10.0.0.5/bench\n", "    {}\n"),
        ("practical_threshold: 3%", "noise_floor: yes please"),
        ("practical_threshold: 3%", "threads: 0"),
        ("practical_threshold: 3%", "seed: -1"),
    ] {
        let text = edited(from, to);
        assert!(parse_plan("plan.yaml", text.as_bytes()).is_err(), "the reader takes {to:?}");
        assert!(!schema_errors(&text).is_empty(), "the schema takes {to:?}");
    }
}
