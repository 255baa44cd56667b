//! Workloads that read a standby: where they are possible, and what follows from it.

use super::super::ReadsFrom;
use super::{plan, refusal};

fn text(target: &str, workload: &str) -> String {
    format!(
        "name: x\ntargets: {{ a: {target} }}\nbaseline: a\nworkloads: {{ w: {{ {workload}, reads_from: standby }} }}\n\
         clients: [2]\nnoise_floor: true\n"
    )
}

const PAIR: &str = "{ local: { version: 17, standby: streaming } }";

#[test]
fn a_workload_that_reads_a_standby_only_reads() {
    let plan = plan(&text(PAIR, "script: [r.sql]"));
    let workload = &plan.workloads[0];
    assert_eq!(workload.reads_from, Some(ReadsFrom::Standby));
    assert!(!workload.can_write() && !workload.access_is_unknown() && workload.is_held_to_reading());
    assert_eq!(super::plan(&plan.to_yaml()), plan, "{}", plan.to_yaml());
}

#[test]
fn what_no_standby_can_do_is_refused_with_what_to_do() {
    for (target, workload, expected) in [
        (PAIR, "builtin: tpcb-like, scale: 1", "rejects the writes of its transactions"),
        (PAIR, "script: [r.sql], reads: false", "rejects the writes of its transactions"),
        (PAIR, "builtin: select-only, scale: 1, generator: pgbench", "only the load engine of pgdyno connects to"),
        ("{ local: { version: 17 } }", "builtin: select-only, scale: 1", "add `standby: streaming` to its `local`"),
    ] {
        let said = refusal(&text(target, workload));
        assert!(said.contains(expected), "{said}");
    }
    plan(&text("{ url: \"postgresql://h,i/d\" }", "builtin: select-only, scale: 1"));
}
