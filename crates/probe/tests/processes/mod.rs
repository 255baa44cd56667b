//! What the server does beyond the load's sessions, of every version: processes by kind, slots, prepared transactions.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use probe::{ActivitySampling, HostScope, LoadProcesses, Probes};
use results::interval::Reading;

use crate::postgres_server::{Server, installed_versions};
use crate::{AT_MOST, Readings, local_host, read_until};

/// Ends a program that a test has started.
struct StartedProgram(Child);

impl Drop for StartedProgram {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn figure_of_probe(readings: &Readings, probe: &str, name: &str) -> Option<f64> {
    match &readings[probe] {
        Reading::Values { values, .. } => values.get(name).copied(),
        Reading::Gap { .. } => None,
    }
}

/// `pg_recvlogical`, which decodes what the slot `changes` keeps; none where the programs have none.
fn start_decoding(bin: &Path, server: &Server) -> Option<StartedProgram> {
    let program = bin.join("pg_recvlogical");
    let mut command = Command::new(program);
    command.arg("--host").arg(server.server_directory()).args(["--port", &server.tcp_port().to_string()]);
    command.args(["--username", "postgres", "--dbname", "postgres", "--slot", "changes", "--start", "--no-loop"]);
    command.args(["--file", "/dev/null"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().ok().map(StartedProgram)
}

fn scope_of_server(server: &Server, load: LoadProcesses) -> HostScope {
    let written = std::fs::read_to_string(server.data_directory().join("postmaster.pid")).unwrap();
    let postmaster = written.lines().next().unwrap().parse().unwrap();
    HostScope { postmaster: Some(postmaster), load, ..local_host() }
}

#[tokio::test]
async fn a_session_in_another_database_is_a_kind_of_its_own_beside_the_server_s() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut config = server.config();
        config.application_name("load");
        let load = server.client_of(&config).await;
        load.batch_execute("CREATE DATABASE another").await.unwrap();
        let known = LoadProcesses::default();
        let activity = ActivitySampling::attach_sampler(&server.config(), "load", known.clone());
        let mut config = server.config();
        config.dbname("another").application_name("report");
        let report = server.client_of(&config).await;
        let busy =
            tokio::spawn(
                async move { report.batch_execute("SELECT count(*) FROM generate_series(1, 500000000)").await },
            );
        let mut probes = Probes::attach_probes(Some(&server.config()), Some(scope_of_server(&server, known))).await;
        probes.take_first_snapshot().await;
        let readings = read_until(&mut probes, |readings| {
            figure_of_probe(readings, "host.processes", "other sessions.cpu_us").is_some_and(|us| us > 10_000.0)
        })
        .await;
        for kind in ["checkpointer", "walwriter", "autovacuum launcher", "background writer"] {
            let processes = figure_of_probe(&readings, "host.processes", &format!("{kind}.processes"));
            assert_eq!(processes, Some(1.0), "{kind}: {readings:?}");
        }
        assert!(figure_of_probe(&readings, "host.processes", "postmaster.cpu_us").is_some(), "{readings:?}");
        let begun = Instant::now();
        loop {
            let window = activity.take_window();
            let mut of_another = window.processes.iter().filter(|one| one.database.as_deref() == Some("another"));
            if of_another.any(|one| one.kind == "client backend") {
                break;
            }
            assert!(begun.elapsed() < AT_MOST, "{window:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        busy.abort();
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'report'";
        load.batch_execute(end).await.unwrap();
    }
}

#[tokio::test]
async fn a_slot_its_decoder_and_a_prepared_transaction_are_seen() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let admin = server.client().await;
        for setting in ["wal_level = logical", "max_prepared_transactions = 5"] {
            admin.batch_execute(&format!("ALTER SYSTEM SET {setting}")).await.unwrap();
        }
        server.crash_server();
        server.start_again();
        let admin = server.client().await;
        let slot = "SELECT pg_create_logical_replication_slot('changes', 'test_decoding')";
        if admin.batch_execute(slot).await.is_err() {
            continue;
        }
        admin.batch_execute("CREATE TABLE t (a int)").await.unwrap();
        admin.batch_execute("BEGIN; INSERT INTO t VALUES (1)").await.unwrap();
        admin.batch_execute("PREPARE TRANSACTION 'kept'").await.unwrap();
        let mut probes =
            Probes::attach_probes(Some(&server.config()), Some(scope_of_server(&server, LoadProcesses::default())))
                .await;
        probes.take_first_snapshot().await;
        let readings = read_until(&mut probes, |readings| {
            figure_of_probe(readings, "pg.slots", "inactive_slots") == Some(1.0)
                && figure_of_probe(readings, "pg.horizon", "prepared_transactions") == Some(1.0)
        })
        .await;
        let slots =
            ["slots", "logical_slots", "subscription_workers"].map(|name| figure_of_probe(&readings, "pg.slots", name));
        assert_eq!(slots, [Some(1.0), Some(1.0), Some(0.0)]);
        assert!(
            figure_of_probe(&readings, "pg.horizon", "oldest_prepared_us").is_some_and(|us| us > 0.0),
            "{readings:?}"
        );
        assert!(
            figure_of_probe(&readings, "pg.slots", "retained_bytes").is_some_and(|bytes| bytes > 0.0),
            "{readings:?}"
        );

        let Some(decoder) = start_decoding(&bin, &server) else { continue };
        let activity = ActivitySampling::attach_sampler(&server.config(), "load", LoadProcesses::default());
        let mut decoded = 0.0;
        let writing = tokio::spawn(async move {
            while admin.batch_execute("INSERT INTO t SELECT generate_series(1, 1000)").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        read_until(&mut probes, |readings| {
            decoded += figure_of_probe(readings, "pg.slots", "decoded_bytes").unwrap_or_default();
            figure_of_probe(readings, "host.processes", "walsender.processes") == Some(1.0) && decoded > 100_000.0
        })
        .await;
        let begun = Instant::now();
        while !activity.take_window().processes.iter().any(|one| one.slot.as_deref() == Some("changes")) {
            assert!(begun.elapsed() < AT_MOST, "no walsender of the slot was seen");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        writing.abort();
        drop(decoder);
    }
}
