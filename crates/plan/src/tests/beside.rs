//! Loads beside: what they may be, which targets have them, and what follows from them.

use super::super::{Because, BesideWork, Interleave, NoTurns, Plan, explain_plan};
use super::{plan, refusal};

/// A plan of local servers with these loads beside, and these targets.
fn text(beside: &str, targets: &str) -> String {
    format!(
        "name: x\ntargets:\n  a: {{ local: {{ version: 17 }} }}\n{targets}baseline: a\nworkloads:\n  read: {{ builtin: \
         select-only, scale: 1 }}\nclients: [2]\nbeside: {beside}\n"
    )
}

fn loads_of(plan: &Plan, target: &str) -> Vec<String> {
    let target = plan.target_by_name(target).expect("a target");
    plan.beside_target(target).map(|load| load.name.clone()).collect()
}

const EVERY_KIND: &str = "{ report: { script: [r.sql@2, s.sql], clients: 3, pause: 1s }, ingest: { copy: { into: t, rows: t.csv, \
                          options: FORMAT csv }, rate: 10/s }, vacuum: { vacuum: \"t, u\" }, index: { index_build: t (a) }, \
                          backup: { pg_basebackup: { options: [--max-rate=50M] } }, dump: { pg_dump: {} }, own: { command: \
                          sleep 1 } }";

#[test]
fn every_load_stands_in_the_resolved_plan_as_it_was_written() {
    let plan = plan(&text(EVERY_KIND, ""));
    let kinds: Vec<&str> = plan.beside.iter().map(|load| load.work.plan_key()).collect();
    assert_eq!(kinds, ["script", "copy", "vacuum", "index_build", "pg_basebackup", "pg_dump", "command"]);
    assert!(matches!(&plan.beside[4].work, BesideWork::BaseBackup(given) if given.options == ["--max-rate=50M"]));
    let again = super::plan(&plan.to_yaml());
    assert_eq!(again, plan, "{}", plan.to_yaml());
    assert!(!super::plan(super::GOOD).to_yaml().contains("beside"), "none are not written");
}

#[test]
fn a_target_and_its_variant_choose_their_loads() {
    let targets =
        "  b:\n    local: { version: 17 }\n    beside: [dump]\n    variants: { none: { beside: [] }, same: {} }\n";
    let plan = plan(&text("{ dump: { pg_dump: {} }, own: { command: sleep 1 } }", targets));
    assert_eq!(loads_of(&plan, "a"), ["dump", "own"]);
    assert_eq!(loads_of(&plan, "b"), ["dump"]);
    assert_eq!(loads_of(&plan, "b/none"), [""; 0]);
    assert_eq!(loads_of(&plan, "b/same"), ["dump"]);
    assert_eq!(super::plan(&plan.to_yaml()), plan, "{}", plan.to_yaml());
}

#[test]
fn sides_with_a_load_beside_have_whole_trials() {
    let targets = "  b: { local: { version: 17 }, beside: [] }\n";
    let plan = plan(&text("{ dump: { pg_dump: {} } }", targets));
    let how = plan.interleaving_of_workload(&plan.workloads[0]);
    assert_eq!((how.how, how.because), (Interleave::Trials, Because::Impossible(NoTurns::Beside)));
    let explained = explain_plan(&plan).to_string();
    let beside = "a: in every trial, load \"dump\" beside the workload dumps the database by pg_dump";
    assert!(explained.contains(beside) && !explained.contains("b: in every trial"), "{explained}");
}

#[test]
fn what_is_not_possible_is_refused_with_what_to_do() {
    let url = "  b: { url: \"postgresql://x@10.0.0.5/x\" }\n";
    for (beside, targets, expected) in [
        ("{ dump: { pg_dump: {} } }", "  b: { local: { version: 17 }, beside: [dumb] }\n", "did you mean \"dump\"?"),
        ("{ i: { index_build: t (a) } }", url, "set `may_disturb: true`"),
        ("{ v: { vacuum: t, clients: 2 } }", "", "clients is for `script` and `copy`"),
        ("{ r: { script: [r.sql], rate: 5/s, pause: 1s } }", "", "pause and `rate` exclude each other"),
        ("{ r: { clients: 1 } }", "", "has none of the keys \"script\""),
        ("{ r: { script: [r.sql], pg_dump: {} } }", "", "pg_dump"),
    ] {
        let said = refusal(&text(beside, targets));
        assert!(said.contains(expected), "{said}");
    }
    let may = url.replace(" }\n", ", may_disturb: true }\n");
    assert_eq!(loads_of(&plan(&text("{ i: { index_build: t (a) } }", &may)), "b"), ["i"]);
    let from_elsewhere = text("{ r: { command: sleep 1 } }", "")
        .replace("local: { version: 17 }", "url: postgresql://x@h/x")
        + "generators: { far: { ssh: load-1 } }\n";
    assert!(refusal(&from_elsewhere).contains("beside: not possible with generator \"far\""));
}
