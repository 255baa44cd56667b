//! What a person sees while pgdyno works: one live line on a terminal, plain lines elsewhere, nothing when quiet.
//!
//! Goes to standard error, so that standard output holds results only.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use plan::BlockRepetition;
use results::run::ScheduledTrial;
use results::trial::{LoadTotals, Trial, TrialOutcome};

use judge::failures::{self, TransactionAccount};
use judge::stopping::{at_most_left, time_taken};
use judge::units;

/// Between sides that take turns.
const TURNS: &str = " ⇄ ";

/// Where progress goes.
#[derive(Debug)]
pub struct ProgressReporter {
    sink: Sink,
    trials: u32,
    blocks: u32,
    /// Trials executed by this process, and the time since the first of them began: what the time left is told from.
    executed: u32,
    began: Option<Instant>,
    /// The time of trials after which no block begins, and how much of it they have taken.
    limit: Option<Duration>,
    taken: Duration,
}

#[derive(Debug)]
enum Sink {
    Live(ProgressBar),
    Plain,
    Quiet,
}

/// The load in the second that has just ended.
#[derive(Debug, Clone, Default)]
pub struct LiveSecond {
    /// Whole seconds of the load so far, and in all.
    pub seconds: [u64; 2],
    /// Whether it belongs to the warm-up.
    pub warm_up: bool,
    /// Each side.
    pub sides: Vec<LiveSide>,
}

impl LiveSecond {
    /// Before the first second of so many sides.
    pub fn before_first_second(sides: usize) -> Self {
        Self { sides: vec![LiveSide::default(); sides], ..Self::default() }
    }
}

/// One side of the load in a second.
#[derive(Debug, Clone, Default)]
pub struct LiveSide {
    /// Transactions per second of the time in which it could send.
    pub tps: f64,
    /// 99th percentile of latency in nanoseconds; absent when nothing ended.
    pub latency_ns_p99: Option<u64>,
    /// Transactions that failed in it.
    pub failed: u64,
    /// The first error of the trial so far: its SQLSTATE and the server's message.
    pub first_error: Option<String>,
}

impl LiveSide {
    /// What it got done; where transactions fail, how many, and what the server says.
    fn in_words(&self) -> String {
        let tps = units::format_tps(self.tps);
        match (self.failed, &self.first_error) {
            (0, _) => tps,
            (failed, None) => format!("{tps}, {failed} failed"),
            (failed, Some(error)) => format!("{tps}, {failed} failed ({error})"),
        }
    }
}

impl ProgressReporter {
    /// Live on a terminal, plain lines elsewhere.
    pub fn new(quiet: bool) -> Self {
        let sink = if quiet {
            Sink::Quiet
        } else if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{prefix}   ▕{bar:10}▏ {msg}").expect("a constant template");
            let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr());
            Sink::Live(bar.with_style(style.progress_chars("█▌ ")))
        } else {
            Sink::Plain
        };
        Self { sink, trials: 0, blocks: 0, executed: 0, began: None, limit: None, taken: Duration::ZERO }
    }

    /// One line that stays.
    pub fn print_line(&self, text: &str) {
        match &self.sink {
            Sink::Live(bar) => bar.suspend(|| print_to_stderr(text)),
            Sink::Plain => print_to_stderr(text),
            Sink::Quiet => {}
        }
    }

    /// What is under way outside of trials; shown only while it lasts, with how much of it is done.
    pub fn show_stage(&self, text: &str, done: u64, of: u64) {
        if let Sink::Live(bar) = &self.sink {
            bar.set_length(of.max(1));
            bar.set_position(done.min(of));
            bar.set_prefix(text.to_owned());
            bar.set_message("");
        }
    }

    /// The size of the schedule: trials, and blocks or the time of trials at most.
    pub fn set_schedule(&mut self, trials: u32, blocks: BlockRepetition) {
        (self.trials, self.blocks, self.limit) = (trials, blocks.at_most, blocks.at_most_time);
    }

    /// A trial begins, or those of all sides that take turns.
    pub fn load_began(&mut self, scheduled: &[&ScheduledTrial]) {
        self.began.get_or_insert_with(Instant::now);
        if let Sink::Live(bar) = &self.sink {
            bar.set_prefix(self.position_in_schedule(scheduled));
            bar.set_length(1);
            bar.set_position(0);
            bar.set_message("setting up");
        }
    }

    /// A second of the load has ended; `remaining` trials are still to come at most.
    pub fn show_second(&self, second: &LiveSecond, remaining: usize) {
        if let Sink::Live(bar) = &self.sink {
            let [done, of] = second.seconds;
            bar.set_length(of.max(1));
            bar.set_position(done.min(of));
            let tps = second.sides.iter().map(LiveSide::in_words).collect::<Vec<_>>().join(TURNS);
            let p99 = second.sides.iter().filter_map(|side| side.latency_ns_p99).max();
            let p99 = p99.map_or("no transaction".to_owned(), |ns| {
                format!("p99 {}", units::format_milliseconds(ns as f64 / 1e6))
            });
            let phase = if second.warm_up { "   warm-up" } else { "" };
            let left = self.time_left_text(remaining).map_or(String::new(), |left| format!("   {left}"));
            bar.set_message(format!("{done}/{of} s   {tps}   {p99}{phase}{left}"));
        }
    }

    /// A trial has ended.
    pub fn trial_ended(&mut self, scheduled: &ScheduledTrial, trial: &Trial, remaining: usize) {
        self.executed += 1;
        self.taken += time_taken(trial);
        if let Sink::Plain = self.sink {
            let figures = trial.load.as_ref().map_or(String::new(), format_load_figures);
            let outcome = match &trial.outcome {
                TrialOutcome::Completed => figures,
                TrialOutcome::Interrupted => format!("interrupted after {figures}"),
                TrialOutcome::Failed { error } => format!("failed: {error}"),
            };
            let left = self.time_left_text(remaining).map_or(String::new(), |left| format!(" · {left}"));
            print_to_stderr(&format!("{}: {outcome}{left}", self.position_in_schedule(&[scheduled])));
        }
    }

    /// Nothing more comes; the live line goes.
    pub fn clear_live_line(&self) {
        if let Sink::Live(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }

    fn position_in_schedule(&self, scheduled: &[&ScheduledTrial]) -> String {
        let ScheduledTrial { number, block, cell, .. } = scheduled[0];
        if scheduled.len() == 1 {
            return format!("block {block}/{} · trial {number}/{} · {cell}", self.blocks, self.trials);
        }
        let sides: Vec<&str> = scheduled.iter().map(|trial| trial.cell.target.as_str()).collect();
        let clients = units::format_clients(cell.clients);
        format!("block {block}/{} · {} · {clients} · {}", self.blocks, cell.workload, sides.join(TURNS))
    }

    /// The time left, from the trials of this process so far; absent before the first has ended.
    fn time_left_text(&self, remaining: usize) -> Option<String> {
        let left = at_most_left(self.executed, self.began?.elapsed(), self.taken, self.limit, remaining)?;
        Some(format!("at most {} left", units::format_time_span(left.as_secs_f64())))
    }
}

/// Writes a line to standard error. That nobody reads it any more (`2>&1 | head`, a terminal that is gone) is no reason
/// to stop measuring.
pub fn print_to_stderr(text: &str) {
    let _unread = writeln!(std::io::stderr().lock(), "{text}");
}

fn format_load_figures(load: &LoadTotals) -> String {
    let tps = load.transactions as f64 * 1e6 / load.measure_us.max(1) as f64;
    let p99 = load.latency.map(|latency| format!(", p99 {}", units::format_milliseconds(latency.p99_ns as f64 / 1e6)));
    let account = TransactionAccount::of_load(load);
    let failed = if account.ended_transactions().failed > 0 {
        format!(", {}", failures::failed_of(&account))
    } else {
        String::new()
    };
    format!("{}{}{failed}", units::format_tps(tps), p99.unwrap_or_default())
}
