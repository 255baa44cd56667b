//! Workloads whose transactions fail on a real server: the answer is that they fail, with the server's words, after
//! each side was tried once.

use testbed::Postgres;

use crate::lab::Lab;

/// Two databases of one server, the second with one more constraint, which no row keeps.
struct Databases {
    server: Postgres,
    sound: String,
    strict: String,
}

impl Databases {
    fn new() -> Self {
        let server = Postgres::start_default();
        let [sound, strict] = [0, 1].map(|_| server.empty_database());
        server.query_database(&sound, "CREATE TABLE job (id bigserial, kind int)");
        server.query_database(
            &strict,
            "CREATE TABLE job (id bigserial, kind int CONSTRAINT kind_is_known CHECK (kind < 0))",
        );
        Self { server, sound, strict }
    }

    fn plan(&self, [main, pr]: [&str; 2], workload: &str) -> String {
        let url = |database: &str| format!("postgresql://postgres@127.0.0.1:{}/{database}", self.server.tcp_port());
        format!(
            "name: Failures\ntargets:\n  main: {{ url: \"{}\" }}\n  pr: {{ url: \"{}\" }}\nbaseline: main\n\
             workloads: {{ enqueue: {{ {workload}, think: 5ms }} }}\nclients: [2]\n\
             trial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 3, at_most: 3 }}\ninterleave: trials\n",
            url(main),
            url(pr)
        )
    }
}

const SCRIPT: &str = "\\set kind random(1, 5)\nINSERT INTO job (kind)\n  VALUES (:kind);\n";
const MESSAGE: &str = "new row for relation \"job\" violates check constraint \"kind_is_known\"";

#[test]
fn a_candidate_on_which_every_transaction_fails_is_broken_after_one_block() {
    let (lab, databases) = (Lab::new(), Databases::new());
    lab.write("job.sql", SCRIPT);
    let workload = "script: [job.sql], require: { failures: \"< 0.1%\", throughput: \"> 1/s\" }";
    lab.write("plan.yaml", databases.plan([&databases.sound, &databases.strict], workload));
    let ended = lab.pgdyno("run plan.yaml");
    ended.exits(1).prints(&[
        "pr against main: enqueue is broken: all ",
        "SQLSTATE 23514",
        MESSAGE,
        "job.sql:2: INSERT INTO job",
    ]);
    ended.says(&["the cell is not measured again", "23514"]);
    let run = lab.run();
    assert_eq!(run.completed(), [1, 2], "each side was tried once");
    for trial in run.trials() {
        let load = trial.load.expect("figures");
        let first = load.first_errors.first();
        assert_eq!(first.is_some(), trial.cell.target == "pr");
        if let Some(first) = first {
            let statement = first.statement.as_ref().expect("it is about one");
            assert_eq!((first.message.as_str(), statement.script.as_str(), statement.line), (MESSAGE, "job.sql", 2));
            assert!(load.transactions == 0 && load.failed > 0, "{load:?}");
        }
    }
    let path = run.path().display().to_string();
    let junit = lab.pgdyno(&format!("report {path} --format junit"));
    junit.exits(0).prints(&["<failure message=\"all ", "kind_is_known"]);
    assert_eq!(junit.stdout.matches("<failure").count(), 3, "the comparison and both requirements: {}", junit.stdout);
    lab.pgdyno(&format!("report {path} --format summary")).exits(0).prints(&["is broken", "23514"]);
    // Nothing is left to be measured, and the reason stays.
    lab.pgdyno(&format!("resume {path}"))
        .exits(1)
        .prints(&["enqueue is broken"])
        .says(&["the cell is not measured again"]);
    assert_eq!(run.completed(), [1, 2]);
}

#[test]
fn a_candidate_that_lacks_what_a_statement_names_is_broken() {
    let (lab, databases) = (Lab::new(), Databases::new());
    databases.server.query_database(&databases.strict, "ALTER TABLE job RENAME kind TO sort");
    lab.write("job.sql", SCRIPT);
    lab.write("plan.yaml", databases.plan([&databases.sound, &databases.strict], "script: [job.sql]"));
    lab.pgdyno("run plan.yaml").exits(1).prints(&[
        "pr against main: enqueue is broken: all ",
        "SQLSTATE 42703: column \"kind\" of relation \"job\" does not exist",
        "job.sql:2",
    ]);
    assert_eq!(lab.run().completed(), [1, 2], "each side was tried once");
    lab.pgdyno("plan check plan.yaml --connect").exits(3).says(&["target \"pr\" rejects a statement"]);
}

#[test]
fn a_baseline_on_which_every_transaction_fails_is_said_to() {
    let (lab, databases) = (Lab::new(), Databases::new());
    lab.write("job.sql", SCRIPT);
    lab.write("plan.yaml", databases.plan([&databases.strict, &databases.sound], "script: [job.sql]"));
    let said = ["enqueue works, but the baseline does not: all ", MESSAGE];
    lab.pgdyno("run plan.yaml").exits(0).prints(&said);
    assert_eq!(lab.run().completed(), [1, 2]);
}

#[test]
fn a_workload_that_fails_on_both_sides_does_not_work() {
    let (lab, databases) = (Lab::new(), Databases::new());
    lab.write("job.sql", SCRIPT);
    lab.write("plan.yaml", databases.plan([&databases.strict, &databases.strict], "script: [job.sql]"));
    let said = ["enqueue does not work: all ", "SQLSTATE 23514: new row", "job.sql:2"];
    lab.pgdyno("run plan.yaml").exits(3).prints(&said);
    let run = lab.run();
    assert_eq!(run.completed(), [1, 2]);
    let junit = lab.pgdyno(&format!("report {} --format junit", run.path().display()));
    assert!(junit.stdout.contains("<error") && !junit.stdout.contains("<skipped"), "{}", junit.stdout);
}

#[test]
fn a_side_of_which_a_part_of_the_transactions_fails_has_regressed() {
    let (lab, databases) = (Lab::new(), Databases::new());
    databases
        .server
        .query_database(&databases.strict, "ALTER TABLE job DROP CONSTRAINT kind_is_known, ADD CHECK (kind < 5)");
    lab.write("job.sql", SCRIPT);
    lab.write("plan.yaml", databases.plan([&databases.sound, &databases.strict], "script: [job.sql]"));
    let ended = lab.pgdyno("run plan.yaml");
    ended.exits(1).prints(&["enqueue fails ", "SQLSTATE 23514", "job.sql:2"]);
    assert!(!ended.stdout.contains("would probably settle it"), "{}", ended.stdout);
}
