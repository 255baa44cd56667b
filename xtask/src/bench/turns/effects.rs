//! A known change: one side's statements have more to add up. What that costs follows from how many rows more there
//! are, and is calibrated without turns and without a second server: by one client of which a lot decides, transaction
//! by transaction, which statement it executes.
//!
//! A statement takes the server some three milliseconds and is prepared, so that what is the same on both sides (the
//! protocol, the engine, waking) is a hundredth of it. Two servers alike differ by something for as long as they run:
//! both are started anew before each block, so that it is not taken for the change.

use std::time::Duration;

use load::{Job, QueryMode, Stop};
use stats::Level;
use stats::verdict::Verdict;

use super::block::{Block, How};
use super::pair::{CLIENTS, Pair};
use super::{BLOCK, BLOCKS, change, in_words, verdict, with_interval};

/// Rows that the first side adds up.
const ROWS: u32 = 30_000;
/// Rows that the second side does: losses of 2, 5 and 10 % where a row costs what a row costs.
const DEARER: [u32; 3] = [30_612, 31_579, 33_333];
/// A transaction of eight clients on two cores takes a twentieth of it.
const TURN: Duration = Duration::from_millis(250);
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

pub(super) fn print(pair: &mut Pair, runs: u32) {
    println!("\n## Turns: known changes\n");
    println!(
        "the first side adds up {ROWS} rows, the second more; {CLIENTS} clients, {BLOCKS} blocks of {} s by turns of {} s, \
         both servers started anew before each; at {} rows measured on until there is a verdict\n",
        BLOCK.as_secs(),
        TURN.as_secs_f64(),
        DEARER[UNTIL_VERDICT]
    );
    println!("| run | rows | change | 95 % interval | verdict | after |\n|--:|--:|--:|--:|---|--:|");
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

fn one(pair: &mut Pair, which: usize, run: u32, known: &mut Known) {
    let dearer = DEARER[which];
    let name = format!("effect {dearer}");
    known.calibrations.push(calibrated(&name, prepared(pair.mixed([ROWS, dearer])), run));
    let mut blocks = Vec::new();
    while (blocks.len() as u64) < BLOCKS {
        blocks.push(one_block(pair, &name, dearer, run, blocks.len() as u64));
    }
    let sides = pair.work([ROWS, dearer]).map(prepared);
    known.trials.push(Block { seed: u64::from(run), ..TRIALS }.log_ratio(&name, &sides));
    let said = change(&blocks, Level::NINETY_FIVE);
    known.turns.extend(&blocks);
    known.intervals.push((said.change.interval.low.ln_1p(), said.change.interval.high.ln_1p()));
    let mut at = verdict(&said);
    while which == UNTIL_VERDICT && undecided(at) && (blocks.len() as u64) < MOST_BLOCKS {
        blocks.push(one_block(pair, &name, dearer, run, blocks.len() as u64));
        at = verdict(&change(&blocks, stats::stopping::INTERIM));
    }
    known.regressed += u32::from(at == Verdict::Regressed);
    let seconds = blocks.len() as u64 * BLOCK.as_secs();
    known.decided_s.extend((!undecided(at)).then_some(seconds));
    println!("| {run} | {dearer} | {} | {} | {seconds} s |", with_interval(&said), in_words(at));
}

/// The logarithm of the ratio of a block between servers started anew.
fn one_block(pair: &mut Pair, name: &str, dearer: u32, run: u32, number: u64) -> f64 {
    pair.start_anew();
    let seed = u64::from(run) * 1000 + number;
    Block { how: How::Turns(TURN), measure: BLOCK, seed }.log_ratio(name, &pair.work([ROWS, dearer]).map(prepared))
}

/// What the server does about a statement besides executing it is done once.
fn prepared(job: Job) -> Job {
    Job { mode: QueryMode::Prepared, ..job }
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

fn sum_up(dearer: u32, known: &Known) {
    let [truth, turns, trials] = [&known.calibrations, &known.turns, &known.trials]
        .map(|logs| stats::paired::change_of_log_ratios(logs, Level::NINETY_FIVE));
    let (Some(truth), Some(turns), Some(trials)) = (truth, turns, trials) else { return };
    let [true_log, low, high] = [truth.point, truth.interval.low, truth.interval.high].map(f64::ln_1p);
    let by_rows = (f64::from(ROWS) / f64::from(dearer)).ln();
    let holds = |truth: f64| known.intervals.iter().filter(|(low, high)| (*low..=*high).contains(&truth)).count();
    let said = |change: stats::Estimate| {
        format!("{:+.2} % ± {:.2}", change.point * 100.0, change.interval.half_width() * 100.0)
    };
    println!(
        "\n{dearer} rows (by their number {:+.2} %): calibrated {}; by turns {}; by whole trials {}; {} of {} intervals by turns hold the \
         calibrated change ({} and {} its ends), {} that of their number; {} regressed, decided after {:?} s",
        by_rows.exp_m1() * 100.0,
        said(truth),
        said(turns),
        said(trials),
        holds(true_log),
        known.intervals.len(),
        holds(low),
        holds(high),
        holds(by_rows),
        known.regressed,
        known.decided_s,
    );
}
