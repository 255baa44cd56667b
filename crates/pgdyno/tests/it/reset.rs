//! `reset`: SQL that is executed before each trial of a load of one's own, against real servers.

use results::trial::Preparation;
use testbed::Postgres;

use crate::lab::{BRIEF, Lab};

/// A plan of one script on some targets.
fn plan(targets: &str, workload: &str) -> String {
    format!(
        "name: Reset\ntargets: {{ {targets} }}\nbaseline: a\nworkloads: {{ work: {{ {workload} }} }}\nclients: 1\n{BRIEF}"
    )
}

fn urls(servers: &[(&str, &Postgres)]) -> String {
    let url = |(name, server): &(&str, &Postgres)| format!("{name}: {{ url: \"{}\" }}", server.socket_conninfo());
    servers.iter().map(url).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_trial_begins_with_the_rows_that_the_reset_leaves() {
    let lab = Lab::new();
    let servers = [(); 2].map(|()| Postgres::start_default());
    for server in &servers {
        server.query_postgres(
            "CREATE TABLE job (id int PRIMARY KEY, done bool); CREATE SEQUENCE resets; CREATE TABLE seen (before bigint)",
        );
    }
    // VACUUM shows that each statement is a transaction of its own.
    lab.write(
        "fill.sql",
        "INSERT INTO seen SELECT count(*) FROM job WHERE NOT done; TRUNCATE job;\n\
         BEGIN; INSERT INTO job SELECT i, false FROM generate_series(1, :rows) i; SELECT nextval('resets'); COMMIT;\n\
         VACUUM ANALYZE job;\n",
    );
    lab.write(
        "take.sql",
        "UPDATE job SET done = true WHERE id = (SELECT id FROM job WHERE NOT done LIMIT 1 FOR UPDATE SKIP LOCKED);\n",
    );
    let workload = "think: 5ms, script: take.sql, reset: fill.sql, define: { rows: 1000 }, interleave: trials";
    lab.write("plan.yaml", plan(&urls(&[("a", &servers[0]), ("b", &servers[1])]), workload));
    lab.pgdyno("plan explain plan.yaml").exits(0).prints(&[
        "before each trial of work: executes fill.sql, executes CHECKPOINT, if the role may",
        "changes rows of job",
    ]);
    lab.pgdyno("run plan.yaml").measured();
    let run = lab.run();
    let trials = run.trials();
    for trial in &trials {
        let reset = Preparation::Statement("\\i fill.sql".to_owned());
        assert_eq!(trial.preparation.first(), Some(&reset), "{:?}", trial.preparation);
    }
    for (name, server) in [("a", &servers[0]), ("b", &servers[1])] {
        let of_side = trials.iter().filter(|trial| trial.cell.target == name).count();
        // Once more before the server is asked what its statements do.
        assert_eq!(server.query_count("SELECT last_value FROM resets") as usize, of_side + 1);
        assert!(server.query_count("SELECT count(*) FROM job WHERE done") < 1000);
        let (left, trials_ended) = ("SELECT count(*) FROM seen WHERE before BETWEEN 1 AND 999", of_side - 1);
        assert!(server.query_count(left) as usize >= trials_ended, "the load had changed what a reset restores");
    }
    let kept = std::fs::read_to_string(run.path().join("resets/work.sql")).expect("the run keeps it");
    assert!(kept.contains("TRUNCATE job"), "{kept}");
    let resolved = std::fs::read_to_string(run.path().join("plan.yaml")).expect("it is there");
    assert!(resolved.contains("resets/work.sql"), "{resolved}");
}

#[test]
fn a_reset_may_create_the_tables_on_a_server_that_is_made() {
    let lab = Lab::new();
    lab.write("make.sql", "DROP TABLE IF EXISTS item; CREATE TABLE item AS SELECT i FROM generate_series(1, 10) i;");
    lab.write("delete.sql", "DELETE FROM item WHERE i = (SELECT max(i) FROM item);\n");
    let version = testbed::newest_version();
    let targets = format!("a: {{ local: {{ bin: {:?} }} }}", version.display().to_string());
    lab.write("plan.yaml", plan(&targets, "think: 5ms, script: delete.sql, reset: make.sql"));
    lab.pgdyno("plan check --connect plan.yaml").exits(0);
    lab.pgdyno("run plan.yaml").measured();
    assert!(lab.run().trials().iter().all(|trial| trial.load.as_ref().is_some_and(|load| load.failed == 0)));
}

#[test]
fn what_is_no_reset_is_refused_with_its_place() {
    let lab = Lab::new();
    lab.write("t.sql", "SELECT 1;\n");
    let url = "a: { url: \"postgresql://nobody@127.0.0.1:1/x\" }";
    let cases: [(&str, &[&str]); 6] = [
        ("\\copy t FROM 'x'\n", &["reset.sql:1:1", "invalid command"]),
        ("\\set x 1\nSELECT 1;", &["reset.sql:1:", "has a meta-command, and only SQL can be executed here"]),
        ("SELECT 1 \\gset\n", &["reset.sql:1:", "only SQL"]),
        ("-- nothing\n", &["reset.sql:1:1", "has no command"]),
        ("BEGIN; DELETE FROM t;", &["reset.sql:1:1: begins or ends a transaction", "BEGIN and COMMIT"]),
        ("DELETE FROM t WHERE id > :rows;", &["reset.sql:1:", "has a variable without a value", "`define`"]),
    ];
    for (text, said) in cases {
        lab.write("reset.sql", text);
        lab.write("plan.yaml", plan(url, "script: t.sql, reset: reset.sql"));
        lab.pgdyno("plan check plan.yaml").exits(2).says(said);
    }
    lab.write("plan.yaml", plan(url, "script: t.sql, reset: nowhere.sql"));
    lab.pgdyno("plan check plan.yaml").exits(2).says(&["could not read `reset` ", "nowhere.sql", "name a file of SQL"]);
    lab.write("plan.yaml", plan(url, "builtin: tpcb-like, scale: 1, reset: reset.sql"));
    lab.pgdyno("plan check plan.yaml").exits(2).says(&["reset is for `script` and `captured`"]);
}

#[test]
fn a_reset_that_the_server_refuses_ends_the_run_with_its_place() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("t.sql", "SELECT 1;\n");
    lab.write("reset.sql", "SELECT 1;\nDELETE FROM missing;\n");
    lab.write("plan.yaml", plan(&urls(&[("a", &server)]), "script: t.sql, reset: reset.sql"));
    lab.pgdyno("run plan.yaml").exits(3).says(&[
        "target \"a\": could not execute `reset`",
        "reset.sql:2:1",
        "relation \"missing\" does not exist",
    ]);
}

#[test]
fn ab_takes_a_reset_and_its_plan_runs_again_from_the_run_directory() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres("CREATE TABLE item (id int PRIMARY KEY)");
    lab.write("fill.sql", "TRUNCATE item; INSERT INTO item SELECT generate_series(1, 100000)");
    lab.write("take.sql", "DELETE FROM item WHERE id = (SELECT min(id) FROM item);\n");
    let url = server.tcp_url();
    let line = format!(
        "ab --url {url} --file take.sql --reset fill.sql --set work_mem=4MB --against work_mem=8MB --clients 1 \
         --measure 500ms --time 1s"
    );
    lab.pgdyno(&line).measured().says(&["reset: fill.sql"]);
    let run = lab.run().path().to_owned();
    lab.pgdyno(&format!("plan check {}", run.join("ab.yaml").display())).exits(0);
}
