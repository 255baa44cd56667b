//! The wall time of making the pgbench data at scale 100: `pgdyno bench -i` beside `pgbench -i`,
//! each round on fresh databases.

use super::tool::{self, Way, pgbench_like};
use super::{Bench, spread_in_words};

const ROUNDS: usize = 3;
const SCALE: &str = "100";

/// Prints the table.
pub(super) fn print(bench: &Bench<'_>) {
    println!("\n## Data set-up at scale {SCALE}, seconds: median (least … most) of {ROUNDS} interleaved rounds\n");
    let mut seconds: [Vec<f64>; 2] = Default::default();
    for round in 0..ROUNDS {
        for step in 0..2 {
            let which = (step + round) % 2;
            seconds[which].push(make(bench, which == 0));
        }
    }
    let ratios: Vec<f64> = seconds[0].iter().zip(&seconds[1]).map(|(a, b)| a / b).collect();
    println!("| pgdyno bench -i | pgbench -i | ratio |\n|--:|--:|--:|");
    let [pgdyno, pgbench] = seconds.each_ref().map(|seconds| spread_in_words(seconds));
    println!("| {pgdyno} | {pgbench} | **{}** |", spread_in_words(&ratios));
}

fn make(bench: &Bench<'_>, pgdyno: bool) -> f64 {
    bench.server.sql("postgres", "CREATE DATABASE setup");
    bench.server.sql("postgres", "CHECKPOINT");
    let pgbench = bench.server.tool("pgbench");
    let program = if pgdyno { bench.pgdyno } else { pgbench.as_path() };
    let quiet = if pgdyno { "--quiet" } else { "-q" };
    let ran = tool::run(
        &mut pgbench_like(program, bench.server, Way::Unix, &["-i", "-s", SCALE, quiet, "setup"]),
        bench.server,
    );
    bench.server.sql("postgres", "DROP DATABASE setup");
    ran.wall.as_secs_f64()
}
