//! How wide the interval of an A/A change is, by the length of a turn, beside that of whole trials: the same time, and
//! the same hour, since the blocks of all of them alternate.

use std::time::Duration;

use stats::Level;
use stats::paired::change_of_log_ratios;

use super::super::spread;
use super::block::{Block, How, lot};
use super::pair::{CLIENTS, Pair};

const LENGTHS_MS: [u64; 5] = [50, 100, 250, 500, 1000];
const BLOCKS: u64 = 12;
const MEASURE: Duration = Duration::from_secs(6);

pub(super) fn print(pair: &Pair, runs: u32) {
    let mut hows = vec![How::Trials];
    hows.extend(LENGTHS_MS.map(|ms| How::Turns(Duration::from_millis(ms))));
    let sides = pair.builtin("select-only");
    println!("\n## Turns: the width of the interval\n");
    println!(
        "select-only, {} clients, two servers alike, {BLOCKS} blocks of {} s of each kind in alternation: half-width of \
         the 95 % interval over blocks\n",
        CLIENTS,
        MEASURE.as_secs()
    );
    println!("| run | {} |", hows.iter().map(|how| how.in_words()).collect::<Vec<_>>().join(" | "));
    println!("|--:{}|", "|--:".repeat(hows.len()));
    let mut shares = vec![Vec::new(); hows.len()];
    for run in 1..=runs {
        let widths = widths(&hows, &sides, run);
        let cells: Vec<String> = widths.iter().map(|width| format!("±{:.2} %", width * 100.0)).collect();
        println!("| {run} | {} |", cells.join(" | "));
        shares.iter_mut().zip(&widths).for_each(|(shares, width)| shares.push(width / widths[0]));
    }
    let medians: Vec<String> = shares.iter().map(|shares| format!("{:.2}", spread(shares)[1])).collect();
    println!("| of that of trials, median | {} |", medians.join(" | "));
}

/// Of each kind, over its blocks.
fn widths(hows: &[How], sides: &[load::Job; 2], run: u32) -> Vec<f64> {
    let mut log_ratios = vec![Vec::new(); hows.len()];
    let mut order: Vec<usize> = (0..hows.len()).collect();
    for number in 0..BLOCKS {
        let seed = u64::from(run) * 1000 + number;
        order.sort_by_key(|&kind| lot(seed * 100 + kind as u64));
        for &kind in &order {
            let block = Block { how: hows[kind], measure: MEASURE, seed };
            log_ratios[kind].push(block.log_ratio(&format!("width {run}"), sides));
        }
    }
    let change = |logs: &Vec<f64>| change_of_log_ratios(logs, Level::NINETY_FIVE).expect("there are blocks");
    log_ratios.iter().map(|logs| change(logs).interval.half_width()).collect()
}
