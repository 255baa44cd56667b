//! Conditions of one of two sides, of which the other is as it should be: each must be found, and the findings must say
//! how much of the difference they account for.

use std::sync::Arc;
use std::time::Duration;

use crate::case::{Case, Expected, Prepared};
use crate::injury::freezer::Freezer;
use crate::injury::group::Group;
use crate::injury::ticker::Ticker;
use crate::plan::{pair, script, select};
use crate::server::Server;
use crate::site::Site;
use testbed::DelayProxy;

/// Every one.
pub fn all() -> Vec<Case> {
    let of = |name, rules, needs_root, prepare| Case { name, expected: Expected::Finding(rules), needs_root, prepare };
    let case = |name, rules, prepare| of(name, rules, false, prepare);
    let as_root = |name, rules, prepare| of(name, rules, true, prepare);
    vec![
        case("all sessions stopped for 1.2 s at a time", &["throughput-collapse"], |site| frozen(site, 1200)),
        case("all sessions stopped for 0.6 s at a time", &["throughput-collapse"], |site| frozen(site, 600)),
        case("a report that locks a table every three seconds", &["blocked-by-session"], nightly_report),
        case("an advisory lock that a batch job holds", &["blocked-by-session"], advisory_lock),
        case("a row that a session changed and forgot", &["blocked-by-session"], forgotten_row),
        case("the primary key dropped on one side", &["excess-rows-read"], no_primary_key),
        case("an index that the planner may not use", &["excess-rows-read"], unused_index),
        case("statistics of before the rows were changed", &["stale-statistics"], old_statistics),
        case("a planner that may not hash", &["plan-changed"], other_plan),
        case("a generic plan for values of which few are frequent", &["generic-plan"], generic_plan),
        case("statements of a millisecond that are compiled", &["jit"], compiled),
        case("a table of ten times its pages", &["bloat"], bloated),
        case(NO_WORKERS, &["parallel-workers"], no_workers),
        case("a log of every statement", &["logging"], talkative),
        case("a statement that sorts over work_mem on one side", &["temp-file-spill"], spilling),
        as_root("shared_buffers of 2 MB on one side", &["shared-buffers-undersized"], few_buffers),
        as_root("a group without room for the cache of reads", &["cache-misses"], no_cache),
        as_root("a quarter of a CPU on one side", &["cpu-throttled"], quota),
        Case {
            name: "5 ms more in a proxy to one side, which nobody counts",
            expected: Expected::AtMost(&[]),
            needs_root: false,
            prepare: far,
        },
        case("synchronous commits on one side", &["commit-flush"], synchronous),
    ]
}

/// Two servers of these settings, the sound one first, each with pgbench's tables of this scale.
fn servers(site: &Site, scale: u32, settings: [&str; 2]) -> [Server; 2] {
    settings.map(|settings| {
        let server = Server::start(site, settings);
        server.fill(scale);
        server
    })
}

/// Both measured by the same load.
fn beside([sound, injured]: [Server; 2], workload: &str, clients: u32) -> Prepared {
    let plan = pair([("sound", &sound.local()), ("injured", &injured.local())], workload, clients);
    Prepared { plan, held: vec![Box::new(sound), Box::new(injured)] }
}

/// The same while something is done to one of them, which ends before they do.
fn meanwhile(servers: [Server; 2], workload: &str, clients: u32, injury: impl std::any::Any) -> Prepared {
    let mut prepared = beside(servers, workload, clients);
    prepared.held.insert(0, Box::new(injury));
    prepared
}

fn frozen(site: &Site, length_ms: u64) -> Prepared {
    let [sound, injured] = servers(site, 1, [""; 2]).map(Arc::new);
    let freezer = Freezer::start(injured.clone(), Duration::from_millis(1700), Duration::from_millis(length_ms));
    let plan = pair([("sound", &sound.local()), ("injured", &injured.local())], &select(1), 4);
    let plan = plan.replace("measure: 3s", "measure: 6s");
    Prepared { plan, held: vec![Box::new(freezer), Box::new(sound), Box::new(injured)] }
}

fn nightly_report(site: &Site) -> Prepared {
    let servers = servers(site, 1, [""; 2]);
    let report = "SET application_name = 'nightly_report'; BEGIN; LOCK TABLE pgbench_accounts IN ACCESS EXCLUSIVE MODE; \
                  SELECT pg_sleep(1); COMMIT";
    let ticker = Ticker::start(&servers[1], 2.0, report);
    meanwhile(servers, &select(1), 2, ticker)
}

fn advisory_lock(site: &Site) -> Prepared {
    let servers = servers(site, 1, [""; 2]);
    let job = "SET application_name = 'batch'; BEGIN; SELECT pg_advisory_xact_lock(17); SELECT pg_sleep(0.7); COMMIT";
    let ticker = Ticker::start(&servers[1], 0.7, job);
    let sql = "SELECT pg_advisory_xact_lock_shared(17);\nSELECT abalance FROM pgbench_accounts WHERE aid = 1;\n";
    meanwhile(servers, &script(site, sql), 2, ticker)
}

fn forgotten_row(site: &Site) -> Prepared {
    let servers = servers(site, 1, [""; 2]);
    let forgetful = "SET application_name = 'console'; BEGIN; UPDATE pgbench_branches SET bbalance = 0; \
                     SELECT pg_sleep(0.5); COMMIT";
    let ticker = Ticker::start(&servers[1], 0.5, forgetful);
    let sql = "\\set aid random(1, 100000)\nBEGIN;\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n\
               UPDATE pgbench_branches SET bbalance = bbalance + 1 WHERE bid = 1;\nEND;\n";
    meanwhile(servers, &script(site, sql), 2, ticker)
}

/// Looks rows up by their key.
const BY_KEY: &str = "\\set aid random(1, 100000)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n";

fn no_primary_key(site: &Site) -> Prepared {
    let servers = servers(site, 1, [""; 2]);
    servers[1].query_postgres("ALTER TABLE pgbench_accounts DROP CONSTRAINT pgbench_accounts_pkey");
    beside(servers, &script(site, BY_KEY), 2)
}

fn unused_index(site: &Site) -> Prepared {
    let settings = ["", "enable_indexscan = off\nenable_indexonlyscan = off\nenable_bitmapscan = off\n"];
    beside(servers(site, 1, settings), &script(site, BY_KEY), 2)
}

fn old_statistics(site: &Site) -> Prepared {
    let servers = servers(site, 1, ["autovacuum = off\n"; 2]);
    for (server, clean) in servers.iter().zip(["VACUUM ANALYZE", "VACUUM"]) {
        server.query_postgres("UPDATE pgbench_accounts SET abalance = aid");
        server.query_postgres(clean);
    }
    // None before the change, and all after it.
    let sql = "SELECT count(*) FROM pgbench_accounts JOIN pgbench_tellers ON tid = aid % 10 + 1 WHERE abalance > 0;\n";
    beside(servers, &script(site, sql), 2)
}

fn other_plan(site: &Site) -> Prepared {
    let servers = servers(site, 1, ["", "enable_hashjoin = off\nenable_mergejoin = off\n"]);
    // Both sides read as many rows; one compares each with each.
    let sql = "SELECT count(*) FROM pgbench_accounts JOIN pgbench_tellers ON tid = aid % 10 + 1;\n";
    beside(servers, &script(site, sql), 2)
}

fn generic_plan(site: &Site) -> Prepared {
    // Left to itself the server would take the generic plan on both: its estimate is the lower one.
    let modes = ["custom", "generic"].map(|kind| format!("plan_cache_mode = force_{kind}_plan\n"));
    let servers = servers(site, 1, modes.each_ref().map(String::as_str));
    for server in &servers {
        // A value that nearly every row has, and two that are looked for.
        server.query_postgres("UPDATE pgbench_accounts SET abalance = 1 + aid % 2 WHERE aid % 1000 < 2");
        server.query_postgres("CREATE INDEX ON pgbench_accounts (abalance)");
        server.query_postgres("VACUUM ANALYZE pgbench_accounts");
    }
    // Of a third of the rows the first hundred are soon found in the order of the key; of a thousandth they are not.
    let sql =
        "\\set value random(1, 2)\nSELECT aid FROM pgbench_accounts WHERE abalance = :value ORDER BY aid LIMIT 100;\n";
    beside(servers, &script(site, sql).replace('}', ", mode: prepared }"), 2)
}

/// What pg_stat_statements needs.
const COUNTING: &str = "shared_preload_libraries = 'pg_stat_statements'\n";

fn compiled(site: &Site) -> Prepared {
    let always = format!("{COUNTING}jit_above_cost = 0\njit_inline_above_cost = 0\njit_optimize_above_cost = 0\n");
    let servers = servers(site, 1, [COUNTING, &always]);
    for server in &servers {
        server.query_postgres("CREATE EXTENSION pg_stat_statements");
    }
    let sql = "SELECT count(*) FILTER (WHERE abalance > 0), sum(abalance) FROM pgbench_accounts WHERE aid <= 1000;\n";
    beside(servers, &script(site, sql), 2)
}

fn bloated(site: &Site) -> Prepared {
    let servers = servers(site, 1, ["autovacuum = off\nshared_buffers = 512MB\n"; 2]);
    for _ in 0..9 {
        servers[1].query_postgres("UPDATE pgbench_accounts SET abalance = abalance + 1");
    }
    beside(servers, &script(site, "SELECT sum(abalance) FROM pgbench_accounts;\n"), 2)
}

/// The case that needs a version of its own.
pub const NO_WORKERS: &str = "no parallel workers for those who plan with them";

/// The version of PostgreSQL that counts parallel workers.
pub const COUNTS_WORKERS: u32 = 18;

/// Servers of the version that counts parallel workers, on one of which there are none to be had.
fn no_workers(site: &Site) -> Prepared {
    // One for the leader's neighbour: more of them than CPUs gain nothing.
    let target = |workers: u32| {
        format!(
            "{{ local: {{ version: {COUNTS_WORKERS}, settings: {{ max_parallel_workers: {workers}, max_parallel_workers_per_gather: 1, \
             parallel_setup_cost: 0, parallel_tuple_cost: 0, min_parallel_table_scan_size: 0 }} }} }}"
        )
    };
    // Much to do for each row of a small table, and one row of the leader and of its worker to bring together.
    let sql = "SELECT max(md5(repeat(attname::text, 4000))) FROM pg_attribute;\n";
    let plan = pair([("sound", &target(8)), ("injured", &target(0))], &script(site, sql), 1);
    Prepared { plan, held: Vec::new() }
}

fn talkative(site: &Site) -> Prepared {
    beside(servers(site, 1, ["", "log_statement = all\nlog_duration = on\n"]), &select(1), 2)
}

fn spilling(site: &Site) -> Prepared {
    // A sort that costs more is not to be planned with workers for that.
    let settings = ["64MB", "256kB"]
        .map(|work_mem| format!("{COUNTING}work_mem = {work_mem}\nmax_parallel_workers_per_gather = 0\n"));
    let servers = servers(site, 1, settings.each_ref().map(String::as_str));
    for server in &servers {
        server.query_postgres("CREATE EXTENSION pg_stat_statements");
    }
    let sql = "SELECT aid FROM pgbench_accounts ORDER BY abalance, filler, aid DESC OFFSET 99999;\n";
    beside(servers, &script(site, sql), 2)
}

fn few_buffers(site: &Site) -> Prepared {
    beside(servers(site, 10, ["shared_buffers = 512MB\n", "shared_buffers = 2MB\n"]), &select(10), 2)
}

fn no_cache(site: &Site) -> Prepared {
    let servers = servers(site, 20, ["shared_buffers = 16MB\n"; 2]);
    servers[1].stop_in_order();
    servers[1].start_again();
    let group = Group::with_memory(site, 96 << 20);
    group.hold(&servers[1]);
    std::fs::write("/proc/sys/vm/drop_caches", "1").expect("root may");
    servers[0].query_postgres("SELECT sum(abalance) FROM pgbench_accounts");
    let mut prepared = beside(servers, &select(20), 2);
    prepared.held.push(Box::new(group));
    prepared
}

fn quota(site: &Site) -> Prepared {
    let servers = servers(site, 1, [""; 2]);
    let group = Group::with_cpus(site, 0.25);
    group.hold(&servers[1]);
    let mut prepared = beside(servers, &select(1), 2);
    prepared.held.push(Box::new(group));
    prepared
}

fn far(site: &Site) -> Prepared {
    let [near, far] = servers(site, 1, [""; 2]);
    let proxies = [(&near, 0), (&far, 5)]
        .map(|(server, ms)| DelayProxy::start_proxy(server.tcp_port(), Duration::from_millis(ms)));
    let [one, other] = proxies.each_ref().map(|proxy| Server::at(proxy.listening_port(), ""));
    let plan = pair([("sound", &one), ("injured", &other)], &select(1), 2);
    Prepared { plan, held: vec![Box::new(near), Box::new(far)] }
}

fn synchronous(site: &Site) -> Prepared {
    let servers = servers(site, 1, ["synchronous_commit = off\n", ""]);
    let sql = "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, 1, 1, 1, now());\n";
    beside(servers, &script(site, sql), 2)
}
