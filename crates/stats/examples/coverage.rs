//! Prints, as Markdown, how often the interval of the stopping rule covers the truth and how often
//! an A/A comparison raises a false alarm: `cargo run --release -p stats --example coverage`.
//!
//! Arguments: experiments per cell (10000) and seed (1). The tables in `docs/method.md` are this
//! output. Takes half a minute on one core.

use stats::ConfidenceLevel;
use stats::simulate::{Drift, Scenario, ScenarioOutcome, simulate_experiments};
use stats::stopping::{INTERIM, LAST, StoppingGoal, StoppingRule, VERDICT, VERDICT_LAST};
use stats::verdict::PracticalThreshold;

const NOISES: [f64; 5] = [0.01, 0.02, 0.03, 0.05, 0.10];
const CHANGES: [f64; 4] = [0.0, -0.03, -0.10, 0.20];
const RHOS: [f64; 4] = [0.0, 0.3, 0.6, 0.9];
const AT_LEASTS: [usize; 3] = [3, 4, 5];
const AT_MOSTS: [usize; 2] = [10, 20];
const UNTILS: [f64; 3] = [0.01, 0.02, 0.03];

/// One cell of the table and what came of it.
struct Cell {
    noise: f64,
    change: f64,
    at_least: usize,
    at_most: usize,
    until: f64,
    outcome: ScenarioOutcome,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let experiments: usize = arguments.next().map_or(Ok(10_000), |a| a.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |a| a.parse())?;

    let kept = run(experiments, seed, |rule| rule)?;
    println!("{experiments} experiments in each of {} cells, seed {seed}.\n", kept.len());
    println!("Lowest coverage of the 95 % interval, and highest share of A/A alarms (threshold 3 %):\n");
    println!("| block noise | no change | −3 % | −10 % | +20 % | A/A alarms | mean blocks |");
    println!("|---|---|---|---|---|---|---|");
    for noise in NOISES {
        let row: Vec<&Cell> = kept.iter().filter(|c| c.noise == noise).collect();
        let lowest = CHANGES.map(|change| {
            let cells = row.iter().filter(|c| c.change == change);
            percent(cells.map(|c| c.outcome.coverage.point).fold(1.0, f64::min))
        });
        println!(
            "| {:.0} % | {} | {} | {:.1} |",
            noise * 100.0,
            lowest.join(" | "),
            percent(alarms(&row)),
            row.iter().map(|c| c.outcome.mean_blocks).sum::<f64>() / row.len() as f64,
        );
    }

    println!("\nThe same by rule:\n");
    println!("| at_most | until | at_least 3 | at_least 4 | at_least 5 | A/A alarms |");
    println!("|---|---|---|---|---|---|");
    for at_most in AT_MOSTS {
        for until in UNTILS {
            let row: Vec<&Cell> = kept.iter().filter(|c| c.at_most == at_most && c.until == until).collect();
            let lowest = AT_LEASTS.map(|at_least| {
                let cells = row.iter().filter(|c| c.at_least == at_least);
                percent(cells.map(|c| c.outcome.coverage.point).fold(1.0, f64::min))
            });
            println!("| {at_most} | {:.0} % | {} | {} |", until * 100.0, lowest.join(" | "), percent(alarms(&row)),);
        }
    }

    let plain =
        run(experiments, seed, |rule| rule.with_levels(ConfidenceLevel::NINETY_FIVE, ConfidenceLevel::NINETY_FIVE))?;
    for (name, cells) in [("with the levels", &kept), ("with the plain 95 % t interval", &plain)] {
        let all: Vec<&Cell> = cells.iter().collect();
        let lowest = cells.iter().map(|c| c.outcome.coverage.point);
        println!(
            "\nOver all cells {name}: coverage at least {}, A/A alarms at most {}.",
            percent(lowest.fold(1.0, f64::min)),
            percent(alarms(&all)),
        );
    }
    until_verdict(experiments, seed)
}

/// The rule that stops at the first verdict: its levels, and others.
fn until_verdict(experiments: usize, seed: u64) -> Result<(), Box<dyn std::error::Error>> {
    let threshold = PracticalThreshold::new(0.03).ok_or("3 % is a threshold")?;
    println!("\nUntil there is a verdict (at_least 3, 4, 5; at_most 10, 30, 100), by the levels of the t interval:\n");
    println!("| levels | among | no change | −3 % | −5 % | −10 % | +20 % | A/A alarms | mean blocks |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let plain = (ConfidenceLevel::NINETY_FIVE, ConfidenceLevel::NINETY_FIVE);
    for ((level, last), among) in
        [(plain, 1), ((INTERIM, LAST), 1), ((VERDICT, VERDICT_LAST), 1), ((VERDICT, VERDICT_LAST), 4)]
    {
        let (mut lowest, mut alarms, mut blocks) = ([1.0_f64; 5], 0.0_f64, Vec::new());
        for (cell, (rule, noise, rho)) in verdict_cells(threshold, level, last)?.into_iter().enumerate() {
            let rule = rule.for_comparisons(among);
            for (which, change) in [0.0, -0.03, -0.05, -0.10, 0.20].into_iter().enumerate() {
                let drift = Drift { rho, sd_log: noise };
                let scenario = Scenario { change, noise_log: noise, drift, rule: rule.clone(), threshold };
                let outcome = simulate_experiments(&scenario, experiments, seed + cell as u64);
                lowest[which] = lowest[which].min(outcome.coverage.point);
                alarms = alarms.max(if which == 0 { outcome.decided.point } else { 0.0 });
                blocks.push(outcome.mean_blocks);
            }
        }
        let mean = blocks.iter().sum::<f64>() / blocks.len() as f64;
        let [level, last, alarms] = [level.as_share(), last.as_share(), alarms].map(percent);
        println!("| {level}, {last} | {among} | {} | {alarms} | {mean:.1} |", lowest.map(percent).join(" | "));
    }
    Ok(())
}

/// A rule, block noise, and the memory of the drift.
type VerdictCell = (StoppingRule, f64, f64);

/// Rules that stop at the first verdict, with the noise and the memory of the drift that they meet.
fn verdict_cells(
    threshold: PracticalThreshold,
    level: ConfidenceLevel,
    last: ConfidenceLevel,
) -> Result<Vec<VerdictCell>, Box<dyn std::error::Error>> {
    let mut cells = Vec::new();
    for at_least in AT_LEASTS {
        for at_most in [10, 30, 100] {
            let rule = StoppingRule::new(at_least, at_most, StoppingGoal::Verdict(threshold))?.with_levels(level, last);
            cells.extend(NOISES.into_iter().flat_map(|noise| [0.0, 0.9].map(|rho| (rule.clone(), noise, rho))));
        }
    }
    Ok(cells)
}

/// Every cell of the table under `adapt`ed rules.
fn run(
    experiments: usize,
    seed: u64,
    adapt: impl Fn(StoppingRule) -> StoppingRule,
) -> Result<Vec<Cell>, Box<dyn std::error::Error>> {
    let threshold = PracticalThreshold::new(0.03).ok_or("3 % is a threshold")?;
    let mut cells = Vec::new();
    for (at_least, at_most, until) in rules() {
        let rule = adapt(StoppingRule::new(at_least, at_most, StoppingGoal::Precision(until))?);
        for (noise, change, rho) in conditions() {
            let scenario = Scenario {
                change,
                noise_log: noise,
                drift: Drift { rho, sd_log: noise },
                rule: rule.clone(),
                threshold,
            };
            // A seed of its own for each cell, or the cells would all share the luck of one.
            let outcome = simulate_experiments(&scenario, experiments, seed + cells.len() as u64);
            cells.push(Cell { noise, change, at_least, at_most, until, outcome });
        }
    }
    Ok(cells)
}

fn rules() -> impl Iterator<Item = (usize, usize, f64)> {
    AT_LEASTS.into_iter().flat_map(|at_least| {
        AT_MOSTS.into_iter().flat_map(move |at_most| UNTILS.map(|until| (at_least, at_most, until)))
    })
}

fn conditions() -> impl Iterator<Item = (f64, f64, f64)> {
    NOISES
        .into_iter()
        .flat_map(|noise| CHANGES.into_iter().flat_map(move |change| RHOS.map(|rho| (noise, change, rho))))
}

/// The highest share of verdicts "improved" or "regressed" where nothing changed.
fn alarms(cells: &[&Cell]) -> f64 {
    cells.iter().filter(|c| c.change == 0.0).map(|c| c.outcome.decided.point).fold(0.0, f64::max)
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}
