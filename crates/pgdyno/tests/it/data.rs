//! Whose the tables are: those of others are never touched, ours are made, and made again when they are not intact.

use crate::lab::{BRIEF, Lab};
use crate::process::Ended;
use testbed::{Postgres, newest_version};

fn run(lab: &Lab, server: &Postgres, workload: &str) -> Ended {
    lab.write(
        "plan.yaml",
        format!(
            "name: Data\ntargets:\n  it: {{ url: \"{}\" }}\nbaseline: it\n\
             workloads: {{ load: {{ think: 5ms, {workload} }} }}\nclients: [2]\n{BRIEF}",
            server.socket_conninfo()
        ),
    );
    lab.pgdyno("run plan.yaml")
}

/// A program of the server's own, such as pgbench, against a server.
fn on(server: &Postgres, lab: &Lab, program: &str, arguments: &str) -> Ended {
    let program = newest_version().join(program).display().to_string();
    let program = crate::process::Program::new(lab, &program);
    let (host, port) = (server.server_directory().display().to_string(), server.tcp_port().to_string());
    program.arguments(["-h", &host, "-p", &port, "-U", "postgres"]).arguments(arguments.split_whitespace()).end()
}

#[test]
fn tables_of_others_are_refused_untouched_unless_the_plan_says_existing() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    on(&server, &lab, "pgbench", "-i -q -s 1 postgres").exits(0);
    server.query_postgres("UPDATE pgbench_accounts SET abalance = 42 WHERE aid = 42");
    let state = "SELECT oid, relfilenode, xmin FROM pg_class WHERE relname LIKE 'pgbench%' ORDER BY oid";
    let before = server.query_postgres(state);
    for workload in ["builtin: select-only, scale: 1", "builtin: tpcb-like, scale: 1", "builtin: tpcb-like, scale: 2"] {
        run(&lab, &server, workload).exits(3).says(&["pgbench_accounts", "data: existing"]);
    }
    assert_eq!(server.query_postgres(state), before, "the tables are as they were");
    assert_eq!(server.query_postgres("SELECT abalance FROM pgbench_accounts WHERE aid = 42"), "42");

    server.query_postgres("INSERT INTO pgbench_history VALUES (1, 1, 1, 42, now(), 'of others')");
    run(&lab, &server, "builtin: tpcb-like, scale: 1, data: existing").exits(0);
    assert!(server.query_count("SELECT count(*) FROM pgbench_history") > 1);
    assert_eq!(server.query_count("SELECT count(*) FROM pgbench_history WHERE filler = 'of others'"), 1);
    run(&lab, &server, "builtin: select-only, scale: 2, data: existing").exits(3).says(&["scale"]);
}

#[test]
fn our_tables_serve_pgbench_and_are_made_again_when_they_are_damaged() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let workload = "builtin: simple-update, scale: 1";
    run(&lab, &server, workload).exits(0).says(&["created"]);
    on(&server, &lab, "pgbench", "-n -t 20 -c 2 postgres").exits(0).prints(&["scaling factor: 1"]);
    run(&lab, &server, workload).exits(0).says(&["reused"]);
    server.query_postgres("DELETE FROM pgbench_accounts WHERE aid > 99000");
    run(&lab, &server, workload).exits(0).says(&["recreated"]);
    assert_eq!(server.query_count("SELECT count(*) FROM pgbench_accounts"), 100_000);
}

#[test]
fn the_size_in_the_facts_is_that_of_the_database_with_the_data_in_it() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    run(&lab, &server, "builtin: select-only, scale: 2").exits(0);
    let tables = server.query_count(
        "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relname LIKE 'pgbench%' AND relkind = 'r'",
    );
    let facts = lab.run().dir().target_facts().unwrap();
    let bytes = facts["it"].server.database_bytes.unwrap();
    assert!(tables > 25 << 20 && bytes > tables, "{bytes} with tables of {tables}");
}

#[test]
fn a_table_that_somebody_else_has_locked_ends_the_run_by_name_instead_of_hanging_it() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    run(&lab, &server, "builtin: simple-update, scale: 1").exits(0);
    let _holder = server.hold_transaction("SELECT count(*) FROM pgbench_history");
    run(&lab, &server, "builtin: simple-update, scale: 1").exits(3).says(&["TRUNCATE pgbench_history", "lock"]);
}
