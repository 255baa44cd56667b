//! Who is let in, and what is said to who is not.

use crate::server::{by, server, shared};
use crate::{builtin, complaint, fake, job, run, script};
use conninfo::ServerHost;
use load::{EngineJob, QueryMode};
use std::num::NonZeroU32;

const SELECT: &str = "SELECT 1;";

#[test]
pub(crate) fn every_way_to_log_in_works_over_unix_and_tcp() {
    let postgres = shared();
    for to in [postgres.unix("postgres"), postgres.tcp("postgres")] {
        let logins = ["password", "md5", "scram-sha-256"].map(|method| by(method, "sesame", to.clone()));
        for login in logins.into_iter().chain([to]) {
            let user = login.user.clone();
            let summary = run(&job(login, script(SELECT))).unwrap_or_else(|error| panic!("{user}: {error}"));
            assert!(summary.successful_transactions() > 0, "{user}");
            assert_eq!((summary.failed, summary.unknown, summary.outages.len()), (0, 0, 0), "{user}");
        }
    }
}

#[test]
fn a_wrong_password_is_told_and_never_shown() {
    let postgres = shared();
    for method in ["password", "md5", "scram-sha-256"] {
        let job = job(by(method, "open barley", postgres.unix("postgres")), script(SELECT));
        let told = complaint(&job);
        assert!(told.contains("28P01") && told.contains("check the password"), "{told}");
        assert!(!format!("{told}{job:?}").contains("barley"), "{told} {job:?}");
    }
}

#[test]
fn a_missing_password_is_asked_for() {
    let postgres = shared();
    let mut to = by("scram-sha-256", "", postgres.tcp("postgres"));
    to.password = None;
    let told = complaint(&job(to, script(SELECT)));
    assert!(told.contains("requires a password, but none was specified") && told.contains("PGPASSWORD"), "{told}");
}

#[test]
fn an_unknown_database_and_an_unknown_role_are_told_apart() {
    let postgres = shared();
    let told = complaint(&job(postgres.unix("nowhere"), script(SELECT)));
    assert!(told.contains("3D000") && told.contains("database \"nowhere\" does not exist"), "{told}");
    let told = complaint(&job(by("nobody", "", postgres.unix("postgres")), script(SELECT)));
    assert!(told.contains("28000") && told.contains("pg_hba.conf"), "{told}");
}

#[test]
pub(crate) fn more_clients_than_the_server_takes_end_the_run_before_it_begins() {
    // A limit of a database of its own, since the other tests need the server's connections.
    let postgres = shared();
    let database = postgres.empty_database();
    postgres.query_database(&database, &format!("ALTER DATABASE {database} CONNECTION LIMIT 4"));
    let many = NonZeroU32::new(8).expect("not zero");
    let login = by("password", "sesame", postgres.unix(&database));
    let told = complaint(&EngineJob { clients: many, ..job(login, script(SELECT)) });
    assert!(told.contains("53300") && told.contains("max_connections"), "{told}");
}

#[test]
fn a_missing_table_is_told_when_its_statement_is_prepared() {
    let postgres = shared();
    let told = complaint(&job(postgres.unix(&postgres.empty_database()), builtin("select-only")));
    assert!(told.contains("could not prepare a statement of script \"select-only\" (42P01)"), "{told}");
}

#[test]
pub(crate) fn nobody_there_is_a_refused_connection() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port");
    let at = (ServerHost::tcp_from_name("127.0.0.1"), free.port());
    let told = complaint(&job(server(at, "postgres"), script(SELECT)));
    assert!(told.contains(&format!("could not connect to server \"127.0.0.1:{}\"", free.port())), "{told}");
    assert!(told.contains("Connection refused"), "{told}");
    let at = (ServerHost::Unix("/nonexistent".into()), 5432);
    let told = complaint(&job(server(at, "postgres"), script(SELECT)));
    assert!(told.contains("\"/nonexistent/.s.PGSQL.5432\"") && told.contains("No such file"), "{told}");
}

#[test]
pub(crate) fn what_is_no_postgresql_is_called_so() {
    let cases: [(&[u8], &str); 4] = [
        (
            b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
            "not a PostgreSQL server: its answer begins with \"HTTP/\"",
        ),
        (
            b"\0\x01\x02\x03\x04\x05\x06\x07",
            "not a PostgreSQL server: its answer begins with \"\\x00\\x01\\x02\\x03\\x04\"",
        ),
        (b"EFATAL:  unsupported frontend protocol 3.0\n\0", "in protocol 2: FATAL:  unsupported frontend protocol 3.0"),
        (b"", "closed the connection during the login"),
    ];
    for (answer, expected) in cases {
        let told = complaint(&job(server(fake::answering(answer), "postgres"), script(SELECT)));
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn a_server_that_never_says_a_word_is_given_up() {
    let told = complaint(&job(server(fake::mute(), "postgres"), script(SELECT)));
    assert!(told.contains("did not complete a connection within 10 s"), "{told}");
}

#[test]
fn a_host_without_an_address_is_told() {
    let at = (ServerHost::tcp_from_name("pgdyno.invalid"), 5432);
    let told = complaint(&job(server(at, "postgres"), script(SELECT)));
    assert!(told.contains("could not resolve server \"pgdyno.invalid:5432\""), "{told}");
}

#[test]
fn settings_of_the_start_up_message_reach_the_server() {
    let postgres = shared();
    let mut to = postgres.unix("postgres");
    to.options = Some("-c statement_timeout=4321".to_owned());
    let failing = script("SELECT 1 / (current_setting('statement_timeout') <> '4321ms')::int;");
    let summary = run(&EngineJob { mode: QueryMode::Simple, ..job(to, failing) }).expect("it runs");
    // The setting holds, so the divisor is false and every transaction fails.
    assert!(summary.failed > 0);
    assert_eq!(summary.successful_transactions(), 0);
}
