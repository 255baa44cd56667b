//! What turns do for a comparison of two real servers (method.md, "Turns"): how sharp it becomes, how often it is a
//! false alarm, whether a known change is found, and what becomes of a writing workload's.
//!
//! The load engine is asked itself, block by block, as the experiment asks it: each block has connections of its own,
//! made in a random order of the sides. The figures of every block go to standard error and into the journal, if one is
//! named, a line of JSON each, so that whatever the tables leave out can be computed from them, and that a question can
//! be asked for as long as there is time and gone on with later.

mod block;
mod effects;
mod false_alarms;
mod journal;
mod pair;
mod starts;
mod width;
mod writes;

use std::path::{Path, PathBuf};
use std::time::Duration;

use block::{Block, How};
use journal::Journal;
use pair::Pair;
use stats::ConfidenceLevel;
use stats::paired::{MetricPair as Figures, PairedChange, paired_change};
use stats::verdict::{BetterDirection, PracticalThreshold, Verdict, judge_change};

/// What a turn takes where nothing else is asked for.
const TURN: Duration = Duration::from_millis(100);

/// What a block of a run by turns measures, both sides together.
const BLOCK: Duration = Duration::from_secs(3);

/// Blocks of a run of 30 s.
const BLOCKS: u64 = 10;

/// What can be asked of turns, and how often it is to be repeated where it is said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    question: Question,
    runs: Option<u32>,
}

impl Asked {
    /// `width`, `a-a`, `effects`, `starts` or `writes`, with `:RUNS` or without.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (name, runs) = text.split_once(':').map_or((text, None), |(name, runs)| (name, Some(runs)));
        let question = match name {
            "width" => Question::Width,
            "a-a" => Question::FalseAlarms,
            "effects" => Question::Effects,
            "starts" => Question::Starts,
            "writes" => Question::Writes,
            _ => return None,
        };
        Some(Self { question, runs: runs.map(str::parse).transpose().ok()? })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    /// The width of the interval by the length of a turn, beside that of whole trials.
    Width,
    /// A server against one like it.
    FalseAlarms,
    /// One side's statements dearer by a calibrated amount.
    Effects,
    /// Both servers started anew between the blocks.
    Starts,
    /// A writing workload, whose work outlives its turn.
    Writes,
}

/// Where what was measured is kept, and how long there is.
#[derive(Debug, Clone, Default)]
pub(super) struct Limits {
    pub(super) kept: Option<PathBuf>,
    pub(super) time: Option<Duration>,
}

/// Answers one of them, or all, on two servers of their own.
pub(super) fn print(pgdyno: &Path, asked: Option<Asked>, limits: &Limits) {
    let mut pair = Pair::start(pgdyno);
    let journal = &mut Journal::open(limits.kept.as_deref(), limits.time);
    let wants = |which| asked.is_none_or(|asked| asked.question == which);
    let runs = |or| asked.and_then(|asked| asked.runs).unwrap_or(or);
    if wants(Question::Width) {
        width::print(&pair, journal, runs(3));
    }
    if wants(Question::FalseAlarms) {
        false_alarms::print(&pair, journal, runs(60));
    }
    if wants(Question::Effects) {
        effects::print(&mut pair, journal, runs(20));
    }
    if wants(Question::Starts) {
        starts::print(&mut pair, journal, runs(12));
    }
    if wants(Question::Writes) {
        writes::print(&pair, journal, runs(8));
    }
    pair.stop();
}

/// The logarithm of the ratio of a block by turns; `number` counts within the run. None when the time is over.
fn block_by_turns(
    journal: &mut Journal,
    name: &str,
    sides: &[load::EngineJob; 2],
    run: u32,
    number: u64,
) -> Option<f64> {
    let seed = u64::from(run) * 1000 + number;
    let block = Block { how: How::Turns(TURN), measure: BLOCK, seed };
    Some(journal.block(name, block, || sides.clone())?.log_ratio())
}

/// What a run says whose number of blocks was fixed beforehand.
fn change(log_ratios: &[f64], level: ConfidenceLevel) -> PairedChange {
    let pairs = (0..).zip(log_ratios).map(|(block, log)| Figures { block, baseline: 1.0, candidate: log.exp() });
    paired_change(&pairs.collect::<Vec<_>>(), level).expect("there are blocks")
}

/// Its verdict, by the threshold that a plan has unless it says otherwise.
fn verdict(change: &PairedChange) -> Verdict {
    let threshold = PracticalThreshold::new(0.03).expect("it is a share");
    judge_change(&change.change, &change.spread, threshold, BetterDirection::Higher)
}

/// `+1.0 % | [-0.5, +2.5] %`.
fn with_interval(change: &PairedChange) -> String {
    let interval = change.change.interval;
    let [point, low, high] = [change.change.point, interval.low, interval.high].map(|share| share * 100.0);
    format!("{point:+.2} % | [{low:+.2}, {high:+.2}] %")
}
