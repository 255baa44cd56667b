//! Ratios beside pgbench and sysbench, on one server, in one run, interleaved. Prints Markdown; judges nothing, since these
//! machines are shared and noisy.

mod agreement;
mod connections;
mod contender;
mod cost;
mod data_set_up;
mod delay_proxy;
mod import;
mod instructions;
mod long_report;
mod observer;
mod server;
mod tool;

use std::path::Path;
use std::process::ExitCode;

use server::Server;

/// What every part needs.
struct Bench<'a> {
    pgdyno: &'a Path,
    server: &'a Server,
}

/// Runs the named parts, or all.
pub(crate) fn run(pgdyno: &Path, parts: &[&str]) -> ExitCode {
    let wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let pgdyno = &std::fs::canonicalize(pgdyno).unwrap_or_else(|error| panic!("{}: {error}", pgdyno.display()));
    if wanted("report") {
        long_report::print(pgdyno);
    }
    let mib = parts.iter().find_map(|part| part.strip_prefix("import=")?.parse().ok());
    if wanted("import") || mib.is_some() {
        import::print(pgdyno, mib.unwrap_or(import::MIB));
    }
    if ["cpu", "instructions", "agreement", "set-up"].iter().any(|part| wanted(part)) {
        let server = Server::start(400);
        let bench = Bench { pgdyno, server: &server };
        if wanted("set-up") {
            data_set_up::print(&bench);
        }
        if ["cpu", "instructions", "agreement"].iter().any(|part| wanted(part)) {
            bench.prepare();
        }
        if wanted("cpu") {
            cost::print(&bench);
        }
        if wanted("instructions") {
            instructions::print(&bench);
        }
        if wanted("agreement") {
            agreement::print(&bench);
        }
        server.stop();
    }
    let clients = parts.iter().find_map(|part| part.strip_prefix("observer=")?.parse().ok());
    if wanted("observer") || clients.is_some() {
        let server = Server::start(100);
        observer::print(
            &Bench { pgdyno, server: &server },
            clients.as_ref().map_or(&observer::CLIENTS[..], std::slice::from_ref),
        );
        server.stop();
    }
    if parts.contains(&"connections") {
        // By name only, with a server of its own: thousands of backends take tens of gigabytes and many minutes.
        let server = Server::start(5200);
        let bench = Bench { pgdyno, server: &server };
        bench.prepare();
        connections::print(&bench);
        server.stop();
    }
    ExitCode::SUCCESS
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
