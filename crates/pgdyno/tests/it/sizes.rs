//! Several sizes of one workload: each in a database of its own, made once, and refused where there is no room.

use crate::lab::{BRIEF, Lab};
use testbed::Postgres;

fn plan(server: &str, workload: &str) -> String {
    format!(
        "name: Sizes\ntargets:\n  it: {{ {server} }}\nbaseline: it\nworkloads: {{ load: {{ think: 5ms, {workload} }} }}\nclients: [2]\n\
         seed: 7\n{BRIEF}"
    )
}

#[test]
fn each_size_has_a_database_of_its_own_that_is_made_once() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let url = format!("url: \"{}\"", server.socket_conninfo());
    lab.write("plan.yaml", plan(&url, "builtin: tpcb-like, scale: [1, 2]").replace("at_most: 1", "at_most: 2"));
    let ended = lab.pgdyno("run plan.yaml");
    ended.measured().says(&["data at scale 1: created", "data at scale 2: created"]);
    assert_eq!(ended.stderr.matches("data at").count(), 2, "{ended}");
    for (database, accounts) in [("pgdyno_pgbench_1", 100_000), ("pgdyno_pgbench_2", 200_000)] {
        assert_eq!(server.query_number(database, "SELECT count(*) FROM pgbench_accounts"), accounts);
        assert!(server.query_number(database, "SELECT count(*) FROM pgbench_history") > 0, "the load went there");
    }
    assert_eq!(server.query_postgres("SELECT count(*) FROM pg_class WHERE relname LIKE 'pgbench%'"), "0");
    let run = lab.run();
    let workloads: Vec<String> = run.trials().into_iter().map(|trial| trial.cell.workload).collect();
    assert!(workloads.contains(&"load/scale-1".to_owned()) && workloads.contains(&"load/scale-2".to_owned()));
    let facts = run.dir().target_facts().expect("facts");
    let sizes = &facts["it"].server.databases;
    assert!(sizes["pgdyno_pgbench_2"] > sizes["pgdyno_pgbench_1"], "{sizes:?}");

    lab.pgdyno(&format!("run {} --runs again", run.path().join("plan.yaml").display()))
        .measured()
        .says(&["data at scale 1: found intact, reused", "data at scale 2: found intact, reused"]);
}

#[test]
fn a_role_that_may_not_make_databases_is_told_what_would_help() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres("CREATE ROLE tester LOGIN");
    let url = format!("url: \"{}\"", server.socket_conninfo().replace("user=postgres", "user=tester"));
    let workload = "sysbench: { script: oltp_point_select, table_size: [100, 200] }";
    lab.write("plan.yaml", plan(&url, workload));
    lab.pgdyno("run plan.yaml").exits(3).says(&["pgdyno_sysbench_100", "CREATEDB"]);
    server.query_postgres("ALTER ROLE tester CREATEDB");
    lab.pgdyno("run plan.yaml --runs again").measured();
    assert_eq!(server.query_number("pgdyno_sysbench_200", "SELECT count(*) FROM sbtest1"), 200);
}

#[test]
fn sizes_that_do_not_fit_the_disk_are_refused_before_anything_is_made() {
    let lab = Lab::new();
    lab.write("plan.yaml", plan("local: { version: 17 }", "builtin: select-only, scale: [1, 1000000]"));
    lab.pgdyno("plan check plan.yaml").exits(0).prints(&["note: not enough space in", "plan.yaml: ok"]);
    lab.pgdyno("run plan.yaml").exits(3).says(&["not enough space in", "reduce the sizes"]);
    assert_eq!(lab.runs(), Vec::<std::path::PathBuf>::new(), "a run that cannot be made");
    lab.assert_no_temporary_data();
    lab.pgdyno("plan explain plan.yaml").exits(0).prints(&["Sizes:", "do not fit into shared_buffers (128 MiB)"]);
}
