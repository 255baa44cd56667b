//! A known change: one side's statements have more to add up. What that costs is calibrated without turns and without
//! a second server, by one client of which a lot decides, transaction by transaction, which statement it executes.
//!
//! The server's work on a statement takes a millisecond, so that what is the same on both sides (the protocol, the
//! engine) is a few percent of it, and the change of one client's latency is that of the throughput of eight clients
//! to within a tenth of a percent.

use std::time::Duration;

use load::{Job, Stop};
use stats::Level;
use stats::verdict::Verdict;

use super::block::{Block, How};
use super::pair::{CLIENTS, Pair};
use super::{BLOCK, BLOCKS, block_by_turns, change, in_words, verdict, with_interval};

/// More rows, as a share: losses of about 2, 5 and 10 %.
const DEARER: [f64; 3] = [0.0204, 0.0526, 0.1111];
/// The one that is measured on until there is a verdict.
const UNTIL_VERDICT: usize = 1;
/// Three minutes.
const MOST_BLOCKS: u64 = 60;
const CALIBRATION: Duration = Duration::from_secs(4);
/// Whole trials of each known change, beside those by turns: of 3 s a side.
const TRIALS: Block = Block { how: How::Trials, measure: Duration::from_secs(6), seed: 0 };

/// What is known of one change.
#[derive(Default)]
struct Known {
    calibrations: Vec<f64>,
    turns: Vec<f64>,
    trials: Vec<f64>,
    /// The intervals of the runs, as logarithms.
    intervals: Vec<(f64, f64)>,
    regressed: u32,
    /// When there was a verdict, in seconds of measuring.
    decided_s: Vec<u64>,
}

pub(super) fn print(pair: &Pair, runs: u32) {
    println!("\n## Turns: known changes\n");
    println!(
        "the second side adds up more rows; {CLIENTS} clients, {BLOCKS} blocks of {} s by turns of {} s; at {:.0} % more \
         rows measured on until there is a verdict\n",
        BLOCK.as_secs(),
        super::TURN.as_secs_f64(),
        DEARER[UNTIL_VERDICT] * 100.0
    );
    println!("| run | more rows | change | 95 % interval | verdict | after |\n|--:|--:|--:|--:|---|--:|");
    let mut known = DEARER.map(|_| Known::default());
    for run in 1..=runs {
        for (which, known) in known.iter_mut().enumerate() {
            one(pair, which, run, known);
        }
    }
    for (dearer, known) in DEARER.into_iter().zip(&known) {
        sum_up(dearer, known);
    }
}

fn one(pair: &Pair, which: usize, run: u32, known: &mut Known) {
    let dearer = DEARER[which];
    let name = format!("effect {dearer}");
    let sides = pair.work(dearer);
    known.calibrations.push(calibrated(&name, pair.mixed(dearer), run));
    let mut blocks: Vec<f64> = (0..BLOCKS).map(|block| block_by_turns(&name, &sides, run, block)).collect();
    known.trials.push(Block { seed: u64::from(run), ..TRIALS }.log_ratio(&name, &sides));
    let said = change(&blocks, Level::NINETY_FIVE);
    known.turns.extend(&blocks);
    known.intervals.push((said.change.interval.low.ln_1p(), said.change.interval.high.ln_1p()));
    let mut at = verdict(&said);
    while which == UNTIL_VERDICT && undecided(at) && (blocks.len() as u64) < MOST_BLOCKS {
        blocks.push(block_by_turns(&name, &sides, run, blocks.len() as u64));
        at = verdict(&change(&blocks, stats::stopping::INTERIM));
    }
    known.regressed += u32::from(at == Verdict::Regressed);
    let seconds = blocks.len() as u64 * BLOCK.as_secs();
    known.decided_s.extend((!undecided(at)).then_some(seconds));
    println!("| {run} | {:.1} % | {} | {} | {seconds} s |", dearer * 100.0, with_interval(&said), in_words(at));
}

fn undecided(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::NotEnoughData { .. })
}

/// The logarithm of what the throughput of one client becomes, from the mean latencies of both statements.
fn calibrated(name: &str, mixed: Job, run: u32) -> f64 {
    let job = Job { warm_up: Duration::from_millis(300), measure: CALIBRATION.into(), seed: u64::from(run), ..mixed };
    let done = load::run(&job, &Stop::new(), &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
    let mean = |script: usize| done.scripts[script].latency.mean_ns().expect("it was executed");
    let log_ratio = (mean(0) / mean(1)).ln();
    eprintln!("{}", serde_json::json!({ "name": name, "how": "calibration", "log_ratio": log_ratio }));
    log_ratio
}

fn sum_up(dearer: f64, known: &Known) {
    let [truth, turns, trials] = [&known.calibrations, &known.turns, &known.trials]
        .map(|logs| stats::paired::change_of_log_ratios(logs, Level::NINETY_FIVE));
    let (Some(truth), Some(turns), Some(trials)) = (truth, turns, trials) else { return };
    let [true_log, low, high] = [truth.point, truth.interval.low, truth.interval.high].map(f64::ln_1p);
    let holds = |truth: f64| known.intervals.iter().filter(|(low, high)| (*low..=*high).contains(&truth)).count();
    let said = |change: stats::Estimate| {
        format!("{:+.2} % ± {:.2}", change.point * 100.0, change.interval.half_width() * 100.0)
    };
    println!(
        "\n{:.1} % more rows: calibrated {}; by turns {}; by whole trials {}; {} of {} intervals by turns hold the \
         calibrated change ({} and {} its ends); {} regressed, decided after {:?} s",
        dearer * 100.0,
        said(truth),
        said(turns),
        said(trials),
        holds(true_log),
        known.intervals.len(),
        holds(low),
        holds(high),
        known.regressed,
        known.decided_s,
    );
}
