//! Prints, as Markdown, how often a history of runs without a change raises an alarm, and how often, how near and how
//! large a change is found: `cargo run --release -p stats --example history_alarms`.
//!
//! Arguments: series per cell (1000) and seed (1). The tables in `docs/history.md` are this output.

use stats::shift::{Shift, find_shifts};
use stats::simulate::{Drift, steady_series};
use stats::verdict::PracticalThreshold;

/// From run to run, as a share.
const NOISE: f64 = 0.01;
const RHOS: [f64; 3] = [0.0, 0.2, 0.4];
const LENGTHS: [usize; 4] = [10, 20, 40, 60];
/// Runs before and after the change.
const PLACES: [[usize; 2]; 5] = [[10, 3], [20, 3], [20, 5], [20, 10], [30, 30]];
/// In units of the noise.
const SIZES: [f64; 4] = [1.0, 2.0, 3.0, 5.0];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(Ok(1000), |a| a.parse())?;
    let seeds = arguments.next().map_or(Ok(1), |a| a.parse())?..;
    let seeds = || seeds.clone().take(count as usize);
    let percent = |found: usize| format!("{:.1} %", 100.0 * found as f64 / count as f64);

    println!("{count} series in each cell. Alarms without a change, whatever the threshold, at one look:\n");
    println!("| memory ρ | 10 runs | 20 runs | 40 runs | 60 runs |\n|---|---|---|---|---|");
    for rho in RHOS {
        let alarms = LENGTHS
            .map(|n| percent(seeds().filter(|seed| !found(&series(rho, [n, 0], 0.0, *seed)).is_empty()).count()));
        println!("| {rho} | {} |", alarms.join(" | "));
    }
    println!(
        "\nThe same of a history that is looked at after each of its runs from the 8th to the 40th, at any look:\n"
    );
    println!("| memory ρ | alarms |\n|---|---|");
    for rho in RHOS {
        let ever = |seed: &u64| {
            let series = series(rho, [40, 0], 0.0, *seed);
            (8..=series.len()).any(|n| !found(&series[..n]).is_empty())
        };
        println!("| {rho} | {} |", percent(seeds().filter(ever).count()));
    }
    println!(
        "\nA loss of so many times the noise, found (and within three runs of its place; its interval covers it):\n"
    );
    println!("| runs before, after | 1 × | 2 × | 3 × | 5 × |\n|---|---|---|---|---|");
    for [before, after] in PLACES {
        let cells = SIZES.map(|size| {
            let loss = -size * NOISE;
            let all: Vec<Shift> =
                seeds().filter_map(|seed| nearest(&series(0.0, [before, after], loss, seed), before)).collect();
            let near = all.iter().filter(|shift| shift.at.abs_diff(before) <= 3).count();
            let covered = all.iter().filter(|shift| shift.change.interval.contains(loss)).count();
            let of_found = 100.0 * covered as f64 / all.len().max(1) as f64;
            format!("{} ({}; {of_found:.0} %)", percent(all.len()), percent(near))
        });
        println!("| {before}, {after} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// Runs of one thing, of which those `after` the others are by the share `change` more.
fn series(rho: f64, [before, after]: [usize; 2], change: f64, seed: u64) -> Vec<f64> {
    let noise = steady_series(Drift { rho, sd_log: NOISE }, before + after, seed);
    noise.iter().enumerate().map(|(i, y)| if i < before { *y } else { y * (1.0 + change) }).collect()
}

fn found(series: &[f64]) -> Vec<Shift> {
    let least = PracticalThreshold::new(1e-6).expect("between 0 and 1");
    find_shifts(series, least, 1).expect("a lognormal figure has a logarithm")
}

fn nearest(series: &[f64], place: usize) -> Option<Shift> {
    found(series).into_iter().min_by_key(|shift| shift.at.abs_diff(place))
}
