//! How wide the interval of an A/A change is, by the length of a turn, beside that of whole trials: the same time, and
//! the same hour, since the blocks of all of them alternate in an order drawn anew. A half-width is known by its blocks
//! as well as any spread is, so the ratio to that of trials has an interval of its own.

use std::time::Duration;

use stats::ConfidenceLevel;
use stats::paired::change_of_log_ratios;

use super::block::{Block, How, lot};
use super::journal::Journal;
use super::pair::{CLIENTS, Pair};

const LENGTHS_MS: [u64; 5] = [50, 100, 250, 500, 1000];
/// Of each kind, in a run.
const BLOCKS: u64 = 12;
const MEASURE: Duration = Duration::from_secs(6);
/// Draws of blocks for the interval of a ratio of spreads.
const DRAWS: u64 = 2000;

pub(super) fn print(pair: &Pair, journal: &mut Journal, runs: u32) {
    let mut hows = vec![How::Trials];
    hows.extend(LENGTHS_MS.map(|ms| How::Turns(Duration::from_millis(ms))));
    let sides = pair.builtin("select-only");
    println!("\n## Turns: the width of the interval\n");
    println!(
        "select-only, {} clients, two servers alike, {BLOCKS} blocks of {} s of each kind a run, in an order drawn anew for each: \
         half-width of the 95 % interval over the blocks of a run\n",
        CLIENTS,
        MEASURE.as_secs()
    );
    println!("| run | {} |", hows.iter().map(|how| how.in_words()).collect::<Vec<_>>().join(" | "));
    println!("|--:{}|", "|--:".repeat(hows.len()));
    let mut all = vec![Vec::new(); hows.len()];
    for run in 1..=runs {
        let Some(blocks) = blocks(&hows, journal, &sides, run) else { break };
        println!("| {run} | {} |", in_a_row(&blocks, |logs| format!("±{:.2} %", half_width(logs) * 100.0)));
        all.iter_mut().zip(blocks).for_each(|(all, blocks)| all.push(blocks));
    }
    if all[0].is_empty() {
        return;
    }
    println!("| a block varies by | {} |", in_a_row(&all, |runs| format!("{:.2} %", pooled(runs) * 100.0)));
    let ratio = |runs: &Vec<Vec<f64>>| {
        let [low, high] = drawn(runs, &all[0]);
        format!("**{:.2}** ({low:.2} … {high:.2})", pooled(runs) / pooled(&all[0]))
    };
    println!("| of that of trials, 95 % interval | {} |", in_a_row(&all, ratio));
}

fn in_a_row<T>(of_kinds: &[T], figure: impl Fn(&T) -> String) -> String {
    of_kinds.iter().map(figure).collect::<Vec<_>>().join(" | ")
}

/// The logarithms of the ratios of each kind of block of one run.
fn blocks(hows: &[How], journal: &mut Journal, sides: &[load::EngineJob; 2], run: u32) -> Option<Vec<Vec<f64>>> {
    let mut log_ratios = vec![Vec::new(); hows.len()];
    let mut order: Vec<usize> = (0..hows.len()).collect();
    for number in 0..BLOCKS {
        let seed = u64::from(run) * 1000 + number;
        order.sort_by_key(|&kind| lot(seed * 100 + kind as u64));
        for &kind in &order {
            let block = Block { how: hows[kind], measure: MEASURE, seed };
            log_ratios[kind].push(journal.block("width", block, || sides.clone())?.log_ratio());
        }
    }
    Some(log_ratios)
}

fn half_width(log_ratios: &[f64]) -> f64 {
    let change = change_of_log_ratios(log_ratios, ConfidenceLevel::NINETY_FIVE).expect("there are blocks");
    change.interval.half_width()
}

/// The standard deviation of a block, around the mean of its run.
fn pooled(runs: &[Vec<f64>]) -> f64 {
    let squares = |blocks: &Vec<f64>| {
        let mean = blocks.iter().sum::<f64>() / blocks.len() as f64;
        blocks.iter().map(|log| (log - mean).powi(2)).sum::<f64>()
    };
    let freedom: usize = runs.iter().map(|blocks| blocks.len() - 1).sum();
    (runs.iter().map(squares).sum::<f64>() / freedom as f64).sqrt()
}

/// Between which figures the ratio of two spreads is in 95 of 100 draws of their blocks, those of a place together:
/// they were measured one after the other.
fn drawn(runs: &[Vec<f64>], trials: &[Vec<f64>]) -> [f64; 2] {
    let draw = |of: &[Vec<f64>], seed: u64| -> Vec<Vec<f64>> {
        let of_run = |(run, blocks): (usize, &Vec<f64>)| {
            let place = |at: usize| lot(seed * 1_000_000 + run as u64 * 1000 + at as u64) as usize % blocks.len();
            (0..blocks.len()).map(|at| blocks[place(at)]).collect()
        };
        of.iter().enumerate().map(of_run).collect()
    };
    let mut ratios: Vec<f64> = (0..DRAWS).map(|seed| pooled(&draw(runs, seed)) / pooled(&draw(trials, seed))).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[(share * (DRAWS - 1) as f64).round() as usize];
    [at(0.025), at(0.975)]
}
