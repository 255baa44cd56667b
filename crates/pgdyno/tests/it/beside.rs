//! Verdicts beside the throughput, which clients that pause cannot move: what decides then, costs, statements.

use testbed::Postgres;

use crate::lab::Lab;

/// A mix of which one statement misses an index on the side `pr`, from clients that pause most of the time.
fn plan(server: &Postgres) -> String {
    let side = |database: &str| server.socket_conninfo().replace("dbname=postgres", &format!("dbname={database}"));
    format!(
        "name: Beside\ntargets:\n  main: {{ url: \"{}\" }}\n  pr: {{ url: \"{}\" }}\nbaseline: main\nmay_differ: [route]\n\
         workloads: {{ lookup: {{ script: [lk.sql], think: 20ms }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: 2s }}\nblocks: {{ at_least: 4, at_most: 4 }}\nseed: 7\n",
        side("postgres"),
        side("pr")
    )
}

#[test]
fn a_lost_index_is_a_regression_however_long_the_clients_pause() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    assert!(server.socket_conninfo().contains("dbname=postgres"), "{}", server.socket_conninfo());
    server.query_postgres("CREATE DATABASE pr");
    for (database, index) in [("postgres", "CREATE INDEX ON job (ref)"), ("pr", "SELECT 1")] {
        server.query_database(
            database,
            "CREATE TABLE job AS SELECT g AS id, g AS ref, repeat('x', 100) AS pad FROM generate_series(1, 30000) g",
        );
        server.query_database(database, index);
        server.query_database(database, "VACUUM ANALYZE job");
    }
    lab.write("lk.sql", "\\set r random(1, 30000)\nSELECT 1;\nSELECT pad FROM job WHERE ref = :r;\n");
    lab.write("plan.yaml", plan(&server));
    let ended = lab.pgdyno("run plan.yaml --details");
    ended.exits(1).prints(&["lookup is slower by", "lookup: mean latency", "statement lk.sql:3 takes", "REGRESSED"]);
    let run = lab.run();
    let junit = lab.pgdyno(&format!("report {} --format junit", run.path().display()));
    junit.exits(0).prints(&["lookup, 2 clients: lk.sql:3", "time in statements", "<failure"]);
}
