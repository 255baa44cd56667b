//! The server's log against real servers: every version that `PGDYNO_TEST_PG_BINS` names, or Debian's.

use std::time::Duration;

use crate::postgres_server::{Server, installed_versions};
use jiff::Timestamp;
use probe::LogReader;
use results::log::{CheckpointCause, LogAccess, LogEvent, LogFormat, ServerLog, Severity};
use tokio_postgres::Client;

/// What is logged for these is known.
async fn provoke(client: &Client) {
    client.batch_execute("CHECKPOINT").await.unwrap();
    client.batch_execute("SELECT 1 / 0 AS secret").await.unwrap_err();
    let spill =
        "SET work_mem = '64kB'; SELECT count(*) FROM (SELECT generate_series(1, 30000) AS a ORDER BY a DESC) AS b";
    client.batch_execute(spill).await.unwrap();
}

/// Checks that the log has what was provoked after `begun`, and nothing of before.
#[track_caller]
fn check(log: &ServerLog, format: LogFormat, begun: Timestamp, version: u32) {
    assert_eq!((&log.origin.gaps, log.origin.format), (&vec![], Some(format)), "{version}");
    let has = |wanted: &dyn Fn(&LogEvent) -> bool| log.entries.iter().any(|entry| wanted(&entry.event));
    let requested = LogEvent::CheckpointStarting { cause: CheckpointCause::Requested, fast: true };
    assert!(has(&|event| *event == requested), "{version} {log:?}");
    assert!(
        has(&|event| matches!(event, LogEvent::CheckpointComplete(done) if done.total_us > 0)),
        "{version} {log:?}"
    );
    assert!(has(&|event| matches!(event, LogEvent::TemporaryFile { bytes } if *bytes > 100_000)), "{version} {log:?}");
    let sqlstate = LogEvent::Error { sqlstate: Some("22012".to_owned()) };
    assert_eq!(log.entries.iter().filter(|entry| entry.event == sqlstate).count(), 1, "{version} {log:?}");
    assert_eq!(log.origin.messages[&Severity::Error], 1, "{version} {log:?}");
    let messages: u64 = log.origin.messages.values().sum();
    assert!(log.origin.bytes > Some(20 * messages) && log.origin.over_us > Some(0), "{:?}", log.origin);
    // The server writes milliseconds, and its clock is not known to the last of them.
    let elapsed_us = Timestamp::now().as_microsecond() - begun.as_microsecond();
    assert!(log.entries.iter().all(|entry| (-20_000..elapsed_us).contains(&entry.at_us)), "{version} {log:?}");
    assert!(!format!("{log:?}").contains("secret"));
}

async fn set(client: &Client, settings: &[(&str, &str)]) {
    for (name, value) in settings {
        client.batch_execute(&format!("ALTER SYSTEM SET {name} = {value}")).await.unwrap();
    }
    client.batch_execute("SELECT pg_reload_conf()").await.unwrap();
}

const TALKATIVE: &[(&str, &str)] = &[
    ("log_checkpoints", "on"),
    ("log_temp_files", "0"),
    ("log_line_prefix", "'%m [%p] %e '"),
    ("log_timezone", "'Asia/Kathmandu'"),
    ("logging_collector", "on"),
    ("log_filename", "'log-%H%M%S'"),
];

/// A server whose collector writes every format that the version has.
async fn collecting() -> Vec<(Server, Vec<(LogFormat, &'static str)>)> {
    let mut servers = Vec::new();
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let mut formats = vec![(LogFormat::Stderr, "stderr"), (LogFormat::Csvlog, "csvlog")];
        formats.extend((server.major_version() >= 15).then_some((LogFormat::Jsonlog, "jsonlog")));
        set(&server.client().await, TALKATIVE).await;
        server.crash_server();
        server.start_again();
        servers.push((server, formats));
    }
    servers
}

/// Returns when new sessions have the setting.
async fn await_setting(server: &Server, name: &str, value: &str) {
    let begun = std::time::Instant::now();
    loop {
        let row = server.client().await.query_one(&format!("SHOW {name}"), &[]).await.unwrap();
        if row.get::<_, String>(0) == value {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{name} never became {value}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_log_of_every_version_is_read_in_every_format_through_the_server_and_over_a_rotation() {
    for (server, formats) in collecting().await {
        for (format, word) in formats {
            set(&server.client().await, &[("log_destination", &format!("'{word}'"))]).await;
            await_setting(&server, "log_destination", word).await;
            let client = server.client().await;
            // The collector opens its files on its own time.
            tokio::time::sleep(Duration::from_millis(200)).await;
            let reader = LogReader::attach_to_log(&server.config(), None).await;
            let begun = Timestamp::now();
            provoke(&client).await;
            client.batch_execute("SELECT pg_rotate_logfile()").await.unwrap();
            // The collector writes on its own time.
            tokio::time::sleep(Duration::from_millis(300)).await;
            let log = reader.read_since_attached(begun).await;
            check(&log, format, begun, server.major_version());
            assert_eq!(log.origin.access, Some(LogAccess::Server));
            assert!(log.origin.clock_ahead_us.is_some_and(|ahead_us| ahead_us.abs() < 500_000), "{:?}", log.origin);
        }
    }
}

#[tokio::test]
async fn the_log_of_a_server_of_pgdynos_own_is_read_as_a_file_also_when_the_server_is_gone() {
    for bin in installed_versions() {
        let server = Server::start(&bin);
        let client = server.client().await;
        set(&client, &TALKATIVE[..4]).await;
        await_setting(&server, "log_timezone", "Asia/Kathmandu").await;
        let file = server.log_path();
        let reader = LogReader::attach_to_log(&server.config(), Some(&file)).await;
        let begun = Timestamp::now();
        provoke(&client).await;
        drop(client);
        server.crash_server();
        let log = reader.read_since_attached(begun).await;
        check(&log, LogFormat::Stderr, begun, server.major_version());
        assert_eq!((log.origin.access, log.origin.clock_ahead_us), (Some(LogAccess::File), None));
    }
}

#[tokio::test]
async fn a_log_that_may_not_be_read_is_a_gap_until_what_its_hint_says_is_granted() {
    let (server, _) = collecting().await.remove(0);
    let admin = server.client().await;
    admin.batch_execute("CREATE ROLE bench LOGIN").await.unwrap();
    let mut config = server.config();
    config.user("bench");
    let gap = || async {
        LogReader::attach_to_log(&config, None).await.read_since_attached(Timestamp::now()).await.origin.gaps
    };
    let hint = "GRANT pg_monitor TO \"bench\"; GRANT EXECUTE ON FUNCTION pg_read_binary_file(text, bigint, bigint, boolean) \
                TO \"bench\"";
    let gaps = gap().await;
    assert!(gaps.len() == 1 && gaps[0].starts_with("the server's log is not permitted: "), "{gaps:?}");
    assert!(gaps[0].ends_with(hint), "{gaps:?}");
    admin.batch_execute(hint).await.unwrap();
    let reader = LogReader::attach_to_log(&config, None).await;
    admin.batch_execute("CHECKPOINT").await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let log = reader.read_since_attached(Timestamp::now()).await;
    assert_eq!(log.origin.gaps, Vec::<String>::new());
    assert!(!log.entries.is_empty());
}

#[tokio::test]
async fn a_log_that_nobody_collects_and_a_server_that_is_not_there_are_gaps() {
    let server = Server::start(&installed_versions()[0]);
    let log = LogReader::attach_to_log(&server.config(), None).await.read_since_attached(Timestamp::now()).await;
    assert!(log.origin.gaps[0].contains("hint: logging_collector = on"), "{log:?}");
    let empty = tempfile::tempdir().unwrap();
    let mut config = control::Config::new();
    config.host_path(empty.path()).user("postgres");
    let log = LogReader::attach_to_log(&config, None).await.read_since_attached(Timestamp::now()).await;
    assert!(log.origin.gaps[0].starts_with("not connected: "), "{log:?}");
    assert_eq!((log.entries, log.origin.access), (vec![], None));
}
