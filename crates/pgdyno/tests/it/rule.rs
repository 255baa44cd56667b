//! `pgdyno rule`, `--ignore` and the plan's `ignore`: codes are explained, and left out on request, which is said.

use crate::lab::Lab;

const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-3");

#[test]
fn rule_lists_codes_by_group_explains_one_and_names_the_nearest_to_an_unknown_one() {
    let lab = Lab::new();
    lab.pgdyno("rule").exits(0).prints(&["method: benchmark methodology", "  no-repetition ", "  cpu-stolen "]);
    lab.pgdyno("rule cpu-stolen").exits(0).prints(&[
        "cpu-stolen (cpu)",
        "Reported if",
        "  - stolen CPU time as a share of the CPU time demanded: at least 5 %",
        "Why it matters",
        "How to fix",
        "How to confirm",
    ]);
    lab.pgdyno("rule rows-read").exits(0).prints(&["excess-rows-read (plans)"]);
    lab.pgdyno("rule cpu-stollen").exits(2).says(&["code \"cpu-stollen\" does not exist", "did you mean cpu-stolen"]);
    let ended = lab.pgdyno("rule cpu-stolen --json");
    ended.exits(0);
    assert_eq!(ended.json()[0]["group"], "cpu");
    assert_eq!(ended.json()[0]["thresholds"][0]["bound"], "at least");
}

#[test]
fn ignored_code_is_missing_from_the_issues_and_named_in_the_report() {
    let lab = Lab::new();
    let report = |ignore: &str| {
        let ended = lab.pgdyno(&format!("report {RUN} --format json --output - {ignore}"));
        ended.exits(0);
        ended.json()
    };
    let codes = |report: &serde_json::Value| -> Vec<String> {
        let issues = report["issues"].as_array().expect("a list");
        issues.iter().map(|issue| issue["code"].as_str().expect("a code").to_owned()).collect()
    };
    let all = codes(&report(""));
    let first = all.first().expect("the run has issues");
    let without = report(&format!("--ignore {first}"));
    assert!(!codes(&without).contains(first), "{first}");
    assert_eq!(without["ignored"], serde_json::json!([first]));
    let said = format!("ignored: {first}");
    lab.pgdyno(&format!("report {RUN} --format markdown --output - --ignore {first}")).exits(0).prints(&[&said]);
    lab.pgdyno(&format!("compare {RUN} --ignore {first}")).prints(&[&said]);
    lab.pgdyno(&format!("diagnose {RUN} --ignore {first}")).exits(0).prints(&[&said]);
    lab.pgdyno(&format!("audit {RUN} --ignore {first}")).exits(0).prints(&[&said]);
    lab.pgdyno(&format!("report {RUN} --ignore nothing-of-the-sort")).exits(2).says(&["nothing-of-the-sort"]);
}

#[test]
fn plan_that_ignores_an_unknown_code_is_refused_with_a_hint() {
    let lab = Lab::new();
    let plan = |ignore: &str| {
        format!(
            "name: t\ntargets: {{ a: {{ url: 'host=a' }} }}\nbaseline: a\nignore: [{ignore}]\n\
             workloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n"
        )
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("plan.yaml");
    std::fs::write(&path, plan("no-repetitions")).expect("a written plan");
    let check = format!("plan check {}", path.display());
    lab.pgdyno(&check).exits(2).says(&["no-repetitions", "did you mean no-repetition"]);
    std::fs::write(&path, plan("no-repetition")).expect("a written plan");
    lab.pgdyno(&check).exits(0);
}
