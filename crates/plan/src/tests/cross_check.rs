//! A workload that is cross-checked by another generator.

use super::super::{Generator, Interleave};
use super::{edited, plan, refusal};

fn checked(workload: &str) -> String {
    edited("read: { builtin: select-only, scale: 10 }", &format!("read: {workload}"))
}

#[test]
fn a_cross_check_is_a_workload_beside_its_own_that_differs_in_its_generator() {
    let plan = plan(&checked("{ builtin: select-only, scale: [1, 10], cross_check: pgbench }"));
    let names: Vec<&str> = plan.workloads.iter().map(|workload| workload.name.as_str()).collect();
    assert_eq!(names, ["read/scale-1", "read/scale-1/pgbench", "read/scale-10", "read/scale-10/pgbench", "write"]);
    let [own, other] = [&plan.workloads[0], &plan.workloads[1]];
    assert_eq!(own.cross_check_name().as_deref(), Some("read/scale-1/pgbench"));
    assert_eq!((own.generator, other.generator), (Generator::Pgdyno, Generator::Pgbench));
    assert_eq!((&own.work, other.cross_check), (&other.work, None));
    assert_eq!(plan.database_for_workload(own), plan.database_for_workload(other));
    for workload in [own, other] {
        assert_eq!(plan.interleaving_of_workload(workload).how, Interleave::Trials, "{}", workload.name);
    }
}

#[test]
fn a_resolved_plan_has_no_third_one() {
    let plan =
        plan(&checked("{ builtin: select-only, scale: 10, cross_check: pgbench, require: { p99: \"< 20ms\" } }"));
    assert_eq!(super::plan(&plan.to_yaml()), plan);
    let complete = plan.complete_with_defaults(7, 4);
    assert_eq!(super::plan(&complete.to_yaml()), complete);
}

#[test]
fn a_generator_that_cannot_run_the_workload_is_no_cross_check() {
    insta::assert_snapshot!(refusal(&checked("{ erp: { object: catalog }, cross_check: pgbench }")), @"
    error: workloads.read.erp: erp does not apply to `cross_check: pgbench`, which does not support this
      --> plan.yaml:14:11
       |
    14 |   read: { erp: { object: catalog }, cross_check: pgbench }
       |           ^^^
    hint: remove `cross_check`
    ");
    for (workload, said) in [
        (
            "{ builtin: select-only, scale: 10, cross_check: sysbench }",
            "builtin does not apply to `cross_check: \
                                                                        sysbench`",
        ),
        (
            "{ builtin: select-only, scale: 10, cross_check: pgdyno }",
            "cross_check is `pgdyno`, which is already the generator",
        ),
        (
            "{ builtin: select-only, scale: 10, think: 1ms, cross_check: pgbench }",
            "think does not apply to `cross_check: pgbench`",
        ),
        (
            "{ builtin: select-only, scale: 10, interleave: slices, cross_check: pgbench }",
            "it is cross-checked with pgbench",
        ),
        ("{ builtin: select-only, scale: 10, cross_check: wrk }", "found \"wrk\""),
    ] {
        let errors = refusal(&checked(workload));
        assert!(errors.contains(said) && errors.matches("error: ").count() == 1, "{workload}: {errors}");
    }
}
