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
/// Between the parts of a line.
const BETWEEN: &str = " · ";
/// Columns of the bar.
const BAR: u64 = 10;

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
    /// Where in the schedule the trial under way is.
    position: Vec<LivePart>,
}

/// A part of the live line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LivePart {
    text: String,
    /// Where the terminal is too narrow, the parts with the largest number go first; 0 stays.
    left_out: u8,
}

impl LivePart {
    fn from_text(text: impl Into<String>, left_out: u8) -> Self {
        Self { text: text.into(), left_out }
    }
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
            let style = ProgressStyle::with_template("{msg}").expect("a constant template");
            Sink::Live(ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr()).with_style(style))
        } else {
            Sink::Plain
        };
        Self {
            sink,
            trials: 0,
            blocks: 0,
            executed: 0,
            began: None,
            limit: None,
            taken: Duration::ZERO,
            position: Vec::new(),
        }
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
            show_live_line(bar, &[LivePart::from_text(text, 0), LivePart::from_text(drawn_bar(done, of), 1)]);
        }
    }

    /// The size of the schedule: trials, and blocks or the time of trials at most.
    pub fn set_schedule(&mut self, trials: u32, blocks: BlockRepetition) {
        (self.trials, self.blocks, self.limit) = (trials, blocks.at_most, blocks.at_most_time);
    }

    /// A trial begins, or those of all sides that take turns.
    pub fn load_began(&mut self, scheduled: &[&ScheduledTrial]) {
        self.began.get_or_insert_with(Instant::now);
        self.position = self.position_in_schedule(scheduled);
        if let Sink::Live(bar) = &self.sink {
            let mut parts = self.position.clone();
            parts.push(LivePart::from_text("setting up", 1));
            show_live_line(bar, &parts);
        }
    }

    /// A second of the load has ended; `remaining` trials are still to come at most.
    pub fn show_second(&self, second: &LiveSecond, remaining: usize) {
        if let Sink::Live(bar) = &self.sink {
            let mut parts = self.position.clone();
            parts.extend(parts_of_second(second));
            parts.extend(self.time_left_text(remaining).map(|left| LivePart::from_text(left, 5)));
            show_live_line(bar, &parts);
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
            let position = joined_parts(&self.position_in_schedule(&[scheduled]));
            print_to_stderr(&format!("{position}: {outcome}{left}"));
        }
    }

    /// Nothing more comes; the live line goes.
    pub fn clear_live_line(&self) {
        if let Sink::Live(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }

    fn position_in_schedule(&self, scheduled: &[&ScheduledTrial]) -> Vec<LivePart> {
        let ScheduledTrial { number, block, cell, .. } = scheduled[0];
        let block = LivePart::from_text(format!("block {block}/{}", self.blocks), 6);
        if scheduled.len() == 1 {
            let trial = LivePart::from_text(format!("trial {number}/{}", self.trials), 7);
            return vec![block, trial, LivePart::from_text(cell.to_string(), 1)];
        }
        let sides: Vec<&str> = scheduled.iter().map(|trial| trial.cell.target.as_str()).collect();
        let clients = units::format_clients(cell.clients);
        vec![
            block,
            LivePart::from_text(format!("{}{BETWEEN}{clients}{BETWEEN}{}", cell.workload, sides.join(TURNS)), 1),
        ]
    }

    /// The time left, from the trials of this process so far; absent before the first has ended.
    fn time_left_text(&self, remaining: usize) -> Option<String> {
        let left = at_most_left(self.executed, self.began?.elapsed(), self.taken, self.limit, remaining)?;
        Some(format!("at most {} left", units::format_time_span(left.as_secs_f64())))
    }
}

/// How far the load is and what each side does.
fn parts_of_second(second: &LiveSecond) -> Vec<LivePart> {
    let [done, of] = second.seconds;
    let tps = second.sides.iter().map(LiveSide::in_words).collect::<Vec<_>>().join(TURNS);
    let p99 = match second.sides.iter().filter_map(|side| side.latency_ns_p99).max() {
        Some(ns) => format!("p99 {}", units::format_milliseconds(ns as f64 / 1e6)),
        None => "no transaction".to_owned(),
    };
    let phase = if second.warm_up { " of the warm-up" } else { "" };
    vec![
        LivePart::from_text(drawn_bar(done, of), 8),
        LivePart::from_text(format!("{done}/{of} s{phase}"), 3),
        LivePart::from_text(tps, 0),
        LivePart::from_text(p99, 4),
    ]
}

/// A bar of so many parts of a whole.
fn drawn_bar(done: u64, of: u64) -> String {
    let full = (done.min(of) * BAR).checked_div(of).unwrap_or(0);
    let [full, empty] = [full, BAR - full].map(|columns| usize::try_from(columns).unwrap_or(0));
    format!("▕{}{}▏", "█".repeat(full), " ".repeat(empty))
}

fn show_live_line(bar: &ProgressBar, parts: &[LivePart]) {
    // The last column stays free: some terminals begin a new line once it is written.
    let width =
        console::Term::stderr().size_checked().map_or(usize::MAX, |(_, columns)| usize::from(columns).max(2) - 1);
    bar.set_message(fit_live_line(parts, width));
}

/// The parts that fit into one line of so many columns, as far as one can be left out.
fn fit_live_line(parts: &[LivePart], width: usize) -> String {
    let mut kept = parts.to_vec();
    loop {
        let line = joined_parts(&kept);
        if line.chars().count() <= width {
            return line;
        }
        let goes_first = kept.iter().map(|part| part.left_out).max().unwrap_or(0);
        if goes_first == 0 {
            return line.chars().take(width.saturating_sub(1)).chain(['…']).collect();
        }
        kept.retain(|part| part.left_out != goes_first);
    }
}

fn joined_parts(parts: &[LivePart]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(BETWEEN)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Vec<LivePart> {
        let second = LiveSecond {
            seconds: [41, 60],
            warm_up: false,
            sides: vec![LiveSide { tps: 28_914.0, latency_ns_p99: Some(2_910_000), failed: 0, first_error: None }],
        };
        let mut parts = vec![
            LivePart::from_text("block 3/10", 6),
            LivePart::from_text("trial 14/40", 7),
            LivePart::from_text("cnpg · read · 32 clients", 1),
        ];
        parts.extend(parts_of_second(&second));
        parts.push(LivePart::from_text("at most 38 min left", 5));
        parts
    }

    #[test]
    fn the_live_line_is_one_line_on_every_terminal_and_loses_what_matters_least() {
        let whole = "block 3/10 · trial 14/40 · cnpg · read · 32 clients · ▕██████    ▏ · 41/60 s · 28.9k tps · p99 2.91 ms \
                     · at most 38 min left";
        assert_eq!(fit_live_line(&parts(), 200), whole);
        for (width, expected) in [
            (82, "cnpg · read · 32 clients · 41/60 s · 28.9k tps · p99 2.91 ms · at most 38 min left"),
            (80, "cnpg · read · 32 clients · 41/60 s · 28.9k tps · p99 2.91 ms"),
            (50, "cnpg · read · 32 clients · 41/60 s · 28.9k tps"),
            (40, "cnpg · read · 32 clients · 28.9k tps"),
            (20, "28.9k tps"),
            (6, "28.9k…"),
        ] {
            let line = fit_live_line(&parts(), width);
            assert!(line.chars().count() <= width, "{width}: {line}");
            assert_eq!(line, expected);
        }
    }

    #[test]
    fn a_bar_is_as_full_as_its_part_of_the_whole() {
        assert_eq!(
            [drawn_bar(0, 4), drawn_bar(1, 2), drawn_bar(9, 3)],
            ["▕          ▏", "▕█████     ▏", "▕██████████▏"]
        );
        assert_eq!(drawn_bar(0, 0), "▕          ▏");
    }
}
