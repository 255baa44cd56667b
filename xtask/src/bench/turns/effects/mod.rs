//! A known change: the second side's statements make more steps of a loop. What that costs is known by construction,
//! and checked without turns and without throughput by the kernel's account of one session. Then: do intervals by turns
//! hold it, is their mean right, do whole trials agree, and how soon is a loss of 5 % called one?
//!
//! Both servers are started anew before each block, so that what two servers of a kind differ by for as long as they
//! run is not taken for the change.

mod calibration;
mod work;

use std::time::Duration;

use load::{EngineJob, QueryMode};
use stats::paired::change_of_log_ratios;
use stats::stopping::{StoppingDecision, StoppingGoal, StoppingRule};
use stats::verdict::{PracticalThreshold, Verdict};
use stats::{ConfidenceLevel, Estimate};

use super::super::spread;
use super::block::{Block, How};
use super::journal::Journal;
use super::pair::{CLIENTS, Pair};
use super::{BLOCK, BLOCKS, change, verdict, with_interval};
use calibration::Cost;

/// A transaction of eight clients on two cores takes a thirtieth of it.
const TURN: Duration = Duration::from_millis(250);
/// The one that is measured on until there is a verdict, for three minutes at most.
const UNTIL_VERDICT: u32 = 5;
const MOST_BLOCKS: usize = 60;
/// Whole trials of each known change, beside those by turns: of 3 s a side.
const TRIALS: Duration = Duration::from_secs(6);
/// Some twenty seconds.
const ROUNDS: usize = 300;

/// What is known of one run.
struct Run {
    /// ln(second / first) of each block by turns.
    turns: Vec<f64>,
    /// The same by whole trials.
    trials: f64,
    /// What the load engine took for a transaction, mean of both sides and all blocks.
    engine_us: f64,
    /// The verdict, and after how many seconds of measuring there was one.
    verdict: Verdict,
    decided_s: Option<u64>,
}

pub(super) fn print(pair: &mut Pair, journal: &mut Journal, runs: u32) {
    println!("\n## Turns: known changes\n");
    println!(
        "both sides make the steps of a loop in the server, the second more of them; {CLIENTS} clients, {BLOCKS} blocks of {} s by turns \
         of {} s, both servers started anew before each; at {} % measured on until there is a verdict\n",
        BLOCK.as_secs(),
        TURN.as_secs_f64(),
        UNTIL_VERDICT
    );
    (0..2).for_each(|side| pair.sql(side, work::FUNCTION));
    let cost = Cost::measure(pair.first(), ROUNDS);
    cost.print();
    println!("| run | loss | change | 95 % interval | verdict | after |\n|--:|--:|--:|--:|---|--:|");
    let mut known = work::LOSSES.map(|_| Vec::new());
    'runs: for run in 1..=runs {
        for (loss, known) in work::LOSSES.into_iter().zip(&mut known) {
            let Some(done) = one_run(pair, journal, loss, run) else { break 'runs };
            let after = done.decided_s.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds} s"));
            let said = with_interval(&change(&done.turns[..BLOCKS as usize], ConfidenceLevel::NINETY_FIVE));
            println!("| {run} | {} % | {said} | {} | {after} |", loss, done.verdict.name_in_reports());
            known.push(done);
        }
    }
    sum_up(&cost, &known);
}

/// None when the time is over before it is.
fn one_run(pair: &mut Pair, journal: &mut Journal, loss: u32, run: u32) -> Option<Run> {
    let name = format!("effect {loss} %");
    let mut block = |how, measure, number: u64| {
        let block = Block { how, measure, seed: u64::from(run) * 1000 + number };
        journal.block(&name, block, || {
            pair.start_anew();
            let units = [work::UNITS, work::units_of(loss)];
            pair.statements(&units.map(work::statement)).map(|job| EngineJob { mode: QueryMode::Prepared, ..job })
        })
    };
    let (mut turns, mut engine_us) = (Vec::new(), Vec::new());
    let threshold = PracticalThreshold::new(0.03).expect("it is a share");
    let rule = StoppingRule::new(3, MOST_BLOCKS, StoppingGoal::Verdict(threshold)).expect("it can be kept");
    let mut decided_after = None;
    let is_measured_on = |decided: Option<usize>| decided.is_none() && loss == UNTIL_VERDICT;
    while turns.len() < BLOCKS as usize || (is_measured_on(decided_after) && turns.len() < MOST_BLOCKS) {
        let measured = block(How::Turns(TURN), BLOCK, turns.len() as u64)?;
        turns.push(measured.log_ratio());
        engine_us.extend(measured.engine_us);
        if decided_after.is_none() && rule.decide_after_blocks(&turns) == StoppingDecision::Reached {
            decided_after = Some(turns.len());
        }
    }
    let trials = block(How::Trials, TRIALS, 0)?.log_ratio();
    let at_the_decision = &turns[..decided_after.unwrap_or(turns.len())];
    let verdict = verdict(&change(at_the_decision, rule.level_at(at_the_decision.len())));
    let decided_s = decided_after.map(|blocks| blocks as u64 * BLOCK.as_secs());
    let engine_us = engine_us.iter().sum::<f64>() / engine_us.len() as f64;
    Some(Run { turns, trials, engine_us, verdict, decided_s })
}

fn sum_up(cost: &Cost, known: &[Vec<Run>; work::LOSSES.len()]) {
    println!(
        "\n| loss | runs | true change | by turns | bias | by whole trials | half-width of a run, median | hold the true change | \
         regressed, equivalent, open | decided after, median (most) |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    let (mut held, mut all) = (0, 0);
    for (loss, runs) in work::LOSSES.into_iter().zip(known).filter(|(_, runs)| runs.len() > 1) {
        let engine_us = runs.iter().map(|run| run.engine_us).sum::<f64>() / runs.len() as f64;
        let truth = cost.true_log_ratio(loss, engine_us);
        let intervals: Vec<Estimate> = runs.iter().map(|run| of_logs(&run.turns[..BLOCKS as usize])).collect();
        let holds = intervals.iter().filter(|said| said.interval.contains(truth.exp_m1())).count();
        let widths: Vec<f64> = intervals.iter().map(|said| said.interval.half_width() * 100.0).collect();
        // A run counts once, however long it was.
        let means = |run: &Run| run.turns[..BLOCKS as usize].iter().sum::<f64>() / BLOCKS as f64;
        let turns = of_logs(&runs.iter().map(means).collect::<Vec<f64>>());
        let trials = of_logs(&runs.iter().map(|run| run.trials).collect::<Vec<f64>>());
        let said = |is_it: fn(&Verdict) -> bool| runs.iter().filter(|run| is_it(&run.verdict)).count();
        let seconds: Vec<f64> = runs.iter().filter_map(|run| Some(run.decided_s? as f64)).collect();
        let decided = if seconds.is_empty() {
            "-".to_owned()
        } else {
            let [_, median, most] = spread(&seconds);
            format!("{median} s ({most} s)")
        };
        println!(
            "| {} % | {} | {:+.2} % | {} | {:+.2} % | {} | ±{:.2} % | {holds} of {} | {}, {}, {} | {decided} |",
            loss,
            runs.len(),
            truth.exp_m1() * 100.0,
            share_with_half_width(turns),
            (turns.point - truth.exp_m1()) * 100.0,
            share_with_half_width(trials),
            spread(&widths)[1],
            runs.len(),
            said(|verdict| matches!(verdict, Verdict::Regressed)),
            said(|verdict| matches!(verdict, Verdict::Equivalent)),
            said(|verdict| matches!(verdict, Verdict::NotEnoughData { .. })),
        );
        (held, all) = (held + holds, all + runs.len());
    }
    println!("\n{held} of {all} intervals hold the true change");
}

fn of_logs(log_ratios: &[f64]) -> Estimate {
    change_of_log_ratios(log_ratios, ConfidenceLevel::NINETY_FIVE).expect("there are several")
}

/// `+1.00 % ± 0.50`.
fn share_with_half_width(change: Estimate) -> String {
    format!("{:+.2} % ± {:.2}", change.point * 100.0, change.interval.half_width() * 100.0)
}
