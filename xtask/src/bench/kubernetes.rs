//! What a target in Kubernetes costs beside a local one: the time between the loads of two trials, in one run.

use std::path::Path;
use std::process::Command;

use results::store::RunDir;
use results::trial::{PhaseRecord, Trial, TrialPhase};

use super::spread_in_words;

const BLOCKS: u32 = 10;

/// Prints the table. `image` is one of PostgreSQL that the cluster of the current kubeconfig can have.
pub(super) fn print(pgdyno: &Path, image: &str) {
    println!("\n## Between the loads of two trials, seconds: median (least … most) of {BLOCKS} interleaved trials\n");
    println!("select-only, scale 1, probes on, loads of 2 s\n");
    let trials = measure(pgdyno, image);
    println!("| target | without a load |\n|---|--:|");
    let medians = ["local", "pod"].map(|target| {
        let between: Vec<f64> = trials.windows(2).filter(|pair| pair[1].cell.target == target).map(between_s).collect();
        println!("| {target} | {} |", spread_in_words(&between));
        super::spread(&between)[1]
    });
    println!("\nmore per trial in Kubernetes: **{:+.2} s**", medians[1] - medians[0]);
}

/// From the end of one trial's measuring to the beginning of the next one's.
fn between_s(pair: &[Trial]) -> f64 {
    let measured = |trial: &Trial| -> PhaseRecord {
        trial.phases.iter().find(|of| of.phase == TrialPhase::Measure).expect("it was measured").clone()
    };
    let (before, after) = (measured(&pair[0]), measured(&pair[1]));
    let from_start_to_start = after.started_at.duration_since(before.started_at).as_secs_f64();
    from_start_to_start - before.duration_us as f64 / 1e6
}

/// The trials of both targets, in the order in which they were made.
fn measure(pgdyno: &Path, image: &str) -> Vec<Trial> {
    let directory = tempfile::tempdir().expect("a directory");
    let plan = format!(
        "name: between trials\ntargets:\n  local: {{ local: {{ version: 17 }} }}\n  \
         pod: {{ kubernetes: {{ via: pod, create: {{ pod: {{ image: \"{image}\", size: 1Gi }} }} }} }}\nbaseline: local\n\
         workloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [4]\n\
         interleave: trials\ntrial: {{ warm_up: 0s, measure: 2s }}\nblocks: {{ at_least: {BLOCKS}, at_most: {BLOCKS} }}\n"
    );
    let (plan_file, runs) = (directory.path().join("plan.yaml"), directory.path().join("runs"));
    std::fs::write(&plan_file, plan).expect("written");
    let mut run = Command::new(pgdyno);
    run.args(["run", "--quiet", "--json"]).arg(&plan_file).arg("--runs").arg(&runs);
    let output = run.output().expect("pgdyno starts");
    // Whatever the verdict is.
    assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{}", String::from_utf8_lossy(&output.stderr));
    let run = std::fs::read_dir(&runs).expect("listed").flatten().next().expect("a run").path();
    let mut trials = RunDir::open(&run).and_then(|run| run.finished_trials()).expect("its trials");
    trials.sort_by_key(|trial| trial.number);
    trials
}
