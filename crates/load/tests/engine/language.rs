//! What scripts do beyond sending statement after statement: pauses, shell commands, pipelines, rows, retries.

use crate::server::shared;
use crate::{complaint, job, pausing, run, script, transactions};
use conninfo::ConnInfo;
use load::{EngineJob, LoadError, QueryMode, ShellCommands, Tries};
use std::num::NonZeroU32;
use std::time::Duration;

fn clients(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).expect("not zero")
}

/// A job of two clients on one thread, of which client 0 does what takes 400 ms; for 3 s.
fn one_waits(to: ConnInfo, text: &str) -> EngineJob {
    let text = format!("\\if :client_id = 0\n{text}\n\\else\nSELECT 1;\n\\endif");
    EngineJob {
        threads: clients(1),
        measure: Duration::from_secs(3).into(),
        shell: ShellCommands::Permitted,
        ..pausing(job(to, script(&text)))
    }
}

#[test]
fn the_pauses_of_a_script_are_counted_apart_and_part_of_its_latency() {
    let postgres = shared();
    let text = "BEGIN;\nSELECT 1;\n\\sleep 20 ms\n\\shell sleep 0.02\nEND;";
    let pausing = EngineJob {
        measure: transactions(5),
        shell: ShellCommands::Permitted,
        ..job(postgres.unix("postgres"), script(text))
    };
    let summary = run(&pausing).expect("it runs");
    let script_ns: u64 = summary.engine.iter().map(|thread| thread.path.script_ns).sum();
    let asked_ns = summary.successful_transactions() * 40_000_000;
    let latency_ns = summary.latency.mean_ns().expect("transactions") * summary.successful_transactions() as f64;
    assert!(script_ns >= asked_ns && script_ns as f64 <= latency_ns, "{script_ns} of {latency_ns}, asked: {asked_ns}");
    let without = EngineJob { measure: transactions(5), ..job(postgres.unix("postgres"), script("SELECT 1;")) };
    let summary = run(&without).expect("it runs");
    assert!(summary.engine.iter().all(|thread| thread.path.script_ns == 0), "{:?}", summary.engine);
}

#[test]
fn neither_a_sleep_nor_a_shell_command_holds_up_other_clients() {
    let postgres = shared();
    for text in ["\\sleep 400 ms", "\\shell sleep 0.4", "\\setshell a sleep 0.4; echo 1"] {
        let summary = run(&one_waits(postgres.unix("postgres"), text)).expect("it runs");
        // Were the other client held up, there would be a handful.
        assert!(summary.successful_transactions() > 20, "{text}: {}", summary.successful_transactions());
        let quantile = |quantile| summary.latency.quantile_ns(quantile).expect("there are transactions");
        let (longest, shortest) = (quantile(1.0), quantile(0.0));
        assert!(longest >= 400_000_000, "{text}: {longest}");
        assert!(shortest < 400_000_000, "{text}: {shortest}");
    }
}

#[test]
fn a_script_without_statements_runs_and_lets_others_run() {
    let postgres = shared();
    let text = "\\if :client_id = 0\nSELECT 1;\n\\endif";
    let both =
        EngineJob { threads: clients(1), measure: transactions(50), ..job(postgres.unix("postgres"), script(text)) };
    let summary = run(&both).expect("it runs");
    assert_eq!((summary.successful_transactions(), summary.failed), (100, 0));
}

#[test]
fn shell_commands_run_only_if_they_are_permitted() {
    let postgres = shared();
    let refused = job(postgres.unix("postgres"), script("SELECT 1;\n\\shell true"));
    assert_eq!(
        complaint(&refused),
        "test.sql:2:1: the script runs shell commands, which are not permitted\n\
         \\shell true\n^ error found here\npermit them explicitly if you trust the script"
    );
}

#[test]
fn what_goes_wrong_while_a_script_runs_ends_the_run_with_its_line() {
    let cases = [
        ("SELECT 1;\nSELECT 1 AS a WHERE false \\gset", "line 2: \\gset expected one row, got 0"),
        ("SELECT generate_series(1, 3) AS a \\gset", "line 1: \\gset expected one row, got 3"),
        ("SELECT 1 AS \"a b\" \\gset p_", "line 1: invalid variable name: \"p_a b\""),
        ("SELECT 'x' AS a \\gset\n\n\\set b 1 + :a", "line 3: malformed variable \"a\" value: \"x\""),
        ("SELECT 1;\n\\if false\n\\set a 1\n\\endif\n\\set b :a", "line 5: undefined variable \"a\""),
        ("\\setshell a echo one", "line 1: shell command must return an integer (not \"one\")"),
        ("SELECT 1;\n\\shell exit 3", "line 2: shell command \"exit 3\" failed: exit status: 3"),
        ("\\startpipeline\nSELECT 1;", "line 2: end of script reached with pipeline open"),
    ];
    let postgres = shared();
    for (text, expected) in cases {
        let job = EngineJob { shell: ShellCommands::Permitted, ..job(postgres.unix("postgres"), script(text)) };
        assert_eq!(complaint(&job), format!("script \"test.sql\" {expected}"), "{text}");
    }
}

#[test]
fn a_failed_statement_fails_its_pipeline_up_to_the_next_sync() {
    let postgres = shared();
    for mode in [QueryMode::Extended, QueryMode::Prepared] {
        let database = postgres.empty_database();
        postgres.query_database(&database, "CREATE TABLE kept (a text)");
        let text = "\\set zero 0\n\\startpipeline\nINSERT INTO kept VALUES ('before');\n\\syncpipeline\nSELECT 1 / :zero::int;\n\
                    INSERT INTO kept VALUES ('with');\n\\syncpipeline\nINSERT INTO kept VALUES ('after');\n\\endpipeline\n\
                    INSERT INTO kept VALUES ('behind');";
        let job = EngineJob { mode, measure: transactions(5), ..job(postgres.unix(&database), script(text)) };
        let summary = run(&job).expect("it runs");
        assert_eq!((summary.successful_transactions(), summary.failed), (0, 10), "{mode:?}");
        let kept = postgres.query_database(&database, "SELECT a, count(*) FROM kept GROUP BY a ORDER BY a");
        assert_eq!(kept, "after|10\nbefore|10", "{mode:?}");
    }
}

#[test]
fn rows_that_a_lost_connection_has_left_behind_disturb_nothing() {
    let postgres = shared();
    let text = "\\set x random(0, 9)\n\\if :x = 0\nSELECT pg_terminate_backend(pg_backend_pid()) AS a \\gset\n\\else\n\
                SELECT generate_series(1, 2) AS b;\n\\endif";
    let job = EngineJob { measure: transactions(40), ..job(postgres.unix("postgres"), script(text)) };
    let summary = run(&job).expect("it runs");
    assert!(!summary.outages.is_empty() && summary.successful_transactions() > 0, "{summary:?}");
    assert_eq!(summary.failed, 0);
}

/// Eight transactions of each of four clients that draw a number and count themselves in the same row.
fn contended(to: ConnInfo, isolation: &str) -> EngineJob {
    let text = format!(
        "\\set r random(1, 1000000)\nBEGIN ISOLATION LEVEL {isolation};\nSELECT n FROM counter \\gset\n\
         SELECT pg_sleep(0.002);\nUPDATE counter SET n = n + 1;\nINSERT INTO drawn VALUES (:client_id, :r);\nEND;"
    );
    EngineJob { clients: clients(4), measure: transactions(8), ..job(to, script(&text)) }
}

#[test]
fn a_transaction_that_fails_because_of_others_is_tried_again_with_the_same_numbers() {
    let postgres = shared();
    let mut drawn = Vec::new();
    for isolation in ["READ COMMITTED", "SERIALIZABLE"] {
        let database = postgres.empty_database();
        postgres.query_database(
            &database,
            "CREATE TABLE drawn (client int, r int, n serial); CREATE TABLE counter (n int); INSERT INTO counter VALUES (0)",
        );
        let job = EngineJob { tries: Tries::Unlimited, ..contended(postgres.unix(&database), isolation) };
        let summary = run(&job).expect("it runs");
        assert_eq!((summary.successful_transactions(), summary.failed), (32, 0), "{isolation}");
        assert_eq!(postgres.query_number(&database, "SELECT n FROM counter"), 32, "{isolation}");
        let script = &summary.scripts[0];
        if isolation == "SERIALIZABLE" {
            assert!(script.retried > 0 && script.retries >= script.retried, "{} {}", script.retried, script.retries);
        } else {
            assert_eq!((script.retried, script.retries), (0, 0));
        }
        drawn.push(postgres.query_database(&database, "SELECT client, r FROM drawn ORDER BY client, n"));
    }
    // In a failed try they were rolled back, and drawn anew.
    assert_eq!(drawn[0].lines().count(), 32);
    assert_eq!(drawn[0], drawn[1]);
}

#[test]
fn with_one_try_nothing_is_tried_again_and_other_errors_never_are() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(
        &database,
        "CREATE TABLE drawn (client int, r int, n serial); CREATE TABLE counter (n int); INSERT INTO counter VALUES (0)",
    );
    let summary = run(&contended(postgres.unix(&database), "SERIALIZABLE")).expect("it runs");
    assert_eq!((summary.successful_transactions() + summary.failed, summary.scripts[0].retries), (32, 0));
    assert_eq!(postgres.query_number(&database, "SELECT n FROM counter") as u64, summary.successful_transactions());
    assert!(summary.failed > 0 && summary.errors.keys().all(|state| state.as_str() == "40001"), "{:?}", summary.errors);
    let other = EngineJob {
        tries: Tries::Unlimited,
        measure: transactions(3),
        ..job(postgres.unix(&database), script("SELECT 1 / (:client_id * 0);"))
    };
    let summary = run(&EngineJob { mode: QueryMode::Simple, ..other }).expect("it runs");
    assert_eq!((summary.failed, summary.scripts[0].retried), (6, 0));
}

#[test]
fn a_definition_that_names_no_variable_is_refused() {
    let definitions = vec![("1st".to_owned(), "1".to_owned())];
    let postgres = shared();
    let outcome = run(&EngineJob { definitions, ..job(postgres.unix("postgres"), script("SELECT 1;")) });
    assert!(matches!(outcome, Err(LoadError::Definition { .. })), "{outcome:?}");
}
