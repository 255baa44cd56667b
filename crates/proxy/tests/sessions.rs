//! Real clients through the proxy to a real PostgreSQL: what they get is what they get without it, and what they did is
//! in the capture.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use capture::TrafficCapture;
use capture::directory::{CaptureReader, CaptureSummary, EventAction, Execution};
use capture::mask::ValueMask;
use conninfo::{ConnInfo, EncryptionMode, ServerHost};
use proxy::{DEFAULT_MEMORY_BYTES, ProxyIdentity, ProxyOptions, RunningProxy, start_proxy};
use testbed::{Postgres, Setup};
use tokio_postgres::{Client, NoTls};
use wire::tls::{TlsOptions, TlsSettings};

/// A proxy with its capture.
struct Passing {
    proxy: RunningProxy,
    place: tempfile::TempDir,
}

/// What a capture has.
struct Captured {
    summary: CaptureSummary,
    /// The text and the execution of each statement.
    executions: Vec<(String, Execution)>,
    directory: PathBuf,
    _place: tempfile::TempDir,
}

fn options_for(server: &Postgres) -> ProxyOptions {
    let host = ServerHost::tcp_from_name("127.0.0.1");
    ProxyOptions {
        listen: vec![SocketAddr::from(([127, 0, 0, 1], 0))],
        server: ConnInfo::new((host, server.tcp_port()), "nobody", "nothing"),
        identity: None,
        database: None,
        user: None,
        memory_bytes: DEFAULT_MEMORY_BYTES,
        threads: 2,
    }
}

impl Passing {
    fn start(options: &ProxyOptions) -> Self {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("capture");
        let proxy = start_proxy(options, || {
            TrafficCapture::create_directory(&directory, ValueMask::new_open(), jiff::Timestamp::now())
                .map_err(|error| error.to_string())
        });
        Self { proxy: proxy.unwrap(), place }
    }

    fn port(&self) -> u16 {
        self.proxy.listening_addresses()[0].port()
    }

    fn conninfo(&self) -> String {
        format!("host=127.0.0.1 port={} user=postgres dbname=postgres", self.port())
    }

    async fn connect(&self) -> Client {
        let (client, connection) = tokio_postgres::connect(&self.conninfo(), NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    fn stop(self) -> Captured {
        let summary = self.proxy.stop_proxy().unwrap();
        let directory = self.place.path().join("capture");
        let reader = CaptureReader::open_capture(&directory).unwrap();
        let mut executions = Vec::new();
        for event in reader.event_stream() {
            if let EventAction::Execute(execution) = event.unwrap().action {
                let text = reader.statement_by_id(execution.statement).unwrap().text.clone();
                executions.push((text, execution));
            }
        }
        Captured { summary, executions, directory, _place: self.place }
    }
}

impl Captured {
    fn texts(&self) -> Vec<&str> {
        self.executions.iter().map(|(text, _)| text.as_str()).collect()
    }

    fn losses(&self) -> Vec<(&str, u64)> {
        self.summary.losses.iter().map(|loss| (loss.reason.as_str(), loss.count)).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn binary_parameters_rows_and_transactions_are_captured() {
    let server = Postgres::start_default();
    let passing = Passing::start(&options_for(&server));
    let client = passing.connect().await;
    client
        .batch_execute(
            "CREATE TABLE orders (id bigserial PRIMARY KEY, customer int, total numeric, tags text[], at timestamptz)",
        )
        .await
        .unwrap();
    let insert = "INSERT INTO orders (customer, tags, at) VALUES ($1, $2, now()) RETURNING id";
    let row = client.query_one(insert, &[&7, &vec![Some("a b"), None]]).await.unwrap();
    let id: i64 = row.get(0);
    client.batch_execute("BEGIN").await.unwrap();
    client.execute("UPDATE orders SET customer = $2 WHERE id = $1", &[&id, &8]).await.unwrap();
    client.batch_execute("COMMIT").await.unwrap();
    client.execute("INSERT INTO orders (id) VALUES ($1)", &[&id]).await.unwrap_err();
    drop(client);
    let captured = passing.stop();
    let [create, inserted, begin, update, commit, failed] = captured.executions.as_slice() else {
        panic!("{:?}", captured.texts())
    };
    assert!(create.1.rows.is_none());
    assert_eq!(inserted.1.parameters, [Some("7".to_owned()), Some("{\"a b\",NULL}".to_owned())]);
    assert_eq!((inserted.1.rows, inserted.1.rows_hash.is_some()), (Some(1), true));
    assert_eq!(update.1.parameters, [Some("1".to_owned()), Some("8".to_owned())]);
    let origin = update.1.origins.as_slice();
    // The events before: connection and CREATE TABLE.
    assert_eq!((origin.len(), origin[0].place, origin[0].event, origin[0].column), (1, 0, 2, 0));
    assert_eq!(begin.1.transaction, commit.1.transaction);
    assert_ne!(inserted.1.transaction, begin.1.transaction);
    assert_eq!(failed.1.error.as_deref(), Some("23505"));
    assert_eq!(captured.losses(), []);
    assert_eq!((captured.summary.sessions, captured.summary.transactions), (1, 4));
    assert!(captured.summary.server_version.is_some() && captured.summary.complete);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_to_cancel_reach_the_session_that_they_mean() {
    let server = Postgres::start_default();
    let passing = Passing::start(&options_for(&server));
    let (other, client) = (passing.connect().await, passing.connect().await);
    let token = client.cancel_token();
    let sleeping = tokio::spawn(async move { client.batch_execute("SELECT pg_sleep(60)").await });
    server.await_that(
        "SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()",
    );
    token.cancel_query(NoTls).await.unwrap();
    let error = sleeping.await.unwrap().unwrap_err();
    assert_eq!(error.code().unwrap().code(), "57014");
    other.batch_execute("SELECT 1").await.unwrap();
    drop(other);
    let captured = passing.stop();
    let mut errors: Vec<Option<&str>> = captured.executions.iter().map(|(_, it)| it.error.as_deref()).collect();
    errors.sort_unstable();
    assert_eq!(errors, [None, Some("57014")]);
}

#[test]
fn psql_copies_listens_and_gets_notices() {
    let server = Postgres::start_default();
    let passing = Passing::start(&options_for(&server));
    let sql = "CREATE TABLE t (a int);
COPY t FROM STDIN;
1
2
\\.
COPY t TO STDOUT;
LISTEN news;
NOTIFY news, 'fresh';
DO $$ BEGIN RAISE NOTICE 'noticed'; END $$;
INSERT INTO t SELECT g FROM generate_series(1, 100000) g;
SELECT count(*) FROM (SELECT repeat('x', 100) FROM t) s;
SELECT repeat('y', 3000000);
SELECT a FROM t ORDER BY a OFFSET 99999;
";
    let file = server.write_file("all.sql", sql);
    let run = |conninfo: &str| {
        let mut psql = server.psql_command(conninfo);
        psql.args(["-X", "-v", "ON_ERROR_STOP=1", "-f"]).arg(&file);
        let output = psql.output().unwrap();
        // The process that notified is another one each time.
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let lines: Vec<String> =
            text.lines().filter(|line| !line.starts_with("Asynchronous")).map(str::to_owned).collect();
        (output.status.success(), lines)
    };
    let through = run(&passing.conninfo());
    server.query_postgres("DROP TABLE t");
    let direct = run(&format!("host=127.0.0.1 port={} user=postgres dbname=postgres", server.tcp_port()));
    assert_eq!(through, direct);
    assert!(through.0, "{:?}", through.1);
    let captured = passing.stop();
    let expected = [
        "CREATE TABLE t (a int)",
        "COPY t FROM STDIN",
        "COPY t TO STDOUT",
        "LISTEN news",
        "NOTIFY news, $1",
        "DO $1",
        "INSERT INTO t SELECT g FROM generate_series($1, $2) g",
        "SELECT count(*) FROM (SELECT repeat($1, $2) FROM t) s",
        "SELECT repeat($1, $2)",
        "SELECT a FROM t ORDER BY a OFFSET $1",
    ];
    assert_eq!(captured.texts(), expected);
    let rows: Vec<Option<u64>> = captured.executions.iter().map(|(_, it)| it.rows).collect();
    assert_eq!(rows[1..3], [Some(2), Some(2)]);
    assert_eq!(rows[6..], [Some(100_000), Some(1), Some(1), Some(3)]);
    assert_eq!(captured.losses(), []);
}

#[test]
fn scram_passes_through_and_no_password_is_written() {
    let hba = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
    let server = Setup { hba: hba.to_owned(), ..Setup::default() }.start_server();
    server.query_postgres("CREATE ROLE bob LOGIN PASSWORD 'Tr0ub4dor'");
    let passing = Passing::start(&options_for(&server));
    let conninfo = format!("host=127.0.0.1 port={} user=bob dbname=postgres password=Tr0ub4dor", passing.port());
    assert_eq!(server.try_sql(&conninfo, "SELECT 41 + 1").unwrap().trim(), "42");
    let wrong = server.try_sql(&conninfo.replace("Tr0ub4dor", "Wr0ngWr0ng"), "SELECT 1").unwrap_err();
    assert!(wrong.contains("password authentication failed"), "{wrong}");
    server.try_sql(&conninfo, "ALTER ROLE bob PASSWORD 'N3wS3cret'").unwrap();
    let captured = passing.stop();
    assert_eq!(captured.texts(), ["SELECT $1 + $2", "ALTER ROLE bob PASSWORD $1"]);
    for secret in ["Tr0ub4dor", "Wr0ngWr0ng", "N3wS3cret", "SCRAM"] {
        assert!(!contains_text(&captured.directory, secret), "{secret}");
    }
}

/// Whether a file of a capture has this text, compressed or not.
fn contains_text(directory: &std::path::Path, text: &str) -> bool {
    let mut found = false;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found |= contains_text(&path, text);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            found |= String::from_utf8_lossy(&bytes).contains(text);
        }
    }
    let events = CaptureReader::open_capture(directory);
    if let Ok(reader) = events {
        for event in reader.event_stream() {
            found |= format!("{:?}", event.unwrap()).contains(text);
        }
    }
    found
}

fn certificate_and_key() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

/// A server with TLS and SCRAM, so that it offers a login with channel binding.
fn server_with_tls() -> Postgres {
    let hba = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";
    let server = Setup { hba: hba.to_owned(), ..Setup::default() }.make_server();
    let (certificate, key) = certificate_and_key();
    for (name, text) in [("server.crt", certificate), ("server.key", key)] {
        let path = server.data_directory().join(name);
        std::fs::write(&path, text).unwrap();
        testbed::give_to_postgres(&path);
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    }
    server.append_configuration("ssl = on\n");
    server.start_again();
    server.query_postgres("CREATE ROLE bob LOGIN PASSWORD 'Tr0ub4dor'");
    server
}

#[test]
fn both_sides_are_encrypted_if_they_are_asked_to_be() {
    let server = server_with_tls();
    let (certificate, key) = certificate_and_key();
    let mut options = options_for(&server);
    options.server.encryption = EncryptionMode::Always(TlsSettings::new(&TlsOptions::default()).unwrap());
    options.identity = Some(ProxyIdentity { certificates: certificate.into_bytes(), key: key.into_bytes() });
    let passing = Passing::start(&options);
    let conninfo = format!("host=127.0.0.1 port={} user=bob dbname=postgres password=Tr0ub4dor", passing.port());
    let sql = "SELECT ssl, length(repeat('x', 2000000)) FROM pg_stat_ssl WHERE pid = pg_backend_pid(); SELECT repeat('y', 2000000)";
    for client in ["sslmode=disable", "sslmode=require channel_binding=disable"] {
        let said = server.try_sql(&format!("{conninfo} {client}"), sql).unwrap();
        assert_eq!(said.trim().len(), "t|2000000\n".len() + 2_000_000, "{client}");
    }
    let said = server.try_sql(&format!("{conninfo} sslmode=require channel_binding=require"), "SELECT 1");
    assert!(said.unwrap_err().contains("channel binding"));
    // Each text has two statements.
    assert_eq!(passing.stop().executions.len(), 2);
}

#[test]
fn a_client_that_insists_on_tls_is_refused_without_a_certificate() {
    let server = Postgres::start_default();
    let passing = Passing::start(&options_for(&server));
    let said = server.try_sql(&format!("{} sslmode=require", passing.conninfo()), "SELECT 1").unwrap_err();
    assert!(said.contains("does not support SSL"), "{said}");
    assert_eq!(server.try_sql(&format!("{} sslmode=prefer", passing.conninfo()), "SELECT 1").unwrap().trim(), "1");
    passing.stop();
}

#[test]
fn a_dead_server_is_told_to_clients_and_used_again_when_it_lives() {
    let server = Postgres::start_default();
    let passing = Passing::start(&options_for(&server));
    assert_eq!(server.try_sql(&passing.conninfo(), "SELECT 1").unwrap().trim(), "1");
    server.stop_in_order();
    let said = server.try_sql(&passing.conninfo(), "SELECT 1").unwrap_err();
    assert!(said.contains("pgdyno could not connect to"), "{said}");
    server.start_again();
    assert_eq!(server.try_sql(&passing.conninfo(), "SELECT 2").unwrap().trim(), "2");
    assert_eq!(passing.stop().executions.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_vanish_leave_no_session_behind() {
    let server = Postgres::start_default();
    let passing = Passing::start(&options_for(&server));
    for bytes in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", &[0, 0, 0, 8, 4, 210, 22, 47]] {
        let mut socket = TcpStream::connect(("127.0.0.1", passing.port())).unwrap();
        socket.write_all(bytes).unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let _answer_or_none = socket.read(&mut [0; 10]);
    }
    let client = passing.connect().await;
    client.batch_execute("BEGIN").await.unwrap();
    drop(client);
    server.await_that(
        "SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    let captured = passing.stop();
    assert_eq!(captured.texts(), ["BEGIN"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_memory_clients_go_on_and_what_is_lost_is_counted() {
    let server = Postgres::start_default();
    let passing = Passing::start(&ProxyOptions { memory_bytes: 4_096, ..options_for(&server) });
    let client = passing.connect().await;
    for number in 0..200 {
        let text = format!("SELECT repeat('x', 3000), {number}");
        client.batch_execute(&text).await.unwrap();
    }
    // By now all is recorded that waited.
    tokio::time::sleep(Duration::from_millis(300)).await;
    client.batch_execute("SELECT 'the end'").await.unwrap();
    drop(client);
    let captured = passing.stop();
    let lost: u64 = captured.losses().iter().filter(|(reason, _)| *reason == "capture-behind").map(|it| it.1).sum();
    assert!(lost > 0, "{:?}", captured.losses());
    assert_eq!(lost + captured.executions.len() as u64, 201, "{:?}", captured.losses());
    assert_eq!(captured.texts().last(), Some(&"SELECT $1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_go_on_when_the_capture_cannot_be_written() {
    let server = Postgres::start_default();
    let passing = Passing::start(&options_for(&server));
    // The directory of events is gone: the first file of events cannot be made.
    std::fs::remove_dir_all(passing.place.path().join("capture/events")).unwrap();
    let client = passing.connect().await;
    client.batch_execute("SELECT 1").await.unwrap();
    let mut failure = None;
    for _ in 0..100 {
        failure = failure.or_else(|| passing.proxy.take_recording_failure());
        client.batch_execute("SELECT 1").await.unwrap();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(failure.unwrap().contains("could not create"));
    drop(client);
    let error = passing.proxy.stop_proxy().unwrap_err().to_string();
    assert!(error.contains("the capture is not complete"), "{error}");
}

#[test]
fn sessions_of_other_databases_are_passed_and_not_captured() {
    let server = Postgres::start_default();
    let database = server.empty_database();
    let passing = Passing::start(&ProxyOptions { database: Some("postgres".to_owned()), ..options_for(&server) });
    let other = format!("host=127.0.0.1 port={} user=postgres dbname={database}", passing.port());
    assert_eq!(server.try_sql(&other, "SELECT 1").unwrap().trim(), "1");
    assert_eq!(server.try_sql(&passing.conninfo(), "SELECT 2").unwrap().trim(), "2");
    let captured = passing.stop();
    assert_eq!(captured.executions.len(), 1);
    assert_eq!(captured.executions[0].1.literals, ["2"]);
}
