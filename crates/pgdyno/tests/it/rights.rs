//! `rights`: what a role may do on a server, what each right buys, and the statements that give it, which do.

use serde_json::Value;

use crate::lab::{BRIEF, Lab};
use crate::process::Ended;
use testbed::{Postgres, Setup};

/// The superuser asks the questions of the test over the socket.
const SCRAM: &str = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

fn server_with_role() -> (Postgres, String) {
    let settings = "shared_preload_libraries = 'pg_stat_statements'\nlogging_collector = on\n".to_owned();
    let server = Setup { hba: SCRAM.to_owned(), settings, ..Setup::default() }.start_server();
    server.query_postgres("CREATE ROLE bench LOGIN PASSWORD 'secret'");
    server.query_postgres("REVOKE ALL ON SCHEMA public FROM PUBLIC");
    server.query_postgres("CREATE SCHEMA shop");
    server.query_postgres("CREATE TABLE shop.orders (id int)");
    let url = format!("postgresql://bench:secret@127.0.0.1:{}/postgres", server.tcp_port());
    (server, url)
}

/// The rights of the one server that was asked.
fn rights_of(ended: &Ended) -> Vec<Value> {
    ended.exits(0);
    ended.json()["servers"][0]["rights"].as_array().expect("rights").clone()
}

#[track_caller]
fn right<'r>(rights: &'r [Value], name: &str) -> &'r Value {
    rights.iter().find(|right| right["right"] == name).unwrap_or_else(|| panic!("no {name}: {rights:#?}"))
}

#[test]
fn the_printed_statements_give_the_rights() {
    let (lab, (server, url)) = (Lab::new(), server_with_role());
    let before = rights_of(&lab.pgdyno(&format!("rights {url} --json")));
    for name in ["pg_monitor", "pg_stat_statements", "log files", "SELECT (and EXPLAIN) on tables", "CREATEDB"] {
        assert_eq!(right(&before, name)["have"], false, "{name}");
    }
    let mut granted = 0;
    for row in &before {
        let grant = row["grant"].as_str().unwrap_or_default();
        // A parameter has no name until a plan sets one.
        if grant.is_empty() || grant.contains("NAME") {
            continue;
        }
        for statement in grant.split("; ") {
            server.query_postgres(statement);
        }
        granted += 1;
    }
    assert!(granted >= 6, "{before:#?}");
    for statement in ["pg_signal_backend", "pg_read_server_files", "SUPERUSER"] {
        let is_asked_for = before.iter().any(|row| row.to_string().contains(statement));
        assert!(!is_asked_for, "no figure and no workload needs {statement}");
    }
    let after = rights_of(&lab.pgdyno(&format!("rights {url} --json")));
    for row in &after {
        let name = row["right"].as_str().expect("a name");
        if !["SET of superuser settings", "CREATE on a schema"].contains(&name) {
            assert_eq!(row["have"], true, "{name}: {row}");
        }
    }
    assert_eq!(right(&after, "CREATE on schema public")["have"], true);
}

#[test]
fn nothing_is_written_and_no_password_is_printed() {
    let (lab, (server, url)) = (Lab::new(), server_with_role());
    let objects = "SELECT count(*) FROM pg_class";
    let before = server.query_count(objects);
    let ended = lab.pgdyno(&format!("rights {url}"));
    ended.exits(0).prints(&[
        "role \"bench\", database \"postgres\"\n",
        "right ",
        "  have it ",
        "  what it buys in the report ",
        "  GRANT to run\n",
        "GRANT pg_monitor TO \"bench\"\n",
        "no: 0 of 1",
    ]);
    assert!(!ended.to_string().contains("secret"), "{ended}");
    assert_eq!(server.query_count(objects), before);
    assert!(lab.runs().is_empty());
}

#[test]
fn a_superuser_lacks_nothing_but_what_the_server_lacks() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let rights = rights_of(&lab.pgdyno(&format!("rights {} --json", server.tcp_url())));
    for row in &rights {
        let name = row["right"].as_str().expect("a name");
        if !["pg_stat_statements", "log files", "SELECT (and EXPLAIN) on tables"].contains(&name) {
            assert_eq!((&row["have"], &row["grant"]), (&Value::Bool(true), &Value::Null), "{name}");
        }
    }
}

#[test]
fn a_managed_service_is_known_by_its_administrators() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    for (role, service) in [("rds_superuser", "Amazon RDS"), ("azure_pg_admin", "Azure Database for PostgreSQL")] {
        server.query_postgres(&format!("CREATE ROLE {role}"));
        server.query_postgres("CREATE ROLE shop_owner LOGIN");
        server.query_postgres(&format!("GRANT {role} TO shop_owner"));
        let url = server.tcp_url().replace("postgres@", "shop_owner@");
        lab.pgdyno(&format!("rights {url}")).exits(0).prints(&[service, "\"shop_owner\" is a member of it", "log"]);
        let said = lab.pgdyno(&format!("rights {url} --json")).json();
        assert_eq!(said["servers"][0]["service"]["administrators_role"], role);
        server.query_postgres("DROP ROLE shop_owner");
        server.query_postgres(&format!("DROP ROLE {role}"));
    }
}

#[test]
fn each_server_of_a_plan_is_asked_once_whatever_the_others_say() {
    let (lab, (server, url)) = (Lab::new(), server_with_role());
    let plan = format!(
        "name: Rights\ntargets:\n  here: {{ url: \"{url}\" }}\n  \
         timed: {{ url: \"{url}\", settings: {{ track_io_timing: \"on\" }} }}\n  \
         gone: {{ url: \"host=127.0.0.1 port=1 user=x dbname=y\" }}\n  made: {{ local: {{ version: 17 }} }}\n\
         baseline: here\nmay_differ: [version, platform, hardware]\n\
         workloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: 1\n{BRIEF}"
    );
    lab.write("plan.yaml", plan);
    let ended = lab.pgdyno("rights plan.yaml");
    ended.exits(3).says(&["target \"gone\"", "hint:"]).prints(&[
        "targets here, timed\n",
        "no: 0 of 1  ",
        "target gone\nnot asked: ",
        "target made\nThe run creates this server",
    ]);
    assert!(!ended.to_string().contains("secret"), "{ended}");
    let ended = lab.pgdyno("rights plan.yaml --json");
    ended.exits(3);
    let servers = ended.json()["servers"].as_array().expect("servers").clone();
    assert_eq!(servers.len(), 3);
    let settings = right(servers[0]["rights"].as_array().expect("rights"), "SET of superuser settings").clone();
    if server.major_version() >= 15 {
        assert_eq!(settings["grant"], "GRANT SET ON PARAMETER track_io_timing TO \"bench\"");
    }
    assert_eq!(servers[1]["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(servers[2]["made_by_run"], true);
}

#[test]
fn what_is_neither_a_server_nor_a_plan_is_refused_with_what_to_write() {
    let (lab, (server, url)) = (Lab::new(), server_with_role());
    lab.write("bad.yaml", "name: x\nclints: 3\n");
    let wrong = url.replace("secret", "the-wrong-one");
    let cases = [
        ("rights plan.yml".to_owned(), 2, "pgdyno rights \"postgresql://"),
        ("rights .".to_owned(), 2, "directory"),
        ("rights bad.yaml".to_owned(), 2, "clints"),
        ("rights shop".to_owned(), 2, "could not read the plan shop"),
        (format!("rights {wrong}"), 3, "password"),
        (format!("rights {}", url.replace("/postgres", "/nowhere")), 3, "nowhere"),
        (format!("rights {}", url.replace("bench", "nobody")), 3, "nobody"),
        ("rights hostaddr=127.0.0.1?port=1".to_owned(), 3, "hostaddr"),
        ("rights postgresql://127.0.0.1:1/x".to_owned(), 3, "127.0.0.1"),
        ("rights postgresql://h:port/x".to_owned(), 3, "port"),
        ("rights --jsn".to_owned(), 2, "--json"),
    ];
    for (line, status, says) in cases {
        let ended = lab.pgdyno(&line);
        ended.exits(status).says(&[says]);
        assert!(!ended.to_string().contains("wrong-one"), "{ended}");
    }
    drop(server);
}
