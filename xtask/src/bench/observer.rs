//! What observing costs: one long trial in which the probes pause in one of every two fifths of a second. Neighbours
//! are compared, since what else happens on the machine changes little from one to the next and
//! much from one trial to the next.

use std::path::Path;
use std::process::Command;

use results::store::RunDir;
use results::trial::Trial;
use stats::ConfidenceLevel;
use stats::paired::change_of_log_ratios;

use super::Bench;

/// Numbers of clients.
pub(super) const CLIENTS: [u32; 2] = [8, 64];
/// Measured for each: on two shared CPUs a pair scatters by some 8 %,
/// so that the interval reaches 0.4 % to either side.
const MEASURE_S: u32 = 600;

pub(super) fn print(bench: &Bench<'_>, clients: &[u32]) {
    println!("\n## What observing costs\n");
    println!("select-only, throughput of fifths of a second with all probes over that of their neighbours with none\n");
    println!(
        "| clients | pairs | left out, CPU time stolen | change | 95 % interval | the runs' own account, of one CPU |\n|--:|--:|--:|--:|--:|--:|"
    );
    for &clients in clients {
        let cost = trial(bench, clients).observer.expect("it was observed");
        let logarithms: Vec<f64> = cost.ratios.iter().map(|ratio| ratio.ln()).collect();
        let change = change_of_log_ratios(&logarithms, ConfidenceLevel::NINETY_FIVE).expect("there are pairs");
        let account = (cost.probes_us + cost.samples_us) as f64 / cost.over_us as f64;
        let [point, low, high, account] =
            [change.point, change.interval.low, change.interval.high, account].map(|x| x * 100.0);
        println!(
            "| {clients} | {} | {} | {point:+.2} % | [{low:+.2}, {high:+.2}] % | {account:.2} % |",
            change.n, cost.stolen_pairs_excluded
        );
    }
}

/// A trial whose probes pause.
fn trial(bench: &Bench<'_>, clients: u32) -> Trial {
    let directory = tempfile::tempdir().expect("a directory");
    let (server, socket) = (bench.server, bench.server.socket_directory().display().to_string());
    let plan = format!(
        "name: observer\ntargets: {{ it: {{ url: \"host={socket} port={} user={} dbname=postgres\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ builtin: select-only, scale: 10 }} }}\nclients: [{clients}]\nobserver_cost: true\n\
         trial: {{ warm_up: 4s, measure: {MEASURE_S}s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        server.port(),
        server.user()
    );
    let (plan_file, runs) = (directory.path().join("plan.yaml"), directory.path().join("runs"));
    std::fs::write(&plan_file, plan).expect("written");
    let mut run = Command::new(bench.pgdyno);
    run.args(["run", "--quiet", "--json"]).arg(&plan_file).arg("--runs").arg(&runs);
    let output = run.output().expect("pgdyno starts");
    // One block is not enough data for a verdict, and none is asked for.
    assert!(matches!(output.status.code(), Some(0 | 4)), "{}", String::from_utf8_lossy(&output.stderr));
    first_of(&runs)
}

fn first_of(runs: &Path) -> Trial {
    let run = std::fs::read_dir(runs).expect("listed").flatten().next().expect("a run").path();
    let trials = RunDir::open(&run).and_then(|run| run.finished_trials()).expect("its trial");
    trials.into_iter().next().expect("its trial")
}
