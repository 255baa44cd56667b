//! A server against one like it, by turns, in many runs of 30 s: how often a difference is said to be one.

use stats::ConfidenceLevel;
use stats::verdict::Verdict;

use super::journal::Journal;
use super::pair::{CLIENTS, Pair};
use super::{BLOCK, BLOCKS, block_by_turns, change, verdict, with_interval};

pub(super) fn print(pair: &Pair, journal: &mut Journal, runs: u32) {
    println!("\n## Turns: A/A\n");
    println!(
        "select-only, {CLIENTS} clients, two servers alike, {BLOCKS} blocks of {} s by turns of {} s\n",
        BLOCK.as_secs(),
        super::TURN.as_secs_f64()
    );
    println!("| run | change | 95 % interval | verdict |\n|--:|--:|--:|---|");
    let sides = pair.builtin("select-only");
    let (mut done, mut alarms, mut excluded, mut equivalent, mut all) = (0, 0, 0, 0, Vec::new());
    for run in 1..=runs {
        let blocks = (0..BLOCKS).map(|block| block_by_turns(journal, "a-a", &sides, run, block)).collect();
        let Some(blocks): Option<Vec<f64>> = blocks else { break };
        let said = change(&blocks, ConfidenceLevel::NINETY_FIVE);
        let verdict = verdict(&said);
        println!("| {run} | {} | {} |", with_interval(&said), verdict.name_in_reports());
        alarms += u32::from(matches!(verdict, Verdict::Improved | Verdict::Regressed));
        equivalent += u32::from(verdict == Verdict::Equivalent);
        excluded += u32::from(!said.change.interval.contains(0.0));
        all.extend(blocks);
        done += 1;
    }
    println!("\n{done} runs: {alarms} false alarms, {equivalent} equivalent, {excluded} intervals without 0");
    if let Some(together) = stats::paired::change_of_log_ratios(&all, ConfidenceLevel::NINETY_FIVE) {
        let [point, low, high] =
            [together.point, together.interval.low, together.interval.high].map(|share| share * 100.0);
        println!("\nall blocks together, as two servers alike can differ: {point:+.2} % [{low:+.2}, {high:+.2}] %");
    }
}
