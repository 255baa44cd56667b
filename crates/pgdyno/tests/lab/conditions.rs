//! The conditions: each is caused for real and must be named.
//!
//! Loads are chosen so that the condition matters: one that nothing feels need not be found.

use std::time::Duration;

use crate::case::{Case, Expected, Prepared};
use crate::injury::certificate;
use crate::injury::dirty_limits::DirtyLimits;
use crate::injury::disk::Disk;
use crate::injury::group::Group;
use crate::injury::narrow_link::NarrowLink;
use crate::injury::neighbour::Neighbours;
use crate::injury::packet_loss::PacketLoss;
use crate::injury::pooler::Pooler;
use crate::injury::ticker::Ticker;
use crate::plan::{Length, plan, script, select};
use crate::server::Server;
use crate::site::Site;
use testbed::DelayProxy;

/// Selects by primary key on tables that are there.
const SELECT: &str = "{ builtin: select-only, scale: 1 }";

/// Every condition.
pub fn all() -> Vec<Case> {
    let of = |name, rules, needs_root, prepare| Case { name, expected: Expected::Finding(rules), needs_root, prepare };
    let case = |name, rules, prepare| of(name, rules, false, prepare);
    let as_root = |name, rules, prepare| of(name, rules, true, prepare);
    vec![
        as_root("I/O throttle on the data directory's disk", &["disk-limit"], throttled_disk),
        as_root("a working set over the memory of its group", &["cache-misses"], little_memory),
        as_root("cold cache", &["cache-misses"], cold_cache),
        as_root("writers held back by dirty limits", &["writeback-stall"], dirty_limits),
        as_root("CPU quota of a quarter of a CPU", &["cpu-throttled"], cpu_quota),
        case("busy neighbour", &["noisy-neighbour"], busy_neighbour),
        case("reports beside the load", &["concurrent-workload"], reports_beside),
        case("500 clients", &["too-many-connections"], many_clients),
        case("a connection for each transaction, with TLS", &["connection-churn"], churn),
        case("tiny max_wal_size", &["checkpoints-forced"], tiny_max_wal_size),
        case("wal_recycle off", &["wal-zero-fill"], no_recycling),
        case("hot row", &["row-locks"], hot_row),
        Case {
            name: "delay by a proxy, which nobody counts",
            expected: Expected::AtMost(&[]),
            needs_root: false,
            prepare: delay,
        },
        as_root("a link of 80 Mbit/s", &["bandwidth-bound"], narrow_link),
        as_root("lost packets", &["packet-loss"], lost_packets),
        case("slow archive_command", &["archiver-lag"], slow_archiver),
        case("slow synchronous standby", &["sync-replication"], slow_standby),
        case("old transaction that holds vacuum back", &["vacuum-held-back"], old_transaction),
        case("pooler with one server connection", &["pooler-queue"], narrow_pooler),
        case("a script that computes more than it asks", &["generator-bound"], computing_script),
        case("8 clients on 2 CPUs", &["cpu-saturated"], more_clients_than_cpus),
        case("sorts over work_mem", &["temp-file-spill"], small_work_mem),
        case("WAL buffers of 32 kB", &["lightweight-locks"], small_wal_buffers),
        case("a checkpoint every other second", &["full-page-writes"], frequent_checkpoints),
        as_root("VACUUM beside the load", &["autovacuum-interference"], vacuum_beside),
        case("a table locked for seconds", &["throughput-collapse", "blocked-by-session"], locked_table),
        case("huge pages that there are none of", &["settings-not-applied"], no_huge_pages),
        case("a change that waits for a restart", &["settings-not-applied"], pending_restart),
        as_root("a disk that flushes slowly", &["commit-flush"], slow_flush),
        as_root("checkpoints on a disk of little bandwidth", &["checkpoint-stalls"], checkpoints_on_slow_disk),
        as_root("a server too large for its group", &["memory-stall"], too_large_for_its_group),
    ]
}

fn throttled_disk(site: &Site) -> Prepared {
    let disk = Disk::new(site);
    let server = Server::start_in(disk.path(), "shared_buffers = 16MB\n");
    server.fill(20);
    server.stop_in_order();
    disk.forget_cache();
    server.start_again();
    let group = Group::with_iops(site, &disk.below(), 500);
    group.hold(&server);
    let plan = plan(&server.local(), &select(20), 8, Length::Trials);
    Prepared { plan, held: vec![Box::new(server), Box::new(group), Box::new(disk)] }
}

fn little_memory(site: &Site) -> Prepared {
    let server = Server::start(site, "shared_buffers = 16MB\n");
    server.fill(40);
    server.stop_in_order();
    server.start_again();
    let group = Group::with_memory(site, 128 << 20);
    group.hold(&server);
    std::fs::write("/proc/sys/vm/drop_caches", "1").expect("root may");
    let plan = plan(&server.local(), &select(40), 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(server), Box::new(group)] }
}

fn cold_cache(site: &Site) -> Prepared {
    let server = Server::start(site, "shared_buffers = 4GB\n");
    // More than a fast disk tells in the time that is measured.
    server.fill(200);
    server.stop_in_order();
    std::fs::write("/proc/sys/vm/drop_caches", "1").expect("root may");
    server.start_again();
    let plan = plan(&server.local(), &select(200), 4, Length::OneTrial);
    Prepared { plan, held: vec![Box::new(server)] }
}

/// Every page of a table becomes dirty in every transaction.
const REWRITE: &str =
    "\\set r random(0, 59)\nUPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid % 60 = :r;\n";

fn dirty_limits(site: &Site) -> Prepared {
    let server = Server::start(site, "shared_buffers = 16MB\nsynchronous_commit = off\n");
    // Larger than shared_buffers, and without WAL.
    server.fill_unlogged(20);
    let limits = DirtyLimits::set(4 << 20, 2 << 20);
    let plan = plan(&server.local(), &script(site, REWRITE), 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(limits), Box::new(server)] }
}

fn cpu_quota(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    let group = Group::with_cpus(site, 0.25);
    group.hold(&server);
    let plan = plan(&server.local(), SELECT, 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(server), Box::new(group)] }
}

fn busy_neighbour(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    let neighbours = Neighbours::start(6);
    let plan = plan(&server.local(), SELECT, 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(neighbours), Box::new(server)] }
}

fn reports_beside(site: &Site) -> Prepared {
    let server = Server::start(site, "max_parallel_workers_per_gather = 0\n");
    let report = "SELECT sum(n) FROM generate_series(1, 3000000) AS n";
    let reports: Vec<Ticker> = (0..4).map(|_| Ticker::start(&server, 0.0, report)).collect();
    let plan = plan(&server.local(), SELECT, 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(reports), Box::new(server)] }
}

fn many_clients(site: &Site) -> Prepared {
    let server = Server::start(site, "max_connections = 600\n");
    let plan = plan(&server.local(), SELECT, 500, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn churn(site: &Site) -> Prepared {
    let server = Server::start(site, &certificate::settings(site));
    let workload = "{ builtin: select-only, scale: 1, connections: per-transaction }";
    let plan = plan(&Server::at(server.tcp_port(), "?sslmode=require"), workload, 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn tiny_max_wal_size(site: &Site) -> Prepared {
    let server = Server::start(site, "max_wal_size = 32MB\nmin_wal_size = 32MB\n");
    let plan = plan(&server.local(), "{ builtin: simple-update, scale: 20 }", 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

/// Rows by the thousand: WAL by the segment.
const BULK: &str = "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) SELECT 1, 1, n, n, now() FROM generate_series(1, 2000) AS n;\n";

fn no_recycling(site: &Site) -> Prepared {
    let server = Server::start(site, "wal_recycle = off\nmax_wal_size = 512MB\n");
    server.fill(1);
    let plan = plan(&server.local(), &script(site, BULK), 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn hot_row(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(1);
    let sql = "UPDATE pgbench_branches SET bbalance = bbalance + 1 WHERE bid = 1;\n";
    let plan = plan(&server.local(), &script(site, sql), 8, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn delay(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    let proxy = DelayProxy::start_proxy(server.tcp_port(), Duration::from_millis(5));
    let plan = plan(&Server::at(proxy.listening_port(), ""), SELECT, 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn narrow_link(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(1);
    let link = NarrowLink::of("80mbit");
    let plan = plan(&server.tcp(), &script(site, "SELECT repeat('x', 60000);"), 8, Length::Trials);
    Prepared { plan, held: vec![Box::new(link), Box::new(server)] }
}

fn lost_packets(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(1);
    let loss = PacketLoss::on(server.tcp_port(), 0.01);
    let plan = plan(&server.tcp(), &select(1), 8, Length::Trials);
    Prepared { plan, held: vec![Box::new(loss), Box::new(server)] }
}

fn slow_archiver(site: &Site) -> Prepared {
    let server = Server::start(site, "archive_mode = on\narchive_command = 'sleep 3'\n");
    server.fill(1);
    let plan = plan(&server.local(), &script(site, BULK), 2, Length::OneTrial);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn slow_standby(site: &Site) -> Prepared {
    let primary = Server::start(site, "wal_level = replica\n");
    primary.fill(10);
    let proxy = DelayProxy::start_proxy(primary.tcp_port(), Duration::from_millis(20));
    let standby = Server::standby(&primary, proxy.listening_port());
    primary.query_postgres("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    primary.query_postgres("SELECT pg_reload_conf()");
    primary.await_that("SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
    let workload = "{ builtin: tpcb-like, scale: 10, data: existing }";
    let plan = plan(&primary.local(), workload, 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(standby), Box::new(primary)] }
}

fn old_transaction(site: &Site) -> Prepared {
    let settings = "autovacuum_naptime = 1s\nautovacuum_vacuum_cost_delay = 0\n";
    let server = Server::start(site, settings);
    server.fill(10);
    let holder = server
        .hold_transaction("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pgbench_branches");
    let sql = "\\set t random(1, 100)\nUPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid = :t;\n";
    let plan = plan(&server.local(), &script(site, sql), 4, Length::OneTrial);
    Prepared { plan, held: vec![Box::new(holder), Box::new(server)] }
}

fn narrow_pooler(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(10);
    let pooler = Pooler::start(site, &server, 1);
    let workload = "{ builtin: tpcb-like, scale: 10, data: existing, mode: simple }";
    let plan = plan(&pooler.target(), workload, 8, Length::Trials);
    Prepared { plan, held: vec![Box::new(pooler), Box::new(server)] }
}

fn computing_script(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(1);
    let sql = "\\set x random_zipfian(1, 1000000, 1.1) + random_gaussian(1, 1000, 2.5)\n".repeat(200) + "SELECT :x;\n";
    let plan = plan(&server.local(), &script(site, &sql), 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn more_clients_than_cpus(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(5);
    let sql =
        "\\set a random(1, 490000)\nSELECT sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN :a AND :a + 3000;\n";
    let plan = plan(&server.local(), &script(site, sql), 8, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

/// Needs some megabytes of memory.
const SORT: &str = "SELECT aid FROM pgbench_accounts ORDER BY abalance, filler, aid DESC OFFSET 99999;\n";

fn small_work_mem(site: &Site) -> Prepared {
    let server = Server::start(site, "work_mem = 256kB\n");
    server.fill(1);
    let plan = plan(&server.local(), &script(site, SORT), 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn small_wal_buffers(site: &Site) -> Prepared {
    let settings = "wal_buffers = 32kB\nsynchronous_commit = off\nwal_init_zero = off\nmax_wal_size = 8GB\n";
    let server = Server::start(site, settings);
    server.fill(1);
    let plan = plan(&server.local(), &script(site, BULK), 8, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn frequent_checkpoints(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(20);
    let ticker = Ticker::start(&server, 1.5, "CHECKPOINT");
    let workload = "{ builtin: simple-update, scale: 20, data: existing }";
    let plan = plan(&server.local(), workload, 2, Length::OneTrial);
    Prepared { plan, held: vec![Box::new(ticker), Box::new(server)] }
}

fn vacuum_beside(site: &Site) -> Prepared {
    let disk = Disk::new(site);
    let server = Server::start_in(disk.path(), "autovacuum = off\n");
    server.fill(10);
    // Dead rows in every page, between rows that live: every page has to be written.
    server.query_postgres("UPDATE pgbench_accounts SET abalance = 1 WHERE aid % 2 = 0");
    server.query_postgres("CHECKPOINT");
    let group = Group::with_write_bandwidth(site, &disk.below(), 8 << 20);
    group.hold(&server);
    let vacuum = "SET statement_timeout = '4s'; VACUUM pgbench_accounts";
    let ticker = Ticker::start(&server, 4.0, vacuum);
    let workload = script(site, COMMIT).replace('}', ", think: 5ms }");
    let plan = plan(&server.local(), &workload, 4, Length::OneTrial);
    Prepared { plan, held: vec![Box::new(ticker), Box::new(server), Box::new(group), Box::new(disk)] }
}

fn locked_table(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(1);
    let migration = "BEGIN; LOCK TABLE pgbench_accounts; SELECT pg_sleep(2.5); COMMIT";
    let ticker = Ticker::start(&server, 5.0, migration);
    let plan = plan(&server.local(), &select(1), 2, Length::OneTrial);
    Prepared { plan, held: vec![Box::new(ticker), Box::new(server)] }
}

fn no_huge_pages(site: &Site) -> Prepared {
    let server = Server::start(site, "huge_pages = try\n");
    let plan = plan(&server.local(), SELECT, 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

fn pending_restart(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.query_postgres("ALTER SYSTEM SET shared_buffers = '256MB'");
    server.query_postgres("SELECT pg_reload_conf()");
    let plan = plan(&server.local(), SELECT, 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(server)] }
}

/// A commit that changes next to nothing.
const COMMIT: &str = "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, 1, 1, 1, now());\n";

fn slow_flush(site: &Site) -> Prepared {
    let disk = Disk::new(site);
    let server = Server::start_in(disk.path(), "wal_init_zero = off\n");
    server.fill(1);
    let group = Group::with_iops(site, &disk.below(), 150);
    group.hold(&server);
    let plan = plan(&server.local(), &script(site, COMMIT), 2, Length::Trials);
    Prepared { plan, held: vec![Box::new(server), Box::new(group), Box::new(disk)] }
}

fn checkpoints_on_slow_disk(site: &Site) -> Prepared {
    let disk = Disk::new(site);
    let server = Server::start_in(disk.path(), "shared_buffers = 512MB\nfull_page_writes = off\n");
    server.fill(20);
    let group = Group::with_write_bandwidth(site, &disk.below(), 8 << 20);
    group.hold(&server);
    let ticker = Ticker::start(&server, 5.0, "CHECKPOINT");
    let workload = "{ builtin: simple-update, scale: 20, data: existing, think: 5ms }";
    let plan = plan(&server.local(), workload, 4, Length::OneTrial);
    Prepared { plan, held: vec![Box::new(ticker), Box::new(server), Box::new(group), Box::new(disk)] }
}

fn too_large_for_its_group(site: &Site) -> Prepared {
    let server = Server::start(site, "shared_buffers = 16MB\nsynchronous_commit = off\n");
    server.fill_unlogged(20);
    server.stop_in_order();
    server.start_again();
    let group = Group::with_memory(site, 64 << 20);
    group.hold(&server);
    std::fs::write("/proc/sys/vm/drop_caches", "1").expect("root may");
    // What is written stays in the group's memory until it is on the disk, and more is wanted before that.
    let plan = plan(&server.local(), &script(site, REWRITE), 4, Length::Trials);
    Prepared { plan, held: vec![Box::new(server), Box::new(group)] }
}
