//! The baseline against itself, many times over: how often a run of short trials says that a server differs from
//! itself. Prints Markdown.

use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

/// What one comparison of one run said.
struct Said {
    change: f64,
    interval: [f64; 2],
    verdict: String,
}

/// Runs `plans/a-a.yaml` so many times, each with a seed of its own.
pub(crate) fn run(pgdyno: &Path, root: &Path, runs: u32) -> ExitCode {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut all = Vec::new();
    println!("| run | comparison | change | 95 % interval | verdict |\n|--:|---|--:|--:|---|");
    for number in 1..=runs {
        for (name, said) in one_run(pgdyno, root, directory.path(), number) {
            let [low, high] = said.interval.map(|share| share * 100.0);
            let change = said.change * 100.0;
            println!("| {number} | {name} | {change:+.1} % | [{low:+.1}, {high:+.1}] % | {} |", said.verdict);
            all.push(said);
        }
    }
    let alarms = all.iter().filter(|said| said.verdict == "improved" || said.verdict == "regressed").count();
    let excluded = all.iter().filter(|said| said.interval[0] > 0.0 || said.interval[1] < 0.0).count();
    println!("\n{} comparisons, {alarms} false alarms, {excluded} intervals without 0", all.len());
    ExitCode::SUCCESS
}

fn one_run(pgdyno: &Path, root: &Path, runs: &Path, seed: u32) -> Vec<(String, Said)> {
    let mut command = Command::new(pgdyno);
    command.args(["run", "--json", "--quiet", "--seed", &seed.to_string(), "--runs"]).arg(runs);
    let output = command.arg(root.join("plans/a-a.yaml")).output().expect("pgdyno starts");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let comparisons = report["noise_floor"].as_array().expect("the plan asks for a noise floor");
    comparisons.iter().filter_map(said).collect()
}

fn said(comparison: &Value) -> Option<(String, Said)> {
    let change = &comparison["metrics"][0]["change"];
    let interval = [change["low"].as_f64()?, change["high"].as_f64()?];
    let name = format!("{} at {}", comparison["workload"].as_str()?, comparison["clients"]);
    Some((
        name,
        Said { change: change["point"].as_f64()?, interval, verdict: comparison["verdict"].as_str()?.to_owned() },
    ))
}
