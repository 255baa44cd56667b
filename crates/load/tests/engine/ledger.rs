//! The ledger of acknowledged writes against a real PostgreSQL: kept, broken by a crash, and tampered with.

use crate::server::{Postgres, shared};
use crate::{complaint, job, run, run_watched, script};
use conninfo::ConnInfo;
use dataset::ledger::LedgerColumn;
use load::ledger::{Auditor, Ledger, LedgerAudit, LedgerKept};
use load::{EngineJob, OutageChange, QueryMode, Summary, Tries};
use rustix::process::{Pid, Signal, kill_process};
use std::sync::Arc;
use std::time::Duration;

/// What the built-in that writes to one shared table only does, with its entry.
fn writing(to: ConnInfo) -> EngineJob {
    EngineJob { ledger: LedgerKept::Yes, ..job(to, load::ledger::ledger_script("simple-update").expect("it writes")) }
}

fn ledger(summary: &Summary) -> &Ledger {
    summary.ledger.as_ref().expect("a ledger was kept")
}

/// Compares the ledger with the column as a user of the library does.
fn check(server: &ConnInfo, ledger: &Ledger, column: &LedgerColumn) -> LedgerAudit {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (mut client, connection) = control::Config::from(server).open_connection().await.expect("a connection");
        let connection = tokio::spawn(connection);
        let mut auditor = Auditor::new(ledger);
        let prefix = ledger.tag().to_string();
        let read = dataset::ledger::read_entries(&mut client, column, &prefix, |text| auditor.check_row(text)).await;
        read.expect("the ledger can be read");
        drop(client);
        connection.await.expect("no panic").expect("an orderly end");
        auditor.finish()
    })
}

/// Rows of the run in the history, counted by the server.
fn rows(postgres: &Postgres, database: &str, ledger: &Ledger) -> u64 {
    let sql = format!("SELECT count(*) FROM pgbench_history WHERE filler LIKE '{}%'", ledger.tag());
    u64::try_from(postgres.query_number(database, &sql)).expect("a count")
}

#[test]
fn every_acknowledged_write_of_an_undisturbed_run_is_found_in_every_mode() {
    let postgres = shared();
    let database = postgres.pgbench_database();
    for mode in [QueryMode::Simple, QueryMode::Extended, QueryMode::Prepared] {
        let to = postgres.tcp(&database);
        let summary = run(&EngineJob { mode, ..writing(to.clone()) }).expect("the run is made");
        let audit = check(&to, ledger(&summary), &LedgerColumn::of_builtins());
        assert!(audit.is_clean(), "{mode:?}: {audit:?}");
        assert_eq!(
            audit.acknowledged,
            summary.successful_transactions() + summary.unfinished,
            "{mode:?}: those that drained, too"
        );
        assert_eq!(audit.acknowledged, rows(&postgres, &database, ledger(&summary)));
        assert_eq!((audit.failed, audit.unknown), (0, 0));
    }
}

#[test]
fn lost_duplicated_and_foreign_writes_are_counted_and_named() {
    let postgres = shared();
    let database = postgres.pgbench_database();
    let to = postgres.tcp(&database);
    let summary = run(&writing(to.clone())).expect("the run is made");
    let ledger = ledger(&summary);
    let [lost, duplicated] = ["min", "max"].map(|which| {
        let sql = format!("SELECT {which}(filler) FROM pgbench_history WHERE filler LIKE '{}%'", ledger.tag());
        postgres.query_database(&database, &sql)
    });
    assert_ne!(lost, duplicated);
    postgres.query_database(&database, &format!("DELETE FROM pgbench_history WHERE filler = '{lost}'"));
    postgres.query_database(&database, &format!("INSERT INTO pgbench_history (filler) VALUES ('{duplicated}')"));
    postgres.query_database(&database, &format!("INSERT INTO pgbench_history (filler) VALUES ('{}')", ledger.tag()));
    let audit = check(&to, ledger, &LedgerColumn::of_builtins());
    assert!(!audit.is_clean());
    let named = |entries: &[load::ledger::EntryId]| entries.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!((audit.lost.count, named(&audit.lost.named)), (1, vec![lost]));
    assert_eq!((audit.duplicated.count, named(&audit.duplicated.named)), (1, vec![duplicated]));
    assert_eq!((audit.foreign, audit.unexpected.count), (1, 0));
}

#[test]
fn what_failed_is_not_there_and_what_was_retried_is_there_once() {
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, "CREATE TABLE \"Order\" (entry numeric(22)); CREATE TABLE hot AS SELECT 0 AS n");
    let column = LedgerColumn { table: "\"Order\"".to_owned(), column: "entry".to_owned() };
    let to = postgres.tcp(&database);
    // Every third transaction divides by zero after its write; and the two clients get into each other's way.
    let text = "\\set n random(0, 2)
        BEGIN ISOLATION LEVEL REPEATABLE READ;
        INSERT INTO \"Order\" VALUES (:ledger);
        SELECT pg_sleep(0.001);
        UPDATE hot SET n = n + 1;
        SELECT 1 / :n;
        END;";
    for mode in [QueryMode::Simple, QueryMode::Prepared] {
        let job = EngineJob { mode, tries: Tries::Unlimited, ledger: LedgerKept::Yes, ..job(to.clone(), script(text)) };
        let summary = run(&job).expect("the run is made");
        let audit = check(&to, ledger(&summary), &column);
        assert!(audit.is_clean(), "{mode:?}: {audit:?}");
        assert!(audit.failed > 0 && audit.failed >= summary.failed, "{mode:?}: {audit:?}");
        assert!(
            audit.acknowledged > 0 && audit.acknowledged >= summary.successful_transactions(),
            "{mode:?}: {audit:?}"
        );
    }
}

#[test]
fn a_job_whose_scripts_do_not_keep_the_ledger_is_refused() {
    let postgres = shared();
    let to = postgres.tcp("postgres");
    let kept = |text| EngineJob { ledger: LedgerKept::Yes, ..job(to.clone(), script(text)) };
    assert!(complaint(&kept("SELECT 1;")).contains("requires a script that writes the variable \"ledger\""));
    let defined = vec![("ledger".to_owned(), "1".to_owned())];
    let twice = EngineJob { definitions: defined, ..kept("SELECT :ledger;") };
    assert!(complaint(&twice).contains("the variable \"ledger\" is defined"));
    assert!(complaint(&job(to.clone(), script("SELECT :ledger;"))).contains("ledger"));
}

/// How the server loses what it has only in memory.
#[derive(Debug, Clone, Copy)]
enum Crash {
    /// Immediate shutdown, and started again.
    Server,
    /// `kill -9` of one session: the server starts over.
    Session,
}

/// Crashes the server after a second under load; returns the run, what its ledger says, and the rows that are there.
fn crash(how: Crash, synchronous_commit: &str) -> (Summary, LedgerAudit, u64) {
    let postgres = Arc::new(Postgres::start());
    let database = postgres.pgbench_database();
    // Nobody writes the log out but those who commit and wait for it, and who needs its memory.
    for setting in ["wal_writer_delay = '10s'", "wal_writer_flush_after = '1GB'"] {
        postgres.query_database("postgres", &format!("ALTER SYSTEM SET {setting}"));
    }
    postgres.query_database("postgres", "SELECT pg_reload_conf()");
    let to = postgres.tcp(&database);
    let options = Some(format!("-c synchronous_commit={synchronous_commit}"));
    let job = EngineJob { measure: Duration::from_secs(5).into(), ..writing(ConnInfo { options, ..to.clone() }) };
    let mut crashed = None;
    let mut over = 0;
    let summary = run_watched(&job, |second| {
        if crashed.is_none() {
            let (postgres, database) = (Arc::clone(&postgres), database.clone());
            crashed = Some(std::thread::spawn(move || match how {
                Crash::Server => {
                    postgres.crash_server();
                    postgres.start_again();
                }
                Crash::Session => {
                    let sql = format!("SELECT min(pid) FROM pg_stat_activity WHERE datname = '{database}'");
                    let pid = i32::try_from(postgres.query_number("postgres", &sql)).expect("a process");
                    kill_process(Pid::from_raw(pid).expect("a process"), Signal::KILL).expect("it is there");
                }
            }));
        }
        over += second.outages.iter().filter(|change| matches!(change, OutageChange::Ended { .. })).count();
    })
    .expect("the run is made");
    crashed.expect("a second has passed").join().expect("the server comes back");
    assert!(over > 0, "{how:?}: somebody has gone on after the crash: {:?}", summary.outages);
    let audit = check(&to, ledger(&summary), &LedgerColumn::of_builtins());
    let rows = rows(&postgres, &database, ledger(&summary));
    (summary, audit, rows)
}

/// What holds after any crash.
fn adds_up(summary: &Summary, audit: &LedgerAudit, rows: u64) {
    assert!(audit.unknown >= summary.unknown && summary.unknown > 0, "{audit:?}");
    assert_eq!(rows, audit.acknowledged - audit.lost.count + audit.unknown_committed, "{audit:?}");
    assert_eq!(audit.unknown, audit.unknown_committed + audit.unknown_not_committed());
    assert_eq!((audit.unexpected.count, audit.duplicated.count, audit.foreign), (0, 0, 0), "{audit:?}");
}

#[test]
fn a_crash_loses_no_write_that_was_acknowledged_after_it_was_durable() {
    for how in [Crash::Server, Crash::Session] {
        let (summary, audit, rows) = crash(how, "on");
        adds_up(&summary, &audit, rows);
        assert_eq!(audit.lost.count, 0, "{how:?}");
        assert!(audit.is_clean());
    }
}

#[test]
fn writes_that_were_acknowledged_before_they_were_durable_are_lost_in_a_crash_and_found_out() {
    for how in [Crash::Server, Crash::Session] {
        let (summary, audit, rows) = crash(how, "off");
        adds_up(&summary, &audit, rows);
        assert!(audit.lost.count > 0, "{how:?}: {} acknowledged", audit.acknowledged);
        assert!(!audit.is_clean());
        assert_eq!(audit.lost.named.len() as u64, audit.lost.count.min(1_000));
    }
}
