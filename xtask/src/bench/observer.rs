//! What observing costs: the same workload with all probes and with none, in pairs that follow each other at once and change their
//! order from pair to pair. The interval is Student's on the logarithms of the pairs' ratios; pairs are added until it is narrow
//! enough to tell, whatever it tells.

use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;

use results::store::RunDir;
use stats::estimate::mean_estimate;

use super::Bench;

/// Numbers of clients.
pub(super) const CLIENTS: [u32; 2] = [8, 64];
/// Pairs for each, at least and at most.
const PAIRS: RangeInclusive<u32> = 10..=60;
/// From this half of the interval's width on, on the logarithm, no further pairs are needed.
const NARROW: f64 = 0.008;

pub(super) fn print(bench: &Bench<'_>, clients: &[u32]) {
    println!("\n## What observing costs\n");
    println!("select-only, throughput with all probes over that with none, pairs of trials of 5 s\n");
    println!("| clients | pairs | change | 95 % interval | the runs' own account, of one CPU |\n|--:|--:|--:|--:|--:|");
    for &clients in clients {
        let (mut ratios, mut accounts) = (Vec::new(), Vec::new());
        let change = loop {
            let trial = |probes| trial(bench, clients, probes);
            let (with, without) = if ratios.len() % 2 == 0 {
                let with = trial(true);
                (with, trial(false))
            } else {
                let without = trial(false);
                (trial(true), without)
            };
            ratios.push((with.0 / without.0).ln());
            accounts.extend(with.1);
            let pairs = u32::try_from(ratios.len()).expect("few");
            if pairs < *PAIRS.start() {
                continue;
            }
            let change = mean_estimate(&ratios).expect("there are pairs");
            if pairs == *PAIRS.end() || change.interval.high - change.interval.low <= 2.0 * NARROW {
                break change;
            }
        };
        let percent = |logarithm: f64| logarithm.exp_m1() * 100.0;
        let (point, low, high) = (percent(change.point), percent(change.interval.low), percent(change.interval.high));
        let account = accounts.iter().sum::<f64>() / accounts.len() as f64 * 100.0;
        println!("| {clients} | {} | {point:+.2} % | {low:+.2} … {high:+.2} % | {account:.2} % |", ratios.len());
    }
}

/// Transactions per second of one trial, and what it says that observing it cost.
fn trial(bench: &Bench<'_>, clients: u32, probes: bool) -> (f64, Option<f64>) {
    let directory = tempfile::tempdir().expect("a directory");
    let (server, socket) = (bench.server, bench.server.socket_directory().display().to_string());
    let plan = format!(
        "name: observer\ntargets: {{ it: {{ url: \"host={socket} port={} user={} dbname=postgres\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ builtin: select-only, scale: 10 }} }}\nclients: [{clients}]\nprobes: {probes}\n\
         trial: {{ warm_up: 1s, measure: 5s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
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
    figures(&runs)
}

fn figures(runs: &Path) -> (f64, Option<f64>) {
    let run = std::fs::read_dir(runs).expect("listed").flatten().next().expect("a run").path();
    let trials = RunDir::open(&run).and_then(|run| run.trials()).expect("its trial");
    let load = trials[0].load.as_ref().expect("it was measured");
    let share = trials[0].observer.map(|cost| (cost.probes_us + cost.samples_us) as f64 / cost.over_us as f64);
    (load.transactions as f64 * 1e6 / load.measure_us as f64, share)
}
