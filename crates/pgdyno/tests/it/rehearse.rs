//! An upgrade that is rehearsed on two real versions: a statement that the newer one plans otherwise, one that is
//! planned otherwise without statistics, and one that the newer version rejects.

use results::rehearsal::{Rehearsal, StatisticsState, UpgradeStepKind};
use testbed::Setup;

use crate::capture::read_whole_log;
use crate::lab::Lab;

/// Of `status`, 1 % is `new`: an index on it serves that value only, which nobody knows without statistics.
const DATA: &str = "
    CREATE TABLE orders (id int PRIMARY KEY, status text NOT NULL, amount int NOT NULL);
    INSERT INTO orders SELECT i, CASE WHEN i % 100 = 0 THEN 'new' ELSE 'done' END, i % 1000
      FROM generate_series(1, 30000) i;
    CREATE INDEX orders_status ON orders (status);
    CREATE TABLE notes (id int PRIMARY KEY, body text NOT NULL);
    INSERT INTO notes SELECT i, 'note ' || i FROM generate_series(1, 2000) i;";

/// PostgreSQL 18 removes the join of a table with itself by its key.
const SELF_JOIN: &str = "SELECT sum(o.amount) FROM orders o JOIN orders p ON o.id = p.id";
const BY_STATUS: &str = "SELECT sum(amount) FROM orders WHERE status = $1";
const BY_KEY: &str = "SELECT body FROM notes WHERE id = $1";
/// PostgreSQL 15 removed the function.
const REMOVED: &str = "SELECT pg_is_in_backup()";

/// The log of a server with these statements, in the lab as `orders.csv`. The statement that no server of today knows
/// stands in the place of one that it does.
fn captured_orders(lab: &Lab) {
    let settings = "logging_collector = on\nlog_directory = 'logs'\nlog_filename = 'server.log'\n\
                    log_destination = 'csvlog'\n";
    let server = Setup { settings: settings.to_owned(), ..Setup::default() }.start_server();
    server.query_postgres(DATA);
    server.append_configuration("log_min_duration_statement = 0\nlog_filename = 'load.log'\n");
    server.query_postgres("SELECT pg_reload_conf(); SELECT pg_rotate_logfile()");
    server.await_that("SELECT pg_current_logfile('csvlog') = 'logs/load.csv'");
    let conninfo = format!("{} application_name=orders", server.socket_conninfo());
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let (client, connection) = tokio_postgres::connect(&conninfo, tokio_postgres::NoTls).await.expect("a session");
        tokio::spawn(connection);
        for number in 1..=40_i32 {
            client.query(BY_KEY, &[&number]).await.expect("a note");
            client.query(BY_STATUS, &[&"done"]).await.expect("a sum");
            client.batch_execute(SELF_JOIN).await.expect("a sum");
            client.batch_execute("SELECT pg_backend_pid()").await.expect("a number");
        }
    });
    server.stop_in_order();
    let log = read_whole_log(&server.data_directory().join("logs/load.csv"));
    let of_orders: Vec<&str> = log.split_inclusive('\n').filter(|line| line.contains(",\"orders\",")).collect();
    lab.write("orders.csv", of_orders.concat().replace("SELECT pg_backend_pid()", REMOVED));
    lab.pgdyno("capture --log orders.csv --out peak --mask none").exits(0);
    lab.write("orders.sql", DATA);
}

/// The plan that `rehearse --plan-only` prints, with one short block.
fn brief_plan(lab: &Lab, versions: &str) -> String {
    let line = format!("rehearse --capture peak --data orders.sql {versions} --plan-only");
    let printed = lab.pgdyno(&line).exits(0).stdout.clone();
    let mut plan = String::new();
    for line in printed.lines() {
        plan.push_str(match line.split_once(':') {
            Some(("trial", _)) => "trial: { warm_up: 0s, measure: 1s }",
            Some(("blocks", _)) => "blocks: { at_least: 1, at_most: 1 }",
            Some(("clients", _)) => "clients: 1",
            _ => line,
        });
        plan.push('\n');
    }
    plan
}

#[test]
fn statements_with_other_plans_are_known_before_anything_is_timed() {
    let lab = Lab::new();
    captured_orders(&lab);
    lab.write("plan.yaml", brief_plan(&lab, "--from 14 --to 18"));
    lab.pgdyno("run plan.yaml").measured().says(&["statements planned: 3 of 4", "with statistics kept"]);
    let text = std::fs::read_to_string(lab.run().path().join("rehearsal.json")).expect("it is written");
    let rehearsal: Rehearsal = serde_json::from_str(&text).expect("it is one");
    let [of_14, of_18] = rehearsal.targets.as_slice() else { panic!("{text}") };
    let states = |of: &results::rehearsal::RehearsedTarget| -> Vec<StatisticsState> {
        of.states.iter().map(|state| state.statistics).collect()
    };
    assert_eq!(states(of_14), [StatisticsState::Analyzed]);
    assert_eq!(states(of_18), [StatisticsState::Missing, StatisticsState::Kept, StatisticsState::Analyzed]);
    assert!(of_18.states.iter().all(|state| state.remark.is_none()), "the server takes all statistics: {text}");
    let steps: Vec<UpgradeStepKind> = of_18.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, [UpgradeStepKind::Restore, UpgradeStepKind::VacuumAnalyze, UpgradeStepKind::KeepStatistics]);
    let report = lab.pgdyno("report --format csv --table rehearsal").exits(0).stdout.clone();
    let row = |of: &str| report.lines().find(|line| line.contains(of)).unwrap_or_else(|| panic!("{of}: {report}"));
    assert!(row("JOIN orders p").contains(",changed,changed,changed,"), "{report}");
    assert!(row("status = $1").contains(",changed,same,same,"), "kept statistics are those of the baseline: {report}");
    assert!(row("pg_is_in_backup").contains(",REJECTED,REJECTED,REJECTED,"), "{report}");
    assert!(!report.contains("FROM notes"), "its plan is the same: {report}");
    lab.pgdyno("report --details").exits(0).prints(&[
        "Rehearsal of the upgrade",
        "PostgreSQL 14 to 18: of 4 statements, 1 has another query plan with statistics analyzed, 1 with statistics kept, 2",
        "PostgreSQL 18 rejects 1",
        "pg_upgrade was not executed: no package of PostgreSQL 14 is installed on this machine",
        "pg_is_in_backup() is gone",
        "stats_temp_directory is gone",
        "effective_io_concurrency: 1 → 16",
    ]);
}

/// Where `scripts/postgres-19` unpacks a package of PostgreSQL 19, which has pg_upgrade.
const PACKAGE_OF_19: &str = "/var/cache/pgdyno-test/postgresql-19/usr/lib/postgresql/19/bin";

#[test]
fn pg_upgrade_is_executed_in_each_of_its_ways_where_packages_have_it() {
    if !std::path::Path::new(PACKAGE_OF_19).is_dir() || !std::path::Path::new("/usr/lib/postgresql/15/bin").is_dir() {
        eprintln!("skipped: needs packages of PostgreSQL 15 and, by scripts/postgres-19, of 19");
        return;
    }
    let lab = Lab::new();
    captured_orders(&lab);
    // PostgreSQL 15 does not have the function either.
    let log = std::fs::read_to_string(lab.path().join("orders.csv")).expect("it is there");
    lab.write("orders.csv", log.replace(REMOVED, "SELECT 1"));
    std::fs::remove_dir_all(lab.path().join("peak")).expect("removed");
    lab.pgdyno("capture --log orders.csv --out peak --mask none").exits(0);
    let plan = brief_plan(&lab, "--from 15 --to 19").replace("version: 19", &format!("bin: \"{PACKAGE_OF_19}\""));
    lab.write("plan.yaml", &plan);
    lab.pgdyno("run plan.yaml").measured().says(&["pg19: pg_upgrade executed in "]);
    let text = std::fs::read_to_string(lab.run().path().join("rehearsal.json")).expect("it is written");
    let rehearsal: Rehearsal = serde_json::from_str(&text).expect("it is one");
    let candidate = &rehearsal.targets[1];
    // Whether files can be cloned is a matter of the file system.
    let steps = candidate.steps.iter().skip(3).map(|step| step.step);
    let steps: Vec<UpgradeStepKind> = steps.filter(|step| *step != UpgradeStepKind::PgUpgradeClone).collect();
    let expected = [
        UpgradeStepKind::PgUpgradeCheck,
        UpgradeStepKind::PgUpgradeCopy,
        UpgradeStepKind::PgUpgradeLink,
        UpgradeStepKind::PgUpgradeSwap,
    ];
    assert_eq!((steps.as_slice(), &candidate.pg_upgrade_gap), (&expected[..], &None), "{text}");
    assert!(candidate.steps.iter().all(|step| step.seconds > 0.0), "{text}");
    lab.pgdyno("report --details").exits(0).prints(&["pg_upgrade --check", "pg_upgrade --swap"]);
    // Types whose values are numbers of the old catalog cannot be upgraded.
    lab.write("orders.sql", format!("{DATA}\nCREATE TABLE kept (of_type regproc);\n"));
    lab.pgdyno("run plan.yaml").measured().says(&["pg19: pg_upgrade --check failed"]);
    lab.pgdyno("report --details").exits(0).prints(&["Objections of pg_upgrade --check", "reg* data types"]);
    lab.assert_no_temporary_data();
}

#[test]
fn what_is_no_upgrade_or_cannot_be_planned_is_refused_by_name() {
    let lab = Lab::new();
    captured_orders(&lab);
    let line = "rehearse --capture peak --data orders.sql";
    for (versions, expected) in [
        ("--from 17 --to 17", "from PostgreSQL 17 to 17 cannot be rehearsed"),
        ("--from 18 --to 14", "--to is older than --from"),
        ("--from 13 --to 18", "--from 13 is not a version of PostgreSQL that pgdyno measures"),
        ("--from 14 --to x", "--to x is not a version"),
    ] {
        lab.pgdyno(&format!("{line} {versions} --plan-only")).exits(2).says(&[expected]);
    }
    lab.pgdyno("rehearse --capture peak --data no.dump --from 17 --to 18").exits(2).says(&["could not read the dump"]);
    lab.pgdyno("rehearse --capture no --data orders.sql --from 17 --to 18").exits(2).says(&["no is not a capture"]);
    let plan = brief_plan(&lab, "--from 14 --to 18");
    for (before, after, expected) in [
        ("baseline: pg14", "baseline: pg18", "candidate \"pg14\" (PostgreSQL 14) is older than the baseline"),
        (", data: { restore: orders.sql }", "", "has no `data`"),
        ("{ captured: peak }", "{ builtin: select-only, scale: 1 }", "workload \"peak\" is not `captured`"),
    ] {
        assert!(plan.contains(before), "{plan}");
        lab.write("bad.yaml", plan.replace(before, after));
        lab.pgdyno("plan check bad.yaml").exits(2).says(&[expected]);
    }
    lab.write("newer.sql", format!("-- Dumped from database version 99.1\n{DATA}"));
    lab.write("newer.yaml", plan.replace("orders.sql", "newer.sql"));
    lab.pgdyno("run newer.yaml").exits(3).says(&["is a dump of PostgreSQL 99.1"]);
    lab.write(
        "none.csv",
        settings_alone(&std::fs::read_to_string(lab.path().join("orders.csv")).expect("it is there")),
    );
    lab.pgdyno("capture --log none.csv --out none --mask none").exits(0);
    lab.write("none.yaml", plan.replace("captured: peak", "captured: none"));
    lab.pgdyno("run none.yaml").exits(3).says(&["explains no statement of the captured load"]);
    lab.assert_no_temporary_data();
}

/// The log of a session that sends nothing that has a plan.
fn settings_alone(log: &str) -> String {
    let of_join: Vec<&str> = log.split_inclusive('\n').filter(|line| line.contains("JOIN orders p")).collect();
    of_join.concat().replace(SELF_JOIN, "SHOW work_mem")
}
