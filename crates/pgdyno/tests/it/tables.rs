//! The tables of a report as CSV, as a person asks for them.

use std::fs;

use crate::lab::Lab;

const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-1");

#[test]
fn one_table_is_printed_and_all_are_files_of_a_directory() {
    let lab = Lab::new();
    let printed = lab.pgdyno(&format!("report {RUN} --format csv --table clients"));
    printed.exits(0).prints(&["workload,target,clients,throughput_tps,throughput_low_tps"]);
    let all = lab.pgdyno(&format!("report {RUN} --format csv --table all --output tables"));
    all.exits(0).prints(&["tables/comparisons.csv", "tables/maxima.csv", "tables/facts.csv"]);
    assert_eq!(fs::read_to_string(lab.path().join("tables/clients.csv")).expect("written"), printed.stdout);
    let first = lab.pgdyno(&format!("report {RUN} --format csv"));
    assert_eq!(fs::read_to_string(lab.path().join("tables/comparisons.csv")).expect("written"), first.stdout);
}

#[test]
fn tables_that_cannot_be_written_as_asked_are_refused() {
    let lab = Lab::new();
    lab.pgdyno(&format!("report {RUN} --format csv --table all")).exits(2).says(&["--output DIRECTORY"]);
    lab.pgdyno(&format!("report {RUN} --table maxima")).exits(2).says(&["add `--format csv`"]);
    lab.pgdyno(&format!("report {RUN} --format csv --table peaks")).exits(2).says(&["'peaks'", "maxima"]);
}
