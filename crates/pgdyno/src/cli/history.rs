//! The options of `history`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What to do with a history of runs.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Add what a finished run measured: one line for each of its cells. A run is added once.
    Add(AddArgs),
    /// Show every series: its levels, where what is measured changed, and where the level did.
    Show(ShowArgs),
    /// Tell changes for the worse that stand. Exit status: 0 none, 1 at least one, 4 not enough runs to tell.
    Check(CheckArgs),
    /// Take the levels since a run for the new ones: what changed for the worse with it stands no longer.
    Accept(AcceptArgs),
    /// Write a target of a finished run down as it was, version and settings, for `guard`.
    Pin(PinArgs),
    /// Measure a plan against a pinned baseline, which is measured again beside it, and add the run to the history.
    /// Exit status: the verdict's.
    Guard(GuardArgs),
}

/// Options of `history pin`.
#[derive(Debug, Args)]
pub struct PinArgs {
    /// The run directory.
    pub run: PathBuf,
    /// The target [default: the run's baseline].
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// The file to write: a plan with this target alone.
    #[arg(long, value_name = "FILE", default_value = "pinned.yaml")]
    pub to: PathBuf,
}

/// Options of `history guard`.
#[derive(Debug, Args)]
pub struct GuardArgs {
    /// The plan. The pinned target takes the place of its baseline, or stands beside its only target.
    pub plan: PathBuf,
    /// What `history pin` wrote.
    #[arg(long, value_name = "PINNED")]
    pub baseline: PathBuf,
    /// Directory under which the run directory is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// The history [default: history.jsonl beside the run directory].
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
}

/// Options of `history add`.
#[derive(Debug, Args)]
pub struct AddArgs {
    /// The run directory.
    pub run: PathBuf,
    /// The history, made where there is none [default: history.jsonl beside the run directory].
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
}

/// Options of `history show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The history.
    #[arg(value_name = "FILE", default_value = "runs/history.jsonl")]
    pub file: PathBuf,
    /// Form of the output; `html` writes a file, the others print.
    #[arg(long, value_enum, default_value_t = HistoryFormat::Terminal)]
    pub format: HistoryFormat,
    /// File to write instead of `history.html` beside the history or standard output; `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `history check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The history.
    #[arg(value_name = "FILE", default_value = "runs/history.jsonl")]
    pub file: PathBuf,
}

/// How a history is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HistoryFormat {
    /// Lines for people.
    Terminal,
    /// All series with their segments, points and changes as JSON.
    Json,
    /// One self-contained HTML file in which the changes are drawn.
    Html,
}

/// Options of `history accept`.
#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// The first run of the new levels, by its name in the history.
    pub run: String,
    /// Why they are accepted, for whoever reads the history.
    #[arg(long, value_name = "TEXT")]
    pub because: String,
    /// The history.
    #[arg(long, value_name = "FILE", default_value = "runs/history.jsonl")]
    pub file: PathBuf,
}
