//! Ratios beside pgbench and sysbench, on one server, in one run, interleaved. Prints Markdown; judges nothing, since these
//! machines are shared and noisy.

mod agreement;
mod cost;
mod data_set_up;
mod delay_proxy;
mod long_report;
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
    if ["cpu", "agreement", "set-up"].iter().any(|part| wanted(part)) {
        let server = Server::start();
        let bench = Bench { pgdyno, server: &server };
        if wanted("set-up") {
            data_set_up::print(&bench);
        }
        if wanted("cpu") || wanted("agreement") {
            bench.prepare();
        }
        if wanted("cpu") {
            cost::print(&bench);
        }
        if wanted("agreement") {
            agreement::print(&bench);
        }
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
