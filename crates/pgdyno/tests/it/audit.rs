//! `pgdyno audit` as a person types it: on figures that others published, on a run, and on what cannot be audited.

use crate::lab::Lab;

const STUDY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/cnpg-vs-vm.study.yaml");
const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-1");

#[test]
fn a_published_study_is_audited_from_its_three_files_and_leaves_nothing_behind() {
    let lab = Lab::new();
    let ended = lab.pgdyno(&format!("audit {STUDY} --json"));
    ended.exits(0);
    let json = ended.json();
    assert_eq!(json[0]["broken"], 13);
    assert_eq!(json[0]["checks"][0]["id"], "round-trips");
    lab.pgdyno(&format!("audit {STUDY}"))
        .exits(0)
        .prints(&["39 checks: 9 hold, 13 broken, 17 cannot tell", "undermines the comparison"]);
    lab.assert_no_temporary_data();
}

#[test]
fn runs_are_audited_one_by_one_and_not_mixed_with_files() {
    let lab = Lab::new();
    let ended = lab.pgdyno(&format!("audit {RUN} {RUN} --json"));
    ended.exits(0);
    assert_eq!(ended.json().as_array().map(Vec::len), Some(2));
    lab.pgdyno(&format!("audit {RUN} {STUDY}")).exits(2).says(&["run directories and files", "pgdyno import"]);
    lab.pgdyno("audit nowhere.csv").exits(2).says(&["nowhere.csv"]);
}
