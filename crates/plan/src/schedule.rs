//! The order of the trials, from the plan and a seed alone.
//!
//! A block executes every cell once. Its comparisons (workload × clients) come in a random order, and within one the
//! sides run one right after the other in a random order, so that slow drift of the machine falls on all sides alike.
//! The search for a capacity is scheduled with the most steps that it could take, the sides in turns; how many are
//! executed is decided step by step. The sides of a comparison share the seed of their workload:
//! they do the same operations.
//!
//! The same plan and seed give the same schedule in every version of pgdyno: the generator is ChaCha8, each block has
//! its own stream of it, and the shuffle is written out here. A block does not depend on how many blocks there are.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use results::run::{Schedule, ScheduledTrial};
use results::trial::{Cell, Role};

use crate::{Interleave, Plan, Workload};

/// Orders all trials up to the last block that could be needed.
#[must_use]
pub fn schedule_trials(plan: &Plan, seed: u64) -> Schedule {
    let mut trials = Vec::new();
    for block in 1..=plan.blocks.at_most {
        for trial in block_of(plan, seed, block) {
            let number = u32::try_from(trials.len() + 1).expect("a plan has at most a million trials");
            trials.push(ScheduledTrial { number, ..trial });
        }
    }
    Schedule { seed, trials }
}

/// The trials of one block in order, not yet numbered.
fn block_of(plan: &Plan, seed: u64, block: u32) -> Vec<ScheduledTrial> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from(block));
    let mut comparisons: Vec<(&Workload, u32)> = plan
        .workloads
        .iter()
        .flat_map(|workload| plan.clients_of_workload(workload).iter().map(move |clients| (workload, *clients)))
        .collect();
    shuffle_items(&mut comparisons, &mut random);
    let mut trials = Vec::new();
    for (workload, clients) in comparisons {
        let trial_seed = random.next_u64();
        let mut sides: Vec<(&str, Role)> =
            plan.targets.iter().map(|target| (target.name.as_str(), Role::Main)).collect();
        if plan.noise_floor {
            sides.push((plan.baseline.as_str(), Role::NoiseFloor));
        }
        shuffle_items(&mut sides, &mut random);
        let trial = |(target, role): &(&str, Role), step| ScheduledTrial {
            number: 0,
            block,
            cell: Cell { target: (*target).to_owned(), workload: workload.name.clone(), clients: clients.into() },
            role: *role,
            step,
            seed: trial_seed,
        };
        match workload.capacity_search() {
            None => trials.extend(sides.iter().map(|side| trial(side, None))),
            // The sides search in turns, so that drift falls on the steps of both alike.
            Some(_) => {
                for step in 1..=workload.trials_at_most() {
                    trials.extend(sides.iter().map(|side| trial(side, Some(step))));
                }
            }
        }
    }
    trials
}

/// The trials of a schedule that are executed together with trial `number`, that one included, in their order: those
/// whose sides take turns with it. If one of them is missing, all of them are. Empty if there is no such trial.
///
/// Of a plan that was [completed](Plan::complete_with_defaults): a run of before there were turns has whole trials.
#[must_use]
pub fn trials_executed_together<'s>(plan: &Plan, schedule: &'s Schedule, number: u32) -> &'s [ScheduledTrial] {
    let Some(place) = schedule.trials.iter().position(|trial| trial.number == number) else { return &[] };
    let one = &schedule.trials[place];
    let takes_turns = |workload: &Workload| workload.interleave.is_some_and(Interleave::is_by_slices);
    let with = |other: &ScheduledTrial| {
        let is_side = (other.block, &other.cell.workload, other.cell.clients)
            == (one.block, &one.cell.workload, one.cell.clients);
        other.number == number || (is_side && plan.workload_by_name(&one.cell.workload).is_some_and(takes_turns))
    };
    // The sides of a comparison stand side by side.
    let before = schedule.trials[..place].iter().rev().take_while(|trial| with(trial)).count();
    let after = schedule.trials[place..].iter().take_while(|trial| with(trial)).count();
    &schedule.trials[place - before..place + after]
}

/// Fisher–Yates: every order is equally likely.
fn shuffle_items<T>(items: &mut [T], random: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, random_below(last as u64 + 1, random) as usize);
    }
}

/// A number from 0 to `end` − 1, each equally likely: draws from the incomplete last
/// stretch of the range are drawn again.
fn random_below(end: u64, random: &mut impl Rng) -> u64 {
    let complete = u64::MAX - u64::MAX % end;
    loop {
        let drawn = random.next_u64();
        if drawn < complete {
            return drawn % end;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn plan(targets: usize, workloads: usize, clients: &[u32], at_most: u32, noise_floor: bool) -> Plan {
        let targets: String = (0..targets).map(|i| format!("t{i}: {{ local: {{ version: 17 }} }}, ")).collect();
        let workloads: String =
            (0..workloads).map(|i| format!("w{i}: {{ builtin: select-only, scale: 1 }}, ")).collect();
        let text = format!(
            "name: x\ntargets: {{ {targets} }}\nbaseline: t0\nworkloads: {{ {workloads} }}\nclients: {clients:?}\n\
             blocks: {{ at_least: 1, at_most: {at_most} }}\nnoise_floor: {noise_floor}\n"
        );
        crate::parse_plan("plan.yaml", text.as_bytes()).expect("a plan")
    }

    fn text_of(schedule: &Schedule) -> String {
        let line = |trial: &ScheduledTrial| {
            let ScheduledTrial { number, block, cell, role, step: _, seed } = trial;
            format!("{number} {block} {} {} {} {role:?} {seed:016x}\n", cell.target, cell.workload, cell.clients)
        };
        schedule.trials.iter().map(line).collect()
    }

    #[test]
    fn the_same_plan_and_seed_give_this_schedule_in_every_version() {
        insta::assert_snapshot!(text_of(&schedule_trials(&plan(2, 1, &[2, 8], 2, true), 42)), @"
    1 1 t1 w0 8 Main 2abaa2d2a560359d
    2 1 t0 w0 8 Main 2abaa2d2a560359d
    3 1 t0 w0 8 NoiseFloor 2abaa2d2a560359d
    4 1 t1 w0 2 Main 1109c5bd16c60464
    5 1 t0 w0 2 NoiseFloor 1109c5bd16c60464
    6 1 t0 w0 2 Main 1109c5bd16c60464
    7 2 t1 w0 2 Main 4b5b215d4f91532a
    8 2 t0 w0 2 NoiseFloor 4b5b215d4f91532a
    9 2 t0 w0 2 Main 4b5b215d4f91532a
    10 2 t1 w0 8 Main 462715c41c28d9f6
    11 2 t0 w0 8 NoiseFloor 462715c41c28d9f6
    12 2 t0 w0 8 Main 462715c41c28d9f6
    ");
    }

    #[test]
    fn the_sides_of_a_comparison_are_executed_together_where_they_take_turns_and_alone_elsewhere() {
        let numbers = |plan: &Plan, number| {
            let schedule = schedule_trials(plan, 42);
            trials_executed_together(plan, &schedule, number).iter().map(|trial| trial.number).collect::<Vec<_>>()
        };
        let open = plan(2, 2, &[2, 8], 2, true);
        assert_eq!(numbers(&open, 5), [5], "a run of before there were turns");
        let mut plan = open.complete_with_defaults(1, 2);
        let all: Vec<Vec<u32>> = (1..=24).map(|number| numbers(&plan, number)).collect();
        let expected = |number: u32| (number - (number - 1) % 3..).take(3).collect::<Vec<_>>();
        assert_eq!(all, (1..=24).map(expected).collect::<Vec<_>>());
        assert!(numbers(&plan, 25).is_empty());

        plan.workloads[1].interleave = Some(Interleave::Trials);
        let schedule = schedule_trials(&plan, 42);
        for trial in &schedule.trials {
            let count = if trial.cell.workload == "w0" { 3 } else { 1 };
            assert_eq!(trials_executed_together(&plan, &schedule, trial.number).len(), count);
        }
    }

    #[test]
    fn a_block_does_not_depend_on_how_many_blocks_there_are() {
        let (short, long) =
            (schedule_trials(&plan(2, 2, &[1, 2], 3, false), 7), schedule_trials(&plan(2, 2, &[1, 2], 9, false), 7));
        assert_eq!(short.trials[..], long.trials[..short.trials.len()]);
    }

    proptest! {
        #[test]
        fn every_block_executes_every_cell_once_with_the_sides_of_a_comparison_adjacent(
            targets in 1..4_usize, workloads in 1..4_usize, ladder in 1..4_u32, blocks in 1..5_u32, noise_floor: bool, seed: u64,
        ) {
            let clients: Vec<u32> = (1..=ladder).collect();
            let schedule = schedule_trials(&plan(targets, workloads, &clients, blocks, noise_floor), seed);
            let sides = targets + usize::from(noise_floor);
            prop_assert_eq!(schedule.trials.len(), sides * workloads * clients.len() * blocks as usize);
            prop_assert!(schedule.trials.iter().enumerate().all(|(i, trial)| trial.number as usize == i + 1));
            prop_assert!(schedule.trials.is_sorted_by_key(|trial| trial.block));
            let mut seen = BTreeMap::new();
            for comparison in schedule.trials.chunks(sides) {
                let first = &comparison[0];
                for trial in comparison {
                    prop_assert_eq!(trial.block, first.block);
                    prop_assert_eq!(&trial.cell.workload, &first.cell.workload);
                    prop_assert_eq!(trial.cell.clients, first.cell.clients);
                    prop_assert_eq!(trial.seed, first.seed);
                    *seen.entry((trial.block, trial.cell.clone(), trial.role)).or_insert(0) += 1;
                }
            }
            prop_assert!(seen.values().all(|times| *times == 1));
            prop_assert_eq!(seen.len(), schedule.trials.len());
            prop_assert!(seen.keys().all(|(_, cell, role)| *role == Role::Main || cell.target == "t0"));
        }
    }

    #[test]
    fn over_many_seeds_each_order_of_sides_and_of_comparisons_is_equally_frequent() {
        const SEEDS: u64 = 4_000;
        let plan = plan(3, 1, &[1, 2], 1, false);
        let (mut sides, mut first_clients) = (BTreeMap::new(), BTreeMap::new());
        for seed in 0..SEEDS {
            let trials = schedule_trials(&plan, seed).trials;
            let order: Vec<String> = trials[..3].iter().map(|trial| trial.cell.target.clone()).collect();
            *sides.entry(order).or_insert(0_u64) += 1;
            *first_clients.entry(trials[0].cell.clients).or_insert(0_u64) += 1;
        }
        // The seeds are fixed, so that this cannot fail by chance; the limits are five standard deviations.
        let near = |count: u64, share: f64| {
            let n = SEEDS as f64;
            (count as f64 - n * share).abs() < 5.0 * (n * share * (1.0 - share)).sqrt()
        };
        assert_eq!(sides.len(), 6);
        assert!(sides.values().all(|count| near(*count, 1.0 / 6.0)), "{sides:?}");
        assert_eq!(first_clients.len(), 2);
        assert!(first_clients.values().all(|count| near(*count, 0.5)), "{first_clients:?}");
    }
}
