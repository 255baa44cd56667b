//! Real servers that do not let pgdyno measure: refused before measuring, in the server's terms, with status 3.

use crate::lab::{BRIEF, Lab};
use crate::process::Ended;
use testbed::{Postgres, Setup};

/// The superuser asks the questions of the test over the socket.
const SCRAM: &str = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

fn with(settings: &str) -> Postgres {
    Setup { settings: settings.to_owned(), ..Setup::default() }.start_server()
}

/// Runs one workload on one connection string.
fn run(lab: &Lab, url: &str, builtin: &str, clients: u32) -> Ended {
    lab.write(
        "plan.yaml",
        format!(
            "name: Refused\ntargets:\n  it: {{ url: \"{url}\" }}\nbaseline: it\n\
             workloads: {{ load: {{ think: 5ms, builtin: {builtin}, scale: 1 }} }}\nclients: [{clients}]\n{BRIEF}"
        ),
    );
    lab.pgdyno("run plan.yaml")
}

/// Nothing was measured, and nothing is there that looks as if.
fn assert_nothing_measured(lab: &Lab) {
    for run in lab.runs() {
        let trials = crate::run_view::RunView::open(&run).names("trials");
        assert_eq!(trials, Vec::<String>::new());
    }
}

#[test]
fn who_may_not_log_in_is_told_so_and_no_password_is_printed() {
    let lab = Lab::new();
    let server = Setup { hba: SCRAM.to_owned(), ..Setup::default() }.start_server();
    server.query_postgres("CREATE ROLE bench LOGIN PASSWORD 'the-right-one'");
    let at = format!("127.0.0.1:{}", server.tcp_port());
    let cases = [
        (format!("postgresql://bench:the-wrong-one@{at}/postgres"), vec!["user \"bench\"", "password"]),
        (format!("postgresql://bench@{at}/postgres"), vec!["user \"bench\"", "password"]),
        (format!("postgresql://nobody:the-wrong-one@{at}/postgres"), vec!["user \"nobody\""]),
        (format!("postgresql://bench:the-right-one@{at}/missing"), vec!["has no database \"missing\""]),
        (format!("postgresql://bench:the-right-one@{at}/postgres?sslmode=require"), vec!["sslmode"]),
    ];
    for (url, said) in cases {
        let ended = run(&lab, &url, "select-only", 1);
        ended.exits(3).says(&said).says(&["hint:"]);
        for secret in ["the-right-one", "the-wrong-one"] {
            assert!(!ended.stderr.contains(secret), "{ended}");
        }
    }
    assert_nothing_measured(&lab);
}

#[test]
fn a_server_whose_commits_wait_for_a_standby_that_is_not_there_is_refused_before_it_hangs() {
    let lab = Lab::new();
    let server = with("synchronous_standby_names = 'FIRST 2 (near, far)'");
    let ended = run(&lab, &server.socket_conninfo(), "select-only", 1);
    ended.exits(3).says(&["waits for 2 synchronous standby(s), and 0 are connected", "FIRST 2 (near, far)", "hint:"]);
    assert_nothing_measured(&lab);
}

#[test]
fn more_clients_than_the_server_admits_are_refused_with_its_limit() {
    let lab = Lab::new();
    let server = with("max_connections = 20");
    run(&lab, &server.socket_conninfo(), "select-only", 64).exits(3).says(&["64 clients", "max_connections is 20"]);
    server.query_postgres("CREATE ROLE few LOGIN CONNECTION LIMIT 5; GRANT ALL ON SCHEMA public TO few");
    let few = server.socket_conninfo().replace("user=postgres", "user=few");
    run(&lab, &few, "select-only", 4).exits(3).says(&["5 connections", "4 clients"]);
    assert_nothing_measured(&lab);
    assert_eq!(server.query_postgres("SELECT to_regclass('pgbench_accounts')"), "", "nothing was made");
}

#[test]
fn a_server_that_cannot_be_written_to_is_refused_for_a_workload_that_writes() {
    let lab = Lab::new();
    let primary = Postgres::start_default();
    run(&lab, &primary.socket_conninfo(), "select-only", 1).exits(0);
    let standby = primary.start_standby("");
    standby.await_that("SELECT to_regclass('pgbench_accounts') IS NOT NULL");
    run(&lab, &standby.socket_conninfo(), "tpcb-like", 1).exits(3).says(&["read-only", "standby"]);
    run(&lab, &standby.socket_conninfo(), "select-only", 1).exits(0);

    primary.query_postgres("ALTER DATABASE postgres SET default_transaction_read_only = on");
    run(&lab, &primary.socket_conninfo(), "simple-update", 1).exits(3).says(&["default_transaction_read_only"]);
}
