//! Own scripts against real servers: what they do to the data is asked of the servers, and what cannot be executed is
//! refused before anything is measured, with its place in the script.

use results::asked::{AskedStatements, StatementAccess};
use testbed::Postgres;

use crate::lab::{BRIEF, Lab};

const TABLES: &str = "
    CREATE TABLE item (id int PRIMARY KEY, stock int); INSERT INTO item SELECT i, 5 FROM generate_series(1, 100) i;
    CREATE SEQUENCE ticket;
    CREATE FUNCTION said_to_be_volatile(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN $1; END';
    CREATE FUNCTION lying(int) RETURNS bigint LANGUAGE plpgsql STABLE AS $$BEGIN RETURN nextval('ticket'); END$$;
    CREATE VIEW hidden AS SELECT said_to_be_volatile(id) AS x FROM item;";

/// A plan of one script on some targets.
fn plan(targets: &[(&str, &Postgres)], workload: &str) -> String {
    let target =
        |(name, server): &(&str, &Postgres)| format!("  {name}: {{ url: \"{}\" }}\n", server.socket_conninfo());
    let targets: String = targets.iter().map(target).collect();
    format!("name: Own\ntargets:\n{targets}baseline: a\nworkloads:\n  work: {{ {workload} }}\nclients: 2\n{BRIEF}")
}

fn asked(lab: &Lab) -> AskedStatements {
    let text = std::fs::read_to_string(lab.run().path().join("asked.json")).expect("the servers were asked");
    serde_json::from_str(&text).expect("it is as it is documented")
}

#[test]
fn scripts_that_only_read_take_turns_with_a_standby_and_leave_no_caveat() {
    let lab = Lab::new();
    let primary = Postgres::start_default();
    primary.query_postgres(TABLES);
    let standby = primary.start_standby("");
    standby.await_that("SELECT to_regclass('hidden') IS NOT NULL");
    lab.write(
        "read.sql",
        "\\set id random(1, 100)\nBEGIN;\nSET LOCAL search_path TO public;\nSELECT stock, random(), clock_timestamp() \
         FROM item WHERE id = :id;\nWITH few AS (SELECT * FROM item LIMIT 3) SELECT sum(stock) FROM few;\nCOMMIT;\n",
    );
    lab.write("plan.yaml", plan(&[("a", &primary), ("replica", &standby)], "think: 5ms, script: read.sql"));
    lab.pgdyno("run plan.yaml").measured().says(&["work: its statements only read"]);
    let run = lab.run();
    assert!(run.trials().iter().all(|trial| trial.turns.is_some()), "the sides take turns");
    assert!(run.trials().iter().all(|trial| trial.preparation.is_empty()), "and make no checkpoint");
    let [work] = &asked(&lab).workloads[..] else { panic!("one workload was asked about") };
    assert!(work.reads && work.statements.iter().all(|one| one.access == StatementAccess::Reads), "{work:?}");
    assert_eq!(work.statements.len(), 10, "five statements on two servers");
    let resolved = std::fs::read_to_string(run.path().join("plan.yaml")).expect("it is there");
    assert!(resolved.contains("reads: true") && resolved.contains("interleave: slices"), "{resolved}");
}

#[test]
fn statements_that_write_or_may_are_told_with_the_reason_and_refused_on_a_standby() {
    let lab = Lab::new();
    let primary = Postgres::start_default();
    primary.query_postgres(TABLES);
    let standby = primary.start_standby("");
    standby.await_that("SELECT to_regclass('hidden') IS NOT NULL");
    use StatementAccess::{Unknown, Writes};
    let cases = [
        ("UPDATE item SET stock = 1 WHERE id = 1;", Writes, "UPDATE of item"),
        ("WITH gone AS (DELETE FROM item WHERE id = 0 RETURNING 1) SELECT * FROM gone;", Writes, "DELETE of item"),
        ("SELECT * FROM item WHERE id = 1 FOR UPDATE;", Writes, "locks the rows"),
        ("SELECT nextval('ticket');", Writes, "nextval"),
        ("SELECT txid_current();", Writes, "txid_current"),
        ("NOTIFY somebody;", Writes, "NOTIFY"),
        ("SELECT said_to_be_volatile(1);", Unknown, "said_to_be_volatile"),
        ("SELECT * FROM hidden WHERE x = 1;", Unknown, "said_to_be_volatile"),
        ("DO $$ BEGIN NULL; END $$;", Unknown, "DO"),
    ];
    for (statement, access, reason) in cases {
        lab.write("t.sql", format!("SELECT 1;\n{statement}\n"));
        lab.write("plan.yaml", plan(&[("a", &standby)], "script: t.sql"));
        let ended = lab.pgdyno("run plan.yaml");
        ended.exits(3).says(&["read-only", "t.sql:2", reason]);
        assert_eq!(ended.stderr.contains("reads: true"), access == Unknown, "only where no server can tell: {ended}");
        lab.write("plan.yaml", plan(&[("a", &primary)], "script: t.sql"));
        let verb = if access == Writes { "writes" } else { "may write" };
        lab.pgdyno("plan check --connect plan.yaml")
            .exits(0)
            .prints(&[&format!("workload work: {verb}: t.sql:2"), reason]);
        if access == Writes {
            lab.write("plan.yaml", plan(&[("a", &primary)], "script: t.sql, reads: true"));
            lab.pgdyno("run plan.yaml").exits(3).says(&["t.sql:2 writes, but the plan sets `reads: true`", reason]);
        }
    }
    assert!(lab.runs().is_empty(), "a run that measured nothing leaves no directory");

    // What a person says is proven by the server: a function that only reads can run, also on a standby.
    lab.write("t.sql", "SELECT said_to_be_volatile(1);\n");
    lab.write("plan.yaml", plan(&[("a", &standby)], "think: 5ms, script: t.sql, reads: true"));
    lab.pgdyno("run plan.yaml").measured();
}

#[test]
fn a_write_that_no_server_foresaw_fails_by_name() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres(TABLES);
    lab.write("t.sql", "SELECT lying(1);\n");
    lab.write("plan.yaml", plan(&[("a", &server)], "think: 50ms, script: t.sql"));
    lab.pgdyno("run plan.yaml");
    assert_eq!(server.query_postgres("SELECT is_called FROM ticket"), "f", "the sequence was not touched");
    server.wait_until_logged("cannot execute nextval() in a read-only transaction");
}

#[test]
fn statements_that_cannot_be_executed_are_refused_with_their_place_before_anything_is_measured() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres(TABLES);
    server.query_postgres("CREATE ROLE few LOGIN; GRANT ALL ON SCHEMA public TO few");
    let few = server.socket_conninfo().replace("user=postgres", "user=few");
    let cases = [
        ("SELECT 1;\nSELEC 1;", "t.sql:2:1: syntax error at or near \"SELEC\"", "42601"),
        ("SELECT\n  1 FROM nowhere;", "t.sql:2:10: relation \"nowhere\" does not exist", "42P01"),
        ("\\set id 1\nSELECT stok FROM item WHERE id = :id;", "t.sql:2:8: column \"stok\" does not exist", "42703"),
        ("SELECT nothing_like_it(1);", "t.sql:1:8: function nothing_like_it(integer) does not exist", "42883"),
    ];
    for (script, said, sqlstate) in cases {
        lab.write("t.sql", script);
        lab.write("plan.yaml", plan(&[("a", &server)], "script: t.sql"));
        for command in ["plan check --connect plan.yaml", "run plan.yaml"] {
            let ended = lab.pgdyno(command);
            ended.exits(3).says(&[said, sqlstate, "^ error found here"]);
            assert!(!ended.stderr.contains("resume"), "{ended}");
            assert!(!ended.stdout.contains("only reads"), "of what was not prepared nobody knows: {ended}");
        }
        lab.pgdyno("plan check plan.yaml").exits(0);
    }
    lab.write("t.sql", "SELECT stock FROM item;\n");
    lab.write("plan.yaml", plan(&[("a", &server)], "script: t.sql").replace(&server.socket_conninfo(), &few));
    lab.pgdyno("plan check --connect plan.yaml").exits(3).says(&["permission denied for table item", "GRANT"]);
    server.query_postgres(
        "CREATE TABLE numbered (id serial, own int GENERATED ALWAYS AS IDENTITY); GRANT INSERT ON numbered TO few",
    );
    lab.write("t.sql", "INSERT INTO numbered DEFAULT VALUES;\n");
    for command in ["plan check --connect plan.yaml", "run plan.yaml"] {
        let said = ["t.sql:1:1: permission denied for sequence numbered_id_seq (42501)", "GRANT"];
        lab.pgdyno(command).exits(3).says(&said);
    }
    server.query_postgres("GRANT USAGE ON SEQUENCE numbered_id_seq TO few");
    lab.pgdyno("plan check --connect plan.yaml").exits(0).prints(&["writes: t.sql:1: INSERT of numbered\n"]);
    server.query_postgres("CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.hidden_away (a int)");
    for named in ["hidden_away", "Hidden_Away", "\"hidden_away\""] {
        lab.write("t.sql", format!("SELECT 1 FROM {named} WHERE a = 1;\n"));
        lab.pgdyno("plan check --connect plan.yaml").exits(3).says(&[
            "relation \"hidden_away\" does not exist",
            "table hidden_away is in schema elsewhere",
            "search_path",
        ]);
    }
    // Tables that are to be there, and that the role may use.
    let existing = plan(&[("a", &server)], "builtin: select-only, scale: 1, data: existing");
    lab.write("plan.yaml", existing);
    for command in ["plan check --connect plan.yaml", "run plan.yaml"] {
        lab.pgdyno(command).exits(3).says(&["do not match scale 1", "pgbench_accounts does not exist"]);
    }
    // What the script makes itself is no error.
    lab.write("t.sql", "CREATE TEMP TABLE IF NOT EXISTS mine (a int);\nSELECT * FROM mine;\n");
    lab.write("plan.yaml", plan(&[("a", &server)], "script: t.sql"));
    lab.pgdyno("plan check --connect plan.yaml").exits(0).prints(&["writes"]);
    assert!(lab.runs().is_empty(), "a run that measured nothing leaves no directory");
}

#[test]
fn a_target_executes_its_own_script_and_the_run_keeps_both() {
    let lab = Lab::new();
    let servers = [(); 2].map(|()| Postgres::start_default());
    servers.iter().for_each(|server| drop(server.query_postgres("CREATE SEQUENCE one; CREATE SEQUENCE other")));
    std::fs::create_dir(lab.path().join("branch")).expect("a directory");
    lab.write("t.sql", "\\values keys.csv\nSELECT nextval('one'), :key;\n");
    lab.write("keys.csv", "key\n1\n2\n");
    lab.write("branch/t.sql", "\\values keys.csv\nSELECT nextval('other'), :key;\n");
    lab.write("branch/keys.csv", "key\n3\n");
    let workload = "think: 5ms, script: t.sql, target_scripts: { b: branch/t.sql }";
    lab.write("plan.yaml", plan(&[("a", &servers[0]), ("b", &servers[1])], workload));
    lab.pgdyno("plan check --connect plan.yaml").exits(0);
    lab.pgdyno("run plan.yaml").measured();
    let called = |server: &Postgres| server.query_postgres("SELECT a.is_called, b.is_called FROM one a, other b");
    assert_eq!(servers.each_ref().map(called), ["t|f", "f|t"]);
    let run = lab.run();
    let kept = |path: &str| std::fs::read_to_string(run.path().join("scripts/work").join(path)).expect("it is kept");
    assert!(kept("t.sql").contains("'one'") && kept("targets/b/t.sql").contains("'other'"));
    assert_eq!((kept("keys.csv").as_str(), kept("targets/b/keys.csv").as_str()), ("key\n1\n2\n", "key\n3\n"));
    lab.write("branch/t.sql", "SELECT nothing;\n");
    lab.pgdyno("plan check --connect plan.yaml").exits(3).says(&["\"b\"", "column \"nothing\" does not exist"]);
}

#[test]
fn what_cannot_run_on_a_server_that_is_made_is_refused_without_one() {
    let lab = Lab::new();
    let of = |script: &[u8], target: &str| {
        lab.write("t.sql", script);
        lab.write(
            "plan.yaml",
            format!("name: x\ntargets: {{ a: {{ {target} }} }}\nbaseline: a\nworkloads: {{ w: {{ script: t.sql }} }}\nclients: 1\n"),
        );
        lab.pgdyno("plan check plan.yaml")
    };
    let url = "url: postgresql://h/d";
    let local = "local: { version: 17 }";
    let cases: [(&[u8], &str, &[&str]); 8] = [
        (b"SELECT 1;\nBEGIN;\nSELECT 1;", url, &["t.sql:2:1: begins a transaction", "END or COMMIT"]),
        (
            b"SELECT * FROM customer;",
            local,
            &["uses the table customer, which the plan does not create", "t.sql:1:1", "scale"],
        ),
        (b"SELECT $1;", url, &["t.sql:1:8: $1 has no value", "\\set"]),
        (b"SELECT :'x';", url, &["t.sql:1:8: :'x' is the variable syntax of psql", ":x"]),
        (b"SELECT 1;\n\0", url, &["byte 0x00 at line 2"]),
        (b"SELECT 'caf\xe9';", url, &["byte 0xE9 at line 1", "LATIN1"]),
        (b"SELECT 1;", "local: { bin: /nowhere/bin }", &["bin /nowhere/bin has no PostgreSQL", "version: 17"]),
        (b"-- nothing\n", url, &["no command"]),
    ];
    for (script, target, said) in cases {
        of(script, target).exits(2).says(said);
    }
    of(b"\xef\xbb\xbfSELECT 1;\r\n", url).exits(0);
    of(b"SELECT 1;\nEND;", url).exits(0).prints(&["note: workload \"w\": t.sql:2:1: ends a transaction"]);
    of(b"SELECT * FROM pg_class, generate_series(1, 2);", local).exits(0);
    of(b"CREATE TEMP TABLE x (a int);\nSELECT * FROM x;\nDROP TABLE x;", local).exits(0);
    assert!(lab.runs().is_empty());
}
