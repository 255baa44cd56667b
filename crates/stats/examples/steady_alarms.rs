//! Prints, as Markdown, how often a series that is noise around one level is called unsteady:
//! `cargo run --release -p stats --example steady_alarms`.
//!
//! Arguments: series per cell (2000) and seed (1). The table in `docs/method.md` is this output.

use stats::simulate::{Drift, steady_series};
use stats::steady::{Reason, Steadiness, judge_steadiness};

const RHOS: [f64; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];
const LENGTHS: [usize; 5] = [20, 30, 60, 120, 300];
const NOISES: [f64; 2] = [0.03, 0.10];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(Ok(2000), |a| a.parse())?;
    let first: u64 = arguments.next().map_or(Ok(1), |a| a.parse())?;
    println!("{count} series in each cell, seed {first}; share called unsteady.\n");
    println!("| noise | memory ρ | 20 s | 30 s | 60 s | 120 s | 300 s |");
    println!("|---|---|---|---|---|---|---|");
    let mut by_reason = [0_usize; 3];
    for noise in NOISES {
        for rho in RHOS {
            let shares = LENGTHS.map(|length| {
                let mut unsteady = 0;
                for seed in first..first + count {
                    let drift = Drift { rho, sd_log: noise };
                    if let Steadiness::Unsteady(reasons) = judge_steadiness(&steady_series(drift, length, seed)) {
                        unsteady += 1;
                        for reason in reasons {
                            by_reason[match reason {
                                Reason::WarmUp { .. } => 0,
                                Reason::Trend { .. } => 1,
                                Reason::Shift { .. } => 2,
                            }] += 1;
                        }
                    }
                }
                format!("{:.1} %", 100.0 * f64::from(unsteady) / count as f64)
            });
            println!("| {:.0} % | {rho} | {} |", noise * 100.0, shares.join(" | "));
        }
    }
    println!("\nOf these alarms {} were a warm-up, {} a trend, {} a shift.", by_reason[0], by_reason[1], by_reason[2]);
    Ok(())
}
