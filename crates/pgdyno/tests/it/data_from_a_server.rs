//! Data of made servers that come from another one: dumped once, the same on all targets, and only read there.

use testbed::Postgres;

use crate::captured::DATA;
use crate::lab::Lab;

const BRIEF: &str = "clients: 1\ntrial: { warm_up: 0s, measure: 1s }\nblocks: { at_least: 1, at_most: 1 }\n";

fn plan_of(targets: &str) -> String {
    format!("name: Shop\ntargets:\n{targets}baseline: a\nworkloads:\n  w: {{ script: s.sql, reads: true }}\n{BRIEF}")
}

#[test]
fn targets_have_the_data_of_another_server_which_is_only_read() {
    let lab = Lab::new();
    let source = Postgres::start_default();
    source.query_postgres(DATA);
    let sums = "SELECT count(*), sum(id) FROM orders";
    let before = source.query_postgres(sums);
    lab.write("s.sql", "SELECT count(*) FROM lines;\n");
    let url = source.socket_conninfo();
    let target = |name: &str| format!("  {name}: {{ local: {{ version: 17 }}, data: {{ from: \"{url}\" }} }}\n");
    lab.write("plan.yaml", plan_of(&(target("a") + &target("b"))));
    let ended = lab.pgdyno("run plan.yaml");
    ended.measured().says(&[
        "dumped in",
        "pgdyno only reads there",
        "restored data: 3 tables with 1050 rows, the same checksums on all targets",
    ]);
    assert_eq!(ended.stderr.matches("dumped in").count(), 1, "both targets have one dump: {}", ended.stderr);
    assert_eq!(source.query_postgres(sums), before);
    assert!(!lab.run().path().join("dumps").exists(), "a run that is complete holds no data of the server");
}

#[test]
fn a_source_that_cannot_be_read_is_refused_with_what_to_do() {
    let lab = Lab::new();
    let source = Postgres::start_default();
    source.query_postgres(DATA);
    source.query_postgres("CREATE ROLE reader LOGIN PASSWORD 'p4ss'");
    lab.write("s.sql", "SELECT count(*) FROM lines;\n");
    let url = source.socket_conninfo();
    let of = |data: &str| plan_of(&format!("  a: {{ local: {{ version: 17 }}, data: {{ {data} }} }}\n"));
    let reader = format!("{url} user=reader");
    let cases = [
        (of(&format!("from: \"{reader}\"")), 3, "GRANT pg_read_all_data TO reader"),
        (of("from: \"host=/nowhere user=me dbname=shop\""), 3, "could not dump database \"shop\""),
        (of(&format!("from: \"{url}\", restore: x.sql")), 2, "restore"),
        (of(""), 2, "has none of the keys \"restore\" or \"from\""),
        (
            plan_of(&format!("  a: {{ url: \"{url}\", data: {{ from: \"{url}\" }} }}\n")),
            2,
            "has `data`, which is for `local` servers",
        ),
    ];
    for (text, status, expected) in cases {
        lab.write("plan.yaml", &text);
        lab.pgdyno("run plan.yaml").exits(status).says(&[expected]);
    }
    lab.assert_no_temporary_data();
}
