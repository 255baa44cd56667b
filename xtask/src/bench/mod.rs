//! Ratios beside pgbench and sysbench, on one server, in one run, interleaved. Prints Markdown; judges nothing, since
//! these machines are shared and noisy.

mod agreement;
mod audited;
mod connections;
mod contender;
mod cost;
mod data_set_up;
mod generators;
mod import;
mod instructions;
mod kubernetes;
mod long_report;
mod observer;
mod own_load;
mod own_load_a_a;
mod server;
mod tool;
mod turns;

use std::path::Path;
use std::process::ExitCode;

pub(crate) use generators::{SIMULATED_GENERATOR, simulate_generator};
use server::Server;

/// What every part needs.
struct Bench<'a> {
    pgdyno: &'a Path,
    server: &'a Server,
}

/// The parts that are asked for.
pub(crate) struct Parts {
    named: Vec<String>,
    observer_clients: Option<u32>,
    import_mib: Option<u64>,
    capture_mib: Option<u64>,
    audit_rows: Option<u64>,
    /// Replays of a captured load on a server beside itself.
    own_load_replays: Option<u32>,
    turns: Option<turns::Asked>,
    limits: turns::Limits,
    /// The image of PostgreSQL for the part that needs a cluster.
    kubernetes: Option<String>,
}

impl Parts {
    /// Reads their names; none when one is no part.
    pub(crate) fn parse(names: &[&str]) -> Option<Self> {
        let mut parts = Self {
            named: Vec::new(),
            observer_clients: None,
            import_mib: None,
            capture_mib: None,
            audit_rows: None,
            own_load_replays: None,
            turns: None,
            limits: turns::Limits::default(),
            kubernetes: None,
        };
        for name in names {
            match name.split_once('=') {
                None if PARTS.contains(name) => {}
                Some(("observer", clients)) => parts.observer_clients = Some(clients.parse().ok()?),
                Some(("import", mib)) => parts.import_mib = Some(mib.parse().ok()?),
                Some(("capture", mib)) => parts.capture_mib = Some(mib.parse().ok()?),
                Some(("own-load-a-a", replays)) => parts.own_load_replays = Some(replays.parse().ok()?),
                Some(("audit", rows)) => parts.audit_rows = Some(rows.parse().ok()?),
                Some(("turns", question)) => parts.turns = Some(turns::Asked::parse(question)?),
                Some(("kept", file)) => parts.limits.kept = Some(file.into()),
                Some(("minutes", time)) => {
                    parts.limits.time = Some(std::time::Duration::from_secs(60 * time.parse::<u64>().ok()?));
                }
                Some(("kubernetes", image)) => parts.kubernetes = Some(image.to_owned()),
                None | Some(_) => return None,
            }
            parts.named.push(name.split('=').next().unwrap_or(name).to_owned());
        }
        Some(parts)
    }

    fn names(&self, part: &str) -> bool {
        self.named.iter().any(|name| name == part)
    }

    /// Whether it is named, or none is.
    fn wants(&self, part: &str) -> bool {
        self.named.is_empty() || self.names(part)
    }
}

const PARTS: &[&str] = &[
    "cpu",
    "floor",
    "instructions",
    "connections",
    "agreement",
    "set-up",
    "report",
    "observer",
    "import",
    "capture",
    "proxy",
    "replay",
    "audit",
    "turns",
    "generators",
];

/// Runs the named parts, or all.
pub(crate) fn run(pgdyno: &Path, parts: &Parts) -> ExitCode {
    let pgdyno = &std::fs::canonicalize(pgdyno).unwrap_or_else(|error| panic!("{}: {error}", pgdyno.display()));
    if parts.wants("report") {
        long_report::print(pgdyno);
    }
    if parts.wants("import") {
        import::print(pgdyno, parts.import_mib.unwrap_or(import::MIB));
    }
    if parts.wants("capture") {
        own_load::print_log_reading(pgdyno, parts.capture_mib.unwrap_or(own_load::MIB));
    }
    if parts.wants("audit") {
        audited::print_audits(pgdyno, parts.audit_rows.unwrap_or(audited::ROWS));
    }
    if ["cpu", "floor", "instructions", "agreement", "set-up"].iter().any(|part| parts.wants(part)) {
        let server = Server::start(400);
        let bench = Bench { pgdyno, server: &server };
        if parts.wants("set-up") {
            data_set_up::print(&bench);
        }
        if ["cpu", "floor", "instructions", "agreement"].iter().any(|part| parts.wants(part)) {
            bench.prepare();
        }
        if parts.wants("cpu") {
            cost::print(&bench);
        }
        if parts.wants("floor") {
            cost::print_floor(&bench);
        }
        if parts.wants("instructions") {
            instructions::print(&bench);
        }
        if parts.wants("agreement") {
            agreement::print(&bench);
        }
        server.stop();
    }
    if parts.wants("proxy") || parts.wants("replay") || parts.own_load_replays.is_some() {
        run_own_load(pgdyno, parts);
    }
    if parts.wants("observer") {
        let server = Server::start(100);
        let clients = parts.observer_clients.as_ref().map_or(&observer::CLIENTS[..], std::slice::from_ref);
        observer::print(&Bench { pgdyno, server: &server }, clients);
        server.stop();
    }
    if parts.names("generators") {
        // By name only: it is about the process that directs generators, not about a load.
        generators::print(pgdyno);
    }
    if parts.names("connections") {
        // By name only, with a server of its own: thousands of backends take tens of gigabytes and many minutes.
        let server = Server::start(5200);
        let bench = Bench { pgdyno, server: &server };
        bench.prepare();
        connections::print(&bench);
        server.stop();
    }
    if let Some(image) = &parts.kubernetes {
        // By name only: it needs a cluster.
        kubernetes::print(pgdyno, image);
    }
    if parts.names("turns") {
        // By name only: each question takes a quarter of an hour to an hour.
        turns::print(pgdyno, parts.turns, &parts.limits);
    }
    ExitCode::SUCCESS
}

/// The parts about a captured load, on a server of their own.
fn run_own_load(pgdyno: &Path, parts: &Parts) {
    let server = Server::start(100);
    let bench = Bench { pgdyno, server: &server };
    bench.prepare_pgbench();
    if parts.wants("proxy") {
        own_load::print_proxy(&bench);
    }
    if parts.wants("replay") {
        own_load::print_replay(&bench);
    }
    if let Some(replays) = parts.own_load_replays {
        // By name only: sixty replays take half an hour.
        own_load_a_a::print_false_accusations(&bench, replays);
    }
    server.stop();
}

/// Smallest, median and largest of some figures.
fn spread(figures: &[f64]) -> [f64; 3] {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let median = if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) };
    [sorted[0], median, sorted[sorted.len() - 1]]
}

/// `median (smallest … largest)`.
fn spread_in_words(figures: &[f64]) -> String {
    let [least, median, most] = spread(figures);
    format!("{median:.2} ({least:.2} … {most:.2})")
}
