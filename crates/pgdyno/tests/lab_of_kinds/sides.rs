//! Makes both sides of a condition: servers, tables, and what is done outside; and the plan that measures them.

use std::any::Any;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use testbed::{Postgres, Setup, as_postgres, give_to_postgres, newest_version, run_command};

use crate::child::output_within;

use crate::generator::condition::{Condition, Outside};
use crate::outside::{Group, Loss, Mtu, Pooler, SMALL, confine, device_of, renice, start_hog, start_program};
use crate::pieces::{self, Side};
use crate::proxy::Proxy;
use crate::route::Route;
use crate::scram;
use crate::sessions::{Doing, Sessions};
use crate::site::Site;

/// What a few executions of the load may take.
const LOAD_WITHIN: Duration = Duration::from_secs(60);

/// What has to be there while a condition is measured. Dropped in this order: what is beside the servers, the servers,
/// their control groups.
pub struct Held {
    /// The plan, as YAML.
    pub plan: String,
    beside: Vec<Box<dyn Any>>,
    servers: Vec<Postgres>,
    groups: Vec<Group>,
}

/// Makes both sides.
pub fn set_up(site: &Site, condition: &Condition) -> Held {
    let servers: Vec<Postgres> = std::thread::scope(|scope| {
        let threads = Side::BOTH.map(|side| scope.spawn(move || start_server(site.path(), condition, side)));
        threads.map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).into()
    });
    let mut held = Held { plan: String::new(), beside: Vec::new(), servers: Vec::new(), groups: Vec::new() };
    let mut targets = Vec::new();
    for (side, server) in Side::BOTH.into_iter().zip(&servers) {
        let mut route = Route {
            host: server.server_directory().display().to_string(),
            port: server.tcp_port(),
            user: pieces::role(condition),
            more: pieces::connection_of_side(condition, side),
        };
        let mut pooler = None;
        for outside in pieces::outside_of_side(condition, side) {
            held.start_beside(server, &outside);
            held.lead(server, &outside, &mut route, &mut pooler);
        }
        targets.push(format!("  {}: {}\n", side.name(), route.target(pooler)));
    }
    site.write("load.sql", &condition.base.script);
    held.plan = plan(condition, &targets);
    held.servers = servers;
    held
}

fn plan(condition: &Condition, targets: &[String]) -> String {
    let baseline = if condition.injured_is_baseline { Side::Injured } else { Side::Sound };
    let interleave = if condition.needs_disk_and_trials() { "trials" } else { "slices" };
    let connections = if condition.base.reconnects { "per-transaction" } else { "kept" };
    format!(
        "name: kinds\ntargets:\n{}baseline: {}\nworkloads:\n  load: {{ script: [load.sql], mode: {}, connections: {connections}, \
         interleave: {interleave} }}\n\
         clients: [{}]\ntrial: {{ warm_up: 500ms, measure: 1500ms }}\nblocks: {{ at_least: 3, at_most: 5, until: 8% }}\n",
        targets.concat(),
        baseline.name(),
        condition.base.mode,
        condition.base.clients
    )
}

/// Starts a side's server and makes its tables.
fn start_server(below: &Path, condition: &Condition, side: Side) -> Postgres {
    let outside = pieces::outside_of_side(condition, side);
    let mut hba = String::from("local all,replication all trust\n");
    for one in &outside {
        match one {
            Outside::HbaLines(lines) => {
                let other: String = (0..*lines).map(|n| format!("local other_{n} nobody_{n} reject\n")).collect();
                hba = other + &hba;
            }
            Outside::ScramIterations(_) => hba.push_str("host all loader,postgres 127.0.0.0/8 scram-sha-256\n"),
            _ => {}
        }
    }
    hba.push_str("host all,replication all 127.0.0.0/8 trust\n");
    let settings = pieces::settings_of_side(condition, side);
    let server = Setup { settings, hba, below: below.to_owned(), ..Setup::default() }.make_server();
    if outside.contains(&Outside::Tls) {
        server.append_configuration(&format!("{}{}", certificate(&server), pieces::settings_of_side(condition, side)));
    }
    server.start_again();
    server.query_postgres("SELECT 1");
    for statement in pieces::ROLE_AND_DATABASE.split_inclusive(';') {
        server.query_postgres(statement);
    }
    for one in &outside {
        if let Outside::ScramIterations(iterations) = one {
            let verifier = scram::verifier(*iterations);
            server.query_postgres(&format!("ALTER ROLE loader PASSWORD '{verifier}'"));
            server.query_postgres(&format!("ALTER ROLE postgres PASSWORD '{verifier}'"));
        }
    }
    let file = server.write_file("tables.sql", &pieces::sql_of_side(condition, side));
    let database = server.socket_conninfo().replace("dbname=postgres", "dbname=app");
    run_command(
        server
            .psql_command(&database)
            .env("PGOPTIONS", "-c statement_timeout=40s -c client_min_messages=warning -c synchronous_commit=local")
            .arg("-f")
            .arg(file),
    );
    server
}

/// A certificate, signed by itself; the settings with which the server uses it.
fn certificate(server: &Postgres) -> String {
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let certificate = server.write_file("server.crt", &certified.cert.pem());
    let key = server.write_file("server.key", &certified.signing_key.serialize_pem());
    give_to_postgres(&key);
    format!("ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\n", certificate.display(), key.display())
}

impl Held {
    /// Executes the load a few times on both servers by pgbench.
    pub fn try_load(&self, site: &Site, condition: &Condition) {
        for server in &self.servers {
            let script = site.path().join("load.sql");
            let mut pgbench = as_postgres(newest_version().join("pgbench"));
            pgbench
                .env("PGPASSWORD", scram::PASSWORD)
                .args(["-n", "-t", "3", "-M", condition.base.mode, "-f"])
                .arg(script);
            pgbench.arg("-h").arg(server.server_directory()).args([
                "-p",
                &server.tcp_port().to_string(),
                "-U",
                pieces::role(condition),
            ]);
            let said = output_within(LOAD_WITHIN, pgbench.arg("app"));
            let error = String::from_utf8_lossy(&said.stderr);
            assert!(said.status.success() && !error.contains("ERROR"), "the load: {error}");
        }
    }

    /// Does what is done beside a server.
    fn start_beside(&mut self, server: &Postgres, outside: &Outside) {
        let application = |name: &str| {
            server.socket_conninfo().replace("dbname=postgres", &format!("dbname=app application_name={name}"))
        };
        match outside {
            Outside::OneCpu(cpu) => confine(server, *cpu),
            Outside::Nice(nice) => renice(server, *nice),
            Outside::Hogs { programs, cpu, nice } => {
                for _ in 0..*programs {
                    self.beside.push(Box::new(start_hog(*cpu, *nice)));
                }
            }
            Outside::Repeat { sql, pause_ms } => {
                let doing = Doing::Repeats { sql: sql.clone(), pause: Duration::from_millis(*pause_ms) };
                self.beside.push(Box::new(Sessions::start(&application("beside"), 1, &doing)));
            }
            Outside::Hold(sql) => {
                self.beside.push(Box::new(Sessions::start(&application("holder"), 1, &Doing::Holds(sql.clone()))));
            }
            Outside::IdleSessions(number) => {
                self.beside.push(Box::new(Sessions::start(&application("idler"), *number, &Doing::Idles)));
            }
            Outside::Program { name, arguments, again } => {
                self.beside.push(Box::new(start_program(server, name, arguments, *again)));
            }
            Outside::LossPerMille(per_mille) => {
                self.beside.push(Box::new(Loss::from_port(server.tcp_port(), *per_mille)));
            }
            Outside::Mtu(bytes) => self.beside.push(Box::new(Mtu::of_bytes(*bytes))),
            _ => self.groups.extend(group(server, outside)),
        }
    }

    /// Leads the load through what is before a server.
    fn lead(&mut self, server: &Postgres, outside: &Outside, route: &mut Route, pooler: &mut Option<u16>) {
        let address = Ipv4Addr::LOCALHOST.to_string();
        match outside {
            Outside::Proxy(delay) => {
                let proxy = Proxy::start(server.tcp_port(), *delay);
                (route.host, route.port) = (address, proxy.port());
                self.beside.push(Box::new(proxy));
            }
            Outside::Pooler(size) => {
                let started = Pooler::start(server, *size);
                (route.host, route.port, *pooler) = (address, started.port(), Some(started.port()));
                self.beside.push(Box::new(started));
            }
            Outside::Mtu(_) => route.host = SMALL.to_owned(),
            Outside::Tcp | Outside::LossPerMille(_) => route.host = address,
            Outside::Tls => {
                route.host = address;
                route.more.push("sslmode=require".to_owned());
            }
            Outside::ScramIterations(_) => {
                route.host = address;
                route.more.push(format!("password={}", scram::PASSWORD));
            }
            _ => {}
        }
    }
}

/// The control groups of what limits a server.
fn group(server: &Postgres, outside: &Outside) -> Vec<Group> {
    let device = device_of(server.server_directory());
    match outside {
        Outside::CpuQuota(percent) => {
            vec![Group::with_server("cpu", "cpu.cfs_quota_us", &(percent * 1000).to_string(), server)]
        }
        Outside::CpuShares(shares) => vec![Group::with_server("cpu", "cpu.shares", &shares.to_string(), server)],
        Outside::MemoryMb(mb) => {
            vec![Group::with_server("memory", "memory.limit_in_bytes", &format!("{mb}M"), server)]
        }
        Outside::WritesPerSecond(number) => {
            let value = format!("{device} {number}");
            vec![Group::with_server("blkio", "blkio.throttle.write_iops_device", &value, server)]
        }
        Outside::DiskMbPerSecond(mb) => {
            let value = format!("{device} {}", mb << 20);
            vec![
                Group::with_server("blkio", "blkio.throttle.write_bps_device", &value, server),
                Group::with_server("blkio", "blkio.throttle.read_bps_device", &value, server),
            ]
        }
        _ => Vec::new(),
    }
}
