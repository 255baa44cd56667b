//! Several sizes of a workload's data: which workloads follow, in which databases, and what sizes cannot be.

use super::super::explain_plan;
use super::{GOOD, edited, plan, refusal};

fn sized(workload: &str) -> String {
    edited("read: { builtin: select-only, scale: 10 }", &format!("read: {workload}"))
}

/// Each workload with the database of its data.
fn workloads(text: &str) -> Vec<(String, Option<String>)> {
    let plan = plan(text);
    plan.workloads.iter().map(|workload| (workload.name.clone(), plan.database_for_workload(workload))).collect()
}

fn expected(workloads: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    workloads.iter().map(|(name, database)| ((*name).to_owned(), database.map(str::to_owned))).collect()
}

#[test]
fn each_size_is_a_workload_in_a_database_of_its_own_which_workloads_of_that_size_share() {
    let text = sized("{ builtin: select-only, scale: [1, 10], require: { p99: \"< 20ms\" } }");
    assert_eq!(
        workloads(&text),
        expected(&[
            ("read/scale-1", Some("pgdyno_pgbench_1")),
            ("read/scale-10", Some("pgdyno_pgbench_10")),
            ("write", Some("pgdyno_pgbench_10")),
        ])
    );
    let plan = plan(&text);
    assert_eq!(plan.workloads[0].require, plan.workloads[1].require);
}

#[test]
fn one_size_of_all_workloads_needs_no_database_of_its_own() {
    assert_eq!(workloads(GOOD), expected(&[("read", None), ("write", None)]));
    assert_eq!(workloads(&sized("{ builtin: select-only, scale: [10] }"))[0], ("read/scale-10".to_owned(), None));
}

#[test]
fn sizes_of_each_kind_of_tables_are_told_apart_from_those_of_others() {
    let text = sized("{ sysbench: { script: oltp_read_only, table_size: [1000, 20000] } }");
    assert_eq!(
        workloads(&text),
        expected(&[
            ("read/rows-1000", Some("pgdyno_sysbench_1000")),
            ("read/rows-20000", Some("pgdyno_sysbench_20000")),
            ("write", None),
        ])
    );
    let text = sized("{ erp: { object: catalog, scale: [1, 2] } }");
    assert_eq!(workloads(&text)[1], ("read/scale-2".to_owned(), Some("pgdyno_erp_2".to_owned())));
    let text = sized("{ read-intensive: { read_percent: 95, table_size: [1000, 20000] } }");
    assert_eq!(workloads(&text)[0].0, "read/rows-1000");
}

#[test]
fn the_resolved_plan_means_the_same() {
    let plan = plan(&sized("{ builtin: select-only, scale: [1, 10] }"));
    assert_eq!(super::plan(&plan.to_yaml()), plan);
}

#[test]
fn an_explanation_tells_of_each_database_and_whether_the_sizes_fit_into_memory() {
    let plan = plan(&sized("{ builtin: select-only, scale: [1, 100] }"));
    let touched: Vec<String> = explain_plan(&plan).touches.into_iter().map(|touch| touch.what).collect();
    let of_one =
        "in the database pgdyno_pgbench_100, which it creates if necessary and keeps (scale 100, about 1.5 GiB)";
    assert!(touched.iter().any(|what| what.ends_with(of_one)), "{touched:#?}");
    insta::assert_snapshot!(plan.sizes_in_memory(1 << 30).join("\n"), @"
    a: data of read/scale-1 (about 15 MiB) fit into shared_buffers (256 MiB), fit into memory (1.0 GiB)
    a: data of read/scale-100 (about 1.5 GiB) do not fit into shared_buffers (256 MiB), do not fit into memory (1.0 GiB)
    a: data of write (about 150 MiB) fit into shared_buffers (256 MiB), fit into memory (1.0 GiB)
    ");
}

#[test]
fn bad_sizes_are_refused() {
    for (workload, said) in [
        ("{ builtin: select-only, scale: [0, 10] }", "found 0, out of range"),
        ("{ builtin: select-only, scale: [10, 10] }", "workloads.read.scale: 10 is given twice"),
        (
            "{ builtin: select-only, scale: [100, 10] }",
            "workloads.read.scale: found a list of 2, which is not in ascending order",
        ),
        ("{ builtin: select-only, scale: [] }", "workloads.read.scale: found a list of 0, too few"),
        ("{ builtin: select-only, scale: [1, \"10\"] }", "found \"10\", a text"),
        ("{ builtin: select-only, scale: [1, ten] }", "found \"ten\", not a whole number"),
        ("{ builtin: select-only, scale: [1, 2000000] }", "found 2000000, out of range"),
        ("{ sysbench: { script: oltp_insert, table_size: [20, 10] } }", "which is not in ascending order"),
    ] {
        let errors = refusal(&sized(workload));
        assert!(errors.contains(said) && errors.matches("error: ").count() == 1, "{workload}: {errors}");
    }
}

#[test]
fn a_list_that_does_not_rise_is_pointed_at() {
    insta::assert_snapshot!(refusal(&sized("{ builtin: select-only, scale: [300, 100] }")), @"
    error: workloads.read.scale: found a list of 2, which is not in ascending order
      --> plan.yaml:14:40
       |
    14 |   read: { builtin: select-only, scale: [300, 100] }
       |                                        ^^^^^^^^^^^
    hint: write the smallest size first
    ");
}

#[test]
fn what_is_wrong_with_a_workload_of_several_sizes_is_said_once() {
    insta::assert_snapshot!(refusal(&sized("{ builtin: select-only, scale: [1, 10], mode: fast }")), @r#"
    error: workloads.read/scale-1.mode: found "fast", not a valid value here
      --> plan.yaml:14:55
       |
    14 |   read: { builtin: select-only, scale: [1, 10], mode: fast }
       |                                                       ^^^^
    hint: write one of: simple, extended, prepared
    "#);
}

#[test]
fn a_size_is_not_called_like_another_workload() {
    let text = sized("{ builtin: select-only, scale: [1, 10] }\n  read/scale-10: { builtin: select-only, scale: 10 }");
    assert!(refusal(&text).contains("two workloads would have the name \"read/scale-10\""), "{}", refusal(&text));
}

#[test]
fn tables_that_are_there_have_one_size() {
    let text = GOOD.replace("select-only, scale: 10", "select-only, scale: [10, 20], data: existing");
    let text = text.replace("tpcb-like, scale: 10", "tpcb-like, scale: 10, data: existing");
    insta::assert_snapshot!(refusal(&text), @r#"
    error: workload "read/scale-20" has scale 20, "read/scale-10" has scale 10, on the same tables
      --> plan.yaml:14:40
       |
    14 |   read: { builtin: select-only, scale: [10, 20], data: existing }
       |                                        ^^^^^^^^
    hint: let pgdyno create them (`data: managed`), or write separate plans
    "#);
}

#[test]
fn data_that_do_not_fit_what_is_made_for_them_are_refused() {
    let text = edited("    settings: { work_mem: 4MB }", "    filesystem: { type: xfs, size: 1GB }");
    let text = text.replace("select-only, scale: 10", "select-only, scale: [10, 100]");
    insta::assert_snapshot!(refusal(&text), @r#"
    error: target "a": its file system of 1.0 GiB is too small for the data of the workloads, about 1.6 GiB
     --> plan.yaml:8:36
      |
    8 |     filesystem: { type: xfs, size: 1GB }
      |                                    ^^^
    hint: use smaller scales, or a larger file system
    "#);
}
