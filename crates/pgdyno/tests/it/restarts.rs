//! Servers that are restarted before each block.

use results::trial::{Preparation, Trial, WarmCache};
use testbed::newest_version;

use crate::lab::Lab;

/// Blocks that had to be read first, before a trial whose caches were warmed.
fn read_first(trial: &Trial) -> u64 {
    let warmed = |step: &Preparation| match step {
        Preparation::WarmCache(WarmCache { passes, .. }) => passes.first().map(|pass| pass.blocks_read),
        _ => None,
    };
    trial.preparation.iter().find_map(warmed).expect("its caches were warmed")
}

#[test]
fn every_server_is_restarted_once_before_each_block() {
    let lab = Lab::new();
    let bin = newest_version();
    lab.write(
        "plan.yaml",
        format!(
            "name: Restarts\ntargets:\n  one: {{ local: {{ bin: {0} }} }}\n  two: {{ local: {{ bin: {0} }} }}\n\
             baseline: one\nworkloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1, cache: warm }} }}\nclients: [1, 2]\n\
             slice: 0.1s\ntrial: {{ warm_up: 0s, measure: 0.5s }}\nprobes: false\n\
             blocks: {{ at_least: 2, at_most: 2, restart: true }}\n",
            bin.display()
        ),
    );
    lab.pgdyno("run plan.yaml").measured();
    let trials = lab.run().trials();
    assert_eq!(trials.len(), 8);
    for block in 1..=2 {
        for target in ["one", "two"] {
            let of_block = |trial: &&Trial| trial.block == block && trial.cell.target == target;
            let [first, second] = trials.iter().filter(of_block).collect::<Vec<_>>()[..] else {
                panic!("{target} has other trials in block {block}");
            };
            assert_eq!(first.preparation.first(), Some(&Preparation::Restart), "{target}, block {block}");
            assert!(!second.preparation.contains(&Preparation::Restart), "{target}, block {block}");
            assert!(read_first(first) > 0, "{target}, block {block}: its buffers were empty");
            assert_eq!(read_first(second), 0, "{target}, block {block}: its buffers were full");
        }
    }
}
