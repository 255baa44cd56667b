//! `pgdyno capture --statements`: a load that only `pg_stat_statements` has counted, captured with values drawn from
//! the statistics of its columns, and replayed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use testbed::Setup;
use tokio_postgres::NoTls;

use crate::lab::Lab;

const DATA: &str = "
CREATE EXTENSION pg_stat_statements;
CREATE TABLE items (id int PRIMARY KEY, owner text, price numeric(9,2));
INSERT INTO items SELECT n, 'owner ' || n % 7, n / 100.0 FROM generate_series(1, 5000) n;
ANALYZE items;
";

/// Sends statements until it is told to stop.
async fn send_load(conninfo: String, stop: Arc<AtomicBool>) {
    let (client, connection) = tokio_postgres::connect(&conninfo, NoTls).await.expect("a session");
    tokio::spawn(connection);
    let select = client.prepare("SELECT owner FROM items WHERE id = $1").await.expect("prepared");
    let update = client.prepare("UPDATE items SET owner = $1 WHERE id = $2").await.expect("prepared");
    let mut number: i32 = 5_000;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        client.query(&select, &[&(number % 5_000)]).await.expect("read");
        client.batch_execute("BEGIN").await.expect("begun");
        client.execute(&update, &[&"owner 3", &(number % 100 + 1)]).await.expect("written");
        client.batch_execute("COMMIT").await.expect("committed");
        client.batch_execute(&format!("INSERT INTO items VALUES ({number}, 'new', 1)")).await.expect("inserted");
        client.batch_execute("SELECT now() - interval '1 day'").await.expect("read");
    }
}

#[test]
fn a_load_that_only_the_server_has_counted_is_captured_and_replayed() {
    let lab = Lab::new();
    let settings = "shared_preload_libraries = 'pg_stat_statements'\n".to_owned();
    let server = Setup { settings, ..Setup::default() }.make_server();
    server.start_again();
    server.query_postgres(DATA);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let stop = Arc::new(AtomicBool::new(false));
    let load = runtime.spawn(send_load(server.socket_conninfo(), Arc::clone(&stop)));
    // The load goes on all the while, however slow it is.
    let url = server.tcp_url();
    let captured = lab.pgdyno(&format!("capture --statements {url} --for 3s --out counted --mask none"));
    stop.store(true, Ordering::Relaxed);
    runtime.block_on(load).expect("the load ends");
    // The replay continues from the highest value of when the capture ended; the load has gone on since.
    server.query_postgres("DELETE FROM items WHERE id > 5000");
    captured.exits(0).says(&["each call is a transaction of its own", "not-alone"]);

    let ended = lab.pgdyno("capture describe counted --json");
    ended.exits(0);
    let description: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let statements = description["statements"].as_array().expect("a list");
    let texts: Vec<&str> = statements.iter().filter_map(|statement| statement["text"].as_str()).collect();
    for expected in ["SELECT owner FROM items WHERE id = $1", "UPDATE items SET owner = $1 WHERE id = $2"] {
        assert!(texts.contains(&expected), "{texts:?}");
    }
    assert!(texts.iter().any(|text| text.starts_with("INSERT INTO items VALUES ($1, $2, $3)")), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("pg_stat")), "{texts:?}");

    lab.write(
        "plan.yaml",
        format!(
            "name: Counted\ntargets:\n  a: {{ url: \"{url}\" }}\nbaseline: a\nworkloads:\n  w: {{ captured: counted }}\n\
             clients: 2\ntrial: {{ warm_up: 0s, measure: 60s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    lab.pgdyno("run plan.yaml").measured();
    let trials = lab.run().trials();
    let load = trials[0].load.as_ref().expect("it was measured");
    assert_eq!(load.failed, 0, "{:?}", load.first_errors);
    lab.write(
        "timed.yaml",
        std::fs::read_to_string(lab.path().join("plan.yaml"))
            .expect("it is there")
            .replace("captured: counted", "captured: counted, replay: timed"),
    );
    lab.pgdyno("run timed.yaml").exits(2).says(&["neither sessions nor times of statements"]);
}
