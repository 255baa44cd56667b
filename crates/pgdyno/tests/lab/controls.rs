//! Healthy servers under loads that they carry: there must be no finding.

use crate::case::{Case, Expected, Prepared};
use crate::injury::certificate;
use crate::plan::{Length, pair, plan, script, select};
use crate::server::Server;
use crate::site::Site;

/// Every control.
pub fn all() -> Vec<Case> {
    let case = |name, prepare| Case { name, expected: Expected::Nothing, needs_root: false, prepare };
    vec![
        case("control: select-only, 1 client, TCP", |site| tcp(site, "{ builtin: select-only, scale: 10 }", 1)),
        case("control: select-only, 2 clients, socket", |site| socket(site, "{ builtin: select-only, scale: 10 }", 2)),
        case("control: select-only, 2 clients, TLS", tls),
        case("control: tpcb-like, 2 clients, socket", |site| socket(site, "{ builtin: tpcb-like, scale: 10 }", 2)),
        case("control: tpcb-like, 4 clients, TCP", |site| tcp(site, "{ builtin: tpcb-like, scale: 10 }", 4)),
        case("control: simple-update, 2 clients, socket", |site| {
            socket(site, "{ builtin: simple-update, scale: 10 }", 2)
        }),
        case("control: select-only, open loop at 1000/s", |site| {
            tcp(site, "{ builtin: select-only, scale: 10, rate: 1000/s }", 8)
        }),
        case("control: tpcb-like, open loop at 50/s", |site| {
            socket(site, "{ builtin: tpcb-like, scale: 10, rate: 50/s }", 8)
        }),
        case("control: sysbench oltp_read_only, 2 clients", |site| {
            tcp(site, "{ sysbench: { script: oltp_read_only, table_size: 100000 } }", 2)
        }),
        case("control: sysbench oltp_read_write, 2 clients", |site| {
            socket(site, "{ sysbench: { script: oltp_read_write, table_size: 100000 } }", 2)
        }),
        case("control: select-only, 20 clients that think", |site| {
            socket(site, "{ builtin: select-only, scale: 10, think: 20ms }", 20)
        }),
        case("control: a server of pgdyno's own", own),
        case("control: select-only, prepared, 2 clients, socket", |site| {
            socket(site, "{ builtin: select-only, scale: 10, mode: prepared }", 2)
        }),
        case("control: sysbench oltp_point_select, 2 clients", |site| {
            socket(site, "{ sysbench: { script: oltp_point_select, table_size: 100000 } }", 2)
        }),
        case("control: select-only beside pg_stat_statements, 2 clients", counted),
        case("control: inserts of a row, 2 clients, socket", inserts),
        case("control: two servers of a kind, select-only, 2 clients", |site| two(site, &select(10), 2)),
        case("control: two servers of a kind, tpcb-like, 2 clients", |site| {
            two(site, "{ builtin: tpcb-like, scale: 10, data: existing }", 2)
        }),
    ]
}

fn socket(site: &Site, workload: &str, clients: u32) -> Prepared {
    let server = Server::start(site, "");
    Prepared { plan: plan(&server.local(), workload, clients, Length::Trials), held: vec![Box::new(server)] }
}

fn tcp(site: &Site, workload: &str, clients: u32) -> Prepared {
    let server = Server::start(site, "");
    Prepared { plan: plan(&server.tcp(), workload, clients, Length::Trials), held: vec![Box::new(server)] }
}

fn tls(site: &Site) -> Prepared {
    let server = Server::start(site, &certificate::settings(site));
    let target = Server::at(server.tcp_port(), "?sslmode=require");
    let plan = plan(&target, "{ builtin: select-only, scale: 10 }", 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn own(_site: &Site) -> Prepared {
    let target = format!("{{ local: {{ bin: {} }} }}", testbed::newest_version().display());
    let plan = plan(&target, "{ builtin: tpcb-like, scale: 10 }", 2, Length::Trials);
    Prepared { plan, held: Vec::new() }
}

fn counted(site: &Site) -> Prepared {
    let server = Server::start(site, "shared_preload_libraries = 'pg_stat_statements'\n");
    server.query_postgres("CREATE EXTENSION pg_stat_statements");
    let workload = "{ builtin: select-only, scale: 10 }";
    Prepared { plan: plan(&server.local(), workload, 2, Length::Trials), held: vec![Box::new(server)] }
}

fn inserts(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(1);
    let sql = "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, 1, 1, 1, now());\n";
    Prepared { plan: plan(&server.local(), &script(site, sql), 2, Length::Trials), held: vec![Box::new(server)] }
}

fn two(site: &Site, workload: &str, clients: u32) -> Prepared {
    let [one, other] = [(); 2].map(|()| {
        let server = Server::start(site, "");
        server.fill(10);
        server
    });
    let plan = pair([("one", &one.local()), ("other", &other.local())], workload, clients);
    Prepared { plan, held: vec![Box::new(one), Box::new(other)] }
}
