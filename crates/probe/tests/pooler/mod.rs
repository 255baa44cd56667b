//! The pooler's probes against a real PgBouncer with one connection to its server.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::postgres_server::{Server, installed_versions};
use crate::{Readings, gap, read_until, values};
use probe::Probes;
use results::interval::Reading;
use testbed::{Kept, Signal, as_postgres, free_port};

/// A PgBouncer that ends with its test.
struct Bouncer {
    process: Option<Kept>,
    port: u16,
}

impl Bouncer {
    fn start(server: &Server) -> Self {
        let (port, sockets) = (free_port(), server.server_directory().display());
        let users = server.write_file("users", "\"postgres\" \"\"\n\"nobody\" \"\"\n");
        let settings = format!(
            "[databases]\npostgres = host={sockets} port={} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = trust\nauth_file = {}\nstats_users = postgres\n\
             pool_mode = transaction\ndefault_pool_size = 1\n",
            server.tcp_port(),
            users.display()
        );
        // scripts/setup test installs it.
        let mut pgbouncer = as_postgres("pgbouncer");
        pgbouncer
            .arg("--quiet")
            .arg(server.write_file("pgbouncer.ini", &settings))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self { process: Some(Kept::start_command(&mut pgbouncer, Signal::KILL)), port }
    }

    fn config(&self, database: &str, user: &str) -> control::Config {
        let mut config = control::Config::new();
        config.host("127.0.0.1").port(self.port).user(user).dbname(database);
        config
    }
}

fn level(readings: &Readings, probe: &str, name: &str) -> Option<f64> {
    match readings.get(probe)? {
        Reading::Values { values, .. } => values.get(name).copied(),
        Reading::Gap { .. } => None,
    }
}

#[tokio::test]
async fn clients_that_wait_for_the_poolers_only_connection_are_seen_and_the_time_that_they_waited() {
    let server = Server::start(&installed_versions()[0]);
    let mut bouncer = Bouncer::start(&server);
    let mut probes =
        Probes::attach_probes(None, None).await.with_pooler(Some(&bouncer.config("pgbouncer", "postgres"))).await;
    read_until(&mut probes, |readings| level(readings, "pooler.pools", "clients_waiting") == Some(0.0)).await;

    let holder = server.client_of(&bouncer.config("postgres", "postgres")).await;
    holder.simple_query("BEGIN").await.unwrap();
    let waiter = server.client_of(&bouncer.config("postgres", "postgres")).await;
    let waiting = tokio::spawn(async move { waiter.simple_query("SELECT 1").await });
    let readings =
        read_until(&mut probes, |readings| level(readings, "pooler.pools", "clients_waiting") == Some(1.0)).await;
    let pools = values(&readings, "pooler.pools");
    assert_eq!((pools["clients_active"], pools["servers_active"]), (1.0, 1.0), "{pools:?}");
    holder.simple_query("COMMIT").await.unwrap();
    waiting.await.unwrap().unwrap();
    // A transaction is counted when it begins, a query and the wait before it when it has ended.
    let begun = Instant::now();
    let (mut waited_us, mut queries) = (0.0, 0.0);
    while waited_us == 0.0 || queries < 1.0 {
        let readings = probes.read_all().await;
        waited_us += level(&readings, "pooler.stats", "wait_time_us").unwrap_or(0.0);
        queries += level(&readings, "pooler.stats", "queries").unwrap_or(0.0);
        assert!(begun.elapsed() < Duration::from_secs(30), "{waited_us} µs, {queries} queries");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    drop(bouncer.process.take());
    read_until(
        &mut probes,
        |readings| matches!(&readings["pooler.pools"], Reading::Gap { gap, .. } if gap.starts_with("not connected: ")),
    )
    .await;
}

#[tokio::test]
async fn a_console_that_does_not_let_one_in_is_a_gap_that_says_who_it_would() {
    let server = Server::start(&installed_versions()[0]);
    let bouncer = Bouncer::start(&server);
    let mut probes =
        Probes::attach_probes(None, None).await.with_pooler(Some(&bouncer.config("pgbouncer", "nobody"))).await;
    let readings = read_until(
        &mut probes,
        |readings| matches!(&readings["pooler.pools"], Reading::Gap { gap, .. } if !gap.contains("refused (os error")),
    )
    .await;
    assert!(gap(&readings, "pooler.pools").contains("not allowed"), "{readings:?}");
    // A server in place of a pooler.
    let mut probes = Probes::attach_probes(None, None).await.with_pooler(Some(&server.config())).await;
    let readings = probes.read_all().await;
    let reason = gap(&readings, "pooler.pools");
    assert!(reason.contains("hint: connect to the database pgbouncer"), "{reason}");
}

#[tokio::test]
async fn probes_through_a_pooler_leave_no_setting_on_the_session_that_it_lends_to_others() {
    let server = Server::start(&installed_versions()[0]);
    let bouncer = Bouncer::start(&server);
    let config = bouncer.config("postgres", "postgres");
    let mut probes = Probes::attach_probes(Some(&config), None).await;
    read_until(&mut probes, |readings| level(readings, "pg.database", "commits").is_some()).await;
    let other = server.client_of(&config).await;
    for (setting, value) in [("default_transaction_read_only", "off"), ("statement_timeout", "0"), ("jit", "on")] {
        let rows = other.simple_query(&format!("SHOW {setting}")).await.unwrap();
        let shown = rows.iter().find_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        assert_eq!(shown, Some(value), "{setting}");
    }
}
