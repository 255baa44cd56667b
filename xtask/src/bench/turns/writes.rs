//! What turns do to the change of a workload that writes: the second server cleans up behind every few rows, which
//! outlives a turn, so that the other side pays a part of it and the difference is smaller than by whole trials, unless
//! the server whose turn it is not stands still.
//!
//! Commits do not wait for the disk, on either side: what is left is CPU time, of which the two servers share what
//! there is, and whose noise does not hide the rest.

use std::time::Duration;

use stats::ConfidenceLevel;

use super::block::{Block, How};
use super::journal::Journal;
use super::pair::{CLIENTS, Pair};
use super::{change, with_interval};

const HOWS: [How; 6] = [
    How::Trials,
    How::Turns(Duration::from_millis(500)),
    How::Turns(Duration::from_millis(100)),
    How::FrozenTurns(Duration::from_millis(500)),
    How::FrozenTurns(Duration::from_millis(250)),
    How::FrozenTurns(Duration::from_millis(100)),
];
const MEASURE: Duration = Duration::from_secs(12);

/// Of both servers.
const WITHOUT_WAITING: &str = "ALTER SYSTEM SET synchronous_commit = off";
/// Vacuum all the time, as fast as it can.
const DEARER: [&str; 5] = [
    "ALTER SYSTEM SET autovacuum_naptime = '1s'",
    "ALTER SYSTEM SET autovacuum_vacuum_threshold = 50",
    "ALTER SYSTEM SET autovacuum_vacuum_scale_factor = 0",
    "ALTER SYSTEM SET autovacuum_vacuum_cost_delay = 0",
    "ALTER SYSTEM SET autovacuum_vacuum_insert_threshold = 50",
];
/// Only what dead rows ask for, which is nothing in the time of this.
const CHEAPER: &str = "ALTER SYSTEM SET autovacuum = off";
const AS_BEFORE: &str = "ALTER SYSTEM RESET ALL";
const RELOAD: &str = "SELECT pg_reload_conf()";

pub(super) fn print(pair: &Pair, journal: &mut Journal, blocks: u32) {
    println!("\n## Turns: a workload that writes\n");
    println!(
        "tpcb-like without waiting for the disk, {CLIENTS} clients; the second server vacuums all the time, the first never; {blocks} \
         blocks of {} s of each kind in alternation, a checkpoint on both before each\n",
        MEASURE.as_secs()
    );
    (0..2).for_each(|side| pair.sql(side, WITHOUT_WAITING));
    pair.sql(0, CHEAPER);
    DEARER.iter().for_each(|statement| pair.sql(1, statement));
    (0..2).for_each(|side| pair.sql(side, RELOAD));
    let sides = pair.builtin("tpcb-like");
    let mut log_ratios = HOWS.map(|_| Vec::new());
    'blocks: for number in 0..u64::from(blocks) {
        for (how, log_ratios) in HOWS.into_iter().zip(&mut log_ratios) {
            let block = Block { how, measure: MEASURE, seed: number };
            let measured = journal.block("writes", block, || {
                (0..2).for_each(|side| pair.sql(side, "CHECKPOINT"));
                sides.clone()
            });
            let Some(measured) = measured else { break 'blocks };
            log_ratios.push(measured.log_ratio());
        }
    }
    println!("| | blocks | change | 95 % interval |\n|---|--:|--:|--:|");
    for (how, log_ratios) in HOWS.into_iter().zip(&log_ratios).filter(|(_, log_ratios)| log_ratios.len() > 1) {
        let said = with_interval(&change(log_ratios, ConfidenceLevel::NINETY_FIVE));
        println!("| {} | {} | {said} |", how.in_words(), log_ratios.len());
    }
    (0..2).for_each(|side| [AS_BEFORE, RELOAD].iter().for_each(|statement| pair.sql(side, statement)));
}
