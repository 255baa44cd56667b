//! What two servers alike differ by for as long as they run: both are started anew, many times, and measured in several
//! blocks each time. Blocks of one start share what it drew (where its memory lies), those of another have drawn anew.

use stats::ConfidenceLevel;
use stats::pilot::RoundVariation;

use super::journal::Journal;
use super::pair::{CLIENTS, Pair, ROWS};
use super::{block_by_turns, change, with_interval};

/// Blocks after each start.
const BLOCKS: u64 = 3;

pub(super) fn print(pair: &mut Pair, journal: &mut Journal, starts: u32) {
    println!("\n## Turns: one start of a server and another\n");
    println!(
        "{CLIENTS} clients, two servers alike, {BLOCKS} blocks of {} s by turns of {} s after each of {starts} starts\n",
        super::BLOCK.as_secs(),
        super::TURN.as_secs_f64()
    );
    println!(
        "| | a block varies by | a start varies by | all starts together | 95 % interval |\n|---|--:|--:|--:|--:|"
    );
    let mut found = [const { Vec::new() }; 2];
    for start in 1..=starts {
        pair.start_anew();
        for ((name, sides), found) in workloads(pair).into_iter().zip(&mut found) {
            // The first fills the caches.
            let name = format!("starts {name} {start}");
            let blocks = (0..=BLOCKS).map(|block| block_by_turns(journal, &name, &sides, start, block));
            found.extend(blocks.skip(1).collect::<Option<Vec<f64>>>());
        }
    }
    for ((name, _), found) in workloads(pair).into_iter().zip(&found) {
        let varies = RoundVariation::from_blocks(found).expect("there are starts and blocks");
        let means: Vec<f64> = found.iter().map(|blocks| blocks.iter().sum::<f64>() / blocks.len() as f64).collect();
        let [block, start] = [varies.within, varies.between].map(|variance| variance.sqrt() * 100.0);
        println!(
            "| {name} | {block:.2} % | {start:.2} % | {} |",
            with_interval(&change(&means, ConfidenceLevel::NINETY_FIVE))
        );
    }
}

fn workloads(pair: &Pair) -> [(&'static str, [load::EngineJob; 2]); 2] {
    [("adds up 10 000 rows", pair.work([ROWS; 2])), ("select-only", pair.builtin("select-only"))]
}
