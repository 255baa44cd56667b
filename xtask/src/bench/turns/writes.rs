//! What turns do to the change of a workload that writes: one server is made to write its pages out all the time, which
//! outlives a turn, so that the other side pays a part of it and the difference is smaller than by whole trials.

use std::time::Duration;

use stats::Level;

use super::block::{Block, How};
use super::pair::{CLIENTS, Pair};
use super::{change, with_interval};

const HOWS: [How; 4] = [
    How::Trials,
    How::Turns(Duration::from_secs(3)),
    How::Turns(Duration::from_secs(1)),
    How::Turns(Duration::from_millis(100)),
];
const MEASURE: Duration = Duration::from_secs(16);

/// Checkpoints after every few segments, and every page written whole after each of them.
const DEARER: &str = "ALTER SYSTEM SET max_wal_size = '64MB'";
const AS_BEFORE: &str = "ALTER SYSTEM RESET max_wal_size";
const RELOAD: &str = "SELECT pg_reload_conf()";

pub(super) fn print(pair: &Pair, blocks: u32) {
    println!("\n## Turns: a workload that writes\n");
    println!(
        "tpcb-like, {CLIENTS} clients; the second server has max_wal_size = 64MB, the first 8GB; {blocks} blocks of {} s \
         of each kind in alternation, a checkpoint on both before each\n",
        MEASURE.as_secs()
    );
    [DEARER, RELOAD].iter().for_each(|statement| pair.sql(1, statement));
    let sides = pair.builtin("tpcb-like");
    let mut log_ratios = HOWS.map(|_| Vec::new());
    for number in 0..u64::from(blocks) {
        for (how, log_ratios) in HOWS.into_iter().zip(&mut log_ratios) {
            (0..2).for_each(|side| pair.sql(side, "CHECKPOINT"));
            log_ratios.push(Block { how, measure: MEASURE, seed: number }.log_ratio("writes", &sides));
        }
    }
    println!("| | change | 95 % interval |\n|---|--:|--:|");
    for (how, log_ratios) in HOWS.into_iter().zip(&log_ratios) {
        println!("| {} | {} |", how.in_words(), with_interval(&change(log_ratios, Level::NINETY_FIVE)));
    }
    [AS_BEFORE, RELOAD].iter().for_each(|statement| pair.sql(1, statement));
}
