//! What scripts do to the database, cross-checked with what the database says.

use crate::server::shared;
use crate::{builtin, job, run, run_watched, script, transactions};
use load::{EngineJob, LoadError, QueryMode, Weighted};
use std::num::NonZeroU32;
use std::time::Duration;

const MODES: [QueryMode; 3] = [QueryMode::Simple, QueryMode::Extended, QueryMode::Prepared];

#[test]
pub(crate) fn the_server_counts_as_many_transactions_as_the_engine_in_every_mode() {
    let postgres = shared();
    for mode in MODES {
        let database = postgres.pgbench_database();
        let mut written = 0;
        for name in ["tpcb-like", "simple-update", "select-only"] {
            postgres.wait_until_left(&database);
            let commits = format!("SELECT xact_commit FROM pg_stat_database WHERE datname = '{database}'");
            let before = postgres.query_number("postgres", &commits);
            let timed = EngineJob {
                mode,
                measure: Duration::from_millis(300).into(),
                ..job(postgres.unix(&database), builtin(name))
            };
            let summary = run(&timed).expect("it runs");
            postgres.wait_until_left(&database);
            assert_eq!((summary.failed, summary.unknown), (0, 0), "{name} {mode:?}");
            // Those under way at the end are finished, although they are not counted.
            let committed = (summary.successful_transactions() + summary.unfinished) as i64;
            let counted = postgres.query_number("postgres", &commits) - before;
            // On top of them come logging in and preparing, and the server's own housekeeping.
            assert!((committed..committed + 100).contains(&counted), "{name} {mode:?}: {committed}, server: {counted}");
            written += if name == "select-only" { 0 } else { committed };
        }
        assert_eq!(postgres.query_number(&database, "SELECT count(*) FROM pgbench_history"), written, "{mode:?}");
        let balanced = "SELECT (SELECT sum(abalance) FROM pgbench_accounts) = (SELECT sum(delta) FROM pgbench_history)";
        assert_eq!(postgres.query_database(&database, balanced), "t", "{mode:?}");
    }
}

#[test]
pub(crate) fn the_same_seed_asks_for_the_same_rows_as_pgbench_with_it() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE drawn (who text, client int, a bigint, b bigint, n serial)");
    let text = |who| {
        format!(
            "\\set a random(1, 100000 * :scale)\n\\set b random(-5000, 5000)\n\
             INSERT INTO drawn (who, client, a, b) VALUES ('{who}', :client_id, :a, :b);\n"
        )
    };
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), text("pgbench")).expect("it can be written");
    testbed::run_command(std::process::Command::new("chmod").arg("644").arg(file.path()));
    let mut pgbench = postgres.client_program("pgbench");
    pgbench.args(["-n", "-c2", "-t20", "--random-seed=42", "-M", "prepared", "-D", "scale=1", "-f"]);
    testbed::run_command(pgbench.arg(file.path()).arg(&database));
    let ours = EngineJob { measure: transactions(20), ..job(postgres.unix(&database), script(&text("pgdyno"))) };
    run(&ours).expect("it runs");
    let drawn = |who: &str| {
        postgres.query_database(
            &database,
            &format!("SELECT client, a, b FROM drawn WHERE who = '{who}' ORDER BY client, n"),
        )
    };
    assert_eq!(drawn("pgdyno").lines().count(), 40);
    assert_eq!(drawn("pgdyno"), drawn("pgbench"));
}

#[test]
fn a_failed_statement_fails_its_transaction_and_nothing_of_it_stays() {
    let postgres = shared();
    for mode in MODES {
        let database = postgres.empty_database();
        postgres.query_database(&database, "CREATE TABLE kept (a int)");
        let text = "\\set a random(0, 1)\nBEGIN;\nINSERT INTO kept VALUES (:a);\nSELECT 1 / :a;\nEND;";
        let ours = EngineJob { mode, ..job(postgres.unix(&database), script(text)) };
        let summary = run(&ours).expect("it runs");
        assert!(summary.failed > 0 && summary.successful_transactions() > 0, "{mode:?}");
        let errors: Vec<_> = summary.errors.iter().map(|(state, count)| (state.as_str(), *count)).collect();
        assert_eq!(errors, [("22012", summary.failed)], "{mode:?}");
        let [first] = summary.first_errors.as_slice() else { panic!("{mode:?}: {:?}", summary.first_errors) };
        assert_eq!((first.sqlstate.as_str(), first.message.as_str()), ("22012", "division by zero"), "{mode:?}");
        let statement = first.statement.map(|number| ours.statements_by_number()[number as usize].clone());
        assert_eq!(statement.map(|statement| statement.line), Some(4), "{mode:?}");
        assert_eq!(postgres.query_number(&database, "SELECT count(*) FROM kept WHERE a = 0"), 0, "{mode:?}");
        let kept = postgres.query_number(&database, "SELECT count(*) FROM kept") as u64;
        let counted = summary.successful_transactions();
        assert!((counted..=counted + summary.unfinished).contains(&kept), "{mode:?}: {counted}, server: {kept}");
    }
}

#[test]
pub(crate) fn copy_without_rows_fails_and_the_client_goes_on() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE t (a int)");
    for mode in MODES {
        let text = "COPY t FROM STDIN \\gsimple\n";
        let summary = run(&EngineJob { mode, ..job(postgres.unix(&database), script(text)) }).expect("it runs");
        assert_eq!((summary.failed, summary.successful_transactions()), (100, 0), "{mode:?}");
        assert_eq!(summary.errors.keys().map(load::SqlState::as_str).collect::<Vec<_>>(), ["57014"], "{mode:?}");
    }
}

#[test]
pub(crate) fn rows_are_copied_in_both_directions_whatever_their_size() {
    let postgres = shared();
    let rows: String = (0..40_000).map(|n| format!("{n}\t:not_a_variable {}\n", "x".repeat(50))).collect();
    let text = format!("BEGIN;\nCOPY t (a, b) FROM STDIN;\n{rows}\\.\nCOPY (TABLE t LIMIT 40000) TO STDOUT;\nEND;");
    for mode in MODES {
        let database = postgres.empty_database();
        postgres.query_database(&database, "CREATE TABLE t (a int, b text)");
        for to in [postgres.unix(&database), postgres.tcp(&database)] {
            let copying = EngineJob { mode, measure: transactions(2), ..job(to, script(&text)) };
            let summary = run(&copying).expect("it runs");
            let errors = &summary.first_errors;
            assert_eq!((summary.successful_transactions(), summary.failed), (4, 0), "{mode:?}: {errors:?}");
        }
        let seen = "SELECT count(*), count(*) FILTER (WHERE b !~ '^:not_a_variable x+$') FROM t";
        assert_eq!(postgres.query_database(&database, seen).trim(), "320000|0", "{mode:?}");
    }
}

#[test]
fn a_row_that_cannot_be_copied_fails_the_transaction_alone() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE t (a int)");
    let text = format!("COPY t FROM STDIN;\n1\nx\n{}\\.\nSELECT 1;", "2\n".repeat(200_000));
    for mode in MODES {
        let failing = EngineJob { mode, measure: transactions(5), ..job(postgres.unix(&database), script(&text)) };
        let summary = run(&failing).expect("it runs");
        assert_eq!((summary.failed, summary.successful_transactions()), (10, 0), "{mode:?}");
        assert_eq!(summary.errors.keys().map(load::SqlState::as_str).collect::<Vec<_>>(), ["22P02"], "{mode:?}");
    }
}

#[test]
pub(crate) fn results_and_statements_larger_than_any_buffer_pass() {
    let postgres = shared();
    let text = format!("SELECT repeat('x', 3000000), '{}' FROM generate_series(1, 3);", "y".repeat(3_000_000));
    for mode in MODES {
        for to in [postgres.unix("postgres"), postgres.tcp("postgres")] {
            let summary =
                run(&EngineJob { mode, measure: transactions(2), ..job(to, script(&text)) }).expect("it runs");
            assert_eq!((summary.successful_transactions(), summary.failed, summary.unknown), (4, 0, 0), "{mode:?}");
        }
    }
}

#[test]
fn scripts_are_chosen_by_their_weights() {
    let postgres = shared();
    let rare = Weighted::with_weight_one(script("SELECT 1;"));
    let often = Weighted { script: script("SELECT 2;"), weight: NonZeroU32::new(9).expect("not zero") };
    let mixed = EngineJob {
        scripts: vec![rare, often],
        measure: transactions(500),
        ..job(postgres.unix("postgres"), script("SELECT 3;"))
    };
    let summary = run(&mixed).expect("it runs");
    let counts: Vec<u64> = summary.scripts.iter().map(|script| script.latency.count()).collect();
    assert_eq!(counts.iter().sum::<u64>(), 1000);
    assert!(counts[1] > 5 * counts[0] && counts[0] * 20 > counts[1], "{counts:?}");
}

#[test]
fn notices_and_settings_that_change_disturb_nothing() {
    let postgres = shared();
    let text = "DO 'BEGIN RAISE WARNING ''w''; END';\nSET application_name = 'other';\nSET application_name = 'test';";
    let summary = run(&job(postgres.unix("postgres"), script(text))).expect("it runs");
    assert_eq!((summary.successful_transactions(), summary.failed), (100, 0));
}

#[test]
fn a_script_that_leaves_its_transaction_open_ends_the_run() {
    let postgres = shared();
    let outcome = run(&job(postgres.unix("postgres"), script("BEGIN;\nSELECT 1;")));
    assert!(matches!(outcome, Err(LoadError::OpenTransaction { .. })), "{outcome:?}");
}

#[test]
fn an_expression_without_a_value_ends_the_run_with_its_line() {
    let postgres = shared();
    let outcome = run(&job(postgres.unix("postgres"), script("SELECT 1;\n\\set a 1 / :client_id\nSELECT :a;")));
    let told = outcome.expect_err("client 0 divides by zero").to_string();
    assert_eq!(told, "script \"test.sql\" line 2: division by zero");
}

#[test]
fn a_transaction_counts_in_the_second_in_which_it_ends() {
    let postgres = shared();
    // Each takes longer than a second, so that the first second has none and still is reported.
    let mut ended = Vec::new();
    let slow = EngineJob {
        measure: Duration::from_secs(3).into(),
        ..job(postgres.unix("postgres"), script("SELECT pg_sleep(1.2);"))
    };
    let summary = run_watched(&slow, |second| ended.push(second.scripts[0].latency.count())).expect("it runs");
    // Two and two, unless the machine has stood still.
    assert!(ended.len() == 3 && ended[0] == 0, "{ended:?}");
    assert_eq!((ended.iter().sum::<u64>(), 2), (summary.successful_transactions(), summary.unfinished));
}
