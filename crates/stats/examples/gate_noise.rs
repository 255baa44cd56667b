//! Prints, as Markdown, what the noise of shared runners does to a gate of 2 %: single runs against a stored level, a
//! history, and both states side by side on one runner: `cargo run --release -p stats --example gate_noise`.
//!
//! Arguments: experiments per cell (2000) and seed (1). The table in `docs/how-to/gate-a-pull-request.md` is this
//! output.

use stats::shift::find_shifts;
use stats::simulate::{Drift, Scenario, simulate_experiments, steady_series};
use stats::stopping::{StoppingGoal, StoppingRule};
use stats::verdict::PracticalThreshold;

/// From run to run on GitHub's runners: coefficient of variation over 100 runs, each on another machine
/// (codspeed.io/blog/benchmarks-in-ci-without-noise, July 2025).
const RUNNER: f64 = 0.0266;
const GATE: f64 = 0.02;
const LOSSES: [f64; 4] = [0.0, 0.02, 0.03, 0.05];
/// From block to block on one runner.
const BLOCK_NOISES: [f64; 3] = [0.01, 0.02, 0.04];
/// Runs of the history before the change, and after it.
const BEFORE: usize = 20;
const AFTER: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let experiments: usize = arguments.next().map_or(Ok(2000), |a| a.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |a| a.parse())?;
    let threshold = PracticalThreshold::new(GATE).ok_or("2 % is a threshold")?;

    println!("{experiments} experiments in each cell, seed {seed}, a gate of {}:\n", percent(GATE));
    println!("| reported as a change | no change | loss of 2 % | loss of 3 % | loss of 5 % | runs or blocks |");
    println!("|---|--:|--:|--:|--:|--:|");
    let single = LOSSES.map(|loss| percent(single_runs_beyond_gate(loss, experiments, seed)));
    println!("| one run against a stored level | {} | 1 |", single.join(" | "));
    let history = LOSSES.map(|loss| percent(histories_with_shift(loss, threshold, experiments, seed)));
    println!("| `history check`, {AFTER} runs after the change | {} | {AFTER} |", history.join(" | "));
    for block_noise in BLOCK_NOISES {
        print_paired_gate(block_noise, threshold, experiments, seed)?;
    }
    Ok(())
}

/// The share of single runs that differ from the level before by more than the gate.
fn single_runs_beyond_gate(loss: f64, experiments: usize, seed: u64) -> f64 {
    let runs = steady_series(Drift { rho: 0.0, sd_log: RUNNER }, experiments, seed);
    let beyond = runs.iter().filter(|run| (**run * (1.0 - loss) - 1.0).abs() > GATE).count();
    beyond as f64 / experiments as f64
}

/// The share of histories with a shift that is surely there and beyond the gate.
fn histories_with_shift(loss: f64, threshold: PracticalThreshold, experiments: usize, seed: u64) -> f64 {
    let mut alarms = 0;
    for number in 0..experiments as u64 {
        let mut runs = steady_series(Drift { rho: 0.0, sd_log: RUNNER }, BEFORE + AFTER, seed + number);
        runs[BEFORE..].iter_mut().for_each(|run| *run *= 1.0 - loss);
        let shifts = find_shifts(&runs, threshold, 1).expect("a lognormal figure has a logarithm");
        alarms += usize::from(!shifts.is_empty());
    }
    alarms as f64 / experiments as f64
}

/// Both states in interleaved blocks on one runner, until there is a verdict or there were 30 blocks.
fn print_paired_gate(
    block_noise: f64,
    threshold: PracticalThreshold,
    experiments: usize,
    seed: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let rule = StoppingRule::new(5, 30, StoppingGoal::Verdict(threshold))?;
    let outcomes = LOSSES.map(|loss| {
        let drift = Drift { rho: 0.9, sd_log: RUNNER };
        let scenario = Scenario { change: -loss, noise_log: block_noise, drift, rule: rule.clone(), threshold };
        simulate_experiments(&scenario, experiments, seed)
    });
    let reported = outcomes.map(|outcome| percent(outcome.decided.point)).join(" | ");
    let blocks = outcomes.iter().map(|outcome| outcome.mean_blocks).sum::<f64>() / outcomes.len() as f64;
    let noise = percent(block_noise);
    println!("| base and branch on one runner, blocks vary by {noise} | {reported} | {blocks:.0} |");
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
